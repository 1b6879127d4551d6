"""Sums, extremes, norms, log-sums, running totals and diagonal fills of arrays, on any OpenCL 1.2 device.

    import numpy as np
    import tally_cl as tally
    print(tally.sum(np.arange(6.0)))

The functions have the names and the arguments that NumPy's users expect. Their first argument is

    * a NumPy array, a list, a number, or anything with __dlpack__ in the host's memory: the result is NumPy's. It is
      computed on default_queue() or the queue that is named, without a copy where the device shares the host's memory
      and takes the array as it lies.
    * a pyopencl.array.Array: the result is one, and nothing is copied. The call does not wait for it. The computation
      waits for the events of the arrays, and its own event is then the only one of the result.

All of them take

    out        where the result goes, of the result's shape and type. The function returns it.
    queue      PyOpenCL's queue to compute on. None: the array's own, or default_queue().
    wait_for   events of PyOpenCL's that are waited for, besides those of the arrays.

Results have the array's type; dtype= converts the array before, which is a copy. What is refused is a TallyError with
one sentence, and a ValueError, TypeError, NotImplementedError, MemoryError or RuntimeError besides. All functions may
be called from any thread, and let other threads run while they wait.
"""

from ._cache import clear, configure, default_queue
from ._fills import eye, fill_band, tri, tril, triu
from ._native import (
    DeviceError,
    DTypeError,
    InvalidError,
    OutOfMemoryError,
    TallyError,
    UnsupportedError,
    order_version,
    version,
)
from ._reductions import argmax, argmin, l1, l2, log_sum, logsumexp, max, mean, min, prod, sum, sum_square
from ._scans import cummax, cummin, cumprod, cumsum, cumulative_prod, cumulative_sum

__version__ = version()

__all__ = [
    "DTypeError",
    "DeviceError",
    "InvalidError",
    "OutOfMemoryError",
    "TallyError",
    "UnsupportedError",
    "argmax",
    "argmin",
    "clear",
    "configure",
    "cummax",
    "cummin",
    "cumprod",
    "cumsum",
    "cumulative_prod",
    "cumulative_sum",
    "default_queue",
    "eye",
    "fill_band",
    "l1",
    "l2",
    "log_sum",
    "logsumexp",
    "max",
    "mean",
    "min",
    "order_version",
    "prod",
    "sum",
    "sum_square",
    "tri",
    "tril",
    "triu",
    "version",
]
