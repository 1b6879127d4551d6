"""tally bench: the rows it shows, the JSON it writes, what it refuses. No speed is judged.

Everything runs on 2^16 elements, which takes a moment for each row.
"""

import sys

sys.dont_write_bytecode = True  # keep the source tree as it is

import json
import os
import re
import statistics
import tempfile

from support import NO_CACHE, TestCase, main, run, share_has

ROWS = ("1-D", "rows", "rows-16", "long-rows")
ONE_AXIS = ROWS + ("columns", "middle", "middle-16x16", "columns-64", "columns-4")
AWKWARD = ("rows-15", "rows-100", "rows-1000", "inner-3", "offset-rows", "transposed")
SMALL = ("small-1", "small-1Ki", "small-64Ki")
REDUCTIONS = ("sum f32", "max f32", "argmax f32", "l2 f32", "average f32", "log_sum_exp f32",
              "sum f16", "sum f64", "sum i64", "max i8")
SCANS = ("sum f32", "multiply f32", "sum f16", "sum f64", "sum i32", "sum i64")
WAYS = ("sum f32 exclusive", "sum f32 reverse", "sum f32 in-place")


def product(layouts, operators=("sum f32",)):
    return [f"{layout} {operator}" for layout in layouts for operator in operators]


EVERY = {
    "reduce": product(ONE_AXIS + ("axes-0-2",), REDUCTIONS)
              + product(("odd-matrix",) + AWKWARD + SMALL),
    "scan": product(ONE_AXIS, SCANS) + product(ROWS, WAYS)
            + product(("odd-rows", "odd-columns") + AWKWARD + SMALL),
    "diagonal": product(("matrix",), ("lower f32", "identity f32", "inverted-band f32"))
                + product(("batches-256",), ("lower f32",)),
}

NUMBERS = {"event_us", "event_best_us", "wall_us", "host_us"}
KINDS = {"reduce": ("copy", "read"), "scan": ("copy",), "diagonal": ("copy", "fill")}
EMPTY = {f"empty_{key}" for key in NUMBERS}


def rates(subject):
    keys = {"gbs", "copy_buffer_gbs", "copy_vector_gbs"}
    for kind in KINDS[subject]:
        keys |= {f"{kind}_gbs", f"of_{kind}"}
    return keys | ({"fill_buffer_gbs", "fill_vector_gbs"} if subject == "diagonal" else set())


class BenchTest(TestCase):
    def setUp(self):
        self.holder = tempfile.TemporaryDirectory()
        self.addCleanup(self.holder.cleanup)
        self.folder = self.holder.name

    subject = "reduce"

    def bench(self, *arguments):
        """The table's rows, name to the columns behind it, and the JSON."""
        result = run(("bench", self.subject, *arguments, NO_CACHE, "--json", "OUT.json"),
                     self.folder)
        self.assertEqual((result.status, result.err), (0, ""), result)
        rows = re.findall(r"^(\S+ \S+ [fi]\d+(?: [a-z-]+)?) +([0-9x]+ \{[0-9,-]+\}) (.*)$",
                          result.out, re.MULTILINE)
        with open(os.path.join(self.folder, "OUT.json"), encoding="utf-8") as file:
            return rows, json.load(file)

    def small(self, *arguments):
        return self.bench("--log2", "16", "--samples", "3", *arguments)

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


class Reduce(BenchTest):
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


class Scan(BenchTest):
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


class Diagonal(BenchTest):
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


class Layouts(BenchTest):
    """Random problems. What a seed means is tests/layouts' to hold."""

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
        self.refuse(2, ["copy"], "'copy'", "there are: reduce scan diagonal start layouts calls")
        self.refuse(2, ["scan", "--only", "max"], "--only max", "no row's name", "'1-D sum f32'")
        self.refuse(2, ["reduce", "--only", "zzz", "--json", "OUT.json"], "--only zzz",
                    "no row's name")
        self.refuse(2, ["reduce", "--log2", "15"], "--log2 15", "16")
        self.refuse(2, ["reduce", "--log2", "41"], "--log2 41", "40")
        self.refuse(2, ["reduce", "--samples", "0"], "--samples 0", "1")
        self.refuse(2, ["reduce", "--samples", "-3"], "--samples -3", "1")
        self.refuse(2, ["reduce", "--samples", "many"], "--samples many")
        self.refuse(2, ["reduce", "--log2", "20,21"], "--log2 20,21", "one size")
        for option in (["--seed", "1"], ["--count", "1"], ["--index", "1"], ["--part", "1/1"],
                       ["--prepare"], ["--check"]):
            self.refuse(2, ["scan", *option], f"{option[0]} is for layouts, not for scan")

    def test_layouts_misuse(self):
        def refuse(*arguments, words):
            self.refuse(2, ["layouts", *arguments], *words)
        refuse("--log2", "11", words=("--log2 11", "layouts takes 12 to 40"))
        refuse("--log2", "20,41", words=("--log2 20,41", "40"))
        refuse("--log2", "20,", words=("--log2 20,", "not an integer"))
        refuse("--log2", ",".join(["12"] * 17), words=("more than 16",))
        refuse("--seed", "-1", words=("--seed -1", "below 0"))
        refuse("--seed", "18446744073709551616", words=("18446744073709551615",))
        refuse("--count", "0", words=("--count 0", "below 1"))
        refuse("--count", "1000001", words=("1000000",))
        refuse("--part", "0/2", words=("--part 0/2", "below 1"))
        refuse("--part", "3/2", words=("--part 3/2", "above 2"))
        refuse("--part", "2", words=("--part 2", "as 2/8"))
        refuse("--only", "sum", words=("--only sum", "reduce scan diagonal"))
        refuse("--index", "3", "--count", "4", words=("--index 3", "--count"))
        refuse("--check", "--json", "OUT.json", words=("--json OUT.json", "--check"))
        refuse("--prepare", "--json", "OUT.json", words=("--json OUT.json", "--prepare"))

    def test_failures(self):
        self.refuse(1, ["reduce", "--only", "small-1 ", "--json", "none/OUT.json"],
                    "none/OUT.json", "No such file")
        self.refuse(1, ["reduce", "--device", "no such device", "--json", "OUT.json"],
                    "no such device")

    def test_start_of_nothing(self):
        """Empty kernels are not Tally's: its cache has none of them."""
        if not share_has(1):  # it compiles the programs of many operators
            return
        result = run(("bench", "start", "--only", "empty kernel", "--samples", "1", "--json",
                      "OUT.json"), self.folder)
        self.assertEqual((result.status, result.err), (0, ""), result)
        with open(os.path.join(self.folder, "OUT.json"), encoding="utf-8") as file:
            one, many = json.load(file)["rows"]
        os.remove(os.path.join(self.folder, "OUT.json"))
        self.assertEqual((one["programs"], one["loaded"], many["loaded"]), (1, 0, 0))
        self.assertGreater(many["programs"], 1)
        self.assertGreater(many["cold_ms"], one["cold_ms"])

    def test_start(self):
        """One row, one process for each way; that cold takes longer than warm is the only speed
        that is judged."""
        result = run(("bench", "start", "--only", "reduce sum, col", "--samples", "1", "--json",
                      "OUT.json"), self.folder)
        self.assertEqual((result.status, result.err), (0, ""), result)
        self.assertRegex(result.out, r"(?m)^reduce sum, columns +1( +[0-9.]+){7}$")
        with open(os.path.join(self.folder, "OUT.json"), encoding="utf-8") as file:
            found = json.load(file)
        self.assertEqual((found["benchmark"], found["samples"]), ("start", 1))
        os.remove(os.path.join(self.folder, "OUT.json"))
        row, = found["rows"]
        self.assertEqual((row["name"], row["programs"], row["loaded"]),
                         ("reduce sum, columns", 1, 1))
        for mode in ("cold", "filling", "warm", "again"):
            self.assertLess(row[f"{mode}_ms"], row[f"{mode}_whole_ms"])
        self.assertLess(row["warm_ms"], row["cold_ms"])
        self.assertLess(row["again_ms"], row["cold_ms"])
        self.refuse(2, ["start", "--only", "zzz"], "--only zzz", "'reduce sum'")
        self.refuse(2, ["start", "--log2", "20"], "--log2 20")
        self.refuse(2, ["start", "--samples", "1001"], "--samples 1001", "1000")
        self.refuse(2, ["start", "--child", "zzz"], "--child zzz")
        self.refuse(1, ["start", "--device", "no such device"], "no such device")

    def test_calls(self):
        """Every call has a time; a call that makes no OpenCL call takes less than one that does."""
        result = run(("bench", "calls", "--samples", "9", "--json", "OUT.json", NO_CACHE),
                     self.folder)
        self.assertEqual((result.status, result.err), (0, ""), result)
        with open(os.path.join(self.folder, "OUT.json"), encoding="utf-8") as file:
            found = json.load(file)
        os.remove(os.path.join(self.folder, "OUT.json"))
        self.assertEqual((found["benchmark"], found["samples"]), ("calls", 9))
        rows = {row["name"]: row for row in found["rows"]}
        self.assertEqual(list(rows), ["check", "estimate", "create sum", "create scan",
                                      "create fill", "enqueue", "enqueue out of order",
                                      "bare enqueue"])
        for name, row in rows.items():
            self.assertRegex(result.out, rf"(?m)^{name} +[0-9.]+ +[0-9.]+$")
            self.assertLessEqual(row["median_us"], row["p90_us"])
            self.assertGreater(row["median_us"], 0)
        self.assertLess(rows["check"]["median_us"], rows["create sum"]["median_us"])
        result = run(("bench", "calls", "--only", "bare", "--samples", "1", NO_CACHE), self.folder)
        self.assertNotIn("create", result.out)
        self.refuse(2, ["calls", "--only", "zzz"], "--only zzz", "'create sum'")
        self.refuse(2, ["calls", "--log2", "20"], "--log2 20", "calls has sizes of its own")
        self.refuse(2, ["calls", "--seed", "1"], "--seed is for layouts")

    def test_help(self):
        result = run(("bench", "--help"), self.folder)
        self.assertEqual((result.status, result.err), (0, ""), result)
        for word in ("reduce, scan or diagonal", "start, the time", "calls, the time", "report, a page", "--log2 K", "--samples N", "--only PATTERN",
                     "--json FILE", "layouts, random problems", "--seed S", "--count N", "--part K/N",
                     "--prepare", "--check"):
            self.assertIn(word, result.out)


if __name__ == "__main__":
    main()
