#!/usr/bin/env python3
"""docs/site/pictures.py: draws docs/pictures/*.svg. The numbers are those of the pages that show the pictures.

Run it after a change of the arrays or the results of docs/reduce.md, docs/scan.md or docs/fill.md. A test,
tests/cli/test_pages.py, holds the pages to what the program computes, and the pictures to the pages.
"""
import pathlib
import re

import pages

DOCS = pathlib.Path(__file__).resolve().parent.parent
CELL = 34

# Each picture has its own background, so that it can be read on a page of any colour.
STYLE = """\
  <style>
    .page { fill: #ffffff; stroke: #d0d7de; }
    .cell { fill: #f6f8fa; stroke: #8c959f; }
    .band { fill: #ffe2b8; stroke: #8c959f; }
    .one { fill: none; stroke: #0550ae; stroke-width: 3; }
    .two { fill: none; stroke: #bc4c00; stroke-width: 3; stroke-dasharray: 6 3; }
    text { fill: #1f2328; font: 15px sans-serif; text-anchor: middle; }
    text.word { text-anchor: start; }
    @media (prefers-color-scheme: dark) {
      .page { fill: #0d1117; stroke: #3d444d; }
      .cell { fill: #151b23; stroke: #656c76; }
      .band { fill: #6b4310; stroke: #656c76; }
      .one { stroke: #79c0ff; }
      .two { stroke: #ffa657; }
      text { fill: #f0f6fc; }
    }
  </style>
"""


class Picture:
    """Shapes of a picture, in the order in which they are drawn."""

    def __init__(self, width, height, title, description):
        self.parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
                      f'viewBox="0 0 {width} {height}" role="img" aria-labelledby="title desc">\n'
                      f'  <title id="title">{title}</title>\n  <desc id="desc">{description}</desc>\n{STYLE}'
                      f'  <rect class="page" x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="8"/>\n']

    def word(self, x, y, text):
        self.parts.append(f'  <text class="word" x="{x}" y="{y}">{text}</text>\n')

    def cells(self, x, y, rows, in_band=lambda row, column: False):
        for i, row in enumerate(rows):
            for j, number in enumerate(row):
                kind = "band" if in_band(i, j) else "cell"
                left, top = x + j * CELL, y + i * CELL
                self.parts.append(f'  <rect class="{kind}" x="{left}" y="{top}" width="{CELL}" height="{CELL}"/>'
                                  f'<text x="{left + CELL // 2}" y="{top + 22}">{number}</text>\n')

    def outline(self, kind, x, y, columns, rows):
        self.parts.append(f'  <rect class="{kind}" x="{x}" y="{y}" width="{columns * CELL}" '
                          f'height="{rows * CELL}" rx="4"/>\n')

    def svg(self):
        return "".join(self.parts) + "</svg>\n"


def read(name):
    text = (DOCS / name).read_text(encoding="utf-8")
    return pages.find_arrays(text), pages.find_results(text)


def draw_reduce():
    arrays, results = read("reduce.md")
    by_axes = {axes: results[f"reduce sum a.npy out.npy --axes {axes}"] for axes in ("0", "1", "0,1")}
    rows, columns = len(arrays["a.npy"]), len(arrays["a.npy"][0])
    picture = Picture(330, 250, "Sums of a 3 x 4 tensor",
                      "To the right of the tensor is the sum of each row, which sweeps axis 1. Below it is the sum "
                      "of each column, which sweeps axis 0. In the corner is the sum of all. The first row has the "
                      "outline of its sum, and the last column has that of its sum.")
    left, top, right, below = 20, 40, 20 + columns * CELL + 60, 40 + rows * CELL + 50
    picture.word(left, top - 14, "input")
    picture.cells(left, top, arrays["a.npy"])
    picture.word(right, top - 14, "axes 1")
    picture.cells(right, top, by_axes["1"])
    picture.word(left, below - 14, "axes 0")
    picture.cells(left, below, by_axes["0"])
    picture.word(right, below - 14, "axes 0 and 1")
    picture.cells(right, below, by_axes["0,1"])
    picture.outline("one", left, top, columns, 1)
    picture.outline("one", right, top, 1, 1)
    picture.outline("two", left + (columns - 1) * CELL, top, 1, rows)
    picture.outline("two", left + (columns - 1) * CELL, below, 1, 1)
    return picture.svg()


def draw_scan():
    arrays, results = read("scan.md")
    ways = [("inclusive", ""), ("exclusive", " --exclusive"), ("descending", " --reverse"),
            ("descending, exclusive", " --reverse --exclusive")]
    picture = Picture(400, 290, "Running sums of a row",
                      "The first row is the input. The inclusive sum of three elements has their outline. "
                      "The exclusive sum at that index is outlined with a dashed line: it leaves out the third "
                      "element. The descending sums go from the last element to the first.")
    left, top = 205, 20
    picture.word(20, top + 22, "input")
    picture.cells(left, top, [arrays["a.npy"]])
    picture.outline("one", left, top, 3, 1)
    for i, (name, options) in enumerate(ways):
        y = top + (i + 1) * (CELL + 18)
        picture.word(20, y + 22, name)
        picture.cells(left, y, [results[f"scan sum a.npy out.npy --axis 0{options}"]])
        if i < 2:
            picture.outline("two" if i else "one", left + 2 * CELL, y, 1, 1)
    return picture.svg()


def band_of(command):
    """Whether the value goes to a row and a column, by the command's --begin and --end."""
    begin, end = (int(re.search(rf"--{word} (-?\d+)", command).group(1)) for word in ("begin", "end"))
    if begin <= end:
        return lambda row, column: begin <= column - row < end
    return lambda row, column: not end <= column - row < begin


def draw_fill():
    results = read("fill.md")[1]
    shown = {"zeros, begin -1, end 2": "diagonal out.npy --shape 4,5 --type i32 --value 7 --begin -1 --end 2",
             "input, begin 1, end 5": "diagonal out.npy --input a.npy --value 0 --begin 1 --end 5",
             "input, begin 2, end -1": "diagonal out.npy --input a.npy --value 0 --begin 2 --end -1"}
    picture = Picture(420, 390, "Bands of diagonals",
                      "The first matrix has the number of each element's diagonal, its column less its row. In the "
                      "others the band is coloured: three diagonals of zeros become 7; what is above the main diagonal "
                      "of an input becomes 0; and what is outside of three diagonals of an input becomes 0.")
    picture.word(20, 28, "t = x - y")
    picture.cells(20, 40, [[column - row for column in range(5)] for row in range(4)])
    for place, (name, command) in zip(((220, 40), (20, 230), (220, 230)), shown.items()):
        picture.word(place[0], place[1] - 12, name)
        picture.cells(*place, results[command], band_of(command))
    return picture.svg()


DRAWN = {"reduce": draw_reduce, "scan": draw_scan, "fill": draw_fill}


def main():
    for name, draw in DRAWN.items():
        (DOCS / "pictures" / f"{name}.svg").write_text(draw(), encoding="utf-8")


if __name__ == "__main__":
    main()
