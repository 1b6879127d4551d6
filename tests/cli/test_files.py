"""tally and its files: every .npy it can take, every broken one, and outputs that fail.

A file that is refused costs exactly one line on stderr, which names the file and the fault, and
exit status 1; whatever happens, the folder afterwards holds what it held before or the complete
output besides.
"""

import sys

sys.dont_write_bytecode = True  # keep the source tree as it is

import io
import os
import random
import resource
import shutil
import signal
import stat
import struct
import subprocess
import tempfile
import time

import numpy as np

import support
from support import NO_CACHE, TALLY_NAME, TYPES, TestCase, exactly, main, run, share_has


def header(text, version=(1, 0), length=None):
    """A .npy file up to its data. length: what the file says, if that is not true."""
    text = text.encode("latin1") if isinstance(text, str) else text
    length = len(text) if length is None else length
    return b"\x93NUMPY" + bytes(version) + struct.pack(
        "<H" if version[0] == 1 else "<I", length) + text


def described(descr="'<f4'", order="False", shape="(3,)", version=(1, 0)):
    return header(f"{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}, }}\n", version)


def saved(array, version=(1, 0)):
    stream = io.BytesIO()
    np.lib.format.write_array(stream, array, version)
    return stream.getvalue()


class FileTest(TestCase):
    def setUp(self):
        self.holder = tempfile.TemporaryDirectory()
        self.addCleanup(self.holder.cleanup)
        self.folder = self.holder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, content):
        with open(self.path(name), "wb") as file:
            file.write(content)

    def read(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def listing(self):
        """Everything below the folder; of a file also its size and the time of its last change."""
        found = {}
        for folder, _, names in os.walk(self.folder):
            for name in names:
                about = os.lstat(os.path.join(folder, name))
                content = (about.st_size, about.st_mtime_ns) if stat.S_ISREG(about.st_mode) else ()
                found[os.path.relpath(os.path.join(folder, name), self.folder)] = (
                    about.st_ino, about.st_mode, *content)
        return found

    def succeed(self, *arguments, **options):
        result = run(arguments, self.folder, **options)
        self.assertTrue(result.status == 0 and result.out == "" and result.err == "",
                        f"{result}\nexpected exit status 0 and no output")
        return result

    def fail_with(self, arguments, *words, **options):
        """The command fails in one line that has these words, and leaves the folder as it was."""
        before = self.listing()
        result = run(arguments, self.folder, **options)
        self.assertEqual(result.status, 1, f"{result}\nexpected exit status 1")
        self.assertEqual(result.out, "", result)
        self.assertTrue(result.err.startswith("tally: ") and result.err.endswith("\n")
                        and result.err.count("\n") == 1,
                        f"{result}\nexpected one line 'tally: ...'")
        for word in words:
            self.assertIn(word, result.err, f"{result}\nexpected the word {word!r}")
        self.assertEqual(self.listing(), before, f"{result}\nexpected the folder as it was")


class Inputs(FileTest):
    def copy_of(self, content, expected):
        """The program reads this file as that array."""
        self.write("IN.npy", content)
        if expected.ndim >= 2:
            arguments = ["diagonal", "OUT.npy", "--input", "IN.npy", "--begin", "0", "--end", "0"]
        else:  # matrices only; the maximum of each element on its own is a copy as well
            arguments = ["reduce", "max", "IN.npy", "OUT.npy", "--axes", "none"]
        result = self.succeed(*arguments, NO_CACHE)
        difference = exactly(expected)(np.load(self.path("OUT.npy")))
        self.assertIsNone(difference, f"{result}\n{content[:128]!r}\n{difference}")

    def test_every_type_and_order(self):
        for i, dtype in enumerate(TYPES):
            for k, shape in enumerate(((), (3,), (3, 4), (2, 3, 4), (0, 4))):
                if not share_has(i + k):
                    continue
                array = np.arange(np.prod(shape, dtype=int)).astype(dtype).reshape(shape)
                self.copy_of(saved(array), array)
                if len(shape) > 1:
                    self.copy_of(saved(np.asfortranarray(array)), array)

    def test_the_output_is_as_numpy_writes_it(self):
        for shape in ((), (3,), (3, 4), (1,) * 8):
            self.copy_of(saved(np.ones(shape, "u1")), np.ones(shape, "u1"))
            content = self.read("OUT.npy")
            length = struct.unpack("<H", content[8:10])[0]
            self.assertEqual(content[:8], b"\x93NUMPY\x01\x00")
            self.assertEqual((10 + length) % 64, 0, "the data is not aligned as NumPy's")
            self.assertEqual(content[9 + length:10 + length], b"\n")
            text = content[10:10 + length].decode().rstrip()
            self.assertEqual(text, str({"descr": "|u1", "fortran_order": False,
                                        "shape": shape})[:-1]
                             + ", }")

    def test_versions_and_notations(self):
        array = np.arange(6, dtype="<f4").reshape(2, 3)
        data = array.tobytes()
        for version in ((1, 0), (2, 0), (3, 0)):
            self.copy_of(saved(array, version), array)
            self.copy_of(described(shape="(2, 3)", version=version) + data, array)
        for text in ("{'descr':'<f4','fortran_order':False,'shape':(2,3)}",
                     "{'shape': (2L, 3L), 'fortran_order': False, 'descr': '<f4'}\n",
                     '{"descr": "=f4", "fortran_order": False, "shape": (2, 3,), }\n',
                     " {\t'descr': 'f4', 'fortran_order' : False, 'shape': ( 2 , 3 ) } \n"):
            self.copy_of(header(text) + data, array)
        for descr in ("'|i1'", "'<i1'", "'>i1'", "'=i1'", "'i1'"):
            self.copy_of(described(descr, shape="(2, 3)") + bytes(range(6)),
                         np.arange(6, dtype="i1").reshape(2, 3))

    def test_large_files(self):
        """Large enough to be used where they are mapped, or, unaligned, copied in chunks."""
        array = np.arange(10_000_000, dtype="f4").reshape(1000, 10000)
        self.copy_of(saved(array), array)
        self.copy_of(saved(np.asfortranarray(array)), array)
        aligned = described(shape="(1000, 10000)")
        odd = aligned[:-1] + b" " * (1 - len(aligned) % 2) + b"\n"
        odd = header(odd[10:])
        self.assertEqual(len(odd) % 2, 1)
        self.copy_of(odd + array.tobytes(), array)

    def refuse(self, content, *words):
        self.write("IN.npy", content)
        for arguments in (["reduce", "sum", "IN.npy", "OUT.npy"],
                          ["diagonal", "OUT.npy", "--input", "IN.npy", "--begin", "0", "--end",
                           "0"]):
            self.fail_with(arguments, "tally: IN.npy: ", *words)

    def test_no_files(self):
        self.fail_with(["reduce", "sum", "missing.npy", "OUT.npy"], "missing.npy: ",
                       "No such file or directory")
        self.fail_with(["reduce", "sum", self.folder, "OUT.npy"], self.folder, "is a directory")
        self.fail_with(["reduce", "sum", "/dev/null", "OUT.npy"], "/dev/null: ",
                       "neither a file nor a pipe")
        os.mkfifo(self.path("pipe"))
        self.fail_with(["reduce", "sum", "pipe", "OUT.npy"], "pipe: ", "is empty")
        self.fail_with(["reduce", "sum", "-", "OUT.npy"], "standard input: ",
                       "neither a file nor a pipe")
        self.refuse(b"", "is empty")
        long = "x" * 250 + "/" + "y" * 250 + "/" + "z" * 250
        self.fail_with(["reduce", "sum", long, "OUT.npy"], "zzzz: ", "No such file or directory")

    def test_a_name_with_a_newline_stays_on_one_line(self):
        self.fail_with(["reduce", "sum", "a\nb\x1b[31m.npy", "OUT.npy"], "a b [31m.npy: ")

    def test_broken_starts(self):
        good = saved(np.zeros(3, "f4"))
        self.refuse(b"PK\x03\x04" + good[4:], "is a broken .npz file")
        self.refuse(b"hello\n", "is not a .npy file")
        for length in (1, 5, 6, 7, 8, 9):
            self.refuse(good[:length], "is cut off in its header", f"{length} bytes")
        self.refuse(good[:60], "is cut off in its header", "118", "50")
        self.refuse(saved(np.zeros(3, "f4"), (2, 0))[:11], "is cut off in its header")
        self.refuse(header("{}", (2, 0), 0xFFFFFFFF), "is cut off", "4294967295", "2 found")
        for version in ((0, 0), (1, 1), (4, 0), (255, 255)):
            self.refuse(header("{}", version), "version %d.%d" % version, "1.0, 2.0 and 3.0")

    def test_broken_headers(self):
        whole = "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }"
        for key in ("descr", "fortran_order", "shape"):
            start = whole.index(f"'{key}'")
            end = whole.index(", ", whole.index(":", start)) + 2
            self.refuse(header(whole[:start] + whole[end:]) + bytes(12), f"'{key}' is missing")
        self.refuse(header("") + bytes(12), "broken header")
        self.refuse(header("\xff\xfe\x00\x01" * 20) + bytes(12), "broken header", "0xff")
        self.refuse(header("import os") + bytes(12), "broken header", "import os")
        for text in ("[1, 2]", "{", "{'descr'", "{'descr':", "{'descr': '<f4", "{'descr': '<f4'",
                     whole[:-1], whole + "x", whole + "{}", whole.replace("descr", "descry"),
                     whole[:-1] + "'extra': 1, }", whole[:-1] + "'shape': (3,), }",
                     whole.replace("(3,)", "3"), whole.replace("(3,)", "(3)"),
                     whole.replace("(3,)", "(3,"), whole.replace("(3,)", "(3 4)"),
                     whole.replace("(3,)", "[3]"), whole.replace("(3,)", "(3.5,)"),
                     whole.replace("(3,)", "(,)"), whole.replace("(3,)", "('3',)"),
                     whole.replace("False", "0"), whole.replace("False", "None"),
                     whole.replace(", 'fort", " 'fort"), whole.replace("'<f4'", "f4"),
                     whole.replace("'<f4'", "None"), whole.replace(":", "", 1)):
            self.refuse(header(text) + bytes(12), "broken header")

    def test_types_that_tally_has_not(self):
        for dtype in ("c8", "c16", "S4", "U4", "M8[s]", "m8[ns]", "V4", "f16"):
            self.refuse(saved(np.zeros(3, dtype)), "element type", "f2 f4 f8")
        self.refuse(described("'|O'") + bytes(12), "element type", "|O")
        self.refuse(described("'<f3'") + bytes(12), "element type", "<f3")
        self.refuse(described("''") + bytes(12), "element type")
        self.refuse(described("'<'") + bytes(12), "element type")
        self.refuse(saved(np.zeros(3, [("a", "f4"), ("b", "i4")])), "structured", "('a', '<f4')")
        self.refuse(described("('<f4', (2,))") + bytes(24), "structured")

    def test_shapes_that_tally_has_not(self):
        self.refuse(saved(np.zeros((1,) * 9, "f4")), "rank 9", "8")
        self.refuse(described(shape="(" + "1, " * 40 + ")") + bytes(4), "rank 40", "8")
        self.refuse(described(shape="(-3,)") + bytes(12), "negative", "-3")
        self.refuse(described(shape="(3, -1)") + bytes(12), "negative", "-1")
        for shape in ("(4294967296, 4294967296)", "(9223372036854775807,)",
                      "(2305843009213693952, 2)", "(65536, 65536, 65536, 65536)"):
            self.refuse(described(shape=shape) + bytes(12), "2^63 - 1 bytes", shape)
        self.refuse(described(shape="(18446744073709551616,)") + bytes(12), "2^64 - 1",
                    "18446744073709551616")
        self.refuse(described(shape="(9223372036854775808,)", descr="'|u1'"), "2^63 - 1 bytes")

    def test_data_of_another_length(self):
        for found in (0, 1, 11):
            self.refuse(described() + bytes(found), "cut off in its data", "(3,) of f4", "12 bytes",
                        f"{found} found")
        for found in (13, 24):
            self.refuse(described() + bytes(found), "too long", "12 bytes", f"{found} found")
        self.refuse(described(shape="()") + bytes(3), "() of f4", "4 bytes", "3 found")
        self.refuse(described(shape="(0, 5)") + bytes(1), "too long", "0 bytes", "1 found")
        self.refuse(described(shape="(1000000, 1000000)") + bytes(8), "4000000000000 bytes",
                    "8 found")

    def test_an_input_larger_than_the_device_allocates(self):
        small = {"POCL_MEMORY_LIMIT": "1"}  # in GiB; for other drivers the test takes longer
        listed = run(["devices", "--device", "0"], self.folder, small).out
        limit = int(listed.split("largest buffer")[1].split("(")[1].split()[0])
        count = limit // 8 + 1
        start = described("'<f8'", shape=f"({count},)")
        self.write("IN.npy", start)
        os.truncate(self.path("IN.npy"), len(start) + 8 * count)  # sparse
        done = run(["reduce", "max", "IN.npy", "OUT.npy", "--device", "0", "--explain"], self.folder,
                   small)
        self.assertEqual(done.status, 0, done)
        self.assertIn("a stream of ", done.err)
        np.testing.assert_array_equal(np.load(self.path("OUT.npy")), np.zeros(1, "f8"))

    def test_mutated_headers_never_crash(self):
        source = random.Random(1)
        good = saved(np.arange(12, dtype="f4").reshape(3, 4))
        taken = 0
        for _ in range(400):
            content = bytearray(good)
            for _ in range(source.randint(1, 3)):
                place = source.randrange(80)
                kind = source.randrange(3)
                if kind == 0:
                    content[place] = source.choice(b"0123456789,(){}'\"<>|=-LTF fiu\x00\xff")
                elif kind == 1:
                    del content[place:place + source.randint(1, 20)]
                else:
                    content[place:place] = content[source.randrange(80):][:source.randint(1, 20)]
            self.write("IN.npy", bytes(content))
            # An axis that does not exist: what the parser lets through stops before the device.
            result = run(["scan", "max", "IN.npy", "OUT.npy", "--axis", "8"], self.folder)
            taken += "axis 8 does not exist" in result.err
            self.assertTrue(result.status == 1 and result.err.count("\n") == 1,
                            f"{result}\n{bytes(content)!r}")
        self.assertTrue(0 < taken < 400, f"{taken} of 400 files were taken")


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
