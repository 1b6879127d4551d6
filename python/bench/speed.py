"""speed.py [--rounds N]: Tally against NumPy on the same arrays, in turns; medians, as a table.

Three ways: NumPy; Tally on NumPy's array; Tally on a PyOpenCL array of the same elements, from the call to the end of
queue.finish(). What the second takes more than the third is what is left for the binding to save. All write into
arrays that are there. NumPy uses one core, Tally those that the device has.
"""

import argparse
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array

import tally_cl as tally


def logsumexp(x: Any, axis: int, out: Any) -> None:
    """Compute with NumPy as its users write it."""
    top = x.max(axis=axis, keepdims=True)
    np.add(top[:, 0], np.log(np.exp(x - top).sum(axis=axis)), out=out)


def tril(x: Any, out: Any) -> None:
    """Compute with NumPy; its tril has no out."""
    out[...] = np.tril(x)


LARGE, SMALL = (4096, 4096), (100, 100)
# A name, the shape, the type, what Tally does and what NumPy does, given the array and out.
Case = tuple[str, tuple[int, ...], str, Callable[..., Any], Callable[..., Any]]
CASES: list[Case] = [
    ("sum, axis=1", LARGE, "float32", lambda x, o: tally.sum(x, 1, out=o), lambda x, o: x.sum(1, out=o)),
    ("sum, axis=0", LARGE, "float32", lambda x, o: tally.sum(x, 0, out=o), lambda x, o: x.sum(0, out=o)),
    ("sum, axis=1", LARGE, "float16", lambda x, o: tally.sum(x, 1, out=o), lambda x, o: x.sum(1, out=o)),
    ("sum, axis=None", LARGE, "int64", lambda x, o: tally.sum(x, out=o), lambda x, o: x.sum(out=o)),
    ("max, axis=1", LARGE, "float32", lambda x, o: tally.max(x, 1, out=o), lambda x, o: x.max(1, out=o)),
    ("argmax, axis=1", LARGE, "float32", lambda x, o: tally.argmax(x, 1, out=o), lambda x, o: x.argmax(1, out=o)),
    ("argmax, axis=0", LARGE, "float32", lambda x, o: tally.argmax(x, 0, out=o), lambda x, o: x.argmax(0, out=o)),
    ("mean, axis=1", LARGE, "float64", lambda x, o: tally.mean(x, 1, out=o), lambda x, o: x.mean(1, out=o)),
    ("l2, axis=1", LARGE, "float32", lambda x, o: tally.l2(x, 1, out=o), lambda x, o: np.sqrt((x * x).sum(1), out=o)),
    ("logsumexp, axis=1", LARGE, "float32", lambda x, o: tally.logsumexp(x, 1, out=o), lambda x, o: logsumexp(x, 1, o)),
    ("cumsum, axis=1", LARGE, "float32", lambda x, o: tally.cumsum(x, 1, out=o), lambda x, o: x.cumsum(1, out=o)),
    ("cumsum, axis=0", LARGE, "float32", lambda x, o: tally.cumsum(x, 0, out=o), lambda x, o: x.cumsum(0, out=o)),
    ("cumprod, axis=1", LARGE, "float64", lambda x, o: tally.cumprod(x, 1, out=o), lambda x, o: x.cumprod(1, out=o)),
    ("tril", LARGE, "float32", lambda x, o: tally.tril(x, out=o), tril),
    ("sum, axis=1", SMALL, "float32", lambda x, o: tally.sum(x, 1, out=o), lambda x, o: x.sum(1, out=o)),
]


def milliseconds(call: Callable[[], object], repeat: int) -> float:
    """Time calls in a row, and give the time of one."""
    begin = time.perf_counter()
    for _ in range(repeat):
        call()
    return 1000 * (time.perf_counter() - begin) / repeat


def measure(case: Case, rounds: int) -> list[float]:
    """Give the medians of NumPy, of Tally on NumPy's array, and of Tally on PyOpenCL's."""
    _, shape, dtype, ours, theirs = case
    rng = np.random.default_rng(1)
    x = rng.integers(-9, 9, shape).astype(dtype) if dtype[0] == "i" else rng.uniform(0.99, 1.01, shape).astype(dtype)
    queue = tally.default_queue()
    device = cl.array.to_device(queue, x)
    out = np.asarray(ours(x, None))
    target = cl.array.to_device(queue, out)

    def resident() -> None:
        ours(device, target)
        queue.finish()

    ways = [lambda: theirs(x, out), lambda: ours(x, out), resident]
    repeat = 1 if x.size > 100_000 else 100
    for way in ways:
        way()
    times: list[list[float]] = [[], [], []]
    for _ in range(rounds):
        for taken, way in zip(times, ways, strict=True):
            taken.append(milliseconds(way, repeat))
    return [statistics.median(taken) for taken in times]


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=21)
    rounds = parser.parse_args().rounds
    device = tally.default_queue().device
    print(f"{device.name}, {device.max_compute_units} cores; milliseconds, medians of {rounds}\n")
    print("| function | array | NumPy | Tally, of NumPy's | faster | Tally, of PyOpenCL's |\n|---|---|---|---|---|---|")
    for case in CASES:
        numpy, host, resident = measure(case, rounds)
        shape = " x ".join(map(str, case[1]))
        print(f"| {case[0]} | {case[2]}, {shape} | {numpy:.3g} | {host:.3g} | {numpy / host:.2g} | {resident:.3g} |")


if __name__ == "__main__":
    main()
