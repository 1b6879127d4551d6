#!/usr/bin/env python3
"""tests/site.py SITE [WORK]: holds the links of the pages that ci/docs makes to what is there.

* A link, a picture, a script or a style of a page leads to a file of the site.
* #anchor, behind a page's name or alone, is the id or the name of an element of that page.

Pages of the net are not fetched. Doxygen's lists for its search box are left out. With WORK, a folder that is
removed, sites with one fault each are made there first: they must be found. LinkChecker and HTML-Proofer say the
same of the site, in ten times as long.
"""
import html.parser
import re
import sys
import urllib.parse

import planted

ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]*:|//")
TARGETS = {"href", "src", "data"}


class Page(html.parser.HTMLParser):
    """What a page's elements lead to, with their lines, and what leads to them."""

    def __init__(self, text):
        super().__init__()
        self.targets = []
        self.anchors = {"", "top"}
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name == "id" or (name == "name" and tag == "a"):
                self.anchors.add(value)
            elif name in TARGETS and value is not None:
                self.targets.append((self.getpos()[0], value))

    handle_startendtag = handle_starttag


def check_target(site, path, target, found):
    """A complaint about a target, or None."""
    name, _, anchor = (urllib.parse.unquote(part) for part in target.partition("#"))
    place = (path.parent / name.partition("?")[0]).resolve() if name else path
    if site not in place.parents or not place.is_file():
        return "leads nowhere"
    if place.suffix == ".html" and place in found and anchor not in found[place].anchors:
        return "has an anchor that is not on that page"
    return None


def check(site):
    site = site.resolve()
    found = {path: Page(path.read_text(encoding="utf-8")) for path in sorted(site.glob("*.html"))}
    complaints, count = [], 0
    for path, page in found.items():
        for line, target in page.targets:
            if ELSEWHERE.match(target):
                continue
            count += 1
            complaint = check_target(site, path, target, found)
            if complaint:
                complaints.append(f"{path.name}:{line}: {target} {complaint}")
    return complaints, len(found), count


# A site's files, and how the complaint about it begins; none: it is in order.
GOOD = '<a href="b.html#x%20y">b</a><a href="#here">here</a><img src="p.svg"/><i id="here"/><a href="http://q/#r">q</a>'
PLANTED = [
    ({"a.html": GOOD, "b.html": '<h1 id="x y">', "p.svg": ""}, None),
    ({"a.html": GOOD, "b.html": '<a name="x y">', "p.svg": ""}, None),
    ({"a.html": GOOD, "b.html": '<h1 id="xy">', "p.svg": ""}, "a.html:1: b.html#x%20y has an anchor"),
    ({"a.html": GOOD, "b.html": '<h1 id="x y">'}, "a.html:1: p.svg leads nowhere"),
    ({"a.html": GOOD, "p.svg": ""}, "a.html:1: b.html#x%20y leads nowhere"),
    ({"a.html": '\n<a href="#there">', "p.svg": ""}, "a.html:2: #there has an anchor"),
    ({"a.html": '<object data="q.svg"></object>'}, "a.html:1: q.svg leads nowhere"),
]


planted.check_links(sys.argv[1:], __doc__, "site", "pages of the site", check, PLANTED)
