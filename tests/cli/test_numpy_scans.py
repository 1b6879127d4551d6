"""tally scan and tally diagonal agree with NumPy, as test_numpy.py has it for tally reduce.

Every legal (function, element type), in C or in Fortran order: integers, minima, maxima and fills bit for
bit, what rounds within a bound for each term, that of a sum of all terms before it.
"""

import sys

sys.dont_write_bytecode = True  # keep the source tree as it is

import numpy as np

from support import (FLOATS, INTEGERS, TALLY_NAME, TYPES, WIDE, Case, TestCase, exactly, main,
                     share_has, within)
from support.numbers import ROUNDOFF, SHAPE, half_ulp, in_orders, values

# The types each function takes.
SCAN_TYPES = {"sum": WIDE, "multiply": WIDE, "min": TYPES, "max": TYPES}


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
