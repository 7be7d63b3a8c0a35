"""Costs of a program as immutable data: of each operation, in groups, and what could not be counted."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from msgspec import Struct

from shlo.ir.operations import Operation
from shlo.ir.source import Source, Span
from shlo.places.origins import Origin

Rules = Literal["shlo", "xla"]
"""How to count: a loop as often as it runs ("shlo"), or as XLA's cost analysis of a program that was not
optimised does ("xla"): a loop once, and -1 for a custom call."""


class Work(Struct, frozen=True):
    """Arithmetic operations, evaluations of functions such as exp, bytes read and written."""

    flops: int = 0
    transcendentals: int = 0
    read_bytes: int = 0
    written_bytes: int = 0

    def __add__(self, other: Work) -> Work:
        return Work(
            self.flops + other.flops,
            self.transcendentals + other.transcendentals,
            self.read_bytes + other.read_bytes,
            self.written_bytes + other.written_bytes,
        )

    def __mul__(self, count: int) -> Work:
        if count == 1:
            return self
        return Work(
            self.flops * count,
            self.transcendentals * count,
            self.read_bytes * count,
            self.written_bytes * count,
        )

    def __bool__(self) -> bool:
        return self != NO_WORK

    @property
    def accessed_bytes(self) -> int:
        """The bytes that are read or written."""
        return self.read_bytes + self.written_bytes

    @property
    def operations(self) -> int:
        """Arithmetic operations and evaluations of functions."""
        return self.flops + self.transcendentals

    @property
    def intensity(self) -> float | None:
        """FLOPs for each byte that is moved, None where none is."""
        return self.flops / self.accessed_bytes if self.accessed_bytes else None


NO_WORK = Work()


def total_of(works: Iterable[Work]) -> Work:
    """Returns a sum."""
    flops = transcendentals = read = written = 0
    for work in works:
        flops += work.flops
        transcendentals += work.transcendentals
        read += work.read_bytes
        written += work.written_bytes
    return Work(flops, transcendentals, read, written)


class OperationCost(Struct, frozen=True):
    """What an operation costs.

    Attributes:
        operation: the operation.
        function: the name of the function that holds it.
        span: where it is in the text.
        origin: the name stack and lines of Python that its location tells.
        work: the work of carrying it out once, its kernel's regions included.
        times: how often it is carried out, as far as that is known.
        live_bytes: the bytes of all values that are in memory while it is carried out.
        unknown: why its work is not counted, empty where it is.
    """

    operation: Operation
    function: str
    span: Span
    origin: Origin
    work: Work
    times: int
    live_bytes: int
    unknown: str = ""

    @property
    def total(self) -> Work:
        """The work of all times that it is carried out."""
        return self.work * self.times

    @property
    def types(self) -> str:
        """The types of operands and results, as MLIR writes them."""
        results = ", ".join(map(str, self.operation.result_types))
        return f"({', '.join(map(str, self.operation.operand_types))}) -> ({results})"


class Note(Struct, frozen=True):
    """Something that a count leaves out or assumes: what, and for how many operations; the first of them is
    in `function` at `span`."""

    text: str
    function: str
    span: Span
    count: int = 1


class Group(Struct, frozen=True):
    """The cost of the operations of one kind, name scope or line of Python.

    `path` are the parts of a scope, or one name; `count` is the number of operations in the program, `times`
    how often they are carried out altogether.
    """

    path: tuple[str, ...]
    work: Work
    count: int
    times: int

    @property
    def name(self) -> str:
        """The path as one text."""
        return "/".join(self.path)


class ProgramCost(Struct, frozen=True):
    """What running a function of a program once costs.

    Attributes:
        entry: the name of the function.
        rules: how it was counted.
        total: all work.
        peak_bytes: the most bytes that values take together, by liveness.
        argument_bytes: the bytes of the function's arguments.
        result_bytes: the bytes of its results.
        operations: each operation that runs, in the order of the text, function by function.
        kinds: the costs by kind of operation, the largest first.
        scopes: the costs by name scope; each holds what its inner ones do not.
        lines: the costs by line of Python, the largest first.
        notes: what is left out or assumed.
        source: the program's text.
    """

    entry: str
    rules: Rules
    total: Work
    peak_bytes: int
    argument_bytes: int
    result_bytes: int
    operations: tuple[OperationCost, ...]
    kinds: tuple[Group, ...]
    scopes: tuple[Group, ...]
    lines: tuple[Group, ...]
    notes: tuple[Note, ...]
    source: Source | None = None

    @property
    def peak(self) -> OperationCost | None:
        """The first operation at which the most memory is in use."""
        return max(self.operations, key=lambda cost: cost.live_bytes, default=None)

    @property
    def not_counted(self) -> tuple[OperationCost, ...]:
        """The operations whose work is not known."""
        return tuple(operation for operation in self.operations if operation.unknown)

    def line_of(self, operation: OperationCost) -> int | None:
        """Returns the line of the program's text, counted from 1, on which an operation begins."""
        return None if self.source is None else self.source.line_of(operation.span.start)
