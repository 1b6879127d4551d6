#!/usr/bin/env python3
"""tests/words.py [WORD...]: where words of docs/glossary.md are used.

With words: each use of theirs, as a part of a name or in a comment or a page. Without: fails where a word that
the glossary's last table gives up is back, in the parts of names or, if it is no everyday English, in comments;
and where a page of docs/ names a file of sources that is not there.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ["cl", "src", "include", "tests", "docs"]
SOURCES = {".c", ".h", ".cl", ".def", ".cpp", ".hpp"}
# Where nobody may use the words that are given up; tests may name what they like in English.
KERNELS = ("cl/", "src/plan/", "src/model/", "src/device/", "include/")
COMMENT = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', re.DOTALL)
NAME = re.compile(r"[A-Za-z_]\w*")

# The part of a name that a word of the table is, where it is more than the word or its plural. In place and
# out of place are the field's.
PARTS = {"alone": "a?lone", "join": "join(s|ed|ing)?", "place": "(?<!in_)(?<!out_of_)places?", "turn": "turn(s|ed)?"}


def name_pattern(word):
    """Names that have the word as a part; "each" is given up at their end."""
    part = PARTS.get(word, f"{word}s?")
    after = "$" if word == "each" else "(?![a-z0-9])"
    before = "(?<=_)" if word == "each" else "(?<![a-z0-9])"
    return re.compile(before + part + after, re.IGNORECASE)


# Those that no comment needs for anything else.
COMMENTS = re.compile(r"\b(anchors?|lone|neutral|join(s|ed|ing)?|patience|slabs?)\b", re.IGNORECASE)


def find_files():
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in SOURCES | {".md"} and path.is_file():
                yield path.relative_to(ROOT)


def split(path):
    """The text's lines twice, once without comments and strings and once with nothing but comments."""
    text = (ROOT / path).read_text(encoding="utf-8", errors="replace")
    if path.suffix == ".md":
        return [""] * (text.count("\n") + 1), text.split("\n")

    def blank(part):
        return re.sub(r"[^\n]", " ", part)

    code, prose, at = [], [], 0
    for found in COMMENT.finditer(text):
        before, part = text[at:found.start()], found.group(0)
        code += [before, blank(part)]
        prose += [blank(before), blank(part) if part[0] == '"' else part]
        at = found.end()
    return ("".join(code + [text[at:]])).split("\n"), ("".join(prose + [blank(text[at:])])).split("\n")


def list_uses(words):
    """Each line on which one of the words is a part of a name, or stands in prose."""
    part = re.compile(r"(?<![A-Za-z0-9])(%s)s?(?![A-Za-z0-9])" % "|".join(words), re.IGNORECASE)
    for path in find_files():
        for kind, lines in zip(("name", "prose"), split(path)):
            for number, line in enumerate(lines, 1):
                if part.search(line):
                    yield f"{path}:{number}: {kind}: {line.strip()}"


def given_up():
    """The table's words, with what stands for them."""
    page = (ROOT / "docs/glossary.md").read_text(encoding="utf-8")
    table = page.split("\n## Words that are not used")[1]
    rows = re.findall(r"^\| ([^|]+) \| ([^|]+) \|$", table, re.MULTILINE)[1:]
    return {re.match(r"\w+", word).group(0): instead for word, instead in rows}


def check_names(words):
    patterns = {word: name_pattern(word) for word in words}
    for path in find_files():
        if not str(path).startswith(KERNELS):
            continue
        code, prose = split(path)
        for number, line in enumerate(code, 1):
            for name in NAME.findall(line):
                for word, pattern in patterns.items():
                    if pattern.search(name) and not name.startswith("pthread_"):
                        yield f"{path}:{number}: {name}: not {word}, but {words[word]}"
        for number, line in enumerate(prose, 1):
            for found in COMMENTS.finditer(line):
                yield f"{path}:{number}: {found.group(0)}: a word that is not used any more"


def check_paths():
    files = {path.name for folder in [*FOLDERS, "examples"] for path in (ROOT / folder).rglob("*")}
    for page in sorted((ROOT / "docs").glob("*.md")):
        for found in re.finditer(r"\b[\w/]+\.(?:cl|c|h|def)\b", page.read_text(encoding="utf-8")):
            if found.group(0).split("/")[-1] not in files and not found.group(0).startswith("CL/"):
                yield f"docs/{page.name}: {found.group(0)} is not there"


def main():
    if len(sys.argv) > 1:
        print("\n".join(list_uses([re.escape(word) for word in sys.argv[1:]])))
        return
    words = given_up()
    faults = [f"no pattern finds {word}" for word in words if not name_pattern(word).search(f"a_{word}")]
    faults += [*check_names(words), *check_paths()]
    print("\n".join(faults) or f"none of {len(words)} words that are given up is used")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
