#!/usr/bin/env python3
"""tests/site.py SITE [WORK]: holds the links of the pages that ci/docs makes to what is there.

* A link, a picture, a script or a style of a page leads to a file of the site.
* #anchor, behind a page's name or alone, is the id or the name of an element of that page.
* Pages and styles load nothing from elsewhere: no script, style, font or picture.

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
TARGETS = {"href", "src", "data", "poster", "srcset"}
# What a style loads from elsewhere.
LOADED = re.compile(r"""@import[^;]*|url\(\s*["']?(?!data:)(?:[a-z][a-z0-9+.-]*:|//)[^)]*""")


class Page(html.parser.HTMLParser):
    """What a page's elements lead to, with their lines, and what leads to them."""

    def __init__(self, text):
        super().__init__()
        self.targets = []
        self.anchors = {"", "top"}
        self.loaded = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name == "id" or (name == "name" and tag == "a"):
                self.anchors.add(value)
            elif name in TARGETS and value is not None:
                self.targets.append((self.getpos()[0], value))
                if tag != "a" and ELSEWHERE.match(value) and not value.startswith(("data:", "javascript:")):
                    self.loaded.append((self.getpos()[0], value))
            elif name == "style" and value is not None:
                self.find_loaded(value)

    handle_startendtag = handle_starttag

    def handle_data(self, data):
        if self.lasttag == "style":
            self.find_loaded(data)

    def find_loaded(self, style):
        self.loaded += [(self.getpos()[0], found) for found in LOADED.findall(style)]


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
    for path in sorted(site.glob("*.css")):
        complaints += [f"{path.name}: {what} is loaded from elsewhere"
                       for what in LOADED.findall(path.read_text(encoding="utf-8"))]
    for path, page in found.items():
        complaints += [f"{path.name}:{line}: {what} is loaded from elsewhere" for line, what in page.loaded]
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
    ({"a.html": '<style>a { background: url("data:x") }</style>', "b.css": "a { background: url(p.png) }"}, None),
    ({"a.html": '<script src="https://q/r.js">'}, "a.html:1: https://q/r.js is loaded"),
    ({"a.html": '<link rel="stylesheet" href="//q/r.css">'}, "a.html:1: //q/r.css is loaded"),
    ({"a.html": "<style>a { src: url('https://q/r.woff') }</style>"}, "a.html:1: url('https://q/r.woff' is loaded"),
    ({"a.html": '<p style="background: url(//q/r.png)">'}, "a.html:1: url(//q/r.png is loaded"),
    ({"a.html": "", "b.css": '@import "https://q/r.css";'}, 'b.css: @import "https://q/r.css" is loaded'),
]


planted.check_links(sys.argv[1:], __doc__, "site", "pages of the site", check, PLANTED)
