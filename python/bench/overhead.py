"""overhead.py [--rounds N]: what a call from Python takes more than the same call from C.

An operator on a resident PyOpenCL array is enqueued from Python and from a loop in C (loop.c, compiled here), in turns,
40 calls at a time, and each call is timed by itself. The medians of all calls are shown, for two queues:

    busy   the queue has work that has not begun, so that a call only adds to it
    idle   the queue is empty, so that the driver wakes its threads in the call. What that takes depends on how long
           they have slept, so the loop in C lets 5 microseconds pass before each call, as Python does between two.
"""

import argparse
import ctypes
import pathlib
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable

import numpy as np
import pyopencl as cl
import pyopencl.array

import tally_cl as tally
from tally_cl import _cache
from tally_cl._native import ffi, lib

CALLS = 40  # in a row
PAUSE = 5000.0  # nanoseconds
HERE = pathlib.Path(__file__).resolve().parent


def compile_loop(folder: str) -> ctypes.CDLL:
    """Compile loop.c; the calls of OpenCL in it are found in the loader that is there."""
    library = str(pathlib.Path(folder, "loop.so"))
    include = HERE.parent.parent / "include"
    command = ["cc", "-O2", "-shared", "-fPIC", "-DCL_TARGET_OPENCL_VERSION=120", f"-I{include}"]
    subprocess.run([*command, str(HERE / "loop.c"), "-o", library], check=True)
    return ctypes.CDLL(library)


class Calls:
    """One operator, and the ways to enqueue it. A way gives the nanoseconds of each call."""

    def __init__(self, loop: ctypes.CDLL) -> None:
        self.queue = tally.default_queue()
        self.x = cl.array.to_device(self.queue, np.ones((64, 100), np.float32))
        self.y = tally.sum(self.x, axis=1)
        channel = _cache.find_channel(self.queue)
        op = next(reversed(channel.runtime.problems.values())).op
        call = int(ffi.cast("uintptr_t", ffi.addressof(lib, "tally_op_enqueue")))
        arrays = (self.x.base_data.int_ptr, self.y.base_data.int_ptr)
        handles = (call, int(ffi.cast("uintptr_t", op)), channel.handle, *arrays)
        self.handles = [ctypes.c_void_p(handle) for handle in handles]
        self.loop = loop

    def time_c(self, finish: bool) -> list[float]:
        """Time calls from C."""
        times = (ctypes.c_double * CALLS)()
        if self.loop.time_calls(*self.handles, int(finish), ctypes.c_double(PAUSE), CALLS, times):
            raise RuntimeError("tally_op_enqueue failed")
        return list(times)

    def time_python(self, call: Callable[[], object], finish: bool) -> list[float]:
        """Time calls from Python."""
        times = []
        for _ in range(CALLS):
            begin = time.perf_counter_ns()
            call()
            end = time.perf_counter_ns()
            if finish:
                self.queue.finish()
            times.append(float(end - begin))
        return times

    def hold(self, way: Callable[[bool], list[float]]) -> list[float]:
        """Time calls while the queue waits for an event of ours."""
        gate = cl.UserEvent(self.queue.context)
        cl.enqueue_marker(self.queue, wait_for=[gate])
        times = way(False)
        gate.set_status(cl.command_execution_status.COMPLETE)
        self.queue.finish()
        return times


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=100)
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as folder:
        calls = Calls(compile_loop(folder))
        x, y = calls.x, calls.y
        ways: dict[str, Callable[[bool], list[float]]] = {
            "tally_op_enqueue in C": calls.time_c,
            "tally.sum(x, axis=1, out=y)": lambda finish: calls.time_python(lambda: tally.sum(x, 1, out=y), finish),
            "tally.sum(x, axis=1)": lambda finish: calls.time_python(lambda: tally.sum(x, 1), finish),
            "x + x of PyOpenCL's": lambda finish: calls.time_python(lambda: x + x, finish),
        }
        times: dict[tuple[str, str], list[float]] = {}
        for _ in range(rounds):
            for name, way in ways.items():
                times.setdefault((name, "busy"), []).extend(calls.hold(way))
                times.setdefault((name, "idle"), []).extend(way(True))
    medians = {key: statistics.median(found) / 1000 for key, found in times.items()}
    base = next(iter(ways))
    print(f"{calls.queue.device.name}; microseconds, medians of {rounds * CALLS} calls\n")
    print("| call | busy queue | more than C | idle queue | more than C |\n|---|---|---|---|---|")
    for name in ways:
        pairs = [(medians[name, kind], medians[name, kind] - medians[base, kind]) for kind in ("busy", "idle")]
        cells = [f"{median:.1f} | {more:.1f}" for median, more in pairs]
        print(f"| `{name}` | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
