"""tally bench layouts: random problems, their lines, their JSON and their parts. No speed is judged.

What a seed means is tests/layouts' to hold.
"""

import sys

sys.dont_write_bytecode = True  # keep the source tree as it is

import json
import os
import re
import statistics

from support import NO_CACHE, main, run
from support.bench import BenchTest


class Layouts(BenchTest):
    subject = "layouts"
    LINE = re.compile(r"^ *(\d+) +([0-9.]+) +([0-9.]+) +([0-9.]+)  (\w+ .*) \[([a-z0-9_ ]+)\]$",
                      re.MULTILINE)

    def layouts(self, *arguments):
        """Lines of problems, all of stdout, and the JSON."""
        result = run(("bench", "layouts", "--samples", "1", *arguments, NO_CACHE, "--json",
                      "OUT.json"), self.folder)
        self.assertEqual((result.status, result.err), (0, ""), result)
        with open(os.path.join(self.folder, "OUT.json"), encoding="utf-8") as file:
            return self.LINE.findall(result.out), result.out, json.load(file)

    def check_tensor(self, tensor):
        self.assertEqual(len(tensor["size"]), len(tensor["stride"]))
        last = sum((n - 1) * step for n, step in zip(tensor["size"], tensor["stride"]))
        self.assertEqual(tensor["reach"], tensor["offset"] + last + 1)

    def check_row(self, row, line):
        index, share, gbs, us, description, schedules = line
        self.assertEqual((row["index"], row["description"], row["schedules"]),
                         (int(index), description, schedules))
        self.assertEqual(row["name"], f"{row['index']}@{row['log2']}")
        self.assertTrue(description.startswith(" ".join(filter(None, (row["operator"],
                                                                      row["function"])))))
        for shown, value in ((share, row["of_copy"]), (gbs, row["gbs"]), (us, row["us"])):
            self.assertAlmostEqual(float(shown), value, delta=0.06 + value * 1e-3)
        self.assertAlmostEqual(row["of_copy"], row["copy_us"] / row["us"],
                               delta=row["of_copy"] * 1e-4)
        self.assertAlmostEqual(row["gbs"], row["bytes"] / row["us"] * 1e-3,
                               delta=row["gbs"] * 1e-4)
        self.assertEqual(row["bytes"] % 32, 0)
        self.assertEqual(row["repeats"] & (row["repeats"] - 1), 0)
        self.assertIn(row["copy"], ("copy_buffer", "copy_vector", "copy_stream", "copy_single"))
        self.assertTrue(row["plan"].startswith("1: "))
        self.assertEqual(len(row["plan"].splitlines()), len(schedules.split(" ")))
        self.check_tensor(row["output"])
        if "input" in row:
            self.check_tensor(row["input"])

    def test_rows(self):
        lines, out, written = self.layouts("--log2", "12,14", "--count", "4")
        self.assertEqual((written["benchmark"], written["seed"], written["count"], written["log2"],
                          written["samples"], written["only"]),
                         ("layouts", 1, 4, [12, 14], 1, None))
        rows = written["rows"]
        self.assertEqual([row["name"] for row in rows],
                         [f"{i}@{log2}" for log2 in (12, 14) for i in range(4)])
        for row, line in zip(rows, lines, strict=True):
            self.check_row(row, line)
        self.assertEqual(rows[4]["description"], "reduce sum f16 [1721,4]/{0} pitch of 0 +1 at 5")
        self.assertEqual(rows[4]["input"], {"dtype": "f16", "size": [1721, 4], "stride": [5, 1],
                                            "offset": 5, "reach": 8609})
        self.assertEqual((rows[4]["axes"], rows[4]["output"]["size"]), ([0], [1, 4]))
        for log2, sums in zip((12, 14), written["statistics"], strict=True):
            shares = [row["of_copy"] for row in rows if row["log2"] == log2]
            self.assertEqual(sums["log2"], log2)
            self.assertEqual((sums["all"]["count"], sums["reductions"]["count"],
                              sums["scans"]["count"], sums["fills"]["count"]), (4, 3, 1, 0))
            self.assertAlmostEqual(sums["all"]["geometric_mean"],
                                   statistics.geometric_mean(shares), delta=1e-4)
            self.assertAlmostEqual(sums["all"]["median"], statistics.median(shares), delta=1e-4)
            self.assertAlmostEqual(sums["all"]["worst"], min(shares), delta=1e-4)
            self.assertIn(f"the worst of 2^{log2} bytes\n", out)

    def test_parts(self):
        """The parts, and single problems, are those of the whole."""
        only = ("--only", "diagonal", "--log2", "12", "--seed", "3")
        whole = [line[4] for line in self.layouts(*only, "--count", "5")[0]]
        self.assertEqual(len(whole), 5)
        for text in whole:
            self.assertTrue(text.startswith("diagonal "), text)
        part = self.layouts(*only, "--count", "5", "--part", "2/2")[2]
        self.assertEqual([row["description"] for row in part["rows"]], whole[1::2])
        self.assertEqual((part["only"], part["part"]), ("diagonal", [1, 2]))
        one = self.layouts(*only, "--index", "4")[2]["rows"]
        self.assertEqual([(row["index"], row["description"]) for row in one], [(4, whole[4])])

    def test_nothing_to_move(self):
        """A fill that covers nothing in place is not run, and says so."""
        lines, out, written = self.layouts("--only", "diagonal", "--log2", "12", "--index", "232")
        self.assertEqual(lines, [])
        row, = written["rows"]
        self.assertEqual(row["not_run"], "it reads nothing and writes nothing")
        self.assertNotIn("us", row)
        self.assertEqual(written["statistics"][0]["all"], {"count": 0})
        self.assertRegex(out, r"(?m)^ *232 not run: it reads nothing and writes nothing: diag")
        self.assertRegex(out, r"(?m)^not run +1$")

    def test_too_large(self):
        lines, _, written = self.layouts("--log2", "40", "--index", "0")
        self.assertEqual(lines, [])
        self.assertRegex(written["rows"][0]["not_run"],
                         r"^the input reaches over \d+ bytes, but the device allocates \d+ at most")

    def test_prepare(self):
        """What one run prepares the next one finds in the cache."""
        arguments = ("bench", "layouts", "--prepare", "--log2", "12", "--count", "2", "--cache-dir",
                     os.path.join(self.folder, "cache"))
        told = [run(arguments, self.folder).out for _ in range(2)]
        self.assertRegex(told[0], r"^2 problems prepared, 0 not run; [1-9]\d* programs compiled, 0 ")
        self.assertRegex(told[1], r"^2 problems prepared, 0 not run; 0 programs compiled, [1-9]")

    def test_check(self):
        result = run(("bench", "layouts", "--check", "--log2", "12", "--count", "3", "--family",
                      "gpu", NO_CACHE), self.folder)
        self.assertEqual((result.status, result.err), (0, ""), result)
        lines = result.out.splitlines()
        self.assertEqual(len(lines), 4)
        for i, line in enumerate(lines[:3]):
            self.assertRegex(line, rf"^ *{i} same  reduce ")
        self.assertEqual(lines[3], "3 problems have the bytes of the generic kernels, 0 not run")


if __name__ == "__main__":
    main()
