"""tally --json: one document on standard output, with the fields that docs/command-line.md names; and
colour, which is on terminals alone.
"""

import sys

sys.dont_write_bytecode = True  # keep the source tree as it is

import json
import os
import pathlib
import re
import subprocess

import numpy as np

import support
from support import NO_CACHE, main, run, seen_on_terminal
from support.files import FileTest

PAGE = pathlib.Path(__file__).resolve().parent.parent.parent / "docs" / "command-line.md"

# What each document has: a type, or the members of what lies in it; None besides, where it says so.
TEXT, NUMBER = str, (int, float)
OPTIONAL = type(None)
TENSOR = {"file": TEXT, "type": (TEXT, OPTIONAL), "shape": (list, OPTIONAL)}
VERDICT = {"holds": (bool, OPTIONAL), "why": (TEXT, OPTIONAL), "reasons": (TEXT, OPTIONAL)}
DEVICE = {"number": int, "name": TEXT, "vendor": TEXT, "platform": TEXT, "driver": TEXT,
          "version": TEXT, "type": TEXT, "compute_units": int, "global_memory": int,
          "local_memory": int, "largest_buffer": int, "work_group_limit": int, "fp64": bool,
          "accepted": bool, "refusal": (TEXT, OPTIONAL), "guaranteed_bits": VERDICT,
          "single_pass_scans": VERDICT, "command_buffers": VERDICT}
FILE = {"error": (TEXT, OPTIONAL), "input": TENSOR, "output": TENSOR, "in_pieces": bool,
        "kernels_ms": (*NUMBER, OPTIONAL), "wall_ms": (*NUMBER, OPTIONAL), "phases_ms": dict}
RUN = {"command": TEXT, "files": [FILE], "devices": list, "programs_built": int}
PLAN = {"device": (TEXT, OPTIONAL), "sections": [{"title": TEXT, "text": (TEXT, OPTIONAL),
                                                  "rows": list}]}


class Documents(FileTest):
    def setUp(self):
        super().setUp()
        np.save(self.path("IN.npy"), np.arange(12, dtype="f4").reshape(3, 4))

    def has_form(self, found, form, at="the document"):
        if isinstance(form, dict):
            self.assertEqual(list(found), list(form), at)
            for key, inner in form.items():
                self.has_form(found[key], inner, f"{at}.{key}")
        elif isinstance(form, list):
            self.assertGreater(len(found), 0, at)
            for element in found:
                self.has_form(element, form[0], f"{at}[]")
        else:
            self.assertIsInstance(found, form, at)

    def ask(self, form, *arguments, status=0):
        result = run([*arguments, "--json"], self.folder)
        self.assertEqual(result.status, status, result)
        document = json.loads(result.out)
        self.has_form(document, form)
        self.assertEqual(result.err == "", status == 0, result)
        return document

    def test_devices(self):
        listed = self.ask({"devices": [DEVICE]}, "devices")["devices"]
        text = run(["devices"], self.folder).out
        for device in listed:
            self.assertIn(f"{device['number']}: {device['name']}\n", text)
            self.assertIn(f"({device['largest_buffer']} bytes)", text)
        self.assertEqual(self.ask({"devices": [DEVICE]}, "devices", "--device", "0")["devices"],
                         listed[:1])

    def test_times(self):
        for arguments in (["reduce", "sum", "IN.npy", "OUT.npy"],
                          ["scan", "sum", "IN.npy", "OUT.npy", "--axis", "0"],
                          ["run", "sum axis=1 | cumsum axis=0", "IN.npy", "OUT.npy"]):
            found = self.ask(RUN, *arguments, NO_CACHE)
            self.assertEqual(found["command"], arguments[0])
            told = found["files"][0]
            self.assertEqual(told["input"], {"file": "IN.npy", "type": "f32", "shape": [3, 4]})
            self.assertEqual(told["output"]["shape"], list(np.load(self.path("OUT.npy")).shape))
            self.assertEqual(list(told["phases_ms"]), ["device", "compile", "read", "run", "write"])
            self.assertLessEqual(sum(told["phases_ms"].values()), told["wall_ms"])
            self.assertGreater(told["wall_ms"], told["kernels_ms"])
            self.assertEqual(len(found["devices"]), 1)

    def test_other_ways_to_run(self):
        found = self.ask(RUN, "scan", "sum", "IN.npy", "OUT.npy", "--axis", "0", "--memory", "60",
                         NO_CACHE)
        self.assertTrue(found["files"][0]["in_pieces"])
        self.assertIsNone(found["files"][0]["kernels_ms"])
        found = self.ask(RUN, "reduce", "sum", "IN.npy", "OUT.npy", "--device", "all", NO_CACHE)
        self.assertEqual(len(found["devices"]), len(self.ask({"devices": [DEVICE]}, "devices")
                                                    ["devices"]))
        form = dict(RUN, files=[dict(FILE, input=OPTIONAL)])
        self.ask(form, "diagonal", "OUT.npy", "--shape", "3,3", "--type", "f32", "--begin", "0",
                 "--end", "0")

    def test_failures(self):
        found = self.ask(RUN, "reduce", "sum", "none.npy", "OUT.npy", status=1)
        self.assertIn("No such file", found["files"][0]["error"])
        os.mkdir(self.path("out"))
        self.write(b"\xff\"\\\n\xc3\xa4.npy".decode("utf8", "surrogateescape"), b"hello")
        completed = subprocess.run(
            [support.program, "reduce", "sum", "*.npy", "out", NO_CACHE, "--json"], cwd=self.folder,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
        self.assertEqual(completed.returncode, 1)
        found = json.loads(completed.stdout)
        self.has_form(found["files"][0], FILE)
        self.assertEqual([told["error"] is None for told in found["files"]], [True, False])
        self.assertEqual(found["files"][1]["input"]["file"], "\ufffd\"\\\n\u00e4.npy")

    def test_standard_output_has_one_thing(self):
        result = run(["reduce", "sum", "IN.npy", "-", "--json"], self.folder)
        self.assertEqual((result.status, result.out), (2, ""), result)
        self.assertIn("--json: standard output has the result", result.err)

    def test_plans(self):
        """Every line of the text is in the document, word for word."""
        about = ["explain", "scan", "sum", "--type", "f32", "--shape", "1000,50", "--axis", "0"]
        for where in (["--family", "gpu"], ["--family", "cpu"], ["--device", "0"]):
            found = self.ask(PLAN, *about, *where)
            words = []
            if found["device"] is not None:
                words += ["device:", *found["device"].split()]
            for section in found["sections"]:
                words += [*(section["title"] + ":").split(), *section["text"].split()]
                for row in section["rows"]:
                    self.assertIn(list(row), (["name", "value"], ["name", "value", "about"]))
                    self.assertNotEqual(row["value"], "", row)
                    words += " ".join(row.values()).split()
            self.assertEqual(words, run([*about, *where], self.folder).out.split())
            names = [row["name"] for row in found["sections"][-1]["rows"]]
            self.assertIn("why", names)
            self.assertIn("ND-range", names)
            self.assertIn("spec schedule", names)

    def test_plans_with_source(self):
        about = ["explain", "reduce", "max", "--type", "f32", "--shape", "9", "--family", "gpu"]
        found = self.ask(dict(PLAN, source=TEXT), *about, "--source")
        self.assertEqual(found["source"], run([*about, "--source"], self.folder).out)
        self.assertEqual(found["sections"], self.ask(PLAN, *about)["sections"])

    def test_the_page_names_the_fields(self):
        page = set(re.findall(r"`([a-z_0-9]+)`", PAGE.read_text(encoding="utf-8")))

        def names(form):
            if isinstance(form, dict):
                return set(form).union(*map(names, form.values()))
            return names(form[0]) if isinstance(form, list) else set()

        for form in ({"devices": [DEVICE]}, RUN, PLAN, {"source": TEXT, "about": TEXT, "name": TEXT,
                                                        "value": TEXT}):
            self.assertEqual(names(form) - page, set())


class Colour(FileTest):
    def on_a_terminal(self, **environment):
        variables = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
        return seen_on_terminal(["reduce", "sum", "none.npy", "OUT.npy"], self.folder,
                                dict(variables, TERM="xterm", **environment))[1]

    def test_the_name_is_red_on_terminals(self):
        self.assertIn(b"\x1b[1;31mtally:\x1b[0m none.npy: ", self.on_a_terminal())

    def test_no_colour(self):
        self.assertNotIn(b"\x1b", self.on_a_terminal(NO_COLOR="1"))
        self.assertIn(b"\x1b", self.on_a_terminal(NO_COLOR=""))
        self.fail_with(["reduce", "sum", "none.npy", "OUT.npy"], "tally: none.npy")


if __name__ == "__main__":
    main()
