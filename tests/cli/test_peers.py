"""tests/bench/peers: the scripts that measure others on the workloads of tally bench. No
speed is judged, and what needs a GPU is only read: its arguments, its protocol, its syntax.
"""

import sys

sys.dont_write_bytecode = True  # keep the source tree as it is

import ast
import json
import os
import re
import stat
import subprocess

from support import NO_CACHE, FolderTest, main, run

PEERS = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "bench", "peers")
sys.path.insert(0, PEERS)

import cub_peer
import peers

# Answers as cub_peer does, with 21 samples of a microsecond; it has no i64.
FAKE = r"""#!/bin/bash
echo 'a GPU'
while IFS=$'\t' read -r name function dtype offset segments terms; do
    if [ "$dtype" = i64 ]; then
        printf '%s\terror\tno such operation here\n' "$name"
    else
        printf '%s\tus' "$name"
        for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21; do printf '\t1e-6'; done
        printf '\tcopy'
        for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21; do printf '\t2e-6'; done
        printf '\n'
    fi
done
"""


class PeersTest(FolderTest):
    def bench(self, only, operator="reduce"):
        result = run(("bench", operator, "--log2", "16", "--samples", "1", "--only", only, NO_CACHE,
                      "--json", "TALLY.json"), self.folder)
        self.assertEqual(result.status, 0, result)
        return self.load("TALLY.json")

    def load(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return json.load(file)

    def script(self, name, *arguments):
        return subprocess.run([sys.executable, "-B", os.path.join(PEERS, name), *arguments],
                              cwd=self.folder, capture_output=True, text=True, timeout=120,
                              check=False)


class Numpy(PeersTest):
    def test_every_layout_and_operator(self):
        for operator, only in (("reduce", " sum f32"), ("reduce", "rows "),
                               ("scan", " sum f32"), ("scan", "1-D "), ("diagonal", "")):
            tally = self.bench(only, operator)
            result = self.script("numpy_peer.py", "TALLY.json", "NUMPY.json")
            self.assertEqual((result.returncode, result.stderr), (0, ""), result)
            written = self.load("NUMPY.json")
            self.assertEqual((written["peer"], written["samples"]), ("NumPy", 21))
            for key in ("version", "device", "date"):
                self.assertNotEqual(written[key], "")
            names = [row["name"] for row in tally["rows"] if "not_run" not in row]
            self.assertEqual([row["name"] for row in written["rows"]], names)
            by_name = {row["name"]: row for row in tally["rows"]}
            for row in written["rows"]:
                self.assertNotIn("not_run", row)
                self.assertGreaterEqual(row["us"], row["best_us"])
                self.assertAlmostEqual(row["gbs"] * row["us"] * 1e3, by_name[row["name"]]["bytes"],
                                       delta=1)
                self.assertEqual("copy_gbs" in row, not row["name"].startswith("small-"))

    def test_table(self):
        self.bench("1 sum f32")
        self.script("numpy_peer.py", "TALLY.json", "NUMPY.json")
        result = self.script("table", "TALLY.json", "NUMPY.json")
        self.assertEqual((result.returncode, result.stderr), (0, ""), result)
        self.assertRegex(result.stdout, r"\| us \| size \{axes\} \| Tally \| NumPy \| to the best")
        self.assertRegex(result.stdout, r"\n\| small-1 sum f32 \| 1 \{0\} \| [0-9.]+ \| [0-9.]+ \| ")
        alone = self.script("table", "TALLY.json").stdout
        self.assertNotIn("NumPy", alone)
        self.assertIn("| small-1 sum f32 |", alone)

    def test_misuse(self):
        self.bench("small-1 ")
        for arguments, word in ((("--samples", "19"), "--samples 19"), (("--only", "zzz"), "zzz")):
            result = self.script("numpy_peer.py", "TALLY.json", "NUMPY.json", *arguments)
            self.assertNotEqual(result.returncode, 0)
            self.assertIn(word, result.stderr)
            self.assertFalse(os.path.exists(self.path("NUMPY.json")))


class Cub(PeersTest):
    def make_program(self):
        with open(self.path("cub_peer"), "w", encoding="utf-8") as file:
            file.write(FAKE)
        os.chmod(self.path("cub_peer"), stat.S_IRWXU)
        return cub_peer.Program(self.path("cub_peer"), 21)

    def test_protocol(self):
        program = self.make_program()
        self.assertEqual(program.device, "a GPU")
        rows = {}
        for only in (" sum f32", "rows "):  # every layout and every operator, as NumPy's above
            self.bench(only)
            for workload in peers.load(self.path("TALLY.json"), ""):
                rows[workload.name] = program.measure(workload)
        program.close()
        self.assertEqual(rows["rows sum i64"]["not_run"],
                         "no such operation here")
        self.assertIn("log_sum_exp", rows["rows log_sum_exp f32"]["not_run"])
        for layout in ("columns", "middle", "inner-3", "transposed"):
            self.assertIn("contiguous", rows[f"{layout} sum f32"]["not_run"])
        for layout in ("1-D", "rows", "rows-16", "offset-rows", "odd-matrix"):
            row = rows[f"{layout} sum f32"]
            self.assertAlmostEqual(row["us"], 1)
            self.assertIn("copy_gbs", row)
        self.assertNotIn("copy_gbs", rows["small-1 sum f32"])
        self.assertEqual(rows["rows l2 f32"]["note"], "without the root")

    def test_every_operator_is_there(self):
        """What the script asks for stands in the program's table."""
        with open(os.path.join(PEERS, "cub_peer.cu"), encoding="utf-8") as file:
            known = set(re.findall(r'\{"(\w+)", "(\w+)", run_', file.read()))
        asked = set()
        for operator, only in (("reduce", "rows "), ("scan", "1-D ")):
            self.bench(only, operator)
            for workload in peers.load(self.path("TALLY.json"), ""):
                if not workload.reverse:
                    asked.add((cub_peer.operation(workload), workload.dtype))
        self.assertEqual(known, asked - {("log_sum_exp", "f32")})

    def test_scans_of_one_row_and_no_fills(self):
        for operator, only, ran in (("scan", "sum f32", {"1-D", "small-1", "small-1Ki",
                                                        "small-64Ki"}),
                                    ("scan", "1-D ", {"1-D"}), ("diagonal", "", set())):
            self.bench(only, operator)
            program = self.make_program()
            for workload in peers.load(self.path("TALLY.json"), ""):
                row = program.measure(workload)
                wanted = (workload.name.split(" ")[0] in ran and not workload.reverse and
                          workload.dtype != "i64")
                self.assertEqual("us" in row, wanted, row)
            program.close()


class Torch(PeersTest):
    def test_reads(self):
        """Every function and type of the workloads has its entry."""
        with open(os.path.join(PEERS, "torch_peer.py"), encoding="utf-8") as file:
            tree = ast.parse(file.read())
        tables = {node.targets[0].id: {key.value for key in node.value.keys}
                  for node in ast.walk(tree) if isinstance(node, ast.Assign) and
                  isinstance(node.value, ast.Dict)}
        dtypes = set()
        for operator, table, only in (("reduce", "FUNCTIONS", "rows "), ("scan", "SCANS", "1-D "),
                                      ("diagonal", "FILLS", "")):
            rows = self.bench(only, operator)["rows"]
            self.assertEqual(tables[table], {row["function"] for row in rows})
            self.assertIn(operator, tables["OPERATORS"])
            dtypes |= {row["dtype"] for row in rows}
        self.assertEqual(tables["DTYPES"], dtypes)


class Layouts(PeersTest):
    def layouts(self, *arguments):
        result = run(("bench", "layouts", "--log2", "12", "--samples", "1", *arguments, NO_CACHE,
                      "--json", "TALLY.json"), self.folder)
        self.assertEqual(result.status, 0, result)
        return self.load("TALLY.json")

    def test_problems(self):
        """What peers read of a problem, and which shape its band has."""
        self.layouts("--only", "diagonal", "--count", "3", "--seed", "3")
        for problem in peers.load(self.path("TALLY.json"), ""):
            self.assertEqual(problem.operator, "diagonal")
            self.assertIn(problem.band(), ("everything", "nothing", "diagonal", "lower", "upper",
                                           "band", "inverted"))
            self.assertGreaterEqual(problem.output.reach, problem.output.size[-1])
        least, most = -2**63, 2**63 - 1
        for begin, end, name in ((least, most, "everything"), (least, 3, "upper"),
                                 (-2, most, "lower"), (0, 1, "diagonal"), (0, 0, "nothing"),
                                 (-1, 2, "band"), (2, -1, "inverted")):
            problem.begin, problem.end = begin, end
            self.assertEqual(problem.band(), name)

    def test_table(self):
        """A peer that takes half as long for one problem, twice as long for the next, and no more."""
        rows = self.layouts("--count", "3")["rows"]
        theirs = [{"name": rows[0]["name"], "us": rows[0]["us"] / 2, "note": "as it likes"},
                  {"name": rows[1]["name"], "us": rows[1]["us"] * 2},
                  {"name": rows[2]["name"], "not_run": "too hard"}]
        with open(self.path("PEER.json"), "w", encoding="utf-8") as file:
            json.dump({"peer": "Peer", "version": "1", "device": "it", "date": "now", "samples": 7,
                       "rows": theirs}, file)
        result = self.script("table", "TALLY.json", "PEER.json")
        self.assertEqual((result.returncode, result.stderr), (0, ""), result)
        self.assertIn("Problems 0 to 2 of seed 1.", result.stdout)
        means = re.search(r"\n\| all \| 3 \| ([0-9.]+) \| 2 \| ([0-9.]+) \| ([0-9.]+) \| 1 \|",
                          result.stdout)
        self.assertAlmostEqual(float(means[2]), float(means[3]), delta=0.0011)
        self.assertRegex(result.stdout, r"\n\| 0: reduce sum f16 .* \| 2\.00 \| .* as it likes \|")
        self.assertNotIn("| 1: reduce", result.stdout)
        self.assertIn("* Peer did not run 1 of 3, 2@12 among them: too hard.", result.stdout)
        alone = self.script("table", "TALLY.json")
        self.assertEqual((alone.returncode, alone.stderr), (0, ""), alone)
        self.assertRegex(alone.stdout, r"\n\| all \| 3 \| [0-9.]+ \|\n")

    def test_numpy_is_not_measured(self):
        self.layouts("--count", "1")
        result = self.script("numpy_peer.py", "TALLY.json", "NUMPY.json")
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("NumPy is not measured on layouts", result.stderr)

    def test_torch_reads(self):
        """PyTorch has an entry for every function, and for every shape of a band."""
        with open(os.path.join(PEERS, "torch_forms.py"), encoding="utf-8") as file:
            tree = ast.parse(file.read())
        tables = {node.targets[0].id: {key.value for key in node.value.keys}
                  for node in ast.walk(tree) if isinstance(node, ast.Assign) and
                  isinstance(node.value, ast.Dict)}
        self.assertEqual(tables["REDUCTIONS"],
                         {"sum", "max", "min", "average", "argmax", "argmin", "l1", "l2",
                          "sum_square", "multiply", "log_sum", "log_sum_exp"})
        self.assertEqual(tables["SCANS"], {"sum", "multiply", "max", "min"})
        self.assertEqual(tables["FILLS"], {"everything", "nothing", "diagonal", "lower", "upper",
                                           "band", "inverted"})


if __name__ == "__main__":
    main()
