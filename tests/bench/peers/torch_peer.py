#!/usr/bin/env python3
"""PyTorch on CUDA, on the workloads of `tally bench`: times by CUDA events.

    torch_peer.py TALLY.json OUT.json [--only TEXT] [--samples N] [--device cuda|cpu]

Layouts are torch_layouts.py's, which runs a problem several times back to back. Of the others each
sample is a large copy that keeps the GPU busy while the rest is enqueued, then the operation
and then a copy of its input, each between two events.
"""

import sys

import torch

import peers
import torch_layouts

WARM_UPS = 5
COVER_BYTES = 1 << 28  # some 100 us on a fast GPU

DTYPES = {"f16": torch.float16, "f32": torch.float32, "f64": torch.float64, "i64": torch.int64,
          "i32": torch.int32, "i8": torch.int8}


def argmax(x, axes):
    if len(axes) == x.dim():
        return torch.argmax(x)
    if len(axes) > 1:
        raise ValueError("PyTorch's argmax takes one axis or all")
    return torch.argmax(x, dim=axes[0])


FUNCTIONS = {
    "sum": lambda x, axes: torch.sum(x, dim=axes),
    "max": lambda x, axes: torch.amax(x, dim=axes),
    "argmax": argmax,
    "l2": lambda x, axes: torch.linalg.vector_norm(x, dim=axes),
    "average": lambda x, axes: torch.mean(x, dim=axes),
    "log_sum_exp": lambda x, axes: torch.logsumexp(x, dim=axes),
}


def prepare_reduce(workload, x):
    function = FUNCTIONS[workload.function]
    return lambda: function(x, workload.axes), None


# ---- Scans, into a tensor that is there already.

SCANS = {"sum": torch.cumsum, "multiply": torch.cumprod}
IN_PLACE = {"sum": torch.Tensor.cumsum_, "multiply": torch.Tensor.cumprod_}
NEUTRAL = {"sum": 0, "multiply": 1}


def prepare_scan(workload, x):
    accumulate, axis = SCANS[workload.function], workload.axes[0]
    if workload.in_place:
        return lambda: IN_PLACE[workload.function](x, axis, dtype=x.dtype), None
    if workload.reverse:
        return (lambda: torch.flip(accumulate(torch.flip(x, (axis,)), axis, dtype=x.dtype),
                                   (axis,)), "between two flips")
    out = torch.empty(x.shape, dtype=x.dtype, device=x.device)
    if workload.exclusive:
        first, terms = out.select(axis, 0), x.narrow(axis, 0, x.shape[axis] - 1)
        rest = out.narrow(axis, 1, x.shape[axis] - 1)

        def run_exclusive():
            first.fill_(NEUTRAL[workload.function])
            accumulate(terms, axis, dtype=x.dtype, out=rest)
            return out
        return run_exclusive, "an inclusive scan of all but the last"
    return lambda: accumulate(x, axis, dtype=x.dtype, out=out), None


# ---- Fills: the value is 1 where it is not 0.


def where_band(x, workload, out):
    """What is kept has end <= column - row < begin."""
    kept = torch.ones(x.shape, dtype=torch.bool, device=x.device)
    kept = kept.tril_(workload.begin - 1).triu_(workload.end)
    one = torch.ones((), dtype=x.dtype, device=x.device)
    return lambda: torch.where(kept, x, one, out=out)


FILLS = {
    "lower": lambda x, w, out: lambda: torch.tril(x, w.begin - 1, out=out),
    "identity": lambda x, w, out: lambda: torch.eye(*x.shape, out=out),
    "inverted-band": where_band,
}


def prepare_fill(workload, x):
    note = "with a mask made before" if workload.function == "inverted-band" else None
    out = torch.empty(x.shape, dtype=x.dtype, device=x.device)
    return FILLS[workload.function](x, workload, out), note


OPERATORS = {"reduce": prepare_reduce, "scan": prepare_scan, "diagonal": prepare_fill}


# ---- Times


class Bench:
    def __init__(self, samples):
        self.samples = samples
        self.cover = torch.empty(COVER_BYTES, dtype=torch.uint8, device="cuda").zero_()
        self.covered = torch.empty_like(self.cover)
        self.elements = None  # of one type at a time, made when it is first needed
        self.copy = None

    def make_input(self, workload):
        """Floats within 2 of 0, integers of any bits."""
        dtype = DTYPES[workload.dtype]
        count = workload.offset + workload.elements()
        if self.elements is None or self.elements.dtype != dtype or len(self.elements) < count:
            self.elements = self.copy = None
            torch.cuda.empty_cache()
            torch.manual_seed(1)
            self.elements = torch.empty(count, dtype=dtype, device="cuda")
            if dtype.is_floating_point:
                self.elements.uniform_(-2, 2)
            else:
                limits = torch.iinfo(dtype)
                self.elements.random_(limits.min // 2, limits.max // 2)
            self.copy = torch.empty_like(self.elements)
        if workload.stride is not None:
            return torch.as_strided(self.elements, workload.size, workload.stride,
                                    workload.offset)
        return self.elements[workload.offset:count].view(workload.size)

    def sample(self, call, count):
        events = [torch.cuda.Event(enable_timing=True) for _ in range(4)]
        self.covered.copy_(self.cover)
        events[0].record()
        result = call()
        events[1].record()
        events[2].record()
        self.copy[:count].copy_(self.elements[:count])
        events[3].record()
        torch.cuda.synchronize()
        return (events[0].elapsed_time(events[1]) * 1e-3,
                events[2].elapsed_time(events[3]) * 1e-3, result)

    def measure(self, workload):
        x = self.make_input(workload)
        call, note = OPERATORS[workload.operator](workload, x)
        times, copies = [], []
        for i in range(WARM_UPS + self.samples):
            seconds, copied, result = self.sample(call, workload.elements())
            if i >= WARM_UPS:
                times.append(seconds)
                copies.append(copied)
        if result.numel() != workload.outputs():
            raise ValueError(f"{result.numel()} results instead of {workload.outputs()}")
        if workload.in_place:
            self.elements = None  # they are sums of sums by now
        return workload.result(times, None if workload.small else copies, note)


def main():
    arguments = peers.parse_arguments(__doc__, devices=("cuda", "cpu"))
    on_cuda = arguments.device == "cuda"
    if not on_cuda and not arguments.layouts:
        sys.exit("--device cpu is for layouts")
    if on_cuda and not torch.cuda.is_available():
        sys.exit("PyTorch sees no CUDA device")
    head = {"peer": "PyTorch", "version": torch.__version__,
            "device": torch.cuda.get_device_name() if on_cuda else "the CPU"}
    bench = (torch_layouts.Bench(arguments.samples, arguments.device) if arguments.layouts
             else Bench(arguments.samples))
    with torch.inference_mode():
        peers.run(arguments, head, bench.measure, runs_layouts=True)


if __name__ == "__main__":
    main()
