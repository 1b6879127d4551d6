"""docs/site/pages.py: how GitHub reads the parts of a Markdown page that links depend on.

docs/site/filter.py hands the pages to Doxygen, docs/site/landing.py takes sections of them, and tests/links.py checks
their links. docs/site/pictures.py and tests/cli/test_pages.py take the examples of pages from here.
"""
import json
import re

FENCE = re.compile(r"^ {0,3}(```|~~~)")
HEADING = re.compile(r"^(#{1,6}) +(.*?) *#*$")
# [text](target), with or without the ! of a picture; the text may go on to the next line.
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(([^()\s]+)\)")
CODE = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)", re.DOTALL)


def split_fences(text):
    """Pieces of a page in their order, as pairs: whether the piece is a block of code, and its text."""
    pieces, lines, inside = [], [], ""
    for line in text.splitlines(keepends=True):
        fence = FENCE.match(line)
        if inside:
            lines.append(line)
            if fence and fence.group(1) == inside:
                pieces.append((True, "".join(lines)))
                lines, inside = [], ""
        elif fence:
            pieces.append((False, "".join(lines)))
            lines, inside = [line], fence.group(1)
        else:
            lines.append(line)
    pieces.append((bool(inside), "".join(lines)))
    return pieces


def slug(title):
    """The anchor that GitHub gives a heading: lower case, no punctuation, hyphens for spaces."""
    title = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title)
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def find_anchors(text):
    """The anchors of a page's headings in their order; a second one of the same words ends in -1."""
    seen, anchors = {}, []
    for is_code, piece in split_fences(text):
        for line in [] if is_code else piece.splitlines():
            heading = HEADING.match(line)
            if heading:
                name = slug(heading.group(2))
                count = seen.get(name, 0)
                seen[name] = count + 1
                anchors.append(f"{name}-{count}" if count else name)
    return anchors


def find_sections(text):
    """The text under each heading, up to the next heading of any level, by the heading's anchor."""
    anchors, sections, anchor = iter(find_anchors(text)), {}, None
    for is_code, piece in split_fences(text):
        for line in piece.splitlines(keepends=True):
            if not is_code and HEADING.match(line):
                anchor = next(anchors)
                sections[anchor] = ""
            elif anchor is not None:
                sections[anchor] += line
    return sections


def find_links(text):
    """The targets of links and pictures outside of code, with the numbers of their lines."""
    number = 1
    for is_code, piece in split_fences(text):
        if not is_code:
            bare = CODE.sub(lambda found: re.sub(r"[^\n]", "x", found.group(0)), piece)
            for found in LINK.finditer(bare):
                yield number + bare[:found.start()].count("\n"), found.group(3)
        number += piece.count("\n")


# ---- Examples that can be run --------------------------------------------------------------------
# A page names its arrays, "`a.npy` is `[[1, 2], [3, 4]]`", and has rows of tables with a command of the program
# and the array that it writes: "| ... | `tally reduce sum a.npy out.npy` | `[[10]]` |".

ARRAY = re.compile(r"`(\w+\.npy)` is\s+`(\[[^`]*\])`")
RESULT = re.compile(r"^\|.*\| `tally ([^`|]+)` \| `(\[[^`|]*\])` \|$", re.MULTILINE)


def find_arrays(text):
    """The page's arrays by their names, as nested lists."""
    return {name: json.loads(value) for name, value in ARRAY.findall(text)}


def find_results(text):
    """What the page's commands write, as nested lists, by the words behind "tally"."""
    return {command: json.loads(value) for command, value in RESULT.findall(text)}
