"""tally on files that are larger than --memory: the bytes of the run that needs no pieces."""

import sys

sys.dont_write_bytecode = True  # keep the source tree as it is

import os

import numpy as np

from support import NO_CACHE, FolderTest, main, not_on_windows, run


class StreamTest(FolderTest):
    def bytes_of(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def save(self, array):
        np.save(self.path("in.npy"), array)

    def check(self, *arguments, memory="40K"):
        """Both ways; the second must be in pieces."""
        whole = run([*arguments, NO_CACHE, "--quiet"], self.folder)
        self.assertEqual(whole.status, 0, whole)
        wanted = self.bytes_of("out.npy")
        os.remove(self.path("out.npy"))
        pieces = run([*arguments, NO_CACHE, "--memory", memory, "--explain"], self.folder)
        self.assertEqual(pieces.status, 0, pieces)
        self.assertIn("a stream of ", pieces.err)
        self.assertNotIn("a stream of 1 pieces", pieces.err)
        self.assertEqual(self.bytes_of("out.npy"), wanted, pieces)
        self.assertEqual(sorted(os.listdir(self.folder)), ["in.npy", "out.npy"])

    def test_reduce(self):
        for order in (np.ascontiguousarray, np.asfortranarray):
            self.save(order(np.random.default_rng(1).standard_normal((60, 50, 70), np.float32)))
            for axes in ("0,1,2", "0", "1,2", "2"):
                self.check("reduce", "sum", "in.npy", "out.npy", "--axes", axes)
            self.check("reduce", "argmax", "in.npy", "out.npy", "--axes", "0,1", "--squeeze")

    def test_scan(self):
        self.save(np.arange(60 * 50 * 70, dtype=np.int32).reshape(60, 50, 70))
        for axis in ("0", "1", "2"):
            self.check("scan", "sum", "in.npy", "out.npy", "--axis", axis)
            self.check("scan", "max", "in.npy", "out.npy", "--axis", axis, "--reverse",
                       "--exclusive")

    def test_a_long_scan_of_floats(self):
        self.save(np.random.default_rng(2).standard_normal(800000, np.float32))
        self.check("scan", "sum", "in.npy", "out.npy", "--axis", "0", memory="4M")

    def test_diagonal(self):
        self.save(np.random.default_rng(3).integers(0, 9, (20, 90, 80)).astype(np.int16))
        self.check("diagonal", "out.npy", "--input", "in.npy", "--value", "7", "--begin", "-3",
                   "--end", "4")

    @not_on_windows
    def test_in_place_of_its_input(self):
        array = np.arange(100000, dtype=np.int64)
        self.save(array)
        done = run(["scan", "sum", "in.npy", "in.npy", "--axis", "0", NO_CACHE, "--memory", "100K"],
                   self.folder)
        self.assertEqual(done.status, 0, done)
        np.testing.assert_array_equal(np.load(self.path("in.npy")), np.cumsum(array))

    def test_too_little_memory(self):
        self.save(np.zeros(100000, np.float32))
        done = run(["reduce", "sum", "in.npy", "out.npy", NO_CACHE, "--memory", "100"], self.folder)
        self.assertEqual(done.status, 1, done)
        self.assertRegex(done.err, "^tally: .*100 bytes.*at least [0-9]+\n$")
        self.assertEqual(os.listdir(self.folder), ["in.npy"])
        done = run(["reduce", "sum", "in.npy", "out.npy", "--memory", "4X"], self.folder)
        self.assertEqual(done.status, 2, done)
        for text in ("0", "-1", "", "K", "17179869184G"):
            done = run(["reduce", "sum", "in.npy", "out.npy", f"--memory={text}"], self.folder)
            self.assertEqual(done.status, 2, done)

    def test_a_pipe_takes_pieces_in_order_only(self):
        self.save(np.arange(100000, dtype=np.float32))
        in_order = run(["reduce", "l1", "in.npy", "/dev/null", "--axes", "0", NO_CACHE,
                        "--memory", "50K"], self.folder)
        self.assertEqual(in_order.status, 0, in_order)
        backwards = run(["scan", "max", "in.npy", "/dev/null", "--axis", "0", "--reverse", NO_CACHE,
                         "--memory", "50K"], self.folder)
        self.assertEqual(backwards.status, 1, backwards)
        self.assertIn("another order", backwards.err)


main()
