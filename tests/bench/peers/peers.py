"""What the peers share: the workloads, which are the rows of `tally bench OPERATOR --json`, and the
JSON that a peer writes:

    {"peer": "PyTorch", "version": "2.11.0", "device": "NVIDIA H200",
     "date": "2026-11-21T10:00:00Z", "samples": 21,
     "rows": [{"name": "rows sum f32", "us": 255.1, "best_us": 254.0, "gbs": 4209.3,
               "copy_gbs": 4250.1, "note": "..."},
              {"name": "columns argmax f32", "not_run": "why"}]}

Names, sizes and bytes are Tally's, so that they are said once. us is the median; gbs counts what
has to be read and written, as Tally does; copy_gbs is a copy of the same input, sampled in turns
with it.
"""

import argparse
import datetime
import json
import statistics
import sys

import layouts

SAMPLES = 21
SAMPLES_LEAST = 20


class Workload:
    """A row of Tally's: a reduction, a scan or a diagonal fill of one array."""

    def __init__(self, row, operator):
        self.operator = operator  # reduce, scan or diagonal
        self.name = row["name"]
        self.function = row["function"]
        self.dtype = row["dtype"]
        self.size = row["size"]
        self.stride = row.get("stride")  # in elements; None: packed, row-major
        axes_mask = row.get("axes_mask", 0)  # of a scan one axis, of a fill none
        self.axes = tuple(k for k in range(len(self.size)) if axes_mask >> k & 1)
        self.exclusive = row.get("exclusive", False)
        self.reverse = row.get("reverse", False)
        self.in_place = row.get("in_place", False)
        self.begin = row.get("begin")
        self.end = row.get("end")
        self.offset = row["offset_bytes"] // self.element_bytes()
        self.bytes = row["bytes"]
        self.small = self.name.startswith("small-")

    def element_bytes(self):
        return int(self.dtype[1:]) // 8

    def elements(self):
        return self.count(range(len(self.size)))

    def terms(self):
        return self.count(self.axes)

    def outputs(self):
        return self.elements() // (self.terms() if self.operator == "reduce" else 1)

    def count(self, axes):
        product = 1
        for k in axes:
            product *= self.size[k]
        return product

    def sweeps_all(self):
        return len(self.axes) == len(self.size)

    def result(self, seconds, copy_seconds=None, note=None):
        """Its row, from the samples of the operation and of a copy of the input."""
        median = statistics.median(seconds)
        row = {"name": self.name, "us": median * 1e6, "best_us": min(seconds) * 1e6,
               "gbs": self.bytes / median * 1e-9}
        if copy_seconds:
            copied = 2 * self.elements() * self.element_bytes()
            row["copy_gbs"] = copied / statistics.median(copy_seconds) * 1e-9
        if note:
            row["note"] = note
        return row

    def refusal(self, why):
        return {"name": self.name, "not_run": str(why).strip().split("\n")[0]}


def parse_arguments(description, devices=()):
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("tally", help="what `tally bench OPERATOR --json` wrote: the workloads")
    parser.add_argument("out", help="where to write the results as JSON")
    parser.add_argument("--only", default="", metavar="TEXT",
                        help="the rows with this in their names; default: all")
    parser.add_argument("--samples", type=int, metavar="N",
                        help=f"samples that a median is of; default: {SAMPLES}, for layouts "
                             f"{layouts.SAMPLES}")
    if devices:
        parser.add_argument("--device", choices=devices, default=devices[0],
                            help=f"where to measure layouts; default: {devices[0]}")
    arguments = parser.parse_args()
    arguments.layouts = benchmark_of(arguments.tally) == "layouts"
    if arguments.samples is None:
        arguments.samples = layouts.SAMPLES if arguments.layouts else SAMPLES
    least = 1 if arguments.layouts else SAMPLES_LEAST
    if arguments.samples < least:
        parser.error(f"--samples {arguments.samples} is below {least}: a median of so few "
                     "says little")
    return arguments


def benchmark_of(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)["benchmark"]


def load(path, only):
    """The workloads that Tally itself ran; of layouts its problems."""
    with open(path, encoding="utf-8") as file:
        document = json.load(file)
    rows = [row for row in document["rows"]
            if only in row.get("description", row["name"]) and "not_run" not in row]
    if not rows:
        sys.exit(f"{path} has no row that ran with '{only}' in its name")
    if document["benchmark"] == "layouts":
        return [layouts.Problem(row) for row in rows]
    return [Workload(row, document["benchmark"]) for row in rows]


def run(arguments, head, measure, runs_layouts=False):
    """Measure each workload, show it, and write all. measure(workload) returns its row."""
    rows = []
    if arguments.layouts and not runs_layouts:
        sys.exit(f"{head['peer']} is not measured on layouts")
    for workload in load(arguments.tally, arguments.only):
        try:
            row = measure(workload)
        except Exception as error:  # that a peer can't is a result too: the row says why
            row = workload.refusal(f"{type(error).__name__}: {error}")
        told = f"not run: {row['not_run']}" if "not_run" in row else (
            f"{row['gbs']:9.2f} GB/s {row['us']:12.1f} us")
        shown = getattr(workload, "description", "")
        print(f"{workload.name:{8 if shown else 32}} {told}  {shown}".rstrip(), flush=True)
        rows.append(row)
    write(arguments, head, rows)


def write(arguments, head, rows):
    now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    document = {**head, "date": now, "samples": arguments.samples, "rows": rows}
    with open(arguments.out, "w", encoding="utf-8") as file:
        json.dump(document, file, indent=1)
        file.write("\n")
    if not any("gbs" in row for row in rows):
        sys.exit(f"{head['peer']} ran none of {len(rows)} workloads; {arguments.out} says why")
