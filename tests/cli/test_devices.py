"""tally on several devices: the bytes of one device, whatever is cut and wherever the file lies.

PoCL's device counts as several: --device 0,0,0 opens it three times.
"""

import sys

sys.dont_write_bytecode = True  # keep the source tree as it is

import json
import os

import numpy as np

from support import NO_CACHE, FolderTest, main, run

MANY = ("--device", "0,0,0")


class DevicesTest(FolderTest):
    def setUp(self):
        super().setUp()
        self.random = np.random.default_rng(7)

    def save(self, shape, dtype="f4", fortran=False):
        array = (self.random.standard_normal(shape) * 100).astype(dtype)
        np.save(self.path("IN.npy"), np.asfortranarray(array) if fortran else array)

    def tally(self, *arguments, status=0):
        result = run([*arguments, NO_CACHE], self.folder)
        self.assertEqual(result.status, status, result)
        return result

    def check(self, *arguments):
        """The same file from one device and from several."""
        self.tally(*arguments, "--device", "0")
        with open(self.path("OUT.npy"), "rb") as file:
            one = file.read()
        os.remove(self.path("OUT.npy"))
        self.tally(*arguments, *MANY)
        with open(self.path("OUT.npy"), "rb") as file:
            self.assertEqual(file.read(), one, arguments)


class Files(DevicesTest):
    def test_reduce(self):
        for shape, axes, fortran in (((50000,), "0", False), ((7, 300, 5), "1", False),
                                     ((7, 300, 5), "0,2", True), ((3, 9000), "1", True),
                                     ((20, 3), "none", False), ((0, 4), "0", False)):
            self.save(shape, fortran=fortran)
            self.check("reduce", "l1" if axes == "none" else "sum", "IN.npy", "OUT.npy", "--axes",
                       axes)
        self.save((40000,))
        self.check("reduce", "argmax", "IN.npy", "OUT.npy", "--squeeze")

    def test_scan(self):
        self.save((900000,))
        self.check("scan", "sum", "IN.npy", "OUT.npy", "--axis", "0")
        self.check("scan", "sum", "IN.npy", "OUT.npy", "--axis", "0", "--reverse", "--exclusive")
        for fortran in (False, True):
            self.save((5, 40, 6), "i4", fortran)
            for axis in "012":
                self.check("scan", "sum", "IN.npy", "OUT.npy", "--axis", axis)

    def test_diagonal(self):
        band = ("--begin", "-3", "--end", "2", "--value", "7")
        self.save((2, 40, 30))
        self.check("diagonal", "OUT.npy", "--input", "IN.npy", *band)
        self.save((40, 30), fortran=True)
        self.check("diagonal", "OUT.npy", "--input", "IN.npy", *band)
        self.check("diagonal", "OUT.npy", "--shape", "33,20", "--type", "i8", *band)

    def test_what_is_told(self):
        self.save((100, 8))
        line = ("reduce", "sum", "IN.npy", "OUT.npy", "--axes", "1", *MANY)
        self.assertRegex(self.tally(*line, "--explain").err,
                         r"^axis 0 \[0, 3\d\): .*\naxis 0 \[3\d, 6\d\): .*\naxis 0 \[6\d, 100\): .*\n$")
        self.assertRegex(self.tally(*line, "--time").err,
                         r"^3 devices, run \d+\.\d{3} ms, wall \d+\.\d{3} ms\n$")
        self.tally("reduce", "sum", "IN.npy", "OUT.npy", "--device", "all")

    def test_refusals(self):
        self.save((4,))
        for text, status, word in (("0,99", 1, "no device of this number"), ("0,", 2, "comma"),
                                   (",", 2, "comma"), ("0,nothing", 1, "no device has this")):
            result = self.tally("reduce", "sum", "IN.npy", "OUT.npy", "--device", text,
                                status=status)
            self.assertIn(word, result.err)
            self.assertFalse(os.path.exists(self.path("OUT.npy")))
        np.save(self.path("IN.npy"), np.float32(3))
        result = self.tally("reduce", "sum", "IN.npy", "OUT.npy", *MANY, status=1)
        self.assertEqual(result.err, "tally: a tensor of rank 0 has no axis to cut\n")
        self.assertEqual(os.listdir(self.folder), ["IN.npy"])


class Bench(DevicesTest):
    def test_rows(self):
        result = self.tally("bench", "devices", "--log2", "20", "--samples", "1", "--device", "0,0",
                            "--json", "OUT.json")
        self.assertEqual(result.err, "")
        with open(self.path("OUT.json"), encoding="utf-8") as file:
            found = json.load(file)
        self.assertEqual(found["elements"], 1 << 20)
        self.assertEqual([(row["operator"], row["on"], row["devices"]) for row in found["rows"]],
                         [(name, on, count) for name in ("sum", "running sum")
                          for on, count in (("device 0", 1), ("device 1", 1), ("first 1", 1),
                                            ("first 2", 2))])
        for name in ("sum", "running sum"):
            self.assertEqual(len({row["checksum"] for row in found["rows"]
                                  if row["operator"] == name}), 1)

    def test_list(self):
        one = self.tally("devices", "--device", "0").out
        self.assertEqual(self.tally("devices", "--device", "0,0").out, one + one)


if __name__ == "__main__":
    main()
