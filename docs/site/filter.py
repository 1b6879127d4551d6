#!/usr/bin/env python3
"""docs/site/filter.py FILE: the file as Doxygen is to read it. Doxygen's INPUT_FILTER; docs/site/Doxyfile calls it.

Headers: they are written to be read, with plain comments. A comment before a declaration, or behind one on its
line, becomes Doxygen's. One comment before several declarations without a blank line between them is for each of
them. A line of dashes with a title begins a group; the comment below it, if a blank line follows, is the group's.
The first comment is the file's. Indented paragraphs keep their columns, and lists stay lists.

Pages: headings get GitHub's anchors, and links between pages lead to the pages of the site. The labels of
Doxygen are for all pages together, so each begins with its page's name. No page is Doxygen's main page:
index.html is docs/site/landing.py's.
"""
import pathlib
import re
import sys

import pages

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BANNER = re.compile(r"/\* -{4} (.+?) -+ \*/$")
# A comment at the end of a line of code, to where the comment or the line ends.
TRAILING = re.compile(r"^(.*\S\s*)/\*(?!\*)(.*)$")
CONDITIONAL = re.compile(r"^\s*#\s*(if|ifdef|ifndef|elif|else|endif|undef|include|error)\b")
ITEM = re.compile(r"([*-]|\d+\.) ")


# ---- Headers -------------------------------------------------------------------------------------

def escape(text):
    """Plain text, in which no character is Doxygen's or Markdown's; names become links, and so do pages."""
    text = re.sub(r"([\\@&<>#%$*`|])", r"\\\1", text)
    text = re.sub(r"(?<!\w)_", r"\\_", text)
    return re.sub(r"\bdocs/([\w-]+)\.md\b", r'@ref \1 "docs/\1.md"', text)


def convert_paragraph(lines):
    indent = min(len(line) - len(line.lstrip()) for line in lines)
    lines = [line[indent:] for line in lines]
    if indent < 2 or ITEM.match(lines[0]):
        return [re.sub(r"^(\s*)\\\* ", r"\1- ", escape(line)) for line in lines]
    return ["@verbatim", *lines, "@endverbatim"]


def convert_text(lines):
    """The lines of a comment, without its stars, with Doxygen's marks."""
    converted, paragraph = [], []
    for line in [*lines, ""]:
        if line.strip():
            paragraph.append(line)
        elif paragraph:
            converted += [*convert_paragraph(paragraph), ""]
            paragraph = []
    return converted[:-1]


def bare_lines(comment):
    """The lines of a block comment without what makes it one."""
    lines = comment.split("\n")
    lines[0] = re.sub(r"^\s*/\*", "", lines[0])
    lines[-1] = re.sub(r"\s*\*/$", "", lines[-1])
    return [re.sub(r"^\s*\* ?", "", line) if i else line[1:] for i, line in enumerate(lines)]


def comment_of(text, *commands):
    return "\n".join(["/**", *commands, *text, "*/"])


def find_declarations(lines):
    """Where declarations begin, from here to a blank line, a comment or a condition."""
    starts, depth, inside = [], 0, False
    for i, line in enumerate(lines):
        if not inside:
            if not line.strip() or line.startswith("/*") or CONDITIONAL.match(line):
                break
            starts.append(i)
        if inside == "macro" or (not inside and line.startswith("#")):
            inside = "macro" if line.endswith("\\") else False
        else:
            code = re.sub(r"/\*.*", "", line).rstrip()
            depth += code.count("{") - code.count("}")
            inside = depth > 0 or not code.endswith(";")
    return starts


class Header:
    """A header on its way to Doxygen: its lines, those that are done, where comments are to be repeated."""

    def __init__(self, text):
        self.lines = text.split("\n")
        self.done = []
        self.group = False
        self.first = True
        self.shared = {}

    def take_comment(self, at):
        end = at
        while not self.lines[end].rstrip().endswith("*/"):
            end += 1
        return "\n".join(self.lines[at:end + 1]), end + 1

    def is_floating(self, at):
        """Whether no declaration stands here, for which a comment could be."""
        return at >= len(self.lines) or not self.lines[at].strip() or bool(CONDITIONAL.match(self.lines[at]))

    def begin_group(self, title, at):
        text = []
        after = at + 1 if not self.lines[at].strip() else at
        if self.lines[after].startswith("/*") and not BANNER.match(self.lines[after]):
            comment, end = self.take_comment(after)
            if self.is_floating(end):
                text, at = convert_text(bare_lines(comment)), end
        if self.group:
            self.done.append("/** @} */")
        self.group = True
        name = re.sub(r"\W+", "_", title.lower())
        self.done.append(comment_of([*text, "", "@{"], f"@addtogroup {name} {title}", ""))
        return at

    def convert_comment(self, at):
        comment, end = self.take_comment(at)
        text = convert_text(bare_lines(comment))
        if self.first:
            self.first = False
            self.done.append(comment_of(text, "@file"))
        elif self.is_floating(end):
            self.done.append(comment)
        else:
            self.done.append(comment_of(text))
            if not self.lines[at][0].isspace():
                self.shared = {end + start: self.done[-1] for start in find_declarations(self.lines[end:])[1:]}
        return end

    def convert_code(self, line):
        trailing = TRAILING.match(line)
        if not trailing or CONDITIONAL.match(line):
            return line
        text = trailing.group(2)
        end = "*/" if text.endswith("*/") else ""
        return f"{trailing.group(1)}/**< {escape(text[:len(text) - len(end)].strip())} {end}".rstrip()

    def convert(self):
        at = 0
        while at < len(self.lines):
            if at in self.shared:
                self.done.append(self.shared[at])
            line = self.lines[at]
            banner = BANNER.match(line)
            if banner:
                at = self.begin_group(banner.group(1), at + 1)
            elif line.lstrip().startswith("/*"):
                at = self.convert_comment(at)
            else:
                self.done.append(self.convert_code(line))
                at += 1
        if self.group:
            self.done.append("/** @} */")
        return "\n".join(self.done)


# ---- Pages ---------------------------------------------------------------------------------------

def page_name(path):
    """Doxygen's name of a page; a folder's README has the folder's."""
    if path.name == "README.md" and path.parent != ROOT:
        return path.parent.name
    return path.stem.lower()


def convert_target(path, target):
    """Where a link of the page leads on the site."""
    if re.match(r"[a-z]+:", target):
        return target
    file, _, anchor = target.partition("#")
    place = (path.parent / file).resolve() if file else path
    if place.suffix == ".md":
        title = pages.find_anchors(place.read_text(encoding="utf-8"))[0]
        return f"@ref {page_name(place)}" if anchor in ("", title) else f"#{page_name(place)}-{anchor}"
    return f"@ref {place.name}" if place.suffix == ".h" else place.name


def convert_links(path, text):
    def convert(found):
        words = found.group(2).replace("\n", " ")
        return f"{found.group(1)}[{words}]({convert_target(path, found.group(3))})"
    return pages.LINK.sub(convert, text)


def convert_page(path):
    text = path.read_text(encoding="utf-8")
    anchors = iter(pages.find_anchors(text))
    name = page_name(path)

    def convert_line(line):
        heading = pages.HEADING.match(line)
        if not heading:
            return line
        anchor = next(anchors)
        target = f'<span id="{anchor}"></span>'
        if heading.group(1) == "#":
            return f"{line} {{#{name}}}\n\n{target}"
        return f"{target}\n\n{line} {{#{name}-{anchor}}}"

    pieces = []
    for is_code, piece in pages.split_fences(text):
        if not is_code:
            piece = convert_links(path, piece)
            piece = "".join(convert_line(line.rstrip("\n")) + "\n" for line in piece.splitlines())
        pieces.append(piece)
    return "".join(pieces)


def main(argument):
    path = pathlib.Path(argument).resolve()
    if path.suffix == ".md":
        sys.stdout.write(convert_page(path))
    else:
        sys.stdout.write(Header(path.read_text(encoding="utf-8")).convert())


if __name__ == "__main__":
    main(*sys.argv[1:])
