"""Shardy's attributes as XLA carries them through HLO: texts in `mhlo.frontend_attributes`.

A module names its meshes in `xla.sdy.meshes`. A manual computation is a call between two custom calls: one
goes from whole tensors to the parts that a process holds (`xla.sdy.in_shardings`, `xla.sdy.manual_axes`), one
back (`xla.sdy.out_shardings`). It is what `jax.export` wrote in 2025, and what XLA dumps; there, several
results are one tuple.
"""

from __future__ import annotations

from collections.abc import Iterator

from shlo.interpreter.kernel_api import KernelError, OpView
from shlo.ir.attributes import Attribute, DictionaryAttr, StringAttr
from shlo.ir.diagnostics import ParseError
from shlo.ir.operations import Operation, Signature
from shlo.ir.types import TupleType, Type

_FRONTEND_ATTRIBUTES = "mhlo.frontend_attributes"
_MESHES = "xla.sdy.meshes"


def frontend_attribute(op: OpView, name: str) -> Attribute:
    """Returns the attribute that the text `xla.sdy.NAME` of an operation holds; raises KernelError where it
    has none."""
    text = _text(op.get(_FRONTEND_ATTRIBUTES), f"xla.sdy.{name}")
    if text is None:
        raise KernelError(f"expected xla.sdy.{name} in {_FRONTEND_ATTRIBUTES}, got none")
    return _parsed(text, f"xla.sdy.{name}")


def is_one_tuple(op: OpView) -> bool:
    """Returns whether the results of an operation are those in one tuple."""
    return len(op.result_types) == 1 and isinstance(op.result_types[0], TupleType)


def result_types(op: OpView) -> tuple[Type, ...]:
    """Returns the types of the results of an operation, or of those in its one tuple."""
    (first, *rest) = op.result_types or (None,)
    return first.types if isinstance(first, TupleType) and not rest else op.result_types


def mesh_operations(module: Operation) -> Iterator[tuple[str, Operation]]:
    """Yields the meshes that a module carries as text, by name, each as the `sdy.mesh` that it came from.

    What is no dictionary of meshes is passed over: an operation that needs a mesh says that it has none.
    """
    text = _text(module.attribute(_FRONTEND_ATTRIBUTES), _MESHES)
    if text is None:
        return
    from shlo.dialects.sdy.attributes import ShardyMesh

    try:
        meshes = _parsed(text, _MESHES)
    except KernelError:
        return
    for name, mesh in meshes.entries if isinstance(meshes, DictionaryAttr) else ():
        if isinstance(mesh, ShardyMesh):
            yield (
                name,
                Operation(Signature("sdy.mesh", attributes={"sym_name": StringAttr(name), "mesh": mesh})),
            )


def _text(attributes: Attribute | None, name: str) -> str | None:
    value = attributes.as_dict().get(name) if isinstance(attributes, DictionaryAttr) else None
    return value.value if isinstance(value, StringAttr) else None


def _parsed(text: str, name: str) -> Attribute:
    from shlo.syntax import parse_attribute

    try:
        return parse_attribute(text.replace('\\"', '"'), name)
    except ParseError as error:
        raise KernelError(f"expected an attribute of Shardy in {name}, got {text!r}: {error}") from None
