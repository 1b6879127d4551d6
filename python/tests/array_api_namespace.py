"""A namespace of the array API standard: NumPy's, with Tally's functions in place of NumPy's.

What is said here and not in the package: the standard's type of a sum or product of small integers, and its signatures.
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


def _widen(x, dtype):
    """Give the type that the standard has for a sum of x: at least the default integer."""
    if dtype is not None or x.dtype.kind not in "iu":
        return dtype
    return np.int64 if x.dtype.kind == "i" else np.uint64


def sum(x, /, *, axis=None, dtype=None, keepdims=False):
    return np.asarray(tally.sum(x, axis, _widen(x, dtype), keepdims=keepdims))


def prod(x, /, *, axis=None, dtype=None, keepdims=False):
    return np.asarray(tally.prod(x, axis, _widen(x, dtype), keepdims=keepdims))


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
    return tally.cumulative_sum(x, axis=axis, dtype=_widen(x, dtype), include_initial=include_initial)


def cumulative_prod(x, /, *, axis=None, dtype=None, include_initial=False):
    return tally.cumulative_prod(x, axis=axis, dtype=_widen(x, dtype), include_initial=include_initial)


def tril(x, /, *, k=0):
    return tally.tril(x, k)


def triu(x, /, *, k=0):
    return tally.triu(x, k)


def eye(n_rows, n_cols=None, /, *, k=0, dtype=None, device=None):
    return tally.eye(n_rows, n_cols, k, dtype)
