"""Custom calls computed as an equivalent operation."""

from __future__ import annotations

from shlo.interpreter.kernel_api import Body, KernelError, KernelFn, OpView
from shlo.interpreter.program.shape_checks import refuse_invalid, region_types
from shlo.interpreter.registry import find_kernel
from shlo.ir.attributes import Attribute
from shlo.ir.operations import Signature
from shlo.ir.types import Type


def run_as(
    name: str,
    operands: tuple[Type, ...],
    results: tuple[Type, ...],
    attributes: dict[str, Attribute] | None = None,
    bodies: tuple[Body, ...] = (),
) -> KernelFn:
    """Returns the function that computes the operation `name` on operands and results of these types. Raises
    KernelError if there is no kernel for it, or types or attributes break its constraints."""
    entry = find_kernel(name)
    if entry is None or entry.needs_context:
        raise KernelError(f"{name} cannot be run in place of a custom call")
    signature = Signature(name, operands, results, attributes or {})
    refuse_invalid(signature, region_types(bodies))
    return entry.kernel(OpView(signature, bodies))
