"""The compiled library, bound to the OpenCL loader of PyOpenCL, and its errors as exceptions."""

import ctypes
import os
import pathlib
from typing import Any, NoReturn

import pyopencl


def _share_loader() -> None:
    """Make the OpenCL loader that PyOpenCL uses visible to the library.

    PyOpenCL's wheels bring a loader of their own, with a list of drivers of its own. The process must not have two.
    """
    folder = pathlib.Path(pyopencl.__file__).parent
    bundled = sorted([*folder.glob(".libs/libOpenCL*"), *folder.parent.glob("pyopencl.libs/libOpenCL*")])
    for path in [*map(str, bundled), "libOpenCL.so.1"]:
        try:
            ctypes.CDLL(path, mode=os.RTLD_NOLOAD | os.RTLD_LAZY | os.RTLD_GLOBAL)
        except OSError:
            continue
        return
    raise ImportError("PyOpenCL has loaded no libOpenCL that Tally could share")


_share_loader()

from ._tally import ffi as ffi  # noqa: E402
from ._tally import lib as lib  # noqa: E402


class TallyError(Exception):
    """A call of the library failed; the text is its sentence.

    status: the name of the tally_status, such as "invalid". cl_code: OpenCL's code, 0 if no OpenCL call failed.
    """

    status = "unknown"
    cl_code = 0


class InvalidError(TallyError, ValueError):
    """The description, the arrays or an argument break a rule."""


class DTypeError(TallyError, TypeError):
    """The function does not take this type of elements."""


class UnsupportedError(TallyError, NotImplementedError):
    """Legal, but not with this device or this version of the library."""


class OutOfMemoryError(TallyError, MemoryError):
    """The host or the device has no memory left."""


class DeviceError(TallyError, RuntimeError):
    """A compiler or a call of OpenCL failed; cl_code has OpenCL's code."""


_KINDS: dict[int, type[TallyError]] = {
    lib.TALLY_INVALID: InvalidError,
    lib.TALLY_UNSUPPORTED: UnsupportedError,
    lib.TALLY_OUT_OF_MEMORY: OutOfMemoryError,
}


def text(of: Any) -> str:
    """Give a string of the library's."""
    return str(ffi.string(of).decode(errors="replace"))


def fail(kind: type[TallyError] | None = None) -> NoReturn:
    """Raise what the thread's error says."""
    error = lib.tally_py_error()
    found = (kind or _KINDS.get(error.status, DeviceError))(text(error.message))
    found.status = text(lib.tally_status_name(error.status))
    found.cl_code = error.cl_code
    raise found


def call(function: Any, *arguments: Any) -> None:
    """Make a call that takes an error last, and raise where it fails."""
    if function(*arguments, lib.tally_py_error()) != lib.TALLY_OK:
        fail()


def version() -> str:
    """Give the library's version."""
    number = lib.tally_version()
    return f"{number // 10000}.{number // 100 % 100}.{number % 100}"


def order_version() -> int:
    """Give the version of the orders in which terms are combined: with the same one results have the same bits."""
    return int(lib.tally_order_version())
