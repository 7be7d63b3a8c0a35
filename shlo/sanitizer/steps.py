"""An operation as checks see it: its static side, its regions as functions, its operands and results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from shlo.interpreter.kernel_api import OpView
from shlo.interpreter.kernel_steps import op_view
from shlo.interpreter.program.code import CodeBlock
from shlo.interpreter.topology.groups import GridShape
from shlo.ir.operations import Operation


class OperationStep(Struct, frozen=True):
    """An operation that its kernel has carried out.

    Args:
        code: its block.
        index: the number of its instruction.
        operands: its operands, and behind them what its regions use from outside.
        results: its results.
        process: the number of the process.
        shape: the grid.
    """

    code: CodeBlock
    index: int
    operands: Sequence[Any]
    results: Sequence[Any]
    process: int
    shape: GridShape

    @property
    def operation(self) -> Operation:
        """The operation."""
        return self.code.instructions[self.index].operation

    @property
    def view(self) -> OpView:
        """The static side of the operation, with its regions bound to what they use from outside; raises
        KernelError where it has no kernel.
        """
        return op_view(self.code, self.index, self.operands)
