"""Calls of `jax.experimental.custom_partitioning`: the program has the number of an object of this process in
place of what they compute, which the traced function has.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, cast

from shlo.api import parse
from shlo.dialects.stablehlo.custom_call_targets import CUSTOM_PARTITIONING
from shlo.ir.attributes import StringAttr, SymbolRefAttr
from shlo.ir.operations import SYMBOL_NAME, Block, Module, Operation, Region, Signature
from shlo.ir.symbols import with_renamed_symbols
from shlo.jax_programs.jax_library import jax, jax_module
from shlo.transforms.rewriting.rebuild import remade, with_body, with_replaced

_PRIMITIVE: Final = "custom_partitioning"


def with_partitioned_called(module: Module, jaxpr: Any, kept_alive: Sequence[Any]) -> Module:
    """Returns a program in which a call of a function of custom_partitioning is one of the function itself,
    which computes the same unpartitioned. Calls of which JAX does not tell the function stay.

    Args:
        module: what JAX has lowered.
        jaxpr: what was traced.
        kept_alive: what JAX keeps for the program, among it the objects whose numbers the program has.
    """
    infos = {str(id(info)): info for info in kept_alive}
    traced = list(_partitioned(jaxpr))
    functions: dict[str, list[Operation]] = {}
    replaced: dict[int, Operation] = {}
    for operation, _ in module.walk():
        key = _key(operation)
        if key not in infos:
            continue
        if key not in functions:
            functions[key] = _functions(_unpartitioned(infos[key], operation, traced), len(functions))
        if functions[key]:
            callee, old = SymbolRefAttr(functions[key][0].symbol or ""), operation.signature
            signature = Signature("func.call", old.operand_types, old.result_types, {"callee": callee})
            replaced[id(operation)] = remade(operation, signature, regions=())
    if not replaced:
        return module
    body = with_replaced(module.body, replaced)
    (block,) = body.blocks
    added = [function for group in functions.values() for function in group]
    whole = Region((Block([*block.operations, *added]),), body.values)
    return parse(with_body(module, whole).to_text(locations=True), "<jax>")


def _key(operation: Operation) -> str:
    """Returns the number of the object that a call of a function of custom_partitioning has, else ""."""
    target, key = operation.attribute("call_target_name"), operation.attribute("backend_config")
    if isinstance(target, StringAttr) and target.value == CUSTOM_PARTITIONING and isinstance(key, StringAttr):
        return key.value
    return ""


def _partitioned(jaxpr: Any) -> Iterator[Any]:
    """Yields the parameters of the calls of custom_partitioning in what was traced, inner ones too."""
    for equation in getattr(jaxpr, "jaxpr", jaxpr).eqns:
        if equation.primitive.name == _PRIMITIVE:
            yield equation.params
            continue
        for value in equation.params.values():
            for inner in cast("Sequence[Any]", value) if isinstance(value, list | tuple) else (value,):
                if hasattr(inner, "eqns") or hasattr(inner, "jaxpr"):
                    yield from _partitioned(inner)


def _unpartitioned(info: Any, operation: Operation, traced: Sequence[Any]) -> Any:
    """Returns what a call computes: of what was traced with its functions and types, None where that is not
    one computation.
    """
    shapes = [getattr(type_, "static_shape", None) for type_ in operation.operand_types]
    calls = [
        parameters["call"]
        for parameters in traced
        if parameters["partition"] is info.partition
        and parameters["static_args"] == info.static_args
        and [tuple(aval.shape) for aval in parameters["call"].in_avals] == shapes
    ]
    return calls[0] if len({str(call) for call in calls}) == 1 else None


def _functions(jaxpr: Any, number: int) -> list[Operation]:
    """Returns the functions that what was traced lowers to, the one to call first; none for None."""
    if jaxpr is None:
        return []
    function = jax_module("extend.core").jaxpr_as_fun(jaxpr)
    arguments = [jax().ShapeDtypeStruct(aval.shape, aval.dtype) for aval in jaxpr.in_avals]
    module = parse(jax().jit(function).lower(*arguments).as_text(debug_info=True), "<jax>")
    names = {name: f"{_PRIMITIVE}_{number}.{name}" for name in module.symbols}
    renamed = with_renamed_symbols(module.operation, lambda symbol: names.get(symbol, symbol))
    operations = renamed.regions[0].blocks[0].operations
    defined = [
        _defined(operation, names[operation.symbol])
        for operation in operations
        if operation.symbol is not None
    ]
    return sorted(defined, key=lambda operation: operation.symbol != names["main"])


def _defined(operation: Operation, name: str) -> Operation:
    """Returns a function, or what else has a name, under another one; functions are private."""
    old = operation.signature
    properties = {**old.properties, SYMBOL_NAME: StringAttr(name)}
    if operation.name == "func.func":
        properties["sym_visibility"] = StringAttr("private")
    signature = Signature(old.name, old.operand_types, old.result_types, properties, old.attributes)
    return remade(operation, signature)
