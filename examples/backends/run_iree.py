"""IREE as an engine of shlo.

Install `iree-base-compiler` and `iree-base-runtime`; the command for `--engine-command` is
`python examples/backends/run_iree.py {program} {arguments} {results}`.
"""

from __future__ import annotations

import sys
from pathlib import Path

import iree.compiler
import iree.runtime
import numpy as np

import shlo


def main(program: str, arguments: str, results: str) -> None:
    """Compiles a program for the CPU, runs `main`, and writes what it returns."""
    try:
        flatbuffer = iree.compiler.compile_str(
            Path(program).read_text("utf-8"),
            input_type="stablehlo",
            target_backends=["llvm-cpu"],
            extra_args=["--iree-llvmcpu-target-cpu=host"],
        )
    except iree.compiler.CompilerToolError as error:
        lines = [line for line in str(error).splitlines() if "error:" in line]
        raise SystemExit(lines[0] if lines else str(error)) from None
    module = iree.runtime.load_vm_flatbuffer(flatbuffer, driver="local-task")
    returned = module.main(*shlo.read_arguments(arguments))
    several = returned if isinstance(returned, (list, tuple)) else [returned]
    shlo.write_results(results, [np.asarray(value) for value in several])


if __name__ == "__main__":
    main(*sys.argv[1:])
