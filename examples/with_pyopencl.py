#!/usr/bin/env python3
"""Tally from Python, beside PyOpenCL: they share a context, a queue, buffers and events.

    with_pyopencl.py [libtally.so]

PyOpenCL makes all that belongs to OpenCL. Tally is called through ctypes: the attribute int_ptr of a PyOpenCL object
is its handle, and Event.from_int_ptr makes an object of a handle that Tally gives.
"""

import ctypes as c
import sys

import numpy as np
import pyopencl as cl

MAX_RANK = 8  # the constants of tally/types.h
F32 = 2
SUM = 11


# ---- The structs of tally/types.h and tally/tally.h ----


class Error(c.Structure):
    _fields_ = [("status", c.c_int32), ("cl_code", c.c_int32), ("message", c.c_char * 496), ("fault", c.c_int32),
                ("reserved", c.c_uint32)]


class Config(c.Structure):
    _fields_ = [("struct_size", c.c_uint32), ("context", c.c_void_p), ("device", c.c_void_p),
                ("cache_dir", c.c_char_p), ("log", c.c_void_p), ("user", c.c_void_p), ("cache_limit", c.c_uint64),
                ("overrides", c.c_void_p), ("allocator", c.c_void_p)]


class Tensor(c.Structure):
    _fields_ = [("dtype", c.c_int32), ("rank", c.c_uint32), ("flags", c.c_uint32), ("size", c.c_uint64 * MAX_RANK),
                ("stride", c.c_uint64 * MAX_RANK)]


class Reduce(c.Structure):
    _fields_ = [("struct_size", c.c_uint32), ("function", c.c_int32), ("input", Tensor), ("output", Tensor),
                ("axes", c.c_uint32), ("tie", c.c_int32), ("nan", c.c_int32), ("reserved", c.c_uint32)]


class View(c.Structure):
    _fields_ = [("buffer", c.c_void_p), ("pointer", c.c_void_p), ("offset", c.c_size_t), ("reserved", c.c_uint64 * 2)]


class Binding(c.Structure):
    _fields_ = [("input", View), ("output", View), ("scratch", View)]


# ---- The calls ----


class Tally:
    """The library: tally.call("tally_op_enqueue", ...) raises RuntimeError with Tally's sentence where it fails."""

    def __init__(self, path):
        self.library = c.CDLL(path)
        self.library.tally_tensor_packed.restype = Tensor
        self.library.tally_tensor_reduced.restype = Tensor

    def call(self, name, *arguments):
        error = Error()
        if getattr(self.library, name)(*arguments, c.byref(error)) != 0:
            raise RuntimeError(f"{name}: {error.message.decode()}")

    def release(self, name, handle):
        getattr(self.library, name)(handle)


def make_sum(tally, runtime, rows, columns):
    """The operator that sums each row of a [rows, columns] tensor of float32."""
    axes = c.c_uint32(1 << 1)
    desc = Reduce(struct_size=c.sizeof(Reduce), function=SUM, axes=axes.value)
    desc.input = tally.library.tally_tensor_packed(F32, 2, (c.c_uint64 * 2)(rows, columns))
    desc.output = tally.library.tally_tensor_reduced(c.byref(desc.input), axes, F32)
    op = c.c_void_p()
    tally.call("tally_reduce_create", runtime, c.byref(desc), c.byref(op))
    return op


def enqueue(tally, op, scratch, queue, source, target, wait_for):
    """Enqueue the operator behind PyOpenCL's events, and give an event of PyOpenCL's."""
    binding = Binding(input=View(buffer=source.int_ptr), output=View(buffer=target.int_ptr))
    tally.call("tally_scratch_view", scratch, op, c.byref(binding.scratch))
    waits = (c.c_void_p * len(wait_for))(*[event.int_ptr for event in wait_for]) if wait_for else None
    done = c.c_void_p()
    tally.call("tally_op_enqueue", op, c.c_void_p(queue.int_ptr), c.byref(binding), c.c_uint32(len(wait_for)), waits,
               c.byref(done))
    return cl.Event.from_int_ptr(done.value, retain=False)


def main():
    tally = Tally(sys.argv[1] if len(sys.argv) > 1 else "libtally.so")
    rows, columns = 1000, 300
    values = np.random.default_rng(1).integers(-100, 100, (rows, columns)).astype(np.float32)
    sums = np.empty(rows, np.float32)

    device = cl.get_platforms()[0].get_devices()[0]
    context = cl.Context([device])
    queue = cl.CommandQueue(context)
    source = cl.Buffer(context, cl.mem_flags.READ_ONLY, values.nbytes)
    target = cl.Buffer(context, cl.mem_flags.WRITE_ONLY, sums.nbytes)

    runtime, scratch, op = c.c_void_p(), c.c_void_p(), c.c_void_p()
    config = Config(struct_size=c.sizeof(Config), context=context.int_ptr, device=device.int_ptr)
    try:
        tally.call("tally_runtime_create", c.byref(config), c.byref(runtime))
        tally.call("tally_scratch_create", runtime, c.byref(scratch))
        op = make_sum(tally, runtime, rows, columns)
        written = cl.enqueue_copy(queue, source, values, is_blocking=False)
        summed = enqueue(tally, op, scratch, queue, source, target, [written])
        cl.enqueue_copy(queue, sums, target, wait_for=[summed])
    finally:
        tally.release("tally_op_release", op)
        tally.release("tally_scratch_release", scratch)
        tally.release("tally_runtime_release", runtime)

    # Sums of small integers are exact, whatever the order.
    equal = np.array_equal(sums, values.sum(axis=1))
    print(f"the sums of {rows} rows of {columns}: {'as' if equal else 'not as'} NumPy's")
    return 0 if equal else 1


if __name__ == "__main__":
    sys.exit(main())
