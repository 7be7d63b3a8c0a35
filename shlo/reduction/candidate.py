"""Candidates of a reduction: a program, its entry function, and what is known of the values in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, Final

from msgspec import Struct, field
from msgspec.structs import replace

from shlo.dialects.constants import constant_elements
from shlo.ir.attributes import ArrayAttr, Attribute, DictionaryAttr, StringAttr, TypeAttr
from shlo.ir.dense import DenseElementsAttr
from shlo.ir.operations import SYMBOL_NAME, Block, Module, Operation, Region, Signature, ValueTable
from shlo.ir.types import FunctionType, RankedTensorType, Type
from shlo.transforms.rewriting.driver import Copying
from shlo.transforms.rewriting.rebuild import reached_from, with_function_type, with_operations, with_regions

RETURN: Final = "func.return"
_NO_ENTRIES: Final = DictionaryAttr(())

Values = Mapping[int, Any]
"""Arrays, by the numbers of values of the entry function."""

Execution = tuple[int, int, Values]
"""The block of region `[1]` of operation `[0]` of the entry function was entered with these values."""


class Candidate(Struct, frozen=True, eq=False, dict=True):
    """A program that may show the fault. The entry function has a table of values of its own, to which edits
    add; values keep their numbers from one candidate to the next as long as what computes them stays.

    Args:
        module: the program.
        entry: the name of the function that is run.
        values: what is known of the function's values, those of its arguments among them.
        executions: how regions and functions directly in the entry function were entered.
        fixed: how many arguments, the first ones, stay even where nothing uses them.
    """

    module: Module
    entry: str
    values: Values = field(default_factory=dict[int, Any])
    executions: tuple[Execution, ...] = ()
    fixed: int = 0

    @cached_property
    def function(self) -> Operation:
        """The operation of the entry function."""
        return self.module.functions[self.entry].operation

    @property
    def body(self) -> Region:
        """The region of the entry function."""
        return self.function.regions[0]

    @property
    def block(self) -> Block:
        """The entry function's block, the first where it has several."""
        return self.body.blocks[0]

    @property
    def is_straight(self) -> bool:
        """Whether the entry function has one block, which returns."""
        return len(self.body.blocks) == 1 and self.block.operations[-1].name == RETURN

    @cached_property
    def operation_count(self) -> int:
        """How many operations the program has, those of regions among them; functions, and what ends blocks,
        left out.
        """
        return sum(
            not (op.name.endswith(".return") or op.name in ("func.func", "builtin.module"))
            for op, _ in self.module.walk()
        )

    @cached_property
    def element_count(self) -> int:
        """How many elements the values of all operations have, as far as types tell."""
        return sum(
            type_.element_count
            for region in _tables(self.module.body)
            for type_ in region
            if isinstance(type_, RankedTensorType) and type_.is_static
        )

    @cached_property
    def constant_weight(self) -> int:
        """How much constants say: nothing where all elements are zero, more where they differ."""
        constants = (constant_elements(operation) for operation, _ in self.module.walk())
        return sum(_weight(elements) for elements in constants if elements is not None)

    @cached_property
    def text(self) -> str:
        """MLIR's text of the program, without locations."""
        return self.module.to_text()

    @property
    def weight(self) -> tuple[int, int, int, int]:
        """What a reduction makes smaller: operations, then elements, what constants say, characters."""
        return self.operation_count, self.element_count, self.constant_weight, len(self.text)


def _weight(value: DenseElementsAttr) -> int:
    array = value.array
    if not value.is_splat:
        return 3 if array.size else 0
    first = array.reshape(-1)[:1].astype(bool)
    return 0 if not first.any() else 1 if (array.reshape(-1)[:1] == 1).all() else 2


def _tables(region: Region) -> list[list[Type]]:
    """Returns the types of the values that the blocks of a region, and of regions inside, define."""
    tables: list[list[Type]] = []
    waiting = [region]
    while waiting:
        region = waiting.pop()
        for block in region.blocks:
            tables.append([region.values.types[value] for value in block.arguments])
            for operation in block.operations:
                tables.append(list(operation.result_types))
                waiting += operation.regions
    return tables


def adopted(module: Module, entry: str, values: Sequence[Any] = ()) -> Candidate:
    """Returns a candidate of the functions that one reaches; those of one block are copies with tables of
    their own.

    Args:
        module: the program, which is left as it is.
        entry: the function that is run, which has a body.
        values: what it is called with; none where nothing is run.
    """
    return _copied(reached_from(module, entry), entry, values)


def whole(module: Module, entry: str, values: Sequence[Any] = ()) -> Candidate:
    """Returns a candidate of all functions, as `adopted` does of some."""
    return _copied(Module(module.operation, resources=module.resources), entry, values)


def _copied(module: Module, entry: str, values: Sequence[Any]) -> Candidate:
    def copied(operation: Operation) -> Operation:
        if len(operation.regions) != 1 or len(operation.regions[0].blocks) != 1:
            return operation
        return Copying(ValueTable(), operation.regions[0].values, {}).operation(operation)

    built = changed(module, copied)
    arguments = built.functions[entry].operation.regions[0].blocks[0].arguments
    return Candidate(built, entry, dict(zip(arguments, values)), fixed=len(arguments))


def rebuilt(
    operation: Operation,
    change: Callable[[Operation], Operation],
    is_changed: Callable[[Region], bool] = lambda region: True,
) -> Operation:
    """Returns the operation with what `change` makes of each operation directly in its regions, those of
    which `is_changed` is true; the operation itself where nothing changes.
    """
    if not operation.regions:
        return operation
    regions = (
        with_operations(region, change) if is_changed(region) else region for region in operation.regions
    )
    return with_regions(operation, tuple(regions))


def replaced(module: Module, old: Operation, new: Operation) -> Module:
    """Returns a module with another operation in the place of one, wherever it is."""

    def change(operation: Operation) -> Operation:
        if operation is old:
            return new
        return rebuilt(operation, change) if operation.regions else operation

    return changed(module, change)


def changed(module: Module, change: Callable[[Operation], Operation]) -> Module:
    """Returns a module with what `change` makes of each operation directly in it."""
    return Module(rebuilt(module.operation, change), resources=module.resources)


def with_block(
    candidate: Candidate,
    operations: Sequence[Operation],
    arguments: Sequence[int],
    returned: Sequence[int],
    values: Values | None = None,
) -> Candidate:
    """Returns a candidate whose entry function consists of these operations, without what ended it before.

    Args:
        candidate: what it is made from, of one block.
        operations: all but the last one.
        arguments: the values that are arguments now.
        returned: the values that it returns.
        values: what is known of values, where that is not the same.
    """
    table, block, old = candidate.body.values, candidate.block, candidate.function
    types = table.types
    results = tuple(types[value] for value in returned)
    end = Operation(Signature(RETURN, results), tuple(returned))
    kind = FunctionType(tuple(types[value] for value in arguments), results)
    before = block.operations[-1].operands
    changes = {
        **_entries(old.signature, "arg_attrs", block.arguments, arguments),
        **_entries(old.signature, "res_attrs", before, returned),
    }
    signature = with_function_type(old.signature, kind, **changes)
    built = Block([*operations, end], tuple(arguments))
    function = Operation(signature, regions=(Region((built,), table),))
    return replace(
        candidate,
        module=changed(candidate.module, lambda operation: function if operation is old else operation),
        values=candidate.values if values is None else values,
        executions=(),
        fixed=min(candidate.fixed, len(arguments)),
    )


def with_module(candidate: Candidate, module: Module) -> Candidate:
    """Returns the candidate with another program, whose entry function has the same arguments; of its values
    only these are known.
    """
    values_before = candidate.values
    values = {
        argument: values_before[argument]
        for argument in candidate.block.arguments
        if argument in values_before
    }
    return replace(candidate, module=module, values=values, executions=())


def _entries(
    signature: Signature, name: str, before: Sequence[int], after: Sequence[int]
) -> dict[str, Attribute]:
    """Returns the attributes of arguments or results for others of them; nothing where there are none."""
    entries = signature.attribute(name)
    if not isinstance(entries, ArrayAttr):
        return {}
    of_value = dict(zip(before, entries))
    return {name: ArrayAttr(tuple(of_value.get(value, _NO_ENTRIES) for value in after))}


def function_signature(name: str, kind: FunctionType) -> Signature:
    """Returns the signature of a public function."""
    return Signature("func.func", properties={SYMBOL_NAME: StringAttr(name), "function_type": TypeAttr(kind)})
