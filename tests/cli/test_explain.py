"""tally explain: plans of operators that the command line describes, with a device and without."""

import sys

sys.dont_write_bytecode = True  # keep the source tree as it is

import glob
import os
import re

from support import FolderTest, main, run

SUM = "explain reduce sum --type f32 --shape 1000,5000 --axes 1"
ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")
NOWHERE = {"OCL_ICD_VENDORS": "/no/vendors"}


class ExplainTest(FolderTest):
    def explain(self, line, env=None):
        """What a command that has to succeed prints."""
        result = run(line.split(), self.folder, env)
        self.assertEqual(result.status, 0, result)
        self.assertEqual(result.err, "", result)
        self.assertEqual(os.listdir(self.folder), [])
        return result.out

    def refuse(self, status, line, *words):
        result = run(line.split(), self.folder, NOWHERE)
        self.assertEqual(result.status, status, result)
        self.assertEqual(result.out, "", result)
        lines = result.err.splitlines()
        self.assertEqual(len(lines), status, result)
        self.assertTrue(lines[0].startswith("tally: explain: " if status == 2 else "tally: "),
                        result)
        for word in words:
            self.assertIn(word, lines[0], result)

    def value(self, text, name):
        """The value of a field of the first launch that has it."""
        found = re.search(rf"^  {name} +(.*?)(?:  .*)?$", text, re.MULTILINE)
        self.assertIsNotNone(found, f"{name} in\n{text}")
        return found.group(1)


class Plans(ExplainTest):
    def test_without_a_device(self):
        """A family is enough: no driver is there to be asked."""
        for family, schedule in (("generic", "fold_any"), ("gpu", "fold_(?!cpu).*"),
                                 ("cpu", "fold_cpu_.*")):
            text = self.explain(f"{SUM} --family {family}", NOWHERE)
            self.assertIn("limits: the usual ones of the family", text)
            self.assertEqual(self.value(text, "family"), family)
            self.assertRegex(self.value(text, "spec schedule"), f"^{schedule}$")
            self.assertEqual(self.value(text, "spec function"), "sum")
            self.assertEqual(self.value(text, "argument terms"), "5000")
            self.assertRegex(self.value(text, "why"), r"^[A-Z].*\.$")
            self.assertRegex(self.value(text, "ND-range"), r"^\d+ groups of \d+ work-items$")
            self.assertRegex(text, r"(?m)^plan: \d+ launch(es)?, \d+ bytes of scratch$")

    def test_on_a_device(self):
        """What is told is what runs: the device's own plan, with what its driver says."""
        text = self.explain("explain scan sum --type i32 --shape 3,300 --axis 1")
        self.assertRegex(text, r"\Adevice: \S.*\nlimits: the device's\n")
        self.assertRegex(self.value(text, "local memory"), r"^\d+ bytes of a group at most$")
        self.assertRegex(text, r"(?m)^  local memory +\d+ bytes of a group, says the driver$")
        number = self.explain("explain scan sum --type i32 --shape 3,300 --axis 1 --device 0"
                              " --family generic")
        self.assertEqual(self.value(number, "family"), "generic")
        self.assertIn("limits: the device's\n", number)

    def test_single_pass(self):
        scan = "explain scan sum --type f32 --shape 10000000 --axis 0 --family gpu"
        texts = {when: self.explain(f"{scan} --single-pass {when}", NOWHERE)
                 for when in ("auto", "on", "off")}
        self.assertEqual(texts["auto"], texts["on"])
        self.assertEqual(texts["on"].count("\n  part of it "), texts["on"].count("\nlaunch "))
        self.assertEqual(self.value(texts["on"], "single pass"), "taken by scans of few long rows")
        self.assertEqual(self.value(texts["off"], "single pass"), "not taken")
        self.assertNotEqual(texts["off"].count("\nlaunch "), texts["on"].count("\nlaunch "))

    def test_layouts(self):
        """Strides and orders are the tensors' own, and they decide."""
        columns = "explain reduce sum --type f32 --shape 1000,5000 --axes 1 --family gpu"
        for layout in ("--order 1,0", "--order -1,-2", "--strides 1,1000"):
            text = self.explain(f"{columns} {layout}", NOWHERE)
            self.assertIn("[1000], strides of the input [1]", text)
            self.assertIn("[5000], strides of the input [1000]", text)
        text = self.explain(f"{columns} --strides 5008,1", NOWHERE)
        self.assertIn("strides of the input [5008]", text)
        scan = "explain scan sum --type f32 --shape 30,50 --axis 0 --family generic"
        self.assertIn("of the output [50]", self.explain(scan, NOWHERE))
        for layout in ("--output-order 1,0", "--output-strides 1,30"):
            self.assertIn("of the output [30]", self.explain(f"{scan} {layout}", NOWHERE))

    def test_options_of_operators(self):
        gpu = "--type f32 --shape 40,50 --family gpu"
        for options, expected in ((f"reduce argmax {gpu} --axes -1 --tie last --nan ignore",
                                   {"spec tie": "last", "spec nan": "ignore"}),
                                  (f"reduce argmin {gpu} --output-type u32", {"spec output": "u32"}),
                                  (f"reduce argmin {gpu}", {"spec output": "u64"}),
                                  (f"reduce l1 {gpu} --axes none", {"terms": "1 of each output"}),
                                  (f"scan max {gpu} --axis 1 --reverse --exclusive",
                                   {"spec exclusive": "yes", "argument axis_in": "-1"}),
                                  (f"diagonal {gpu} --begin -2 --end 3",
                                   {"spec has_input": "no", "argument low": "-2"}),
                                  (f"diagonal {gpu} --begin 0 --end 3 --with-input",
                                   {"spec has_input": "yes", "source": "the input, 4 bytes each"})):
            text = self.explain(f"explain {options}", NOWHERE)
            for name, value in expected.items():
                found = re.findall(rf"^  {name} +(.*?)(?:  .*)?$", text, re.MULTILINE)
                self.assertIn(value, found, f"{name} of {options}\n{text}")

    def test_time(self):
        result = run(f"{SUM} --family cpu --time".split(), self.folder, NOWHERE)
        self.assertEqual(result.status, 0, result)
        self.assertRegex(result.err, r"^wall \d+\.\d{3} ms\n$")

    def test_empty(self):
        text = self.explain("explain reduce sum --type f32 --shape 0,5 --axes 1 --family cpu",
                            NOWHERE)
        self.assertTrue(text.endswith("plan: nothing to do, as the output is empty\n"), text)


class Sources(ExplainTest):
    def test_comments_before_the_program(self):
        plain = self.explain(f"{SUM} --family cpu", NOWHERE)
        text = self.explain(f"{SUM} --family cpu --source", NOWHERE)
        comments = "".join(f"// {line}\n" for line in plain.splitlines())
        self.assertTrue(text.startswith(comments), text[:2000])
        self.assertRegex(text[len(comments):],
                         r"\A// program of launch 1; options of the compiler: -cl-std=CL1\.2 .*\n"
                         r"#pragma OPENCL FP_CONTRACT OFF\n")
        self.assertEqual(text.count("#define TALLY_KERNEL "), 1)

    def test_on_a_device(self):
        line = "explain diagonal --type u8 --shape 3,300 --begin 0 --end 1"
        text = self.explain(f"{line} --source")
        self.assertTrue(text.startswith("// device: "), text[:200])
        self.assertIn(f"#define TALLY_KERNEL {self.kernel(text)}\n", text)
        whole = self.explain(f"{line} --source --no-cache")
        self.assertGreater(whole.count("#define TALLY_KERNEL "), 1)

    def kernel(self, text):
        return re.search(r"^// launch 1 of 1: (\w+)$", text, re.MULTILINE).group(1)


class Example(ExplainTest):
    """docs/example-kernel.md: what it quotes is what the program is."""

    PAGE = os.path.join(ROOT, "docs/example-kernel.md")
    KERNEL = '#line 1 "cl/agent/fold/fold_any_item.cl"\n'

    def setUp(self):
        super().setUp()
        with open(self.PAGE, encoding="utf-8") as page:
            blocks = re.findall(r"^```(\w+)\n(.*?)^```$", page.read(), re.MULTILINE | re.DOTALL)
        self.blocks = {language: [text for name, text in blocks if name == language]
                       for language in ("sh", "text", "c")}
        self.assertEqual(len(self.blocks["sh"]), 1)
        self.text = self.explain(self.blocks["sh"][0].removeprefix("tally "), NOWHERE)

    def test_blocks_are_of_the_program(self):
        """Each block stands there as it is, behind the one before."""
        self.assertGreater(len(self.blocks["c"]), 20)
        at = 0
        for block in self.blocks["c"]:
            found = self.text.find(block, at)
            self.assertGreaterEqual(found, 0, f"the program has not, or not there:\n{block}")
            at = found + len(block)

    def test_the_kernel_is_whole(self):
        kernel = self.text.split(self.KERNEL)[1].split("\n#line 1")[0]
        quoted = "".join(self.blocks["c"])
        self.assertEqual(quoted[quoted.index("/*\n * A fold by single work-items"):].strip(),
                         kernel.strip())

    def test_the_plan(self):
        """The lines about the plan are those of the explanation, up to the notes of the fields."""
        lines = self.text.splitlines()
        for line in "".join(self.blocks["text"]).splitlines():
            self.assertTrue(any(told.startswith(f"// {line}") for told in lines), line)
        self.assertEqual(self.text.count("// launch "), 1)


class Glossary(ExplainTest):
    """docs/glossary.md: each word once, and all of those that explain prints."""

    def setUp(self):
        super().setUp()
        with open(os.path.join(ROOT, "docs/glossary.md"), encoding="utf-8") as page:
            parts = page.read().split("\n## ")
        page = dict(part.split("\n", 1) for part in parts[1:])
        self.tables = [[row for row in re.findall(r"^\| ([^|-]+) \|", page[name], re.MULTILINE)[1:]]
                       for name in ("Words", "Fields and arguments")]
        self.words = [word for rows in self.tables for row in rows for word in row.split(", ")]
        self.names = page["Kernel names"]

    def test_each_word_once_in_order(self):
        self.assertGreater(len(self.words), 100)
        self.assertEqual(len(self.words), len(set(self.words)))
        for rows in self.tables:
            order = [row.lower().replace("_", " ") for row in rows]
            self.assertEqual(order, sorted(order))

    def test_fields_and_arguments(self):
        told = re.findall(r"^  spec (\w+)", self.explain(f"{SUM} --family cpu", NOWHERE),
                          re.MULTILINE)
        arguments = []
        for name in glob.glob(os.path.join(ROOT, "cl/core/*args.h")):
            with open(name, encoding="utf-8") as header:
                arguments += re.findall(r"^    tally_[ui]64 (\w+)", header.read(), re.MULTILINE)
        with open(os.path.join(ROOT, "src/plan/policy.def"), encoding="utf-8") as table:
            policies = re.findall(r"^    TALLY_(?:FIELD|CHOICE)\((\w+),", table.read(), re.MULTILINE)
        lists = {"kept_size", "kept_in", "kept_out", "swept_size", "swept_in"}
        self.assertGreater(len(told), 15)
        self.assertGreater(len(arguments), 20)
        self.assertGreater(len(policies), 20)
        for word in set(told + arguments + policies) - lists:
            self.assertIn(word, self.words)

    def test_letters_of_kernel_names(self):
        """Letters of a kernel's name stand for the field that the page says."""
        letters = dict(re.findall(r"^\| ([a-z]+)\d+ \| (\w+) \|$", self.names, re.MULTILINE))
        found = set()
        for line in ("reduce sum --axes 0", "reduce argmax --axes 1", "scan sum --axis 0",
                     "diagonal --begin 0 --end 1"):
            for family in ("generic", "gpu", "cpu"):
                text = self.explain(f"explain {line} --type f32 --shape 50000,300 --family {family}",
                                    NOWHERE)
                for launch in text.split("\nlaunch ")[1:]:
                    fields = dict(re.findall(r"^  spec (\w+) +(\S+)", launch, re.MULTILINE))
                    name = launch.split()[3]
                    numbers = re.findall(r"_([a-z]+)(\d+)(?=_|$|,)", name.split("k" + fields[
                        "kept_rank"])[1])
                    for letter, number in numbers:
                        self.assertEqual(fields[letters[letter]], number, launch)
                        found.add(letter)
        self.assertGreaterEqual(found, {"s", "i", "g", "p", "lanes", "packs"})


class Refusals(ExplainTest):
    def test_wrong_command_lines(self):
        shape = "--type f32 --shape 4,5"
        for line, *words in ((f"explain {shape}", "OPERATOR is missing"),
                             (f"explain fold {shape}", "'fold'", "reduce scan diagonal"),
                             (f"explain reduce {shape}", "FUNCTION is missing"),
                             (f"explain scan {shape} --axis 0", "FUNCTION is missing"),
                             (f"explain reduce median {shape}", "'median'"),
                             (f"explain reduce sum more {shape}", "'more'"),
                             (f"explain diagonal sum {shape} --begin 0 --end 1", "no FUNCTION",
                              "sum"),
                             (f"explain scan sum {shape}", "--axis K is missing"),
                             (f"explain diagonal {shape} --end 1", "--begin B is missing"),
                             (f"explain diagonal {shape} --begin 1", "--end E is missing"),
                             ("explain reduce sum --shape 4,5", "--type TYPE is missing"),
                             ("explain reduce sum --type f32", "--shape LIST is missing"),
                             (f"explain reduce sum {shape} --axis 0", "reduce", "--axis"),
                             (f"explain scan sum {shape} --axis 0 --tie last", "scan", "--tie"),
                             (f"explain scan sum {shape} --axis 0 --axes 0", "scan", "--axes"),
                             (f"explain diagonal {shape} --begin 0 --end 1 --nan ignore",
                              "diagonal", "--nan"),
                             (f"explain reduce sum {shape} --with-input", "reduce", "--with-input"),
                             (f"explain diagonal {shape} --begin 0 --end 1 --order 1,0", "--order",
                              "--with-input"),
                             (f"explain reduce sum {shape} --order 1,0 --strides 1,4", "--strides",
                              "--order", "leave one out"),
                             (f"explain reduce sum {shape} --output-order 1,0 --output-strides 1,4",
                              "--output-strides", "--output-order")):
            self.refuse(2, line, *words)

    def test_what_the_rules_refuse(self):
        gpu = "--type f32 --shape 4,5 --family gpu"
        for line, *words in ((f"explain reduce sum {gpu} --axes 2", "--axes: axis 2", "rank 2"),
                             (f"explain scan sum {gpu} --axis -3", "--axis: axis -3", "rank 2"),
                             (f"explain scan l1 {gpu} --axis 0", "l1"),
                             (f"explain reduce sum {gpu} --strides 1", "--strides: ", "1 items",
                              "rank 2"),
                             (f"explain reduce sum {gpu} --order 0,0", "--order: axis 0", "twice"),
                             (f"explain reduce sum {gpu} --order 0", "--order: ", "1 items"),
                             (f"explain reduce sum {gpu} --order 0,2", "--order: axis 2"),
                             (f"explain reduce sum {gpu} --output-order 1,1,1", "--output-order: ",
                              "3 items"),
                             (f"explain scan sum {gpu} --axis 0 --output-strides 0,1", "output"),
                             ("explain reduce sum --type i8 --shape 4 --family cpu", "i8"),
                             ("explain reduce sum --type f32 --shape 4", "no OpenCL device"),
                             ("explain reduce sum --type f32 --shape 4 --family gpu --device 0",
                              "no OpenCL device")):
            self.refuse(1, line, *words)


if __name__ == "__main__":
    main()
