"""How far a loop is from its end, where its condition is a comparison."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from shlo.interpreter.kernel_api import Value
from shlo.interpreter.program.code import CodeBlock, Kind


class Comparison(Struct, frozen=True):
    """The block of a loop's condition, and the two values that it compares."""

    condition: CodeBlock
    compared: tuple[int, ...]

    def gap(self, carried: Sequence[Value], registers: Sequence[Value]) -> float | None:
        """Returns the difference of the values in a round that begins with what it carries, None where they
        are no real numbers that are known before it. Some round has run before."""
        first, second = (self._number(register, carried, registers) for register in self.compared)
        return None if first is None or second is None else first - second

    def _number(self, register: int, carried: Sequence[Value], registers: Sequence[Value]) -> float | None:
        index = self.condition.defined_at.get(register)
        if index is None:  # of outside
            value = registers[register]
        elif index < 0:
            value = carried[self.condition.arguments.index(register)]
        else:
            kernel = self.condition.instructions[index].bound_kernel
            if kernel is None or kernel.op_view.operand_types or kernel.entry.needs_context:
                return None
            value = kernel.evaluate()
        is_real = hasattr(value, "dtype") and value.dtype.kind in "iuf" and value.shape == ()
        return float(value) if is_real else None


def comparison_of(code: CodeBlock, index: int) -> Comparison | None:
    """Returns what the condition of a loop compares, None where the condition is anything else."""
    if code.instructions[index].kind is not Kind.WHILE:
        return None
    condition = code.regions(index)[0]
    returned = condition.instructions[-1].operands if condition.instructions else ()
    place = condition.defined_at.get(returned[0], -1) if len(returned) == 1 else -1
    operation = condition.instructions[place].operation if place >= 0 else None
    if operation is None or operation.name != "stablehlo.compare":
        return None
    return Comparison(condition, operation.operands)
