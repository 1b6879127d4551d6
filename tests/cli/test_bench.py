"""tally bench reduce, scan and diagonal: the rows they show, and the JSON they write. No speed is judged.

Everything runs on 2^16 elements, which takes a moment for each row.
"""

import sys

sys.dont_write_bytecode = True  # keep the source tree as it is

import re

from support import main
from support.bench import EVERY, ROWS, BenchTest

NUMBERS = {"event_us", "event_best_us", "wall_us", "host_us"}
KINDS = {"reduce": ("copy", "read"), "scan": ("copy",), "diagonal": ("copy", "fill")}
EMPTY = {f"empty_{key}" for key in NUMBERS}


def rates(subject):
    keys = {"gbs", "copy_buffer_gbs", "copy_vector_gbs"}
    for kind in KINDS[subject]:
        keys |= {f"{kind}_gbs", f"of_{kind}"}
    return keys | ({"fill_buffer_gbs", "fill_vector_gbs"} if subject == "diagonal" else set())


class RowsTest(BenchTest):
    def check_numbers(self, row):
        is_small = row["name"].startswith("small-")
        keys = NUMBERS | (EMPTY if is_small else rates(self.subject))
        self.assertLessEqual(keys, set(row), row)
        for key in keys:
            self.assertGreater(row[key], 0, f"{key} of {row}")
        self.assertLessEqual(row["event_best_us"], row["event_us"])
        self.assertLessEqual(row["host_us"], row["wall_us"])
        self.assertRegex(row["checksum"], r"^[0-9a-f]{16}$")
        if is_small:
            return
        self.assertAlmostEqual(row["gbs"], row["bytes"] / row["event_us"] * 1e-3,
                               delta=row["gbs"] * 1e-4)
        for kind in ("copy", "read", "fill"):
            self.assertEqual(f"of_{kind}" in row, kind in KINDS[self.subject], row)
        for kind in KINDS[self.subject]:
            self.assertAlmostEqual(row[f"of_{kind}"], row["gbs"] / row[f"{kind}_gbs"],
                                   delta=row[f"of_{kind}"] * 1e-4)
            limits = [row[key] for key in row if re.match(f"{kind}_\\w+_gbs$", key)]
            self.assertAlmostEqual(row[f"{kind}_gbs"], max(limits), delta=max(limits) * 1e-4)

    def check_rows(self, rows, written, expected, columns):
        """The table and the JSON have these rows, and the numbers of those that ran are sound."""
        self.assertEqual([name for name, _, _ in rows], expected)
        self.assertEqual([row["name"] for row in written["rows"]], expected)
        for (name, shape, shown), row in zip(rows, written["rows"]):
            self.assertEqual(shape.split(" ")[0], "x".join(map(str, row["size"])), name)
            if "not_run" in row:
                self.assertNotIn("event_us", row)
                continue
            self.check_numbers(row)
            if not name.startswith("small-"):
                self.assertEqual(len(shown.split()), columns, name)
            self.assertTrue(shown.endswith(row["checksum"]), name)
        return {row["name"]: row for row in written["rows"]}

    def check_refusals(self, rows, words):
        """Nothing was refused but for these: name to words. Float64 may be."""
        for name, row in rows.items():
            if name in words:
                self.assertIn(words[name], row["not_run"])
            elif "not_run" in row:
                self.assertEqual(row["dtype"], "f64")
                self.assertIn("fp64", row["not_run"])


class Reduce(RowsTest):
    def test_only(self):
        expected = [name for name in EVERY["reduce"] if "rows" in name]
        self.check_rows(*self.small("--only", "rows"), expected, 8)

    def test_every_layout(self):
        expected = [name for name in EVERY["reduce"] if name.endswith(" sum f32")]
        rows = self.check_rows(*self.small("--only", " sum f32"), expected, 8)
        self.check_refusals(rows, {"axes-0-2 sum f32": "needs --log2 20"})
        by_name = {row["layout"]: row for row in rows.values()}
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
        expected = [name for name in EVERY["reduce"] if name.startswith("1-D ")]
        rows = self.check_rows(*self.small("--only", "1-D "), expected, 8)
        self.check_refusals(rows, {})
        self.assertEqual(rows["1-D sum f32"]["size"], [65536])
        self.assertEqual(rows["1-D sum i64"]["size"], [32768])

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


class Scan(RowsTest):
    subject = "scan"

    def test_all(self):
        rows = self.check_rows(*self.small(), EVERY["scan"], 6)
        # Of wide types there are half as many elements.
        self.check_refusals(rows, {f"middle sum {name}": "needs --log2 17"
                                   for name in ("f64", "i64")})
        checksum = {name: row.get("checksum") for name, row in rows.items()}
        for layout in ROWS:
            forward = f"{layout} sum f32"
            self.assertEqual(checksum[f"{forward} in-place"], checksum[forward])
            for way in ("exclusive", "reverse"):
                self.assertNotEqual(checksum[f"{forward} {way}"], checksum[forward])
        self.assertEqual(checksum["1-D sum f32"], checksum["small-64Ki sum f32"])
        self.assertNotEqual(checksum["offset-rows sum f32"], checksum["rows sum f32"])
        # A scan writes as much as it reads.
        self.assertEqual(rows["rows-15 sum f32"]["bytes"], 2 * 4369 * 15 * 4)
        self.assertEqual(rows["1-D sum f16"]["bytes"], 2 * 65536 * 2)
        self.assertEqual(rows["odd-columns sum f32"]["axes_mask"], 1)
        for key, way in (("exclusive", "exclusive"), ("reverse", "reverse"),
                         ("in_place", "in-place")):
            for name, row in rows.items():
                self.assertIs(row[key], name.endswith(f" {way}"), name)


class Diagonal(RowsTest):
    subject = "diagonal"

    def test_all(self):
        rows = self.check_rows(*self.small(), EVERY["diagonal"], 8)
        self.check_refusals(rows, {})
        lower = rows["matrix lower f32"]
        self.assertEqual((lower["size"], lower["begin"], lower["end"], lower["input"]),
                         ([256, 256], 1, 256, True))
        # What the fill overwrites is not read.
        self.assertEqual(lower["bytes"], (256 * 256 + 256 * 257 // 2) * 4)
        identity = rows["matrix identity f32"]
        self.assertEqual((identity["begin"], identity["end"], identity["input"]), (0, 1, False))
        self.assertEqual(identity["bytes"], 256 * 256 * 4)
        band = rows["matrix inverted-band f32"]
        inside = sum(-64 <= x - y < 64 for y in range(256) for x in range(256))
        self.assertEqual((band["begin"], band["end"]), (64, -64))
        self.assertEqual(band["bytes"], (256 * 256 + inside) * 4)
        # One matrix of 256 x 256 is the batch of so few elements.
        self.assertEqual(rows["batches-256 lower f32"]["size"], [1, 256, 256])
        self.assertEqual(rows["batches-256 lower f32"]["checksum"], lower["checksum"])


if __name__ == "__main__":
    main()
