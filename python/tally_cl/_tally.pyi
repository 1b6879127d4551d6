"""The compiled module: cffi's two names."""

from typing import Any

ffi: Any
lib: Any
