"""How it is computed: on PyOpenCL's arrays where they lie, on arrays of the host in their own memory."""

from collections.abc import Sequence
from contextlib import nullcontext
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pyopencl as cl
from numpy.lib.array_utils import byte_bounds
from pyopencl.array import Array

from ._cache import Channel, Runtime, default_channel, find_channel
from ._native import DTypeError, InvalidError, fail, ffi, lib
from ._problem import DType, Problem, Recipe, pack, reduce

Waits: TypeAlias = Sequence[cl.Event] | None
Host: TypeAlias = npt.NDArray[Any]

_HOST_KINDS = (1, 3)  # DLPack's kinds of devices whose memory is the host's: CPU, CUDA's pinned
_WAITS = lib.TALLY_PY_WAITS


def run(recipe: Recipe, options: tuple[Any, ...], x: Any, out: Any, queue: cl.CommandQueue | None, waits: Waits) -> Any:
    """Compute: the result is out, or made beside x. Without x it is beside out, or on the queue."""
    if isinstance(x, Array) or (x is None and isinstance(out, Array)):
        return _run_on_device(recipe, options, x, out, queue, waits)
    if x is None and out is None and queue is not None:
        return _run_on_device(recipe, options, None, None, queue, waits)
    return _run_on_host(recipe, options, x, out, queue, waits)


def _find_problem(runtime: Runtime, recipe: Recipe, options: tuple[Any, ...], x: Any, out: Any) -> Problem:
    """Give the problem that was made for a call like this, or make it. x and out have shape, strides and dtype."""
    key = (
        recipe,
        options,
        None if x is None else (x.shape, x.strides, x.dtype),
        None if out is None else (out.shape, out.strides, out.dtype),
    )
    try:
        found = runtime.problems.get(key)
    except TypeError:
        raise DTypeError("axis is a list or something else that can change: pass an int or a tuple of ints") from None
    return runtime.solve(key, recipe, options, x, out) if found is None else found


# ---- PyOpenCL's arrays ----


def _choose_queue(array: Any, queue: cl.CommandQueue | None) -> cl.CommandQueue:
    """Give the call's queue, or the array's."""
    chosen: cl.CommandQueue | None = array.queue if queue is None else queue
    if chosen is None:
        raise InvalidError("neither the array nor the call has a queue: pass queue=")
    return chosen


def _run_on_device(
    recipe: Recipe, options: tuple[Any, ...], x: Array | None, out: Any, queue: cl.CommandQueue | None, waits: Waits
) -> Any:
    queue = _choose_queue(x if x is not None else out, queue)
    if not (out is None or isinstance(out, Array)) or not (x is None or isinstance(x, Array)):
        raise DTypeError("one of array and out is of pyopencl.array.Array, the other one is not")
    channel = find_channel(queue)
    problem = _find_problem(channel.runtime, recipe, options, x, out)
    if out is None:
        out = _make_array(queue, problem, None if x is None else x.allocator)
    _enqueue(channel, problem, x, out, waits)
    return out


def _make_array(queue: cl.CommandQueue, problem: Problem, allocator: Any) -> Array:
    """Make an array for the result.

    PyOpenCL's constructor takes 20 microseconds. A copy of an array without memory takes 2, and gets memory.
    """
    if problem.prototype is not None and allocator is None:
        copy: Array = problem.prototype.with_queue(queue)
        return copy
    made = Array(queue, problem.shape, problem.dtype, allocator=allocator)
    if allocator is None:
        problem.prototype = made.with_queue(None)
        problem.prototype.base_data = None
    return made


def _place(array: Array, bit: int) -> tuple[int, int, int]:
    """Give the handle or the address of the memory, the offset, and the bit if it is an address."""
    memory: Any = array.base_data
    if memory is None:
        return 0, 0, 0
    try:
        return memory.int_ptr, array.offset, 0
    except AttributeError:
        return memory.svm_ptr, array.offset, bit


def _enqueue(channel: Channel, problem: Problem, x: Array | None, out: Array, waits: Waits) -> None:
    """Enqueue behind all events of the arrays; the operator's event is then the only one of out."""
    output, output_offset, flags = _place(out, lib.TALLY_PY_OUTPUT_POINTER)
    events = out.events if x is None or x is out else out.events + x.events
    if waits:
        events = [*events, *waits]
    if len(events) > _WAITS:
        events = [cl.enqueue_marker(channel.queue, wait_for=events)]
    handles = [event.int_ptr for event in events]
    if x is None or x.base_data is None:
        # Nothing is read; the output stands in for the memory that an empty array does not have.
        source, source_offset, more = _place(out, lib.TALLY_PY_INPUT_POINTER)
    else:
        source, source_offset, more = _place(x, lib.TALLY_PY_INPUT_POINTER)
    op = problem.op or problem.create(channel.runtime.handle)
    arguments = (
        *(channel.handle, source, source_offset, output, output_offset),
        *(channel.flags | flags | more, len(handles), handles),
    )
    if problem.scratch == 0:
        event = lib.tally_py_enqueue(op, ffi.NULL, *arguments)
    else:
        with channel.lock:
            event = lib.tally_py_enqueue(op, channel.scratch(), *arguments)
    if event == 0:
        fail()
    out.events[:] = [cl.Event.from_int_ptr(event, retain=False)]


# ---- Arrays of the host ----


def to_host(x: Any, role: str = "array") -> Host:
    """Give a NumPy array of the same memory, or of a list or number."""
    if isinstance(x, np.ndarray):
        if isinstance(x, np.ma.MaskedArray):
            raise DTypeError(f"the {role} is masked, which Tally does not know: pass x.filled(...)")
        return x
    if isinstance(x, (Array, cl.MemoryObjectHolder)):
        raise DTypeError(
            f"the {role} is of {type(x).__name__}: pass memory of OpenCL as pyopencl.array.Array(queue, shape, dtype, "
            "data=buffer), also as out"
        )
    if hasattr(x, "__dlpack__"):
        kind = int(x.__dlpack_device__()[0])
        if kind not in _HOST_KINDS:
            raise DTypeError(f"the {role}'s memory is on a device, of DLPack's kind {kind}: copy it to the host first")
        return np.from_dlpack(x)
    return np.asarray(x)


def prepare(x: Any) -> Any:
    """Give an array of PyOpenCL's, or one of NumPy's."""
    return x if isinstance(x, Array) else to_host(x)


def convert(x: Any, dtype: npt.DTypeLike | None, queue: cl.CommandQueue | None, waits: Waits = None) -> Any:
    """Give x in another type, as a copy behind the waits, or x itself if it is of the type."""
    x = prepare(x)
    if dtype is None or x.dtype == dtype:
        return x
    if not isinstance(x, Array):
        if waits:
            cl.wait_for_events(list(waits))
        return x.astype(dtype)
    # PyOpenCL converts on the array's own queue, and behind its own events alone.
    chosen = _choose_queue(x, queue)
    if chosen.context != x.context:
        raise InvalidError("the array is of another context than queue")
    source = x.with_queue(chosen)
    source.events = [*x.events, *(waits or ())]
    return source.astype(np.dtype(dtype))


def _make_room(shape: tuple[int, ...], dtype: DType, align: int) -> Host:
    """Make an array that begins at a multiple of align, which devices compute into."""
    count = dtype.itemsize
    for size in shape:
        count *= size
    room = np.empty(count + align, np.uint8)
    begin = -_address(room) % align
    return room[begin : begin + count].view(dtype).reshape(shape)


def _address(array: Host) -> int:
    return int(array.__array_interface__["data"][0])


def _is_straight(x: Host) -> bool:
    """Whether the library takes the array's strides and its address."""
    size = x.itemsize
    for stride in x.strides:
        if stride < 0 or stride % size:
            return False
    return x.flags.aligned


def _overlap(recipe: Recipe, x: Host, out: Host, align: int) -> bool:
    """Whether the memory of x, from a multiple of align on, has bytes of out. Scans and fills may run in place."""
    if recipe is not reduce and _address(x) == _address(out) and x.strides == out.strides:
        return False
    low, high = byte_bounds(x)
    begin, end = byte_bounds(out)
    return low - low % align < end and begin < high


def _run_on_host(
    recipe: Recipe, options: tuple[Any, ...], x: Any, out: Any, queue: cl.CommandQueue | None, waits: Waits
) -> Any:
    channel = default_channel() if queue is None else find_channel(queue)
    align = channel.runtime.align
    if waits:
        cl.wait_for_events(list(waits))
    source = None if x is None else to_host(x)
    wanted = None if out is None else to_host(out, "result")
    if wanted is not None and not wanted.flags.writeable:
        raise InvalidError("out cannot be written to")
    # The device computes in out itself, or beside it where it lies otherwise than the device needs.
    target = wanted
    if wanted is not None and (_address(wanted) % align or not _is_straight(wanted)):
        target = None
    if source is not None and not (
        _is_straight(source) and (target is None or not _overlap(recipe, source, target, align))
    ):
        source = source.copy()
    layout = target if target is not None or wanted is None else pack(wanted.shape, wanted.dtype)
    problem = _find_problem(channel.runtime, recipe, options, source, layout)
    if target is None:
        target = _make_room(problem.shape, problem.dtype, align)
    _compute(channel, problem, 0 if source is None else _address(source), _address(target))
    if wanted is None:
        return target[()]
    if wanted is not target:
        wanted[...] = target
    return out


def _compute(channel: Channel, problem: Problem, source: int, target: int) -> None:
    """Compute from an address to an address: where the memory is, or piece by piece."""
    runtime = channel.runtime
    sizes = problem.input_bytes, problem.output_bytes
    if not runtime.shares or max(sizes) > runtime.largest - runtime.align:
        status = lib.tally_py_stream(runtime.handle, problem.desc, source, target)
    else:
        op = problem.op or problem.create(runtime.handle)
        with channel.lock if problem.scratch else nullcontext():
            scratch = channel.scratch() if problem.scratch else ffi.NULL
            status = lib.tally_py_host(op, scratch, channel.handle, source, sizes[0], target, sizes[1], runtime.align)
    if status != lib.TALLY_OK:
        fail()
