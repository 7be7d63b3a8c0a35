"""Random programs as files, with what is right, for `shlo conform --cases`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numpy as np

from shlo.engines.command.case_files import write_case, write_manifest
from shlo.fuzzing.programs import Generator
from shlo.fuzzing.session import FuzzOptions
from shlo.interpreter import run
from shlo.transforms import canonicalize_dynamism

_ALLOWED: Final = {"ulps": 0, "of": "element", "reason": "results of all operations are exact, however fused"}


def export_programs(
    options: FuzzOptions, folder: Path, progress: Callable[[int, int], None] | None = None
) -> int:
    """Writes programs whose results do not depend on how operations are fused, with random arguments and the
    results of the interpreter; returns how many. Raises InvalidProgram.

    Args:
        options: which programs, and how many.
        folder: for each a folder in it, and `manifest.json`.
        progress: is told how many are written, and of how many.
    """
    generator = Generator(options.seed, options.size, options.only)
    count = options.count or 0
    rows: list[dict[str, Any]] = []
    for number in range(options.first, options.first + count):
        case = generator.case(number, "fused")
        with np.errstate(all="ignore"):
            results = run(case.module, *case.inputs[0])
        name = f"program-{number}"
        module = canonicalize_dynamism(case.module)
        write_case(folder / name, module, case.inputs[0], [np.asarray(result) for result in results])
        rows.append({"name": name, "op": "program", "type": "mixed", "judge": "interpreter", **_ALLOWED})
        if progress is not None:
            progress(len(rows), count)
    write_manifest(folder, rows)
    return len(rows)
