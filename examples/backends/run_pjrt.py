"""A PJRT plugin of JAX as a command, in a process of its own.

Install `shlo[xla]` and the plugin; the command for `--engine-command` is
`python examples/backends/run_pjrt.py PLATFORM`, where PLATFORM is what JAX calls the plugin's devices: `cpu`
for those that JAX brings. Without a process of its own, `--engine pjrt:PLATFORM` does the same.
"""

from __future__ import annotations

import json
import sys

import shlo


def serve(platform: str) -> None:
    """Answers each line of JSON on standard input with one on standard output."""
    for line in sys.stdin:
        job = json.loads(line)
        try:
            arguments = shlo.read_arguments(job["arguments"])
            module = shlo.load(job["program"])
            results = shlo.run(module, *arguments, entry=job["entry"], engine=f"pjrt:{platform}")
            shlo.write_results(job["results"], results if isinstance(results, tuple) else [results])
            answer = {}
        except Exception as error:  # whatever keeps a program from running is its refusal
            answer = {"error": str(error)}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    serve(*sys.argv[1:])
