"""The problems of `tally bench layouts`, read from the JSON that it writes, and what a peer writes of
them. Nothing is drawn here: sizes, strides and bytes are Tally's.
"""

import statistics

SAMPLES = 7


class Tensor:
    """How a tensor lies in its buffer, all in elements."""

    def __init__(self, row):
        self.dtype = row["dtype"]
        self.size = row["size"]
        self.stride = row["stride"]
        self.offset = row["offset"]
        self.reach = row["reach"]  # from the buffer's start to the last element

    def element_bytes(self):
        return int(self.dtype[1:]) // 8


class Problem:
    """A row of Tally's: a reduction, a scan or a diagonal fill."""

    def __init__(self, row):
        self.name = row["name"]  # "17@30": problem 17 of 2^30 bytes
        self.description = row["description"]
        self.operator = row["operator"]
        self.function = row["function"]
        self.input = Tensor(row["input"]) if "input" in row else None
        self.output = Tensor(row["output"])
        self.axes = tuple(row.get("axes", ()))
        self.exclusive = row["exclusive"]
        self.descending = row["descending"]
        self.in_place = row["in_place"]
        self.tie = row["tie"]
        self.nan = row["nan"]
        self.begin = row.get("begin")
        self.end = row.get("end")
        self.bytes = row["bytes"]

    def sweeps_all(self):
        return len(self.axes) == len(self.output.size)

    def band(self):
        """Which shape a fill's band has; begin and end alone say it."""
        least, most = -2**63, 2**63 - 1
        if self.begin == least or self.end == most:
            return {(True, True): "everything", (True, False): "upper",
                    (False, True): "lower"}[self.begin == least, self.end == most]
        if self.begin == self.end:
            return "nothing"
        if self.begin + 1 == self.end:
            return "diagonal"
        return "inverted" if self.begin > self.end else "band"

    def result(self, seconds, note=None):
        """Its row, from the samples of one run."""
        median = statistics.median(seconds)
        row = {"name": self.name, "us": median * 1e6, "best_us": min(seconds) * 1e6,
               "gbs": self.bytes / median * 1e-9, "samples": len(seconds)}
        if note:
            row["note"] = note
        return row

    def refusal(self, why):
        return {"name": self.name, "not_run": str(why).strip().split("\n")[0]}
