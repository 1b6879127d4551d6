#!/usr/bin/env python3
"""tests/mpi/test_program.py TALLY TALLY_MPI MPIRUN FLAG: the program on ranks writes the files that tally writes.

Of several numbers of ranks, axes to distribute, and orders of files; and what one rank cannot do fails on all,
with one sentence and no file.
"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

import numpy as np

TALLY, TALLY_MPI, *MPIRUN = sys.argv[1:]
QUIET = ["--quiet", "--no-cache"]


def run_ranks(ranks, *arguments, cwd=None):
    command = [*MPIRUN, str(ranks), TALLY_MPI, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, timeout=600, check=False)


class Program(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.at = pathlib.Path(self.folder.name)
        self.random = np.random.default_rng(1)

    def save(self, name, shape, dtype=np.float32, fortran=False):
        values = self.random.standard_normal(shape) * 100
        np.save(self.at / name, np.asarray(values, dtype, order="F" if fortran else "C"))

    def check_same(self, ranks, *arguments, cut=()):
        """OUT is the output's name in the arguments."""
        outputs = []
        for ranked in (False, True):
            output = self.at / f"out{int(ranked)}.npy"
            given = [str(output) if text == "OUT" else text for text in arguments] + QUIET
            if ranked:
                done = run_ranks(ranks, *given, *cut, cwd=self.at)
            else:
                done = subprocess.run([TALLY, *given], capture_output=True, text=True, cwd=self.at, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            outputs.append(output.read_bytes())
        self.assertEqual(*outputs)
        self.check_nothing_left()

    def check_nothing_left(self):
        self.assertEqual([path.name for path in self.at.iterdir() if path.name.startswith(".")], [])

    def check_refused(self, ranks, sentence, *arguments):
        """One line of ours, which has this sentence, and no output."""
        done = run_ranks(ranks, *arguments, *QUIET, cwd=self.at)
        lines = [line for line in done.stderr.splitlines() if line.startswith("tally: ")]
        self.assertNotEqual(done.returncode, 0)
        self.assertEqual(len([line for line in lines if "for help" not in line]), 1, done.stderr)
        self.assertIn(sentence, lines[0])
        self.assertFalse((self.at / "out.npy").exists())
        self.check_nothing_left()

    def test_reductions(self):
        self.save("a.npy", (70000, 5))
        self.check_same(3, "reduce", "sum", "a.npy", "OUT", "--axes", "0")
        self.check_same(4, "reduce", "sum", "a.npy", "OUT", "--axes", "0", "--squeeze", cut=["--cut", "0"])
        self.check_same(2, "reduce", "argmax", "a.npy", "OUT", cut=["--cut", "0"])
        self.check_same(3, "reduce", "max", "a.npy", "OUT", "--axes", "1", cut=["--cut", "-2"])

    def test_scans(self):
        self.save("a.npy", 1200000)
        self.save("b.npy", (300, 70), np.float16)
        self.check_same(4, "scan", "sum", "a.npy", "OUT", "--axis", "0", "--exclusive")
        self.check_same(3, "scan", "sum", "a.npy", "OUT", "--axis", "0", "--reverse")
        self.check_same(3, "scan", "sum", "b.npy", "OUT", "--axis", "0", cut=["--cut", "1"])
        self.check_same(1, "scan", "max", "b.npy", "OUT", "--axis", "0", cut=["--cut", "0"])

    def test_fills(self):
        self.save("a.npy", (4, 50, 60))
        self.check_same(3, "diagonal", "OUT", "--shape", "4,5,6", "--type", "f32", "--value", "3", "--begin", "0",
                        "--end", "2")
        self.check_same(3, "diagonal", "OUT", "--input", "a.npy", "--value", "3", "--begin", "0", "--end", "2",
                        cut=["--cut", "2"])

    def test_fortran_order(self):
        self.save("f.npy", (70, 50, 6), fortran=True)
        for cut in "012":
            self.check_same(3, "scan", "min", "f.npy", "OUT", "--axis", "1", cut=["--cut", cut])
        self.check_same(3, "reduce", "l2", "f.npy", "OUT", "--axes", "0,2", cut=["--cut", "1"])

    def test_members_of_archives(self):
        values = self.random.standard_normal((300, 70)).astype(">f4")
        np.savez_compressed(self.at / "a.npz", x=values, y=values > 0)
        self.check_same(2, "reduce", "sum", "a.npz:x", "OUT", "--axes", "0")
        self.check_same(2, "scan", "sum", "a.npz:y", "OUT", "--axis", "1")

    def test_more_ranks_than_coordinates(self):
        self.save("a.npy", (3, 2))
        self.check_same(8, "reduce", "sum", "a.npy", "OUT", "--axes", "1", cut=["--cut", "0"])
        self.save("empty.npy", (0, 2))
        self.check_same(2, "reduce", "sum", "empty.npy", "OUT", "--axes", "0", cut=["--cut", "0"])

    def test_the_output_over_the_input(self):
        self.save("a.npy", 300000)
        expected = np.cumsum(np.load(self.at / "a.npy"), dtype=np.float64)
        done = run_ranks(2, "scan", "sum", "a.npy", "a.npy", "--axis", "0", *QUIET, cwd=self.at)
        self.assertEqual(done.returncode, 0, done.stderr)
        np.testing.assert_allclose(np.load(self.at / "a.npy"), expected, atol=20)

    def test_times(self):
        self.save("a.npy", 1200000)
        done = run_ranks(2, "scan", "sum", "a.npy", "out.npy", "--axis", "0", "--time", *QUIET, cwd=self.at)
        self.assertEqual(done.stderr.count("rank 0 gave "), 1, done.stderr)

    def test_help(self):
        done = run_ranks(2, "--help")
        self.assertEqual((done.returncode, done.stdout.count("usage:")), (0, 1))
        done = run_ranks(2, "scan", "--help")
        self.assertEqual((done.returncode, done.stdout.count("usage:")), (0, 1))

    def test_refusals(self):
        self.save("a.npy", 300000)
        self.save("scalar.npy", ())
        whole = (self.at / "a.npy").read_bytes()
        (self.at / "short.npy").write_bytes(whole[:-1000])
        self.check_refused(3, "short.npy: is cut off in its data", "reduce", "sum", "short.npy", "out.npy")
        self.check_refused(2, "cannot be opened", "reduce", "sum", "none.npy", "out.npy")
        self.check_refused(2, "nowhere/out.npy: cannot be written", "reduce", "sum", "a.npy", "nowhere/out.npy")
        self.check_refused(2, "is a pipe or a device", "reduce", "sum", "a.npy", "/dev/null")
        self.check_refused(2, "--cut", "reduce", "sum", "a.npy", "out.npy", "--cut", "1")
        self.check_refused(2, "axis", "reduce", "sum", "scalar.npy", "out.npy")
        self.check_refused(2, "--explain", "reduce", "sum", "a.npy", "out.npy", "--explain")
        self.check_refused(2, "--json", "reduce", "sum", "a.npy", "out.npy", "--json")
        self.check_refused(2, "takes one input", "reduce", "sum", "a.npy", "scalar.npy", "out.npy")
        self.check_refused(2, "no device has this", "reduce", "sum", "a.npy", "out.npy", "--device", "none such")
        self.check_refused(2, "there is no option", "reduce", "sum", "a.npy", "out.npy", "--such")
        self.check_refused(2, "no command 'bench'", "bench")

    def test_no_cut_without_ranks(self):
        self.save("a.npy", 3)
        done = subprocess.run([TALLY, "reduce", "sum", "a.npy", "out.npy", "--cut", "0"], capture_output=True,
                              text=True, cwd=self.at, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn("tally-mpi", done.stderr)


unittest.main(argv=sys.argv[:1])
