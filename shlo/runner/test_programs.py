"""Test programs: functions without arguments that check their own results (`check.expect_eq`, ...).

Every public function without arguments is a test. The programs of a file that `// -----` lines separate
are separate modules.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final, Literal, NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from shlo.dialects import runs_regions
from shlo.ir.attributes import StringAttr
from shlo.ir.diagnostics import ExecutionError, ParseError
from shlo.ir.operations import Function, Module, Operation, Region
from shlo.ir.source import Source
from shlo.runner.errors import RequestError
from shlo.runner.files import read_program, split_program
from shlo.support.isolation import safe_path_inherited
from shlo.support.junit import JunitCase, write_junit_suite
from shlo.text.numbers import plural
from shlo.verifier.op_cursor import is_terminator

if TYPE_CHECKING:
    from concurrent.futures import Future

    from shlo.interpreter import RunOptions
    from shlo.interpreter.runtime.profile import ProfiledRun


class CoveredOperation(NamedTuple):
    """Where an operation begins (line and column from 1, in code points), and how often it was executed."""

    line: int
    column: int
    times: int


class Coverage(Struct):
    """Counts the operations of a file's programs; the interpreter calls `record`."""

    _programs: list[tuple[Module, Source]] = field(default_factory=list["tuple[Module, Source]"])
    _counts: Counter[int] = field(default_factory=Counter[int])
    """By identity of an operation; the programs keep them alive."""
    _places: set[str] = field(default_factory=set[str])

    def add(self, module: Module, source: Source) -> None:
        """Counts the operations of a program, too."""
        self._programs.append((module, source))

    def record(self, run: ProfiledRun) -> None:
        """Counts an operation that a kernel carried out, and what it is in."""
        if run.is_wait:
            return
        *around, operation = run.path
        self._counts[id(operation)] += 1
        for outer in around:
            self._counts[id(outer)] |= 1

    def note_failure(self, location: str | None) -> None:
        """Counts the operation at a place, `file:line:column`, which failed and was not recorded."""
        if location is not None:
            self._places.add(":".join(location.rsplit(":", 2)[1:]))

    def operations(self) -> list[CoveredOperation]:
        """Returns the operations of functions, in the order of the text, without terminators. What is in a
        region that a kernel executes as a whole counts as often as the kernel's operation.
        """
        return [covered for module, source in self._programs for covered in self._of_program(module, source)]

    def _of_program(self, module: Module, source: Source) -> Iterator[CoveredOperation]:
        for function in module.functions.values():
            if function.body is not None:
                yield from self._of_region(function.body, function.span.start, source, 0, False)

    def _of_region(
        self, region: Region, base: int, source: Source, around: int, is_whole: bool
    ) -> Iterator[CoveredOperation]:
        """Yields the operations of a region; those of one that is executed as a `whole` count as often as the
        operation `around` it.
        """
        for block in region.blocks:
            spans = [block.span(index, base) for index in range(len(block.operations))]
            places = [source.position(span.start) for span in spans]
            counts = [
                around if is_whole else self._counts[id(operation)] or int(f"{line}:{column}" in self._places)
                for operation, (line, column) in zip(block.operations, places)
            ]
            for index, (operation, span, (line, column)) in enumerate(zip(block.operations, spans, places)):
                count = counts[index]
                if not count and runs_regions(operation.name):
                    # one whose branch has no operation is not recorded: what is behind it, or before it, is
                    before = counts[index - 1] if index else around
                    count = int(any(counts[index + 1 :]) or (before > 0 and not self._places))
                if not is_terminator(operation):
                    yield CoveredOperation(line, column, count)
                is_inner = not runs_regions(operation.name)
                for inner in operation.regions:
                    yield from self._of_region(inner, span.start, source, count, is_inner)


def not_executed_text(operations: Iterable[CoveredOperation]) -> str:
    """Returns the lines of operations that were not executed: `3, 7..9`."""
    lines = sorted({operation.line for operation in operations if not operation.times})
    starts = [line for line in lines if line - 1 not in lines]
    ends = [line for line in lines if line + 1 not in lines]
    return ", ".join(str(one) if one == other else f"{one}..{other}" for one, other in zip(starts, ends))


Verdict = Literal["passed", "failed", "error"]
Execute = Callable[[Module, tuple[()], "RunOptions"], object]
"""Runs a function of a module without arguments; raises ExecutionError, because of a CheckFailure for a test
that fails.
"""
SUFFIX = ".mlir"


class TestOutcome(Struct, frozen=True):
    """What became of a test: it passed, a check failed, or it could not be run to its end.

    `name` is `file::function`, with the number of the program in a file of several (`file#2::function`).
    """

    name: str
    verdict: Verdict
    seconds: float
    message: str = ""
    place: str | None = None


class Test(Struct, frozen=True):
    """A test of a file, under the name that its outcome has: `line` and `column` are those of its function;
    `checks` says whether it holds a check itself."""

    name: str
    file: str
    function: str
    line: int
    column: int
    checks: bool


def find_programs(paths: Sequence[str]) -> list[str]:
    """Returns the files to test: those named, and all `.mlir` files in the folders named.

    Raises RequestError.
    """
    programs: list[str] = []
    for path in paths:
        if os.path.isdir(path):
            programs += sorted(str(file) for file in Path(path).rglob(f"*{SUFFIX}") if file.is_file())
        elif os.path.exists(path) or path == "-":
            programs.append(path)
        else:
            raise RequestError(f"there is no file or folder {path}")
    return programs


def run_tests(
    files: Sequence[str], test: Callable[[str], list[TestOutcome]], workers: int = 1
) -> Generator[tuple[str, list[TestOutcome]], None, None]:
    """Runs the tests of each file by `test`, such as `run_file`, in the order of the files.

    With several workers, files are run in child processes. Closing the iterator stops what has not begun.
    """
    if workers <= 1 or len(files) <= 1:
        yield from ((file, test(file)) for file in files)
    else:
        yield from _in_processes(test, files, min(workers, len(files)))


def _in_processes(
    test: Callable[[str], list[TestOutcome]], files: Sequence[str], workers: int
) -> Generator[tuple[str, list[TestOutcome]], None, None]:
    import multiprocessing  # where there are no processes (in a browser), it cannot be imported
    from concurrent.futures import ProcessPoolExecutor

    context, others = multiprocessing.get_context("spawn"), set(multiprocessing.active_children())
    with safe_path_inherited():
        pool = ProcessPoolExecutor(workers, mp_context=context)
        pending: list[Future[list[TestOutcome]]] = [pool.submit(test, file) for file in files]
    with pool:
        try:
            yield from ((file, future.result()) for file, future in zip(files, pending))
        except KeyboardInterrupt:
            for child in set(multiprocessing.active_children()) - others:  # whose tests may never end
                child.terminate()
            raise
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def list_tests(path: str, keyword: str = "") -> list[Test]:
    """Returns the tests of a file, without running them, as far as it can be read; raises RequestError."""
    from shlo.syntax import parse

    tests: list[Test] = []
    for name, part in _named_programs(path):
        module, _ = parse(part)
        for function in filter(is_test, module.functions.values()):
            line, column = part.position(function.span.start)
            test = Test(f"{name}::{function.name}", path, function.name, line, column, has_checks(function))
            if keyword.lower() in test.name.lower():
                tests.append(test)
    return tests


def none_text(paths: Sequence[str], keyword: str) -> str:
    """Returns why no test of some files was run: there are none, or the filter matches none of them."""
    files = plural(len(paths), "file")
    if not keyword:
        return f"there are no tests in {files}: no public function without arguments was found"
    total = 0
    for path in paths:
        with suppress(RequestError):
            total += len(list_tests(path))
    return f"the filter -k {keyword} matches none of {plural(total, 'test')} in {files}"


def is_test(function: Function) -> bool:
    """Returns whether a function is a test: it has a body and no arguments, and can be seen from outside."""
    return function.body is not None and not function.type.inputs and function.is_public


def has_checks(function: Function) -> bool:
    """Returns whether one of the operations of a function's body is a check."""
    return function.body is not None and any(
        map(is_check, (operation for block in function.body.blocks for operation in block.operations))
    )


def is_check(operation: Operation) -> bool:
    """Returns whether an operation is a check."""
    if operation.name.startswith("check."):
        return True
    target = operation.attribute("call_target_name") if operation.name == "stablehlo.custom_call" else None
    return isinstance(target, StringAttr) and target.value.startswith("check.")


def _named_programs(path: str) -> list[tuple[str, Source]]:
    """Returns the programs of a file, each under the name that its tests begin with."""
    parts = split_program(read_program(path))
    names = [f"{path}#{number}" for number in range(len(parts))] if len(parts) > 1 else [path]
    return list(zip(names, parts))


def run_file(
    path: str,
    keyword: str = "",
    options: RunOptions | None = None,
    coverage: Coverage | None = None,
    execute: Execute | None = None,
) -> list[TestOutcome]:
    """Runs the tests of one file, by `execute` in place of the interpreter; one that cannot be read is an
    error. `coverage` counts its operations.
    """
    from shlo.interpreter import RunOptions
    from shlo.runner.validity import valid_program

    try:
        programs = _named_programs(path)
    except RequestError as error:
        return [TestOutcome(path, "error", 0.0, str(error))]
    outcomes: list[TestOutcome] = []
    for name, source in programs:
        started = time.perf_counter()
        try:
            module = valid_program(source)
        except ParseError as failure:
            first = next(finding for finding in failure.diagnostics if finding.severity == "error")
            location, seconds = source.place(first.span.start), time.perf_counter() - started
            outcomes.append(TestOutcome(name, "error", seconds, first.message, location))
            continue
        if coverage is not None:
            coverage.add(module, source)
            options = replace(options or RunOptions(), profile=coverage)
        for outcome in run_module(name, module, keyword, options, execute):
            outcomes.append(outcome)
            if coverage is not None:
                coverage.note_failure(outcome.place)
    return outcomes


def run_module(
    name: str,
    module: Module,
    keyword: str = "",
    options: RunOptions | None = None,
    execute: Execute | None = None,
) -> Iterator[TestOutcome]:
    """Runs the tests of a program, which outcomes call `name`, by `execute` in place of the interpreter."""
    for function in module.functions.values():
        full = f"{name}::{function.name}"
        if is_test(function) and keyword.lower() in full.lower():
            yield _run_function(full, module, function.name, options, execute)


def _run_function(
    name: str, module: Module, entry: str, options: RunOptions | None, execute: Execute | None
) -> TestOutcome:
    from shlo import interpreter
    from shlo.interpreter.agreement import CheckFailure

    started = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="shlo-probes-") as folder:
        try:
            chosen = replace(options or interpreter.RunOptions(), entry=entry, probe_folder=folder)
            (execute or interpreter.execute)(module, (), chosen)
        except ExecutionError as error:
            verdict: Verdict = "failed" if isinstance(error.__cause__, CheckFailure) else "error"
            return TestOutcome(name, verdict, time.perf_counter() - started, error.message, error.place)
    return TestOutcome(name, "passed", time.perf_counter() - started)


def write_junit(file: BinaryIO, outcomes: Sequence[TestOutcome]) -> None:
    """Writes a test suite of all outcomes."""
    write_junit_suite(file, "shlo", list(map(_junit_case, outcomes)))


def _junit_case(outcome: TestOutcome) -> JunitCase:
    path, _, function = outcome.name.rpartition("::")
    kind = _KINDS[outcome.verdict]
    return JunitCase(path, function, kind, outcome.message, outcome.place or "", outcome.seconds)


_KINDS: Final[dict[Verdict, Literal["", "failure", "error"]]] = {
    "passed": "",
    "failed": "failure",
    "error": "error",
}
