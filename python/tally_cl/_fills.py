"""Diagonal bands of matrices. The last two axes are the rows and the columns, the axes before them a batch.

In row y and column x, x - y is the number of the diagonal: 0 is the main one, 1 the one above it.
"""

from typing import Any

import numpy as np
import numpy.typing as npt
import pyopencl as cl

from ._native import InvalidError
from ._problem import HIGHEST, LOWEST, DType, fill
from ._run import Waits, prepare, run


def _pack(value: Any, dtype: DType) -> bytes:
    """Give the bytes of an element."""
    try:
        return np.array(value, dtype).tobytes()
    except (OverflowError, ValueError, TypeError) as error:
        raise InvalidError(f"the value {value!r} is no element of {dtype}: {error}") from error


def _bound(k: Any) -> int:
    """Give a diagonal, one that no matrix has where it would not fit."""
    found = int(k)
    return LOWEST if found < LOWEST else HIGHEST if found > HIGHEST else found


def fill_band(
    x: Any,
    value: Any,
    begin: int,
    end: int,
    out: Any = None,
    *,
    queue: cl.CommandQueue | None = None,
    wait_for: Waits = None,
) -> Any:
    """Give x with the value on the diagonals from begin on, before end; with begin > end everywhere else than there.

    value: an element of x's type. out, queue, wait_for: as for sum; x may be out.
    """
    x = prepare(x)
    return run(fill, (_pack(value, x.dtype), _bound(begin), _bound(end)), x, out, queue, wait_for)


def tril(x: Any, k: int = 0, out: Any = None, *, queue: cl.CommandQueue | None = None, wait_for: Waits = None) -> Any:
    """Give x with zeros above diagonal k. out, queue, wait_for: as for sum; x may be out."""
    return _keep(x, int(k) + 1, HIGHEST, out, queue, wait_for)


def triu(x: Any, k: int = 0, out: Any = None, *, queue: cl.CommandQueue | None = None, wait_for: Waits = None) -> Any:
    """Give x with zeros below diagonal k. out, queue, wait_for: as for sum; x may be out."""
    return _keep(x, LOWEST, k, out, queue, wait_for)


def _keep(x: Any, begin: int, end: int, out: Any, queue: cl.CommandQueue | None, waits: Waits) -> Any:
    """Fill with zeros from begin on and before end, which is not before begin."""
    return fill_band(x, 0, begin, end, out, queue=queue, wait_for=waits)


def eye(
    n_rows: int,
    n_cols: int | None = None,
    k: int = 0,
    dtype: npt.DTypeLike | None = None,
    *,
    value: Any = 1,
    batch: tuple[int, ...] = (),
    out: Any = None,
    queue: cl.CommandQueue | None = None,
    wait_for: Waits = None,
) -> Any:
    """Give a matrix with the value on diagonal k and zeros elsewhere, or a batch of them.

    n_cols: None: n_rows. dtype: None: that of out, or float64. batch: the sizes of the axes before the matrix. out: an
    array of the host's or of PyOpenCL's that is filled. Without out the result is an array of PyOpenCL's if there is a
    queue, else one of NumPy's.
    """
    return _make(_shape(n_rows, n_cols, batch), dtype, value, int(k), int(k) + 1, out, queue, wait_for)


def tri(
    n_rows: int,
    n_cols: int | None = None,
    k: int = 0,
    dtype: npt.DTypeLike | None = None,
    *,
    value: Any = 1,
    batch: tuple[int, ...] = (),
    out: Any = None,
    queue: cl.CommandQueue | None = None,
    wait_for: Waits = None,
) -> Any:
    """Give a matrix with the value on diagonal k and below it, and zeros above. The rest is as for eye."""
    return _make(_shape(n_rows, n_cols, batch), dtype, value, LOWEST, int(k) + 1, out, queue, wait_for)


def _shape(n_rows: int, n_cols: int | None, batch: tuple[int, ...]) -> tuple[int, ...]:
    shape = (*batch, n_rows, n_rows if n_cols is None else n_cols)
    for size in shape:
        if size < 0:
            raise InvalidError(f"the shape {shape} has a negative size")
    return shape


def _make(
    shape: tuple[int, ...],
    dtype: npt.DTypeLike | None,
    value: Any,
    begin: int,
    end: int,
    out: Any,
    queue: cl.CommandQueue | None,
    waits: Waits,
) -> Any:
    if dtype is None:
        dtype = getattr(out, "dtype", np.float64)
    found = np.dtype(dtype)
    return run(fill, (_pack(value, found), _bound(begin), _bound(end), shape, found), None, out, queue, waits)
