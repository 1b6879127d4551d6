"""What is kept between calls: a runtime for each context and device, a channel for each queue, and their operators.

Caches are bounded. What falls out of one is released when no call uses it any more.
"""

import threading
from collections.abc import Hashable
from typing import Any

import pyopencl as cl

from ._native import TallyError, UnsupportedError, call, ffi, lib
from ._problem import Layout, Problem, Recipe

RUNTIMES, CHANNELS, PROBLEMS = 8, 32, 1024

# Around whatever changes these, and around reads that have to fit together.
_lock = threading.RLock()
_thread = threading.local()
_runtimes: dict[Hashable, "Runtime"] = {}
_channels: dict[int, "Channel"] = {}
_default: cl.Context | None = None
_folder: str | None = ""
_generation = 0  # how often all was released


def _keep(cache: dict[Any, Any], key: Hashable, value: Any, limit: int) -> None:
    """Put a value into a cache, the oldest out of a full one. Under the lock."""
    while len(cache) >= limit:
        del cache[next(iter(cache))]
    cache[key] = value


def _share(cache: dict[Any, Any], key: Hashable, made: Any, limit: int, generation: int) -> Any:
    """Keep what this thread has made, and give it; or what another thread has kept meanwhile.

    generation: that before it was made. What is older than the last clear() serves its call alone.
    """
    with _lock:
        if generation != _generation:
            return made
        if key not in cache:
            _keep(cache, key, made, limit)
        return cache[key]


class Runtime:
    """A tally_runtime with its operators. It holds its context, so that no other gets the same handle."""

    def __init__(self, context: cl.Context, device: cl.Device, folder: str | None) -> None:
        """Make one; compiled kernels are kept in the folder, which is as in configure()."""
        config = ffi.new("tally_config *")
        config.struct_size = ffi.sizeof("tally_config")
        config.context = ffi.cast("cl_context", context.int_ptr)
        config.device = ffi.cast("cl_device_id", device.int_ptr)
        path = _find_folder(folder)
        config.cache_dir = path
        made = ffi.new("tally_runtime **")
        call(lib.tally_runtime_create, config, made)
        self.handle = ffi.gc(made[0], lib.tally_runtime_release)
        self.context = context
        self.problems: dict[Hashable, Problem] = {}
        # In the host's memory: whether the device computes there, from which addresses, and up to how many bytes.
        self.shares = bool(device.host_unified_memory)
        self.align = max(device.mem_base_addr_align // 8, 1)
        self.largest = device.max_mem_alloc_size

    def solve(self, key: Hashable, recipe: Recipe, options: tuple[Any, ...], x: Any, out: Any) -> Problem:
        """Make the problem of a key, without an operator; x and out have shape, strides and dtype, or are None."""
        arrays = (None if a is None else Layout(a.shape, a.strides, a.dtype) for a in (x, out))
        problem = recipe(options, *arrays)
        with _lock:
            _keep(self.problems, key, problem, PROBLEMS)
        return problem


class Channel:
    """A queue with the scratch of its launches."""

    def __init__(self, queue: cl.CommandQueue, generation: int) -> None:
        """Find the queue's runtime, or make it; what clear() has let go of since the generation is not kept."""
        self.queue = queue
        self.handle = queue.int_ptr
        self.runtime = _find_runtime(queue.context, queue.device, generation)
        # Launches of an out-of-order queue may overlap, so each has a scratch of its own.
        self.in_order = not queue.properties & cl.command_queue_properties.OUT_OF_ORDER_EXEC_MODE_ENABLE
        self.flags = lib.TALLY_PY_IN_ORDER if self.in_order else 0
        self.lock = threading.Lock()
        self._scratch = self._make_scratch()

    def _make_scratch(self) -> Any:
        made = ffi.new("tally_scratch **")
        call(lib.tally_scratch_create, self.runtime.handle, made)
        return ffi.gc(made[0], lib.tally_scratch_release)

    def scratch(self) -> Any:
        """Give the scratch for one launch, which is made under the channel's lock."""
        return self._scratch if self.in_order else self._make_scratch()


def _find_folder(folder: str | None) -> Any:
    if folder != "":
        return ffi.NULL if folder is None else ffi.new("char[]", folder.encode())
    path = ffi.new("char[4096]")
    if lib.tally_default_cache_dir(path, 4096, ffi.NULL) != lib.TALLY_OK:
        return ffi.NULL
    return path


def _find_runtime(context: cl.Context, device: cl.Device, generation: int) -> Runtime:
    key = (context.int_ptr, device.int_ptr)
    with _lock:
        found, folder = _runtimes.get(key), _folder
    if found is None:
        found = _share(_runtimes, key, Runtime(context, device, folder), RUNTIMES, generation)
    return found


def find_channel(queue: cl.CommandQueue) -> Channel:
    """Give the channel of a queue. The cache holds the queue, so that no other has its handle meanwhile."""
    found = _channels.get(queue.int_ptr)
    if found is None:
        generation = _generation
        found = _share(_channels, queue.int_ptr, Channel(queue, generation), CHANNELS, generation)
    return found


def _default_context() -> tuple[cl.Context, int]:
    """Give the default context and its generation."""
    global _default
    with _lock:
        if _default is None:
            try:
                _default = cl.create_some_context(interactive=False)
            except (cl.Error, IndexError) as error:
                raise TallyError(f"no OpenCL device was found, of which PyOpenCL says: {error}") from error
        return _default, _generation


def default_channel() -> Channel:
    """Give the channel of this thread, on the default context."""
    if getattr(_thread, "generation", None) != _generation:
        context, generation = _default_context()
        # Not in the cache: it ends with its thread, and pushes no queue of a caller's out.
        _thread.channel = Channel(cl.CommandQueue(context, context.devices[0]), generation)
        _thread.generation = generation
    channel: Channel = _thread.channel
    return channel


def default_queue() -> cl.CommandQueue:
    """Give the queue that this thread's host arrays are computed on.

    It is in-order, one for each thread, on the first device of the default context.
    """
    return default_channel().queue


def clear() -> None:
    """Release all that is kept between calls: runtimes, operators, scratch, and holds of queues and contexts."""
    global _default, _generation
    with _lock:
        _runtimes.clear()
        _channels.clear()
        _default = None
        _generation += 1
    _thread.__dict__.clear()


def configure(*, context: cl.Context | None = None, cache_dir: str | None = "") -> None:
    """Set where host arrays are computed and where compiled kernels are kept; calls clear().

    context: the default context. None: the one that pyopencl.create_some_context(interactive=False) gives.
    cache_dir: the folder of kernels for later processes. "": the user's, as the program tally has it. None: none.
    """
    global _default, _folder
    if cache_dir and "\0" in cache_dir:
        raise UnsupportedError("cache_dir has a character of value 0")
    with _lock:
        clear()
        _default, _folder = context, cache_dir
