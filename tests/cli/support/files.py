"""A folder with files for the tally program, .npy files as they are written by others, and what a command
leaves of it all.
"""

import io
import os
import stat
import struct

import numpy as np

from support import FolderTest, run


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


class FileTest(FolderTest):
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
