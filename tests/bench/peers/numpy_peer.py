#!/usr/bin/env python3
"""NumPy on the CPU, on the workloads of `tally bench`: one thread, wall time.

    numpy_peer.py TALLY.json OUT.json [--only TEXT] [--samples N]
"""

import platform
import time

import numpy as np

import peers

WARM_UPS = 2

DTYPES = {"f16": np.float16, "f32": np.float32, "f64": np.float64, "i64": np.int64,
          "i32": np.int32, "i8": np.int8}


def log_sum_exp(x, axes):
    top = np.max(x, axis=axes, keepdims=True)
    return np.log(np.sum(np.exp(x - top), axis=axes)) + np.squeeze(top, axes)


def argmax(x, axes):
    if len(axes) == x.ndim:
        return np.argmax(x)
    if len(axes) > 1:
        raise ValueError("NumPy's argmax takes one axis or all")
    return np.argmax(x, axis=axes[0])


def sum_of(x, axes):
    # Halves are added up in float32, as Tally does; NumPy's own way loses them beyond 2048.
    if x.dtype == np.float16:
        return np.sum(x, axis=axes, dtype=np.float32).astype(np.float16)
    return np.sum(x, axis=axes)


FUNCTIONS = {
    "sum": sum_of,
    "max": lambda x, axes: np.max(x, axis=axes),
    "argmax": argmax,
    "l2": lambda x, axes: np.sqrt(np.sum(np.square(x), axis=axes)),
    "average": lambda x, axes: np.mean(x, axis=axes),
    "log_sum_exp": log_sum_exp,
}


def prepare_reduce(workload, x):
    function = FUNCTIONS[workload.function]
    return lambda: function(x, workload.axes), None


# ---- Scans: into an array that is there already, which saves NumPy the page faults.

SCANS = {"sum": np.cumsum, "multiply": np.cumprod}
NEUTRAL = {"sum": 0, "multiply": 1}


def slice_of(x, axis, *cut):
    return x[(slice(None),) * axis + (slice(*cut),)]


def prepare_scan(workload, x):
    accumulate, axis = SCANS[workload.function], workload.axes[0]
    out = x if workload.in_place else np.empty(x.shape, x.dtype)
    if workload.exclusive:
        first, rest = slice_of(out, axis, 1), slice_of(out, axis, 1, None)
        terms = slice_of(x, axis, -1)

        def run_exclusive():
            first[...] = NEUTRAL[workload.function]
            accumulate(terms, axis=axis, dtype=x.dtype, out=rest)
            return out
        return run_exclusive, "an inclusive scan of all but the last"
    if workload.reverse:
        return (lambda: accumulate(np.flip(x, axis), axis=axis, dtype=x.dtype,
                                   out=np.flip(out, axis)), None)
    if x.dtype == np.float16:
        return lambda: accumulate(x, axis=axis, dtype=x.dtype, out=out), "adds in float16"
    return lambda: accumulate(x, axis=axis, dtype=x.dtype, out=out), None


# ---- Fills: the value is 1 where it is not 0.


def where_band(x, workload):
    """What is kept has end <= column - row < begin."""
    kept = np.tri(*x.shape, workload.begin - 1, dtype=bool)
    kept &= ~np.tri(*x.shape, workload.end - 1, dtype=bool)
    return lambda: np.where(kept, x, x.dtype.type(1))


FILLS = {
    "lower": lambda x, w: lambda: np.tril(x, w.begin - 1),
    "identity": lambda x, w: lambda: np.eye(*x.shape, dtype=x.dtype),
    "inverted-band": where_band,
}


def prepare_fill(workload, x):
    note = "with a mask made before" if workload.function == "inverted-band" else None
    return FILLS[workload.function](x, workload), note


OPERATORS = {"reduce": prepare_reduce, "scan": prepare_scan, "diagonal": prepare_fill}


# ---- Times


def make_elements(dtype, count):
    """Floats within 2 of 0, integers of any bits."""
    random = np.random.default_rng(1)
    if np.issubdtype(dtype, np.floating):
        elements = random.random(count, dtype=np.float32)
        elements *= 4
        elements -= 2
        return elements.astype(dtype, copy=False)
    return np.frombuffer(random.bytes(count * np.dtype(dtype).itemsize), dtype=dtype).copy()


def make_input(workload):
    dtype = DTYPES[workload.dtype]
    elements = make_elements(dtype, workload.offset + workload.elements())[workload.offset:]
    if workload.stride is None:
        return elements.reshape(workload.size)
    strides = [stride * elements.itemsize for stride in workload.stride]
    return np.lib.stride_tricks.as_strided(elements, workload.size, strides)


def measure(workload, samples):
    x = make_input(workload)
    call, note = OPERATORS[workload.operator](workload, x)
    flat = x.ravel(order="K")
    copy = np.empty_like(flat)
    times, copies = [], []
    for i in range(WARM_UPS + samples):
        began = time.perf_counter()
        result = call()
        done = time.perf_counter()
        np.copyto(copy, flat)
        copied = time.perf_counter()
        if i >= WARM_UPS:
            times.append(done - began)
            copies.append(copied - done)
    if np.size(result) != workload.outputs():
        raise ValueError(f"{np.size(result)} results instead of {workload.outputs()}")
    return workload.result(times, None if workload.small else copies, note)


def processor():
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            names = [line.split(":", 1)[1].strip() for line in file if
                     line.startswith("model name")]
        return names[0]
    except (OSError, IndexError):
        return platform.processor() or platform.machine()


def main():
    arguments = peers.parse_arguments(__doc__)
    head = {"peer": "NumPy", "version": np.__version__, "device": processor() + ", one thread"}
    with np.errstate(all="ignore"):  # scans of random numbers overflow
        peers.run(arguments, head, lambda workload: measure(workload, arguments.samples))


if __name__ == "__main__":
    main()
