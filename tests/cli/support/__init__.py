"""What the tests of the tally program share: running it, and saying what differs.

A test script takes the program's path as its first argument and unittest's own after it. Every
command runs in an empty folder of its own, so that what it leaves there can be seen.
"""

import atexit
import concurrent.futures
import os
import pty
import shlex
import subprocess
import sys
import tempfile
import unittest

import numpy as np

FLOATS = ("f2", "f4", "f8")
INTEGERS = ("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8")
WIDE = FLOATS + ("i4", "i8", "u4", "u8")
TYPES = FLOATS + INTEGERS

# NumPy's names to Tally's: f2 is f16.
TALLY_NAME = {t: t[0] + str(8 * int(t[1])) for t in TYPES}

WORKERS = 2
TIMEOUT = 600  # seconds of one command
SHOWN = 20  # failed cases that are told in full

# For commands that are not about the cache. What is put there is asked of the driver as a binary,
# for which PoCL compiles each kernel once more, for groups of any size. PoCL's own cache is there
# all the same: two commands that need a kernel compile it once.
NO_CACHE = "--no-cache"

program = None


def share_has(index, one_in=7):
    """Whether a sweep runs this case: tests/support/share.h."""
    return "TALLY_TEST_SHARE" not in os.environ or index % one_in == 0


def not_on_windows(test):
    """A test of what Windows does otherwise: there it is none, and ci/windows names it."""
    return None if "TALLY_TEST_WINDOWS" in os.environ else test


class Result:
    """A finished command."""

    def __init__(self, arguments, completed):
        self.line = "tally " + " ".join(shlex.quote(a) for a in arguments)
        self.status = completed.returncode
        self.out = completed.stdout.decode()
        self.err = completed.stderr.decode()

    def __str__(self):
        return (f"{self.line}\n  exit status {self.status}\n  stdout {self.out!r}\n"
                f"  stderr {self.err!r}")


def run(arguments, folder, env=None, **options):
    """Run the program in a folder."""
    environment = dict(os.environ, **(env or {}))
    completed = subprocess.run(
        [program, *arguments], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=TIMEOUT, check=False, **options)
    return Result(arguments, completed)


def seen_on_terminal(arguments, folder, env=None):
    """Run the program with a terminal for its messages: the exit status, and what the terminal got."""
    outer, inner = pty.openpty()
    with subprocess.Popen([program, *arguments], cwd=folder, stderr=inner, env=env) as process:
        os.close(inner)
        seen = b""
        try:
            while more := os.read(outer, 4096):
                seen += more
        except OSError:
            pass  # how a terminal ends
        status = process.wait(60)
    os.close(outer)
    return status, seen


class Case:
    """A command on one array, and what its output file has to be.

    check(output) returns None or a sentence on what differs. The array is IN.npy, written as it
    lies in memory (Fortran order stays); None: there is no input.
    """

    def __init__(self, arguments, array, check):
        self.arguments = arguments
        self.array = array
        self.check = check

    def run(self):
        with tempfile.TemporaryDirectory() as folder:
            if self.array is not None:
                np.save(os.path.join(folder, "IN.npy"), self.array)
            result = run([*self.arguments, NO_CACHE], folder)
            if result.status != 0 or result.out != "" or result.err != "":
                return f"{result}\n  expected exit status 0 and no output"
            difference = self.check(np.load(os.path.join(folder, "OUT.npy")))
        return None if difference is None else f"{self.describe(result)}\n  {difference}"

    def program(self):
        """Cases of one key need the same kernels."""
        dtype = None if self.array is None else self.array.dtype.str
        return (self.arguments[0], self.arguments[1], dtype)

    def describe(self, result):
        if self.array is None:
            return result.line
        order = "C" if self.array.flags.c_contiguous else "Fortran"
        return f"{result.line}\n  on {self.array.dtype} {self.array.shape} in {order} order"


def exactly(expected):
    """A check: type, shape and every bit."""
    expected = np.asarray(expected)

    def check(output):
        if output.dtype != expected.dtype or output.shape != expected.shape:
            return (f"expected {expected.dtype} {expected.shape}, "
                    f"got {output.dtype} {output.shape}")
        bits = f"u{expected.dtype.itemsize}"
        got, wanted = (np.ascontiguousarray(a).view(bits) for a in (output, expected))
        return first_difference(output, expected, got != wanted, "")

    return check


def within(expected, bound, dtype):
    """A check: that type, the shape of expected, and no element further away than its bound."""

    def check(output):
        if output.dtype != np.dtype(dtype) or output.shape != expected.shape:
            return f"expected {dtype} {expected.shape}, got {output.dtype} {output.shape}"
        error = np.abs(output.astype(np.longdouble) - expected)
        return first_difference(output, expected, ~(error <= bound), f", bound {np.max(bound)!r}")

    return check


def first_difference(output, expected, different, note):
    if not np.any(different):
        return None
    index = tuple(int(i[0]) for i in np.nonzero(np.atleast_1d(different)))
    place = index if different.ndim > 0 else ()
    return (f"{np.count_nonzero(different)} of {different.size} elements differ, first at {place}: "
            f"expected {expected[place]!r}, got {output[place]!r}{note}")


class TestCase(unittest.TestCase):
    """Runs many cases, a few at a time, and reports all that fail."""

    def run_cases(self, cases):
        self.assertGreater(len(cases), 0)
        # The cases of one program one after the other: two at once would compile it twice.
        groups = {}
        for case in cases:
            groups.setdefault(case.program(), []).append(case)
        with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
            results = pool.map(lambda group: [case.run() for case in group], groups.values())
            failures = [f for group in results for f in group if f is not None]
        if failures:
            told = "\n\n".join(failures[:SHOWN])
            self.fail(f"{len(failures)} of {len(cases)} cases failed:\n\n{told}")


class FolderTest(TestCase):
    """Has a folder of its own for each test."""

    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = holder.name

    def path(self, name):
        return os.path.join(self.folder, name)


def main():
    global program
    # The program's cache: ctest says where; by hand a folder of this run, never the user's own.
    if "XDG_CACHE_HOME" not in os.environ:
        cache = tempfile.TemporaryDirectory()
        atexit.register(cache.cleanup)
        os.environ["XDG_CACHE_HOME"] = cache.name
    if len(sys.argv) < 2 or not os.access(sys.argv[1], os.X_OK):
        sys.exit(f"usage: {sys.argv[0]} PATH-OF-TALLY [unittest's arguments]")
    program = os.path.abspath(sys.argv.pop(1))
    unittest.main(module="__main__", verbosity=2)
