#!/usr/bin/env python3
"""tests/landing.py SITE [WORK]: holds the landing page of the site that ci/docs makes to the pages that it is made of.

* It has the two commands of README.md, the rows of the devices in docs/numerics.md and those of the ways to install
  in docs/building.md, and a chart of each section of docs/performance.md named below. Each chart has a date.
* The figures of charts are those of the page, and the bars are as long as they say.
* What the picture says of its tensor is true.
* It runs no script. Its links, and what it loads, are tests/site.py's.

With WORK, a folder that is removed, the page is put there with one fault at a time: it must be found.
"""
import html.parser
import pathlib
import re
import struct
import sys

import planted

ROOT = pathlib.Path(__file__).resolve().parent.parent
SHARES = {"Reductions on an NVIDIA H200": "sum f32", "Scans on an NVIDIA H200": "sum f32",
          "Fills on an NVIDIA H200": "of C", "Random layouts on an NVIDIA H100": "all",
          "Reductions on a CPU": "sum f32", "Scans and fills on a CPU": "sum f32"}


class Landing(html.parser.HTMLParser):
    """The rows of all tables, as lists of the texts of cells; the figures, each with its caption, the number of its
    first row and the widths of its bars; the picture's arrays; what runs a script; and all text."""

    def __init__(self, text):
        super().__init__()
        self.rows, self.figures, self.arrays, self.scripts = [], [], {}, []
        self.text, self.array, self.inside = "", None, []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag == "script" or any(name.startswith("on") or str(value).startswith("javascript:")
                                  for name, value in attributes.items()):
            self.scripts.append(tag)
        elif tag == "figure":
            self.figures.append({"caption": "", "from": len(self.rows), "widths": []})
        elif tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")
        elif tag == "i" and self.figures:
            self.figures[-1]["widths"].append(float(re.search(r"width:([\d.]+)%", attributes["style"]).group(1)))
        elif tag == "g":
            self.array = attributes.get("data-array") or attributes.get("data-bits")
            self.arrays[self.array] = []
        self.inside.append(tag)

    def handle_endtag(self, tag):
        while self.inside and self.inside.pop() != tag:
            pass

    def handle_data(self, data):
        self.text += data
        if "td" in self.inside or "th" in self.inside:
            self.rows[-1][-1] += data
        elif "figcaption" in self.inside:
            self.figures[-1]["caption"] += data
        elif "g" in self.inside and re.fullmatch(r"\d+", data):
            self.arrays[self.array].append(data)


def section_of(page, title):
    """The text under a heading. Not by docs/site/pages.py: the page is made with that."""
    text = (ROOT / page).read_text(encoding="utf-8")
    return re.search(rf"^##+ {re.escape(title)}\n(.*?)(?=^##|\Z)", text, re.MULTILINE | re.DOTALL).group(1)


def rows_of(text):
    """The rows of a section's tables as a reader sees them: without the marks of Markdown."""
    shown = re.sub(r"\[([^\]]*)\]\([^)]*\)|`|<br>", r"\1", text)
    return [[cell.strip() for cell in line[1:-1].split("|")] for line in shown.splitlines()
            if line.startswith("|") and not line.startswith("|---")]


def shares_of(section, column):
    """The first figures of a column, of the tables that have it and one figure in each of its cells."""
    for block in section.split("\n\n"):
        table = rows_of(block)
        if table and column in table[0]:
            figures = [row[table[0].index(column)].partition(",")[0] for row in table[1:]]
            if not any("/" in figure for figure in figures):
                return figures
    return []


def check_chart(landing, title, column):
    found = [i for i, figure in enumerate(landing.figures) if figure["caption"].strip().startswith(title + ":")]
    if not found:
        return [f"there is no chart of {title}"]
    figure = landing.figures[found[0]]
    shares = shares_of(section_of("docs/performance.md", title), column)
    shown = [row[-1] for row in landing.rows[figure["from"]:figure["from"] + len(shares)]]
    if not shares or shown != shares or len(figure["widths"]) != len(shares):
        return [f"the chart of {title} shows {shown}, not {shares}"]
    scale = max(1.0, *map(float, shares))
    if any(abs(width - 100 * float(share) / scale) > 0.06 for width, share in zip(figure["widths"], shares)):
        return [f"bars of the chart of {title} have other lengths than their figures"]
    return []


def check_picture(landing):
    arrays = landing.arrays
    cells = [int(number) for number in arrays.get("input", [])]
    rows = [cells[:3], cells[3:]]
    expected = {"sum": [sum(row) for row in rows],
                "scan": [sum(row[:k + 1]) for row in rows for k in range(len(row))],
                "fill": [value if x <= y else 0 for y, row in enumerate(rows) for x, value in enumerate(row)],
                "15": [int(struct.pack(">f", 15.0).hex())] * 3}
    return [f"the picture's {name} is {arrays.get(name)}, not {numbers}" for name, numbers in expected.items()
            if not cells or arrays.get(name) != [str(number) for number in numbers]]


def check(site):
    landing = Landing((site / "index.html").read_text(encoding="utf-8"))
    complaints = [f"a {tag} would run a script" for tag in landing.scripts]
    commands = re.search(r"```sh\n(.*?)```", section_of("README.md", "Two commands"), re.DOTALL).group(1).splitlines()
    complaints += [f"the command {command} is missing" for command in commands if command not in landing.text]
    wanted = [row for page, title in (("docs/numerics.md", "Devices that were compared"),
                                      ("docs/building.md", "Installing, by system"))
              for row in rows_of(section_of(page, title))]
    shown = [[cell.strip() for cell in row] for row in landing.rows]
    complaints += [f"the row {' | '.join(row)} is missing" for row in wanted if row not in shown]
    complaints += [f"a chart has no date: {figure['caption']}" for figure in landing.figures
                   if not re.search(r"20\d\d-\d\d-\d\d", figure["caption"])]
    for title, column in SHARES.items():
        complaints += check_chart(landing, title, column)
    return complaints + check_picture(landing)


# What a fault replaces on the page and by what, and how the complaint about it begins.
FAULTS = [
    ("", "", None),
    ("ci/quickstart  ", "ci/start  ", "the command ci/quickstart"),
    ("<td>rusticl</td>", "<td></td>", "the row llvmpipe"),
    ("<td><code>apt install ./libtally", "<td><code>apt install libtally", "the row Debian 12"),
    ("<h3>Fills on an", "<h3>Fill on an", "there is no chart of Fills"),
    ("<span>0.62</span>", "<span>0.85</span>", "the chart of Scans on an NVIDIA H200 shows"),
    ('<i style="width:62.0%">', '<i style="width:85.0%">', "bars of the chart of Scans on an NVIDIA H200"),
    ("<p>2026-12-01, driver", "<p>driver", "a chart has no date: Reductions on an NVIDIA H200: sum"),
    (">9</text>", ">8</text>", "the picture's scan"),
    (">41700000<", ">41700001<", "the picture's 15"),
    ("<main>", "<main><script></script>", "a script would"),
    ("<main>", '<main onclick="x()">', "a main would"),
    ('<a href="readme.html">', '<a href="javascript:x()">', "a a would"),
]


def main(site, work=None):
    site = pathlib.Path(site)
    if work:
        page = (site / "index.html").read_text(encoding="utf-8")
        missing = [old for old, _, _ in FAULTS if old not in page]
        if missing:
            sys.exit(f"landing: the page has nothing to plant a fault at: {missing}")
        cases = [({"index.html": page.replace(old, new, 1)}, expected) for old, new, expected in FAULTS]
        planted.check("landing", pathlib.Path(work), cases, check)
    complaints = check(site)
    if complaints:
        sys.exit("the landing page is not what its sources say:\n  " + "\n  ".join(complaints))
    print(f"the landing page has the devices, the commands and {len(SHARES)} charts of shares")


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    main(*sys.argv[1:])
