"""tally run: the bits of the same commands with files between them, NumPy's numbers, and sentences
that point at the place in the text.
"""

import sys

sys.dont_write_bytecode = True  # keep the source tree as it is

import io
import os
import subprocess

import numpy as np

import support
from support import NO_CACHE, exactly, main, run
from support.files import FileTest, saved

PIPELINES = (
    ("sum axis=1 | cumsum axis=0", [["reduce", "sum", "--axes", "1"], ["scan", "sum", "--axis", "0"]]),
    ("mean axis=0,2 squeeze", [["reduce", "mean", "--axes", "0,2", "--squeeze"]]),
    ("cumprod axis=-1 reverse exclusive | max axis=none nan=ignore",
     [["scan", "multiply", "--axis", "-1", "--reverse", "--exclusive"],
      ["reduce", "max", "--axes", "none", "--nan", "ignore"]]),
    ("l2 axes=(2) squeeze|diagonal value=-1.5 begin=-1 end=2|logsumexp axis=0|cummax axis=1",
     [["reduce", "l2", "--axes", "2", "--squeeze"],
      ["diagonal", "--value", "-1.5", "--begin", "-1", "--end", "2"],
      ["reduce", "log_sum_exp", "--axes", "0"], ["scan", "max", "--axis", "1"]]),
    ("argmax axis=1 dtype=u32 tie=last | sum", [["reduce", "argmax", "--axes", "1", "--output-type",
                                                  "u32", "--tie", "last"], ["reduce", "sum"]]),
)


class Run(FileTest):
    def setUp(self):
        super().setUp()
        self.array = np.random.default_rng(1).standard_normal((30, 70, 50), np.float32)
        np.save(self.path("IN.npy"), self.array)

    def through_files(self, commands):
        source = "IN.npy"
        for i, (name, *rest) in enumerate(commands):
            names = [f"{i}.npy", "--input", source] if name == "diagonal" else [
                rest.pop(0), source, f"{i}.npy"]
            self.succeed(name, *names, *rest, NO_CACHE)
            source = f"{i}.npy"
        return self.read(source)

    def test_bits_are_those_of_steps_through_files(self):
        for text, commands in PIPELINES:
            self.succeed("run", text, "IN.npy", "OUT.npy", NO_CACHE)
            self.assertEqual(self.read("OUT.npy"), self.through_files(commands), text)

    def test_numpys_numbers(self):
        array = np.arange(24, dtype="i4").reshape(4, 6)
        np.save(self.path("IN.npy"), array)
        for text, expected in (
                ("sum axis=1 | cumsum axis=0", array.sum(1, "i4", keepdims=True).cumsum(0, "i4")),
                ("cumsum axis=1 | max axis=0 squeeze", array.cumsum(1, "i4").max(0)),
                ("prod axis=0 squeeze | cummin axis=0",
                 np.minimum.accumulate(array.prod(0, "i4"))),
                ("argmin axis=1 squeeze", array.argmin(1))):
            self.succeed("run", text, "IN.npy", "OUT.npy", NO_CACHE)
            self.assertIsNone(exactly(expected)(np.load(self.path("OUT.npy"))), text)

    def test_every_word(self):
        listed = run(["run", "?", "IN.npy", "OUT.npy"], self.folder).err
        words = listed.split("choose from ")[1].splitlines()[0].split()
        self.assertEqual(len(words), 12 + 8)
        for word in words:
            options = {"c": " axis=0", "d": " value=1 begin=0 end=1"}.get(
                word[0] if word[:3] == "cum" or word == "diagonal" else "", "")
            self.succeed("run", word + options, "IN.npy", "OUT.npy", NO_CACHE)

    def test_booleans_are_counted(self):
        array = self.array > 0
        np.save(self.path("IN.npy"), array)
        self.succeed("run", "sum axis=2 squeeze | max axis=0 squeeze", "IN.npy", "OUT.npy", NO_CACHE)
        self.assertIsNone(exactly(array.sum(2).max(0))(np.load(self.path("OUT.npy"))))

    def test_pipes_and_archives_and_many(self):
        completed = subprocess.run(
            [support.program, "run", "sum axis=0,1 | cumsum axis=2", "-", "-", NO_CACHE],
            input=saved(self.array), stdout=subprocess.PIPE, check=True)
        self.assertEqual(np.load(io.BytesIO(completed.stdout)).shape, (1, 1, 50))
        np.savez(self.path("in.npz"), a=self.array)
        os.mkdir(self.path("out"))
        self.succeed("run", "sum | cumsum axis=0", "in.npz:a", "IN.npy", "out", NO_CACHE)
        self.assertEqual(self.read("out/in.a.npy"), self.read("out/IN.npy"))

    def test_empty_tensors(self):
        np.save(self.path("IN.npy"), np.zeros((0, 4), "f4"))
        self.succeed("run", "sum axis=0 | cumsum axis=1", "IN.npy", "OUT.npy", NO_CACHE)
        np.testing.assert_array_equal(np.load(self.path("OUT.npy")), np.zeros((1, 4)))

    def test_the_device(self):
        self.succeed("run", "sum | cumsum axis=0", "IN.npy", "OUT.npy", "--device", "0", NO_CACHE)
        self.fail_with(["run", "sum | sum", "IN.npy", "X.npy", "--device", "none"], "none")
        self.succeed("run", "sum", "IN.npy", "OUT.npy", "--device", "all", NO_CACHE)
        result = run(["run", "sum | sum", "IN.npy", "X.npy", "--device", "all"], self.folder)
        self.assertEqual(result.status, 2, result)
        self.assertIn("steps run on one device", result.err)

    def misuse(self, text, *words):
        before = self.listing()
        result = run(["run", text, "IN.npy", "OUT.npy"], self.folder)
        self.assertEqual(result.status, 2, result)
        first = result.err.splitlines()[0]
        for word in ("tally: run: ", *words):
            self.assertIn(word, first, result)
        self.assertEqual(self.listing(), before)

    def test_what_is_wrong_and_where(self):
        self.misuse("", "empty")
        self.misuse("sum axis=1 | cumsm axis=0", "at 14, 'cumsm'", "did you mean cumsum?")
        self.misuse("sums", "at 1, 'sums'", "did you mean sum?")
        self.misuse("banana", "no such operator; choose from argmax")
        self.misuse("sum |", "at 6: there is no operator")
        self.misuse("| sum", "at 1: there is no operator")
        self.misuse("sum||sum", "at 5: there is no operator")
        self.misuse("sum axs=1", "at 5, 'axs=1': sum has no such option; did you mean axes?")
        self.misuse("sum value=1", "at 5, 'value=1': sum has no such option")
        self.misuse("diagonal shape=4 begin=0 end=0", "at 10, 'shape=4': diagonal has no such option")
        self.misuse("cumsum", "at 1, 'cumsum': axis=K is missing")
        self.misuse("cumsum axis", "at 8, 'axis': needs a value, axis=K")
        self.misuse("sum squeeze=1", "at 5, 'squeeze=1': squeeze takes no value")
        self.misuse("sum axis=1 axes=1", "at 12, 'axes=1': axes is given twice")
        self.misuse("sum axis=x", "at 5, 'axis=x': 'x' is not an integer")
        self.misuse("sum axis=", "at 5, 'axis=': ")
        self.misuse("argmax dtype=u33", "at 8, 'dtype=u33': ", "did you mean u32?")
        self.misuse("|".join(["sum"] * 17), "more than 16 steps")
        self.misuse("diagonal begin=0 end=1", "step 1, 'diagonal begin=0 end=1': value V is missing")

    def test_what_a_tensor_does_not_take(self):
        before = self.listing()
        for text, words in (("sum axis=3", "step 1, 'sum axis=3': axes: axis 3 does not exist"),
                            ("sum | argmax | l2 axis=0", "step 3, 'l2 axis=0': l2 does not take"),
                            ("sum squeeze | cumsum axis=0", "step 2, 'cumsum axis=0': axis: axis 0")):
            self.fail_with(["run", text, "IN.npy", "OUT.npy"], words)
        self.assertEqual(self.listing(), before)

    def test_tensors_that_do_not_fit(self):
        """More than a buffer may have: a sentence, and nothing is written."""
        listed = run(["devices", "--device", "0"], self.folder).out
        limit = int(listed.split("largest buffer")[1].split("(")[1].split()[0])
        header = saved(np.zeros((1, 1), "u1")).replace(
            b"(1, 1), }" + b" " * 20, f"({limit + 1}, 1), }}".encode().ljust(29))
        self.write("IN.npy", header[:128])
        os.truncate(self.path("IN.npy"), 128 + limit + 1)  # sparse
        self.fail_with(["run", "max axis=1 | max", "IN.npy", "OUT.npy", "--device", "0"],
                       f"{limit + 1} bytes", f"allocates {limit} at most")


if __name__ == "__main__":
    main()
