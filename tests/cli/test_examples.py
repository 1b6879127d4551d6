"""tally's examples: each command's help has some, and the program does what they ask.

Those of bench and verify take minutes. A device that is not there ends them after their options were taken.
"""

import sys

sys.dont_write_bytecode = True  # keep the source tree as it is

import os
import re
import subprocess

import numpy as np

import support
from support import FolderTest, main, run

LONG = ("bench", "verify")


class ExamplesTest(FolderTest):
    def find_examples(self, command):
        text = run([command, "--help"], self.folder).out
        found = re.search(r"\nexamples:\n(.*?)\n\n", text, re.DOTALL)
        self.assertIsNotNone(found, f"{command} --help has no examples")
        lines = re.findall(r"^  (\S.*)\n      \S", found[1] + "\n", re.MULTILINE)
        self.assertEqual(2 * len(lines), found[1].count("\n") + 1, found[1])
        return lines

    def run_line(self, line):
        """Through a shell that finds the program by its name, in a folder with what examples read."""
        bin_folder = os.path.dirname(support.program)
        environment = dict(os.environ, PATH=f"{bin_folder}:{os.environ['PATH']}",
                           XDG_CACHE_HOME=self.path("cache"))
        np.save(self.path("in.npy"), np.ones((3, 4, 5), "f4"))
        np.save(self.path("large.npy"), np.ones((300, 200), "f4"))
        return subprocess.run(["bash", "-c", f"set -o pipefail; {line}"], cwd=self.folder, env=environment,
                              capture_output=True, text=True, timeout=support.TIMEOUT, check=False)

    def check_short(self, line):
        done = self.run_line(line)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for name in re.findall(r"\bout\.npy", line):
            self.assertGreater(np.load(self.path(name)).size, 0)
            os.remove(self.path(name))

    def check_long(self, line):
        done = self.run_line(f"{line} --device 99")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("99: there is no device of this number", done.stderr)

    def test_examples(self):
        text = run(["--help"], self.folder).out
        commands = re.findall(r"^  (\w+) ", text, re.MULTILINE)
        self.assertGreater(len(commands), 4)
        for command in commands:
            for line in self.find_examples(command):
                with self.subTest(line):
                    (self.check_long if command in LONG else self.check_short)(line)


if __name__ == "__main__":
    main()
