"""tally's cache of compiled kernels: a second process finds what a first one left, whatever happens
to the folder the results are right, and processes that race or are killed leave nothing behind.
"""

import sys

sys.dont_write_bytecode = True  # keep the source tree as it is

import glob
import os
import random
import re
import subprocess
import time

import numpy as np

import support
from support import FolderTest, main, not_on_windows, run

RACERS = 8
KILLED = 24


class CacheTest(FolderTest):
    def setUp(self):
        super().setUp()
        self.cache = os.path.join(self.folder, "xdg", "tally")
        # PoCL would keep its own files below XDG_CACHE_HOME too.
        self.pocl = os.environ.get("POCL_CACHE_DIR") or os.path.join(self.folder, "pocl")
        self.env = {"XDG_CACHE_HOME": os.path.join(self.folder, "xdg")}
        self.array = np.arange(3000, dtype="i4").reshape(30, 100)
        np.save(os.path.join(self.folder, "IN.npy"), self.array)

    def tally(self, *arguments, status=0, **options):
        env = {"POCL_CACHE_DIR": self.pocl, **options.pop("env", self.env)}
        result = run(arguments, self.folder, env=env, **options)
        self.assertEqual(result.status, status, result)
        return result

    def sum_rows(self, *options, output="OUT.npy", env=None):
        """Sum the rows; the sums have to be right."""
        result = self.tally("reduce", "sum", "IN.npy", output, "--axes", "1", *options,
                            env=env or self.env)
        self.check(output)
        return result

    def check(self, output):
        path = os.path.join(self.folder, output)
        np.testing.assert_array_equal(np.load(path), self.array.sum(axis=1, keepdims=True))
        os.remove(path)

    def files(self, pattern="*.blob"):
        return sorted(glob.glob(os.path.join(self.cache, pattern))
                      + glob.glob(os.path.join(self.cache, "." + pattern)))

    def seconds(self, *options, **keywords):
        """What creating the operator took."""
        result = self.sum_rows("--time", *options, **keywords)
        return float(re.search(r"compile ([0-9.]+)", result.err).group(1)) * 1e-3


class Use(CacheTest):
    def test_second_process_is_warm(self):
        """The driver's own cache is emptied between, so that it is not what is seen."""
        def driver(name):
            return {**self.env, "POCL_CACHE_DIR": os.path.join(self.folder, name)}

        cold = self.seconds(env=driver("first"))
        self.assertEqual(len(self.files()), 1)
        warm = min(self.seconds(env=driver(f"later-{i}")) for i in range(3))
        self.assertEqual(len(self.files()), 1)
        self.assertLess(warm, cold / 3)
        print(f"creating an operator: {cold * 1e3:.1f} ms cold, {warm * 1e3:.1f} ms warm")

    def test_no_cache(self):
        self.sum_rows("--no-cache")
        self.assertFalse(os.path.exists(self.env["XDG_CACHE_HOME"]))
        result = self.tally("reduce", "sum", "IN.npy", "OUT.npy", "--no-cache", "--cache-dir", "x",
                            status=2)
        self.assertIn("--no-cache", result.err)

    def test_cache_dir(self):
        own = os.path.join(self.folder, "own")
        self.sum_rows("--cache-dir", own)
        self.assertEqual(len(os.listdir(own)), 1)
        self.assertEqual(self.files(), [])
        self.assertEqual(self.tally("cache", "path", "--cache-dir", own).out, own + "\n")
        self.assertIn("1 files removed", self.tally("cache", "clear", "--cache-dir", own).out)
        os.chmod(own, 0o777)
        result = self.sum_rows("--cache-dir", own)
        self.assertIn("the cache is not used", result.err)
        self.assertIn("can be written by others", result.err)
        self.assertEqual(os.listdir(own), [])

    def test_folder_that_cannot_be(self):
        """Nothing is said of the user's own folder: the results are right without it."""
        for folder in ("/proc/none", os.path.join(self.folder, "IN.npy")):
            result = self.sum_rows(env={"XDG_CACHE_HOME": folder})
            self.assertEqual(result.err, "")
        result = self.sum_rows(env={"XDG_CACHE_HOME": "", "HOME": ""})
        self.assertEqual(result.err, "")


class Command(CacheTest):
    @not_on_windows
    def test_path(self):
        self.assertEqual(self.tally("cache", "path").out, self.cache + "\n")
        self.assertEqual(self.tally("cache", "path", env={"XDG_CACHE_HOME": "", "HOME": "/h"}).out,
                         "/h/.cache/tally\n")
        result = self.tally("cache", "path", env={"XDG_CACHE_HOME": "", "HOME": ""}, status=1)
        self.assertIn("XDG_CACHE_HOME", result.err)

    def test_list_and_clear(self):
        self.assertEqual(self.tally("cache", "list").out, f"0 files, 0 bytes in {self.cache}\n")
        self.assertEqual(self.tally("cache", "clear").out, f"0 files removed from {self.cache}\n")
        self.assertFalse(os.path.exists(self.cache))
        self.sum_rows()
        with open(os.path.join(self.cache, "0" * 32 + ".blob"), "wb") as file:
            file.write(b"damaged")
        with open(os.path.join(self.cache, "mine.txt"), "wb") as file:
            file.write(b"mine")
        lines = self.tally("cache", "list").out.splitlines()
        self.assertEqual(len(lines), 4)
        self.assertRegex("\n".join(lines), r"(?m)^ +\d+  \d{4}-\d\d-\d\d \d\d:\d\d  tally_fold_\w+ ")
        self.assertRegex("\n".join(lines), r"(?m)^ +7  \d{4}-\d\d-\d\d \d\d:\d\d  damaged *$")
        size = sum(map(os.path.getsize, self.files()))
        self.assertEqual(lines[-1], f"2 files, {size} bytes in {self.cache}")
        self.assertEqual(self.tally("cache", "clear").out, f"2 files removed from {self.cache}\n")
        self.assertEqual(os.listdir(self.cache), ["mine.txt"])

    def test_refusals(self):
        for action in ("list", "clear"):
            os.makedirs(self.cache, mode=0o700, exist_ok=True)
            os.chmod(self.cache, 0o777)
            result = self.tally("cache", action, status=1)
            self.assertIn("can be written by others", result.err)
        for line, word in ((["cache"], "WHAT is missing"), (["cache", "empty"], "'empty'"),
                           (["cache", "list", "--device", "0"], "--device")):
            self.assertIn(word, self.tally(*line, status=2).err)


class Faults(CacheTest):
    counts = {}

    def start(self, output):
        return subprocess.Popen(
            [support.program, "reduce", "sum", "IN.npy", output, "--axes", "1"], cwd=self.folder,
            env={**os.environ, "POCL_CACHE_DIR": self.pocl, **self.env, **self.counts},
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)

    def test_race(self):
        """An empty cache, and all want the same program."""
        processes = [self.start(f"OUT-{i}.npy") for i in range(RACERS)]
        for i, process in enumerate(processes):
            _, err = process.communicate(timeout=support.TIMEOUT)
            self.assertEqual((process.returncode, err), (0, b""))
            self.check(f"OUT-{i}.npy")
        self.assertEqual(len(self.files()), 1)
        self.assertEqual(self.files("*.tmp"), [])
        print(f"cache: {RACERS} processes raced over an empty cache: 0 crashes, 0 wrong, 1 file")

    def test_kill(self):
        """Killed at random moments of compiling, storing or computing."""
        self.pocl = os.path.join(self.folder, "pocl")  # which may be left in any state
        self.counts = {"GCOV_PREFIX": self.folder}  # so may what counts lines, where that is done
        chance = random.Random(5)
        began = time.monotonic()
        self.sum_rows("--no-cache")
        longest = time.monotonic() - began
        for i in range(KILLED):
            process = self.start("OUT.npy")
            time.sleep(chance.random() * longest)
            process.kill()
            process.communicate()
            if i % 6 == 5:
                self.tally("cache", "clear")
        self.sum_rows()
        self.assertEqual(self.files("*.tmp"), [])
        self.sum_rows()
        self.assertEqual(len(self.files()), 1)
        print(f"cache: {KILLED} processes killed: 0 wrong, 0 half-written files left")


if __name__ == "__main__":
    main()
