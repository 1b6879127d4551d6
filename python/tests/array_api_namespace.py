"""A namespace of the array API standard: NumPy's, with Tally's functions in place of NumPy's.

What is done here and not in the package: the standard's types of sums and products of integers, and its signatures.
The standard's own suite takes this module by ARRAY_API_TESTS_MODULE=array_api_namespace (ci/python).
"""

import numpy as np
from numpy import *  # noqa: F403
from numpy import __array_namespace_info__  # noqa: F401

import tally_cl as tally

__array_api_version__ = "2024.12"

FUNCTIONS = (
    *("sum", "prod", "max", "min", "mean", "argmax", "argmin", "cumulative_sum", "cumulative_prod"),
    *("tril", "triu", "eye"),
)


def _total(function, x, dtype, **options):
    """Give a total in the standard's type: the one that is named, or at least the default integer.

    Tally sums no integers of 8 or 16 bits. Where one is named, the lowest bits of the total in 64 bits are the total.
    """
    named = x.dtype if dtype is None else np.dtype(dtype)
    wide = {"i": np.dtype(np.int64), "u": np.dtype(np.uint64)}.get(named.kind, named)
    if dtype is None:
        named = wide
    return np.asarray(function(x, dtype=wide if named.itemsize < 4 else named, **options)).astype(named, copy=False)


def sum(x, /, *, axis=None, dtype=None, keepdims=False):
    return _total(tally.sum, x, dtype, axis=axis, keepdims=keepdims)


def prod(x, /, *, axis=None, dtype=None, keepdims=False):
    return _total(tally.prod, x, dtype, axis=axis, keepdims=keepdims)


def max(x, /, *, axis=None, keepdims=False):
    return np.asarray(tally.max(x, axis, keepdims=keepdims))


def min(x, /, *, axis=None, keepdims=False):
    return np.asarray(tally.min(x, axis, keepdims=keepdims))


def mean(x, /, *, axis=None, keepdims=False):
    return np.asarray(tally.mean(x, axis, keepdims=keepdims))


def argmax(x, /, *, axis=None, keepdims=False):
    return np.asarray(tally.argmax(x, axis, keepdims=keepdims))


def argmin(x, /, *, axis=None, keepdims=False):
    return np.asarray(tally.argmin(x, axis, keepdims=keepdims))


def cumulative_sum(x, /, *, axis=None, dtype=None, include_initial=False):
    return _total(tally.cumulative_sum, x, dtype, axis=axis, include_initial=include_initial)


def cumulative_prod(x, /, *, axis=None, dtype=None, include_initial=False):
    return _total(tally.cumulative_prod, x, dtype, axis=axis, include_initial=include_initial)


def tril(x, /, *, k=0):
    return tally.tril(x, k)


def triu(x, /, *, k=0):
    return tally.triu(x, k)


def eye(n_rows, n_cols=None, /, *, k=0, dtype=None, device=None):
    return tally.eye(n_rows, n_cols, k, dtype)
