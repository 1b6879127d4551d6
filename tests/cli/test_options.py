"""tally's command line: how each mistake is answered, and what help says.

A wrong command line costs exit status 2 and two lines on stderr: what is wrong, and how to get
help.
"""

import sys

sys.dont_write_bytecode = True  # keep the source tree as it is

import os
import re
import subprocess

import numpy as np

import support
from support import main, run
from support.options import OptionTest

COMMANDS = ("devices", "reduce", "scan", "diagonal", "run", "explain", "bench", "verify", "cache")
FUNCTIONS = ("argmax argmin average l1 l2 log_sum log_sum_exp max min multiply sum "
             "sum_square").split()


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


if __name__ == "__main__":
    main()
