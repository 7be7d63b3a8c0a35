"""Composites as calls of the functions that say what they mean, and operations as composites."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from shlo.ir.attributes import DictionaryAttr, IntegerAttr, StringAttr, SymbolRefAttr, TypeAttr
from shlo.ir.operations import Block, Module, Operation, Region, Signature, ValueTable
from shlo.ir.symbols import free_symbol
from shlo.ir.types import I32, FunctionType
from shlo.transforms.rewriting.builder import ValueRef
from shlo.transforms.rewriting.driver import Copying, Rewriter, rewrite
from shlo.transforms.rewriting.rebuild import block_of, collect_uses, with_blocks, with_body

COMPOSITE = "stablehlo.composite"


def composite_to_call(module: Module, *, keep: Collection[str] = ()) -> Module:
    """Returns the module with `func.call` of the decomposition in place of each composite.

    Args:
        module: the module to rewrite.
        keep: the names of composites that stay.
    """

    def rule(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
        name, decomposition = operation.attribute("name"), operation.attribute("decomposition")
        is_kept = isinstance(name, StringAttr) and name.value in keep
        if is_kept or not isinstance(decomposition, SymbolRefAttr):
            return None
        operands = rewriter.refs(operation.operands)
        return rewriter.create("func.call", operands, operation.result_types, {"callee": decomposition})

    return rewrite(module, {COMPOSITE: rule})


def wrap_in_composite(module: Module, *, names: Collection[str] = (), version: int = 0) -> Module:
    """Returns the module with composites in place of operations, and a private function for each.

    Args:
        module: the module to rewrite.
        names: the full names of the operations.
        version: the version of the composites.

    An operation whose regions use values from outside, other than its operands, stays.
    """
    built: list[Operation] = []
    used_names = {symbol_op.symbol for symbol_op, _ in module.walk() if symbol_op.symbol is not None}

    def rule(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
        table = rewriter.original.values
        if not operation.results or not captures(operation, table) <= set(operation.operands):
            return None
        symbol = free_symbol(f"{operation.name}.impl", used_names)
        used_names.add(symbol)
        built.append(_function(operation, table, symbol))
        signature = operation.signature
        entries = {**signature.properties, **signature.attributes}
        properties = {
            "name": StringAttr(operation.name),
            "composite_attributes": DictionaryAttr.of(entries),
            "decomposition": SymbolRefAttr(symbol),
            "version": IntegerAttr(version, I32),
        }
        operands = rewriter.refs(operation.operands)
        return rewriter.create(COMPOSITE, operands, operation.result_types, properties)

    wrapped = rewrite(module, dict.fromkeys(names, rule))
    return wrapped if wrapped is module else _with_functions(wrapped, built[::-1])


def captures(operation: Operation, table: ValueTable) -> set[int]:
    """Returns the values that an operation's regions use from outside."""
    uses: dict[ValueTable, set[int]] = {}
    defined: set[int] = set()
    for region in operation.regions:
        collect_uses(region, uses)
        defined |= _defined(region, table)
    return uses.get(table, set()) - defined


def _defined(region: Region, table: ValueTable) -> set[int]:
    if region.values is not table:
        return set()
    values: set[int] = set()
    for block in region.blocks:
        values.update(block.arguments)
        for operation in block.operations:
            values.update(operation.results)
            for inner in operation.regions:
                values |= _defined(inner, table)
    return values


def _function(operation: Operation, table: ValueTable, name: str) -> Operation:
    """Returns a private function that carries an operation out."""
    values = ValueTable()
    arguments = tuple(values.define(type_) for type_ in operation.operand_types)
    copy = Copying(values, table, dict(zip(operation.operands, arguments))).operation(operation)
    new = Operation(copy.signature, arguments, copy.results, copy.regions, (), operation.location)
    end = Operation(Signature("func.return", operation.result_types), new.results)
    body = Region((Block([new, end], arguments),), values)
    type_ = FunctionType(operation.operand_types, operation.result_types)
    properties = {
        "sym_name": StringAttr(name),
        "function_type": TypeAttr(type_),
        "sym_visibility": StringAttr("private"),
    }
    return Operation(Signature("func.func", properties=properties), regions=(body,))


def _with_functions(module: Module, functions: Sequence[Operation]) -> Module:
    """Returns the module with functions behind all others."""
    (block,) = module.body.blocks
    last = len(block.operations) - 1
    operations = [*enumerate(block.operations), *((last, function) for function in functions)]
    return with_body(module, with_blocks(module.body, (block_of(block, operations),)))
