"""The passes against the suite's own tests of them: each `RUN` line that names passes we have is carried out,
and what comes out is held to the expected texts in the file's comments.

Where a chunk expects an error, the pass must refuse it.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from shlo.ir.diagnostics import ShloError
from shlo.syntax import parse
from shlo.transforms.passes import PASSES, PassStep, read_pipeline
from shlo.verifier import verify
from tests.conformance.filecheck import checks_of, judge
from tests.conformance.programs import Result as ProgramResult
from tests.conformance.suite import split

FOLDER = "stablehlo/tests"
RUN = re.compile(r"^// RUN:(.*)$", re.MULTILINE)
NAMES = {each.name for each in PASSES}


class Result(ProgramResult):
    """What became of one function of a test of a pass; a table counts it under its file."""

    @property
    def folder(self) -> str:
        return Path(self.key.partition("#")[0]).name


class Run(NamedTuple):
    """A RUN line: the pipeline, the prefixes of its checks, and whether the file is split into chunks."""

    pipeline: str
    prefixes: tuple[str, ...]
    is_split: bool
    with_locations: bool


def runs_of(text: str) -> Iterator[Run]:
    """Yields the RUN lines of a text whose passes are all ours."""
    for line in RUN.findall(text.replace("\\\n", " ")):
        if "FileCheck" not in line or line.count("|") != 1 or line.strip().startswith("not "):
            continue
        left, right = (shlex.split(part, posix=True) for part in line.split("|"))
        steps = [step for word in left[1:] if (step := _pipeline_step(word)) is not None]
        given = [word.split("=", 1)[1].split(",") for word in right if "check-prefix" in word]
        names = [step.partition("{")[0] for step in steps]
        if steps and all(name in NAMES for name in names):
            words = {word.lstrip("-") for word in left}
            yield Run(
                ",".join(steps),
                tuple(given[0]) if given else ("CHECK",),
                "split-input-file" in words,
                "mlir-print-debuginfo" in words,
            )


def _pipeline_step(word: str) -> str | None:
    """Returns a word of the command that is a pass, as a step of a pipeline; None for other options and
    files.
    """
    name, equals, options = word.lstrip("-").partition("=")
    known = name in NAMES or re.match(r"stablehlo-|chlo-|shape-|cse|canonicalize|interpreter-|inline", name)
    if not word.startswith("-") or not known:
        return None
    return f"{name}{{{options}}}" if equals else name


def run_passes(suite: Path, only: str = "") -> list[Result]:
    """Returns what becomes of each function (each label of a file's checks) under the passes of its RUN
    lines.
    """
    found: list[Result] = []
    for path in sorted((suite / FOLDER).rglob("*.mlir")):
        relative = path.relative_to(suite).as_posix()
        if only not in relative:
            continue
        text = path.read_text("utf-8", "surrogateescape")
        for number, run in enumerate(runs_of(text)):
            found += _judged(relative, text, run, number)
    return found


def _judged(path: str, text: str, run: Run, number: int) -> Iterator[Result]:
    steps = read_pipeline(run.pipeline)
    for index, (first, part) in enumerate(split(text) if run.is_split else [(1, text)]):
        checks = checks_of(part, run.prefixes)
        key = f"passes {path}#{index}" + (f"/{number}" if number else "")
        expects_error = "expected-error" in part
        if not checks and not expects_error:
            continue
        output, error = _output(part, steps, run.with_locations, expects_error)
        if expects_error:
            verdict = "passed" if error else "failed"
            yield Result(f"{key}::error", verdict, "expected an error")
        elif error:
            for name in re.findall(r"LABEL:.*@([\w.$-]+)", part) or [""]:
                yield Result(f"{key}::{name}", "failed", f"line {first}: {error}")
        else:
            for outcome in judge(output, checks):
                verdict = "failed" if outcome.failure else "passed"
                reason = f"chunk from line {first}: {outcome.failure}"
                yield Result(f"{key}::{outcome.name}", verdict, reason)


def _output(text: str, steps: list[PassStep], locations: bool, must_fail: bool) -> tuple[str, str]:
    """Returns the text of the transformed program, or why there is none.

    A program that is valid stays valid.
    """
    module, diagnostics = parse(text)
    errors = [each.message for each in (*diagnostics, *verify(module)) if each.severity == "error"]
    if errors and must_fail:
        return "", errors[0]
    try:
        for step in steps:
            module = step(module)
    except ShloError as error:
        return "", str(error)
    except Exception as error:
        return "", f"raised {type(error).__name__}: {error}"
    output = module.to_text(locations=locations)
    broken = [each.message for each in verify(module) if each.severity == "error"]
    if broken and not errors:
        return "", f"is not valid any more: {broken[0]}"
    return output, ""
