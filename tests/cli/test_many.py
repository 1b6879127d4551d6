"""tally on several files: results named after inputs, one runtime, and one broken file that does not
keep the others from being computed.
"""

import sys

sys.dont_write_bytecode = True  # keep the source tree as it is

import json
import os
import shutil

import numpy as np

from support import NO_CACHE, exactly, main, not_on_windows, run, seen_on_terminal
from support.files import FileTest

SUM = ["reduce", "sum", "--axes", "0", "--squeeze", NO_CACHE]


class Many(FileTest):
    def setUp(self):
        super().setUp()
        os.mkdir(self.path("in"))
        os.mkdir(self.path("out"))
        self.arrays = {}
        for i, name in enumerate(("a", "b", "c")):
            self.arrays[name] = np.arange(12, dtype="i4").reshape(3, 4) + 100 * i
            np.save(self.path(f"in/{name}.npy"), self.arrays[name])

    def check(self, names="abc", folder="out"):
        self.assertEqual(sorted(os.listdir(self.path(folder))), [f"{name}.npy" for name in names])
        for name in names:
            expected = self.arrays[name].sum(0, "i4")
            self.assertIsNone(exactly(expected)(np.load(self.path(f"{folder}/{name}.npy"))))

    def test_lists_and_patterns(self):
        for inputs in (["in/a.npy", "in/b.npy", "in/c.npy"], ["in/*.npy"], ["in/?.npy"]):
            for output in ("out", "out/", self.path("out")):
                self.succeed(*SUM, *inputs, output)
                self.check()
                shutil.rmtree(self.path("out"))
                os.mkdir(self.path("out"))

    def test_patterns_of_some_characters(self):
        self.write("in/.hidden.npy", b"no array")
        os.rename(self.path("in/c.npy"), self.path("in/c-]!.npy"))
        for pattern, names in (("in/[ab].npy", "ab"), ("in/[!b-z].npy", "a"), ("i?/[^a].npy", "b"),
                               ("*/[]b]*", "b"), ("[h-j]n/?.n*", "ab"), ("./in/*a*", "a")):
            self.succeed(*SUM, pattern, "out")
            self.check(names)
            shutil.rmtree(self.path("out"))
            os.mkdir(self.path("out"))
        for pattern in ("in/[.]*", "in/[ab", "in/[]", "in/?[!b]", "*/*/*", "none/*.npy"):
            self.fail_with([*SUM, pattern, "out"], f"{pattern}: no file has such a name")

    @not_on_windows
    def test_patterns_of_characters_with_a_meaning(self):
        """A backslash takes it; and ? is a character, however many bytes it has."""
        os.rename(self.path("in/c.npy"), self.path("in/*\u00e9.npy"))
        for pattern in ("in/\\*?.npy", "in/[\\*][\u00e8-\u00ea].npy", "in/\\**"):
            self.succeed(*SUM, pattern, "out")
            self.assertEqual(os.listdir(self.path("out")), ["*\u00e9.npy"])

    def test_options_between_them(self):
        self.succeed("reduce", "sum", "in/a.npy", "--axes", "0", "in/b.npy", "--squeeze",
                     "in/c.npy", NO_CACHE, "out")
        self.check()

    def test_one_file_in_a_folder(self):
        self.succeed(*SUM, "in/a.npy", "out/")
        self.check("a")
        self.succeed(*SUM, "in/b*.npy", "out")
        self.check("ab")
        self.fail_with([*SUM, "in/a.npy", "out"], "out: cannot be written: it is a directory")
        self.write("in/bad.npy", b"hello")
        self.fail_with([*SUM, "in/bad.npy", "out/"], "tally: in/bad.npy: is not a .npy file")

    @not_on_windows
    def test_over_the_inputs(self):
        self.succeed(*SUM, "in/*.npy", "in")
        self.check(folder="in")

    def test_scans_and_fills(self):
        self.succeed("scan", "sum", "in/*.npy", "out", "--axis", "1", NO_CACHE)
        for name, array in self.arrays.items():
            np.testing.assert_array_equal(np.load(self.path(f"out/{name}.npy")), array.cumsum(1))

    def test_members_of_archives(self):
        for name in "ab":
            np.savez(self.path(f"in/{name}.npz"), x=self.arrays[name], y=self.arrays[name])
        self.succeed(*SUM, "in/*.npz:x", "in/a.npz:y", "out")
        self.assertEqual(sorted(os.listdir(self.path("out"))), ["a.x.npy", "a.y.npy", "b.x.npy"])
        np.testing.assert_array_equal(np.load(self.path("out/b.x.npy")), self.arrays["b"].sum(0))

    def test_names_that_are_no_patterns(self):
        os.rename(self.path("in/a.npy"), self.path("in/[a].npy"))
        self.succeed(*SUM, "in/[a].npy", "OUT.npy")
        np.testing.assert_array_equal(np.load(self.path("OUT.npy")), self.arrays["a"].sum(0))

    def test_what_is_wrong_before_the_work(self):
        nowhere = ["--device", "no such device"]
        self.fail_with([*SUM, "in/x*.npy", "out", *nowhere], "in/x*.npy: no file has such a name")
        self.fail_with([*SUM, "in/*.npy", "none/", *nowhere], "none/: results cannot be written",
                       "No such file")
        self.fail_with([*SUM, "in/*.npy", "in/a.npy", *nowhere], "in/a.npy: ", "Not a directory")
        self.fail_with([*SUM, "in/a.npy", "in/../in/a.npy", "out", *nowhere],
                       "the results of in/", "would both be out/a.npy")
        self.fail_with([*SUM, "in/*.npy", "out", *nowhere], "no such device")
        result = run([*SUM, "in/a.npy", "-", "out"], self.folder)
        self.assertEqual(result.status, 2, result)
        self.assertIn("standard input has no name", result.err)
        self.assertEqual(os.listdir(self.path("out")), [])

    def test_broken_files_do_not_stop_the_others(self):
        self.write("in/bad.npy", b"hello")
        np.save(self.path("in/flat.npy"), np.float32(1))
        self.write("out/bad.npy", b"old")
        result = run([*SUM, "in/*.npy", "out"], self.folder)
        self.assertEqual(result.status, 1, result)
        lines = result.err.splitlines()
        self.assertEqual(len(lines), 3, result)
        self.assertIn("tally: in/bad.npy: is not a .npy file", lines[0])
        self.assertIn("tally: in/flat.npy: --axes: axis 0 does not exist", lines[1])
        self.assertEqual(lines[2], "tally: 2 of 5 files failed")
        self.assertEqual(self.read("out/bad.npy"), b"old")
        os.remove(self.path("out/bad.npy"))
        self.check()

    def test_an_operator_that_a_file_does_not_take(self):
        np.save(self.path("in/a.npy"), np.arange(4.0))
        result = run(["reduce", "l2", "in/*.npy", "out", NO_CACHE], self.folder)
        self.assertEqual(result.status, 1, result)
        self.assertEqual(result.err.count("does not take input of type i32"), 2, result)
        self.assertIn("tally: in/b.npy: ", result.err)
        self.assertEqual(os.listdir(self.path("out")), ["a.npy"])

    def test_kernels_are_compiled_once(self):
        """Of equal shapes: as many programs are built for three files as for one."""
        counts = []
        for inputs in ("in/a.npy", "in/*.npy"):
            result = run([*SUM, inputs, "out/", "--json"], self.folder)
            self.assertEqual(result.status, 0, result)
            counts.append(json.loads(result.out)["programs_built"])
        self.assertGreater(counts[0], 0)
        self.assertEqual(counts[0], counts[1])

    def test_times_and_plans_of_each(self):
        result = run([*SUM, "in/*.npy", "out", "--time", "--explain"], self.folder)
        for name in self.arrays:
            self.assertIn(f"in/{name}.npy: kernels ", result.err)
        self.assertEqual(result.err.count("input -> "), 3, result)

    def test_all_devices(self):
        self.succeed(*SUM, "in/*.npy", "out", "--device", "all")
        self.check()

    def test_in_pieces(self):
        self.succeed(*SUM, "in/*.npy", "out", "--memory", "60")
        self.check()

    @not_on_windows
    def test_progress_says_which_file(self):
        # The line shows after half a second: PoCL, which keeps kernels too, has to compile them.
        np.save(self.path("in/b.npy"), np.zeros((1000, 40000), "f4"))
        arguments = ["scan", "sum", "in/b.npy", "in/a.npy", "in/c.npy", "out", "--axis", "0", NO_CACHE]
        environment = {**os.environ, "POCL_CACHE_DIR": self.path("kernels")}
        self.assertIn(b"1 of 3, ", seen_on_terminal(arguments, self.folder, environment)[1])


if __name__ == "__main__":
    main()
