"""Coverage of test programs: which operations tests executed, and how often."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from msgspec import Struct, field

from shlo.ir.operations import Module, Region
from shlo.ir.source import Source
from shlo.verifier.op_cursor import is_terminator

if TYPE_CHECKING:
    from shlo.interpreter.runtime.profile import OperationRun


CONTROL_FLOW: Final = frozenset({"stablehlo.while", "stablehlo.if", "stablehlo.case"})
"""Operations whose regions are executed operation by operation."""


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

    def record(self, run: OperationRun) -> None:
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
                if not count and operation.name in CONTROL_FLOW:
                    # one whose branch has no operation is not recorded: what is behind it, or before it, is
                    before = counts[index - 1] if index else around
                    count = int(any(counts[index + 1 :]) or (before > 0 and not self._places))
                if not is_terminator(operation):
                    yield CoveredOperation(line, column, count)
                is_inner = operation.name not in CONTROL_FLOW
                for inner in operation.regions:
                    yield from self._of_region(inner, span.start, source, count, is_inner)


def not_executed_text(operations: Iterable[CoveredOperation]) -> str:
    """Returns the lines of operations that were not executed: `3, 7..9`."""
    lines = sorted({operation.line for operation in operations if not operation.times})
    starts = [line for line in lines if line - 1 not in lines]
    ends = [line for line in lines if line + 1 not in lines]
    return ", ".join(str(one) if one == other else f"{one}..{other}" for one, other in zip(starts, ends))
