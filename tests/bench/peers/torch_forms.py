"""What PyTorch's users would write for a problem of `tally bench layouts`, into an output that is there
already where PyTorch's out= allows that.

A form is a function without arguments that runs the problem once, and a note on what is not quite the
same. What PyTorch lacks is a ValueError. How long a form takes is torch_layouts.py's.
"""

import torch


# ---- Reductions: form(x, out, problem), out with size 1 on the swept axes

def reduce_by(function, **options):
    def form(x, out, problem):
        return lambda: function(x, dim=problem.axes, keepdim=True, out=out, **options), None
    return form


def sum_of(x, out, problem):
    return lambda: torch.sum(x, dim=problem.axes, keepdim=True, dtype=x.dtype, out=out), None


def l1(x, out, problem):
    if x.dtype.is_floating_point:
        return reduce_by(torch.linalg.vector_norm, ord=1)(x, out, problem)
    return (lambda: torch.sum(torch.abs(x), dim=problem.axes, keepdim=True, dtype=x.dtype,
                              out=out), "two passes")


def sum_square(x, out, problem):
    if x.dtype.is_floating_point:
        return (lambda: torch.linalg.vector_norm(x, dim=problem.axes, keepdim=True,
                                                 out=out).square_(), "the norm, squared")
    return (lambda: torch.sum(torch.square(x), dim=problem.axes, keepdim=True, dtype=x.dtype,
                              out=out), "two passes")


def log_sum(x, out, problem):
    return lambda: torch.sum(x, dim=problem.axes, keepdim=True, out=out).log_(), None


def multiply(x, out, problem):
    first, *others = reversed(problem.axes)
    if problem.sweeps_all():
        return lambda: torch.prod(x, dtype=x.dtype), "into a new tensor"
    if not others:
        return (lambda: torch.prod(x, dim=first, keepdim=True, dtype=x.dtype, out=out), None)

    def run():
        product = torch.prod(x, dim=first, keepdim=True, dtype=x.dtype)
        for axis in others[:-1]:
            product = torch.prod(product, dim=axis, keepdim=True, dtype=x.dtype)
        return torch.prod(product, dim=others[-1], keepdim=True, dtype=x.dtype, out=out)
    return run, "one axis after the other"


def arg_of(function):
    def form(x, out, problem):
        notes = [] if problem.tie == "first" else ["any of equal elements"]
        if problem.sweeps_all():
            return lambda: function(x), ", ".join(notes + ["into a new tensor"])
        if len(problem.axes) > 1:
            raise ValueError("PyTorch's argmax takes one axis or all")
        if out.dtype != torch.int64:
            notes.append("indices of int64 into a new tensor")
            return (lambda: function(x, dim=problem.axes[0], keepdim=True), ", ".join(notes))
        return (lambda: function(x, dim=problem.axes[0], keepdim=True, out=out),
                ", ".join(notes) or None)
    return form


REDUCTIONS = {
    "sum": sum_of,
    "max": reduce_by(torch.amax),
    "min": reduce_by(torch.amin),
    "average": reduce_by(torch.mean),
    "argmax": arg_of(torch.argmax),
    "argmin": arg_of(torch.argmin),
    "l1": l1,
    "l2": reduce_by(torch.linalg.vector_norm),
    "sum_square": sum_square,
    "multiply": multiply,
    "log_sum": log_sum,
    "log_sum_exp": reduce_by(torch.logsumexp),
}

# No axes: each element by itself. PyTorch takes an empty list of axes for all of them.
ELEMENTWISE = {
    "l1": lambda x, out: torch.abs(x, out=out),
    "l2": lambda x, out: torch.abs(x, out=out),
    "sum_square": lambda x, out: torch.square(x, out=out),
    "log_sum": lambda x, out: torch.log(x, out=out),
    "argmax": lambda x, out: out.zero_(),
    "argmin": lambda x, out: out.zero_(),
}


def prepare_reduce(problem, x, out):
    if not problem.axes:
        function = ELEMENTWISE.get(problem.function, lambda x, out: out.copy_(x))
        return lambda: function(x, out), "elementwise"
    return REDUCTIONS[problem.function](x, out, problem)


# ---- Scans

def lowest(dtype):
    return -float("inf") if dtype.is_floating_point else torch.iinfo(dtype).min


def highest(dtype):
    return float("inf") if dtype.is_floating_point else torch.iinfo(dtype).max


def extreme_scan(function):
    """Values alone are wanted; PyTorch gives their indices as well."""
    def scan(x, axis, out=None):
        values = function(x, axis).values
        return values if out is None else out.copy_(values)
    return scan


def typed_scan(function):
    return lambda x, axis, out=None: function(x, axis, dtype=x.dtype, out=out)


SCANS = {
    "sum": (typed_scan(torch.cumsum), lambda dtype: 0, None),
    "multiply": (typed_scan(torch.cumprod), lambda dtype: 1, None),
    "max": (extreme_scan(torch.cummax), lowest, "with indices, then copied"),
    "min": (extreme_scan(torch.cummin), highest, "with indices, then copied"),
}

IN_PLACE = {"sum": torch.Tensor.cumsum_, "multiply": torch.Tensor.cumprod_}


def prepare_scan(problem, x, out):
    scan, neutral, note = SCANS[problem.function]
    axis, length = problem.axes[0], x.shape[problem.axes[0]]
    plain = not problem.descending and not problem.exclusive
    if plain and problem.in_place and problem.function in IN_PLACE:
        return lambda: IN_PLACE[problem.function](x, axis, dtype=x.dtype), None
    if plain:
        return lambda: scan(x, axis, out=out), note
    notes = [note] if note else []
    target, edge, terms = out, None, x
    if problem.exclusive:
        last = length - 1 if problem.descending else 0
        edge = out.select(axis, last)
        target = out.narrow(axis, 0 if problem.descending else 1, length - 1)
        terms = x.narrow(axis, 1 if problem.descending else 0, length - 1)
        notes.append("an inclusive scan of all but the last")
    if problem.descending:
        notes.append("between two flips")
    first = neutral(x.dtype)

    def run():
        if problem.descending:
            target.copy_(torch.flip(scan(torch.flip(terms, (axis,)), axis), (axis,)))
        elif problem.in_place:
            target.copy_(scan(terms, axis))
        else:
            scan(terms, axis, out=target)
        if edge is not None:
            edge.fill_(first)
        return out
    return run, ", ".join(notes)


# ---- Fills: the value is 1 where it is not 0. form(x, out, problem); x is None without an input.

def begin_with(x, out):
    """What is there before the band: the input, or zeros."""
    if x is None:
        out.zero_()
    elif x is not out:
        out.copy_(x)


def everything(x, out, problem):
    return lambda: out.fill_(1), None


def nothing(x, out, problem):
    return lambda: begin_with(x, out), None


def diagonal(x, out, problem):
    line = out.diagonal(problem.begin, -2, -1)
    if x is None and problem.begin == 0 and out.dim() == 2:
        return lambda: torch.eye(*out.shape, out=out), None

    def run():
        begin_with(x, out)
        line.fill_(1)
    return run, "a copy, then the diagonal" if x is not None else "zeros, then the diagonal"


def triangle(function, in_place, kept, filled):
    """kept and filled: from the problem to the diagonal that bounds what stays, and the band."""
    def form(x, out, problem):
        if x is None:
            def fill():
                out.fill_(1)
                filled(out, problem)
            return fill, "ones, then zeros"
        if problem.in_place:
            return lambda: in_place(out, kept(problem)), "zeros where the fill has its value"
        return (lambda: function(x, kept(problem), out=out), "zeros where the fill has its value")
    return form


lower = triangle(torch.tril, torch.Tensor.tril_, lambda p: p.begin - 1,
                 lambda out, p: out.triu_(p.begin))
upper = triangle(torch.triu, torch.Tensor.triu_, lambda p: p.end,
                 lambda out, p: out.tril_(p.end - 1))


def masked(x, out, problem):
    low, high = sorted((problem.begin, problem.end))
    covered = torch.ones(out.shape[-2:], dtype=torch.bool, device=out.device)
    covered = covered.tril_(high - 1).triu_(low)
    if problem.begin > problem.end:
        covered = covered.logical_not_()
    one = torch.ones((), dtype=out.dtype, device=out.device)
    note = "with a mask made before"
    if x is None:
        return lambda: out.copy_(covered), note
    if problem.in_place:
        return lambda: out.masked_fill_(covered, 1), note
    return lambda: torch.where(covered, one, x, out=out), note


FILLS = {"everything": everything, "nothing": nothing, "diagonal": diagonal, "lower": lower,
         "upper": upper, "band": masked, "inverted": masked}


def prepare_fill(problem, x, out):
    return FILLS[problem.band()](x, out, problem)


OPERATORS = {"reduce": prepare_reduce, "scan": prepare_scan, "diagonal": prepare_fill}


def prepare(problem, x, out):
    if problem.nan == "ignore":
        raise ValueError("PyTorch has no way to ignore NaN here")
    return OPERATORS[problem.operator](problem, x, out)
