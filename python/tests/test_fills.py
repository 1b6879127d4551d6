"""Diagonal fills, against NumPy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import ALL, agree, arrays, make

import tally_cl as tally

matrices = st.lists(st.integers(0, 9), min_size=2, max_size=5).map(tuple)
diagonals = st.integers(-11, 11) | st.sampled_from([-(2**63), 2**63 - 1, -(2**31), 10**30])


@given(arrays(["int32", "bool"], matrices), diagonals)
def test_triangles(x, k):
    at = int(np.clip(k, -100, 100))
    agree(tally.tril(x, k), np.tril(x, at))
    agree(tally.triu(x, k), np.triu(x, at))


@given(arrays(["float32"], matrices), diagonals, diagonals, st.integers(-5, 100))
def test_bands(x, begin, end, value):
    t = np.arange(x.shape[-1])[None, :] - np.arange(x.shape[-2])[:, None]
    low, high = np.clip([begin, end], -(2**62), 2**62) if max(abs(begin), abs(end)) > 2**62 else (begin, end)
    band = (low <= t) & (t < high) if begin <= end else ~((high <= t) & (t < low))
    agree(tally.fill_band(x, value, begin, end), np.where(band, np.array(value, x.dtype), x))


@given(st.integers(0, 9), st.none() | st.integers(0, 9), diagonals, st.sampled_from(ALL))
def test_eye(n, m, k, dtype):
    at = int(np.clip(k, -100, 100))
    agree(tally.eye(n, m, k, dtype), np.eye(n, m, at, dtype))
    agree(tally.tri(n, m, k, dtype), np.tri(n, m, at, dtype))


def test_bits_of_nan_stay():
    x = np.array([[0x7FC12345, 0xFF800001]], np.uint32).view(np.float32)
    assert np.array_equal(tally.triu(x).view(np.uint32), x.view(np.uint32))


def test_in_place_and_batches():
    x = make((3, 40, 50), "float16", 1)
    expected = np.tril(x, -2)
    assert tally.tril(x, -2, out=x) is x
    agree(x, expected)
    agree(tally.eye(2, 3, value=7, dtype="int16", batch=(4,)), np.stack([np.eye(2, 3, dtype="int16") * 7] * 4))
    out = np.empty((3, 3), np.uint8)
    assert tally.eye(3, out=out) is out
    agree(out, np.eye(3, dtype=np.uint8))


@pytest.mark.parametrize("value", [300, -1, "x", 1.5j])
def test_values_that_do_not_fit(value):
    with pytest.raises(ValueError, match="is no element of uint8"):
        tally.fill_band(np.zeros((2, 2), np.uint8), value, 0, 1)
