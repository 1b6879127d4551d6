"""declare.py COMPILER INCLUDE CALLS OUTPUT: the C source of the module tally_cl._tally.

What cffi has to know is what the compiler says of CALLS, a header that includes the public ones from INCLUDE: their
declarations as the preprocessor leaves them, and the names of the macros that are numbers. Nothing is said twice.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

import cffi

# cffi knows the types of these headers by itself.
STANDARD = ("stdbool.h", "stddef.h", "stdint.h")
NUMBER = re.compile(r"^#define (TALLY_\w+) (?:\d+u?|\(.*TALLY_VERSION_MAJOR.*\))$", re.MULTILINE)


def preprocess(compiler: str, include: str, calls: pathlib.Path, *options: str) -> str:
    """Run the preprocessor over the header, with empty standard headers and without attributes of compilers."""
    with tempfile.TemporaryDirectory() as empty:
        for name in STANDARD:
            pathlib.Path(empty, name).touch()
        command = [compiler, "-E", "-P", *options, "-U__GNUC__", "-nostdinc", "-isystem", empty, f"-I{include}"]
        return subprocess.run([*command, "-x", "c", str(calls)], check=True, capture_output=True, text=True).stdout


def main() -> None:
    """Write the module's source."""
    compiler, include, calls, output = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3]), sys.argv[4]
    ffi = cffi.FFI()
    ffi.cdef(preprocess(compiler, include, calls))
    names = NUMBER.findall(preprocess(compiler, include, calls, "-dM"))
    ffi.cdef("\n".join(f"#define {name} ..." for name in sorted(names)))
    ffi.set_source("tally_cl._tally", f'#include "{calls.name}"')
    ffi.emit_c_code(output)


main()
