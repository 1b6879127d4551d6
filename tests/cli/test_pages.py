"""tally and the pages of the operators: what docs/reduce.md, docs/scan.md and docs/fill.md say that a command writes is
what it writes, and docs/pictures has the pictures that docs/site/pictures.py draws of these pages.
"""

import sys

sys.dont_write_bytecode = True  # keep the source tree as it is

import os
import pathlib
import tempfile

import numpy as np

from support import NO_CACHE, TestCase, exactly, main, run

DOCS = pathlib.Path(__file__).resolve().parent.parent.parent / "docs"
sys.path.insert(0, str(DOCS / "site"))

import pages
import pictures


class PagesTest(TestCase):
    def check_page(self, name):
        text = (DOCS / f"{name}.md").read_text(encoding="utf-8")
        results = pages.find_results(text)
        # Each command of the page is one that is run here, and none stands twice.
        self.assertEqual(text.count("`tally "), len(results))
        self.assertGreater(len(results), 3)
        for command, expected in results.items():
            with self.subTest(command), tempfile.TemporaryDirectory() as folder:
                for array, value in pages.find_arrays(text).items():
                    np.save(os.path.join(folder, array), np.array(value, dtype="i4"))
                result = run([*command.split(), NO_CACHE], folder)
                self.assertEqual((result.status, result.out, result.err), (0, "", ""), str(result))
                output = np.load(os.path.join(folder, "out.npy"))
                self.assertIsNone(exactly(np.array(expected, dtype="i4"))(output), result.line)

    def test_reduce(self):
        self.check_page("reduce")

    def test_scan(self):
        self.check_page("scan")

    def test_fill(self):
        self.check_page("fill")

    def test_pictures(self):
        self.assertEqual({f"{name}.svg" for name in pictures.DRAWN}, set(os.listdir(DOCS / "pictures")))
        for name, draw in pictures.DRAWN.items():
            picture = (DOCS / "pictures" / f"{name}.svg").read_text(encoding="utf-8")
            self.assertEqual(picture, draw(), f"run docs/site/pictures.py: {name}.svg is not what it draws")


if __name__ == "__main__":
    main()
