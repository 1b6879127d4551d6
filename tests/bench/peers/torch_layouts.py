"""The problems of `tally bench layouts` in PyTorch: the memory that the forms of torch_forms.py share, and
their times.
"""

import time

import torch

from torch_forms import prepare

SAMPLE_SECONDS = 1.5e-3  # of a sample, at least
REPEATS = 128  # at most
SLOW_SECONDS = 0.05  # from here on one sample is enough
SKIP_SECONDS = 2  # and from here on none is taken

DTYPES = {name: getattr(torch, long) for name, long in
          (("f16", "float16"), ("f32", "float32"), ("f64", "float64"), ("i8", "int8"),
           ("i16", "int16"), ("i32", "int32"), ("i64", "int64"), ("u8", "uint8"),
           ("u16", "uint16"), ("u32", "uint32"), ("u64", "uint64")) if hasattr(torch, long)}


class Storage:
    """Bytes of one role, which views of all problems share."""

    def __init__(self, device):
        self.device = device
        self.bytes = None
        self.filled = None, 0  # with values of which type, and how many of them

    def elements(self, tensor):
        if tensor.dtype not in DTYPES:
            raise ValueError(f"PyTorch has no {tensor.dtype}")
        needed = (tensor.reach * tensor.element_bytes() + 7) // 8 * 8
        if self.bytes is None or len(self.bytes) < needed:
            self.bytes, self.filled = None, (None, 0)
            self.bytes = torch.empty(needed, dtype=torch.uint8, device=self.device)
        return self.bytes.view(DTYPES[tensor.dtype])

    def view(self, tensor):
        return torch.as_strided(self.elements(tensor), tensor.size, tensor.stride, tensor.offset)

    def fill(self, tensor):
        """Floats within 2 of 0, integers of any bits."""
        elements = self.elements(tensor)
        if self.filled[0] == tensor.dtype and self.filled[1] >= tensor.reach:
            return
        torch.manual_seed(1)
        if elements.dtype.is_floating_point:
            elements[:tensor.reach].uniform_(-2, 2)
        else:
            self.bytes.view(torch.int64).random_()
        self.filled = tensor.dtype, tensor.reach


class CudaClock:
    """Seconds of runs that are enqueued back to back, by two events."""

    def seconds(self, call, repeats):
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        for _ in range(repeats):
            call()
        end.record()
        end.synchronize()
        return begin.elapsed_time(end) * 1e-3


class HostClock:
    """The same on the CPU."""

    def seconds(self, call, repeats):
        began = time.perf_counter()
        for _ in range(repeats):
            call()
        return time.perf_counter() - began


class Bench:
    def __init__(self, samples, device):
        self.samples = samples
        self.device = device
        self.clock = CudaClock() if device == "cuda" else HostClock()
        self.input, self.output = Storage(device), Storage(device)

    def make_views(self, problem):
        """In place both are the output's memory, filled anew."""
        if problem.in_place:
            self.output.filled = None, 0
            self.output.fill(problem.output)
            out = self.output.view(problem.output)
            return out, out
        out = self.output.view(problem.output)
        self.output.filled = None, 0
        if problem.input is None:
            return None, out
        self.input.fill(problem.input)
        return self.input.view(problem.input), out

    def sample(self, call):
        """The samples of one run, or None if it takes too long."""
        first = self.clock.seconds(call, 1)
        if first > SKIP_SECONDS:
            return None
        repeats, seconds = 1, self.clock.seconds(call, 1)
        while seconds < SAMPLE_SECONDS and repeats < REPEATS:
            repeats *= 2
            seconds = self.clock.seconds(call, repeats)
        samples = 1 if seconds / repeats > SLOW_SECONDS else self.samples
        return [self.clock.seconds(call, repeats) / repeats for _ in range(samples)]

    def measure(self, problem):
        call, note = prepare(problem, *self.make_views(problem))
        samples = self.sample(call)
        if samples is None:
            return problem.refusal(f"takes over {SKIP_SECONDS} s")
        return problem.result(samples, note)

    def forget(self):
        """After a problem that did not fit."""
        if self.device == "cuda":
            torch.cuda.empty_cache()
