"""Loops as generated code that runs a number of rounds and records which instructions that executed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, NoReturn

from shlo.interpreter.jit.codegen import Emitter
from shlo.interpreter.jit.compile import generate
from shlo.interpreter.jit.linker import Linker
from shlo.interpreter.jit.writer import CannotGenerate, Origin, Scope
from shlo.interpreter.kernel_api import Value
from shlo.interpreter.program.code import CodeBlock, Instruction, Program
from shlo.interpreter.runtime.context import ExecutionContext

SEGMENT_LIMIT = 256
INNER_ROUNDS = 1 << 14
"""How many rounds the loops inside of a loop may take in one call."""


class OutOfRounds(Exception):
    """A call in which inner loops took too many rounds."""


class Point(NamedTuple):
    """An instruction as it is executed, in a frame so many above that of the loop."""

    code: CodeBlock
    instruction: int
    depth: int


@dataclass(frozen=True, slots=True)
class Rounds:
    """What a call did: how many rounds, whether the condition then ended the loop, the carried values or the
    results, and the numbers of the segments that ran, in order.
    """

    count: int
    is_over: bool
    values: tuple[Value, ...]
    path: bytearray


@dataclass(frozen=True)
class TracedLoop:
    """Generated code of a loop. Each of its `segments` lists the instructions that are executed one after the
    other whenever the code records the number of the segment.
    """

    function: Any
    segments: tuple[tuple[Point, ...], ...]

    def call(
        self, context: ExecutionContext, captured: Sequence[Value], carried: Sequence[Value], most: int
    ) -> Rounds:
        """Runs up to `most` rounds, from the condition on. Raises whatever an operation raises, and
        OutOfRounds; nothing is written to then.
        """
        path = bytearray()
        inner = iter(range(INNER_ROUNDS))
        count, values = self.function(context, path.append, inner, range(most), *captured, *carried)
        return Rounds(most if count is None else count, count is not None, values, path)


def generate_traced_loop(code: CodeBlock, index: int, linker: Linker) -> TracedLoop | None:
    """Returns the traced code of a `while` operation, None where it cannot be generated."""
    program, captures = code.function.program, code.instructions[index].captures
    with program.lock:
        emitter = _TracingEmitter(program, linker)
        generated = generate(
            program,
            emitter,
            lambda: _emit(emitter, code, index, captures),
            captures,
            ("step", "inner", "rounds"),
        )
    if generated is None:
        return None
    return TracedLoop(generated.function, tuple(tuple(points) for points in emitter.segments))


def _emit(emitter: _TracingEmitter, code: CodeBlock, index: int, captures: tuple[int, ...]) -> list[str]:
    scope, instruction = emitter.scope(code), code.instructions[index]
    emitter.program.namespace["out_of_rounds"] = _out_of_rounds
    captured = emitter.parameters(scope, captures)
    for name in captured:
        emitter.holders[name] += 1  # the caller keeps what the loop only captures
    carried = [f"p{position}" for position in range(len(instruction.operands))]
    for name, register in zip(carried, instruction.operands):
        if emitter.is_scalar(scope.type_of(register)):
            emitter.make_scalar(name)
    emitter.outermost_loop(scope, Origin(code, index), instruction, carried)
    return [*captured, *carried]


class _TracingEmitter(Emitter):
    """Writes instructions in segments: at the beginning of each, the code records its number."""

    def __init__(self, program: Program, linker: Linker) -> None:
        super().__init__(program, linker)
        self.segments: list[list[Point]] = []
        self._depth = 0
        self._loop_head = "for _ in inner:"

    def outermost_loop(
        self, scope: Scope, origin: Origin, instruction: Instruction, carried: Sequence[str]
    ) -> None:
        """Writes the loop itself, whose rounds are limited, and what it returns."""
        self._loop_head = "for n in rounds:"
        super().while_loop(scope, origin, instruction, carried)
        values = "".join(f"{scope.name_of(register)}, " for register in instruction.results)
        self.line("else:")
        self.line(f" return None, ({values})")
        self.line(f"return n, ({values})")

    def block(self, scope: Scope, code: CodeBlock) -> tuple[str, ...]:
        self._depth += 1
        names = super().block(scope, code)
        self._record(code, len(code.instructions) - 1)
        self._depth -= 1
        return names

    def instruction(self, scope: Scope, origin: Origin, instruction: Instruction) -> None:
        self._record(*origin)
        super().instruction(scope, origin, instruction)

    def open_block(self, head: str) -> int:
        if head != "while True:":
            super().open_block(head)  # of a branch
            self._begin_segment()
            return len(self.lines)
        head, self._loop_head = self._loop_head, "for _ in inner:"
        return super().open_block(head)

    def loop_condition(self, scope: Scope, condition: CodeBlock, carried: Sequence[str]) -> None:
        self._begin_segment()
        super().loop_condition(scope, condition, carried)
        self._begin_segment()

    def while_loop(
        self, scope: Scope, origin: Origin, instruction: Instruction, initial: Sequence[str] | None = None
    ) -> None:
        super().while_loop(scope, origin, instruction, initial)
        self.line("else: out_of_rounds()")
        self._begin_segment()

    def branch(self, scope: Scope, origin: Origin, instruction: Instruction) -> None:
        super().branch(scope, origin, instruction)
        self._begin_segment()

    def structured_loop(
        self, scope: Scope, origin: Origin, instruction: Instruction, initial: Sequence[str] | None = None
    ) -> None:
        raise CannotGenerate("a loop that is not traced")

    counted_loop = structured_loop

    def call(self, scope: Scope, origin: Origin, instruction: Instruction) -> None:
        callee = origin.code.callee(origin.position)
        if not self.may_inline(scope, callee):
            raise CannotGenerate("a call that is not put in place")
        self.inline(scope, instruction, callee)

    def _begin_segment(self) -> None:
        if len(self.segments) == SEGMENT_LIMIT:
            raise CannotGenerate("too many segments")
        self.line(f"step({len(self.segments)})")
        self.segments.append([])

    def _record(self, code: CodeBlock, index: int) -> None:
        self.segments[-1].append(Point(code, index, self._depth))


def _out_of_rounds() -> NoReturn:
    raise OutOfRounds


def codes_within(code: CodeBlock, index: int) -> Iterator[CodeBlock]:
    """Yields the blocks that an instruction's regions hold, and those of the functions that they call.
    Raises KernelError for a callee that there is not.
    """
    to_visit, seen = list(code.regions(index)), set[int]()
    while to_visit:
        block = to_visit.pop()
        if id(block) in seen:
            continue
        seen.add(id(block))
        yield block
        for position, instruction in enumerate(block.instructions):
            if instruction.kind.value == "call":
                to_visit.extend(block.callee(position).code.siblings)
            elif instruction.kind.value != "kernel":
                to_visit.extend(sibling for region in block.regions(position) for sibling in region.siblings)
