"""Where results of the tally program go: what cannot be written is known before the work, and
nothing of a run that was ended or killed stays behind.
"""

import sys

sys.dont_write_bytecode = True  # keep the source tree as it is

import contextlib
import fcntl
import os
import re
import signal
import subprocess
import time

import numpy as np

import support
from support import NO_CACHE, main, run
from support.files import FileTest, saved

# A device that is not there: who looks at the output first says so, who begins to work does not.
NOWHERE = ["--device", "no such device"]
BENCHES = (["reduce"], ["scan"], ["diagonal"], ["start"], ["layouts"], ["calls"], ["devices"])
BIG = ["diagonal", "OUT.npy", "--shape", "20000,20000", "--type", "u8", "--begin", "0", "--end",
       "0", NO_CACHE]
NAME = re.compile(r"\.tally-[0-9a-f]{8}-[0-9]+-[0-9a-f]{16}\.tmp")


class BeforeTheWork(FileTest):
    def setUp(self):
        super().setUp()
        np.save(self.path("IN.npy"), np.arange(12, dtype="i4").reshape(3, 4))
        self.write("old", b"old")
        os.mkdir(self.path("sub"))
        long = "/".join(["x" * 200] * 30)
        self.positions = (("no-folder/out", "No such file or directory"),
                          ("old/out", "Not a directory"), ("sub", "is a directory"),
                          ("/proc/out", "/proc/out: cannot be written"),
                          ("y" * 256, "File name too long"), (long, "File name too long"))

    def commands(self, position):
        yield ["reduce", "sum", "IN.npy", position, *NOWHERE]
        yield ["scan", "sum", "IN.npy", position, "--axis", "0", *NOWHERE]
        yield ["diagonal", position, "--input", "IN.npy", "--begin", "0", "--end", "0", *NOWHERE]
        for what in BENCHES:
            yield ["bench", *what, "--json", position, *NOWHERE]
        yield ["bench", "report", position, *NOWHERE]

    def test_it_is_known_before_a_device_is_asked(self):
        for position, words in self.positions:
            for arguments in self.commands(position):
                self.fail_with(arguments, words, "cannot be written")

    def test_it_is_known_before_a_pipe_is_read(self):
        """The writer of the pipe has written nothing yet."""
        with subprocess.Popen([support.program, "reduce", "sum", "-", "no-folder/OUT.npy"],
                              cwd=self.folder, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            self.assertEqual(process.wait(60), 1)
            self.assertIn(b"no-folder/OUT.npy: cannot be written", process.stderr.read())
            process.stdin.close()

    def test_the_old_result_stays(self):
        for arguments in self.commands("old"):
            self.fail_with(arguments, "no such device")
        self.assertEqual(self.read("old"), b"old")

    def test_a_result_that_fails_late_leaves_the_old_one(self):
        """The device is there; the operator is refused, or the benchmark is."""
        self.fail_with(["reduce", "l2", "IN.npy", "old"], "l2")
        result = run(["bench", "calls", "--samples", "1", "--json", "old"], self.folder)
        self.assertEqual(result.status, 0, result)
        self.assertNotEqual(self.read("old"), b"old")
        self.assertEqual(sorted(os.listdir(self.folder)), ["IN.npy", "old", "sub"])


class WhatIsLeft(FileTest):
    def start(self, arguments, **options):
        """A run that has begun its output."""
        process = subprocess.Popen([support.program, *arguments], cwd=self.folder, **options)
        if process.stdin is not None:
            self.addCleanup(process.stdin.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process, self.name_of(process)

    def name_of(self, process):
        """What a run's output is called, as soon as it is begun.

        A file that another run finds before this one has its lock is removed, and a new one made.
        """
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            for name in os.listdir(self.folder):
                if NAME.fullmatch(name) and f"-{process.pid}-" in name:
                    return name
            time.sleep(0.001)
        return self.fail("the run began no output")

    def waiting(self):
        """A run whose output is begun, and which goes on once its input comes."""
        return self.start(["reduce", "sum", "-", "OUT.npy", NO_CACHE], stdin=subprocess.PIPE,
                          stderr=subprocess.DEVNULL)

    def test_signals_remove_it(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            process, _ = self.start(BIG)
            process.send_signal(number)
            self.assertEqual(process.wait(60), -number)
            self.assertEqual(os.listdir(self.folder), [], f"after signal {number}")

    def test_the_next_run_removes_what_a_killed_one_left(self):
        process, name = self.start(BIG)
        process.kill()
        process.wait(60)
        self.assertEqual(os.listdir(self.folder), [name], "a test of nothing")
        self.succeed("diagonal", "NEW.npy", "--shape", "2,2", "--type", "u8", "--begin", "0",
                     "--end", "0")
        self.assertEqual(os.listdir(self.folder), ["NEW.npy"])

    def test_also_where_the_result_is_json(self):
        process, _ = self.start(BIG)
        process.kill()
        process.wait(60)
        run(["bench", "calls", "--json", "new", *NOWHERE], self.folder)
        self.assertEqual(os.listdir(self.folder), [])

    def test_a_living_run_keeps_its_own(self):
        process, _ = self.waiting()
        self.succeed("diagonal", "NEW.npy", "--shape", "2,2", "--type", "u8", "--begin", "0",
                     "--end", "0")
        self.assertEqual(sorted(os.listdir(self.folder)), [self.name_of(process), "NEW.npy"])
        process.stdin.write(saved(np.arange(5, dtype="i4")))
        process.stdin.close()
        self.assertEqual(process.wait(support.TIMEOUT), 0)
        self.assertEqual(list(np.load(self.path("OUT.npy"))), [10])
        self.assertEqual(sorted(os.listdir(self.folder)), ["NEW.npy", "OUT.npy"])

    def test_it_is_the_lock_that_counts(self):
        """A file of such a name stays as long as anybody has its lock, and goes then."""
        process, name = self.waiting()
        process.kill()
        process.wait(60)
        with open(self.path(name), "rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            run(["reduce", "sum", "IN.npy", "OUT.npy"], self.folder)
            self.assertEqual(os.listdir(self.folder), [name])
        run(["reduce", "sum", "IN.npy", "OUT.npy"], self.folder)
        self.assertEqual(os.listdir(self.folder), [])

    def test_files_of_other_names_stay(self):
        """Of other hosts too, whose locks need not be seen here, and what is no file."""
        process, name = self.waiting()
        process.kill()
        process.wait(60)
        host, number = name[:15], name[15:]
        other = f"{int(host[7:15], 16) ^ 1:08x}"
        names = [".tally-" + other + number, name + "x", "x" + name, host + ".tmp",
                 host + "-12-34.tmp", ".tally-12-0.tmp", host + "--" + "0" * 16 + ".tmp"]
        for kept in names:
            self.write(kept, b"")
        os.rename(self.path(name), self.path(name[:-5] + "5.tmp"))
        os.mkdir(self.path(name[:-5] + "6.tmp"))
        os.symlink("/dev/null", self.path(name[:-5] + "7.tmp"))
        run(["reduce", "sum", "IN.npy", "OUT.npy"], self.folder)
        self.assertEqual(sorted(os.listdir(self.folder)),
                         sorted(names + [name[:-5] + "6.tmp", name[:-5] + "7.tmp"]))

    def test_runs_side_by_side_remove_nothing_of_each_other(self):
        """Each begins by looking for what was left, while others begin, write and end."""
        arguments = ["diagonal", "--shape", "40,40", "--type", "u8", "--value", "1", "--begin",
                     "0", "--end", "1", NO_CACHE]
        for _ in range(3):
            processes = [subprocess.Popen([support.program, *arguments, f"{i}.npy"],
                                          cwd=self.folder) for i in range(8)]
            for process in processes:
                self.assertEqual(process.wait(support.TIMEOUT), 0)
            self.assertEqual(sorted(os.listdir(self.folder)), [f"{i}.npy" for i in range(8)])
            for i in range(8):
                np.testing.assert_array_equal(np.load(self.path(f"{i}.npy")), np.eye(40, dtype="u1"))

    def test_the_folder_of_bench_start(self):
        """Removed by signals, with the process that was running; of a killed one by the next.

        A process that a killed one has started runs on, and holds the folder until it has ended.
        """
        os.mkdir(self.path("tmp"))
        arguments = ["bench", "start", "--only", "empty kernel", "--samples"]
        options = {"env": dict(os.environ, TMPDIR=self.path("tmp")), "cwd": self.folder,
                   "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        deadline = time.monotonic() + 60
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGKILL):
            with subprocess.Popen([support.program, *arguments, "1000"], start_new_session=True,
                                  **options) as process:
                while not os.listdir(self.path("tmp")) and time.monotonic() < deadline:
                    time.sleep(0.01)
                time.sleep(0.5)
                process.send_signal(number)
                self.assertEqual(process.wait(support.TIMEOUT), -number)
            self.assertEqual(len(os.listdir(self.path("tmp"))), number == signal.SIGKILL, number)
        with contextlib.suppress(ProcessLookupError):
            while time.monotonic() < deadline:
                os.killpg(process.pid, 0)
                time.sleep(0.01)
        subprocess.run([support.program, *arguments, "1"], check=True, **options)
        self.assertEqual(os.listdir(self.path("tmp")), [])

    def test_a_pipe_is_kept_in_no_file_that_has_a_name(self):
        """Killed while it keeps what comes through a pipe, it leaves nothing in $TMPDIR."""
        os.mkdir(self.path("kept"))
        process, _ = self.start(["reduce", "sum", "-", "OUT.npy"], stdin=subprocess.PIPE,
                                env=dict(os.environ, TMPDIR=self.path("kept")))
        process.stdin.write(bytes(1 << 20))
        process.stdin.flush()
        self.assertEqual(os.listdir(self.path("kept")), [])
        process.kill()
        process.wait(60)
        process.stdin.close()
        self.assertEqual(os.listdir(self.path("kept")), [])


if __name__ == "__main__":
    main()
