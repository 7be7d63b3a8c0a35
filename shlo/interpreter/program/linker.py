"""What generated code refers to: kernels, and code that is not generated."""

from __future__ import annotations

from typing import Protocol

from shlo.interpreter.kernel_api import Value
from shlo.interpreter.program.bound_kernel import BoundKernel
from shlo.interpreter.program.code import CodeBlock, FunctionCode
from shlo.interpreter.runtime.context import ExecutionContext


class Linker(Protocol):
    """Binds the kernels of instructions, and runs functions and blocks. The engine provides one."""

    def kernel(self, code: CodeBlock, index: int) -> BoundKernel:
        """Returns the kernel of an instruction; raises KernelError where it has none."""
        ...

    def call(
        self, context: ExecutionContext, function: FunctionCode, arguments: list[Value]
    ) -> tuple[Value, ...]:
        """Calls a function without limits. The list of arguments is emptied, so that the function alone
        holds them.
        """
        ...

    def run_block(
        self, context: ExecutionContext, code: CodeBlock, registers: list[Value], arguments: list[Value]
    ) -> tuple[Value, ...]:
        """Runs a block without limits on its arguments, whose list is emptied."""
        ...
