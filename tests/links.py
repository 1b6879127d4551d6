#!/usr/bin/env python3
"""tests/links.py ROOT [WORK]: holds the links of README.md, CHANGELOG.md, docs/ and examples/ to what is there.

* A relative link leads to a file or a folder of the tree, written as a path from its page.
* #anchor, behind a page's name or alone, is one that GitHub makes of a heading of that page.
* Each page of a folder is linked from another page, so that a reader finds it.

With WORK, a folder that is removed, trees with one fault each are made there first: they must be found. ci/docs
checks the links of the site.
"""
import pathlib
import re
import sys

import planted

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "docs" / "site"))
import pages  # noqa: E402

ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]*:")


def find_pages(root):
    return [path for name in ("*.md", "docs/**/*.md", "examples/*.md") for path in sorted(root.glob(name))]


def check_link(root, page, target, anchors):
    """A complaint about a link, or None."""
    name, _, anchor = target.partition("#")
    place = (page.parent / name).resolve() if name else page
    if root not in place.parents:
        return "leads out of the tree"
    if not place.exists():
        return "leads nowhere"
    if anchor and anchor not in anchors.get(place, ()):
        return "has an anchor that no heading gives"
    return None


def check(root):
    root = root.resolve()
    texts = {page: page.read_text(encoding="utf-8") for page in find_pages(root)}
    anchors = {page: pages.find_anchors(text) for page, text in texts.items()}
    complaints, count, linked = [], 0, set()
    for page, text in texts.items():
        for number, target in pages.find_links(text):
            count += 1
            if ELSEWHERE.match(target):
                continue
            complaint = check_link(root, page, target, anchors)
            if complaint:
                complaints.append(f"{page.relative_to(root)}:{number}: {target} {complaint}")
            elif (page.parent / target.partition("#")[0]).resolve() != page:
                linked.add((page.parent / target.partition("#")[0]).resolve())
    complaints += [f"{page.relative_to(root)}: no page links it" for page in texts
                   if page.parent != root and page not in linked]
    return complaints, len(texts), count


# A tree's pages, and how the complaint about it begins; none: it is in order.
GOOD = "# A\n\n[b](docs/b.md), [part](docs/b.md#one-two_three-1), [the\nfirst](#a), [out](https://example.org/x#y)\n"
PART = "# B\n\n## One, `two_three`\n\n## One, two_three\n\n```text\n## Code\n[x](nowhere.md)\n```\n`[x](nowhere.md)`\n"
PLANTED = [
    ({"README.md": GOOD, "docs/b.md": PART}, None),
    ({"README.md": GOOD + "[c](docs/c.md)\n", "docs/b.md": PART}, "README.md:5: docs/c.md leads nowhere"),
    ({"README.md": GOOD + "![c](c.svg)\n", "docs/b.md": PART}, "README.md:5: c.svg leads nowhere"),
    ({"README.md": GOOD, "docs/b.md": PART + "\n[a](../README.md#b)\n"}, "docs/b.md:13: ../README.md#b has an anchor"),
    ({"README.md": GOOD + "[c](#code)\n", "docs/b.md": PART}, "README.md:5: #code has an anchor"),
    ({"README.md": GOOD + "[c](docs/b.md#code)\n", "docs/b.md": PART}, "README.md:5: docs/b.md#code has an anchor"),
    ({"README.md": GOOD, "docs/b.md": PART + "\n[a](../../../x)\n"}, "docs/b.md:13: ../../../x leads out of the tree"),
    ({"README.md": GOOD, "docs/b.md": PART, "docs/c.md": "# C\n"}, "docs/c.md: no page links it"),
]


planted.check_links(sys.argv[1:], __doc__, "links", "pages", check, PLANTED)
