"""tally and the files that it reads: every .npy it can take, and every broken one.

A file that is refused costs exactly one line on stderr, which names the file and the fault, and
exit status 1; the folder afterwards holds what it held before.
"""

import sys

sys.dont_write_bytecode = True  # keep the source tree as it is

import os
import random
import struct

import numpy as np

from support import NO_CACHE, TYPES, exactly, main, run, share_has
from support.files import FileTest, described, header, saved


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


if __name__ == "__main__":
    main()
