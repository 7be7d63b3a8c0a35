"""The smallest program that shows a difference, as a file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from shlex import quote
from typing import Any, Final

import numpy as np

from shlo.divergence.tolerances import Tolerances
from shlo.engines import Engine, EngineError
from shlo.fuzzing.comparing import Difference, difference_of_results, semantics_of
from shlo.fuzzing.forms import MAIN
from shlo.fuzzing.round_trips import round_trip_problem
from shlo.interpreter import RunOptions
from shlo.interpreter.execution import run
from shlo.ir.diagnostics import Diagnostic, ShloError
from shlo.ir.dtypes import saveable
from shlo.reduction.candidate import Candidate, adopted
from shlo.reduction.captured import arguments_of
from shlo.reduction.checks import DivergenceCheck, FaultCheck, ValidCheck
from shlo.reduction.search import start
from shlo.runner.errors import RequestError
from shlo.runner.files import replace_file

REDUCED_FOR_S: Final = 20.0
"""Seconds that the reduction of a difference may take."""


class _ResultsCheck(ValidCheck):
    """A program gives something else on an engine than with the interpreter, which both run; or, without an
    engine, the interpreter fails in a way, or a round trip does.
    """

    def __init__(self, difference: Difference, engine: Engine) -> None:
        self._difference, self._engine = difference, engine
        self.needs_arguments = difference.what != "round trip"

    def tolerates(self, findings: Sequence[Diagnostic]) -> bool:
        """Returns whether there is no error and no warning."""
        return not any(finding.severity in ("error", "warning") for finding in findings)

    def shows(self, candidate: Candidate) -> bool:
        """Runs the candidate, or takes it round."""
        what = self._difference.what
        if what == "round trip":
            problem = round_trip_problem(candidate.module, self._difference.detail)
            return problem.partition(":")[0] == self._difference.text.partition(":")[0]
        try:
            with np.errstate(all="ignore"):
                expected = run(
                    candidate.module,
                    *arguments_of(candidate),
                    semantics=semantics_of(self._engine),
                    entry=candidate.entry,
                )
        except RequestError:
            return False
        except Exception as error:  # that it is the same one is what is asked
            return what == "interpreter" and type(error).__name__ == self._difference.text.partition(":")[0]
        if what == "interpreter":
            return False
        try:
            outputs = self._engine.execute(
                candidate.module, arguments_of(candidate), RunOptions(entry=candidate.entry)
            )
        except (EngineError, ShloError):
            return False
        return bool(difference_of_results([expected], [outputs], self._engine.name))


def reduced(
    difference: Difference, engine: Engine, tolerances: Tolerances, seconds: float = REDUCED_FOR_S
) -> Candidate:
    """Returns the smallest program found that shows a difference; the program itself where it does not show
    it any more by itself, and where it is for a grid.
    """
    values = list(difference.inputs[0]) if difference.inputs else []
    if difference.what == "grid":
        return adopted(difference.module, MAIN, values)
    check: FaultCheck = _ResultsCheck(difference, engine)
    if difference.what == "operation":
        check = DivergenceCheck(engine, RunOptions(semantics=semantics_of(engine)), tolerances)
    try:
        search = start(difference.module, MAIN, values, check, seconds=seconds)
    except RequestError:
        return adopted(difference.module, MAIN, values)
    return search.run()


def write_difference(
    folder: Path, name: str, origin: str, difference: Difference, candidate: Candidate, engine: Engine
) -> Path:
    """Writes a program that shows a difference into a folder, and its arguments beside it.

    Args:
        folder: where they are written; made where it is not there.
        name: how names of files begin.
        origin: the command line that compares the program that was generated.
        difference: what the program shows.
        candidate: the program, reduced or not.
        engine: on which it shows that.

    Returns:
        The path of the program, whose first lines say where it comes from, what it shows, and how to see it.
    """
    folder.mkdir(parents=True, exist_ok=True)
    shown = re.sub(r"[^A-Za-z0-9]+", "_", difference.key.partition(":")[0].partition(" of ")[0]).strip("_")
    path = folder / f"{name}_{shown}.mlir"
    arguments = path.with_suffix(".npz")
    number = 1
    while path.exists() or arguments.exists():
        number += 1
        path = folder / f"{name}_{shown}_{number}.mlir"
        arguments = path.with_suffix(".npz")
    lines = [
        f"// from: {origin}",
        f"// {difference.key}",
        f"// {difference.text}",
        f"// {_command(difference, path, arguments, engine)}",
    ]
    text = "\n".join(line.replace("\n", " ") for line in lines)
    program = f"{text}\n{candidate.text}".encode("utf-8", "surrogateescape")
    replace_file(str(path), lambda file: file.write(program))
    if difference.what != "round trip":
        values: list[list[Any]] = (
            [list(value) for value in difference.inputs]
            if difference.what == "grid"
            else [list(map(np.asarray, arguments_of(candidate)))]
        )
        for process, arrays in enumerate(values):
            target = arguments if len(values) == 1 else path.with_suffix(f".{process}.npz")
            replace_file(str(target), lambda file, arrays=arrays: np.savez(file, *map(saveable, arrays)))  # pyright: ignore[reportArgumentType]
    return path


def _command(difference: Difference, path: Path, arguments: Path, engine: Engine) -> str:
    """Returns a command line that shows the difference."""
    semantics = f"--semantics {semantics_of(engine)}"
    match difference.what:
        case "round trip":
            return f"shlo fmt {path.name}"
        case "interpreter":
            return f"shlo run {path.name} {arguments.name} {semantics}"
        case "grid":
            grid = f"--grid {difference.grid[0]}x{difference.grid[1]}"
            return f"shlo run {path.name} {path.stem}.{{process}}.npz {grid} --engine {quote(engine.name)}"
        case _:
            return f"shlo diff {path.name} {arguments.name} {semantics} --engine {quote(engine.name)}"
