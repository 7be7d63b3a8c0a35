"""A back end for tests of commands as engines: `backend.py MODE PROGRAM ARGUMENTS RESULTS`; MODE is a
fault, or `right`.

Without the paths it answers lines of JSON.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

import numpy as np

import shlo

CHATTER = {"talk": "note: compiled 1 kernel", "nest": "[" * 100_000}


def run(mode: str, program: str, arguments: str, results: str) -> None:
    text = Path(program).read_text("utf-8")
    if mode == "cosine":  # the planted bug
        text = text.replace("stablehlo.sine", "stablehlo.cosine")
    if mode == "refuse" or (mode == "refuse-f32" and "xf32" in text):
        raise SystemExit("error: sine is not supported")
    if mode == "crash":
        os.abort()
    if mode == "hang":
        time.sleep(600)
    values = list(shlo.run(shlo.parse(text), *shlo.read_arguments(arguments)))
    if mode == "count":
        values *= 2
    if mode == "shape":
        values = [value.reshape(*value.shape, 1) for value in values]
    if mode == "type":
        values = [value.astype(np.float64) for value in values]
    if mode != "nothing":
        shlo.write_results(results, values)


def serve(mode: str) -> None:
    for line in sys.stdin:
        job = json.loads(line)
        try:
            run(mode, job["program"], job["arguments"], job["results"])
            answer = {}
        except SystemExit as error:
            answer = {"error": str(error)}
        if mode in CHATTER:
            print(CHATTER[mode], flush=True)
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    run(*sys.argv[1:5]) if len(sys.argv) > 2 else serve(sys.argv[1])
