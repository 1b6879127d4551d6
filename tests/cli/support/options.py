"""A folder with one array, for commands whose options are tested."""

import os

import numpy as np

from support import FolderTest, run


class OptionTest(FolderTest):
    def setUp(self):
        super().setUp()
        self.array = np.arange(24, dtype="f4").reshape(2, 3, 4)
        np.save(self.path("IN.npy"), self.array)

    def tally(self, *arguments, **options):
        """Run a command that has to succeed."""
        result = run(arguments, self.folder, **options)
        self.assertEqual(result.status, 0, f"{result}\nexpected exit status 0")
        return result

    def output(self):
        """The output of the last command, which is removed."""
        array = np.load(self.path("OUT.npy"))
        os.remove(self.path("OUT.npy"))
        return array
