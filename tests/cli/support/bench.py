"""tally bench, run on few elements: the rows of its table and its JSON, and which rows there are.

What a row must have is the tests' to say.
"""

import json
import os
import re

from support import NO_CACHE, FolderTest, run

ROWS = ("1-D", "rows", "rows-16", "long-rows")
ONE_AXIS = ROWS + ("columns", "middle", "middle-16x16", "columns-64", "columns-4")
AWKWARD = ("rows-15", "rows-100", "rows-1000", "inner-3", "offset-rows", "transposed")
SMALL = ("small-1", "small-1Ki", "small-64Ki")
REDUCTIONS = ("sum f32", "max f32", "argmax f32", "l2 f32", "average f32", "log_sum_exp f32",
              "sum f16", "sum f64", "sum i64", "max i8")
SCANS = ("sum f32", "multiply f32", "sum f16", "sum f64", "sum i32", "sum i64")
WAYS = ("sum f32 exclusive", "sum f32 reverse", "sum f32 in-place")


def product(layouts, operators=("sum f32",)):
    return [f"{layout} {operator}" for layout in layouts for operator in operators]


EVERY = {
    "reduce": product(ONE_AXIS + ("axes-0-2",), REDUCTIONS)
              + product(("odd-matrix",) + AWKWARD + SMALL),
    "scan": product(ONE_AXIS, SCANS) + product(ROWS, WAYS)
            + product(("odd-rows", "odd-columns") + AWKWARD + SMALL),
    "diagonal": product(("matrix",), ("lower f32", "identity f32", "inverted-band f32"))
                + product(("batches-256",), ("lower f32",)),
}


class BenchTest(FolderTest):
    subject = "reduce"

    def bench(self, *arguments):
        """The table's rows, name to the columns behind it, and the JSON."""
        result = run(("bench", self.subject, *arguments, NO_CACHE, "--json", "OUT.json"),
                     self.folder)
        self.assertEqual((result.status, result.err), (0, ""), result)
        rows = re.findall(r"^(\S+ \S+ [fi]\d+(?: [a-z-]+)?) +([0-9x]+ \{[0-9,-]+\}) (.*)$",
                          result.out, re.MULTILINE)
        with open(os.path.join(self.folder, "OUT.json"), encoding="utf-8") as file:
            return rows, json.load(file)

    def small(self, *arguments):
        return self.bench("--log2", "16", "--samples", "3", *arguments)
