"""PyOpenCL's arrays: computed where they lie, on the caller's queue, behind the caller's events."""

import threading

import numpy as np
import pyopencl as cl
import pyopencl.array
import pytest
from support import agree, make

import tally_cl as tally

ROWS = make((64, 100), "int32", 1)
SUMS = ROWS.sum(1, dtype=np.int32)


@pytest.fixture
def rows(queue):
    return cl.array.to_device(queue, ROWS)


@pytest.fixture
def no_copies(monkeypatch):
    """Have nothing that copies or allocates memory of a device work."""

    def refuse(*_, **__):
        raise AssertionError("memory is copied or allocated")

    for name in dir(cl):
        if name.startswith(("enqueue_copy", "_enqueue_", "enqueue_map")) or name == "Buffer":
            monkeypatch.setattr(cl, name, refuse)


def test_results_are_arrays(rows):
    found = tally.sum(rows, axis=1)
    assert isinstance(found, cl.array.Array)
    assert found.queue == rows.queue
    assert len(found.events) == 1
    agree(found.get(), SUMS)
    agree(tally.sum(rows).get(), ROWS.sum(dtype=np.int32))
    agree(tally.max(rows, keepdims=True).get(), ROWS.max(keepdims=True))
    agree(tally.argmin(rows, 0).get(), ROWS.argmin(0))
    agree(tally.tril(rows).get(), np.tril(ROWS))


def test_each_result_has_memory_of_its_own(rows):
    found = [tally.sum(rows, axis=1) for _ in range(3)]
    assert len({one.base_data.int_ptr for one in found}) == 3
    assert len({id(one.events) for one in found}) == 3
    assert all(one.queue == rows.queue and len(one.events) == 1 for one in found)
    for one in found:
        agree(one.get(), SUMS)


def test_what_sees_copies(rows, queue, no_copies):
    with pytest.raises(AssertionError, match="copied or allocated"):
        tally.sum(rows, axis=1)
    target = cl.array.Array(queue, (64,), np.int32, data=rows.base_data)
    with pytest.raises(ValueError, match="overlap"):
        tally.sum(rows, axis=1, out=target)


def test_out_without_copies(rows, queue, monkeypatch, request):
    out = cl.array.zeros(queue, 64, np.int32)
    memory = out.base_data
    request.getfixturevalue("no_copies")
    assert tally.sum(rows, axis=1, out=out) is out
    assert out.base_data is memory
    tally.cumsum(rows, axis=1, out=rows)
    monkeypatch.undo()
    agree(out.get(), SUMS)
    agree(rows.get(), ROWS.cumsum(1, dtype=np.int32))


def test_views_with_strides_and_offsets(rows):
    part = rows[3:40:2, 10:60]
    agree(tally.sum(part, axis=0).get(), ROWS[3:40:2, 10:60].sum(0, dtype=np.int32))
    out = tally.cumsum(rows, 1)
    tally.sum(rows, axis=1, out=out[:, 7])
    expected = ROWS.cumsum(1, dtype=np.int32)
    expected[:, 7] = SUMS
    agree(out.get(), expected)
    with pytest.raises(ValueError, match="axis 1 of the array has a stride of -4 bytes"):
        tally.sum(rows[:, ::-1], axis=1)


def test_buffers(queue):
    buffer = cl.Buffer(queue.context, cl.mem_flags.COPY_HOST_PTR, hostbuf=ROWS)
    with pytest.raises(TypeError, match="Buffer: pass memory of OpenCL as pyopencl"):
        tally.sum(buffer)
    x = cl.array.Array(queue, (63, 100), np.int32, data=buffer, offset=400)
    agree(tally.sum(x, axis=1).get(), SUMS[1:])
    with pytest.raises(ValueError, match="needs 25600 bytes"):
        tally.sum(cl.array.Array(queue, (64, 100), np.int32, data=buffer, offset=400))


def test_shared_virtual_memory(queue):
    if not queue.device.svm_capabilities:
        pytest.fail("the device has no shared virtual memory: this test needs PoCL or another one that has")
    allocator = cl.tools.SVMAllocator(queue.context, flags=cl.svm_mem_flags.READ_WRITE, queue=queue)
    x = cl.array.to_device(queue, ROWS, allocator=allocator)
    agree(tally.sum(x, axis=1).get(), SUMS)
    none = cl.array.zeros(queue, (0, 3), np.int32)
    out = cl.array.to_device(queue, np.ones(3, np.int32), allocator=allocator)
    tally.sum(none, axis=0, out=out)
    tally.eye(1, 3, out=out.reshape(1, 3))
    agree(out.get(), np.array([1, 0, 0], np.int32))


def test_events(queue):
    """The result waits for the caller's event, and the event that comes out is the operator's."""
    other = cl.CommandQueue(queue.context)
    x, gate = cl.array.zeros(other, ROWS.shape, np.int32), cl.UserEvent(queue.context)
    other.finish()
    found = tally.sum(x, axis=1, queue=queue, wait_for=[gate])
    (event,) = found.events
    assert event.command_execution_status != cl.command_execution_status.COMPLETE
    x.set(ROWS, queue=other)
    gate.set_status(cl.command_execution_status.COMPLETE)
    event.wait()
    agree(found.get(), SUMS)


def test_events_of_arrays(queue):
    """What another queue has to do with an array first, its events say."""
    other, gate = cl.CommandQueue(queue.context), cl.UserEvent(queue.context)
    x = cl.array.zeros(queue, ROWS.shape, np.int32)
    queue.finish()
    x.add_event(cl.enqueue_copy(other, x.base_data, ROWS, wait_for=[gate], is_blocking=False))
    other.flush()
    before = list(x.events)
    found = tally.sum(x, axis=1)
    gate.set_status(cl.command_execution_status.COMPLETE)
    agree(found.get(), SUMS)
    assert x.events == before


def test_converted_arrays_wait_too(queue):
    """A type to compute in is a copy, which is made behind the caller's events."""
    gate = cl.UserEvent(queue.context)
    x = cl.array.zeros(other := cl.CommandQueue(queue.context), ROWS.shape, np.int32)
    other.finish()
    written = cl.enqueue_copy(other, x.base_data, ROWS, wait_for=[gate], is_blocking=False)
    other.flush()
    before = list(x.events)
    sums = tally.sum(x, axis=1, dtype=np.int64, queue=queue, wait_for=[written])
    totals = tally.cumsum(x, axis=1, dtype=np.int64, queue=queue, wait_for=[written])
    gate.set_status(cl.command_execution_status.COMPLETE)
    agree(sums.get(), ROWS.sum(1, dtype=np.int64))
    agree(totals.get(), ROWS.cumsum(1, dtype=np.int64))
    assert x.events == before


def test_more_events_than_one_enqueue_takes(rows, queue):
    other = cl.CommandQueue(queue.context)
    events = [cl.enqueue_marker(other) for _ in range(200)]
    agree(tally.sum(rows, axis=1, wait_for=events).get(), SUMS)


@pytest.mark.parametrize("properties", [0, cl.command_queue_properties.OUT_OF_ORDER_EXEC_MODE_ENABLE])
def test_more_events_are_not_waited_for_by_the_host(queue, properties):
    other, gate = cl.CommandQueue(queue.context, properties=properties), cl.UserEvent(queue.context)
    x = cl.array.to_device(other, ROWS)
    other.finish()
    late = threading.Timer(10, gate.set_status, [cl.command_execution_status.COMPLETE])  # should the call wait
    late.start()
    found = tally.sum(x, axis=1, wait_for=[*(cl.enqueue_marker(queue) for _ in range(100)), gate])
    assert late.is_alive()
    (event,) = found.events
    assert event.command_execution_status != cl.command_execution_status.COMPLETE
    late.cancel()
    gate.set_status(cl.command_execution_status.COMPLETE)
    agree(found.get(), SUMS)


def test_out_of_order(queue):
    """Launches that overlap do not share scratch: sums of many terms need some."""
    properties = cl.command_queue_properties.OUT_OF_ORDER_EXEC_MODE_ENABLE
    unordered = cl.CommandQueue(queue.context, properties=properties)
    x = make((4, 1_000_000), "int64", 2)
    arrays = [cl.array.to_device(unordered, row) for row in x]
    unordered.finish()
    found = [tally.sum(array) for _ in range(5) for array in arrays]
    agree(np.stack([one.get() for one in found]), np.tile(x.sum(1), 5))


def test_fills(queue):
    found = tally.eye(5, 7, 1, "int16", queue=queue)
    assert isinstance(found, cl.array.Array)
    agree(found.get(), np.eye(5, 7, 1, "int16"))
    tally.tri(5, 7, out=found)
    agree(found.get(), np.tri(5, 7, dtype="int16"))
    tally.fill_band(found, 9, 0, 1, out=found)
    agree(found.get(), np.tri(5, 7, dtype="int16") + 8 * np.eye(5, 7, dtype="int16"))


def test_no_elements(queue):
    x = cl.array.zeros(queue, (0, 3), np.float32)
    agree(tally.sum(x, axis=0).get(), np.zeros(3, np.float32))
    assert tally.sum(x, axis=1).shape == (0,)
    assert tally.cumsum(x, axis=0).shape == (0, 3)


def test_dtype_converts_on_the_device(queue):
    x = cl.array.to_device(queue, np.arange(-50, 50, dtype=np.int8))
    agree(tally.sum(x, dtype=np.int64).get(), np.int64(-50))


def test_a_queue_is_needed(rows):
    alone = rows.with_queue(None)
    with pytest.raises(ValueError, match="neither the array nor the call has a queue"):
        tally.sum(alone)
    agree(tally.sum(alone, axis=1, queue=rows.queue).get(rows.queue), SUMS)


def test_one_kind_at_a_time(rows):
    with pytest.raises(TypeError, match="one of array and out"):
        tally.sum(rows, axis=1, out=np.empty(64, np.int32))
    with pytest.raises(TypeError, match="the result is of Array"):
        tally.sum(ROWS, axis=1, out=rows)


def test_two_contexts(queue):
    """Each context has a runtime of its own; a mix is refused."""
    context = cl.Context([queue.device])
    other = cl.CommandQueue(context)
    x = cl.array.to_device(other, ROWS)
    agree(tally.sum(x, axis=1).get(), SUMS)
    with pytest.raises(ValueError, match="context"):
        tally.sum(x, axis=1, queue=queue)
