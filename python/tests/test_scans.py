"""Running totals of the host's arrays, against NumPy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import agree, arrays, bound, make, shapes

import tally_cl as tally

SCANS = {
    "cumsum": (np.add, lambda dtype: 0),
    "cumprod": (np.multiply, lambda dtype: 1),
    "cummax": (np.maximum, lambda dtype: -np.inf if dtype.kind == "f" else np.iinfo(dtype).min),
    "cummin": (np.minimum, lambda dtype: np.inf if dtype.kind == "f" else np.iinfo(dtype).max),
}


def scan(name, x, axis, exclusive, reverse, dtype):
    """Scan by NumPy's accumulate, in another type."""
    function, identity = SCANS[name]
    order = np.flip(x, axis) if reverse else x
    total = function.accumulate(order.astype(dtype), axis=axis, dtype=dtype)
    if exclusive:
        first = np.full_like(np.take(total, [], axis=axis), 0, shape=(*x.shape[:axis], 1, *x.shape[axis + 1 :]))
        first[...] = identity(x.dtype)
        total = np.concatenate([first, total], axis)
        total = np.delete(total, -1, axis)
    return np.flip(total, axis) if reverse else total


@given(st.data(), st.booleans(), st.booleans())
def test_shapes_and_strides(data, exclusive, reverse):
    x = data.draw(arrays(["int32"], shapes.filter(lambda shape: len(shape) < 4)).filter(lambda x: x.ndim > 0))
    axis = data.draw(st.integers(0, x.ndim - 1))
    found = tally.cumsum(x, axis - x.ndim, exclusive=exclusive, reverse=reverse)
    agree(found, scan("cumsum", x, axis, exclusive, reverse, x.dtype))


@pytest.mark.parametrize("dtype", ["float16", "float32", "int64"])
@pytest.mark.parametrize("name", sorted(SCANS))
def test_functions(name, dtype):
    x = make((5, 9), dtype, 1)
    for options in ((False, False), (True, True)):
        found = getattr(tally, name)(x, 1, exclusive=options[0], reverse=options[1])
        assert found.dtype == x.dtype
        if x.dtype.kind != "f" or name in ("cummax", "cummin"):
            agree(found, scan(name, x, 1, *options, x.dtype))
            continue
        expected = scan(name, x, 1, *options, np.float64)
        magnitudes = scan(name, np.abs(x), 1, *options, np.float64)
        agree(found, expected, bound(x.dtype, 9, magnitudes, expected), x.dtype)


def test_all_axes():
    x = make((6, 5, 4), "int32", 1)[:, ::2]
    agree(tally.cumsum(x), np.cumsum(x, dtype=np.int32))
    agree(tally.cumsum(np.int32(3)), np.array([3], np.int32))


@pytest.mark.parametrize("begin", [0, 1])
@pytest.mark.parametrize("shape", [(5, 7), (3, 4096), (1, 300_000)])
def test_in_place(begin, shape):
    room = np.zeros((shape[0], shape[1] + 1), np.int64)
    x = room[:, begin : begin + shape[1]]
    x[...] = make(shape, "int64", 2)
    expected = np.cumsum(x, axis=1)
    assert tally.cumsum(x, 1, out=x) is x
    agree(x, expected)
    assert np.all(room[:, -1 if begin == 0 else 0] == 0)


def test_into_what_overlaps():
    x = make((4097,), "int32", 3)
    expected = np.cumsum(x[:-1], dtype=np.int32)
    agree(tally.cumsum(x[:-1], out=x[1:]), expected)


def test_nan_is_ignored():
    x = np.array([np.nan, 2, np.nan, 3], np.float32)
    agree(tally.cummax(x, nan="ignore"), np.array([np.nan, 2, 2, 3], np.float32))
    agree(tally.cummax(x), np.full(4, np.nan, np.float32))


@pytest.mark.parametrize("name", ["cumulative_sum", "cumulative_prod"])
@pytest.mark.parametrize("axis", [0, -1])
def test_include_initial(name, axis):
    x = make((4, 3, 6), "int32", 4)
    expected = getattr(np, name)(x, axis=axis, dtype=x.dtype, include_initial=True)
    agree(getattr(tally, name)(x, axis=axis, include_initial=True), expected)
