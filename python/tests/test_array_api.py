"""The rules of the array API standard, function by function, against its reference, array_api_strict.

Types, shapes and values: the reference is asked the same question. The standard's own suite is run by ci/python where
it is at hand; it is in no package index.
"""

import array_api_namespace as standard
import array_api_strict as strict
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import NARROW, agree, axes, bound, make

SUMMED = ["int8", "uint16", "int32", "uint32", "int64", "uint64", "float32", "float64"]
COMPARED = ["int8", "uint16", "int64", "float32", "float64"]
ANY = [*COMPARED, "bool"]
# The functions of each kind, and of which types each takes arrays.
REDUCTIONS = {"sum": SUMMED, "prod": SUMMED, "max": COMPARED, "min": COMPARED, "mean": ["float32", "float64"]}
INDICES = {"argmax": COMPARED, "argmin": COMPARED}
RUNNING = {"cumulative_sum": SUMMED, "cumulative_prod": SUMMED}
TRIANGLES = {"tril": ANY, "triu": ANY}
TAKES = {**REDUCTIONS, **INDICES, **RUNNING, **TRIANGLES}
SUMS = [name for name, dtypes in TAKES.items() if dtypes is SUMMED]


def ask(name, x, **options):
    """Hold an answer to the reference's."""
    expected, error = np.asarray(getattr(strict, name)(strict.asarray(x), **options)._array), 0
    dtype = expected.dtype
    if x.dtype.kind == "f":
        # The reference of the values is float64; that of the type is asked with the array's own.
        expected = np.asarray(getattr(strict, name)(strict.asarray(x.astype(np.float64)), **options)._array)
        terms = np.abs(x.astype(np.float64))
        scale = terms.sum() if "prod" not in name else np.prod(1 + terms)
        error = bound(x.dtype, x.size, scale, expected) if name not in ("max", "min") else 0
    found = getattr(standard, name)(x, **options)
    assert isinstance(found, np.ndarray)
    agree(found, expected, error, dtype)


@settings(max_examples=25)
@pytest.mark.parametrize("name", [*REDUCTIONS, *INDICES])
@given(data=st.data())
def test_reductions(name, data):
    least = 0 if name in SUMS else 1
    shape = data.draw(st.lists(st.integers(least, 5), max_size=2).map(tuple))
    x = make(shape, data.draw(st.sampled_from(TAKES[name])), data.draw(st.integers(0, 99)))
    one = st.none() | st.integers(-x.ndim, x.ndim - 1) if x.ndim else st.none()
    axis = data.draw(one if name in INDICES else axes(x.ndim))
    ask(name, x, axis=axis, keepdims=data.draw(st.booleans()))


@settings(max_examples=50)
@pytest.mark.parametrize("name", SUMS)
@given(data=st.data())
def test_named_types(name, data):
    """Also types of 8 and 16 bits, in which Tally itself sums nothing; the total wraps in them."""
    x = make((2, 3), data.draw(st.sampled_from([*NARROW, "int32"])), data.draw(st.integers(0, 99)))
    named = data.draw(st.sampled_from([name for name in [*NARROW, "int64"] if np.can_cast(x.dtype, name)]))
    axis = data.draw(st.integers(-2, 1))
    found = getattr(standard, name)(x, axis=axis, dtype=np.dtype(named))
    assert found.dtype == named
    agree(found, np.asarray(getattr(strict, name)(strict.asarray(x), axis=axis, dtype=getattr(strict, named))._array))


@settings(max_examples=25)
@pytest.mark.parametrize("name", RUNNING)
@given(data=st.data())
def test_cumulative(name, data):
    shape = data.draw(st.lists(st.integers(0, 5), min_size=1, max_size=2).map(tuple))
    x = make(shape, data.draw(st.sampled_from(TAKES[name])), data.draw(st.integers(0, 99)))
    axis = data.draw(st.integers(-x.ndim, x.ndim - 1))
    ask(name, x, axis=None if x.ndim == 1 and axis else axis, include_initial=data.draw(st.booleans()))


@settings(max_examples=25)
@pytest.mark.parametrize("name", TRIANGLES)
@given(data=st.data())
def test_triangles(name, data):
    shape = data.draw(st.lists(st.integers(0, 5), min_size=2, max_size=3).map(tuple))
    x = make(shape, data.draw(st.sampled_from(TAKES[name])), data.draw(st.integers(0, 99)))
    ask(name, x, k=data.draw(st.integers(-7, 7)))


@settings(max_examples=25)
@given(st.integers(0, 5), st.none() | st.integers(0, 5), st.integers(-7, 7), st.sampled_from([None, "int8", "float32"]))
def test_eye(n, m, k, dtype):
    expected = strict.eye(n, m, k=k, dtype=None if dtype is None else getattr(strict, dtype))
    found = standard.eye(n, m, k=k, dtype=dtype)
    assert found.dtype.name == expected.dtype._np_dtype.name
    agree(found, np.asarray(expected._array))


def test_special_cases():
    """What the standard says of NaN and of no elements."""
    nan, none = np.array([1.0, np.nan, 3.0]), np.empty(0)
    for name in REDUCTIONS:
        assert np.isnan(getattr(standard, name)(nan))
    assert standard.sum(none) == 0
    assert standard.prod(none) == 1
    assert np.isnan(standard.mean(none))
    assert standard.argmax(np.array([2, 7, 7])) == 1


def test_all_functions_are_here():
    tested = {*TAKES, "eye"}
    assert tested == set(standard.FUNCTIONS)
    assert all(getattr(standard, name).__module__ == standard.__name__ for name in tested)
