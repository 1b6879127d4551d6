"""tally and the files that it writes: where an output may lie, and outputs that fail.

A failure costs exactly one line on stderr and exit status 1; whatever happens, the folder afterwards
holds what it held before or the complete output besides.
"""

import sys

sys.dont_write_bytecode = True  # keep the source tree as it is

import io
import os
import resource
import shutil
import signal
import stat
import subprocess
import tempfile
import time

import numpy as np

import support
from support import exactly, main
from support.files import FileTest, saved


class Outputs(FileTest):
    def setUp(self):
        super().setUp()
        self.array = np.arange(12, dtype="i4").reshape(3, 4)
        np.save(self.path("IN.npy"), self.array)
        self.sum = ["reduce", "sum", "IN.npy"]

    def test_the_output_may_be_the_input(self):
        self.succeed("scan", "sum", "IN.npy", "IN.npy", "--axis", "1")
        self.assertIsNone(exactly(np.cumsum(self.array, 1, "i4"))(np.load(self.path("IN.npy"))))
        self.succeed("diagonal", "IN.npy", "--input", "IN.npy", "--value", "-1", "--begin", "0",
                     "--end", "1")
        self.assertEqual(os.listdir(self.folder), ["IN.npy"])
        self.assertEqual(list(np.diag(np.load(self.path("IN.npy")))), [-1] * 3)

    def test_a_large_output_over_its_input(self):
        """The input is mapped while its name is given to the output."""
        array = np.ones((1000, 1000), "f4")
        np.save(self.path("IN.npy"), array)
        self.succeed("scan", "sum", "IN.npy", "IN.npy", "--axis", "1")
        expected = np.cumsum(array, 1, "f4")
        self.assertIsNone(exactly(expected)(np.load(self.path("IN.npy"))))

    def test_an_existing_output_is_replaced_and_keeps_its_permissions(self):
        self.write("OUT.npy", b"old")
        os.chmod(self.path("OUT.npy"), 0o640)
        self.succeed(*self.sum, "OUT.npy")
        self.assertEqual(np.load(self.path("OUT.npy")), [[66]])
        self.assertEqual(stat.S_IMODE(os.stat(self.path("OUT.npy")).st_mode), 0o640)
        mask = os.umask(0)
        os.umask(mask)
        self.succeed(*self.sum, "NEW.npy")
        self.assertEqual(stat.S_IMODE(os.stat(self.path("NEW.npy")).st_mode), 0o666 & ~mask)

    def test_a_link_stays_a_link(self):
        os.mkdir(self.path("there"))
        self.write("there/real.npy", b"old")
        os.symlink("there/real.npy", self.path("OUT.npy"))
        self.succeed(*self.sum, "OUT.npy")
        self.assertTrue(os.path.islink(self.path("OUT.npy")))
        self.assertEqual(np.load(self.path("there/real.npy")), [[66]])
        self.assertEqual(os.listdir(self.path("there")), ["real.npy"])

    def test_the_longest_name(self):
        name = "x" * 251 + ".npy"
        self.succeed(*self.sum, name)
        self.assertEqual(np.load(self.path(name)), [[66]])

    def test_positions_that_cannot_be_written(self):
        self.fail_with([*self.sum, "no-folder/OUT.npy"], "no-folder/OUT.npy: ",
                       "No such file or directory")
        self.fail_with([*self.sum, "IN.npy/OUT.npy"], "IN.npy/OUT.npy: ", "Not a directory")
        self.fail_with([*self.sum, self.folder], self.folder, "is a directory")
        self.fail_with([*self.sum, "/proc/OUT.npy"], "/proc/OUT.npy: cannot be written")
        self.fail_with([*self.sum, "x" * 256], "File name too long")
        self.fail_with([*self.sum, "/dev/full"], "/dev/full: ", "No space left on device")

    def test_permissions(self):
        """As root, for whom every folder is writable, in the name of nobody."""
        options = {"user": 65534, "group": 65534, "extra_groups": []} if os.geteuid() == 0 else {}
        # A program that counts its lines says where it can't: it can there.
        counts = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, counts)
        os.chmod(counts, 0o777)
        options["env"] = {"GCOV_PREFIX": counts}
        os.chmod(self.folder, 0o555)
        self.addCleanup(os.chmod, self.folder, 0o755)
        self.fail_with([*self.sum, "OUT.npy"], "OUT.npy: ", "Permission denied", **options)
        os.chmod(self.path("IN.npy"), 0)
        self.fail_with([*self.sum, "/dev/null"], "IN.npy: ", "Permission denied", **options)

    def test_failures_leave_the_old_output(self):
        self.write("OUT.npy", b"old")
        self.fail_with(["reduce", "l2", "IN.npy", "OUT.npy"], "l2", "i32")
        self.fail_with([*self.sum, "OUT.npy", "--axes", "2"], "axis 2", "rank 2")
        self.fail_with([*self.sum, "OUT.npy", "--device", "no such device"], "no such device")
        self.assertEqual(self.read("OUT.npy"), b"old")

    def test_a_disk_that_fills_up(self):
        """A limit on the size of files stands for the disk; what the driver writes is smaller."""
        big = ["diagonal", "OUT.npy", "--shape", "4096,4096", "--type", "u8", "--value", "1",
               "--begin", "0", "--end", "1"]
        self.succeed(*big)
        os.remove(self.path("OUT.npy"))

        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (8 << 20, 8 << 20))

        self.fail_with(big, "OUT.npy: cannot be written", "File too large", preexec_fn=limit)

    def test_devices_and_pipes_are_written_directly(self):
        self.succeed(*self.sum, "/dev/null")
        os.mkfifo(self.path("pipe"))
        with subprocess.Popen(["cat", "pipe"], cwd=self.folder, stdout=subprocess.PIPE) as reader:
            self.succeed(*self.sum, "pipe")
            self.assertEqual(np.load(io.BytesIO(reader.stdout.read())), [[66]])
        self.assertTrue(stat.S_ISFIFO(os.stat(self.path("pipe")).st_mode))

    def piped(self, arguments, given):
        """What the program makes of bytes on its standard input."""
        completed = subprocess.run([support.program, *arguments], cwd=self.folder, input=given,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   timeout=support.TIMEOUT, check=False)
        self.assertEqual(completed.stderr.decode(), "")
        self.assertEqual(completed.returncode, 0)
        return np.load(io.BytesIO(completed.stdout))

    def test_standard_input_and_output(self):
        """As -, and by their names; a large one too, of which a pipe takes only a part at once."""
        array = np.arange(300000, dtype="i4").reshape(3, 100000)
        given = saved(array)
        for source, sink in (("-", "-"), ("/dev/stdin", "/dev/stdout"), ("-", "/dev/stdout")):
            result = self.piped(["scan", "sum", source, sink, "--axis", "1", support.NO_CACHE],
                                given)
            np.testing.assert_array_equal(result, np.cumsum(array, 1, dtype="i4"))
        self.write("given.npy", given)
        with open(self.path("given.npy"), "rb") as file:
            subprocess.run([support.program, "reduce", "max", "-", "OUT.npy", support.NO_CACHE],
                           cwd=self.folder, stdin=file, timeout=support.TIMEOUT, check=True)
        self.assertEqual(np.load(self.path("OUT.npy")).ravel(), [299999])
        self.assertFalse(os.path.exists(self.path("-")))

    def test_a_pipe_that_cannot_be_kept(self):
        """It says so, and where."""
        completed = subprocess.run([support.program, "reduce", "sum", "-", "OUT.npy"],
                                   cwd=self.folder, input=saved(np.zeros(3, "f4")),
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False,
                                   timeout=support.TIMEOUT,
                                   env=dict(os.environ, TMPDIR="/no/such/folder"))
        self.assertEqual(completed.returncode, 1)
        self.assertIn("/no/such/folder", completed.stderr.decode())
        self.assertFalse(os.path.exists(self.path("OUT.npy")))

    def test_a_pipe_without_a_reader(self):
        os.mkfifo(self.path("pipe"))
        with subprocess.Popen(["head", "-c", "1", "pipe"], cwd=self.folder,
                              stdout=subprocess.DEVNULL):
            self.fail_with(["diagonal", "pipe", "--shape", "1000,1000", "--type", "f64", "--begin",
                            "0", "--end", "0"], "pipe: ", "Broken pipe")

    def test_signals_leave_nothing(self):
        big = ["diagonal", "OUT.npy", "--shape", "20000,20000", "--type", "u8", "--begin", "0",
               "--end", "0"]
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with subprocess.Popen([support.program, *big], cwd=self.folder) as process:
                deadline = time.monotonic() + 60
                while len(os.listdir(self.folder)) == 1 and time.monotonic() < deadline:
                    time.sleep(0.001)
                process.send_signal(number)
                status = process.wait(60)
            self.assertEqual(status, -number)
            self.assertEqual(os.listdir(self.folder), ["IN.npy"], f"after signal {number}")


if __name__ == "__main__":
    main()
