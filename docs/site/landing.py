#!/usr/bin/env python3
"""docs/site/landing.py VERSION SITE: writes SITE/index.html, the page that a visitor of the site sees first.

docs/site/landing.html is its frame. What other pages say is taken from them: the two commands, how to install, the
devices whose bits were compared, and the figures of speed. Ends with one sentence where a page no longer has them.
Needs Python-Markdown. ci/docs calls it, and tests/landing.py checks what comes out.
"""
import html
import pathlib
import re
import string
import sys

import markdown

import charts
import filter as doxygen
import pages

HERE = pathlib.Path(__file__).resolve().parent
ROOT = doxygen.ROOT
PERFORMANCE = "docs/performance.md"
DATE = re.compile(r"\b20\d\d-\d\d-\d\d\b")

SHARES = [
    charts.Chart("reductions-on-an-nvidia-h200", "sum f32", ("layout", "size, swept axes"), ("sum f32",)),
    charts.Chart("scans-on-an-nvidia-h200", "sum f32", ("layout", "size, axis"), ("sum f32",)),
    charts.Chart("fills-on-an-nvidia-h200", "f32", ("fill", "size {begin, end}"), ("of C",)),
    charts.Chart("random-layouts-on-an-nvidia-h100", "geometric means", ("bytes", "seed"), ("all",)),
    charts.Chart("reductions-on-a-cpu", "sum f32", ("layout", "size, swept axes"), ("sum f32",)),
    charts.Chart("scans-and-fills-on-a-cpu", "scans by sum f32", ("layout",), ("sum f32",)),
]
PEERS = [
    charts.Chart("reductions-on-an-nvidia-h200", "sum f32", ("layout",), ("sum f32",), ("Tally", "PyTorch", "CUB")),
    charts.Chart("scans-on-an-nvidia-h200", "sum f32", ("GB/s",), ("Tally", "PyTorch", "CUB"),
                 ("Tally", "PyTorch", "CUB"), "sum f32$"),
    charts.Chart("fills-on-an-nvidia-h200", "f32", ("fill",), ("GB/s", "PyTorch"), ("Tally", "PyTorch")),
    charts.Chart("reductions-on-a-cpu", "sum f32", ("layout",), ("sum: Tally", "NumPy"), ("Tally", "NumPy")),
    charts.Chart("scans-and-fills-on-a-cpu", "scans by sum f32", ("layout",), ("sum f32, GB/s", "NumPy"),
                 ("Tally", "NumPy")),
]


class Page:
    """A page of Markdown, of which the landing page shows parts as HTML."""

    def __init__(self, name):
        self.name = name
        self.path = ROOT / name
        text = self.path.read_text(encoding="utf-8")
        self.sections = pages.find_sections(text)
        titles = (line for is_code, piece in pages.split_fences(text) if not is_code for line in piece.splitlines())
        self.titles = dict(zip(self.sections, (found.group(2) for found in map(pages.HEADING.match, titles) if found)))

    def section(self, anchor):
        if anchor not in self.sections:
            self.refuse(anchor, "heading")
        return self.sections[anchor]

    def refuse(self, anchor, lack):
        sys.exit(f"docs/site/landing.py: {self.name}#{anchor} has no {lack}, which the landing page needs")

    def link_of(self, target):
        """Where a link leads on the site."""
        name, _, anchor = target.partition("#")
        place = (self.path.parent / name).resolve() if name else self.path
        if re.match(r"[a-z]+:", target) or place.suffix != ".md":
            return target if ":" in target else place.name
        return f"{doxygen.page_name(place)}.html" + (f"#{anchor}" if anchor else "")

    def render(self, text):
        """Markdown as HTML. A wide table gets a box in which it scrolls."""
        text = pages.LINK.sub(lambda found: f"{found[1]}[{found[2]}]({self.link_of(found[3])})", text)
        made = markdown.markdown(text, extensions=["tables", "fenced_code"])
        return re.sub(r"<table>.*?</table>", r'<div class="wide" tabindex="0">\g<0></div>', made, flags=re.DOTALL)

    def show(self, anchor, what, pattern):
        """What of a section matches the pattern."""
        found = re.search(pattern, self.section(anchor), re.MULTILINE | re.DOTALL)
        if not found:
            self.refuse(anchor, what)
        return self.render(found.group())


def first_paragraph(section):
    return section.strip().split("\n\n")[0]


def first_sentence(section):
    return re.split(r"(?<=\.)\s", section.strip(), maxsplit=1)[0]


def show_chart(page, chart):
    """A chart below what the page says about the device and the date."""
    section = page.section(chart.section)
    drawn = charts.draw(chart, section)
    if not drawn:
        page.refuse(chart.section, f"single table with {', '.join(chart.labels + chart.figures)}")
    table, before = drawn
    caption = before if DATE.search(before) else f"{first_sentence(section)}\n\n{before}"
    if not DATE.search(caption):
        page.refuse(chart.section, "date")
    unit = ", GB/s" if chart.series else ""
    title = html.escape(f"{page.titles[chart.section]}{unit}: {chart.title}")
    return f"<figure>\n<figcaption><h3>{title}</h3>\n{page.render(caption)}</figcaption>\n{table}\n</figure>"


def show_charts(page, wanted):
    shown = "\n".join(show_chart(page, chart) for chart in wanted)
    return f'<div class="charts">\n{shown}\n</div>'


def main(version, folder):
    readme, building, performance = (Page(name) for name in ("README.md", "docs/building.md", PERFORMANCE))
    page = string.Template((HERE / "landing.html").read_text(encoding="utf-8")).substitute(
        version=html.escape(version),
        style=(HERE / "landing.css").read_text(encoding="utf-8"),
        picture=(HERE / "overview.svg").read_text(encoding="utf-8"),
        about=readme.render(first_paragraph(readme.section("tally"))),
        commands=readme.show("two-commands", "commands", r".*^```.*"),
        install=building.show("installing-by-system", "table", r".*^\|.*"),
        devices=Page("docs/numerics.md").show("devices-that-were-compared", "table", r".*^\|[^\n]*\n"),
        summary=performance.show("performance", "table", r"^\|.*^\|[^\n]*\n"),
        shares=show_charts(performance, SHARES),
        peers=show_charts(performance, PEERS))
    (pathlib.Path(folder) / "index.html").write_text(page, encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
