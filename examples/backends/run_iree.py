"""IREE as an engine of shlo.

Install `iree-base-compiler` and `iree-base-runtime`; the command for `--engine-command` is
`python examples/backends/run_iree.py`, which starts once and answers a line for each program, or
`python examples/backends/run_iree.py {program} {arguments} {results}`, which starts for each.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

import iree.compiler
import iree.runtime
import numpy as np

import shlo

CONFIG = iree.runtime.Config("local-sync")
FLAGS = ["--iree-llvmcpu-target-cpu=host", "--iree-input-demote-f64-to-f32=false"]


@lru_cache(maxsize=8)
def compiled(text: str) -> Callable[..., Any]:
    """Returns `main` of a program for the CPU; raises RuntimeError with the compiler's first error."""
    options: dict[str, Any] = {"input_type": "stablehlo", "target_backends": ["llvm-cpu"]}
    try:
        data = iree.compiler.compile_str(text, extra_args=FLAGS, **options)
    except iree.compiler.CompilerToolError as error:
        lines = [line for line in str(error).splitlines() if "error:" in line]
        raise RuntimeError(lines[0] if lines else str(error)) from None
    module = iree.runtime.VmModule.copy_buffer(CONFIG.vm_instance, data)
    return iree.runtime.load_vm_module(module, CONFIG).main


def run(program: str, arguments: str, results: str) -> None:
    """Compiles a program, runs its `main`, and writes what it returns."""
    returned = compiled(Path(program).read_text("utf-8"))(*shlo.read_arguments(arguments))
    several = returned if isinstance(returned, (list, tuple)) else [returned]
    shlo.write_results(results, [np.asarray(value) for value in several])


def serve() -> None:
    """Answers each line of JSON on standard input with one on standard output. Warnings of the compiler are
    not shown: they say nothing of the results.
    """
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())
    for line in sys.stdin:
        job = json.loads(line)
        try:
            run(job["program"], job["arguments"], job["results"])
            answer = {}
        except Exception as error:  # whatever keeps a program from running is its refusal
            answer = {"error": str(error).strip() or type(error).__name__}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    run(*sys.argv[1:]) if len(sys.argv) > 1 else serve()
