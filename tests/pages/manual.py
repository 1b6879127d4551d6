#!/usr/bin/env python3
"""manual.py PROGRAM FOLDER [unittest's arguments]: the pages of the manual in FOLDER/man1 are those of the
program's commands, say every word that --help says, and neither man nor mandoc finds anything wrong with them.
"""
import collections
import os
import pathlib
import re
import subprocess
import sys
import unittest

# Of the program's headings, which are capitals in a page.
HEADINGS = {"usage:", "arguments:", "commands:", "options:", "examples:", "exit", "status:"}


def output_of(*command, **environment):
    """What the command prints, on either stream."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60,
                          env=dict(os.environ, LC_ALL="C.UTF-8", **environment), check=False)
    if done.returncode != 0:
        raise AssertionError(f"{command} ended with {done.returncode}:\n{done.stdout}")
    return done.stdout


class Manual(unittest.TestCase):
    def setUp(self):
        listed = re.search(r"commands:\n(.*?)\n\n", output_of(program, "--help"), re.DOTALL)[1]
        self.commands = re.findall(r"^  (\w+) ", listed, re.MULTILINE)
        self.helps = {"tally": output_of(program, "--help")}
        self.helps.update((f"tally-{name}", output_of(program, name, "--help")) for name in self.commands)

    def test_names(self):
        self.assertGreater(len(self.commands), 4)
        self.assertEqual({path.name for path in pages.iterdir()}, {f"{name}.1" for name in self.helps})

    def test_lint(self):
        for name in self.helps:
            with self.subTest(name):
                self.assertEqual(output_of("mandoc", "-T", "lint", "-W", "warning", str(pages / f"{name}.1")), "")
                done = subprocess.run(["man", "--warnings", "-l", str(pages / f"{name}.1")], stderr=subprocess.PIPE,
                                      stdout=subprocess.DEVNULL, timeout=60, check=False)
                self.assertEqual((done.returncode, done.stderr), (0, b""))

    def test_words(self):
        for name, text in self.helps.items():
            with self.subTest(name):
                page = output_of("man", "-l", str(pages / f"{name}.1"), MANWIDTH="4000")
                missing = collections.Counter(text.split()) - collections.Counter(page.split())
                self.assertLessEqual(set(missing), HEADINGS)
                self.assertIn("SEE ALSO", page)


if len(sys.argv) < 3:
    sys.exit(__doc__)
program = os.path.abspath(sys.argv.pop(1))
pages = pathlib.Path(sys.argv.pop(1)).resolve() / "man1"
unittest.main(verbosity=2)
