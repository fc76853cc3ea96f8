#!/usr/bin/env python3
"""What the library of `duet intercept` costs a program: its processor time with and without.

    scripts/layer-cost.py [PAIRS] [--launches=COUNT] [--library=FILE]

Builds crates/duet/tests/intercept/many.c, which launches a small kernel COUNT times (10,000
unless given) on the first OpenCL device, and runs it by turns without and with the library, so
that whatever else the machine does falls on both alike. Processor time, user and system, of the
whole program counts, its start included. Prints the median of each and of the ratio of pairs.
"""

import argparse
import os
import pathlib
import statistics
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent


def seconds(program, launches, environment):
    """Processor time of one run."""
    child = subprocess.Popen([program, str(launches)], env=environment, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        raise SystemExit(f"the program ended with {child.returncode}")
    return usage.ru_utime + usage.ru_stime


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("pairs", nargs="?", type=int, default=11)
    parser.add_argument("--launches", type=int, default=10_000)
    parser.add_argument("--library", default=str(ROOT / "target/release/deps/libduet_layer.so"))
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        program = f"{folder}/many"
        source = ROOT / "crates/duet/tests/intercept/many.c"
        subprocess.run(["cc", "-O2", "-w", "-o", program, source, "-lOpenCL"], check=True)
        plain = dict(os.environ, POCL_CACHE_DIR=f"{folder}/cache")
        # What is compiled once must not count.
        seconds(program, 10, plain)
        without, with_it = [], []
        for number in range(args.pairs):
            trace = f"{folder}/trace-{number}"
            os.mkdir(trace)
            layer = dict(plain, OPENCL_LAYERS=os.path.realpath(args.library), DUET_TRACE=trace)
            without.append(seconds(program, args.launches, plain))
            with_it.append(seconds(program, args.launches, layer))
            if not list(pathlib.Path(trace).glob("*/*.records")):
                raise SystemExit("nothing was recorded")
    ratios = [one / other for one, other in zip(with_it, without)]
    print(f"{args.launches} launches, {args.pairs} pairs of runs, seconds of the processor")
    print(f"without: median {statistics.median(without):.3f}, least {min(without):.3f}")
    print(f"with:    median {statistics.median(with_it):.3f}, least {min(with_it):.3f}")
    print(f"ratio of pairs: median {statistics.median(ratios):.3f}; of the least: {min(with_it) / min(without):.3f}")


if __name__ == "__main__":
    main()
