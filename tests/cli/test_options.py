"""tally's command line: what every option does, how each mistake is answered, what help says.

A wrong command line costs exit status 2 and two lines on stderr: what is wrong, and how to get
help.
"""

import sys

sys.dont_write_bytecode = True  # keep the source tree as it is

import os
import re
import subprocess
import tempfile
import threading
import time
from fractions import Fraction

import numpy as np

import support
from support import NO_CACHE, Case, TestCase, exactly, main, run, seen_on_terminal

COMMANDS = ("devices", "reduce", "scan", "diagonal", "run", "explain", "bench", "verify", "cache")
FUNCTIONS = ("argmax argmin average l1 l2 log_sum log_sum_exp max min multiply sum "
             "sum_square").split()


class OptionTest(TestCase):
    def setUp(self):
        self.holder = tempfile.TemporaryDirectory()
        self.addCleanup(self.holder.cleanup)
        self.folder = self.holder.name
        self.array = np.arange(24, dtype="f4").reshape(2, 3, 4)
        np.save(self.path("IN.npy"), self.array)

    def path(self, name):
        return os.path.join(self.folder, name)

    def tally(self, *arguments, **options):
        """Run a command that has to succeed."""
        result = run(arguments, self.folder, **options)
        self.assertEqual(result.status, 0, f"{result}\nexpected exit status 0")
        return result

    def output(self):
        """The output of the last command, which is removed."""
        array = np.load(self.path("OUT.npy"))
        os.remove(self.path("OUT.npy"))
        return array


class Usage(OptionTest):
    def misuse(self, line, *words):
        arguments = line.split(" ") if isinstance(line, str) else line
        result = run(arguments, self.folder)
        self.assertEqual(result.status, 2, f"{result}\nexpected exit status 2")
        self.assertEqual(result.out, "", result)
        lines = result.err.splitlines()
        self.assertEqual(len(lines), 2, f"{result}\nexpected two lines")
        command = arguments[0] if arguments and arguments[0] in COMMANDS else None
        self.assertTrue(lines[0].startswith(f"tally: {command}: " if command else "tally: "),
                        result)
        self.assertEqual(lines[1],
                         f"tally: for help: tally {command + ' ' if command else ''}--help")
        for word in words:
            self.assertIn(word, lines[0], f"{result}\nexpected the word {word!r}")
        self.assertEqual(os.listdir(self.folder), ["IN.npy"], result)

    def test_commands(self):
        self.misuse([], "command is missing")
        self.misuse("measure", "no command 'measure'")
        self.misuse("Reduce", "no command 'Reduce'")
        self.misuse([""], "no command ''")
        self.misuse("--frobnicate", "no option --frobnicate")
        self.misuse("version now", "'now'")
        self.misuse("help reduce scan", "'scan'")
        self.misuse("help measure", "no command 'measure'")

    def test_help_and_version(self):
        """As words and as options."""
        for command in COMMANDS:
            self.assertEqual(run(["help", command], self.folder).out,
                             run([command, "--help"], self.folder).out)
        self.assertEqual(run(["help"], self.folder).out, run(["--help"], self.folder).out)
        self.assertRegex(run(["version"], self.folder).out, r"^tally \d+\.\d+\.\d+ \(order version \d+\)\n$")
        self.assertEqual(run(["version"], self.folder).out, run(["--version"], self.folder).out)

    def test_mean(self):
        """It is another word for average."""
        for function in ("average", "mean"):
            run(["reduce", function, "IN.npy", f"{function}.npy", "--no-cache"], self.folder)
        np.testing.assert_array_equal(np.load(os.path.join(self.folder, "mean.npy")),
                                      np.load(os.path.join(self.folder, "average.npy")))
        for function in ("average", "mean"):
            os.remove(os.path.join(self.folder, f"{function}.npy"))

    def test_words_that_are_nearly_right(self):
        """The nearest right one is named, and none where none is near."""
        self.misuse("reduc", "did you mean reduce?")
        self.misuse("sacn", "did you mean scan?")
        self.misuse("diagnoal", "did you mean diagonal?")
        self.misuse("reduce summ IN.npy OUT.npy", "did you mean sum?", "choose from")
        self.misuse("reduce log_sumexp IN.npy OUT.npy", "did you mean log_sum_exp?")
        self.misuse("scan sum IN.npy OUT.npy --axis 0 --revers", "did you mean --reverse?")
        self.misuse("reduce sum IN.npy OUT.npy --axis 0", "did you mean --axes?")
        for words in ("measure", "x", "reduce frobnicate IN.npy OUT.npy",
                      "reduce sum IN.npy OUT.npy --frob"):
            self.assertNotIn("did you mean", run(words.split(), self.folder).err)

    def test_arguments(self):
        self.misuse("reduce", "FUNCTION is missing")
        self.misuse("reduce sum", "IN.npy is missing")
        self.misuse("reduce sum IN.npy", "OUT.npy is missing")
        self.misuse("diagonal OUT.npy more --begin 0 --end 0", "'more'")
        self.misuse(["reduce", "sum", "", "OUT.npy"], "IN.npy", "empty")
        self.misuse("scan sum IN.npy OUT.npy", "--axis K is missing")
        self.misuse("diagonal OUT.npy --shape 2,2 --type f32 --value 1 --end 0",
                    "--begin B is missing")
        self.misuse("diagonal OUT.npy --shape 2,2 --type f32 --value 1 --begin 0",
                    "--end E is missing")
        self.misuse("diagonal --begin 0 --end 0", "OUT.npy is missing")
        self.misuse("devices 0", "'0'")

    def test_options(self):
        self.misuse("reduce sum IN.npy OUT.npy --frob", "no option --frob")
        self.misuse("reduce sum IN.npy OUT.npy --frob=3", "no option --frob")
        self.misuse("reduce sum IN.npy OUT.npy -q", "no option -q")
        self.misuse("reduce sum IN.npy OUT.npy --ax 0", "no option --ax")
        self.misuse("reduce sum IN.npy OUT.npy --reverse", "no option --reverse")
        self.misuse("devices --explain", "no option --explain")
        self.misuse("reduce sum IN.npy OUT.npy --axes", "--axes needs a value")
        self.misuse("reduce sum IN.npy OUT.npy --squeeze=1", "--squeeze takes no value")
        self.misuse("reduce sum IN.npy OUT.npy --axes 0 --axes 1", "--axes is given twice")
        self.misuse("reduce sum IN.npy OUT.npy --quiet --quiet", "--quiet is given twice")

    def test_names(self):
        self.misuse("reduce median IN.npy OUT.npy", "'median'", *FUNCTIONS)
        self.misuse("reduce SUM IN.npy OUT.npy", "'SUM'")
        for function in FUNCTIONS + ["mean"]:
            if function not in ("sum", "multiply", "min", "max"):
                self.misuse(f"scan {function} IN.npy OUT.npy --axis 0", f"'{function}'",
                            "sum multiply min max")
        self.misuse("reduce argmax IN.npy OUT.npy --output-type int", "--output-type int", "f16",
                    "u64")
        self.misuse("reduce argmax IN.npy OUT.npy --tie second", "--tie second", "first nor last")
        self.misuse("reduce max IN.npy OUT.npy --nan drop", "--nan drop", "propagate nor ignore")
        for line in ("reduce sum IN.npy OUT.npy", "scan sum IN.npy OUT.npy --axis 0",
                     "diagonal OUT.npy --begin 0 --end 0", "bench reduce",
                     "verify --bits"):
            self.misuse(f"{line} --family any", "--family any", "auto generic gpu cpu")
            self.misuse(f"{line} --single-pass maybe", "--single-pass maybe", "auto", "on", "off")
        self.misuse("devices --family gpu", "no option --family")

    def test_lists(self):
        for text in ("x", "0,x", "0,,1", ",", "0,", ",0", "", "1.5", "0 1", "none,1", "0x"):
            self.misuse(["reduce", "sum", "IN.npy", "OUT.npy", "--axes", text], "--axes",
                        "not an integer")
        self.misuse("reduce sum IN.npy OUT.npy --axes 0,1,2,3,4,5,6,7,8", "more than 8")
        self.misuse("reduce sum IN.npy OUT.npy --axes 99999999999999999999", "9223372036854775807")
        fill = "--type f32 --value 1 --begin 0 --end 1"
        self.misuse(f"diagonal OUT.npy --shape 2,x {fill}", "--shape 2,x", "'x'")
        self.misuse(f"diagonal OUT.npy --shape 2,-3 {fill}", "-3", "below 0")
        self.misuse(f"diagonal OUT.npy --shape 2,18446744073709551616 {fill}",
                    "18446744073709551615")
        self.misuse(f"diagonal OUT.npy --shape 1,1,1,1,1,1,1,1,1 {fill}", "more than 8")

    def test_what_diagonal_needs(self):
        self.misuse("diagonal OUT.npy --begin 0 --end 0", "--input", "--shape")
        self.misuse("diagonal OUT.npy --shape 2,2 --begin 0 --end 0", "--type TYPE is missing")
        self.misuse("diagonal OUT.npy --shape 2,2 --type f32 --begin 0 --end 1",
                    "--value V is missing")
        self.misuse("diagonal OUT.npy --input IN.npy --shape 2,2 --begin 0 --end 0", "leave out")
        self.misuse("diagonal OUT.npy --input IN.npy --type f32 --begin 0 --end 0", "leave out")
        self.misuse("diagonal OUT.npy --shape 2,2 --type f32 --value 1 --begin x --end 1",
                    "--begin x")
        self.misuse("diagonal OUT.npy --shape 2,2 --type f32 --value 1 --begin 0 --end "
                    "9223372036854775808", "9223372036854775807")

    def test_values_beyond_their_type(self):
        def misuse(dtype, value, *words):
            self.misuse(["diagonal", "OUT.npy", "--shape", "1,1", "--type", dtype, "--value", value,
                         "--begin", "0", "--end", "1"], "--value", *words)

        for dtype in ("i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"):
            limits = np.iinfo({"i": "int", "u": "uint"}[dtype[0]] + dtype[1:])
            misuse(dtype, str(limits.max + 1), str(limits.max + 1), f"above {limits.max}", dtype)
            misuse(dtype, str(limits.min - 1), str(limits.min - 1), f"below {limits.min}", dtype)
            misuse(dtype, hex(limits.max + 1), f"above {limits.max}")
            misuse(dtype, "9" * 40, f"above {limits.max}")
            for text in ("1.5", "x", "1e3", "0x", "--1", "1 ", " 1", "inf", "nan", "0x1p3", "+"):
                misuse(dtype, text, "not an integer")
            misuse(dtype, "", "is empty")
        for dtype, limit, beyond in (("f16", "65504", "65520"),
                                     ("f32", "3.4028235e38", "3.4028236e38"),
                                     ("f64", "1.7976931348623157e308", "1.7976931348623159e308")):
            for text in (beyond, "-" + beyond, "1e999"):
                misuse(dtype, text, text, limit, dtype)
            for text in ("x", "1.5x", "1 ", " 1", "1,5", "0x", "--1"):
                misuse(dtype, text, "not a number")


class Help(OptionTest):
    def test_program(self):
        for option in ("--help", "-h"):
            result = self.tally(option)
            self.assertEqual(result.err, "")
            self.assertTrue(result.out.startswith("usage: tally COMMAND"), result)
            listed = re.findall(r"^  (\w+) ", result.out, re.MULTILINE)
            self.assertEqual(tuple(listed), COMMANDS)
        self.assertRegex(self.tally("--version").out,
                         r"^tally \d+\.\d+\.\d+ \(order version \d+\)\n$")

    def test_commands(self):
        expected = {
            "devices": ["json"],
            "reduce": ["axes", "output-type", "tie", "nan", "squeeze", "family", "single-pass",
                       "explain", "json", "memory"],
            "scan": ["axis", "reverse", "exclusive", "nan", "family", "single-pass", "explain", "json",
                     "memory"],
            "diagonal": ["input", "shape", "type", "value", "begin", "end", "family",
                         "single-pass", "explain", "json", "memory"],
            "run": ["family", "single-pass", "explain", "json"],
            "explain": ["type", "shape", "strides", "order", "output-strides", "output-order",
                        "axes", "output-type", "tie", "nan", "axis", "reverse", "exclusive",
                        "begin", "end", "with-input", "source", "json", "family", "single-pass"],
            "bench": ["log2", "samples", "only", "json", "seed", "count", "index", "part", "prepare",
                      "check", "family", "single-pass"],
            "verify": ["bits", "only", "every", "repeat", "parts", "each", "list", "family",
                       "single-pass"],
            "cache": [],
        }
        common = ["no-cache", "device", "time", "quiet"]
        for command in COMMANDS:
            for line in ([command, "--help"], [command, "-h"], [command, "--frob", "--help", "x"]):
                result = self.tally(*line)
                self.assertEqual(result.err, "")
                self.assertTrue(result.out.startswith(f"usage: tally {command} "), result)
                options = re.findall(r"^  --([a-z0-9-]+)", result.out, re.MULTILINE)
                self.assertEqual(sorted(options),
                                 sorted(expected[command] + ["cache-dir", "help"]
                                        + (common if command != "cache" else [])))
                self.assertLessEqual(max(map(len, result.out.splitlines()[1:])), 95)

    def test_standard_output_that_is_full(self):
        for line in (["--help"], ["devices"], ["reduce", "--help"]):
            with open("/dev/full", "w", encoding="ascii") as full:
                completed = subprocess.run([support.program, *line], stdout=full, check=False,
                                           stderr=subprocess.PIPE, timeout=support.TIMEOUT)
            self.assertEqual(completed.returncode, 1)
            self.assertEqual(completed.stderr.decode(),
                             "tally: standard output cannot be written: No space left on device\n")


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


class Devices(OptionTest):
    LABELS = ["vendor", "platform", "driver", "version", "type", "compute units", "global memory",
              "local memory", "largest buffer", "work-group limit", "fp64", "accepted",
              "guaranteed bits", "single-pass scans", "command buffers"]

    def names(self, result):
        return re.findall(r"^\d+: (.*)$", result.out, re.MULTILINE)

    def test_list(self):
        result = self.tally("devices")
        self.assertEqual(result.err, "")
        blocks = re.split(r"^\d+: .*\n", result.out, flags=re.MULTILINE)[1:]
        self.assertEqual(len(blocks), len(self.names(result)))
        for block in blocks:
            rows = [(line[4:22].strip(), line[22:]) for line in block.splitlines()]
            self.assertEqual([label for label, _ in rows], self.LABELS)
            self.assertNotIn("", [text for _, text in rows])
        self.assertIn("accepted          yes\n", result.out)
        self.assertIn("guaranteed bits   yes\n", result.out)
        self.assertRegex(result.out, r"command buffers   yes: version 0\.9\.\d\n")
        self.assertEqual(self.tally("devices", "--quiet").out, result.out)
        self.assertRegex(self.tally("devices", "--time").err, r"^wall \d+\.\d{3} ms\n$")

    def test_choosing(self):
        names = self.names(self.tally("devices"))
        for i, name in enumerate(names):
            for text in (str(i), name, name.upper(), name.lower()[1:-1]):
                line = ["reduce", "sum", "IN.npy", "OUT.npy", "--device", text]
                fitting = [n for n in names if text.lower() in n.lower()]
                if not text.isdigit() and len(fitting) > 1:
                    self.refuse(text, "several")
                    continue
                self.tally(*line)
                self.assertEqual(self.output(), self.array.sum())
                self.assertEqual(self.names(self.tally("devices", "--device", text)), [name])

    def refuse(self, text, *words, env=None):
        for line in (["reduce", "sum", "IN.npy", "OUT.npy"], ["devices"]):
            result = run([*line, "--device", text], self.folder, env)
            self.assertEqual(result.status, 1, result)
            self.assertEqual(result.out, "", result)
            self.assertEqual(result.err.count("\n"), 1, result)
            for word in ("tally: --device: ", text, *words):
                self.assertIn(word, result.err)
            self.assertEqual(os.listdir(self.folder), ["IN.npy"])

    def test_absent(self):
        names = self.names(self.tally("devices"))
        for text in (str(len(names)), "99999999999999999999", "no such device"):
            self.refuse(text, *(f"{i} {name}" for i, name in enumerate(names)))

    def test_ambiguous(self):
        """PoCL can be told to show its device several times; another driver shows what it shows."""
        env = {"POCL_DEVICES": "pthread pthread basic"}
        result = self.tally("devices", env=env)
        names = self.names(result)
        self.assertGreaterEqual(len(names), 3, "this test needs PoCL, as its packages give it")
        self.assertEqual(re.findall(r"^(\d+): ", result.out, re.MULTILINE),
                         [str(i) for i in range(len(names))])
        both = [i for i, name in enumerate(names) if "pthread" in name]
        self.refuse("PTHREAD", "several", *(f"{i} {names[i]}" for i in both), env=env)
        only = self.names(self.tally("devices", "--device", "basic", env=env))
        self.assertEqual(only, [name for name in names if "basic" in name])
        last = str(len(names) - 1)
        self.tally("reduce", "sum", "IN.npy", "OUT.npy", "--device", last, env=env)
        self.assertEqual(self.output(), self.array.sum())

    def test_none(self):
        env = {"OCL_ICD_VENDORS": self.path("no-vendors")}
        for line in (["devices"], ["reduce", "sum", "IN.npy", "OUT.npy"]):
            result = run(line, self.folder, env)
            self.assertEqual(result.status, 1, result)
            self.assertRegex(result.err,
                             r"^tally: there is no OpenCL device; install .*pocl-opencl-icd.*\n$")
            self.assertEqual(result.out, "")
            self.assertEqual(os.listdir(self.folder), ["IN.npy"])


TIMES = (r"^kernels \d+\.\d{3} ms, wall \d+\.\d{3} ms \(device \d+\.\d{3}, compile \d+\.\d{3}, "
         r"read \d+\.\d{3}, run \d+\.\d{3}, write \d+\.\d{3}\)$")


class Reports(OptionTest):
    LINES = (["reduce", "sum", "IN.npy", "OUT.npy"],
             ["scan", "sum", "IN.npy", "OUT.npy", "--axis", "0"],
             ["diagonal", "OUT.npy", "--input", "IN.npy", "--value", "1", "--begin", "0", "--end",
              "1"])

    def test_explain(self):
        for line in self.LINES:
            result = self.tally(*line, "--explain")
            self.assertEqual(result.out, "", result)
            self.assertRegex(result.err, r"^1: tally_\w+")
            self.assertTrue(result.err.endswith("\n"), result)
            self.output()

    def test_time(self):
        for line in self.LINES:
            result = self.tally(*line, "--time")
            self.assertEqual(result.out, "", result)
            self.assertRegex(result.err.rstrip("\n"), TIMES)
            kernels, wall = map(float, re.findall(r"(?:kernels|wall) (\S+) ms", result.err))
            self.assertLess(kernels, wall)
            self.output()

    def test_together(self):
        result = self.tally(*self.LINES[0], "--quiet", "--explain", "--time")
        lines = result.err.splitlines()
        self.assertRegex(lines[0], "^1: tally_")
        self.assertRegex(lines[-1], TIMES)

    def on_terminal(self, *options, delay):
        """What a terminal on stderr gets while a pipe takes the output after a delay."""
        os.mkfifo(self.path("pipe"))
        written = []

        def take():
            with open(self.path("pipe"), "rb") as pipe:
                time.sleep(delay)
                written.append(len(pipe.read()))

        reader = threading.Thread(target=take)
        reader.start()
        status, shown = seen_on_terminal(
            ["diagonal", "pipe", "--shape", "1000,1000", "--type", "f32", "--value", "1", "--begin", "0",
             "--end", "1", *options], self.folder)
        self.assertEqual(status, 0, shown)
        reader.join()
        os.remove(self.path("pipe"))
        self.assertGreater(written[0], 4_000_000)
        return shown.decode()

    def test_progress(self):
        shown = self.on_terminal(delay=2)
        self.assertRegex(shown, r"^\r(starting|compiling|computing|writing)[^\r\n]*\r")
        self.assertIn("\rwriting: ", shown)
        self.assertIn(" % of 4.0 MB", shown)
        self.assertRegex(shown, r"\r +\r$", "the line is not erased")
        self.assertNotIn("\n", shown)
        self.assertEqual(self.on_terminal("--quiet", delay=2), "")

    def test_no_progress_without_a_terminal(self):
        os.mkfifo(self.path("pipe"))
        with subprocess.Popen("exec < pipe; sleep 1; exec cat > /dev/null", shell=True,
                              cwd=self.folder):
            result = self.tally("diagonal", "pipe", "--shape", "1000,1000", "--type", "f32",
                                "--value",
                                "1", "--begin", "0", "--end", "1")
        self.assertEqual(result.err, "")


if __name__ == "__main__":
    main()
