"""tally's options about what it tells and where it computes: --device and the list of devices, --explain,
--time, and the progress that a terminal sees.
"""

import sys

sys.dont_write_bytecode = True  # keep the source tree as it is

import os
import re
import subprocess
import threading
import time

from support import main, run, seen_on_terminal
from support.options import OptionTest


class Devices(OptionTest):
    LABELS = ["vendor", "platform", "driver", "version", "type", "compute units", "global memory",
              "local memory", "largest buffer", "work-group limit", "fp64", "accepted",
              "guaranteed bits", "single-pass scans", "command buffers"]

    def names(self, result):
        return re.findall(r"^\d+: (.*)$", result.out, re.MULTILINE)

    def test_list(self):
        result = self.tally("devices")
        self.assertEqual(result.err, "")
        blocks = re.split(r"^\d+: .*\n", result.out, flags=re.MULTILINE)[1:]
        self.assertEqual(len(blocks), len(self.names(result)))
        for block in blocks:
            rows = [(line[4:22].strip(), line[22:]) for line in block.splitlines()]
            self.assertEqual([label for label, _ in rows], self.LABELS)
            self.assertNotIn("", [text for _, text in rows])
        self.assertIn("accepted          yes\n", result.out)
        self.assertIn("guaranteed bits   yes\n", result.out)
        self.assertRegex(result.out, r"command buffers   yes: version 0\.9\.\d\n")
        self.assertEqual(self.tally("devices", "--quiet").out, result.out)
        self.assertRegex(self.tally("devices", "--time").err, r"^wall \d+\.\d{3} ms\n$")

    def test_choosing(self):
        names = self.names(self.tally("devices"))
        for i, name in enumerate(names):
            for text in (str(i), name, name.upper(), name.lower()[1:-1]):
                line = ["reduce", "sum", "IN.npy", "OUT.npy", "--device", text]
                fitting = [n for n in names if text.lower() in n.lower()]
                if not text.isdigit() and len(fitting) > 1:
                    self.refuse(text, "several")
                    continue
                self.tally(*line)
                self.assertEqual(self.output(), self.array.sum())
                self.assertEqual(self.names(self.tally("devices", "--device", text)), [name])

    def refuse(self, text, *words, env=None):
        for line in (["reduce", "sum", "IN.npy", "OUT.npy"], ["devices"]):
            result = run([*line, "--device", text], self.folder, env)
            self.assertEqual(result.status, 1, result)
            self.assertEqual(result.out, "", result)
            self.assertEqual(result.err.count("\n"), 1, result)
            for word in ("tally: --device: ", text, *words):
                self.assertIn(word, result.err)
            self.assertEqual(os.listdir(self.folder), ["IN.npy"])

    def test_absent(self):
        names = self.names(self.tally("devices"))
        for text in (str(len(names)), "99999999999999999999", "no such device"):
            self.refuse(text, *(f"{i} {name}" for i, name in enumerate(names)))

    def test_ambiguous(self):
        """PoCL can be told to show its device several times; another driver shows what it shows."""
        env = {"POCL_DEVICES": "pthread pthread basic"}
        result = self.tally("devices", env=env)
        names = self.names(result)
        self.assertGreaterEqual(len(names), 3, "this test needs PoCL, as its packages give it")
        self.assertEqual(re.findall(r"^(\d+): ", result.out, re.MULTILINE),
                         [str(i) for i in range(len(names))])
        both = [i for i, name in enumerate(names) if "pthread" in name]
        self.refuse("PTHREAD", "several", *(f"{i} {names[i]}" for i in both), env=env)
        only = self.names(self.tally("devices", "--device", "basic", env=env))
        self.assertEqual(only, [name for name in names if "basic" in name])
        last = str(len(names) - 1)
        self.tally("reduce", "sum", "IN.npy", "OUT.npy", "--device", last, env=env)
        self.assertEqual(self.output(), self.array.sum())

    def test_none(self):
        env = {"OCL_ICD_VENDORS": self.path("no-vendors")}
        for line in (["devices"], ["reduce", "sum", "IN.npy", "OUT.npy"]):
            result = run(line, self.folder, env)
            self.assertEqual(result.status, 1, result)
            self.assertRegex(result.err,
                             r"^tally: there is no OpenCL device; install .*pocl-opencl-icd.*\n$")
            self.assertEqual(result.out, "")
            self.assertEqual(os.listdir(self.folder), ["IN.npy"])


TIMES = (r"^kernels \d+\.\d{3} ms, wall \d+\.\d{3} ms \(device \d+\.\d{3}, compile \d+\.\d{3}, "
         r"read \d+\.\d{3}, run \d+\.\d{3}, write \d+\.\d{3}\)$")


class Reports(OptionTest):
    LINES = (["reduce", "sum", "IN.npy", "OUT.npy"],
             ["scan", "sum", "IN.npy", "OUT.npy", "--axis", "0"],
             ["diagonal", "OUT.npy", "--input", "IN.npy", "--value", "1", "--begin", "0", "--end",
              "1"])

    def test_explain(self):
        for line in self.LINES:
            result = self.tally(*line, "--explain")
            self.assertEqual(result.out, "", result)
            self.assertRegex(result.err, r"^1: tally_\w+")
            self.assertTrue(result.err.endswith("\n"), result)
            self.output()

    def test_time(self):
        for line in self.LINES:
            result = self.tally(*line, "--time")
            self.assertEqual(result.out, "", result)
            self.assertRegex(result.err.rstrip("\n"), TIMES)
            kernels, wall = map(float, re.findall(r"(?:kernels|wall) (\S+) ms", result.err))
            self.assertLess(kernels, wall)
            self.output()

    def test_together(self):
        result = self.tally(*self.LINES[0], "--quiet", "--explain", "--time")
        lines = result.err.splitlines()
        self.assertRegex(lines[0], "^1: tally_")
        self.assertRegex(lines[-1], TIMES)

    def on_terminal(self, *options, delay):
        """What a terminal on stderr gets while a pipe takes the output after a delay."""
        os.mkfifo(self.path("pipe"))
        written = []

        def take():
            with open(self.path("pipe"), "rb") as pipe:
                time.sleep(delay)
                written.append(len(pipe.read()))

        reader = threading.Thread(target=take)
        reader.start()
        status, shown = seen_on_terminal(
            ["diagonal", "pipe", "--shape", "1000,1000", "--type", "f32", "--value", "1", "--begin", "0",
             "--end", "1", *options], self.folder)
        self.assertEqual(status, 0, shown)
        reader.join()
        os.remove(self.path("pipe"))
        self.assertGreater(written[0], 4_000_000)
        return shown.decode()

    def test_progress(self):
        shown = self.on_terminal(delay=2)
        self.assertRegex(shown, r"^\r(starting|compiling|computing|writing)[^\r\n]*\r")
        self.assertIn("\rwriting: ", shown)
        self.assertIn(" % of 4.0 MB", shown)
        self.assertRegex(shown, r"\r +\r$", "the line is not erased")
        self.assertNotIn("\n", shown)
        self.assertEqual(self.on_terminal("--quiet", delay=2), "")

    def test_no_progress_without_a_terminal(self):
        os.mkfifo(self.path("pipe"))
        with subprocess.Popen("exec < pipe; sleep 1; exec cat > /dev/null", shell=True,
                              cwd=self.folder):
            result = self.tally("diagonal", "pipe", "--shape", "1000,1000", "--type", "f32",
                                "--value",
                                "1", "--begin", "0", "--end", "1")
        self.assertEqual(result.err, "")


if __name__ == "__main__":
    main()
