"""Functions, blocks and single instructions run to their end, as fast as can be."""

from __future__ import annotations

from typing import Final

from shlo.interpreter.engine.control_flow import FrameStack
from shlo.interpreter.engine.fast_path import FastPath
from shlo.interpreter.engine.frames import Frame, fill, function_frame
from shlo.interpreter.engine.specializer import specialize
from shlo.interpreter.jit.compile import hot_function
from shlo.interpreter.jit.linker import Linker
from shlo.interpreter.kernel_api import Value
from shlo.interpreter.program.bound_kernel import BoundKernel
from shlo.interpreter.program.code import CodeBlock, FunctionCode
from shlo.interpreter.runtime.context import ExecutionContext
from shlo.interpreter.runtime.limits import Budget
from shlo.interpreter.runtime.profile import Progress


class _Linker(Linker):
    def kernel(self, code: CodeBlock, index: int) -> BoundKernel:
        return specialize(code, index, self)

    def call(
        self, context: ExecutionContext, function: FunctionCode, arguments: list[Value]
    ) -> tuple[Value, ...]:
        compiled = hot_function(function, self)
        if compiled is not None:
            return compiled.call(context, arguments)
        return _finish(FastPath(_start(function, arguments), context, self, Budget()))

    def run_block(
        self, context: ExecutionContext, code: CodeBlock, registers: list[Value], arguments: list[Value]
    ) -> tuple[Value, ...]:
        fill(registers, code.arguments, arguments)
        arguments.clear()
        return _finish(FastPath(FrameStack(Frame(code, registers)), context, self, Budget()))


LINKER: Final = _Linker()


def bound_kernel(code: CodeBlock, index: int) -> BoundKernel:
    """Returns the kernel of an instruction; raises KernelError where it has none."""
    return specialize(code, index, LINKER)


def call(
    context: ExecutionContext,
    function: FunctionCode,
    arguments: list[Value],
    progress: Progress | None = None,
) -> tuple[Value, ...]:
    """Calls a function within the limits of a context and returns its results. The list of arguments is
    emptied, so that the function alone holds them.
    """
    if not context.budget.is_limited and context.meter is None and progress is None:
        return LINKER.call(context, function, arguments)
    stack = _start(function, arguments)
    return _finish(FastPath(stack, context, LINKER, context.budget, context.meter, progress))


def run_instruction(context: ExecutionContext, code: CodeBlock, index: int, registers: list[Value]) -> None:
    """Carries out one instruction that does not end its block: puts its results into `registers`, and drops
    what it uses last from them.
    """
    stack = FrameStack(Frame(code, registers, index))
    FastPath(stack, context, LINKER, context.budget).run(index + 1)


def _start(function: FunctionCode, arguments: list[Value]) -> FrameStack:
    stack = FrameStack(function_frame(function, arguments))
    arguments.clear()
    return stack


def _finish(fast_path: FastPath) -> tuple[Value, ...]:
    fast_path.run()
    return fast_path.stack.results
