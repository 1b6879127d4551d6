"""Reductions of the host's arrays, against NumPy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import FLOATS, WIDE, agree, arrays, axes, bound, count, make, shapes

import tally_cl as tally


def sum_of(terms, x, axis, **options):
    """Give the sum of terms of x, what it may differ by, and its type."""
    if x.dtype.kind != "f":
        return np.sum(terms, axis=axis, dtype=x.dtype, **options), 0, x.dtype
    expected = np.sum(terms, axis=axis, dtype=np.float64, **options)
    magnitudes = np.sum(np.abs(terms), axis=axis, dtype=np.float64, **options)
    return expected, bound(x.dtype, count(x.shape, axis), magnitudes, expected), x.dtype


def wide(x):
    return x.astype(np.float64) if x.dtype.kind == "f" else x


@pytest.mark.parametrize("dtype", [*FLOATS, "int32", "uint64"])
def test_sums(dtype):
    x = make((6, 11), dtype, 1)
    squares = np.multiply(wide(x), wide(x))
    for axis in (1, 0, None):
        agree(tally.sum(x, axis), *sum_of(x, x, axis))
        agree(tally.sum_square(x, axis), *sum_of(squares, x, axis))
        agree(tally.l1(x, axis), *sum_of(np.abs(wide(x)), x, axis))
        product = np.prod(wide(x), axis=axis, dtype=None if x.dtype.kind == "f" else x.dtype)
        error = bound(x.dtype, 66, np.abs(product), product) if x.dtype.kind == "f" else 0
        agree(tally.prod(x, axis), product, error, x.dtype)
    assert tally.sum(x).dtype == x.dtype


@pytest.mark.parametrize("dtype", FLOATS)
def test_functions_of_sums(dtype):
    x = make((6, 11), dtype, 2)
    y = wide(x)
    # A relative error of a sum is an absolute one of its logarithm.
    for function, argument, expected in (
        (tally.mean, x, y.mean(1)),
        (tally.l2, x, np.sqrt((y * y).sum(1))),
        (tally.log_sum, np.abs(x), np.log(np.abs(y).sum(1))),
        (tally.logsumexp, x, np.log(np.exp(y).sum(1))),
    ):
        agree(function(argument, axis=1), expected, bound(x.dtype, 16, 4, expected), x.dtype)
    assert np.isfinite(tally.logsumexp(x + 1000, axis=1)).all()


@pytest.mark.parametrize("dtype", [*FLOATS, "int8", "uint16", "int64", "bool"])
def test_extremes_and_indices(dtype):
    x = make((6, 11), dtype, 3)
    agree(tally.max(x, 1), x.max(1))
    agree(tally.min(x, 1), x.min(1))
    assert tally.max(x).dtype == x.dtype
    agree(tally.argmax(x, 1), x.argmax(1))
    agree(tally.argmin(x, 1, dtype="uint32", tie="last"), (10 - x[:, ::-1].argmin(1)).astype(np.uint32))


@given(st.data(), arrays(["int32"]), st.booleans())
def test_shapes_and_strides(data, x, keepdims):
    axis = data.draw(axes(x.ndim))
    agree(tally.sum(x, axis, keepdims=keepdims), np.sum(x, axis, keepdims=keepdims, dtype=x.dtype))


@given(st.data(), arrays(["float32"], shapes.filter(lambda shape: len(shape) < 4)), st.booleans())
def test_floats(data, x, keepdims):
    axis = data.draw(axes(x.ndim))
    agree(tally.sum(x, axis, keepdims=keepdims), *sum_of(x, x, axis, keepdims=keepdims))


@given(st.data(), arrays(["int16"], shapes.filter(lambda shape: len(shape) < 4)))
def test_indices(data, x):
    axis = data.draw(st.none() | st.integers(-x.ndim, x.ndim - 1)) if x.ndim else None
    if count(x.shape, axis) > 0:
        agree(tally.argmax(x, axis), np.argmax(x, axis))


def test_index_of_several_axes():
    x = make((2, 3, 4, 5), "int16", 1)
    expected = np.argmax(x.transpose(0, 2, 1, 3).reshape(2, 4, 15), axis=2)
    agree(tally.argmax(x, axis=(1, 3)), expected)
    agree(tally.argmax(x, axis=(3, 1)), expected)


def test_nan():
    x = np.array([[1, np.nan, 3], [np.nan, np.nan, np.nan]], np.float32)
    agree(tally.max(x, 1), np.array([np.nan, np.nan], np.float32))
    agree(tally.max(x, 1, nan="ignore"), np.array([3, np.nan], np.float32))
    agree(tally.argmin(x, 1), np.array([1, 0]))
    agree(tally.argmin(x, 1, nan="ignore"), np.array([0, 0]))


def test_no_elements():
    x = np.empty((3, 0), np.float32)
    for function, value in (
        *((tally.sum, 0), (tally.prod, 1), (tally.l1, 0), (tally.l2, 0), (tally.sum_square, 0)),
        *((tally.max, -np.inf), (tally.min, np.inf), (tally.mean, np.nan)),
        *((tally.log_sum, -np.inf), (tally.logsumexp, -np.inf)),
    ):
        agree(function(x, axis=1), np.full(3, value, np.float32))
        assert function(x, axis=0).shape == (0,)
    agree(tally.max(np.empty(0, np.int8)), np.int8(-128))


@given(st.data(), arrays(["int32"], shapes.filter(lambda shape: len(shape) < 4), strided=False))
def test_out(data, x):
    axis = data.draw(axes(x.ndim))
    expected = np.sum(x, axis, dtype=x.dtype)
    # Where out lies and how it is strided is the caller's choice, and gaps are left alone.
    room = np.full((*expected.shape, 3), 77, x.dtype)
    out = room[..., data.draw(st.integers(0, 2))]
    assert tally.sum(x, axis, out=out) is out
    agree(out, expected)
    out[...] = 77
    assert np.all(room == 77)


def test_out_in_the_input():
    x = make((64, 64), "int32", 3)
    expected = x.sum(0, dtype=x.dtype)
    tally.sum(x, axis=0, out=x[0])
    agree(x[0], expected)
    y = make((4096,), "float64", 4)
    expected = np.abs(y)
    tally.l1(y, axis=(), out=y)
    agree(y, expected)


def test_dtype_converts_before():
    x = make((300,), "int8", 5)
    agree(tally.sum(x, dtype=np.int64), x.sum(dtype=np.int64))
    agree(tally.mean(x, dtype="float64"), x.mean(), 1e-12)
    agree(tally.sum(x > 0, dtype=np.int32), np.int32((x > 0).sum()))


def test_scalars_and_lists():
    found = tally.sum([1.5, 2.5])
    assert isinstance(found, np.float64)
    assert found == 4
    assert tally.max(3) == 3
    assert tally.sum(np.float32(2), axis=()) == 2


@pytest.mark.parametrize("dtype", ["float32", "int64"])
@pytest.mark.parametrize("n", [4095, 300_001])
def test_long(dtype, n):
    x = make((n,), dtype, n)
    agree(tally.sum(x), *sum_of(x, x, None))
    pairs = np.stack([x, x], 1)
    agree(tally.sum(pairs, 0), *sum_of(pairs, x, 0))


def test_of_the_wide_types_all_are_summed():
    for dtype in WIDE:
        assert tally.sum(np.ones(3, dtype), axis=()).dtype == dtype
