"""Attributes that speak of symbols and of the values of their operation: shardings over meshes of devices."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from shlo.dialects.attr_constraints import Problem
from shlo.dialects.func.rules import function_type_of
from shlo.dialects.op_bindings import Finding
from shlo.dialects.sdy.attributes import OpShardingRule, PropagationEdges, ShardingPerValue, TensorSharding
from shlo.dialects.sdy.value_shardings import MANUAL, SHARDING, bound_axes, mesh_of, shardings_of
from shlo.dialects.struct_attributes import ReplicaGroupMeshAxes
from shlo.ir.attributes import ArrayAttr, Attribute, DictionaryAttr, SymbolRefAttr
from shlo.ir.operations import Signature
from shlo.ir.suggestions import Declare, LeaveOut, Rename
from shlo.ir.types import Type
from shlo.verifier.op_cursor import OpCursor


def reference_findings(cursor: OpCursor) -> Iterator[Finding]:
    """What is wrong with the shardings and meshes that an operation's attributes name."""
    signature = cursor.operation.signature
    for name, attribute in signature.properties.items():
        if isinstance(attribute, ReplicaGroupMeshAxes):
            yield from _mesh_of_groups(cursor, name, attribute)
        elif isinstance(attribute, (TensorSharding, ShardingPerValue)):
            yield from _shardings(cursor, name, shardings_of(attribute), _values_of(signature, name))
        elif name in ("arg_attrs", "res_attrs") and isinstance(attribute, ArrayAttr):
            yield from _of_function(cursor, name, attribute)
    for name, attribute in signature.attributes.items():
        check = _CHECKS.get(name)
        if check:
            yield from check(cursor, name, attribute)


def _finding(name: str, problem: Problem) -> Finding:
    return Finding("sharding", problem.message, (name,), suggestions=problem.suggestions)


def _wrong_kind(name: str, wanted: str, attribute: Attribute) -> Finding:
    return _finding(
        name,
        Problem(f"expected {wanted} for {name}, got {attribute}", (LeaveOut(name, words="leave it out"),)),
    )


# --- meshes


def _mesh_of_groups(cursor: OpCursor, name: str, groups: ReplicaGroupMeshAxes) -> Iterator[Finding]:
    if isinstance(groups.mesh, SymbolRefAttr) and cursor.find(groups.mesh) is None:
        yield _no_mesh(cursor, name, groups.mesh)


def _no_mesh(cursor: OpCursor, name: str, symbol: Attribute) -> Finding:
    close = cursor.nearest_symbol(symbol.root) if isinstance(symbol, SymbolRefAttr) else None
    rename = Rename(str(symbol), f"@{close}" if close else "", "mesh")
    suggestions = (rename,) if close else (rename, Declare(str(symbol), "mesh"))
    message = f"there is no mesh {symbol} in the module"
    return Finding("unknown-symbol", message, (name,), suggestions=suggestions)


# --- shardings


def _values_of(signature: Signature, name: str) -> Sequence[Type]:
    """Returns the types of the values that the shardings of an operation of sdy are for."""
    return signature.operand_types if name == "in_shardings" else signature.result_types


def _of_results(cursor: OpCursor, name: str, attribute: Attribute) -> Iterator[Finding]:
    if isinstance(attribute, ShardingPerValue):
        yield from _shardings(cursor, name, attribute.shardings, cursor.operation.result_types)
    else:
        yield _wrong_kind(name, "#sdy.sharding_per_value<[...]>", attribute)


def _of_function(cursor: OpCursor, name: str, attributes: ArrayAttr) -> Iterator[Finding]:
    declared = function_type_of(cursor.operation)
    types = () if declared is None else declared.inputs if name == "arg_attrs" else declared.results
    for entry, type_ in zip(attributes, types):
        attribute = entry.as_dict().get(SHARDING) if isinstance(entry, DictionaryAttr) else None
        if isinstance(attribute, TensorSharding):
            yield from _shardings(cursor, name, (attribute,), (type_,))
        elif attribute is not None:
            yield _wrong_kind(name, "#sdy.sharding<...>", attribute)


def _shardings(
    cursor: OpCursor, name: str, shardings: Sequence[TensorSharding], types: Sequence[Type]
) -> Iterator[Finding]:
    if cursor.operation.name == MANUAL and not (shardings or types):
        return
    meshes = [mesh_of(cursor, sharding) for sharding in shardings]
    for sharding, mesh in zip(shardings, meshes):
        if mesh is None:
            yield _no_mesh(cursor, name, sharding.mesh)
            return
    defined_meshes = [mesh for mesh in meshes if mesh is not None]
    from shlo.dialects.sdy.rules.shardings import shardings_problem

    properties = cursor.operation.signature.properties.values()
    others = (
        sharding
        for attribute in properties
        if isinstance(attribute, TensorSharding | ShardingPerValue)
        for sharding in shardings_of(attribute)
    )
    problem = shardings_problem(shardings, types, defined_meshes, frozenset(bound_axes(cursor)), others)
    if problem:
        yield _finding(name, problem)


# --- rules and edges


def _rule(cursor: OpCursor, name: str, attribute: Attribute) -> Iterator[Finding]:
    from shlo.dialects.sdy.rules.factors import rule_problem

    operation = cursor.operation
    if not isinstance(attribute, OpShardingRule):
        yield _wrong_kind(name, "#sdy.op_sharding_rule<...>", attribute)
    elif problem := rule_problem(attribute, operation.operand_types, operation.result_types):
        yield _finding(name, problem)


def _edges(cursor: OpCursor, name: str, attribute: Attribute) -> Iterator[Finding]:
    from shlo.dialects.sdy.rules.edges import propagation_problem

    if not isinstance(attribute, PropagationEdges):
        yield _wrong_kind(name, "#sdy.propagation_edges<[...]>", attribute)
    elif problem := propagation_problem(attribute, cursor):
        yield _finding(name, problem)


def _lists_of_edges(cursor: OpCursor, name: str, attribute: Attribute) -> Iterator[Finding]:
    is_list = isinstance(attribute, ArrayAttr)
    if not is_list or not all(isinstance(item, PropagationEdges) for item in attribute):
        yield _wrong_kind(name, "[#sdy.propagation_edges<[...]>, ...]", attribute)


_CHECKS: Final[Mapping[str, Callable[[OpCursor, str, Attribute], Iterator[Finding]]]] = {
    SHARDING: _of_results,
    "sdy.sharding_rule": _rule,
    "sdy.propagation_edges": _edges,
    "sdy.result_propagation_edges": _lists_of_edges,
    "sdy.block_arg_propagation_edges": _lists_of_edges,
}
"""What checks an attribute of any operation, by its name."""
