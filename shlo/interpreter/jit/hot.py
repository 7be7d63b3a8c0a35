"""Which functions and loops are hot, so that their code is generated; what generates it is loaded then."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from shlo.interpreter.jit.linker import Linker
from shlo.interpreter.jit.native.machine import is_installed
from shlo.interpreter.program.code import CodeBlock, Compiled, FunctionCode
from shlo.interpreter.runtime.copies import Element
from shlo.interpreter.runtime.machine_code import use_compiler
from shlo.ir.operations import Region

STRAIGHT_LIMIT = 5_000
"""Blocks of more operations are never generated: compiling them takes longer than many runs would gain."""


def hot_function(function: FunctionCode, linker: Linker) -> Compiled | None:
    """Counts a call of a function; returns its generated code once it is called often enough (compiling a
    line takes as long as some fifty operations), None before.
    """
    due = function.sequences_due  # looked at once: another thread may generate them meanwhile
    if function.compiled is None and function.may_generate:
        size = len(function.code.instructions)
        if size > STRAIGHT_LIMIT:
            function.may_generate = False
        elif function.runs > size // 1000:
            from shlo.interpreter.jit.compile import generate_function

            generate_function(function, linker)
    elif due is not None and due():
        from shlo.interpreter.jit.compile import generate_sequences

        generate_sequences(function, linker)
    function.runs += 1
    return function.compiled


def hot_loop(code: CodeBlock, index: int, iteration: int, linker: Linker) -> Compiled | None:
    """Returns the generated code of a loop at the iteration from which on it takes over: at the first where
    it exists, else after a few; None at any other.
    """
    instruction = code.instructions[index]
    if instruction.warm_up is None:
        size = sum(_size(region) for region in instruction.operation.regions)
        instruction.warm_up = -1 if size > STRAIGHT_LIMIT else 2 + size // 40
    if iteration != instruction.warm_up:
        return None
    with code.function.program.lock:
        if instruction.warm_up:
            from shlo.interpreter.jit.compile import generate_loop

            instruction.compiled_loop = generate_loop(code, index, linker)
            instruction.warm_up = -1 if instruction.compiled_loop is None else 0
        return instruction.compiled_loop


def _size(region: Region) -> int:
    return sum(
        1 + sum(_size(inner) for inner in operation.regions)
        for block in region.blocks
        for operation in block.operations
    )


def _compile_for_kernels(what: Any) -> Callable[..., Any] | None:
    if not is_installed():
        return None
    from shlo.interpreter.kernels.routine_calls import Arity

    if isinstance(what, Element):
        from shlo.interpreter.jit.native.library.tiles import native_tiles

        return native_tiles(what)
    if isinstance(what, Arity):
        from shlo.interpreter.jit.native.library.calls import native_calls

        return native_calls(what)
    from shlo.interpreter.jit.native.formulas import native_loop

    return native_loop(what)


use_compiler(_compile_for_kernels)
