"""A folder with one array, for commands whose options are tested."""

import os
import tempfile

import numpy as np

from support import TestCase, run


class OptionTest(TestCase):
    def setUp(self):
        self.holder = tempfile.TemporaryDirectory()
        self.addCleanup(self.holder.cleanup)
        self.folder = self.holder.name
        self.array = np.arange(24, dtype="f4").reshape(2, 3, 4)
        np.save(self.path("IN.npy"), self.array)

    def path(self, name):
        return os.path.join(self.folder, name)

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
