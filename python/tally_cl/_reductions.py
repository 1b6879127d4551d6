"""Reductions: objects to be called, as NumPy's ufuncs are, one for each function."""

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pyopencl as cl

from ._native import lib
from ._problem import reduce
from ._run import Waits, convert, run

Axis: TypeAlias = int | tuple[int, ...] | None


class Named:
    """A function of the library's by its name here."""

    def __init__(self, name: str, code: int, summary: str) -> None:
        self.__name__ = self.__qualname__ = name
        self.__doc__ = f"{summary}\n\n{type(self).__doc__}"
        self._code = code

    def __repr__(self) -> str:
        return f"<function tally_cl.{self.__name__}>"


class Reduction(Named):
    """A reduction of x.

    axis: the axes that are reduced, an int or a tuple. None: all. (): none, and each element is reduced by itself.
    dtype: x is converted to it before. None: computed in x's own type. out: where the result goes. keepdims: reduced
    axes stay, with size 1. queue, wait_for: as the package says.
    """

    def __call__(
        self,
        x: Any,
        axis: Axis = None,
        dtype: npt.DTypeLike | None = None,
        out: Any = None,
        keepdims: bool = False,
        *,
        queue: cl.CommandQueue | None = None,
        wait_for: Waits = None,
    ) -> Any:
        """Reduce x."""
        if dtype is not None:
            x = convert(x, dtype, queue, wait_for)
        return run(reduce, (self._code, axis, keepdims, None, "first", "propagate"), x, out, queue, wait_for)


class Extreme(Named):
    """A reduction of x.

    axis, out, keepdims, queue, wait_for: as for sum. nan: "propagate", and NaN wins; or "ignore", and it loses to every
    number.
    """

    def __call__(
        self,
        x: Any,
        axis: Axis = None,
        out: Any = None,
        keepdims: bool = False,
        *,
        nan: str = "propagate",
        queue: cl.CommandQueue | None = None,
        wait_for: Waits = None,
    ) -> Any:
        """Reduce x."""
        return run(reduce, (self._code, axis, keepdims, None, "first", nan), x, out, queue, wait_for)


class Index(Named):
    """A reduction of x. Over several axes the index is the row-major one of these axes.

    axis, out, keepdims, queue, wait_for: as for sum. dtype: the index's, int32, int64, uint32 or uint64. None: that of
    out, or int64. tie: which of equal elements, the "first" or the "last". nan: as for max.
    """

    def __call__(
        self,
        x: Any,
        axis: Axis = None,
        out: Any = None,
        keepdims: bool = False,
        *,
        dtype: npt.DTypeLike | None = None,
        tie: str = "first",
        nan: str = "propagate",
        queue: cl.CommandQueue | None = None,
        wait_for: Waits = None,
    ) -> Any:
        """Reduce x."""
        if dtype is None:
            dtype = getattr(out, "dtype", np.int64)
        return run(reduce, (self._code, axis, keepdims, np.dtype(dtype), tie, nan), x, out, queue, wait_for)


sum = Reduction("sum", lib.TALLY_SUM, "The sum; 0 of no elements. Integers wrap.")
prod = Reduction("prod", lib.TALLY_MULTIPLY, "The product; 1 of no elements. Integers wrap.")
mean = Reduction("mean", lib.TALLY_AVERAGE, "The mean, of floats; NaN of no elements.")
l1 = Reduction("l1", lib.TALLY_L1, "The sum of absolute values; 0 of no elements.")
l2 = Reduction("l2", lib.TALLY_L2, "The root of the sum of squares, of floats; 0 of no elements.")
sum_square = Reduction("sum_square", lib.TALLY_SUM_SQUARE, "The sum of squares; 0 of no elements.")
log_sum = Reduction("log_sum", lib.TALLY_LOG_SUM, "The logarithm of the sum, of floats; -inf of no elements.")
logsumexp = Reduction(
    "logsumexp",
    lib.TALLY_LOG_SUM_EXP,
    "The logarithm of the sum of exponentials, of floats, which does not overflow; -inf of no elements.",
)
max = Extreme("max", lib.TALLY_MAX, "The largest element; -inf or the lowest integer of no elements.")
min = Extreme("min", lib.TALLY_MIN, "The smallest element; inf or the highest integer of no elements.")
argmax = Index("argmax", lib.TALLY_ARGMAX, "The index of the largest element; an error of no elements.")
argmin = Index("argmin", lib.TALLY_ARGMIN, "The index of the smallest element; an error of no elements.")
