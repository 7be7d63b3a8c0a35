"""Which functions and loops are hot, so that their code is generated; what generates it is loaded then."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from shlo.interpreter.kernel_api import KernelError, Value
from shlo.interpreter.program.code import CodeBlock, Compiled, FunctionCode, Kind
from shlo.interpreter.program.linker import Linker
from shlo.interpreter.program.nested_code import codes_within
from shlo.interpreter.program.rounds import comparison_of
from shlo.interpreter.runtime.copies import Element
from shlo.interpreter.runtime.machine_code import use_compiler
from shlo.interpreter.runtime.tiers import policy, uncounted, work_seconds
from shlo.interpreter.runtime.values import byte_size
from shlo.ir.operations import Operation

STRAIGHT_LIMIT = 5_000
"""Blocks of more operations are never generated: compiling them takes longer than many runs would gain."""
STEP: Final = 2e-6
"""Seconds that generated code saves of an operation, about: most of what one on small values takes."""
LARGE: Final = 1 << 14
"""Bytes of an array from which on an operation takes far longer than that."""
SHARE: Final = 8
"""Of the time of such operations generated code saves one part in so many, about."""


def hot_function(function: FunctionCode, linker: Linker) -> Compiled | None:
    """Counts a call of a function; returns its generated code once that pays, None before."""
    due = function.sequences_due  # looked at once: another thread may generate them meanwhile
    if function.compiled is None and function.may_generate:
        size = len(function.code.instructions)
        if function.whole_size is None:
            blocks = [block for index in range(size) for block in _codes_within(function.code, index)]
            function.whole_size = size + sum(len(block.instructions) for block in blocks)
        if size > STRAIGHT_LIMIT:
            function.may_generate = False
        elif function.saved and policy().pays(
            "source", function.saved, function.whole_size, function.program.runs
        ):
            from shlo.interpreter.jit.compile import generate_function

            with uncounted():
                generate_function(function, linker)
        function.saved += STEP * size
    elif due is not None and due():
        from shlo.interpreter.jit.compile import generate_sequences

        generate_sequences(function, linker)
    return function.compiled


class Hotness:
    """How long the rounds of a loop take, and what generated code would save of them."""

    __slots__ = ("_comparison", "_gap", "_is_first", "_is_small", "_saved", "_size", "_start", "may_generate")

    def __init__(self, code: CodeBlock, index: int) -> None:
        blocks = [block.instructions for block in _codes_within(code, index)]
        self._size = sum(map(len, blocks))
        self._is_small = not any(
            _is_large(instruction.operation) for block in blocks for instruction in block
        )
        self.may_generate = 0 < self._size <= STRAIGHT_LIMIT
        self._saved = 0.0
        self._start = 0.0
        self._is_first = True
        self._gap: float | None = None
        self._comparison = comparison_of(code, index)

    def is_due(self, iteration: int, carried: Sequence[Value], registers: Sequence[Value]) -> bool:
        """Counts a round at whose end `carried` is what the loop goes on with. Returns whether generating its
        code pays: it would have paid by now, or will if the rounds left, where its condition tells how many
        there are, take as long as the last one."""
        now = work_seconds()
        seconds, self._start = now - self._start, now
        if iteration == 0:
            return False
        if self._is_first:  # in which kernels were bound
            self._is_first = False
            seconds = 0.0
        saved = seconds if self._is_small else max(min(seconds, STEP * self._size), seconds / SHARE)
        self._saved += saved
        expected = self._saved
        if iteration <= 2 and self._comparison is not None:
            before, self._gap = self._gap, self._comparison.gap(carried, registers)
            if iteration == 2 and before is not None and self._gap is not None and before != self._gap:
                expected += saved * max(0.0, self._gap / (before - self._gap))
        return policy().pays("source", expected, self._size)


def hot_loop(
    code: CodeBlock,
    index: int,
    iteration: int,
    linker: Linker,
    carried: Sequence[Value],
    registers: Sequence[Value],
) -> Compiled | None:
    """Returns the generated code of a loop, which takes over at this iteration with what it carries; None
    where there is none, as it does not pay yet.
    """
    instruction = code.instructions[index]
    if instruction.compiled_loop is not None:
        return instruction.compiled_loop
    hotness = instruction.hotness
    if hotness is None:
        hotness = instruction.hotness = Hotness(code, index)
    assert isinstance(hotness, Hotness)
    if not hotness.may_generate or not hotness.is_due(iteration, carried, registers):
        return None
    with code.function.program.lock, uncounted():
        if instruction.compiled_loop is None:
            from shlo.interpreter.jit.compile import generate_loop

            instruction.compiled_loop = generate_loop(code, index, linker)
            hotness.may_generate = instruction.compiled_loop is not None
        return instruction.compiled_loop


def note_run(function: FunctionCode, seconds: float) -> None:
    """Notes how long a function without generated code ran, unless its program runs for the first time, and
    much is loaded."""
    if function.program.runs > 1:
        function.saved += seconds / SHARE


def _codes_within(code: CodeBlock, index: int) -> list[CodeBlock]:
    """Returns the blocks inside of an instruction, none where no code is generated for it either."""
    try:
        return [*codes_within(code, index)] if code.instructions[index].kind is not Kind.KERNEL else []
    except KernelError:
        return []


def _is_large(operation: Operation) -> bool:
    return any(byte_size(type_) >= LARGE for type_ in (*operation.operand_types, *operation.result_types))


def _compile_for_kernels(what: Any) -> Callable[..., Any]:
    """Returns the machine code of what kernels ask for; raises one of REFUSALS where there can be none."""
    from shlo.interpreter.kernels.routine_calls import Arity

    if isinstance(what, Element):
        from shlo.interpreter.loops.tiles import native_tiles

        return native_tiles(what)
    if isinstance(what, Arity):
        from shlo.interpreter.loops.library import native_calls

        return native_calls(what)
    from shlo.interpreter.loops.formulas import native_loop

    return native_loop(what)


use_compiler(_compile_for_kernels)
