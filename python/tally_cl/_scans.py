"""Running totals along an axis."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pyopencl as cl
from numpy.lib.array_utils import normalize_axis_index
from pyopencl.array import Array

from ._native import DTypeError, InvalidError, lib
from ._problem import scan
from ._reductions import Named
from ._run import Waits, convert, prepare, run


def _flatten(x: Any, axis: int | None) -> tuple[Any, int]:
    if axis is not None:
        return x, axis
    return prepare(x).reshape(-1), 0


class Scan(Named):
    """A scan of x; the result has its shape and type. x may be out.

    axis: the axis to go along. None: all elements in row-major order. dtype: x is converted to it before. out, queue,
    wait_for: as for sum. exclusive: each place gets the total before its own element. reverse: go from the last element
    to the first.
    """

    def __call__(
        self,
        x: Any,
        axis: int | None = None,
        dtype: npt.DTypeLike | None = None,
        out: Any = None,
        *,
        exclusive: bool = False,
        reverse: bool = False,
        queue: cl.CommandQueue | None = None,
        wait_for: Waits = None,
    ) -> Any:
        """Scan x."""
        if dtype is not None:
            x = convert(x, dtype, queue, wait_for)
        x, axis = _flatten(x, axis)
        return run(scan, (self._code, axis, exclusive, reverse, "propagate"), x, out, queue, wait_for)


class ExtremeScan(Named):
    """A scan of x; the result has its shape and type. x may be out.

    axis, out, exclusive, reverse, queue, wait_for: as for cumsum. nan: as for max.
    """

    def __call__(
        self,
        x: Any,
        axis: int | None = None,
        out: Any = None,
        *,
        exclusive: bool = False,
        reverse: bool = False,
        nan: str = "propagate",
        queue: cl.CommandQueue | None = None,
        wait_for: Waits = None,
    ) -> Any:
        """Scan x."""
        x, axis = _flatten(x, axis)
        return run(scan, (self._code, axis, exclusive, reverse, nan), x, out, queue, wait_for)


cumsum = Scan("cumsum", lib.TALLY_SUM, "Running sums; exclusive ones begin with 0. Integers wrap.")
cumprod = Scan("cumprod", lib.TALLY_MULTIPLY, "Running products; exclusive ones begin with 1. Integers wrap.")
cummax = ExtremeScan("cummax", lib.TALLY_MAX, "Running maxima; exclusive ones begin with -inf or the lowest integer.")
cummin = ExtremeScan("cummin", lib.TALLY_MIN, "Running minima; exclusive ones begin with inf or the highest integer.")


def _cumulate(
    function: Scan, identity: int, x: Any, axis: int | None, dtype: npt.DTypeLike | None, include_initial: bool
) -> Any:
    if isinstance(x, Array):
        raise DTypeError(f"the array is one of PyOpenCL: use {function.__name__}")
    x = convert(x, dtype, None)
    if axis is None:
        if x.ndim != 1:
            raise InvalidError(f"the array has {x.ndim} axes: axis may be None only if it has one")
        axis = 0
    if not include_initial:
        return function(x, axis)
    axis = normalize_axis_index(axis, x.ndim)
    shape = (*x.shape[:axis], x.shape[axis] + 1, *x.shape[axis + 1 :])
    result = np.full(shape, identity, x.dtype)
    function(x, axis, out=result[(*[slice(None)] * axis, slice(1, None))])
    return result


def cumulative_sum(
    x: Any, /, *, axis: int | None = None, dtype: npt.DTypeLike | None = None, include_initial: bool = False
) -> Any:
    """Give running sums of an array of the host's, with the signature of the array API standard.

    axis: None only if there is one axis. dtype: as for cumsum. include_initial: a 0 comes first.
    """
    return _cumulate(cumsum, 0, x, axis, dtype, include_initial)


def cumulative_prod(
    x: Any, /, *, axis: int | None = None, dtype: npt.DTypeLike | None = None, include_initial: bool = False
) -> Any:
    """Give running products of an array of the host's, with the signature of the array API standard.

    axis: None only if there is one axis. dtype: as for cumprod. include_initial: a 1 comes first.
    """
    return _cumulate(cumprod, 1, x, axis, dtype, include_initial)
