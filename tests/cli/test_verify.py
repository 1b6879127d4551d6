"""tally verify --bits: the text, its parts, and what is refused. That the hashes are right is the
business of the verify ring."""

import sys

sys.dont_write_bytecode = True  # keep the source tree as it is

import re
import tempfile

import support
from support import TestCase, main

GROUP = r"[fiu]\d+ +[a-z0-9_]+ +\d+  [0-9a-f]{16}"


def run(arguments, env=None):
    with tempfile.TemporaryDirectory() as folder:
        return support.run(arguments, folder, env)


class Verify(TestCase):
    def verify(self, *options):
        result = run(["verify", "--bits", *options, support.NO_CACHE])
        self.assertEqual(result.status, 0, result)
        return result

    def refuse(self, status, options, *words):
        result = run(["verify", *options])
        self.assertEqual(result.status, status, result)
        self.assertEqual(result.out, "", result)
        for word in words:
            self.assertIn(word, result.err, result)

    def test_text(self):
        result = self.verify("--only", "u8 m", "--every", "37")
        lines = result.out.splitlines()
        self.assertRegex(lines[0], r"^set 1, order version \d+, (\d+) of (\d+) problems$")
        chosen, every = map(int, re.findall(r"(\d+) of (\d+)", lines[0])[0])
        self.assertGreaterEqual(every, 10000)
        self.assertEqual([line.split()[:2] for line in lines[1:]],
                         [["u8", "max"], ["u8", "min"], ["u8", "total"], ["all", "total"]])
        for line in lines[1:4]:
            self.assertRegex(line, f"^{GROUP}$")
        self.assertEqual([int(line.split()[2]) for line in lines[3:]], [chosen, chosen])

    def test_device_is_told_apart(self):
        """The text is the same with and without --quiet, --time and another family."""
        told = self.verify("--only", "f32 sum", "--every", "37", "--family", "cpu", "--time")
        quiet = self.verify("--only", "f32 sum", "--every", "37", "--family", "gpu", "--quiet")
        self.assertEqual(told.out, quiet.out)
        self.assertEqual(quiet.err, "")
        self.assertRegex(told.err, r"^[^\n]+, driver [^\n]+\n\d+ programs, wall \d+\.\d{3} ms\n$")

    def test_runs(self):
        """Several runs print what one does."""
        options = ("--only", "i32 scan_sum", "--every", "11", "--quiet")
        self.assertEqual(self.verify(*options, "--repeat", "3").out, self.verify(*options).out)

    def test_problems(self):
        """Their lines stand before their group's; a list has no hashes and asks no device."""
        each = self.verify("--only", "i16 argmax", "--every", "31", "--each").out.splitlines()
        problems = [line for line in each if line.startswith("  ")]
        self.assertEqual(len(problems), int(each[-1].split()[2]))
        self.assertEqual(each[1:1 + len(problems)], problems)
        for line in problems:
            self.assertRegex(line, r"^  i16 argmax [0-9x]* \{\d*\}.*  [0-9a-f]{16}$")
        listed = run(["verify", "--bits", "--list", "--only", "i16 argmax", "--every", "31"],
                     env={"OCL_ICD_VENDORS": "/nonexistent"})
        self.assertEqual(listed.status, 0, listed)
        self.assertEqual([line for line in listed.out.splitlines() if line.startswith("  ")],
                         [line[:-18] for line in problems])

    def test_kinds(self):
        """Reductions, scans and fills, each with totals of their own."""
        listed = run(["verify", "--bits", "--list"]).out.splitlines()
        lines = [line.split()[:2] for line in listed if not line.startswith("  ")][1:]
        names = {name for _, name in lines}
        self.assertLessEqual({"sum", "total", "scan_sum", "scan_multiply", "scan_min", "scan_max",
                              "scan_total", "fill_input", "fill_zeros", "fill_total"}, names)
        for kind in ("total", "scan_total", "fill_total"):
            self.assertEqual(sum(line[1] == kind for line in lines), 11 + (kind == "total"), kind)
        fills = self.verify("--only", "f64 fill_input", "--every", "7", "--each").out
        self.assertRegex(fills, r"(?m)^  f64 fill_input [0-9x]+ \{-?\d+,-?\d+\}.*  [0-9a-f]{16}$")
        scans = self.verify("--only", "u16 scan_max", "--every", "7", "--each").out
        for word in ("descending", "exclusive", "in-place"):
            self.assertRegex(scans, f"(?m)^  u16 scan_max .*{word}")

    def test_problems_have_names_of_their_own(self):
        lines = run(["verify", "--bits", "--list"]).out.splitlines()
        names = [line for line in lines if line.startswith("  ")]
        self.assertGreaterEqual(len(names), 10000)
        self.assertEqual(len(set(names)), len(names))

    def test_refusals(self):
        self.refuse(2, [], "--bits is missing")
        self.refuse(2, ["--bits", "--only", "f32 mean"], "--only f32 mean", "no group's name")
        self.refuse(2, ["--bits", "--every", "0"], "--every 0", "below 1")
        self.refuse(2, ["--bits", "--repeat", "0"], "--repeat 0", "below 1", "runs")
        self.refuse(2, ["--bits", "--parts", "17"], "--parts 17", "16")
        self.refuse(2, ["--bits", "--every", "x"], "--every x", "not an integer")
        self.refuse(2, ["--bits", "f32"], "'f32'")
        self.refuse(1, ["--bits", "--device", "no such device"], "no such device")


if __name__ == "__main__":
    main()
