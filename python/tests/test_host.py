"""Arrays of the host's: no copies where the device shares the memory, streams where it does not, DLPack."""

import threading
import tracemalloc

import array_api_strict
import numpy as np
import pytest
from support import agree, make, watch

import tally_cl as tally
from tally_cl import _cache


class Producer:
    """Something that has DLPack alone."""

    def __init__(self, x, kind=1):
        self.x, self.kind = x, kind

    def __dlpack__(self, **options):
        return self.x.__dlpack__(**options)

    def __dlpack_device__(self):
        return (self.kind, 0)


@pytest.fixture
def apart(monkeypatch):
    """Have the device look like one with memory of its own, and give what grows by one with each stream."""
    streams = []
    watch(monkeypatch, "tally_py_stream", lambda: streams.append(1))
    monkeypatch.setattr(_cache.default_channel().runtime, "shares", False)
    return streams


def test_views_are_not_copied():
    x = make((2000, 1000), "int32", 1)
    views = (x[::2, 100:900], x.T, np.broadcast_to(x[0], (4000, 1000)))
    for view in views:
        tally.sum(view, axis=1)
    tracemalloc.start()
    try:
        for view in views:
            tally.sum(view, axis=1)
        assert tracemalloc.get_traced_memory()[1] < 100_000
        tally.sum(x[:, ::-1], axis=1)  # a stride that is negative
        assert tracemalloc.get_traced_memory()[1] > x.nbytes
    finally:
        tracemalloc.stop()


def test_addresses_of_any_kind():
    """Arrays begin at any multiple of their element's size, and packed records at none."""
    room = np.zeros(1100, np.int16)
    for begin in (0, 1, 3, 17, 65):
        x = room[begin : begin + 1000]
        x[...] = make((1000,), "int16", begin)
        agree(tally.max(x), x.max())
        agree(tally.cummax(x, out=x), np.maximum.accumulate(x))
    records = np.zeros(100, np.dtype([("a", "i1"), ("b", "i4")]))
    records["b"] = make((100,), "int32", 5)
    agree(tally.sum(records["b"]), records["b"].sum(dtype=np.int32))


def test_the_rest_of_the_array_stays():
    room = make((4096,), "int32", 6)
    before = room.copy()
    out = room[32:96]
    tally.sum(np.ones((64, 3), np.int32), axis=1, out=out)
    before[32:96] = 3
    agree(room, before)


def test_streams(apart):
    x = make((300, 70, 5), "int32", 2)
    agree(tally.sum(x, axis=1), x.sum(1, dtype=np.int32))
    agree(tally.sum(x[::-1, ::2, 1], axis=0), x[::-1, ::2, 1].sum(0, dtype=np.int32))
    agree(tally.cumsum(x, axis=0, out=x.copy()), x.cumsum(0, dtype=np.int32))
    agree(tally.eye(4, 5), np.eye(4, 5))
    assert len(apart) == 4
    with pytest.raises(ValueError, match="no element to name"):
        tally.argmax(x[:0])


def test_streams_have_the_bits_of_the_whole(apart, monkeypatch):
    x = make((5, 100_000), "float32", 3)
    found = tally.sum(x, axis=1)
    assert len(apart) == 1
    monkeypatch.setattr(_cache.default_channel().runtime, "shares", True)
    assert np.array_equal(tally.sum(x, axis=1), found)
    assert len(apart) == 1


def test_dlpack():
    x = make((20, 30), "float64", 4)
    expected = tally.sum(x, axis=1)
    agree(tally.sum(Producer(x), axis=1), expected)
    agree(tally.sum(array_api_strict.asarray(x), axis=1), expected)
    out = np.zeros(20)
    assert isinstance(tally.sum(Producer(x), axis=1, out=(target := Producer(out))), Producer)
    assert target.x is out
    agree(out, expected)
    with pytest.raises(TypeError, match="on a device, of DLPack's kind 2"):
        tally.sum(Producer(x, kind=2))


def test_queue_of_the_callers(queue):
    import pyopencl as cl

    other = cl.CommandQueue(queue.context)
    x = make((40, 50), "int32", 5)
    event = cl.enqueue_marker(other)
    agree(tally.sum(x, axis=1, queue=other, wait_for=[event]), x.sum(1, dtype=np.int32))


def test_converted_arrays_wait_too(queue):
    import pyopencl as cl

    x, rows, gate = np.zeros((40, 50), np.int32), make((40, 50), "int32", 6), cl.UserEvent(queue.context)

    def write():
        x[...] = rows
        gate.set_status(cl.command_execution_status.COMPLETE)

    threading.Timer(0.5, write).start()
    agree(tally.sum(x, axis=1, dtype=np.int64, wait_for=[gate]), rows.sum(1, dtype=np.int64))
