"""Chains of operations on arrays of few elements, written as operations on their elements as scalars."""

from __future__ import annotations

import math
from collections.abc import Sequence

from shlo.interpreter.jit.fusion import PendingChain, is_number
from shlo.interpreter.jit.writer import Origin, SourceWriter
from shlo.interpreter.kernels.numeric import element_dtype
from shlo.interpreter.loops.chain import is_broadcast
from shlo.interpreter.program.bound_kernel import BoundKernel


def element_template(bound_kernel: BoundKernel) -> str | None:
    """Returns the source of an operation on scalars, with `{0}`, `{1}` for them; None where there is none."""
    make = bound_kernel.entry.expression
    return None if make is None else make(bound_kernel.op_view)


def can_separate(bound_kernel: BoundKernel) -> bool:
    """Returns whether an operation of a chain can be one on each element."""
    if is_broadcast(bound_kernel):
        return is_number(bound_kernel.op_view.operand_types[0])
    return element_template(bound_kernel) is not None


def write_elements(writer: SourceWriter, chain: PendingChain, outputs: Sequence[str]) -> None:
    """Writes a chain's operations on each element, and the arrays of its results."""
    elements = {name: _elements_of(writer, chain, name) for name in chain.inputs}
    for step in chain.steps:
        operands = [elements[name] for name in step.operands]
        template = element_template(step.bound)
        if template is None:  # a broadcast
            (elements[step.result],) = operands
        else:
            elements[step.result] = [
                _computed(writer, template.format(*each), chain.origin) for each in zip(*operands)
            ]
    shape = "" if len(chain.shape) == 1 else f".reshape({chain.shape})"
    for name in outputs:
        dtype = element_dtype(chain.types[name]).name
        writer.line(f"{name} = np.array(({', '.join(elements[name])},), np.{dtype}){shape}", chain.origin)


def _elements_of(writer: SourceWriter, chain: PendingChain, name: str) -> Sequence[str]:
    """Returns the variables of the elements of a chain's input; a number is each of them."""
    count = math.prod(chain.shape)
    if name in chain.constants:
        return [writer.scalar_name(chain.constants[name])] * count
    if is_number(chain.types[name]):
        return [name] * count
    if name in writer.constants:
        return [writer.scalar_name(value) for value in writer.constants[name].flat]
    names = [_variable(writer) for _ in range(count)]
    writer.line(f"{', '.join(names)}, = {name}.flat")
    return names


def _computed(writer: SourceWriter, expression: str, origin: Origin | None) -> str:
    """Returns the variable of an expression, whose assignment it writes where there is none."""
    known = writer.computed.get(expression)
    if known is None:
        known = writer.computed[expression] = _variable(writer)
        writer.line(f"{known} = {expression}", origin)
    return known


def _variable(writer: SourceWriter) -> str:
    return f"t{next(writer.program.numbers)}"
