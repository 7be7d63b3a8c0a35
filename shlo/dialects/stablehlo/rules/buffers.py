"""Constraints of custom calls on buffers. RFC: "Add Buffer Types" (2025-07-29)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from shlo.dialects.op_bindings import Broken, OpBindings
from shlo.dialects.stablehlo.rules.effects import part_of
from shlo.dialects.struct_attributes import OutputOperandAlias
from shlo.ir.attributes import ArrayAttr, StringAttr
from shlo.ir.suggestions import advise
from shlo.ir.types import MemRefType, RankedTensorType, TupleType, Type

BUFFER_CALLS: Final[Mapping[str, tuple[tuple[type[Type], ...], type[Type]]]] = {
    "CreateBuffer": ((), MemRefType),
    "Pin": ((RankedTensorType,), MemRefType),
    "Unpin": ((MemRefType,), RankedTensorType),
}
"""The custom calls that make buffers: what they take, and what they give."""


def buffers_fit(bindings: OpBindings) -> Broken | None:
    """Returns a call that makes a buffer, or a tensor of one, has operands and a result to match."""
    signature = bindings.signature
    target = signature.properties.get("call_target_name")
    types = BUFFER_CALLS.get(target.value) if isinstance(target, StringAttr) else None
    if types is None or _makes_buffer(signature.operand_types, signature.result_types, *types):
        return None
    given, result = _listed(types[0]), _listed((types[1],))
    words = f"pass {given}, and make the result {result} of that shape and element type"
    return Broken(f"{target} takes {given} and gives {result} like it", ("inputs",), advise(words))


def buffers_are_aliased(bindings: OpBindings) -> Broken | None:
    """Each buffer of a call's results is in a pair of aliases; those of calls that make buffers need none."""
    signature = bindings.signature
    target = signature.properties.get("call_target_name")
    if isinstance(target, StringAttr) and target.value in BUFFER_CALLS:
        return None
    outputs = [list(alias.output_tuple_indices) for alias in _aliases_of_buffers(bindings)]
    results = signature.result_types
    paths = _buffer_paths(results[0] if len(results) == 1 else TupleType(results))
    missing = next((path for path in paths if path not in outputs), None)
    if missing is None:
        return None
    words = f"add an output_operand_alias with output_tuple_indices = {missing}"
    return _broken(f"buffer output {missing} is in no output_operand_alias", words)


def buffers_are_aliased_once(bindings: OpBindings) -> Broken | None:
    """Judges whether each buffer of a call's operands and results is in one pair of aliases at most.

    The MLIR tools print an error for others, but accept the program.
    """
    aliases = list(_aliases_of_buffers(bindings))
    outputs = [str(list(alias.output_tuple_indices)) for alias in aliases]
    operands = [f"{alias.operand_index}{list(alias.operand_tuple_indices)}" for alias in aliases]
    for side, parts in (("output", outputs), ("operand", operands)):
        twice = next((part for number, part in enumerate(parts) if part in parts[:number]), None)
        if twice is not None:
            message = f"buffer {side} {twice} is in more than one output_operand_alias"
            return _broken(message, f"name each buffer {side} in one output_operand_alias")
    return None


def _broken(message: str, words: str) -> Broken:
    return Broken(message, ("output_operand_aliases",), advise(words))


def _aliases_of_buffers(bindings: OpBindings) -> Iterator[OutputOperandAlias]:
    """Yields the aliases whose part of an operand is a buffer."""
    operands = bindings.signature.operand_types
    listed = bindings.signature.properties.get("output_operand_aliases")
    for alias in listed if isinstance(listed, ArrayAttr) else ():
        if not isinstance(alias, OutputOperandAlias) or not 0 <= alias.operand_index < len(operands):
            continue
        if isinstance(part_of(operands[alias.operand_index], alias.operand_tuple_indices), MemRefType):
            yield alias


def _buffer_paths(type_: Type, path: Sequence[int] = ()) -> Iterator[list[int]]:
    """Yields the indices of each buffer in a type."""
    if isinstance(type_, MemRefType):
        yield list(path)
    for index, part in enumerate(type_.types if isinstance(type_, TupleType) else ()):
        yield from _buffer_paths(part, (*path, index))


def _makes_buffer(
    operands: Sequence[Type], results: Sequence[Type], inputs: Sequence[type[Type]], output: type[Type]
) -> bool:
    fits = len(operands) == len(inputs) and all(map(isinstance, operands, inputs))
    if not fits or len(results) != 1 or not isinstance(results[0], output):
        return False
    return all(_alike(operand, results[0]) for operand in operands)


def _alike(one: Any, other: Any) -> bool:
    return (one.shape, one.element_type) == (other.shape, other.element_type)


def _listed(types: Sequence[type[Type]]) -> str:
    words = {MemRefType: "one buffer", RankedTensorType: "one tensor"}
    return ", ".join(word for side, word in words.items() if side in types) or "nothing"
