"""tally bench report: the page is sound HTML that needs nothing else, has every workload with the numbers that the
tables on stdout have, and is refused before anything is measured. No speed is judged.

Everything runs on 2^16 elements, which takes a moment for each row.
"""

import sys

sys.dont_write_bytecode = True  # keep the source tree as it is

import html.parser
import json
import os
import re
import shlex
import statistics

from support import NO_CACHE, FolderTest, main, not_on_windows, run
from support.bench import EVERY

VOID = {"meta"}  # elements without an end
BAR_END = 125


class Page(html.parser.HTMLParser):
    """A page's tables, of each the rows, of each the cells as pairs: the element with its attributes, and its text.
    What is wrong with the page as a document is in faults."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.faults, self.ids, self.links, self.bars = [], [], [], [], []
        self.tables, self.texts, self.labels = [], {}, []
        self.feed(text)
        self.close()
        self.faults += [f"{name} does not end" for name in self.open]

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        if len(attributes) != len(attrs):
            self.faults.append(f"{tag} has an attribute twice")
        self.ids += [attributes["id"]] if "id" in attributes else []
        self.links += [attributes[key] for key in ("href", "src") if key in attributes]
        self.labels += [attributes["aria-label"]] if "aria-label" in attributes else []
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("th", "td"):
            self.tables[-1][-1].append([tag, attributes, ""])
        elif tag == "rect":
            self.bars.append(float(attributes["width"]))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        self.open.pop()

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}> at {self.getpos()} ends another element")

    def handle_data(self, data):
        if "td" in self.open or "th" in self.open:
            self.tables[-1][-1][-1][2] += data
        elif self.open and data.strip():
            self.texts[self.open[-1]] = self.texts.get(self.open[-1], "") + data

    def facts(self):
        return {name[2]: value[2] for name, value in self.tables[0]}

    def summary(self):
        return {row[0][2]: [cell[2] for cell in row[1:]] for row in self.tables[1][1:]}

    def rows(self):
        """The texts of the rows of all operators."""
        return [[cell[2] for cell in row] for table in self.tables[2:] for row in table[1:]]


class ReportTest(FolderTest):
    def report(self, path, *arguments, samples="1"):
        """The page, what is on stdout, and the command line."""
        line = ["bench", "report", path, "--log2", "16", "--samples", samples, *arguments, NO_CACHE]
        result = run(line, self.folder)
        self.assertEqual((result.status, result.err), (0, ""), result)
        text = result.out
        if path != "-":
            with open(os.path.join(self.folder, path), encoding="utf-8") as file:
                text = file.read()
        page = Page(text)
        self.assertEqual(page.faults, [])
        self.assertTrue(text.startswith("<!DOCTYPE html>\n"), text[:100])
        self.check_alone(text, page)
        self.check_readable(page)
        self.assertEqual(shlex.split(page.texts["code"]), ["tally", *line])
        return page, result.out

    def check_alone(self, text, page):
        """The page needs no other file, no network and no script."""
        self.assertNotRegex(text, r"(?i)<(script|link|img|iframe|object)|url\(|@import|https?:")
        self.assertEqual(len(page.ids), len(set(page.ids)))
        for link in page.links:
            self.assertIn(link, [f"#{name}" for name in page.ids])

    def check_readable(self, page):
        """Each table has headings that say of what they are; each bar has its number beside it."""
        for table in page.tables[1:]:
            for tag, attributes, _ in table[0]:
                self.assertEqual((tag, attributes["scope"]), ("th", "col"))
            for first, *others in table[1:]:
                self.assertEqual((first[0], first[1]["scope"]), ("th", "row"))
                self.assertEqual({cell[0] for cell in others}, {"td"})
                width = sum(int(cell[1].get("colspan", 1)) for cell in (first, *others))
                self.assertEqual(width, len(table[0]))
        self.assertEqual(len(page.labels), len(page.tables) - 1)
        shares = [cell[2] for table in page.tables for row in table for cell in row
                  if cell[1].get("class") == "share"]
        self.assertEqual(len(shares), len(page.bars))
        for share, bar in zip(shares, page.bars):
            self.assertAlmostEqual(bar, min(BAR_END, 100 * float(share)), delta=0.1)

    def check_rows(self, page, out, names):
        """The page has these workloads in their order, with the numbers that the tables on stdout have."""
        rows = page.rows()
        lines = re.findall(r"(?m)^(\S+ \S+ [fi]\d+(?: [a-z-]+)?) +([0-9x]+ \{[0-9,-]+\}) +(.*)$", out)
        self.assertEqual([row[0] for row in rows], names)
        self.assertEqual([(row[0], row[1]) for row in rows], [line[:2] for line in lines])
        for (name, _, kind, *numbers), (_, _, found) in zip(rows, lines):
            self.assertEqual(kind, name.split(" ")[2])
            if numbers[0].startswith("not run"):
                self.assertEqual(numbers, [found])
                continue
            shown = found.split()
            if name.startswith("small-"):
                self.assertEqual(numbers, shown[:5])
            else:
                limits = (len(shown) - 4) // 2  # GB/s, each limit, each share, two times and the checksum
                self.assertEqual(numbers, [shown[-3], shown[0], *shown[1 + limits:1 + 2 * limits]])

    def check_sums(self, page, title):
        """The line of an operator in the summary is what its rows come to."""
        operators = [label.split(",")[0] for label in page.labels[1:]]
        first = 2 + operators.index(title)
        rows = [[cell[2] for cell in row] for table in page.tables[first:first + operators.count(title)]
                for row in table[1:]]
        shares = {row[0]: float(row[5]) for row in rows if len(row) > 5 and not row[0].startswith("small-")}
        mean, median, worst, name, measured, refused = page.summary()[title]
        if min(shares.values()) > 0.01:  # a share has three digits, which are too few for less
            self.assertAlmostEqual(float(mean), statistics.geometric_mean(shares.values()),
                                   delta=0.001 + 0.0005 / min(shares.values()))
        self.assertAlmostEqual(float(median), statistics.median(shares.values()), delta=1e-3)
        self.assertEqual(float(worst), min(shares.values()))
        self.assertEqual(shares[name], float(worst))
        self.assertEqual(int(refused), sum(row[3].startswith("not run") for row in rows))
        self.assertEqual(int(measured), len(rows) - int(refused))


class Contents(ReportTest):
    def test_every_workload(self):
        """Of the sum of float32, with an operator that has none such left out."""
        page, out = self.report("PAGE.html", "--only", "sum f32")
        self.assertEqual(os.listdir(self.folder), ["PAGE.html"])
        names = [name for subject in ("reduce", "scan") for name in EVERY[subject] if "sum f32" in name]
        self.check_rows(page, out, names)
        self.assertIn("not run: 2^16 elements are too few for it; it needs --log2 20",
                      [row[3] for row in page.rows() if row[0] == "axes-0-2 sum f32"])
        self.assertEqual(list(page.summary()), ["Reductions", "Scans"])
        self.assertEqual([name for name in page.ids if name in EVERY], ["reduce", "scan"])
        for title in page.summary():
            self.check_sums(page, title)
        facts = page.facts()
        self.assertEqual(facts["Only"], 'workloads with "sum f32" in their names')
        for name in ("Best copy (C)", "Best read (R)"):
            self.assertRegex(facts[name], r"^median \d+\.\d GB/s, \d+\.\d to \d+\.\d beside the workloads$")
        for name in ("Empty kernel", "Empty kernel, wall time"):
            self.assertRegex(facts[name], r"^median \d+\.\d µs, \d+\.\d to \d+\.\d beside the workloads$")
        self.assertNotIn("Best fill (F)", facts)

    def test_what_was_measured_on(self):
        page, out = self.report("PAGE.html", "--only", "identity", samples="3")
        facts = page.facts()
        line = f"{facts['Device']}, driver {facts['Driver']}, {facts['OpenCL']}\n"
        self.assertTrue(out.startswith(f"{line}tally {facts['Tally']}, "), (line, out))
        self.assertRegex(facts["Date"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
        self.assertEqual(facts["Workloads"], "2^16 elements of 4 bytes, medians of 3 samples")
        self.assertEqual(page.texts["h1"], f"The speed of Tally on {facts['Device']}")
        self.assertEqual(page.texts["title"], page.texts["h1"])
        devices = json.loads(run(("devices", "--json", NO_CACHE), self.folder).out)["devices"]
        holds, = [device["guaranteed_bits"]["holds"] for device in devices if device["name"] == facts["Device"]]
        self.assertEqual(facts["Guaranteed bits"].split(":")[0], {True: "yes", False: "no", None: "unknown"}[holds])

    def test_fills(self):
        page, out = self.report("PAGE.html", "--only", "matrix")
        self.assertIn("Best fill (F)", page.facts())
        self.check_rows(page, out, [name for names in EVERY.values() for name in names if "matrix" in name])
        self.check_sums(page, "Diagonal fills")


class Outputs(ReportTest):
    def test_standard_output(self):
        """The page alone."""
        page, _ = self.report("-", "--only", "lower")
        self.assertEqual([row[0] for row in page.rows()], ["matrix lower f32", "batches-256 lower f32"])
        self.assertEqual(os.listdir(self.folder), [])

    def test_an_old_page(self):
        """Is replaced by a whole one, and stays where there is none."""
        path = os.path.join(self.folder, "PAGE.html")
        with open(path, "w", encoding="ascii") as file:
            file.write("old")
        self.refuse(1, ["report", "PAGE.html", "--device", "no such device"], "no such device")
        with open(path, encoding="ascii") as file:
            self.assertEqual(file.read(), "old")
        self.report("PAGE.html", "--only", "lower")

    @not_on_windows
    def test_escapes(self):
        """Texts of users and drivers take one way into the page."""
        path = "a<b>&amp;\"c\"'d'$.html"
        page, _ = self.report(path, "--only", "lower")
        with open(os.path.join(self.folder, path), encoding="utf-8") as file:
            text = file.read()
        self.assertIn("a&lt;b&gt;&amp;amp;&quot;c&quot;&#39;\\&#39;&#39;d&#39;\\&#39;&#39;$.html", text)
        self.assertEqual([row[0] for row in page.rows()][0], "matrix lower f32")

    def refuse(self, status, arguments, *words):
        result = run(("bench", *arguments), self.folder)
        self.assertEqual((result.status, result.out), (status, ""), result)
        for word in words:
            self.assertIn(word, result.err.splitlines()[0], result)

    def test_refusals(self):
        self.refuse(1, ["report", "none/PAGE.html"], "none/PAGE.html: cannot be written", "No such file")
        self.refuse(1, ["report", "."], "is a directory")
        self.refuse(2, ["report"], "PAGE is missing")
        self.refuse(2, ["report", "PAGE.html", "more"], "'more' is one argument too many")
        self.refuse(2, ["scan", "PAGE.html"], "'PAGE.html' is one argument too many")
        self.refuse(2, ["report", "PAGE.html", "--only", "zzz"], "--only zzz: is in no row's name",
                    "names of report are such as '1-D sum f32'")
        self.refuse(2, ["report", "PAGE.html", "--json", "OUT.json"], "--json OUT.json", "report writes a page")
        self.refuse(2, ["report", "PAGE.html", "--log2", "20,21"], "--log2 20,21", "one size")
        self.refuse(2, ["report", "PAGE.html", "--seed", "1"], "--seed is for layouts, not for report")
        self.assertEqual(os.listdir(self.folder), [])


if __name__ == "__main__":
    main()
