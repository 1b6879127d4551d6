"""tests/planted.py: trees with one fault each, for the scripts that hold the tree, its pages or its site to rules."""
import pathlib
import shutil
import sys


def check(name, work, cases, complaints_of):
    """Makes each case's files in the folder work, which is removed, and asks for the complaints about them. A case
    has the texts of files, and how the only complaint begins; none: the files are in order. Ends the script
    where something else is said."""
    for i, (files, expected) in enumerate(cases):
        shutil.rmtree(work, ignore_errors=True)
        for path, text in files.items():
            (work / path).parent.mkdir(parents=True, exist_ok=True)
            (work / path).write_text(text, encoding="utf-8")
        found = complaints_of(work)
        if len(found) != (expected is not None) or not "".join(found).startswith(expected or ""):
            sys.exit(f"{name}: of the planted case {i} was said: {found}, not: {expected}")
    shutil.rmtree(work, ignore_errors=True)


def check_links(arguments, usage, name, pages, complaints_of, cases):
    """The main of a script whose arguments are a tree and, for the planted cases, a folder. complaints_of gives the
    complaints about a tree, how many pages it has and how many links; name and pages are for what is printed."""
    if len(arguments) not in (1, 2):
        sys.exit(usage)
    if len(arguments) == 2:
        check(name, pathlib.Path(arguments[1]), cases, lambda work: complaints_of(work)[0])
    complaints, count, links = complaints_of(pathlib.Path(arguments[0]))
    if complaints or not links:
        sys.exit(f"links of the {pages} are broken:\n  " + "\n  ".join(complaints or ["there is none"]))
    print(f"{links} links of {count} {pages} lead somewhere")
