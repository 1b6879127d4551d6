#!/usr/bin/env python3
"""CUB's DeviceReduce, DeviceSegmentedReduce and DeviceScan, on the workloads of `tally bench` that
they have: of reductions one row, or contiguous rows of one length; of scans one row. CUB has no
fills. Builds cub_peer.cu with nvcc first.

    cub_peer.py TALLY.json OUT.json [--only TEXT] [--samples N]

CUB's sum stands for the average, and its sum of squares for l2: the division and the root at the
end of each output are left out.
"""

import os
import re
import subprocess
import sys
import tempfile

import peers

NOTES = {"average": "without the division", "l2": "without the root"}
BUILD = ["nvcc", "-std=c++17", "-O3", "-arch=native"]


def refuse_reduce(workload):
    rank = len(workload.size)
    if workload.function == "log_sum_exp":
        return "CUB has no log_sum_exp"
    innermost = tuple(range(rank - len(workload.axes), rank))
    if workload.stride is not None or workload.axes != innermost:
        return "CUB reduces contiguous rows only"
    return None


def refuse_scan(workload):
    if workload.stride is not None or len(workload.size) > 1:
        return "CUB's DeviceScan takes one contiguous row"
    return "CUB's DeviceScan goes forwards" if workload.reverse else None


# Why CUB does not have a workload, or None.
REFUSALS = {"reduce": refuse_reduce, "scan": refuse_scan,
            "diagonal": lambda workload: "CUB has no fills of matrices"}


def operation(workload):
    """What the program knows it as."""
    if workload.operator == "reduce":
        return workload.function
    way = "_exclusive" * workload.exclusive + "_in_place" * workload.in_place
    return f"scan_{workload.function}{way}"


def build(folder):
    program = os.path.join(folder, "cub_peer")
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "cub_peer.cu")
    subprocess.run([*BUILD, source, "-o", program], check=True)
    return program


def version():
    """CUB's is CUDA's, of which it is a part."""
    told = subprocess.run(["nvcc", "--version"], check=True, capture_output=True, text=True).stdout
    release = re.search(r"release [^,]*, V[0-9.]*", told)
    return "of CUDA " + (release.group() if release else "of an unknown release")


class Program:
    """The program, asked for one workload at a time."""

    def __init__(self, path, samples):
        self.process = subprocess.Popen([path, str(samples)], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)
        self.device = self.process.stdout.readline().rstrip("\n")
        if not self.device:
            sys.exit("cub_peer did not start; what it said stands above")

    def measure(self, workload):
        why = REFUSALS[workload.operator](workload)
        if why is not None:
            return workload.refusal(why)
        fields = (workload.name, operation(workload), workload.dtype, workload.offset,
                  workload.elements() // workload.terms(), workload.terms())
        self.process.stdin.write("\t".join(map(str, fields)) + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline().rstrip("\n").split("\t")
        if answer[0] != workload.name or len(answer) < 3:
            raise RuntimeError(f"cub_peer ended, or answered {answer}")
        if answer[1] == "error":
            return workload.refusal(answer[2])
        copy = answer.index("copy")
        times = [float(field) for field in answer[2:copy]]
        copies = [float(field) for field in answer[copy + 1:]]
        return workload.result(times, None if workload.small else copies,
                               NOTES.get(operation(workload)))

    def close(self):
        self.process.stdin.close()
        self.process.stdout.close()
        if self.process.wait() != 0:
            sys.exit(f"cub_peer ended with {self.process.returncode}")


def main():
    arguments = peers.parse_arguments(__doc__)
    with tempfile.TemporaryDirectory() as folder:
        program = Program(build(folder), arguments.samples)
        head = {"peer": "CUB", "version": version(), "device": program.device}
        peers.run(arguments, head, program.measure)
        program.close()


if __name__ == "__main__":
    main()
