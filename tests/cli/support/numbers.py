"""Arrays for each function and type, in either order, and the unit roundoff of what Tally accumulates in.

What a function makes of them is the tests' to work out.
"""

import numpy as np

from support import INTEGERS

ROUNDOFF = {"f2": 2.0**-24, "f4": 2.0**-24, "f8": 2.0**-53}

SHAPE = (5, 6, 7)


def random(*seed):
    return np.random.default_rng([ord(c) for c in "".join(map(str, seed))])


def values(function, dtype, shape):
    """An array for a function: all of an integer type's range, floats whose result is finite."""
    source = random(function, dtype, shape)
    if dtype in INTEGERS:
        limits = np.iinfo(dtype)
        array = source.integers(limits.min, limits.max, shape, dtype, endpoint=True)
        ends = source.integers(0, 8, shape)  # ties of the extremes
        return np.where(ends == 0, limits.max, np.where(ends == 1, limits.min, array)).astype(dtype)
    if function == "multiply":
        array = np.exp(source.normal(0, 0.2, shape)) * source.choice([-1, 1], shape)
    elif function == "log_sum":
        array = source.uniform(0.5, 3, shape)
    elif function in ("argmax", "argmin"):
        array = source.integers(-4, 5, shape)  # ties
    else:
        array = source.normal(0, 4, shape)
    return array.astype(dtype)


def in_orders(array):
    return (np.ascontiguousarray(array), np.asfortranarray(array))


def half_ulp(expected, dtype):
    """The error of rounding a long double to float16; wider results were rounded before."""
    if dtype != "f2":
        return 0
    return np.spacing(np.abs(expected).astype("f2")).astype(np.longdouble) / 2
