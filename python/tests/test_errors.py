"""What is refused, by which exception, with which sentence."""

import re
import subprocess
import sys

import numpy as np
import pyopencl as cl
import pytest

import tally_cl as tally

X = np.ones((3, 4), np.float32)


@pytest.mark.parametrize(
    ("call", "kind", "sentence"),
    [
        (lambda: tally.sum(np.ones(3, np.int8)), TypeError, "sum does not take input of type i8"),
        (lambda: tally.sum(np.ones(3, bool)), TypeError, "(the array is of bool)"),
        (lambda: tally.mean(np.ones(3, np.int64)), TypeError, "average does not take input of type i64"),
        (lambda: tally.sum(np.ones(3, ">f4")), TypeError, "the array's byte order is not this machine's"),
        (lambda: tally.sum(np.ones(3, complex)), TypeError, "the array is of complex128, which is none of float16"),
        (lambda: tally.sum(np.array(["a"])), TypeError, "the array is of <U1"),
        (lambda: tally.sum(np.array([None])), TypeError, "the array is of object"),
        (lambda: tally.sum(np.ma.masked_array(X)), TypeError, "the array is masked"),
        (lambda: tally.sum(X, axis=[0]), TypeError, "axis is a list"),
        (lambda: tally.sum(X, axis=2), IndexError, "axis 2 is out of bounds for array of dimension 2"),
        (lambda: tally.sum(X, axis=(0, -2)), ValueError, "repeated axis"),
        (lambda: tally.cumsum(X, axis=-3), ValueError, "axis -3 is out of bounds"),
        (lambda: tally.sum(np.ones((1,) * 9)), ValueError, "the array has 9 axes, more than 8"),
        (lambda: tally.argmax(np.ones((3, 0)), axis=1), ValueError, "has no element to name"),
        (lambda: tally.argmax(X, dtype=np.int8), TypeError, "i8"),
        (lambda: tally.argmax(X, tie="middle"), ValueError, "tie is 'middle', but can be 'first' or 'last'"),
        (lambda: tally.max(X, nan="skip"), ValueError, "nan is 'skip', but can be 'propagate' or 'ignore'"),
        (
            lambda: tally.sum(X, out=np.empty(3, np.float32)),
            ValueError,
            "out has the shape (3,), but the result has ()",
        ),
        (lambda: tally.sum(X, 1, out=np.empty(3)), TypeError, "out is of float64, but the result is of float32"),
        (lambda: tally.tril(np.ones(3)), ValueError, "rank"),
        (lambda: tally.eye(-1), ValueError, "has a negative size"),
        (lambda: tally.cumulative_sum(X), ValueError, "the array has 2 axes: axis may be None only if it has one"),
        (lambda: tally.configure(cache_dir="a\0b"), NotImplementedError, "has a character of value 0"),
    ],
)
def test_sentences(call, kind, sentence):
    with pytest.raises(kind, match=re.escape(sentence)) as raised:
        call()
    assert isinstance(raised.value, (tally.TallyError, np.exceptions.AxisError, ValueError))
    assert "\n" not in str(raised.value)


def test_out_that_cannot_be_written():
    out = np.zeros(3, np.float32)
    out.flags.writeable = False
    with pytest.raises(tally.InvalidError, match="out cannot be written to"):
        tally.sum(X, 1, out=out)


def test_status_and_code(queue):
    other = cl.CommandQueue(cl.Context([queue.device]))
    x = cl.array.to_device(other, X)
    with pytest.raises(tally.InvalidError) as raised:
        tally.sum(x, queue=queue)
    assert (raised.value.status, raised.value.cl_code) == ("invalid", 0)


def test_strides_that_do_not_nest(queue):
    memory = cl.array.zeros(queue, 100, np.float32)
    out = cl.array.Array(queue, (3, 4), np.float32, data=memory.base_data, strides=(12, 8))
    with pytest.raises(NotImplementedError, match="stride") as raised:
        tally.cumsum(cl.array.to_device(queue, X), 1, out=out)
    assert raised.value.status == "unsupported"


def test_a_failure_leaves_the_next_call_alone():
    for _ in range(3):
        with pytest.raises(ValueError, match="no element"):
            tally.argmax(np.empty(0))
        assert tally.sum(X) == 12


def test_no_device(tmp_path):
    """Without drivers the sentence says so."""
    code = "import tally_cl, numpy\ntry: tally_cl.sum(numpy.ones(3))\nexcept tally_cl.TallyError as error: print(error)"
    found = subprocess.run(
        [sys.executable, "-c", code],
        env={"OCL_ICD_VENDORS": str(tmp_path), "OPENCL_VENDOR_PATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert found.stdout.startswith("no OpenCL device was found, of which PyOpenCL says: ")
