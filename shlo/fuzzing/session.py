"""A run of the fuzzer: program after program, differences reduced and written, a report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from time import monotonic
from typing import Any, Final

from msgspec import Struct, field

from shlo.divergence.tolerances import Tolerances
from shlo.engines import Engine
from shlo.fuzzing.comparing import Comparison, Difference, round_trip_differences
from shlo.fuzzing.programs import Case, Generator, How
from shlo.fuzzing.reducing import reduced, write_difference
from shlo.support.command_lines import command_line
from shlo.support.conclusion import Conclusion

BATCH: Final = 32
"""Programs that are compiled as one."""

_TURNS: Final[tuple[How, ...]] = (
    *("apart", "apart", "apart", "fused", "apart", "fused", "apart", "fused"),
    *("apart", "apart", "fused", "apart", "fused", "apart", "fused", "grid"),
)
"""How programs are compared, in turn."""

DEVICES: Final = 4
"""Devices that the largest grid needs."""


class FuzzOptions(Struct, frozen=True):
    """What a run does.

    Args:
        seed: of which programs.
        count: how many programs; None for any number.
        seconds: how long, None for any time.
        size: about how many operations a program has.
        only: patterns of operations, of which each program has some; none for all.
        folder: where programs that show differences are written.
        first: the number of the first program.
        reduces: whether these are reduced.
    """

    seed: int = 0
    count: int | None = 1000
    seconds: float | None = None
    size: int = 8
    only: Sequence[str] = ()
    folder: Path | None = None
    first: int = 0
    reduces: bool = True


class Written(Struct):
    """A difference, how often there was one like it, and the program that shows it.

    Args:
        difference: the first one.
        count: how many there were.
        path: the file of the reduced program, None where none is written.
        operations: how many operations that has.
    """

    difference: Difference
    count: int = 1
    path: Path | None = None
    operations: int = 0


class FuzzReport(Struct):
    """What came of a run.

    Args:
        programs: how many were compared; those that the engine refused are none of them.
        operations: how many of their operations.
        seconds: how long that took, the reduction of differences among it.
        counts: how often each operation was compared.
        differences: by their keys.
        known: differences that are known, by name.
        refused: programs that the engine did not run, by its message.
        is_interrupted: whether it was ended early.
    """

    programs: int = 0
    seconds: float = 0.0
    counts: Counter[str] = field(default_factory=Counter[str])
    differences: dict[str, Written] = field(default_factory=dict[str, Written])
    known: Counter[str] = field(default_factory=Counter[str])
    refused: Counter[str] = field(default_factory=Counter[str])
    is_interrupted: bool = False

    @property
    def operations(self) -> int:
        """How many operations were compared."""
        return self.counts.total()

    @property
    def conclusion(self) -> Conclusion:
        """What the run says of the engine."""
        left_out = self.refused.total() + self.is_interrupted
        return Conclusion(bool(self.differences), self.programs, left_out)


def fuzz(
    options: FuzzOptions,
    engine: Engine,
    report: FuzzReport,
    on_difference: Callable[[Written], None] = lambda written: None,
    progress: Callable[[int, int], None] | None = None,
) -> None:
    """Compares random programs on the interpreter and on an engine, until there are enough, or time is up.

    Args:
        options: which programs, how many, how long.
        engine: what is compared with the interpreter.
        report: what came of it, filled while the run goes on, so that it holds after an interrupt, too.
        on_difference: is told of each difference that is not like another one.
        progress: is told how many programs are done, and of how many, 0 where that is not known.

    Raises:
        InvalidProgram: the generator has written a program that is not valid.
        ValueError: a pattern names no operation.
    """
    generator = Generator(options.seed, options.size, options.only)
    comparison = Comparison(engine, Tolerances())
    start = monotonic()
    for cases, differences in _batches(generator, options):
        outcome = comparison.compare(cases)
        report.programs += outcome.programs
        report.counts += outcome.counts
        report.known += outcome.known
        report.refused += outcome.refused
        for difference in (*differences, *outcome.differences):
            _add(difference, engine, options, report, on_difference)
        report.seconds = monotonic() - start
        if progress is not None:
            progress(report.programs + report.refused.total(), options.count or 0)
        if options.seconds is not None and report.seconds >= options.seconds:
            break


def _batches(generator: Generator, options: FuzzOptions) -> Iterator[tuple[list[Case], list[Difference]]]:
    """Yields programs to compile as one, with what their round trips show. The next ones are written in a
    thread meanwhile: the engine works in another process.
    """

    def generated(number: int) -> tuple[Case, list[Difference]]:
        case = generator.case(number, _how(number))
        return case, round_trip_differences(case)

    number, last = options.first, None if options.count is None else options.first + options.count
    pool = ThreadPoolExecutor(1)

    def submitted() -> list[Future[tuple[Case, list[Difference]]]]:
        nonlocal number
        end = number + BATCH if last is None else min(number + BATCH, last)
        numbers, number = range(number, end), end
        return [pool.submit(generated, number) for number in numbers]

    try:
        ahead = submitted()
        while ahead:
            batch = [future.result() for future in ahead]
            ahead = submitted()
            yield (
                [case for case, _ in batch],
                [difference for _, differences in batch for difference in differences],
            )
    finally:
        pool.shutdown(cancel_futures=True)


def _how(number: int) -> How:
    return _TURNS[number % len(_TURNS)]


def _add(
    difference: Difference,
    engine: Engine,
    options: FuzzOptions,
    report: FuzzReport,
    on_difference: Callable[[Written], None],
) -> None:
    """Adds a difference to the report, and writes it where there was none like it."""
    earlier = report.differences.get(difference.key)
    if earlier is not None:
        earlier.count += 1
        return
    written = report.differences[difference.key] = Written(difference)
    if options.folder is not None:
        seconds = None if options.reduces else 0.0
        _write(written, engine, options, seconds)
    on_difference(written)


def _write(written: Written, engine: Engine, options: FuzzOptions, seconds: float | None) -> None:
    assert options.folder is not None
    limits: dict[str, Any] = {} if seconds is None else {"seconds": seconds}
    candidate = reduced(written.difference, engine, Tolerances(), **limits)
    written.operations = candidate.operation_count
    number = written.difference.number
    written.path = write_difference(
        options.folder,
        f"seed{options.seed}_program{number}",
        _command(options, number, engine),
        written.difference,
        candidate,
        engine,
    )


def _command(options: FuzzOptions, number: int, engine: Engine) -> str:
    """Returns the command line that compares one of the programs of a run."""
    patterns = [word for pattern in options.only for word in ("--ops", pattern)]
    chosen = ("--seed", options.seed, "--size", options.size, *patterns, "--engine", engine.name)
    return command_line(["shlo", "fuzz", *map(str, chosen), "--first", str(number), "--count", "1"])


def data_of(report: FuzzReport) -> dict[str, Any]:
    """Returns what `shlo fuzz --format json` prints."""
    return {
        "programs": report.programs,
        "operations": report.operations,
        "seconds": round(report.seconds, 3),
        "interrupted": report.is_interrupted,
        "differences": [
            {
                "what": difference.difference.what,
                "key": key,
                "count": difference.count,
                "program": difference.difference.number,
                "text": difference.difference.text,
                "path": None if difference.path is None else str(difference.path),
                "operations": difference.operations,
            }
            for key, difference in report.differences.items()
        ],
        "known": dict(report.known),
        "refused": dict(report.refused),
        "compared": report.conclusion.compared,
        "counts": dict(sorted(report.counts.items())),
    }
