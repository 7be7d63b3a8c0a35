"""Generated code that records which instructions it executes: rounds of a loop, or instructions that follow
each other, with the control flow among them.

It is what `run` generates too, but for calls of `step`: each is passed the number of a segment, a list of
instructions that are executed one after the other. Probes may look at values on the way, and end a call.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cached_property
from time import perf_counter
from typing import Any, Final, NoReturn
from weakref import WeakKeyDictionary

import numpy as np
from msgspec import Struct

from shlo.interpreter.jit.codegen import Emitter, Initial
from shlo.interpreter.jit.compile import Generated, emit_returned, generate
from shlo.interpreter.jit.writer import CannotGenerate, EmittedOp, SourceOrigin, SourceScope, interface
from shlo.interpreter.kernel_api import Value
from shlo.interpreter.program.code import CodeBlock, FunctionCode, Program
from shlo.interpreter.program.linker import Linker
from shlo.interpreter.program.nested_code import codes_within
from shlo.interpreter.runtime.context import ExecutionContext
from shlo.ir.diagnostics import ShloError
from shlo.ir.dtypes import Array

INNER_ROUNDS = 1 << 14
"""How many rounds the loops inside of a call may take together."""

INNER_SECONDS: Final = 0.2
"""How long the loops inside of a call may take, about."""


class OutOfRounds(Exception):
    """A call in which loops took too many rounds, or too long."""


class ProbeHit(Exception):
    """A call that a probe ended, in which a loop took so many `rounds` before."""

    def __init__(self, rounds: int = 0) -> None:
        super().__init__(rounds)
        self.rounds = rounds


class Probe(Struct, frozen=True):
    """A function that is called before an instruction with values of registers of the instruction's function;
    with the number of the round before them, from 0 in each call of the loop, where it `takes_round`. It
    raises ProbeHit to end the call.
    """

    function: Callable[..., object]
    registers: tuple[int, ...]
    takes_round: bool


class Probes(Struct, frozen=True, eq=False, weakref=True):
    """Functions that generated code calls on its way."""

    before: Callable[[CodeBlock, int], Probe | None] = lambda code, index: None
    """Returns the probe before an instruction."""
    after: Callable[[CodeBlock, int], Callable[..., object] | None] = lambda code, index: None
    """Returns what is called behind a kernel, with its results and its operands."""
    kept: Callable[[FunctionCode], Collection[int]] = lambda function: ()
    """Returns the registers of a function that probes take, which stay in their variables."""
    keeps_operands: bool = False
    """Whether no kernel may overwrite its operands."""
    begin: Callable[[int], None] = lambda round: None
    """Is told the round in which a call of a loop begins."""


NO_PROBES: Final = Probes()


class Point(Struct, frozen=True):
    """An instruction as it is executed, in a frame so many above that in which the segment begins."""

    code: CodeBlock
    instruction: int
    depth: int


class TracedLayout(Struct, frozen=True, dict=True):
    """The segments of a program as arrays: of each, how many points it has and by how many frames all from it
    on are deeper; of each point, segment by segment, its block (an index of `codes`), its instruction and its
    depth.
    """

    codes: tuple[CodeBlock, ...]
    lengths: Array
    shifts: Array
    blocks: Array
    instructions: Array
    depths: Array
    has_shifts: bool

    @cached_property
    def starts(self) -> Array:
        """The number of the first point of each segment."""
        return self.lengths.cumsum() - self.lengths


class Segments:
    """The segments of all traced code of a program, by number, and its functions that are traced. What adds
    to them holds the program's lock.
    """

    def __init__(self, program: Program) -> None:
        self.functions = WeakKeyDictionary[Probes, dict[FunctionCode, str | None]]()
        """The global names of traced functions, by the probes in them."""
        self._lock = program.lock
        self._codes: dict[CodeBlock, int] = {}
        self._points: list[list[Point]] = []
        self._shifts: list[int] = []
        self._layout = TracedLayout((), *(np.array([], np.int32) for _ in range(5)), has_shifts=False)

    def add(self, shift: int) -> tuple[int, list[Point]]:
        """Returns the number of a new segment, and its points, to be added."""
        self._points.append([])
        self._shifts.append(shift)
        return len(self._points) - 1, self._points[-1]

    def layout(self) -> TracedLayout:
        """Returns all segments as arrays."""
        with self._lock:
            layout = self._layout
            if len(layout.lengths) < len(self._points):
                self._layout = self._extended(layout, self._points[len(layout.lengths) :])
            return self._layout

    def _extended(self, previous: TracedLayout, segments: Sequence[Sequence[Point]]) -> TracedLayout:
        numbers = self._codes
        points = [point for segment in segments for point in segment]
        blocks = [numbers.setdefault(point.code, len(numbers)) for point in points]

        def more(array: Array, values: Sequence[int]) -> Array:
            return np.concatenate([array, np.array(values, np.int32)])

        return TracedLayout(
            tuple(numbers),
            more(previous.lengths, [len(segment) for segment in segments]),
            np.array(self._shifts, np.int32),
            more(previous.blocks, blocks),
            more(previous.instructions, [point.instruction for point in points]),
            more(previous.depths, [point.depth for point in points]),
            any(self._shifts),
        )


def segments_of(program: Program) -> Segments:
    """Returns the segments of a program's traced code."""
    with program.lock:
        if not isinstance(program.traced, Segments):
            program.traced = Segments(program)
        return program.traced


class Rounds(Struct, frozen=True):
    """What a call of a loop did: how many rounds, whether the condition then ended the loop, the carried
    values or the results, and the numbers of the segments that ran, in order.
    """

    count: int
    is_over: bool
    values: tuple[Value, ...]
    path: array[int]


class TracedLoop(Struct, frozen=True):
    """Generated code of a loop, each round of which begins with the segment `first`; it takes the values of
    registers `inputs` beside those that are carried.
    """

    function: Any
    inputs: tuple[int, ...]
    first: int
    shortest: int
    """How many steps a round takes at least."""

    def call(
        self, context: ExecutionContext, captured: Sequence[Value], carried: Sequence[Value], most: int
    ) -> Rounds:
        """Runs up to `most` rounds, from the condition on. Raises whatever an operation raises, and
        OutOfRounds and ProbeHit; nothing is written to then.
        """
        path = array("i")
        try:
            count, values = self.function(
                context, path.append, _inner_rounds(), range(most), *captured, *carried
            )
        except ProbeHit:
            raise ProbeHit(path.count(self.first) - 1) from None
        return Rounds(most if count is None else count, count is not None, values, path)


class TracedSpan(Struct, frozen=True):
    """Generated code of instructions that follow each other in a block: it takes the values of registers
    `inputs` and returns those of `bound`, all that the block's own instructions bind. `owners` has, by
    segment, the instruction of the block in which it begins.
    """

    function: Any
    inputs: tuple[int, ...]
    bound: tuple[int, ...]
    owners: Mapping[int, int]

    def call(
        self, context: ExecutionContext, registers: Sequence[Value], path: array[int]
    ) -> tuple[Value, ...]:
        """Returns the values that were bound, and adds the numbers of the segments that ran to a path. Raises
        whatever an operation raises, OutOfRounds and ProbeHit; nothing is written to then.
        """
        inputs = [registers[register] for register in self.inputs]
        return self.function(context, path.append, _inner_rounds(), *inputs)


class CannotTrace(Exception):
    """A span in which an instruction, by its index, cannot be generated."""

    def __init__(self, index: int) -> None:
        super().__init__(index)
        self.index = index


def generate_traced_loop(
    code: CodeBlock, index: int, linker: Linker, probes: Probes = NO_PROBES
) -> TracedLoop | None:
    """Returns the traced code of a `while` operation, None where it cannot be generated."""
    inner = {
        register
        for block in codes_within(code, index)
        if block.values is code.values
        for register in block.defined_at
    }
    inputs = dict.fromkeys(code.instructions[index].captures)
    inputs.update(dict.fromkeys(register for register in probes.kept(code.function) if register not in inner))
    emitter = _TracingEmitter(code.function.program, linker, probes)
    generated = _generate(
        emitter, lambda: _emit_loop(emitter, code, index, tuple(inputs)), ("step", "inner", "rounds")
    )
    if generated is None:
        return None
    shortest = sum(len(points) for _, points in emitter.segments[:2])
    return TracedLoop(generated.function, tuple(inputs), emitter.segments[0][0], shortest)


def generate_traced_span(
    code: CodeBlock, start: int, end: int, linker: Linker, probes: Probes = NO_PROBES
) -> TracedSpan | None:
    """Returns the traced code of the instructions from `start` up to `end`, None where it cannot be
    generated; raises CannotTrace where that is because of one of them.
    """
    inputs, bound = interface(code.instructions[start:end])
    emitter = _TracingEmitter(code.function.program, linker, probes)
    owners: dict[int, int] = {}

    def emit() -> list[str]:
        scope = emitter.scope(code)
        parameters = emitter.kept_parameters(scope, inputs)
        emitter.keep(scope, bound)
        emitter.begin_segment()
        for index in range(start, end):
            first = len(emitter.segments)
            try:
                emitter.instruction(scope, SourceOrigin(code, index))
            except ShloError as error:
                raise CannotTrace(index) from error
            owners.update((number, index) for number, _ in emitter.segments[first:])
        emit_returned(emitter, scope.names_of(bound))
        return parameters

    generated = _generate(emitter, emit)
    return None if generated is None else TracedSpan(generated.function, inputs, bound, owners)


def _generate(
    emitter: _TracingEmitter,
    emit: Callable[[], list[str]],
    parameters: tuple[str, ...] = ("step", "inner"),
) -> Generated | None:
    program = emitter.program
    with program.lock:
        program.namespace["out_of_rounds"] = _out_of_rounds
        return generate(program, emitter, emit, (), parameters)


def _emit_loop(emitter: _TracingEmitter, code: CodeBlock, index: int, captures: tuple[int, ...]) -> list[str]:
    scope, instruction = emitter.scope(code), code.instructions[index]
    captured = emitter.kept_parameters(scope, captures)
    carried = emitter.loop_parameters(scope, instruction.operands)
    emitter.outermost_loop(scope, SourceOrigin(code, index), carried)
    return [*captured, *carried]


class _TracingEmitter(Emitter):
    """Writes instructions in segments: at the beginning of each, the code records its number."""

    fuses = picks = False

    def __init__(self, program: Program, linker: Linker, probes: Probes) -> None:
        super().__init__(program, linker)
        self._probes = probes
        self._outermost_condition: CodeBlock | None = None
        self.segments: list[tuple[int, list[Point]]] = []
        self._depth = 0
        self._loop_head = "for _ in inner:"
        self._kept: tuple[SourceScope | None, frozenset[int]] = None, frozenset()

    def keep(self, scope: SourceScope, registers: Sequence[int]) -> None:
        """Lets the values of registers of a scope stay in their variables, as the code returns them."""
        self._kept = scope, frozenset(registers)

    def die(self, scope: SourceScope, registers: Sequence[int], spared: Sequence[str] = ()) -> None:
        super().die(scope, [register for register in registers if not self._is_kept(scope, register)], spared)

    def _is_kept(self, scope: SourceScope, register: int) -> bool:
        if scope is self._kept[0] and register in self._kept[1]:
            return True
        return register in self._probes.kept(scope.function)

    def is_last_holder(self, emitted: EmittedOp, position: int) -> bool:
        if self._probes.keeps_operands or self._is_kept(
            emitted.scope, emitted.instruction.operands[position]
        ):
            return False
        return super().is_last_holder(emitted, position)

    def outermost_loop(self, scope: SourceScope, origin: SourceOrigin, carried: Sequence[str]) -> None:
        """Writes the loop itself, whose rounds are limited, and what it returns."""
        self._outermost_condition = origin.code.regions(origin.position)[0]
        self._loop_head = "for n in rounds:"
        super().while_loop(scope, origin, carried)
        values = "".join(f"{name}, " for name in scope.names_of(origin.instruction.results))
        self.line("else:")
        self.line(f" return None, ({values})")
        self.line(f"return n, ({values})")

    def block(self, scope: SourceScope, code: CodeBlock) -> tuple[str, ...]:
        self._depth += 1
        names = super().block(scope, code)
        self._probe(scope, SourceOrigin(code, len(code.instructions) - 1))
        self._record(code, len(code.instructions) - 1)
        self._depth -= 1
        return names

    def instruction(self, scope: SourceScope, origin: SourceOrigin) -> None:
        self._probe(scope, origin)
        self._record(*origin)
        super().instruction(scope, origin)

    def _probe(self, scope: SourceScope, origin: SourceOrigin) -> None:
        """Writes the call of the probe before an instruction. Where a call of a loop begins, a process was
        before.
        """
        probe = self._probes.before(*origin)
        if probe is None:
            return
        if probe.takes_round and self._outermost_condition is None:
            raise CannotGenerate("a function that does not know the round")
        names = scope.names_of(probe.registers)
        names[:0] = ["n"] * probe.takes_round
        is_first = origin.code is self._outermost_condition and not origin.position
        call = f"{self.global_name('w', probe.function)}({', '.join(names)})"
        self.line(f"if n: {call}" if is_first else call)

    def kernel(self, scope: SourceScope, origin: SourceOrigin) -> None:
        function = self._probes.after(*origin)
        operands = scope.names_of(origin.instruction.operands) if function else ()
        super().kernel(scope, origin)
        if function is not None:
            results = scope.names_of(origin.instruction.results)
            self.line(f"{self.global_name('w', function)}({', '.join((*results, *operands))})")

    def open_block(self, head: str) -> int:
        if head != "while True:":
            super().open_block(head)  # of a branch
            self.begin_segment()
            return len(self.lines)
        head, self._loop_head = self._loop_head, "for _ in inner:"
        return super().open_block(head)

    def loop_condition(self, scope: SourceScope, condition: CodeBlock, carried: Sequence[str]) -> None:
        self.begin_segment()
        super().loop_condition(scope, condition, carried)
        self.begin_segment()

    def while_loop(self, scope: SourceScope, origin: SourceOrigin, initial: Initial = None) -> None:
        super().while_loop(scope, origin, initial)
        self.line("else: out_of_rounds()")
        self.begin_segment()

    def native_loop(self, origin: SourceOrigin) -> str | None:
        return None  # machine code does not record its way

    def branch(self, scope: SourceScope, origin: SourceOrigin) -> None:
        super().branch(scope, origin)
        self.begin_segment()

    def structured_loop(self, scope: SourceScope, origin: SourceOrigin, initial: Initial = None) -> None:
        raise CannotGenerate("a loop that is not traced")

    counted_loop = structured_loop

    def call(self, scope: SourceScope, origin: SourceOrigin) -> None:
        instruction, callee = origin.instruction, origin.code.callee(origin.position)
        if self.may_inline(scope, callee):
            self.inline(scope, instruction, callee)
            return
        function = self._traced_function(callee)
        names = scope.names_of(instruction.operands)
        self.begin_segment(self._depth)
        call = f"{function}({', '.join(('context', 'step', 'inner', *names))})"
        targets = [self.define(scope, register) for register in instruction.results]
        self.line(f"{', '.join(targets)}, = {call}" if targets else call, origin)
        self.die(scope, instruction.dead_inside)
        self.begin_segment(-self._depth)

    def _traced_function(self, callee: FunctionCode) -> str:
        """Returns the global name of a function that records its segments, one for all calls of it."""
        functions = segments_of(self.program).functions.setdefault(self._probes, {})
        if callee not in functions:
            functions[callee] = None  # while it is generated: it must not call itself
            emitter = _TracingEmitter(self.program, self.linker, self._probes)
            generated = _generate(emitter, lambda: _emit_function(emitter, callee.code))
            if generated is not None:
                functions[callee] = self.global_name("t", generated.function)
        name = functions[callee]
        if name is None:
            raise CannotGenerate("a function that cannot be generated")
        return name

    def begin_segment(self, shift: int = 0) -> None:
        """Writes that another segment begins, from which on all is `shift` frames deeper."""
        self.segments.append(segments_of(self.program).add(shift))
        self.line(f"step({self.segments[-1][0]})")

    def _record(self, code: CodeBlock, index: int) -> None:
        self.segments[-1][1].append(Point(code, index, self._depth))


def _emit_function(emitter: _TracingEmitter, code: CodeBlock) -> list[str]:
    scope = emitter.scope(code)
    parameters = emitter.parameters(scope, code.arguments)
    emitter.begin_segment()
    emit_returned(emitter, emitter.block(scope, code))
    return parameters


def _inner_rounds() -> Iterator[None]:
    """Yields for each round that loops inside of a call may take."""
    end = perf_counter() + INNER_SECONDS
    for _ in range(INNER_ROUNDS):
        yield
        if perf_counter() > end:
            return


def _out_of_rounds() -> NoReturn:
    raise OutOfRounds
