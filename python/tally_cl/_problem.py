"""What is computed: descriptions of the library's, made of shapes, strides, types and options.

Nothing here knows an array, a queue or a device.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.lib.array_utils import normalize_axis_index, normalize_axis_tuple

from ._native import DTypeError, InvalidError, call, fail, ffi, lib, text

DType: TypeAlias = np.dtype[Any]

# The library's types by NumPy's. A bool is moved and compared as the byte that it is.
_IDS: dict[DType, int] = {
    np.dtype(name): lib.tally_dtype_by_name(short)
    for name, short in [
        *((f"float{bits}", f"f{bits}".encode()) for bits in (16, 32, 64)),
        *((f"int{bits}", f"i{bits}".encode()) for bits in (8, 16, 32, 64)),
        *((f"uint{bits}", f"u{bits}".encode()) for bits in (8, 16, 32, 64)),
        ("bool", b"u8"),
    ]
}
_TIES = {"first": lib.TALLY_TIE_FIRST, "last": lib.TALLY_TIE_LAST}
_NANS = {"propagate": lib.TALLY_NAN_PROPAGATE, "ignore": lib.TALLY_NAN_IGNORE}
LOWEST, HIGHEST = -(2**63), 2**63 - 1  # what begin and end of a band may be


class Layout(NamedTuple):
    """An array without its elements; strides are in bytes."""

    shape: tuple[int, ...]
    strides: tuple[int, ...]
    dtype: DType


class Problem:
    """A description, what its result looks like, and, once a device has it, its operator."""

    __slots__ = ("desc", "dtype", "input_bytes", "keep", "op", "output_bytes", "prototype", "scratch", "shape")

    def __init__(self, member: str, given: Any, keep: Any, shape: tuple[int, ...], dtype: DType) -> None:
        """Take a description; member is its name in a tally_desc, keep what it points to."""
        self.desc = ffi.new("tally_desc *", {"struct_size": ffi.sizeof("tally_desc"), member: given})
        self.keep = (given, keep)
        self.shape = shape
        self.dtype = dtype
        self.input_bytes = _count_bytes(lib.tally_desc_input(self.desc))
        self.output_bytes = _count_bytes(lib.tally_desc_output(self.desc))
        self.op: Any = None
        self.scratch = 0
        self.prototype: Any = None  # of an array for the result

    def create(self, runtime: Any) -> Any:
        """Make the operator, which may compile, and give it."""
        made = ffi.new("tally_op **")
        call(lib.tally_op_create, runtime, self.desc, made)
        op = ffi.gc(made[0], lib.tally_op_release)
        self.scratch = lib.tally_op_scratch_size(op)
        self.op = op
        return op


Recipe: TypeAlias = Callable[[tuple[Any, ...], Layout | None, Layout | None], Problem]


def _count_bytes(tensor: Any) -> int:
    if tensor == ffi.NULL:
        return 0
    found = ffi.new("uint64_t *")
    call(lib.tally_tensor_bytes, tensor, found)
    return int(found[0])


def _fill(tensor: Any, role: str, layout: Layout) -> None:
    """Write a tally_tensor."""
    rank = len(layout.shape)
    if rank > lib.TALLY_MAX_RANK:
        raise InvalidError(f"the {role} has {rank} axes, more than {lib.TALLY_MAX_RANK}")
    if not layout.dtype.isnative:
        raise DTypeError(f"the {role}'s byte order is not this machine's: use x.astype(x.dtype.newbyteorder('='))")
    dtype = _IDS.get(layout.dtype)
    if dtype is None:
        names = ", ".join(known.name for known in _IDS)
        raise DTypeError(f"the {role} is of {layout.dtype}, which is none of {names}")
    tensor.dtype, tensor.rank, tensor.flags = dtype, rank, lib.TALLY_STRIDED
    size = layout.dtype.itemsize
    for axis, (count, stride) in enumerate(zip(layout.shape, layout.strides, strict=True)):
        if count > 1 and (stride < 0 or stride % size):
            raise InvalidError(
                f"axis {axis} of the {role} has a stride of {stride} bytes, which is negative or no multiple of the "
                f"element's {size} bytes: pass a copy"
            )
        tensor.size[axis] = count
        tensor.stride[axis] = stride // size if count > 1 else 1


def pack(shape: Sequence[int], dtype: DType) -> Layout:
    """Give the row-major layout without gaps."""
    strides, step = [], dtype.itemsize
    for count in reversed(shape):
        strides.append(step)
        step *= max(count, 1)
    return Layout(tuple(shape), tuple(reversed(strides)), dtype)


def _take_output(out: Layout | None, shape: tuple[int, ...], dtype: DType) -> Layout:
    if out is None:
        return pack(shape, dtype)
    if out.shape != shape:
        raise InvalidError(f"out has the shape {out.shape}, but the result has {shape}")
    if out.dtype != dtype:
        raise DTypeError(f"out is of {out.dtype}, but the result is of {dtype}")
    return out


def _choose(name: str, value: Any, choices: dict[str, int]) -> int:
    found = choices.get(value)
    if found is None:
        raise InvalidError(f"{name} is {value!r}, but can be {' or '.join(map(repr, choices))}")
    return found


def _check(check: Any, given: Any, tensors: Sequence[Any], name: str, is_index: bool = False) -> None:
    """Raise what the library has against a description, a TypeError if other types would be right."""
    if check(given, ffi.NULL, lib.tally_py_error()) == lib.TALLY_OK:
        return
    if lib.tally_py_error().status != lib.TALLY_INVALID:
        fail()
    before = [tensor.dtype for tensor in tensors]
    for tensor in tensors:
        tensor.dtype = lib.TALLY_F32
    if is_index:
        tensors[-1].dtype = lib.TALLY_I64
    is_type = check(given, ffi.NULL, ffi.NULL) == lib.TALLY_OK
    for tensor, dtype in zip(tensors, before, strict=True):
        tensor.dtype = dtype
    check(given, ffi.NULL, lib.tally_py_error())
    if is_type and name:
        raise DTypeError(f"{text(lib.tally_py_error().message)} (the array is of {name})")
    fail(DTypeError if is_type else None)


def reduce(options: tuple[Any, ...], x: Layout | None, out: Layout | None) -> Problem:
    """Describe a reduction: options are the function, axis, keepdims, the index's type, tie and nan."""
    function, axis, keepdims, index, tie, nan = options
    assert x is not None
    rank = len(x.shape)
    axes = range(rank) if axis is None else normalize_axis_tuple(axis, rank)
    kept = tuple(1 if k in axes else count for k, count in enumerate(x.shape))
    shape = kept if keepdims else tuple(count for k, count in enumerate(x.shape) if k not in axes)
    dtype = x.dtype if index is None else index
    result = _take_output(out, shape, dtype)
    strides = iter(result.strides)
    places = tuple(next(strides) if keepdims or k not in axes else 0 for k in range(rank))

    given = ffi.new("tally_reduce *")
    given.struct_size = ffi.sizeof("tally_reduce")
    given.function = function
    _fill(given.input, "array", x)
    _fill(given.output, "result", Layout(kept, places, dtype))
    given.axes = sum(1 << k for k in axes)
    given.tie = _choose("tie", tie, _TIES)
    given.nan = _choose("nan", nan, _NANS)
    _check(lib.tally_reduce_check, given, (given.input, given.output), str(x.dtype), index is not None)
    return Problem("reduce", given, None, shape, dtype)


def scan(options: tuple[Any, ...], x: Layout | None, out: Layout | None) -> Problem:
    """Describe a scan: options are the function, axis, exclusive, reverse and nan."""
    function, axis, exclusive, reverse, nan = options
    assert x is not None
    given = ffi.new("tally_cumulative *")
    given.struct_size = ffi.sizeof("tally_cumulative")
    given.function = function
    _fill(given.input, "array", x)
    _fill(given.output, "result", _take_output(out, x.shape, x.dtype))
    given.axis = normalize_axis_index(axis, len(x.shape))
    given.descending = bool(reverse)
    given.exclusive = bool(exclusive)
    given.nan = _choose("nan", nan, _NANS)
    _check(lib.tally_cumulative_check, given, (given.input, given.output), str(x.dtype))
    return Problem("cumulative", given, None, x.shape, x.dtype)


def fill(options: tuple[Any, ...], x: Layout | None, out: Layout | None) -> Problem:
    """Describe a fill: options are the bytes of the value, begin and end, and without x the shape and the type."""
    value, begin, end = options[:3]
    shape, dtype = (x.shape, x.dtype) if x is not None else options[3:]
    given = ffi.new("tally_diagonal *")
    given.struct_size = ffi.sizeof("tally_diagonal")
    source = ffi.new("tally_tensor *")
    if x is not None:
        _fill(source, "array", x)
        given.input = source
    _fill(given.output, "result", _take_output(out, shape, dtype))
    ffi.memmove(ffi.addressof(given, "value"), value, len(value))
    given.begin, given.end = begin, end
    _check(lib.tally_diagonal_check, given, (source, given.output), str(dtype))
    return Problem("diagonal", given, source, shape, dtype)
