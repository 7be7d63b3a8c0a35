"""Programs that also return values which they compute on the way: of a called function, of a branch, of one
iteration of a loop.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Final

from msgspec import Struct

from shlo.interpreter.kernel_steps import at_line
from shlo.interpreter.program.code import callee_attribute
from shlo.ir.attributes import SymbolRefAttr
from shlo.ir.locations import place_of
from shlo.ir.operations import Block, Function, Module, Operation, Region, Signature, ValueTable
from shlo.ir.source import place_in
from shlo.ir.types import FunctionType, IntegerType, RankedTensorType, Type
from shlo.runner.errors import RequestError
from shlo.syntax import parse
from shlo.transforms.rewriting.builder import zeros_of
from shlo.transforms.rewriting.driver import Copying
from shlo.transforms.rewriting.rebuild import reached_from, remade, with_function_type, with_types

COUNT: Final = -1
"""In place of a value: how many iterations the innermost loop has."""

MOST_OPERATIONS: Final = 200_000
"""How many operations a function may have once calls are inlined."""

LOOP: Final = "stablehlo.while"
BRANCHES: Final = ("stablehlo.if", "stablehlo.case")
_COUNTER: Final = RankedTensorType((), IntegerType(32))


class Descent(Struct, frozen=True):
    """A step into a region: its operation, its number, and for a loop which iteration, from 0."""

    operation: Operation
    region: int
    iteration: int = 0


class InlinedFunction:
    """The entry function of a program, with the bodies of functions in place of calls; operations keep their
    identity from one program with extra results to the next.

    Args:
        module: the program.
        entry: its function, of one block.

    Raises:
        RequestError: the function has several blocks, or is too large.
    """

    def __init__(self, module: Module, entry: str) -> None:
        self._module = reached_from(module, entry)
        function = self._module.functions[entry]
        if function.body is None or len(function.body.blocks) != 1:
            raise RequestError(f"expected a function of one block, got @{entry}")
        self._function = function.operation
        self.entry, self.table = entry, ValueTable()
        spans = ((operation, place_in(module.source, span)) for operation, span in module.walk())
        self._places = {id(operation): place or place_of(operation.location) for operation, place in spans}
        self._origins: dict[int, tuple[Operation, tuple[str, ...]]] = {}
        block = function.body.blocks[0]
        copying = _Inlining(self, function.body.values, {}, ())
        self.arguments = copying.arguments(block)
        self.operations = copying.operations(block.operations[:-1])
        self.returned = [copying.numbers[value] for value in block.operations[-1].operands]

    def callee_of(self, operation: Operation) -> Function | None:
        """Returns the function of one block that an operation calls, None where it calls none."""
        name = callee_attribute(operation)
        symbol = None if name is None else operation.attribute(name)
        if not isinstance(symbol, SymbolRefAttr) or symbol.nested:
            return None
        function = self._module.functions.get(symbol.root)
        if function is None or function.body is None or len(function.body.blocks) != 1:
            return None
        return function if function.type.results == operation.result_types else None

    def place(self, operation: Operation) -> str | None:
        """Returns `file:line:column` of an operation, None where nothing tells."""
        return self.place_of_original(self._origins[id(operation)][0])

    def place_of_original(self, operation: Operation) -> str | None:
        """Returns `file:line:column` of an operation of the program before calls were inlined."""
        return self._places.get(id(operation))

    def calls(self, operation: Operation) -> tuple[str, ...]:
        """Returns the calls that lead to an operation, outermost first."""
        return self._origins[id(operation)][1]

    def path(self, descents: Sequence[Descent], operation: Operation) -> tuple[str, ...]:
        """Returns the calls, branches and iterations that lead to an operation, outermost first."""
        parts, told = list[str](), 0
        for descent in descents:
            calls = self.calls(descent.operation)
            place = self.place(descent.operation)
            name = f"{descent.operation.name}{f' at {place}' if place else ''}"
            is_loop = descent.operation.name == LOOP
            what = f"iteration {descent.iteration} of" if is_loop else f"region {descent.region} of"
            parts += [*calls[told:], f"{what} {name}"]
            told = len(calls)
        return (*parts, *self.calls(operation)[told:])

    def originate(self, copy: Operation, original: Operation, calls: tuple[str, ...]) -> None:
        """Takes where a copied operation is from; raises RequestError where there are too many."""
        if len(self._origins) >= MOST_OPERATIONS:
            raise RequestError(f"expected at most {MOST_OPERATIONS:,} operations once calls are inlined")
        self._origins[id(copy)] = original, calls

    def returning(self, descents: Sequence[Descent], values: Sequence[int]) -> Module:
        """Returns the program that returns, behind its results, values of a block that these descents lead
        to, as they are when it was executed last at those iterations.
        """
        operations, extra = self._with_values(self.operations, descents, values)
        returned = (*self.returned, *extra)
        types = self.table.types
        results = tuple(types[value] for value in returned)
        kind = FunctionType(tuple(types[value] for value in self.arguments), results)
        end = Operation(Signature("func.return", results), returned)
        body = Region((Block([*operations, end], self.arguments),), self.table)
        signature = with_function_type(self._function.signature, kind)
        main = Operation(signature, regions=(body,))
        (block,) = self._module.body.blocks
        symbols = [main if operation is self._function else operation for operation in block.operations]
        region = Region((Block(symbols),), self._module.body.values)
        whole = Operation(self._module.operation.signature, regions=(region,))
        return reached_from(Module(whole, resources=self._module.resources), self.entry)

    def _with_values(
        self, operations: Sequence[Operation], descents: Sequence[Descent], values: Sequence[int]
    ) -> tuple[list[Operation], list[int]]:
        """Returns the operations of a block, changed, and what gives these values in it."""
        if not descents:
            return list(operations), list(values)
        descent, *others = descents
        index = next(at for at, operation in enumerate(operations) if operation is descent.operation)
        make = self._loop if descent.operation.name == LOOP else self._branch
        block = descent.operation.regions[descent.region].blocks[0]
        is_counted = values == (COUNT,) and not others
        inner, inner_values = self._with_values(block.operations[:-1], others, () if is_counted else values)
        before, operation, extra = make(descent, inner, inner_values)
        extra = extra[-1:] if is_counted else extra[: len(inner_values)]
        return [*operations[:index], *before, operation, *operations[index + 1 :]], extra

    def _loop(
        self, descent: Descent, inner: Sequence[Operation], values: Sequence[int]
    ) -> tuple[list[Operation], Operation, list[int]]:
        """Returns a loop that hands on values of one iteration of its body, what it needs before it, and its
        results that these values are, with the number of iterations at the end.
        """
        operation, table = descent.operation, self.table
        types = tuple(table.types[value] for value in values)
        before = [self._zeros(type_) for type_ in (*types, _COUNTER)]
        inputs = [constant.results[0] for constant in before]
        condition, body = operation.regions
        carried = [[table.define(type_) for type_ in (*types, _COUNTER)] for _ in range(3)]
        step, stepped = self._step(descent.iteration, values, carried[1])
        ended = _with_end(body.blocks[0], [*inner, *step], stepped, (*types, _COUNTER), carried[1])
        tested = condition.blocks[0]
        tested = Block(list(tested.operations), (*tested.arguments, *carried[0]))
        regions = Region((tested,), table), Region((ended,), table)
        return before, _widened(operation, inputs, carried[2], (*types, _COUNTER), regions), carried[2]

    def _step(
        self, iteration: int, values: Sequence[int], carried: Sequence[int]
    ) -> tuple[list[Operation], list[int]]:
        """Returns operations that replace carried values by others at an iteration, and what they give: the
        values, and how many iterations were begun.
        """
        types = [self.table.types[value] for value in values]
        rows = list(enumerate(types))
        takes = "".join(f", %v{at}: {type_}, %e{at}: {type_}" for at, type_ in rows)
        chosen = "".join(
            f"%s{at} = stablehlo.select %is, %v{at}, %e{at} : tensor<i1>, {type_}\n" for at, type_ in rows
        )
        results = ", ".join([*(f"%s{at}" for at, _ in rows), "%next"])
        gives = ", ".join([*map(str, types), str(_COUNTER)])
        text = f"""func.func @step(%k: tensor<i32>{takes}) -> ({gives}) {{
          %n = stablehlo.constant dense<{iteration}> : tensor<i32>
          %one = stablehlo.constant dense<1> : tensor<i32>
          %is = stablehlo.compare EQ, %k, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
          %next = stablehlo.add %k, %one : tensor<i32>
          {chosen}return {results} : {gives}
        }}"""
        body = parse(text)[0].functions["step"].body
        assert body is not None
        block = body.blocks[0]
        operands = [carried[-1], *chain.from_iterable(zip(values, carried))]
        copying = Copying(self.table, body.values, dict(zip(block.arguments, operands)))
        operations = copying.operations(block.operations[:-1])
        return operations, [copying.numbers[value] for value in block.operations[-1].operands]

    def _branch(
        self, descent: Descent, inner: Sequence[Operation], values: Sequence[int]
    ) -> tuple[list[Operation], Operation, list[int]]:
        """Returns a branch that also gives values of one of its regions, zeros where another one is taken."""
        types = tuple(self.table.types[value] for value in values)
        regions: list[Region] = []
        for number, region in enumerate(descent.operation.regions):
            block = region.blocks[0]
            operations, extra = list(inner), list(values)
            if number != descent.region:
                zeros = [self._zeros(type_) for type_ in types]
                operations = [*block.operations[:-1], *zeros]
                extra = [constant.results[0] for constant in zeros]
            regions.append(Region((_with_end(block, operations, extra, types, ()),), self.table))
        results = [self.table.define(type_) for type_ in types]
        operation = _widened(descent.operation, (), results, types, tuple(regions))
        return [], operation, results

    def _zeros(self, type_: Type) -> Operation:
        constant = zeros_of(type_, self.table)
        assert constant is not None, "see `can_return`"
        return constant

    def can_return(self, value: int, descents: Sequence[Descent]) -> bool:
        """Returns whether a value can be a result; in regions one whose type has zeros."""
        type_ = self.table.types[value]
        return isinstance(type_, RankedTensorType) and (
            not descents or zeros_of(type_, ValueTable()) is not None
        )


def _with_end(
    block: Block,
    operations: Sequence[Operation],
    values: Sequence[int],
    types: tuple[Type, ...],
    arguments: Sequence[int],
) -> Block:
    """Returns a block of operations that ends with more values than it does, and has more arguments."""
    end = block.operations[-1]
    signature = with_types(end.signature, (*end.signature.operand_types, *types))
    new_end = remade(end, signature, (*end.operands, *values))
    return Block([*operations, new_end], (*block.arguments, *arguments))


def _widened(
    operation: Operation,
    operands: Sequence[int],
    results: Sequence[int],
    types: tuple[Type, ...],
    regions: tuple[Region, ...],
) -> Operation:
    """Returns control flow with more operands, if any, and results."""
    old = operation.signature
    signature = with_types(
        old, (*old.operand_types, *types) if operands else None, (*old.result_types, *types)
    )
    return Operation(
        signature,
        (*operation.operands, *operands),
        (*operation.results, *results),
        regions,
        (),
        operation.location,
    )


class _Inlining(Copying):
    """Copies operations into an inlined function, with the operations of functions in place of calls."""

    def __init__(
        self,
        function: InlinedFunction,
        old: ValueTable,
        numbers: dict[int, int],
        calls: tuple[str, ...],
        names: tuple[str, ...] = (),
    ) -> None:
        super().__init__(function.table, old, numbers)
        self._function, self._calls, self._names = function, calls, names

    def arguments(self, block: Block) -> tuple[int, ...]:
        """Returns new values for the arguments of a block."""
        return self._defined(block.arguments)

    def operation(self, operation: Operation) -> Operation:
        """Returns a copy of an operation that is no call."""
        copy = super().operation(operation)
        self._function.originate(copy, operation, self._calls)
        return copy

    def operations(self, operations: Sequence[Operation]) -> list[Operation]:
        """Returns copies of operations that follow each other, those of functions in place of calls."""
        copies: list[Operation] = []
        for operation in operations:
            callee = self._function.callee_of(operation)
            if callee is None or callee.name in self._names:
                copies.append(self.operation(operation))
            else:
                copies += self._inlined(operation, callee)
        return copies

    def _inlined(self, call: Operation, callee: Function) -> list[Operation]:
        assert callee.body is not None
        block = callee.body.blocks[0]
        numbers = dict(zip(block.arguments, [self.numbers[operand] for operand in call.operands]))
        where = at_line(call, self._function.place_of_original(call))
        calls = (*self._calls, f"call of @{callee.name}{where}")
        names = (*self._names, callee.name)
        copying = _Inlining(self._function, callee.body.values, numbers, calls, names)
        copies = copying.operations(block.operations[:-1])
        returned = [copying.numbers[operand] for operand in block.operations[-1].operands]
        self.numbers.update(zip(call.results, returned))
        return copies
