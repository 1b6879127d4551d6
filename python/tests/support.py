"""What tests draw, and what results may differ by.

The oracle is NumPy: integers wrap there as they do in Tally, so they are compared exactly. Floats are computed in
float64 and compared within a bound that any order of the terms keeps.
"""

import math

import numpy as np
from hypothesis import strategies as st

from tally_cl import _run
from tally_cl._native import lib

FLOATS = ["float16", "float32", "float64"]
WIDE_INTEGERS = ["int32", "int64", "uint32", "uint64"]
NARROW = ["int8", "int16", "uint8", "uint16"]
WIDE = [*FLOATS, *WIDE_INTEGERS]
ALL = [*WIDE, *NARROW]

shapes = st.lists(st.integers(0, 7), min_size=0, max_size=5).map(tuple)


def make(shape, dtype, seed):
    """Give random elements: integers of all sizes, floats of about 1 with signs."""
    rng = np.random.default_rng(seed)
    dtype = np.dtype(dtype)
    if dtype.kind == "f":
        return rng.normal(size=shape).astype(dtype)
    if dtype.kind == "b":
        return rng.integers(0, 2, shape).astype(bool)
    limits = np.iinfo(dtype)
    return rng.integers(limits.min, limits.max, shape, dtype, endpoint=True)


@st.composite
def arrays(draw, dtypes, of_shapes=shapes, strided=True):
    """Draw an array, often a view: permuted, with steps of both signs, with repeated elements."""
    x = make(draw(of_shapes), draw(st.sampled_from(dtypes)), draw(st.integers(0, 2**32)))
    if not strided:
        return x
    x = x.transpose(draw(st.permutations(range(x.ndim))))
    steps = draw(st.lists(st.sampled_from([1, 1, 1, 2, 3, -1, -2]), min_size=x.ndim, max_size=x.ndim))
    x = x[tuple(slice(None, None, step) for step in steps)]
    if x.ndim < 6 and draw(st.booleans()) and draw(st.booleans()):
        x = np.broadcast_to(x[..., None], (*x.shape, draw(st.integers(1, 3))))
    return x


@st.composite
def axes(draw, rank):
    """Draw what a reduction may have as axis: None, an int of either sign, a tuple of distinct axes."""
    choice = draw(st.integers(0, 2))
    if choice == 0:
        return None
    chosen = draw(st.lists(st.integers(0, max(rank - 1, 0)), unique=True, max_size=rank))
    signed = [axis - rank if draw(st.booleans()) else axis for axis in chosen]
    return signed[0] if choice == 1 and signed else tuple(signed)


class _Watched:
    """The compiled library, which tells of each call of one function."""

    def __init__(self, function, tell):
        self.function, self.tell = function, tell

    def __getattr__(self, name):
        if name == self.function:
            self.tell()
        return getattr(lib, name)


def watch(monkeypatch, function, tell):
    """Call tell() before each computation that goes through this function of the compiled library."""
    monkeypatch.setattr(_run, "lib", _Watched(function, tell))


def count(shape, axis):
    """Give the number of terms of a reduction."""
    if axis is None:
        return math.prod(shape)
    return math.prod(shape[a] for a in (axis if isinstance(axis, tuple) else (axis,)))


def bound(dtype, terms, magnitudes, result):
    """Give the error that sums of so many terms may have: magnitudes is the sum of their absolute values.

    float16 is computed in float32 and rounded once.
    """
    computed = np.finfo(np.float32 if dtype == np.float16 else dtype)
    rounded = np.finfo(dtype)
    error = float(computed.eps) * (terms + 2) * magnitudes + float(rounded.eps) * np.abs(result)
    return error + float(rounded.smallest_subnormal)


def agree(found, expected, error=0.0, dtype=None):
    """Hold a result to the oracle's: type, shape, elements. dtype: the type, where the oracle's is wider."""
    found, expected = np.asarray(found), np.asarray(expected)
    assert found.shape == expected.shape
    assert found.dtype == (expected.dtype if dtype is None else dtype)
    if found.dtype.kind != "f":
        np.testing.assert_array_equal(found, expected)
        return
    with np.errstate(invalid="ignore"):
        difference = np.abs(found.astype(np.float64) - expected)
    same = (found == expected) | (np.isnan(found) & np.isnan(expected))
    assert np.all(same | (difference <= error)), f"{found} is not {expected} within {error}"
