"""tally and arrays that are not used as they lie: members of .npz files, booleans, big-endian
elements. NumPy writes them, and computes what the results have to be.
"""

import sys

sys.dont_write_bytecode = True  # keep the source tree as it is

import io
import os
import random
import struct
import subprocess
import zipfile
import zlib

import numpy as np

import support
from support import NO_CACHE, TYPES, exactly, main, not_on_windows, run, share_has
from support.files import FileTest, described, saved

LOCAL, ENTRY, END = b"PK\x03\x04", b"PK\x01\x02", b"PK\x05\x06"


def archive(members, method=zipfile.ZIP_STORED):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as made:
        for name, content in members.items():
            made.writestr(name, content)
    return stream.getvalue()


def patched(content, mark, offset, form, value):
    """The number behind a mark, the last one in the file, is another one."""
    content = bytearray(content)
    struct.pack_into(form, content, content.rindex(mark) + offset, value)
    return bytes(content)


def archive_64(name, content):
    """All numbers that can be are in the fields of 64 bits, as those of large members are."""
    name, most = name.encode(), 0xFFFFFFFF
    local = LOCAL + struct.pack("<HHHHHIIIHH", 45, 0, 0, 0, 0, zlib.crc32(content), most, most,
                                len(name), 20)
    local += name + struct.pack("<HHQQ", 1, 16, len(content), len(content))
    entry = ENTRY + struct.pack("<HHHHHHIIIHHHHHII", 45, 45, 0, 0, 0, 0, zlib.crc32(content), most,
                                most, len(name), 36, 0, 0, 0, 0, most)
    entry += name + struct.pack("<HHQ", 0x7777, 4, 0)[:8]
    entry += struct.pack("<HHQQQ", 1, 24, len(content), len(content), 0)
    where = len(local) + len(content)
    end = b"PK\x06\x06" + struct.pack("<QHHIIQQQQ", 44, 45, 45, 0, 0, 1, 1, len(entry), where)
    end += b"PK\x06\x07" + struct.pack("<IQI", 0, where + len(entry), 1)
    end += END + struct.pack("<HHHHIIH", 0, 0, 0xFFFF, 0xFFFF, most, most, 0)
    return local + content + entry + end


class Npz(FileTest):
    def setUp(self):
        super().setUp()
        self.array = np.arange(24, dtype="f4").reshape(4, 6)

    def sums(self, source, expected):
        self.succeed("reduce", "sum", source, "OUT.npy", "--axes", "0", "--squeeze", NO_CACHE)
        self.assertIsNone(exactly(expected)(np.load(self.path("OUT.npy"))))

    def test_members(self):
        wanted = self.array.sum(0)
        for save in (np.savez, np.savez_compressed):
            save(self.path("one.npz"), self.array)
            save(self.path("two.npz"), x=self.array, y=np.asfortranarray(self.array * 2))
            self.sums("one.npz", wanted)
            self.sums("one.npz:arr_0", wanted)
            self.sums("two.npz:x", wanted)
            self.sums("two.npz:x.npy", wanted)
            self.sums("two.npz:y", 2 * wanted)

    def test_large_members(self):
        """Larger than what is unpacked at once; random bits hardly become smaller."""
        array = np.random.default_rng(1).integers(0, 1 << 30, (500, 1000), "i4")
        for save in (np.savez, np.savez_compressed):
            save(self.path("in.npz"), array)
            self.sums("in.npz", array.sum(0, "i4"))

    def test_through_a_pipe(self):
        stream = io.BytesIO()
        np.savez_compressed(stream, self.array)
        completed = subprocess.run([support.program, "reduce", "sum", "-", "-", NO_CACHE],
                                   input=stream.getvalue(), stdout=subprocess.PIPE, check=True)
        self.assertEqual(np.load(io.BytesIO(completed.stdout)), [[self.array.sum()]])

    def test_as_the_input_of_all_commands(self):
        np.savez_compressed(self.path("in.npz"), a=self.array, b=self.array)
        self.succeed("scan", "sum", "in.npz:a", "OUT.npy", "--axis", "1", NO_CACHE)
        np.testing.assert_array_equal(np.load(self.path("OUT.npy")), self.array.cumsum(1))
        self.succeed("diagonal", "OUT.npy", "--input", "in.npz:b", "--begin", "0", "--end", "0")
        np.testing.assert_array_equal(np.load(self.path("OUT.npy")), self.array)
        self.succeed("reduce", "max", "in.npz:a", "OUT.npy", "--memory", "100", NO_CACHE)
        self.assertEqual(np.load(self.path("OUT.npy")), [[23]])

    @not_on_windows
    def test_a_file_that_has_such_a_name_itself(self):
        np.save(self.path("a.npz:x"), self.array)
        os.rename(self.path("a.npz:x.npy"), self.path("a.npz:x"))
        self.sums("a.npz:x", self.array.sum(0))

    def test_numbers_of_64_bits(self):
        self.write("in.npz", archive_64("x.npy", saved(self.array)))
        self.assertTrue(np.array_equal(np.load(self.path("in.npz"))["x"], self.array),
                        "NumPy reads it otherwise")
        self.sums("in.npz:x", self.array.sum(0))

    def test_archives_with_comments_and_folders(self):
        stream = io.BytesIO()
        with zipfile.ZipFile(stream, "w") as made:
            made.comment = b"PK\x05\x06" + b"x" * 3000
            made.writestr("deep/x.npy", saved(self.array))
        self.write("in.npz", stream.getvalue())
        self.sums("in.npz:deep/x", self.array.sum(0))

    def test_wrong_names(self):
        np.savez(self.path("in.npz"), weight=self.array, bias=self.array)
        np.save(self.path("in.npy"), self.array)
        total = ["reduce", "sum"]
        self.fail_with([*total, "in.npz", "OUT.npy"], "in.npz: has 2 arrays", "FILE.npz:NAME",
                       "weight bias")
        self.fail_with([*total, "in.npz:wieght", "OUT.npy"], "in.npz:wieght: has no array 'wieght'",
                       "did you mean weight?", "weight bias")
        self.fail_with([*total, "in.npz:", "OUT.npy"], "in.npz:: has no array ''")
        self.fail_with([*total, "no.npz:x", "OUT.npy"], "no.npz:x: cannot be opened")
        self.write("text.npz", saved(self.array))
        self.fail_with([*total, "text.npz:x", "OUT.npy"], "is no .npz file")
        self.write("none.npz", archive({}))
        self.fail_with([*total, "none.npz", "OUT.npy"], "has no arrays")

    def refuse(self, content, *words):
        self.write("in.npz", content)
        self.fail_with(["reduce", "sum", "in.npz", "OUT.npy"], "tally: in.npz: ", *words)

    def test_broken_archives(self):
        for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            good = archive({"x.npy": saved(self.array)}, method)
            for length in (4, 30, 100, len(good) - 22, len(good) - 1):
                self.refuse(good[:length], "is a broken .npz file", "it is cut off")
            self.refuse(patched(good, ENTRY, 16, "<I", 1), "checksum", "00000001 is said")
            self.refuse(patched(good, ENTRY, 10, "<H", 12), "method 12", "stored (0)")
            self.refuse(patched(good, ENTRY, 8, "<H", 1), "is encrypted")
            self.refuse(patched(good, ENTRY, 42, "<I", 5), "not where its directory says")
            self.refuse(patched(good, ENTRY, 20, "<I", 1 << 30), "broken")
            self.refuse(patched(good, ENTRY, 20, "<I", 0xFFFFFFFF), "64 bits are missing")
            self.refuse(patched(good, ENTRY, 28, "<H", 6000), "its directory ends too early")
            self.refuse(patched(good, END, 16, "<I", 1 << 30), "its directory is not where it says")
            self.refuse(patched(good, END, 10, "<H", 2), "its directory ends too early")
            self.refuse(patched(good, LOCAL, 30, "<B", 0x79), "another name")
        good = archive({"x.npy": saved(self.array)}, zipfile.ZIP_DEFLATED)
        self.refuse(patched(good, ENTRY, 24, "<I", 5), "unpacks to more than 5 bytes")
        self.refuse(patched(good, ENTRY, 24, "<I", 5000), "5000 are said")
        data = good.index(b"x.npy") + 5
        self.refuse(good[:data] + b"\xff" * 20 + good[data + 20:], "cannot be unpacked")
        stored = archive({"x.npy": saved(self.array)})
        self.refuse(patched(stored, ENTRY, 24, "<I", 5), "two sizes")
        self.refuse(stored.replace(b"\x00\x00\xa8\x41", b"\x00\x00\xa8\x42"), "checksum")

    def test_members_that_are_no_arrays(self):
        for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            self.refuse(archive({"x.npy": b"hello"}, method), "is not a .npy file")
            self.refuse(archive({"x.npy": b""}, method), "is empty")
            self.refuse(archive({"x.npy": saved(self.array)[:-1]}, method), "cut off in its data")
            self.refuse(archive({"x.npy": described("'|O'") + bytes(12)}, method), "element type")

    def test_mutated_archives_never_crash(self):
        source = random.Random(1)
        goods = [archive({"x.npy": saved(self.array)}, method)
                 for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)]
        goods.append(archive_64("x.npy", saved(self.array)))
        for _ in range(80):
            content = bytearray(source.choice(goods))
            for _ in range(source.randint(1, 3)):
                content[source.randrange(len(content))] = source.choice((0, 1, 255, 80, 6))
            self.write("IN.npz", bytes(content))
            result = run(["scan", "max", "IN.npz", "OUT.npy", "--axis", "8"], self.folder)
            self.assertTrue(result.status == 1 and result.err.count("\n") == 1,
                            f"{result}\n{bytes(content)!r}")


class Booleans(FileTest):
    """Counted as NumPy counts them, in int64; else unsigned bytes."""

    def setUp(self):
        super().setUp()
        self.array = np.random.default_rng(1).random((50, 70)) < 0.3

    def check(self, arguments, expected):
        for order in (np.ascontiguousarray, np.asfortranarray):
            np.save(self.path("IN.npy"), order(self.array))
            self.succeed(*arguments, NO_CACHE)
            self.assertIsNone(exactly(expected)(np.load(self.path("OUT.npy"))), arguments)

    def test_counts(self):
        counts = self.array.sum(1)
        self.assertEqual(counts.dtype, np.int64)
        for name in ("sum", "l1", "sum_square"):
            self.check(["reduce", name, "IN.npy", "OUT.npy", "--axes", "1", "--squeeze"], counts)
        self.check(["reduce", "multiply", "IN.npy", "OUT.npy", "--axes", "1", "--squeeze"],
                   self.array.prod(1))
        self.check(["scan", "sum", "IN.npy", "OUT.npy", "--axis", "0"], self.array.cumsum(0))

    def test_any_and_all(self):
        self.array[3] = False
        self.array[4] = True
        for name, of in (("max", np.any), ("min", np.all)):
            self.check(["reduce", name, "IN.npy", "OUT.npy", "--axes", "1", "--squeeze"],
                       of(self.array, 1).astype("u1"))
        self.check(["reduce", "argmax", "IN.npy", "OUT.npy", "--axes", "0", "--squeeze"],
                   self.array.argmax(0))
        self.check(["scan", "max", "IN.npy", "OUT.npy", "--axis", "1"],
                   np.logical_or.accumulate(self.array, 1).astype("u1"))

    def test_fills(self):
        expected = self.array.astype("u1")
        np.fill_diagonal(expected, 7)
        self.check(["diagonal", "OUT.npy", "--input", "IN.npy", "--value", "7", "--begin", "0",
                    "--end", "1"], expected)

    def test_no_meaning(self):
        np.save(self.path("IN.npy"), self.array)
        for name in ("average", "l2", "log_sum"):
            self.fail_with(["reduce", name, "IN.npy", "OUT.npy"], name, "u8")

    def test_empty_ones(self):
        self.array = np.zeros((0, 4), "?")
        self.check(["reduce", "sum", "IN.npy", "OUT.npy", "--axes", "0", "--squeeze"],
                   self.array.sum(0))

    def test_bytes_that_are_no_booleans(self):
        """Any but 0 is true, as in C."""
        self.write("IN.npy", described("'|b1'", shape="(4,)") + b"\x00\x01\x02\xff")
        self.succeed("reduce", "sum", "IN.npy", "OUT.npy", NO_CACHE)
        self.assertEqual(np.load(self.path("OUT.npy")), [3])


class BigEndian(FileTest):
    def test_every_type_and_order(self):
        layouts = (((), "C"), ((300, 500), "C"), ((30, 50), "F"), ((0, 4), "C"))
        for i, dtype in enumerate(TYPES):
            for k, (shape, order) in enumerate(layouts):
                if not share_has(i + k, 3):
                    continue
                array = np.arange(np.prod(shape, dtype=int)).astype(dtype).reshape(shape)
                self.write("IN.npy", saved(np.asarray(array, ">" + dtype, order=order)))
                self.succeed("reduce", "max", "IN.npy", "OUT.npy", "--axes", "none", NO_CACHE)
                self.assertIsNone(exactly(array)(np.load(self.path("OUT.npy"))), dtype)

    def test_in_pieces_and_in_archives(self):
        array = np.random.default_rng(1).standard_normal((60, 500)).astype(">f4")
        np.savez_compressed(self.path("IN.npz"), a=array)
        self.succeed("scan", "max", "IN.npz", "OUT.npy", "--axis", "0", "--memory", "40K", NO_CACHE)
        expected = np.maximum.accumulate(array, 0).astype("<f4")
        self.assertIsNone(exactly(expected)(np.load(self.path("OUT.npy"))))


if __name__ == "__main__":
    main()
