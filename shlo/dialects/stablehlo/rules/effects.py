"""Constraints of the attributes of custom calls and infeeds that no formula expresses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, cast

from shlo.dialects.op_bindings import Broken, OpBindings, plain
from shlo.dialects.struct_attributes import OutputOperandAlias
from shlo.ir.attributes import ArrayAttr, DictionaryAttr, IntegerAttr, StringAttr
from shlo.ir.suggestions import Advise, LeaveOut, Suggestion, WriteAttribute, advise
from shlo.ir.types import I32, MemRefType, RankedTensorType, TupleType, Type, UnrankedTensorType

ORIGINAL, TYPED_FFI = IntegerAttr(1, I32), 4
"""The version of the custom calls' interface whose configuration is a dictionary."""


def layouts_fit(bindings: OpBindings) -> Broken | None:
    """Layouts are given for operands and results or for neither, and order the dimensions of each."""
    properties = bindings.signature.properties
    operands, results = properties.get("operand_layouts"), properties.get("result_layouts")
    if (operands is None) != (results is None):
        present = "operand_layouts" if results is None else "result_layouts"
        other = "result_layouts" if results is None else "operand_layouts"
        message = f"{present} is given alone; layouts belong to operands and results"
        return Broken(
            message, (present,), (Advise(f"add {other}"), LeaveOut(present, words=f"leave {present} out"))
        )
    for name, layouts, types in (
        ("operand_layouts", operands, bindings.signature.operand_types),
        ("result_layouts", results, _result_types(bindings.signature.result_types)),
    ):
        fault = next(_misfits(layouts, types), None) if isinstance(layouts, ArrayAttr) else None
        if fault:
            suggestion: Suggestion = LeaveOut(name, words=f"leave {name} out, and the other layouts")
            if all(map(_may_have_layout, types)):
                suggestion = WriteAttribute(name, f"[{', '.join(map(_layout_text, types))}]")
            return Broken(f"{name}: {fault}", (name,), (suggestion,))
    return None


def _result_types(types: Sequence[Type]) -> Sequence[Type]:
    """Returns the types that layouts of results speak of: those in the tuple, where it is the only result."""
    return types[0].types if len(types) == 1 and isinstance(types[0], TupleType) else types


def _misfits(layouts: ArrayAttr, types: Sequence[Type]) -> Iterator[str]:
    if len(layouts) != len(types):
        yield f"there are {len(layouts)} layouts for {len(types)} values"
        return
    for layout, type_ in zip(layouts, types):
        order: Any = plain(layout)
        if isinstance(type_, TupleType):
            yield f"a value of type {type_} cannot have a layout"
        elif isinstance(type_, RankedTensorType) and not type_.is_static:
            yield f"a value of type {type_} has no layout, as its sizes are not known"
        elif isinstance(type_, RankedTensorType):
            if not _is_order(order, type_.rank):
                yield f"{layout} is no order of the dimensions of {type_}"
        elif order and not isinstance(type_, UnrankedTensorType):
            yield f"only tensors have a layout, but the value's type is {type_}"


def _may_have_layout(type_: Type) -> bool:
    """Returns whether a list of layouts may have one for a value: an empty one, unless it is a tensor."""
    is_dynamic = isinstance(type_, RankedTensorType) and not type_.is_static
    return not is_dynamic and not isinstance(type_, TupleType)


def _layout_text(type_: Type) -> str:
    """Returns the layout in which the last dimension varies fastest."""
    order = [*reversed(range(type_.rank))] if isinstance(type_, RankedTensorType) else []
    return f"dense<{order if order else ''}> : tensor<{len(order)}xindex>"


def _is_order(layout: Any, rank: int) -> bool:
    return isinstance(layout, tuple) and sorted(cast("tuple[int, ...]", layout)) == list(range(rank))


def aliases_fit(bindings: OpBindings) -> Broken | None:
    """Returns each alias names a part of an operand and a part of the results that have one type."""
    aliases = bindings.signature.properties.get("output_operand_aliases")
    for alias in aliases if isinstance(aliases, ArrayAttr) else ():
        fault = _alias_fault(alias, bindings) if isinstance(alias, OutputOperandAlias) else None
        if fault:
            words = "let operand_index, operand_tuple_indices and output_tuple_indices name parts of one type"
            return Broken(fault, ("output_operand_aliases",), advise(words))
    return None


def _alias_fault(alias: OutputOperandAlias, bindings: OpBindings) -> str | None:
    operands, results = bindings.signature.operand_types, bindings.signature.result_types
    if not 0 <= alias.operand_index < len(operands):
        return f"operand_index is {alias.operand_index}, but there are {len(operands)} operands"
    operand = part_of(operands[alias.operand_index], alias.operand_tuple_indices)
    output = part_of(results[0] if len(results) == 1 else TupleType(results), alias.output_tuple_indices)
    for name, part in (("operand_tuple_indices", operand), ("output_tuple_indices", output)):
        if part is None:
            return f"{name} name no part of a tuple"
    return None if operand == output else f"the operand's part has type {operand}, but the output's {output}"


def part_of(type_: Type, indices: Sequence[int]) -> Type | None:
    """Returns the type of a part of nested tuples, None where the indices lead to none."""
    for index in indices:
        if not isinstance(type_, TupleType) or not 0 <= index < len(type_.types):
            return None
        type_ = type_.types[index]
    return type_


def configuration_fits(bindings: OpBindings) -> Broken | None:
    """The configuration is a dictionary where the interface is typed, and a string where it is not."""
    value = bindings.signature.properties.get("backend_config")
    version = bindings.signature.properties.get("api_version", ORIGINAL)
    if value is None or not isinstance(version, IntegerAttr):
        return None
    wanted = DictionaryAttr if version.value == TYPED_FFI else StringAttr
    if isinstance(value, wanted):
        return None
    words = "a dictionary" if wanted is DictionaryAttr else "a string"
    message = f"backend_config is {value}, but api_version {version.value} wants {words}"
    sample = "{}" if wanted is DictionaryAttr else '""'
    return Broken(message, ("backend_config",), (WriteAttribute("backend_config", sample),))


def infeed_layout_fits(bindings: OpBindings) -> Broken | None:
    """Returns a list of numbers for each tensor."""
    layout = bindings.signature.properties.get("layout")
    parts: Any = layout if isinstance(layout, ArrayAttr) else ()
    if all(
        isinstance(part, ArrayAttr) and all(isinstance(number, IntegerAttr) for number in part)
        for part in parts
    ):
        return None
    message = f"layout is {layout}, but must be a list of lists of numbers"
    return Broken(message, ("layout",), (WriteAttribute("layout", "[[1, 0]]"),))


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
    operands, result = _listed(types[0]), _listed((types[1],))
    words = f"pass {operands}, and make the result {result} of that shape and element type"
    return Broken(f"{target} takes {operands} and gives {result} like it", ("inputs",), advise(words))


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
