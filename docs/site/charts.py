"""docs/site/charts.py: bar charts of tables of Markdown pages, as HTML without scripts, for docs/site/landing.py.

A chart is a table too: each row has a label, a bar for each series and the figures as the page has them. So it can be
read without its style, and by a program.
"""
import html
import re
import typing

LIMIT = 1.0  # the speed that shares are held against; it is a line of their charts


class Chart(typing.NamedTuple):
    """What a chart shows of a section: the columns of its labels and of its figures. A cell may have a figure for each
    series, with slashes between them. series has the names if there are several; none: the figures are shares. Rows
    whose label does not match rows are left out. Its title is the section's and title."""
    section: str
    title: str
    labels: tuple
    figures: tuple
    series: tuple = ()
    rows: str = ""


def find_tables(section):
    """The tables of a section: of each the paragraph before it, its heading and its rows, as lists of cells."""
    for before, block in re.findall(r"((?:^[^|\n].*\n)*)\n*((?:^\|.*\n)+)", section, re.MULTILINE):
        lines = [[cell.strip() for cell in line.strip()[1:-1].split("|")] for line in block.splitlines()]
        yield before, lines[0], lines[2:]


def find_figures(chart, heading, rows):
    """Labels and figures of a table's rows. None if the table is not the chart's."""
    if not set(chart.labels + chart.figures) <= set(heading):
        return None
    found, labels = [], [""] * len(chart.labels)
    for row in rows:
        # An empty label is that of the row above.
        labels = [row[heading.index(name)] or above for name, above in zip(chart.labels, labels)]
        figures = [figure for name in chart.figures for figure in row[heading.index(name)].split(" / ")]
        if len(figures) != max(1, len(chart.series)):
            return None
        if re.search(chart.rows, labels[0]):
            found.append((labels, figures))
    return found


def value_of(figure):
    """The number of a figure: the first of several, which is the mean where others follow; 0 of a dash."""
    number = re.match(r"\d+(\.\d+)?", figure)
    return float(number.group()) if number else 0.0


def draw_row(labels, figures, scale, limit):
    """A row; limit is the line's HTML."""
    name, *rest = (html.escape(label) for label in labels)
    small = "".join(f" <small>{label}</small>" for label in rest)
    bars = "".join(f'<i style="width:{100 * value_of(figure) / scale:.1f}%"></i>' for figure in figures)
    texts = "".join(f"<span>{html.escape(figure.partition(',')[0])}</span>" for figure in figures)
    return (f'<tr><th>{name}{small}</th><td><div class="bars">{bars}{limit}</div></td>'
            f'<td class="figure">{texts}</td></tr>')


def draw(chart, section):
    """The chart of the section's only table that has its columns, and the paragraph before that table; None where
    no table has them, or several have."""
    found = [(before, figures) for before, heading, rows in find_tables(section)
             if (figures := find_figures(chart, heading, rows))]
    if len(found) != 1:
        return None
    before, rows = found[0]
    values = [value_of(figure) for _, figures in rows for figure in figures]
    scale = max(values) if chart.series else max(LIMIT, *values)
    limit = "" if chart.series else f'<span class="limit" style="left:calc({100 * LIMIT / scale:.1f}% - 2px)"></span>'
    key = "".join(f"<b></b>{html.escape(name)}" for name in chart.series)
    body = "\n".join(draw_row(labels, figures, scale, limit) for labels, figures in rows)
    return (f'<p class="key">{key}</p>\n' if key else "") + f'<table class="chart">\n{body}\n</table>', before
