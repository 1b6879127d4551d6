"""What the tests share: a queue. A machine without an OpenCL device fails them."""

import os

import pyopencl as cl
import pytest
from hypothesis import HealthCheck, settings

import tally_cl as tally

settings.register_profile(
    "tally",
    deadline=None,  # the first call of a shape may compile
    derandomize=True,
    database=None,
    max_examples=int(os.environ.get("TALLY_EXAMPLES", "40")),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.load_profile("tally")


@pytest.fixture(scope="session")
def queue() -> cl.CommandQueue:
    """Give an in-order queue on the default device."""
    return tally.default_queue()
