"""tally bench: what it refuses, what its help says, and the rows of start and calls, which have layouts of
their own. No speed is judged, but that what is cold takes longer than what is warm.
"""

import sys

sys.dont_write_bytecode = True  # keep the source tree as it is

import json
import os

from support import NO_CACHE, main, run, share_has
from support.bench import BenchTest


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
