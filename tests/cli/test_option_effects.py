"""tally's options: what each of them does to the result of a command."""

import sys

sys.dont_write_bytecode = True  # keep the source tree as it is

import os
from fractions import Fraction

import numpy as np

from support import NO_CACHE, Case, exactly, main, run
from support.options import OptionTest


class Effects(OptionTest):
    def tally(self, command, *arguments, **options):
        return super().tally(command, NO_CACHE, *arguments, **options)

    def reduced(self, expected, *options, function="sum"):
        self.tally("reduce", function, "IN.npy", "OUT.npy", *options)
        difference = exactly(expected)(self.output())
        self.assertIsNone(difference, f"{function} {options}: {difference}")

    def test_axes(self):
        a = self.array
        self.reduced(a.sum(keepdims=True))
        self.reduced(a, "--axes", "none")
        self.reduced(a.sum((0, 2), keepdims=True), "--axes", "0,2")
        self.reduced(a.sum((0, 2), keepdims=True), "--axes=2,0")
        self.reduced(a.sum(-1, keepdims=True), "--axes", "-1")
        self.reduced(a.sum((0, 1), keepdims=True), "--axes", "-3,1")
        for text, words in (("3", "rank 3, axes -3 to 2"), ("-4", "axis -4"),
                            ("0,0", "axis 0 is listed twice"),
                            ("1,-2", "axis -2 is listed twice")):
            result = run(["reduce", "sum", "IN.npy", "OUT.npy", "--axes", text], self.folder)
            self.assertEqual(result.status, 1, result)
            self.assertIn(words, result.err)
            self.assertEqual(result.err.count("\n"), 1, result)

    def test_squeeze(self):
        a = self.array
        self.reduced(a.sum(), "--squeeze")
        self.reduced(a.sum(1), "--squeeze", "--axes", "1")
        self.reduced(a.sum((0, 2)), "--axes", "-1,0", "--squeeze")
        self.reduced(a, "--axes", "none", "--squeeze")

    def test_output_types(self):
        self.reduced(np.array([[[23]]], "i8"), function="argmax")
        for name, dtype in (("i32", "i4"), ("i64", "i8"), ("u32", "u4"), ("u64", "u8")):
            self.reduced(np.array([[[23]]], dtype), "--output-type", name, function="argmax")
        self.reduced(self.array.sum(keepdims=True), "--output-type", "f32")
        for function, name in (("argmax", "f32"), ("argmin", "i16"), ("sum", "f64")):
            result = run(["reduce", function, "IN.npy", "OUT.npy", "--output-type", name],
                         self.folder)
            self.assertEqual(result.status, 1, result)
            self.assertIn(name, result.err)
            self.assertEqual(os.listdir(self.folder), ["IN.npy"])

    def test_tie_and_nan(self):
        np.save(self.path("IN.npy"), np.array([2, 1, 2, 1, np.nan, np.nan], "f8"))
        for rule, expected in (([], [4]), (["--tie", "first"], [4]), (["--tie", "last"], [5]),
                               (["--nan", "propagate"], [4]), (["--nan", "ignore"], [0]),
                               (["--nan", "ignore", "--tie", "last"], [2])):
            self.reduced(np.array(expected, "i8"), *rule, function="argmax")
        self.reduced(np.array([np.nan]), function="max")
        self.reduced(np.array([2.0]), "--nan=ignore", function="max")
        self.tally("scan", "min", "IN.npy", "OUT.npy", "--axis", "0", "--nan", "ignore",
                   "--reverse")
        self.assertIsNone(exactly(np.array([1, 1, 1, 1, np.nan, np.nan]))(self.output()))

    def test_scan(self):
        a = self.array
        for options, expected in (([], [0, 1, 3, 6]), (["--reverse"], [6, 6, 5, 3]),
                                  (["--exclusive"], [0, 0, 1, 3]),
                                  (["--exclusive", "--reverse"], [6, 5, 3, 0])):
            for axis in ("2", "-1"):
                self.tally("scan", "sum", "IN.npy", "OUT.npy", "--axis", axis, *options)
                self.assertEqual(list(self.output()[0, 0]), expected)
        self.tally("scan", "sum", "--axis=-3", "IN.npy", "OUT.npy")
        self.assertIsNone(exactly(np.cumsum(a, 0))(self.output()))
        for axis in ("3", "-4"):
            result = run(["scan", "sum", "IN.npy", "OUT.npy", "--axis", axis], self.folder)
            self.assertEqual(result.status, 1, result)
            self.assertIn(f"axis {axis}", result.err)

    def test_families(self):
        """Each has kernels of its own, and all have the same bits."""
        rng = np.random.default_rng(1)
        np.save(self.path("IN.npy"), rng.standard_normal((3, 9000)).astype("f4"))
        for line, kernels in (
                (["reduce", "sum", "--axes", "1"], ("fold_any", "fold_rows", "fold_cpu")),
                (["scan", "sum", "--axis", "1"], ("scan_any", "scan_rows", "scan_cpu"))):
            self.tally(*line, "IN.npy", "OUT.npy")
            expected = self.output()
            self.tally(*line, "IN.npy", "OUT.npy", "--family=auto")
            self.assertIsNone(exactly(expected)(self.output()))
            for family, kernel in zip(("generic", "gpu", "cpu"), kernels):
                result = self.tally(*line, "IN.npy", "OUT.npy", "--family", family, "--explain")
                self.assertIsNone(exactly(expected)(self.output()))
                self.assertRegex(result.err, f"1: tally_{kernel}", result)
        self.tally("diagonal", "OUT.npy", "--input", "IN.npy", "--begin", "0", "--end", "0",
                   "--family", "gpu")
        self.assertIsNone(exactly(np.load(self.path("IN.npy")))(self.output()))

    def test_names_that_look_like_options(self):
        os.rename(self.path("IN.npy"), self.path("--in.npy"))
        self.tally("reduce", "sum", "--squeeze", "--", "--in.npy", "--out.npy")
        self.assertEqual(np.load(self.path("--out.npy")), self.array.sum())

    def test_value_of_the_inputs_type(self):
        np.save(self.path("IN.npy"), np.zeros((2, 2), "u1"))
        result = run(["diagonal", "OUT.npy", "--input", "IN.npy", "--value", "256", "--begin", "0",
                      "--end", "1"], self.folder)
        self.assertEqual(result.status, 1, result)
        self.assertEqual(result.err, "tally: --value: 256 is above 255, the highest u8\n")

    def fill(self, dtype, name, text, expected):
        """The command that fills a 1 x 1 matrix with a value."""
        return Case(["diagonal", "OUT.npy", "--shape", "1,1", "--type", name, "--value", text,
                     "--begin", "0", "--end", "1"], None, exactly(np.array([[expected]], dtype)))

    def test_integer_values(self):
        cases = []
        for name, dtype in (("i8", "i1"), ("i16", "i2"), ("i32", "i4"), ("i64", "i8"), ("u8", "u1"),
                            ("u16", "u2"), ("u32", "u4"), ("u64", "u8")):
            limits = np.iinfo(dtype)
            cases.append(self.fill(dtype, name, str(limits.max), limits.max))
            cases.append(self.fill(dtype, name, hex(limits.min).upper().replace("X", "x"),
                                   limits.min))
        cases.append(self.fill("i4", "i32", "-0x10", -16))
        cases.append(self.fill("i4", "i32", "+7", 7))
        cases.append(self.fill("u1", "u8", "010", 10))
        cases.append(self.fill("u1", "u8", "-0", 0))
        self.run_cases(cases)

    def test_float_values(self):
        cases = []
        for name, dtype in (("f16", "f2"), ("f32", "f4"), ("f64", "f8")):
            for text, expected in (("inf", np.inf), ("-INFINITY", -np.inf), ("nan", np.nan),
                                   ("-nan", np.nan), ("-0.0", -0.0), ("0x1.8p-3", 0.1875),
                                   ("1e-999", 0.0), ("-1.25e2", -125), ("+.5", 0.5)):
                cases.append(self.fill(dtype, name, text, expected))
        cases.append(self.fill("f4", "f32", "3.40282356e38", np.finfo("f4").max))
        cases.append(self.fill("f4", "f32", "1e-45", np.float32(1e-45)))
        cases.append(self.fill("f8", "f64", "0.1", 0.1))
        self.run_cases(cases)

    def test_float16_is_rounded_once(self):
        """Against exact fractions; behind a float64 the digits that decide would be lost."""
        tiny = "0" * 40 + "1"
        texts = ["0.1", "1.1", "65504", "65519.99999999999999999999", "1.00048828125",
                 "1.00048828125" + tiny, "1.00146484375", "1.001464843749" + "9" * 40,
                 "-2049", "-2049." + tiny, "2051", "6.103515625e-05", "6.0975551605224609375e-05",
                 "6.100535392761230468750e-05", "2.98023223876953125e-08",
                 "2.98023223876953125" + tiny + "e-08", "8.94069671630859375e-08", "1e-300"]
        cases = []
        for text in texts:
            exact = abs(Fraction(text))
            candidates = np.arange(0x7C00, dtype="u2")
            values = candidates.view("f2")
            near = int(np.argmin(np.abs(values.astype("f8") - float(exact))))
            near = range(max(near - 2, 0), min(near + 3, 0x7C00))
            bits = min(near, key=lambda b: (abs(Fraction(float(values[b])) - exact), b & 1))
            bits |= 0x8000 if text.startswith("-") else 0
            cases.append(self.fill("f2", "f16", text, np.array(bits, "u2").view("f2")))
        self.run_cases(cases)


if __name__ == "__main__":
    main()
