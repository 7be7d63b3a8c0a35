"""Small modules made by hand, so that tests of the executor need no parser."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from shlo.ir.attributes import Attribute, EnumAttr, StringAttr, SymbolRefAttr, TypeAttr
from shlo.ir.dense import DenseElementsAttr
from shlo.ir.dtypes import element_type_for
from shlo.ir.locations import FileLocation
from shlo.ir.operations import Block, Module, Operation, Region, Signature, ValueTable
from shlo.ir.types import I1, FunctionType, RankedTensorType, Type


def tensor(element_type: Type, *shape: int | None) -> RankedTensorType:
    """`tensor(F32, 2, 3)` is tensor<2x3xf32>."""
    return RankedTensorType(shape, element_type)


class BlockBuilder:
    """Adds operations to one block; values are numbers of the function's table."""

    def __init__(self, values: ValueTable, arguments: Sequence[Type] = ()) -> None:
        self.values = values
        self.arguments = tuple(values.define(type_) for type_ in arguments)
        self.operations: list[Operation] = []

    def op(
        self,
        name: str,
        operands: Sequence[int] = (),
        results: Sequence[Type] = (),
        regions: Sequence[Region] = (),
        **properties: Attribute,
    ) -> Any:
        """Returns an operation: its result, or the tuple of its results where there are none or several.

        Its location is `built:N:1`, N being the number of values that were defined before its own.
        """
        types = tuple(self.values.types[operand] for operand in operands)
        signature = Signature(_full(name), types, tuple(results), properties)
        location = FileLocation("built", len(self.values.types), 1)
        defined = tuple(self.values.define(type_) for type_ in results)
        self.operations.append(
            Operation(signature, tuple(operands), defined, tuple(regions), location=location)
        )
        return defined[0] if len(defined) == 1 else defined

    def constant(self, value: Any) -> int:
        """Returns a constant of an array or NumPy scalar."""
        array = np.asarray(value)
        type_ = RankedTensorType(array.shape, element_type_for(array.dtype))
        return self.op("constant", (), (type_,), value=DenseElementsAttr(type_, array))

    def binary(self, name: str, lhs: int, rhs: int) -> int:
        """Returns an operation whose result is of its operands' type."""
        return self.op(name, (lhs, rhs), (self.values.types[lhs],))

    def compare(self, direction: str, lhs: int, rhs: int) -> int:
        type_ = self.values.types[lhs]
        assert isinstance(type_, RankedTensorType)
        word = EnumAttr("stablehlo", "comparison_direction", direction)
        return self.op("compare", (lhs, rhs), (tensor(I1, *type_.shape),), comparison_direction=word)

    def custom_call(self, target: str, operands: Sequence[int], results: Sequence[Type]) -> Any:
        return self.op("custom_call", operands, results, call_target_name=StringAttr(target))

    def call(self, callee: str, operands: Sequence[int], results: Sequence[Type]) -> Any:
        return self.op("func.call", operands, results, callee=SymbolRefAttr(callee))

    def while_loop(
        self,
        initial: Sequence[int],
        condition: Callable[[BlockBuilder], Sequence[int]],
        body: Callable[[BlockBuilder], Sequence[int]],
    ) -> tuple[int, ...]:
        """Returns a loop; condition and body get a builder of their block and give what it returns."""
        types = [self.values.types[register] for register in initial]
        regions = [self.region(make, types) for make in (condition, body)]
        results = self.op("while", initial, types, regions)
        return (results,) if len(types) == 1 else results

    def branch(self, name: str, selector: int, results: Sequence[Type], *branches: Any) -> Any:
        """Returns an `if` or a `case`."""
        return self.op(name, (selector,), results, [self.region(make, ()) for make in branches])

    def region(self, make: Callable[[BlockBuilder], Sequence[int]], arguments: Sequence[Type]) -> Region:
        """Returns a region whose block takes arguments and returns what `make` gives."""
        inner = BlockBuilder(self.values, arguments)
        inner.op("return", make(inner))
        return Region((Block(inner.operations, inner.arguments),), self.values)


def function(
    name: str, arguments: Sequence[Type], make: Callable[[BlockBuilder], Sequence[int]]
) -> Operation:
    """Returns a function of these arguments that returns what `make` gives."""
    values = ValueTable()
    builder = BlockBuilder(values, arguments)
    returned = make(builder)
    builder.op("func.return", returned)
    type_ = FunctionType(tuple(arguments), tuple(values.types[register] for register in returned))
    region = Region((Block(builder.operations, builder.arguments),), values)
    properties: Mapping[str, Attribute] = {"sym_name": StringAttr(name), "function_type": TypeAttr(type_)}
    return Operation(Signature("func.func", properties=properties), regions=(region,))


def module(*functions: Operation) -> Module:
    """Returns a module of these functions."""
    region = Region((Block(list(functions)),), ValueTable())
    return Module(Operation(Signature("builtin.module"), regions=(region,)))


def program(arguments: Sequence[Type], make: Callable[[BlockBuilder], Sequence[int]]) -> Module:
    """Returns a module of one function, `main`."""
    return module(function("main", arguments, make))


def _full(name: str) -> str:
    return name if "." in name else f"stablehlo.{name}"
