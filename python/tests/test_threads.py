"""Threads, what is kept between calls, and what is not."""

import gc
import os
import pathlib
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pyopencl as cl
import pyopencl.array
import pytest
from support import agree, make, watch

import tally_cl as tally
from tally_cl import _cache


def test_threads_of_the_host():
    arrays = [make((50 + i, 2000), "int64", i) for i in range(8)]

    def work(i):
        for _ in range(20):
            agree(tally.sum(arrays[i], axis=1), arrays[i].sum(1))
        return tally.default_queue().int_ptr

    with ThreadPoolExecutor(8) as pool:
        queues = list(pool.map(work, range(8)))
    assert len(set(queues)) > 1


def test_threads_on_one_queue(queue):
    """Sums of many terms need scratch, which launches of a queue share."""
    shared = cl.CommandQueue(queue.context)
    x = make((1_000_000,), "int64", 1)
    array, expected = cl.array.to_device(shared, x), x.sum()

    def work(_):
        return [int(tally.sum(array).get()) for _ in range(20)]

    with ThreadPoolExecutor(4) as pool:
        assert [set(found) for found in pool.map(work, range(4))] == [{expected}] * 4


def test_scratch_is_used_under_the_lock(queue, monkeypatch):
    """The view of a scratch is good until the next one is asked for."""
    channel = _cache.find_channel(queue)
    held = []
    watch(monkeypatch, "tally_py_enqueue", lambda: held.append(channel.lock.locked()))
    array = cl.array.to_device(queue, np.ones(1_000_000, np.int64))
    assert int(tally.sum(array).get()) == 1_000_000
    tally.sum(array[:10])
    assert held == [True, False]


def test_events_are_held_once(queue):
    (event,) = tally.sum(cl.array.to_device(queue, np.ones((7, 9), np.float32)), axis=1).events
    queue.finish()
    assert event.reference_count == 1


def test_python_runs_while_a_call_waits():
    """Another thread goes on while the device works on arrays of the host's."""
    x = np.ones((64, 1_000_000), np.float32)
    tally.cumsum(x, axis=1, out=x)
    stop, ticks = threading.Event(), []

    def tick():
        while not stop.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    try:
        begin = time.perf_counter()
        for _ in range(3):
            tally.cumsum(x, axis=1, out=x)
        end = time.perf_counter()
    finally:
        stop.set()
        thread.join()
    during = sum(begin < at < end for at in ticks)
    assert end - begin > 0.02, "the computation is too short to see anything"
    # Were the lock held, there would be a tick or two between calls.
    assert during > 10, f"{during} ticks in {end - begin:.3f} s"


def test_a_runtime_for_each_context(queue):
    tally.clear()
    first, second = (cl.CommandQueue(queue.context) for _ in range(2))
    third = cl.CommandQueue(cl.Context([queue.device]))
    channels = [_cache.find_channel(one) for one in (first, second, third, first)]
    assert channels[0].runtime is channels[1].runtime is not channels[2].runtime
    assert channels[3] is channels[0]
    assert len(_cache._runtimes) == 2


def test_a_call_during_configure(queue, monkeypatch):
    """What a call makes of the old context does not outlive it."""
    context = cl.Context([queue.device])

    class Slow(_cache.Runtime):
        def __init__(self, *arguments):
            super().__init__(*arguments)
            other = threading.Thread(target=tally.configure, kwargs={"context": context, "cache_dir": None})
            other.start()
            other.join()

    tally.clear()
    monkeypatch.setattr(_cache, "Runtime", Slow)
    try:
        assert tally.sum([1.0, 2.0]) == 3
        monkeypatch.undo()
        assert not _cache._runtimes
        assert tally.default_queue().context == context
    finally:
        tally.configure()


def test_operators_are_made_once(queue, monkeypatch):
    x = cl.array.to_device(queue, np.ones((7, 9), np.float32))
    out = tally.sum(x, axis=1)
    out = tally.sum(x, axis=1, out=out)
    monkeypatch.setattr(_cache.Runtime, "solve", None)
    for _ in range(3):
        tally.sum(x, axis=1, out=out)
    with pytest.raises(TypeError):
        tally.sum(x, axis=0)


def test_caches_are_bounded(queue):
    x = np.ones(_cache.PROBLEMS + 100, np.int32)
    for n in range(1, len(x)):
        tally.sum(x[:n])
    assert len(_cache.default_channel().runtime.problems) == _cache.PROBLEMS
    for _ in range(_cache.CHANNELS + 3):
        _cache.find_channel(cl.CommandQueue(queue.context))
    assert len(_cache._channels) == _cache.CHANNELS
    for _ in range(_cache.RUNTIMES + 2):
        _cache.find_channel(cl.CommandQueue(cl.Context([queue.device])))
    assert len(_cache._runtimes) == _cache.RUNTIMES
    tally.clear()
    assert not _cache._runtimes
    assert not _cache._channels


def resident():
    gc.collect()
    pages = int(pathlib.Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def test_memory_is_kept():
    """Calls, results, refusals and whole rounds of the caches leave nothing behind."""
    x = np.ones((100, 1000), np.float32)

    def once():
        for _ in range(300):
            tally.sum(x, axis=1)
            tally.cumsum(x, axis=0)
            with pytest.raises(ValueError, match="no element"):
                tally.argmax(x[:0])
        queue = tally.default_queue()
        array = cl.array.to_device(queue, x)
        for _ in range(100):
            tally.sum(array, axis=1)
        tally.clear()

    for _ in range(3):
        once()
    before = resident()
    for _ in range(10):
        once()
    assert resident() - before < 10e6
