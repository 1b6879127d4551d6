"""tally reduce agrees with NumPy.

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
from support.numbers import ROUNDOFF, SHAPE, half_ulp, in_orders, values

# The types each function takes.
REDUCE_TYPES = {
    "argmax": TYPES, "argmin": TYPES, "max": TYPES, "min": TYPES,
    "sum": WIDE, "multiply": WIDE, "l1": WIDE, "sum_square": WIDE,
    "average": FLOATS, "l2": FLOATS, "log_sum": FLOATS, "log_sum_exp": FLOATS,
}


def last_axis(array, axes):
    """The array with those axes as one, the last, in row-major order."""
    kept = [i for i in range(array.ndim) if i not in axes]
    moved = array.transpose(kept + list(axes))
    return moved.reshape([array.shape[i] for i in kept] + [-1])


def kept_shape(array, axes):
    return tuple(1 if i in axes else n for i, n in enumerate(array.shape))


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


if __name__ == "__main__":
    main()
