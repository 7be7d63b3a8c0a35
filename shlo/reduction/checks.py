"""Checks of whether a candidate shows the fault: a command, findings, errors, engines that differ, NaN."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, Protocol

import numpy as np
from msgspec.structs import replace

from shlo.dialects.constants import constant_elements
from shlo.divergence.diff import diff_run
from shlo.divergence.findings import RunDifference
from shlo.divergence.tolerances import Tolerances
from shlo.engines import Engine, EngineError
from shlo.interpreter import RunOptions
from shlo.ir.diagnostics import Diagnostic, ExecutionError
from shlo.ir.dtypes import Array, saveable
from shlo.ir.operations import Operation
from shlo.reduction.candidate import Candidate
from shlo.reduction.captured import arguments_of
from shlo.runner.errors import RequestError
from shlo.runner.statistics import has_infinity, has_nan
from shlo.support.command_lines import words_of
from shlo.support.processes import end_group, start_group

PROGRAM: Final = "{}"
"""What a command has in the place of the candidate's path."""

ARGUMENTS: Final = "{args}"
"""What a command has in the place of the path of a .npz file with its arguments."""


class FaultCheck(Protocol):
    """Says whether candidates show a fault."""

    @property
    def needs_arguments(self) -> bool:
        """Whether candidates are run on arguments that the reduction chooses."""
        ...

    @property
    def trouble(self) -> str:
        """Why it could not be told whether the last candidate shows the fault; empty where it could."""
        ...

    def tolerates(self, findings: Sequence[Diagnostic]) -> bool:
        """Returns whether a candidate with these findings of the verifier can show the fault."""
        ...

    def shows(self, candidate: Candidate) -> bool:
        """Returns whether a candidate shows the fault; raises RequestError where that cannot be asked."""
        ...

    def suspect(self, candidate: Candidate) -> Operation | None:
        """Returns the operation that seems to be at fault, None where that is not known."""
        ...


class ValidCheck:
    """What most checks have in common: candidates are valid programs, which are run."""

    needs_arguments = True
    trouble = ""

    def tolerates(self, findings: Sequence[Diagnostic]) -> bool:
        """Returns whether there is no error."""
        return all(finding.severity != "error" for finding in findings)

    def suspect(self, candidate: Candidate) -> Operation | None:
        """Returns None."""
        return None


class CommandCheck(ValidCheck):
    """A command that ends with exit code 0 where a program shows the fault. It runs in the working folder,
    and is ended after some seconds, with what it started.

    Args:
        command: as a shell splits it into words; no shell runs. `{}` is the path of the candidate, which is
            added at the end where it is missing, `{args}` that of a .npz file with its arguments.
        seconds: how long it may take.
    """

    def __init__(self, command: str, seconds: float) -> None:
        try:
            words = words_of(command)
        except ValueError as error:
            raise RequestError(f"expected a command, got {command!r}: {error}") from None
        if not words:
            raise RequestError("expected a command, got an empty one")
        is_named = any(PROGRAM in word for word in words)
        self._words = words if is_named else [*words, PROGRAM]
        self._seconds = seconds
        self.needs_arguments = any(ARGUMENTS in word for word in words)

    def shows(self, candidate: Candidate) -> bool:
        """Writes the candidate into a temporary folder, and runs the command."""
        with tempfile.TemporaryDirectory(prefix="shlo-reduce-", ignore_cleanup_errors=True) as folder:
            program, arguments = Path(folder, "program.mlir"), Path(folder, "arguments.npz")
            program.write_bytes(candidate.text.encode("utf-8", "surrogateescape"))
            if self.needs_arguments:
                np.savez(arguments, *map(saveable, arguments_of(candidate)))  # pyright: ignore[reportArgumentType]
            new = {PROGRAM: str(program), ARGUMENTS: str(arguments)}
            words = [_filled(word, new) for word in self._words]
            try:
                process = start_group(
                    words,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                )
            except OSError as error:
                raise RequestError(f"cannot run {words[0]}: {error.strerror}") from None
            self.trouble = ""
            try:
                return process.wait(self._seconds) == 0
            except subprocess.TimeoutExpired:
                self.trouble = f"{words[0]} took longer than {self._seconds:g} s"
                return False
            finally:
                end_group(process)
                process.wait()


def _filled(word: str, new: dict[str, str]) -> str:
    for old, text in new.items():
        word = word.replace(old, text)
    return word


class FindingCheck(ValidCheck):
    """The verifier says a text. Other kinds of findings than the program had at first are not tolerated."""

    def __init__(self, text: str, findings: Sequence[Diagnostic]) -> None:
        self._text = text
        self._codes = {finding.code for finding in findings}
        self.needs_arguments = False

    def tolerates(self, findings: Sequence[Diagnostic]) -> bool:
        """Returns whether a finding says the text, and all are of kinds that the program had at first."""
        is_said = any(self._text == finding.code or self._text in finding.message for finding in findings)
        return is_said and {finding.code for finding in findings} <= self._codes

    def shows(self, candidate: Candidate) -> bool:
        """Returns True: what the findings do not say is not tolerated."""
        return True


class FailureCheck(ValidCheck):
    """An engine cannot compile the program, or run it to its end, and says a text."""

    def __init__(self, engine: Engine, text: str, options: RunOptions) -> None:
        self._engine, self._text, self._options = engine, text, options

    def shows(self, candidate: Candidate) -> bool:
        """Runs the candidate."""
        try:
            _run(self._engine, candidate, self._options)
        except (ExecutionError, EngineError) as error:
            return self._text in str(error)
        except RequestError:
            return False
        return False


class NonfiniteCheck(ValidCheck):
    """A result is NaN, and no argument or constant is; or, where the program gives no NaN, the same of
    infinities. Arguments are infinite only where those of the program are: what made an infinity is part of
    the cause of a NaN.
    """

    def __init__(self, engine: Engine, options: RunOptions) -> None:
        self._engine, self._options = engine, options
        self._holds: Callable[[Array], bool] | None = None
        self._takes_infinity: bool | None = None

    def shows(self, candidate: Candidate) -> bool:
        """Runs the candidate; the first time, for any of the two."""
        self.trouble = ""
        try:
            arguments = arguments_of(candidate)
            is_infinite = any(map(has_infinity, map(np.asarray, arguments)))
            if self._takes_infinity is None:
                self._takes_infinity = is_infinite
            if is_infinite and not self._takes_infinity:
                return False
            return self._makes_nonfinite(candidate, arguments)
        except (ExecutionError, EngineError, RequestError) as error:
            self.trouble = str(error)
            return False

    def _makes_nonfinite(self, candidate: Candidate, arguments: Sequence[Any]) -> bool:
        """Returns whether results hold what no argument or constant does; raises what a run raises."""
        constants = [constant_elements(operation) for operation, _ in candidate.module.walk()]
        inputs = [*arguments, *(elements.array for elements in constants if elements is not None)]
        results: list[Array] | None = None
        for holds in (has_nan, has_infinity) if self._holds is None else (self._holds,):
            if any(map(holds, map(np.asarray, inputs))):
                continue
            if results is None:
                results = [np.asarray(result) for result in _run(self._engine, candidate, self._options)]
            if any(map(holds, results)):
                self._holds = holds
                return True
        return False


class DivergenceCheck(ValidCheck):
    """An engine gives something else than the interpreter: for single operations where those of the program
    differ by themselves, else for the whole program; with `is_whole` for that in any case.
    """

    def __init__(
        self, engine: Engine, options: RunOptions, tolerances: Tolerances, *, is_whole: bool = False
    ) -> None:
        self._engine, self._options, self._tolerances = engine, options, tolerances
        self._names: set[str] | None = set() if is_whole else None

    def shows(self, candidate: Candidate) -> bool:
        """Runs the candidate on both engines."""
        differing = self._difference(candidate)
        if differing is None:
            return False
        if self._names is None:
            self._names = {op.name for op in differing}
            return bool(differing) or self.shows(candidate)
        if not self._names:
            return self._differs_as_a_whole(candidate)
        return any(op.name in self._names for op in differing)

    def suspect(self, candidate: Candidate) -> Operation | None:
        """Returns the first operation that differs by itself."""
        return next(iter(self._difference(candidate) or ()), None)

    def _difference(self, candidate: Candidate) -> list[Operation] | None:
        """Returns the operations that differ by themselves; None where the interpreter cannot run it."""
        if self._names is not None and not self._names:
            return []
        difference = self._diff(candidate, is_whole=False)
        if difference is None:
            return None
        return [finding.source for finding in difference.alone if finding.source is not None]

    def _differs_as_a_whole(self, candidate: Candidate) -> bool:
        difference = self._diff(candidate, is_whole=True)
        return difference is not None and bool(difference.results)

    def _diff(self, candidate: Candidate, *, is_whole: bool) -> RunDifference | None:
        """Returns where the engines differ; None where the interpreter cannot run the candidate."""
        options = replace(self._options, entry=candidate.entry)
        try:
            difference = diff_run(
                [candidate.module],
                [arguments_of(candidate)],
                options,
                self._engine,
                self._tolerances,
                compares_operations=not is_whole,
                compares_whole=is_whole,
            )
        except (ExecutionError, RequestError) as error:
            self.trouble = str(error)
            return None
        reasons = difference.not_compared.items()
        self.trouble = "; ".join(f"not compared: {name}: {reason}" for name, reason in reasons)
        return difference


def _run(engine: Engine, candidate: Candidate, options: RunOptions) -> tuple[Any, ...]:
    return engine.execute(candidate.module, arguments_of(candidate), replace(options, entry=candidate.entry))
