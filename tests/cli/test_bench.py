"""tally bench reduce: the rows it shows, the JSON it writes, what it refuses. No speed is judged.

Everything runs on 2^16 elements, which takes a moment for each row.
"""

import sys

sys.dont_write_bytecode = True  # keep the source tree as it is

import json
import os
import re
import tempfile

from support import TestCase, main, run

REGULAR = ("1-D", "rows", "columns", "middle", "rows-16", "middle-16x16", "columns-64",
           "long-rows", "axes-0-2", "columns-4")
AWKWARD = ("odd-matrix", "rows-15", "rows-100", "rows-1000", "inner-3", "offset-rows",
           "transposed")
SMALL = ("small-1", "small-1Ki", "small-64Ki")
OPERATORS = ("sum f32", "max f32", "argmax f32", "l2 f32", "average f32", "log_sum_exp f32",
             "sum f16", "sum f64", "sum i64", "max i8")

EVERY = [f"{layout} {operator}" for layout in REGULAR for operator in OPERATORS]
EVERY += [f"{layout} sum f32" for layout in AWKWARD + SMALL]

NUMBERS = {"event_us", "event_best_us", "wall_us", "host_us"}
RATES = {"gbs", "copy_gbs", "read_gbs", "of_copy", "of_read", "copy_buffer_gbs",
         "copy_vector_gbs"}
EMPTY = {f"empty_{key}" for key in NUMBERS}


class BenchTest(TestCase):
    def setUp(self):
        self.holder = tempfile.TemporaryDirectory()
        self.addCleanup(self.holder.cleanup)
        self.folder = self.holder.name

    def bench(self, *arguments):
        """The table's rows, name to the columns behind it, and the JSON."""
        result = run(("bench", "reduce", *arguments, "--json", "OUT.json"), self.folder)
        self.assertEqual((result.status, result.err), (0, ""), result)
        rows = re.findall(r"^(\S+ \w+ [fi]\d+) +([0-9x]+ \{[0-9,]+\}) (.*)$", result.out,
                          re.MULTILINE)
        with open(os.path.join(self.folder, "OUT.json"), encoding="utf-8") as file:
            return rows, json.load(file)

    def small(self, *arguments):
        return self.bench("--log2", "16", "--samples", "3", *arguments)

    def check_numbers(self, row):
        is_small = row["name"].startswith("small-")
        keys = NUMBERS | (EMPTY if is_small else RATES)
        self.assertLessEqual(keys, set(row), row)
        for key in keys:
            self.assertGreater(row[key], 0, f"{key} of {row}")
        self.assertLessEqual(row["event_best_us"], row["event_us"])
        self.assertLessEqual(row["host_us"], row["wall_us"])
        self.assertRegex(row["checksum"], r"^[0-9a-f]{16}$")
        if not is_small:
            self.assertAlmostEqual(row["gbs"], row["bytes"] / row["event_us"] * 1e-3,
                                   delta=row["gbs"] * 1e-4)
            self.assertAlmostEqual(row["of_copy"], row["gbs"] / row["copy_gbs"],
                                   delta=row["of_copy"] * 1e-4)
            copies = [row[key] for key in row if re.match(r"copy_\w+_gbs$", key)]
            self.assertAlmostEqual(row["copy_gbs"], max(copies), delta=max(copies) * 1e-4)


class Rows(BenchTest):
    def test_only(self):
        rows, written = self.small("--only", "rows")
        expected = [name for name in EVERY if "rows" in name]
        self.assertEqual([name for name, _, _ in rows], expected)
        self.assertEqual([row["name"] for row in written["rows"]], expected)
        for (name, shape, columns), row in zip(rows, written["rows"]):
            self.check_numbers(row)
            self.assertEqual(shape.split(" ")[0], "x".join(map(str, row["size"])), name)
            self.assertEqual(len(columns.split()), 8, name)
            self.assertTrue(columns.endswith(row["checksum"]), name)

    def test_every_layout(self):
        rows, written = self.small("--only", " sum f32")
        expected = [name for name in EVERY if name.endswith(" sum f32")]
        self.assertEqual([name for name, _, _ in rows], expected)
        by_name = {row["layout"]: row for row in written["rows"]}
        for layout, row in by_name.items():
            if layout == "axes-0-2":
                self.assertIn("needs --log2 20", row["not_run"])
                self.assertNotIn("event_us", row)
            else:
                self.check_numbers(row)
        # The same elements in the same order, seen in two ways.
        self.assertEqual(by_name["transposed"]["checksum"], by_name["columns"]["checksum"])
        self.assertEqual(by_name["1-D"]["checksum"], by_name["small-64Ki"]["checksum"])
        self.assertNotEqual(by_name["offset-rows"]["checksum"], by_name["rows"]["checksum"])
        self.assertEqual(by_name["offset-rows"]["offset_bytes"], 4)
        self.assertEqual(by_name["transposed"]["stride"], [1, 256])
        self.assertNotIn("stride", by_name["rows"])
        self.assertEqual(by_name["odd-matrix"]["size"], [253, 255])
        self.assertEqual(by_name["inner-3"]["bytes"], (64 * 256 * 3 + 64 * 3) * 4)

    def test_every_operator(self):
        rows, written = self.small("--only", "1-D ")
        self.assertEqual([name for name, _, _ in rows], [n for n in EVERY if n.startswith("1-D ")])
        for row in written["rows"]:
            if "not_run" in row:  # only for a device without doubles
                self.assertEqual(row["dtype"], "f64")
                self.assertIn("fp64", row["not_run"])
            else:
                self.check_numbers(row)
        wide = {row["name"]: row["size"] for row in written["rows"]}
        self.assertEqual(wide["1-D sum f32"], [65536])
        self.assertEqual(wide["1-D sum i64"], [32768])

    def test_head(self):
        rows, written = self.small("--only", "small-1 ")
        self.assertEqual(len(rows), 1)
        self.assertEqual((written["benchmark"], written["log2"], written["samples"]),
                         ("reduce", 16, 3))
        for key in ("device", "driver", "opencl"):
            self.assertNotEqual(written[key], "")
        self.assertRegex(written["tally"], r"^\d+\.\d+\.\d+$")
        self.assertRegex(written["date"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
        self.assertIsInstance(written["order_version"], int)

    def test_repeats(self):
        """Two processes see the same values."""
        sums = [[row["checksum"] for row in self.small("--only", "1-D sum")[1]["rows"]
                 if "checksum" in row] for _ in range(2)]
        self.assertEqual(sums[0], sums[1])
        self.assertEqual(len(set(sums[0])), len(sums[0]))

    def test_too_large(self):
        rows, written = self.bench("--log2", "40", "--samples", "1", "--only", "1-D sum f32")
        self.assertEqual(len(rows), 1)
        self.assertRegex(rows[0][2], r"not run: the input has 4398046511104 bytes, but the device "
                                     r"allocates \d+ at most at once$")
        self.assertIn("4398046511104", written["rows"][0]["not_run"])


class Usage(BenchTest):
    def refuse(self, status, arguments, *words):
        result = run(("bench", *arguments), self.folder)
        lines = result.err.splitlines()
        self.assertEqual((result.status, result.out), (status, ""), result)
        self.assertEqual(len(lines), 1 if status == 1 else 2, result)  # misuse: how to get help
        for word in words:
            self.assertIn(word, lines[0], result)
        self.assertEqual(os.listdir(self.folder), [])

    def test_misuse(self):
        self.refuse(2, [], "WHAT is missing")
        self.refuse(2, ["scan"], "'scan'", "there is: reduce")
        self.refuse(2, ["reduce", "--only", "zzz", "--json", "OUT.json"], "--only zzz",
                    "no row's name")
        self.refuse(2, ["reduce", "--log2", "15"], "--log2 15", "16")
        self.refuse(2, ["reduce", "--log2", "41"], "--log2 41", "40")
        self.refuse(2, ["reduce", "--samples", "0"], "--samples 0", "1")
        self.refuse(2, ["reduce", "--samples", "-3"], "--samples -3", "1")
        self.refuse(2, ["reduce", "--samples", "many"], "--samples many")

    def test_failures(self):
        self.refuse(1, ["reduce", "--only", "small-1 ", "--json", "none/OUT.json"],
                    "none/OUT.json", "No such file")
        self.refuse(1, ["reduce", "--device", "no such device", "--json", "OUT.json"],
                    "no such device")

    def test_help(self):
        result = run(("bench", "--help"), self.folder)
        self.assertEqual((result.status, result.err), (0, ""), result)
        for word in ("reduce", "--log2 K", "--samples N", "--only PATTERN", "--json FILE"):
            self.assertIn(word, result.out)


if __name__ == "__main__":
    main()
