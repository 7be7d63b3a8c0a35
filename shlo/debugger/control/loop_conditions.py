"""Conditions of breakpoints in a loop as probes of the loop's generated code."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any

from shlo.debugger.control.breakpoints import Breakpoint, BreakpointTable
from shlo.debugger.errors import DebuggerError
from shlo.debugger.expressions.expression import Expression
from shlo.debugger.expressions.nodes import Round, ValueRef
from shlo.debugger.inspect.scope import registers_of
from shlo.debugger.replay.block_index import BlockSet
from shlo.interpreter.jit.traced import Probe, ProbeHit, Probes
from shlo.interpreter.kernel_api import Value
from shlo.interpreter.program.code import CodeBlock, FunctionCode, Kind
from shlo.interpreter.program.nested_code import callee_code
from shlo.text.expressions import walk

Place = tuple[CodeBlock, int]


class LoopConditions:
    """Makes probes of a table's breakpoints, and remembers them until these change."""

    def __init__(self, breakpoints: BreakpointTable) -> None:
        self._breakpoints = breakpoints
        self._version = breakpoints.version
        self._known: dict[Place, Probes | None] = {}

    def probes(self, code: CodeBlock, index: int, blocks: BlockSet) -> Probes | None:
        """Returns probes that raise ProbeHit where the condition of a breakpoint holds in rounds of the loop
        at an instruction, which consist of these blocks; None where a breakpoint has no condition, or one of
        other things than values of its function and rounds of this loop.
        """
        if self._version != self._breakpoints.version:
            self._version = self._breakpoints.version
            self._known.clear()
        if (code, index) not in self._known:
            self._known[code, index] = self._make((code, index), blocks)
        return self._known[code, index]

    def _make(self, loop: Place, blocks: BlockSet) -> Probes | None:
        rounds = _Rounds(loop, blocks)
        probes: dict[Place, Probe] = {}
        registers = defaultdict[FunctionCode, set[int]](set)
        for block in blocks.codes:
            for at, numbers in self._breakpoints.armed(block).items():
                conditions = _conditions(self._breakpoints[number] for number in numbers)
                probe = None if conditions is None else _probe((block, at), conditions, rounds)
                if probe is None:
                    return None
                probes[block, at] = probe
                registers[block.function].update(probe.registers)
        return Probes(
            before=lambda code, index: probes.get((code, index)),
            kept=lambda function: registers.get(function, ()),
            begin=rounds.begin,
        )


class _Rounds:
    """The rounds of a loop, of which some run as generated code from round `first` on."""

    def __init__(self, loop: Place, blocks: BlockSet) -> None:
        self.first = 0
        self._loop = loop
        self._blocks = blocks

    def begin(self, first: int) -> None:
        """Notes in which round a call begins."""
        self.first = first

    def level(self, code: CodeBlock) -> int | None:
        """Returns how many loops are open between a block and the loop, None where that may differ."""
        level, visited = 0, set[CodeBlock]()
        while code not in visited:
            visited.add(code)
            call = code.outside or self._call_of(code)
            if call is None or call == self._loop:
                return None if call is None else level
            code, at = call
            level += code.instructions[at].kind in (Kind.WHILE, Kind.COUNT)
        return None

    def _call_of(self, callee: CodeBlock) -> Place | None:
        """Returns where a function is called, None where that is so at several places."""
        calls = [
            (code, at)
            for code in self._blocks.codes
            for at, instruction in enumerate(code.instructions)
            if instruction.kind is Kind.CALL and callee_code(code, at) is callee
        ]
        return calls[0] if len(calls) == 1 else None


class _RoundValues:
    """The environment of conditions at one place."""

    def __init__(self, rounds: _Rounds) -> None:
        self.values: dict[str, Value] = {}
        self.passed = 0
        self._rounds = rounds

    def value(self, ref: ValueRef) -> Any:
        """Returns a value of the innermost function."""
        return self.values[ref.name]

    def round(self, level: int) -> int:
        """Returns the round of the loop."""
        return self._rounds.first + self.passed

    def check(self) -> None:
        """Goes on: a request to stop is asked for between the calls of a loop."""


def _conditions(points: Iterable[Breakpoint]) -> list[Expression] | None:
    """Returns the conditions of breakpoints, each once; None where one has none."""
    conditions = dict[Expression, None]()
    for point in points:
        if point.condition is None or point.kind == "change" or point.area is not None:
            return None
        conditions[point.condition] = None
    return list(conditions)


def _probe(location: Place, conditions: list[Expression], rounds: _Rounds) -> Probe | None:
    """Returns the probe that asks whether one of some conditions holds at an instruction."""
    registers: dict[str, int] = {}
    takes_round = False
    for part in (part for condition in conditions for part in walk(condition.node)):
        if isinstance(part, Round):
            takes_round = True
            if rounds.level(location[0]) != part.level:
                return None
        elif isinstance(part, ValueRef):
            register = None
            if not part.outer and not part.back and part.process is None:
                register = _register(location, part.name)
            if register is None:
                return None
            registers[part.name] = register
    function = _asking(conditions, tuple(registers), rounds, takes_round)
    return Probe(function, tuple(registers.values()), takes_round)


def _asking(
    conditions: list[Expression], names: tuple[str, ...], rounds: _Rounds, takes_round: bool
) -> Callable[..., None]:
    environment = _RoundValues(rounds)

    def ask(*values: Any) -> None:
        if takes_round:
            environment.passed = values[0]
        environment.values = dict(zip(names, values[takes_round:]))
        try:
            holds = any(condition.holds(environment) for condition in conditions)
        except DebuggerError:  # which the session says where it asks
            holds = True
        if holds:
            raise ProbeHit

    return ask


def _register(location: Place, name: str) -> int | None:
    """Returns the register of the function that a name means before an instruction, None for none."""
    around: Place | None = location
    while around is not None:
        code, index = around
        for defined_at, register in registers_of(code).get(name, ()):
            if defined_at < index:
                return register
        around = code.outside
    return None
