#!/usr/bin/env python3
"""completions.py FOLDER [unittest's arguments]: bash, zsh and fish load the completions that are in FOLDER, and
complete what is typed. The former two are typed to as by a person, through a terminal.
"""
import os
import pathlib
import pty
import select
import subprocess
import sys
import tempfile
import time
import unittest

TIMEOUT = 30  # seconds of a line

# What is typed, and what stands there after the tabulator.
LINES = [
    ("tally dia", "tally diagonal"),
    ("tally vers", "tally version"),
    ("tally help sc", "tally help scan"),
    ("tally reduce log_sum_", "tally reduce log_sum_exp"),
    ("tally reduce --squ", "tally reduce --squeeze"),
    ("tally reduce --axes -1 --tie la", "tally reduce --axes -1 --tie last"),
    ("tally reduce --tie=la", "tally reduce --tie=last"),
    ("tally explain reduce sum --family gen", "tally explain reduce sum --family generic"),
    ("tally scan mu", "tally scan multiply"),
    ("tally scan sum an-arr", "tally scan sum an-array.npy"),
    ("tally diagonal --input an-arr", "tally diagonal --input an-array.npy"),
    ("tally cache cl", "tally cache clear"),
]


class Shell:
    """An interactive shell at a terminal of its own, in a folder."""

    def __init__(self, command, at):
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            os.chdir(at)
            os.execvpe(command[0], command, {"PATH": os.environ["PATH"], "HOME": at, "TERM": "dumb", "LC_ALL": "C"})
        self.seen = ""

    def type_keys(self, keys):
        os.write(self.terminal, keys.encode())

    def wait_for(self, text):
        """Read until the text was printed; what came before it."""
        end = time.monotonic() + TIMEOUT
        while text not in self.seen:
            if not select.select([self.terminal], [], [], max(0, end - time.monotonic()))[0]:
                raise AssertionError(f"{text!r} did not come within {TIMEOUT} s, but\n{self.seen}")
            self.seen += os.read(self.terminal, 4096).decode(errors="replace")
        before, self.seen = self.seen.split(text, 1)
        return before

    def complete(self, line):
        """The line after the tabulator: it becomes the argument of a command that prints it."""
        self.type_keys(f"{line}\t\x01print_line \x05\r")
        self.wait_for("<<")
        return self.wait_for(">>").strip()

    def close(self):
        os.close(self.terminal)
        os.waitpid(self.process, 0)


class Completions(unittest.TestCase):
    def setUp(self):
        self.at = tempfile.TemporaryDirectory()
        self.addCleanup(self.at.cleanup)
        pathlib.Path(self.at.name, "an-array.npy").write_bytes(b"")

    def check_shell(self, command, setup):
        shell = Shell(command, self.at.name)
        self.addCleanup(shell.close)
        # The quotes keep what is typed from looking like what is printed.
        shell.type_keys(f"{setup}; print_line() {{ printf '<''<%s>''>\\n' \"$*\"; }}; printf 'rea''dy\\n'\r")
        shell.wait_for("ready")
        for line, expected in LINES:
            with self.subTest(line):
                self.assertEqual(shell.complete(line), expected)

    def test_bash(self):
        self.check_shell(["bash", "--norc", "--noprofile", "-i"], f"PS1='$ '; . '{folder}/bash/tally'")

    def test_zsh(self):
        self.check_shell(["zsh", "-f", "-i"], f"PS1='$ '; bindkey -e; fpath=('{folder}/zsh' $fpath); "
                         "autoload -Uz compinit; compinit -u -D")

    def test_fish(self):
        for line, expected in LINES:
            with self.subTest(line):
                script = f"source '{folder}/fish/tally.fish'; complete -C '{line}'"
                done = subprocess.run(["fish", "--no-config", "-c", script], capture_output=True, text=True,
                                      cwd=self.at.name, timeout=TIMEOUT, check=False,
                                      env=dict(os.environ, HOME=self.at.name))
                words = [row.split("\t")[0] for row in done.stdout.splitlines()]
                self.assertEqual((done.returncode, done.stderr, words), (0, "", [expected.split()[-1]]))


if len(sys.argv) < 2:
    sys.exit(__doc__)
folder = pathlib.Path(sys.argv.pop(1)).resolve()
unittest.main(verbosity=2)
