#!/usr/bin/env python3
"""tests/layers.py ROOT [WORK]: holds the tree to docs/architecture.md's layers.

* A file of src/ includes files of its own layer and of those below it. Those of the program, of MPI, of streams
  and of devices include their own and the public headers; the latter three also src/base, streams and devices
  OpenCL's codes, the programs src/platform, and the program for MPI and what writes the program's pages the
  program's. Files of cl/ include files of cl/.
* No circle: a module is a file with its header (X.c, X.h, X.def), and includes make one need another.
* The oracle of the tests needs nothing of src/.
* A folder has at most 25 files of sources: more are several things. So is a file of more than 300 lines, here and in
  python, ci and examples; the copies of a release's headers in tests/abi are as they were.
* Systems differ in at most 6 files, those in folders of src/platform. No other file of src/ asks which system it
  is compiled for.

With WORK, a folder that is removed, trees with one fault each are made there first: they must be found.
"""
import collections
import pathlib
import re
import sys

import planted

LAYERS = ["platform", "base", "model", "plan", "device", "api", "stream", "devices", "cli", "mpi", "cli_mpi",
          "cli_pages"]
# Layers on the public headers, with what else they may include.
ON_PUBLIC = {"stream": ("platform", "base", "device/clerror.h"), "devices": ("platform", "base", "device/clerror.h"),
             "cli": ("platform",), "mpi": ("base",), "cli_mpi": ("platform", "cli"), "cli_pages": ("cli",)}
FOLDERS = ["src", "cl", "tests", "include"]
SOURCES = {".c", ".h", ".cl", ".def", ".py", ".cpp", ".hpp"}
FILES_MAX = 25
LINES_MAX = 300
# What has lines besides, where; scripts of ci have no suffix.
MORE_FOLDERS = ["python", "ci", "examples"]
MORE_SOURCES = {".cu", ".cuh", ".pml", ".cmake", ".pyi"}
COPIES = ("tests", "abi")
SYSTEM_FILES_MAX = 6
SYSTEM = re.compile(r"\b(_WIN32|__APPLE__|__linux__|__unix__|__[A-Z][A-Za-z]*BSD__)\b")
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:"([^"]+)"|<(tally/[^>]+)>)', re.MULTILINE)


def find_sources(root):
    """Paths from root, but for what tools put there."""
    return sorted(path.relative_to(root) for folder in FOLDERS for path in (root / folder).rglob("*")
                  if path.suffix in SOURCES and path.is_file() and "__pycache__" not in path.parts)


def find_includes(root, sources):
    """Of each file the files of the tree that it includes; others are the build's or the system's."""
    known = set(sources)
    includes = {}
    for source in sources:
        text = (root / source).read_text(encoding="utf-8") if source.suffix != ".py" else ""
        includes[source] = []
        for quoted, public in INCLUDE.findall(text):
            places = [pathlib.Path("include")] if public else [source.parent, pathlib.Path("src"),
                                                                pathlib.Path(), pathlib.Path("tests")]
            found = [place / (quoted or public) for place in places]
            includes[source] += [path for path in found if path in known][:1]
    return includes


def layer_of(path):
    """The number of a file's layer; -1: below all, as cl/ and the public headers are; None: a test."""
    if path.parts[0] == "src" and path.parts[1] in LAYERS:
        return LAYERS.index(path.parts[1])
    return None if path.parts[0] in ("src", "tests") else -1


def may_include(source, path):
    """Whether a file on the public headers may include another one; any other file may."""
    if source.parts[0] != "src" or source.parts[1] not in ON_PUBLIC:
        return True
    inside = "/".join(path.parts[1:])
    more = ON_PUBLIC[source.parts[1]]
    return (path.parts[0] == "include" or path.parts[:2] == source.parts[:2]
            or (path.parts[0] == "src" and (path.parts[1] in more or inside in more)))


def check_layers(includes):
    for source, included in includes.items():
        layer = layer_of(source)
        if source.parts[0] == "src" and layer is None:
            yield f"{source}: src/{source.parts[1]} is no layer"
        for path in included if layer is not None else []:
            other = layer_of(path)
            if other is None or other > layer or (source.parts[0] == "cl" != path.parts[0]):
                yield f"{source} includes {path}, which is not below it"
            elif not may_include(source, path):
                yield f"{source} includes {path}: src/{source.parts[1]} has the public headers alone"


def module_edges(includes):
    edges = collections.defaultdict(set)
    for source, included in includes.items():
        edges[source.with_suffix("")] |= {path.with_suffix("") for path in included}
    return {module: needed - {module} for module, needed in edges.items()}


def reach(edges, start):
    """All modules that start needs, itself only if there is a circle."""
    found, left = set(), list(edges.get(start, ()))
    while left:
        module = left.pop()
        if module not in found:
            found.add(module)
            left += edges.get(module, ())
    return found


def check_circles(edges):
    needs = {module: reach(edges, module) for module in edges}
    circles = {tuple(sorted(other for other in found if module in needs.get(other, ())))
               for module, found in needs.items() if module in found}
    for circle in sorted(circles):
        yield "a circle of includes: " + ", ".join(map(str, circle))


def check_oracle(edges):
    for module in edges:
        if module.parts[:3] == ("tests", "support", "oracle"):
            for needed in sorted(reach(edges, module)):
                if needed.parts[0] == "src":
                    yield f"{module} needs {needed}: the oracle shares nothing with the library"


def check_folders(sources):
    counts = collections.Counter(path.parent for path in sources)
    for folder, count in sorted(counts.items()):
        if count > FILES_MAX:
            yield f"{folder} has {count} files, more than {FILES_MAX}"


def check_lengths(root):
    for folder in FOLDERS + MORE_FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            inside = path.relative_to(root)
            if (path.suffix in SOURCES | MORE_SOURCES or folder == "ci") and path.is_file() and (
                    inside.parts[:2] != COPIES and "__pycache__" not in inside.parts):
                lines = path.read_text(encoding="utf-8", errors="replace").count("\n")
                if lines > LINES_MAX:
                    yield f"{inside.as_posix()} has {lines} lines, more than {LINES_MAX}"


def check_systems(root, sources):
    own = [path for path in sources if path.parts[:2] == ("src", "platform") and len(path.parts) > 3]
    if len(own) > SYSTEM_FILES_MAX:
        yield f"systems differ in {len(own)} files, more than {SYSTEM_FILES_MAX}"
    for path in sources:
        if path.parts[0] == "src" and path not in own:
            for name in sorted(set(SYSTEM.findall((root / path).read_text(encoding="utf-8")))):
                yield f"{path} asks for {name}: only folders of src/platform may"


def check(root):
    sources = find_sources(root)
    includes = find_includes(root, sources)
    edges = module_edges(includes)
    return (list(check_layers(includes)) + list(check_circles(edges)) + list(check_oracle(edges))
            + list(check_folders(sources)) + list(check_lengths(root))
            + list(check_systems(root, sources))), len(sources), len(edges)


# A tree's files with what they include, or other lines with a #, and how the complaint about it begins; none: it is
# in order.
PLANTED = [
    ({"src/base/a.h": [], "src/base/a.c": ["base/a.h"], "src/model/b.c": ["base/a.h", "cl/n.h"],
      "cl/n.h": [], "src/cli/main.c": ["cli/main.h"], "src/cli/main.h": []}, None),
    ({"src/base/a.h": ["model/b.h"], "src/model/b.h": []}, "src/base/a.h includes src/model/b.h"),
    ({"src/cli/main.c": ["base/a.h"], "src/base/a.h": []}, "src/cli/main.c includes src/base/a.h"),
    ({"src/stream/s.c": ["base/a.h"], "src/base/a.h": []}, None),
    ({"src/stream/s.c": ["api/a.h"], "src/api/a.h": []}, "src/stream/s.c includes src/api/a.h"),
    ({"src/mpi/a.c": ["cli/b.h"], "src/cli/b.h": []}, "src/mpi/a.c includes src/cli/b.h"),
    ({"src/cli_mpi/a.c": ["mpi/b.h"], "src/mpi/b.h": []}, "src/cli_mpi/a.c includes src/mpi/b.h"),
    ({"src/cli_mpi/a.c": ["cli/b.h"], "src/cli/b.h": []}, None),
    ({"src/cli_pages/a.c": ["cli/b.h"], "src/cli/b.h": []}, None),
    ({"src/cli_pages/a.c": ["api/b.h"], "src/api/b.h": []}, "src/cli_pages/a.c includes src/api/b.h"),
    ({"cl/n.h": ["base/a.h"], "src/base/a.h": []}, "cl/n.h includes src/base/a.h"),
    ({"src/odd/a.c": []}, "src/odd/a.c: src/odd is no layer"),
    ({"src/plan/a.h": [], "src/plan/a.c": ["plan/b.h"], "src/plan/b.h": ["plan/deep/c.h"],
      "src/plan/deep/c.h": [], "src/plan/deep/c.c": ["plan/a.h"]},
     "a circle of includes: src/plan/a, src/plan/b, src/plan/deep/c"),
    ({"tests/support/a.h": ["support/b.h"], "tests/support/b.h": ["a.h"]},
     "a circle of includes: tests/support/a, tests/support/b"),
    ({"tests/support/oracle/o.c": ["support/n.h"], "tests/support/n.h": ["model/b.h"],
      "src/model/b.h": []}, "tests/support/oracle/o needs src/model/b"),
    ({f"tests/a{i}.py": [] for i in range(FILES_MAX + 1)}, "tests has 26 files"),
    ({"src/base/a.c": ["#"] * (LINES_MAX + 1)}, "src/base/a.c has 301 lines"),
    ({"ci/a": ["#"] * (LINES_MAX + 1)}, "ci/a has 301 lines"),
    ({"python/a.py": ["#"] * LINES_MAX, "tests/abi/v1/a.h": ["#"] * (LINES_MAX + 1)}, None),
    ({f"src/platform/{name}.c": ["#ifdef __linux__"] for name in ("a/1", "a/2", "b/1", "b/2", "c/1", "c/2")}, None),
    ({f"src/platform/{i % 2}/{i}.c": [] for i in range(SYSTEM_FILES_MAX + 1)}, "systems differ in 7 files"),
    ({"src/platform/a.h": ["#if defined(_WIN32)"]}, "src/platform/a.h asks for _WIN32"),
]


def write_includes(files):
    """The texts of a tree's files."""
    return {name: "".join(f"{line}\n" if line[0] == "#" else f'#include "{line}"\n' for line in lines)
            for name, lines in files.items()}


def main(arguments):
    if len(arguments) not in (1, 2):
        sys.exit(__doc__)
    if len(arguments) == 2:
        cases = [(write_includes(files), expected) for files, expected in PLANTED]
        planted.check("layers", pathlib.Path(arguments[1]), cases, lambda work: check(work)[0])
    complaints, files, modules = check(pathlib.Path(arguments[0]))
    if complaints:
        sys.exit("the tree is not what docs/architecture.md says:\n  " + "\n  ".join(complaints))
    print(f"{files} files, {modules} modules: no circle, and layers go one way")


main(sys.argv[1:])
