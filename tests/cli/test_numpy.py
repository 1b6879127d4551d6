"""tally reduce, scan and diagonal agree with NumPy.

Every legal (function, element type), in C or in Fortran order: integers, minima, maxima, indices
and fills bit for bit, NumPy being given the same type to wrap in; what rounds within

    |error| <= c * u * sum |terms|

of NumPy's long double, where u is the unit roundoff of the type that Tally accumulates in (float32
for float16) and c the number of roundings a term can pass through in any order, plus half a unit in
the last place for the one rounding of a float16 result.
"""

import sys

sys.dont_write_bytecode = True  # keep the source tree as it is

import numpy as np

from support import (FLOATS, INTEGERS, TALLY_NAME, TYPES, WIDE, Case, TestCase, exactly, main,
                     share_has, within)

ROUNDOFF = {"f2": 2.0**-24, "f4": 2.0**-24, "f8": 2.0**-53}

# The types each function takes.
REDUCE_TYPES = {
    "argmax": TYPES, "argmin": TYPES, "max": TYPES, "min": TYPES,
    "sum": WIDE, "multiply": WIDE, "l1": WIDE, "sum_square": WIDE,
    "average": FLOATS, "l2": FLOATS, "log_sum": FLOATS, "log_sum_exp": FLOATS,
}
SCAN_TYPES = {"sum": WIDE, "multiply": WIDE, "min": TYPES, "max": TYPES}

SHAPE = (5, 6, 7)


def random(*seed):
    return np.random.default_rng([ord(c) for c in "".join(map(str, seed))])


def values(function, dtype, shape):
    """An array for a function: all of an integer type's range, floats whose result is finite."""
    source = random(function, dtype, shape)
    if dtype in INTEGERS:
        limits = np.iinfo(dtype)
        array = source.integers(limits.min, limits.max, shape, dtype, endpoint=True)
        ends = source.integers(0, 8, shape)  # ties of the extremes
        return np.where(ends == 0, limits.max, np.where(ends == 1, limits.min, array)).astype(dtype)
    if function == "multiply":
        array = np.exp(source.normal(0, 0.2, shape)) * source.choice([-1, 1], shape)
    elif function == "log_sum":
        array = source.uniform(0.5, 3, shape)
    elif function in ("argmax", "argmin"):
        array = source.integers(-4, 5, shape)  # ties
    else:
        array = source.normal(0, 4, shape)
    return array.astype(dtype)


def in_orders(array):
    return (np.ascontiguousarray(array), np.asfortranarray(array))


def last_axis(array, axes):
    """The array with those axes as one, the last, in row-major order."""
    kept = [i for i in range(array.ndim) if i not in axes]
    moved = array.transpose(kept + list(axes))
    return moved.reshape([array.shape[i] for i in kept] + [-1])


def kept_shape(array, axes):
    return tuple(1 if i in axes else n for i, n in enumerate(array.shape))


def half_ulp(expected, dtype):
    """The error of rounding a long double to float16; wider results were rounded before."""
    if dtype != "f2":
        return 0
    return np.spacing(np.abs(expected).astype("f2")).astype(np.longdouble) / 2


def rounding_bound(function, terms, dtype):
    """The result in long double of a float function over the last axis, and its error bound."""
    u = np.longdouble(ROUNDOFF[dtype])
    n = terms.shape[-1]
    magnitude = np.abs(terms).sum(-1)
    square = (terms * terms).sum(-1)
    if function == "sum":
        return terms.sum(-1), n * u * magnitude
    if function == "average":
        return terms.sum(-1) / n, (n + 2) * u * magnitude / n
    if function == "l1":
        return magnitude, n * u * magnitude
    if function == "sum_square":
        return square, (n + 1) * u * square
    if function == "l2":
        return np.sqrt(square), ((n + 1) / 2 + 2) * u * np.sqrt(square)
    if function == "multiply":
        product = terms.prod(-1)
        return product, n * u * np.abs(product)
    if function == "log_sum":  # the logarithm turns the sum's relative error into an absolute one
        result = np.log(terms.sum(-1))
        return result, n * u * magnitude / np.abs(terms.sum(-1)) + 4 * u * np.abs(result)
    top = terms.max(-1)
    shifted = terms - top[..., None]
    log = np.log(np.exp(shifted).sum(-1))
    bound = (n + 8 + np.abs(shifted).max(-1)) * u + 4 * u * (np.abs(top) + np.abs(log))
    return top + log, bound


def expect_reduced(function, array, axes, index_type="i8", tie="first"):
    """The check of a reduction over axes that stay with size 1."""
    shape = kept_shape(array, axes)
    dtype = array.dtype.str[1:]
    rows = last_axis(array, axes)
    if function in ("argmax", "argmin"):
        pick = np.argmax if function == "argmax" else np.argmin
        index = pick(rows, -1) if tie == "first" else rows.shape[-1] - 1 - pick(rows[..., ::-1], -1)
        return exactly(index.astype(index_type).reshape(shape))
    if function in ("max", "min"):
        return exactly(getattr(np, function)(rows, -1).reshape(shape))
    if dtype in INTEGERS:
        with np.errstate(over="ignore"):
            terms = {"l1": np.abs, "sum_square": np.square}.get(function, lambda x: x)(rows)
        join = np.prod if function == "multiply" else np.sum
        return exactly(join(terms, -1, dtype=dtype).reshape(shape))
    expected, bound = rounding_bound(function, rows.astype(np.longdouble), dtype)
    bound = bound + half_ulp(expected, dtype)
    return within(expected.reshape(shape), np.reshape(bound, shape), dtype)


class Reduce(TestCase):
    def test_every_function_and_type(self):
        """In the two orders by turns, float32 in both: a process and a program for each."""
        cases = []
        pairs = 0
        for k, (function, dtypes) in enumerate(REDUCE_TYPES.items()):
            for i, dtype in enumerate(dtypes):
                pairs += 1
                if not share_has(pairs - 1, 13):
                    continue
                arrays = in_orders(values(function, dtype, SHAPE))
                for array in arrays if dtype == "f4" else arrays[(i + k) % 2:][:1]:
                    cases.append(Case(["reduce", function, "IN.npy", "OUT.npy", "--axes", "1"],
                                      array, expect_reduced(function, array, (1,))))
        self.assertEqual(pairs, 84)
        self.run_cases(cases)

    def test_several_axes(self):
        """In the two orders by turns."""
        cases = []
        for k, function in enumerate(REDUCE_TYPES):
            if not share_has(k // 2):
                continue
            array = in_orders(values(function, "f4", SHAPE))[k % 2]
            cases.append(Case(["reduce", function, "IN.npy", "OUT.npy", "--axes", "0,2"],
                              array, expect_reduced(function, array, (0, 2))))
        self.run_cases(cases)

    def test_index_types_and_ties(self):
        """The ties by turns, so that each function, type and type of index has both."""
        cases = []
        for i, function in enumerate(("argmax", "argmin")):
            for j, dtype in enumerate(("f4", "u1")):
                for k, index_type in enumerate(("i4", "i8", "u4", "u8")):
                    if not share_has(i + j + k // 2):
                        continue
                    tie = ("first", "last")[(i + j + k) % 2]
                    array = values(function, dtype, SHAPE)
                    cases.append(Case(
                        ["reduce", function, "IN.npy", "OUT.npy", "--axes", "1", "--tie", tie,
                         "--output-type", TALLY_NAME[index_type]],
                        array, expect_reduced(function, array, (1,), index_type, tie)))
        self.run_cases(cases)

    def test_shapes_and_axes(self):
        cases = []
        turn = 0
        for shape, sets in (((), ((),)), ((1,), ((0,),)), ((257,), ((0,), ())),
                            ((3, 1000), ((0,), (1,), (0, 1))), ((1000, 3), ((0,), (1,))),
                            ((3, 4, 5, 6), ((0, 2), (1, 3), (1, 2), (0, 1, 2, 3))),
                            ((2, 3, 1, 2, 3, 2, 1, 2), ((0, 2, 4, 6), (1, 3, 5, 7), (3, 4)))):
            for axes in sets:
                for array in in_orders(values("sum", "i8", shape).reshape(shape)):
                    turn += 1
                    if not share_has(turn, 3):
                        continue
                    text = ",".join(map(str, axes)) or "none"
                    cases.append(Case(["reduce", "sum", "IN.npy", "OUT.npy", "--axes", text], array,
                                      exactly(array.sum(axes, keepdims=True))))
        self.run_cases(cases)

    def test_long_rows_keep_their_precision(self):
        """100003 terms: a float16 accumulator would end at 2048."""
        cases = []
        for i, dtype in enumerate(FLOATS):
            for k, (shape, axes) in enumerate((((2, 100003), (1,)), ((100003, 2), (0,)))):
                if not share_has(i + k, 2):
                    continue
                array = values("sum", dtype, shape)
                if dtype == "f2":
                    array = np.abs(array) / np.float16(16)
                cases.append(Case(["reduce", "average", "IN.npy", "OUT.npy", "--axes",
                                   str(axes[0])],
                                  array, expect_reduced("average", array, axes)))
        ones = np.ones(100000, "f2")
        cases.append(Case(["reduce", "average", "IN.npy", "OUT.npy"], ones, exactly(ones[:1])))
        self.run_cases(cases)

    def test_empty_arrays(self):
        cases = []
        results = (("sum", 0.0), ("multiply", 1.0), ("l1", 0.0), ("l2", 0.0), ("sum_square", 0.0),
                   ("min", np.inf), ("max", -np.inf), ("log_sum", -np.inf),
                   ("log_sum_exp", -np.inf), ("average", np.nan))
        for i, (function, expected) in enumerate(results):
            if not share_has(i, 3):
                continue
            array = np.empty((3, 0, 2), "f4")
            cases.append(Case(["reduce", function, "IN.npy", "OUT.npy", "--axes", "1"], array,
                              exactly(np.full((3, 1, 2), expected, "f4"))))
        cases.append(Case(["reduce", "max", "IN.npy", "OUT.npy"], np.empty((0, 2), "i2"),
                          exactly(np.full((1, 1), -32768, "i2"))))
        cases.append(Case(["reduce", "sum", "IN.npy", "OUT.npy", "--axes", "1"],
                          np.empty((0, 2), "f8"), exactly(np.empty((0, 1), "f8"))))
        self.run_cases(cases)

    def test_signed_zeros_and_nan(self):
        nan, inf = np.nan, np.inf
        rows = [[0.0, -0.0, 0.0], [-0.0, 0.0, -0.0], [1.0, nan, -2.0], [nan, nan, nan],
                [inf, -inf, 1.0], [-0.0, -0.0, -0.0]]
        expected = {  # (function, rule): a result for each row
            ("min", "propagate"): [-0.0, -0.0, nan, nan, -inf, -0.0],
            ("min", "ignore"): [-0.0, -0.0, -2.0, nan, -inf, -0.0],
            ("max", "propagate"): [0.0, 0.0, nan, nan, inf, -0.0],
            ("max", "ignore"): [0.0, 0.0, 1.0, nan, inf, -0.0],
            ("argmin", "propagate"): [0, 0, 1, 0, 1, 0],
            ("argmin", "ignore"): [0, 0, 2, 0, 1, 0],
            ("argmax", "propagate"): [0, 0, 1, 0, 0, 0],
            ("argmax", "ignore"): [0, 0, 0, 0, 0, 0],
        }
        sums = [0.0, 0.0, nan, nan, nan, -0.0]

        def columns(results, dtype):
            """The results as those of a middle axis: the kernels are there already."""
            return np.repeat(np.array(results, dtype)[:, None, None], 2, -1)

        cases = []
        for i, dtype in enumerate(FLOATS):
            array = np.repeat(np.array(rows, dtype)[:, :, None], 2, -1)
            for k, ((function, rule), results) in enumerate(expected.items()):
                if not share_has(i + k // 2 + k):
                    continue
                check = exactly(columns(results, "i8" if function.startswith("arg") else dtype))
                cases.append(Case(["reduce", function, "IN.npy", "OUT.npy", "--axes", "1", "--nan",
                                   rule], array, check))
            cases.append(Case(["reduce", "sum", "IN.npy", "OUT.npy", "--axes", "1"], array,
                              exactly(columns(sums, dtype))))
        self.run_cases(cases)


def expect_scanned(function, array, axis, reverse, exclusive):
    """The check of a scan: the inclusive one of the reversed array, shifted if exclusive."""
    dtype = array.dtype.str[1:]
    flipped = np.flip(array, axis) if reverse else array
    bound = None
    if function in ("min", "max"):
        join = np.minimum if function == "min" else np.maximum
        result = join.accumulate(flipped, axis)
        limits = np.finfo(dtype) if dtype in FLOATS else np.iinfo(dtype)
        ends = (-np.inf, np.inf) if dtype in FLOATS else (limits.min, limits.max)
        first = ends[1] if function == "min" else ends[0]
    else:
        first = 0 if function == "sum" else 1
        join = np.cumsum if function == "sum" else np.cumprod
        if dtype in INTEGERS:
            result = join(flipped, axis, dtype=dtype)
        else:
            wide = flipped.astype(np.longdouble)
            result = join(wide, axis)
            count = np.arange(1, array.shape[axis] + 1).reshape(
                [-1 if i == axis else 1 for i in range(array.ndim)])
            bound = count * ROUNDOFF[dtype] * join(np.abs(wide), axis) + half_ulp(result, dtype)

    def arrange(values, start):
        """Shift by one if exclusive, and turn back if reversed."""
        if exclusive:
            shifted = np.roll(values, 1, axis)
            shifted[(slice(None),) * axis + (0,)] = start
            values = shifted
        return np.flip(values, axis) if reverse else values

    if bound is None:
        return exactly(arrange(result, first))
    return within(arrange(result, first), arrange(bound, 0), dtype)


class Scan(TestCase):
    def test_every_function_and_type(self):
        """Of the eight ways (order, reverse, exclusive) one by turns, of float32 two that differ in
        all three: float32 has all eight, each function at least seven."""
        cases = []
        pairs = [(function, dtype) for function, dtypes in SCAN_TYPES.items() for dtype in dtypes]
        self.assertEqual(len(pairs), 36)
        for i, (function, dtype) in enumerate(pairs):
            if not share_has(i + i // 8):
                continue
            for way in (i % 4, 7 - i % 4) if dtype == "f4" else (i % 8,):
                order, reverse, exclusive = way & 4 != 0, way & 2 != 0, way & 1 != 0
                array = in_orders(values(function, dtype, SHAPE))[order]
                options = ["--reverse"] * reverse + ["--exclusive"] * exclusive
                cases.append(Case(
                    ["scan", function, "IN.npy", "OUT.npy", "--axis", "1", *options],
                    array, expect_scanned(function, array, 1, reverse, exclusive)))
        self.run_cases(cases)

    def test_shapes_and_axes(self):
        cases = []
        turn = 0
        for shape in ((1,), (1000,), (3, 5000), (5000, 3), (2, 3, 1, 2, 3, 2, 1, 2), (3, 0, 2)):
            for axis in range(-len(shape), len(shape), max(1, len(shape) // 2)):
                for array in in_orders(values("sum", "i8", shape)):
                    turn += 1
                    if not share_has(turn, 3):
                        continue
                    cases.append(Case(["scan", "sum", "IN.npy", "OUT.npy", "--axis", str(axis)],
                                      array, exactly(np.cumsum(array, axis))))
        self.run_cases(cases)

    def test_nan(self):
        nan = np.nan
        row = np.array([nan, 2.0, 1.0, nan, -0.0, 0.0])
        cases = []
        results = (("min", "propagate", [nan] * 6),
                   ("min", "ignore", [nan, 2.0, 1.0, 1.0, -0.0, -0.0]),
                   ("max", "ignore", [nan, 2.0, 2.0, 2.0, 2.0, 2.0]),
                   ("sum", None, [nan] * 6))
        for i, dtype in enumerate(FLOATS):
            for k, (function, rule, expected) in enumerate(results):
                if not share_has(i + k, 2):
                    continue
                options = ["--nan", rule] if rule else []
                cases.append(Case(["scan", function, "IN.npy", "OUT.npy", "--axis", "0", *options],
                                  row.astype(dtype), exactly(np.array(expected, dtype))))
        self.run_cases(cases)


LOWEST, HIGHEST = -2**63, 2**63 - 1


def band(array, value, begin, end):
    """The array with its band filled, by the case analysis of the definition."""
    rows, columns = array.shape[-2:]
    t = np.arange(columns)[None, :] - np.arange(rows)[:, None]
    if begin < end:
        filled = (t >= begin) & (t < end)
    elif begin > end:
        filled = ~((t >= end) & (t < begin))
    else:
        filled = np.zeros(t.shape, bool)
    return np.where(filled, np.array(value, array.dtype), array)


class Diagonal(TestCase):
    def fill(self, array, value, begin, end, expected):
        return Case(["diagonal", "OUT.npy", "--input", "IN.npy", "--value", str(value), "--begin",
                     str(begin), "--end", str(end)], array, exactly(expected))

    def test_every_type(self):
        cases = []
        for k, dtype in enumerate(TYPES):
            array = values("max", dtype, (2, 4, 6))
            value = {"i": -3, "u": 200, "f": -2.5}[dtype[0]]
            for i, (begin, end) in enumerate(((-1, 2), (2, -1), (3, 3), (LOWEST, 0), (1, HIGHEST))):
                for ordered in in_orders(array):
                    if not share_has(i + k):
                        continue
                    cases.append(self.fill(ordered, value, begin, end,
                                           band(array, value, begin, end)))
            cases.append(Case(["diagonal", "OUT.npy", "--shape", "2,4,6", "--type",
                               TALLY_NAME[dtype], "--value", str(value), "--begin", "-2", "--end",
                               "1"], None,
                              exactly(band(np.zeros((2, 4, 6), dtype), value, -2, 1))))
        self.run_cases(cases)

    def test_numpys_own_triangles(self):
        array = values("max", "f4", (5, 7))
        cases = [
            self.fill(array, 0, LOWEST, 0, np.triu(array)),
            self.fill(array, 0, LOWEST, -2, np.triu(array, -2)),
            self.fill(array, 0, 1, HIGHEST, np.tril(array)),
            self.fill(array, 0, 4, 2**31 - 1, np.tril(array, 3)),
        ]
        for k in (-9, -4, 0, 2, 100):
            cases.append(Case(["diagonal", "OUT.npy", "--shape", "5,7", "--type", "f64", "--value",
                               "1", "--begin", str(k), "--end", str(k + 1)], None,
                              exactly(np.eye(5, 7, k))))
            cases.append(Case(["diagonal", "OUT.npy", "--shape", "5,7", "--type", "u16", "--value",
                               "1", "--begin", str(LOWEST), "--end", str(k + 1)], None,
                              exactly(np.tri(5, 7, k, "u2"))))
        self.run_cases(cases)

    def test_other_elements_keep_their_bits(self):
        """NaNs with a payload, infinities, denormals and signed zeros pass through."""
        cases = []
        for dtype, bits in (("f2", [0x7E01, 0xFC00, 0x0001, 0x8000, 0x7D55, 0x3C00]),
                            ("f4", [0x7FC00001, 0xFF800000, 1, 0x80000000, 0x7FA55555, 0]),
                            ("f8", [0x7FF8000000000001, 0xFFF0000000000000, 1, 1 << 63,
                                    0x7FF5555555555555, 0])):
            array = np.array(bits, f"u{dtype[1]}").view(dtype).reshape(2, 3)
            for ordered in in_orders(array):
                cases.append(self.fill(ordered, 1, 0, 0, array))
        self.run_cases(cases)


if __name__ == "__main__":
    main()
