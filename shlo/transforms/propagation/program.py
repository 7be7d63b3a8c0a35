"""A program as ops with variables: each operation of each function, once for every way it is called."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Final, NamedTuple
from weakref import proxy

from msgspec import Struct

from shlo.dialects import find_op_def
from shlo.dialects.op_bindings import OpBindings
from shlo.dialects.opdef import OpDef
from shlo.ir.attributes import SymbolRefAttr
from shlo.ir.operations import Function, Module, Operation, Region, Signature, ValueTable
from shlo.ir.types import RankedTensorType, Type
from shlo.support.cancellation import checked
from shlo.transforms.propagation.relations import SameProduct
from shlo.transforms.propagation.sizes import Relation, Sizes
from shlo.verifier.op_context import region_type

MAX_OPS: Final = 200_000
"""How many ops a program may have before calls of one function share an instance."""


ValueKey = tuple[str, int, bool]
"""A value of a function by its number in the function's table; where the last item is true, a result."""


class TensorVariables(NamedTuple):
    """The variables of a tensor: one for each dimension, one for its elements."""

    dims: tuple[int, ...]
    element: int


class RegionInstance(NamedTuple):
    """What a region takes and returns, as values of the program; `base` is that of its first value."""

    arguments: tuple[int, ...]
    returned: tuple[int, ...]
    base: int


class OpInstance(Struct, eq=False, dict=True):
    """An operation of an instance. Operands and results are values of the program, which owns the ops: they
    do not keep it, so that all of it is freed at once."""

    program: SizedProgram
    operation: Operation
    start: int
    operands: tuple[int, ...]
    results: tuple[int, ...]
    regions: tuple[RegionInstance, ...] = ()
    callee: FunctionInstance | None = None

    @cached_property
    def parameters(self) -> dict[tuple[str, int], int]:
        """The variables of numbers in attributes, by the attribute's name and the number's index."""
        return {}

    @property
    def op_def(self) -> OpDef | None:
        """The definition."""
        return find_op_def(self.operation.name)

    @cached_property
    def bindings(self) -> OpBindings:
        """The members by name."""
        assert self.op_def is not None
        regions = tuple(map(region_type, self.operation.regions))
        return OpBindings(self.op_def, self.operation.signature, regions)

    def numbers(self, name: str) -> tuple[int, ...]:
        """Returns a member that is a list of numbers, which is empty where it is absent."""
        return tuple(self.bindings[name] or ())

    def number(self, name: str) -> int:
        """Returns a member that is a number."""
        return self.bindings[name]

    def dims(self, operand: int) -> tuple[int, ...]:
        """Returns the variables of an operand's dimensions, none where it is no tensor."""
        return self.program.dims(self.operands[operand])

    def out(self, result: int = 0) -> tuple[int, ...]:
        """Returns the variables of a result's dimensions."""
        return self.program.dims(self.results[result])

    def old(self, variable: int) -> Any:
        """Returns the old value of a variable."""
        return self.program.sizes.old[variable]

    def tie(self, one: int, other: int) -> None:
        """Makes two sizes equal where they are."""
        self.program.sizes.tie(one, other)

    def relate(self, relation: Relation) -> None:
        """Adds a relation."""
        self.program.relations.append((relation, self))

    def parameter(self, attribute: str, index: int, old: int) -> int:
        """Returns the variable of a number in an attribute."""
        variable = self.program.sizes.variable(old)
        self.parameters[attribute, index] = variable
        return variable


class FunctionInstance(Struct, eq=False):
    """A function, called in one way: its ops in the order of the text, and the values of its signature."""

    function: Function
    ops: list[OpInstance]
    base: int
    arguments: tuple[int, ...]
    results: tuple[int, ...]


class SizedProgram:
    """All instances of a module's functions, their values and the relations between these."""

    def __init__(
        self, module: Module, before: Mapping[ValueKey, Type], relate: Callable[[OpInstance], None]
    ) -> None:
        """Instantiates the functions. `before` are types that the module does not have any more; `relate`
        adds what an operation says of its variables."""
        self.module = module
        self._before, self._relate = before, relate
        self.sizes = Sizes()
        self.values: list[TensorVariables | None] = []
        self.types: list[Type] = []
        self.copies: list[tuple[int, int]] = []
        """Pairs of values that are the same one: operands of calls and loops with what these make of them."""
        self.relations: list[tuple[Relation, OpInstance]] = []
        self.products: list[tuple[OpInstance, tuple[int, ...], tuple[int, ...]]] = []
        """Reshapes of several dimensions into one or the other way round: lists of one product."""
        self.probed: dict[Signature, list[int | None]] = {}
        """What `rules` found of operations without regions: sizes of results for probes as operands."""
        self.instances: list[FunctionInstance] = []
        self._named: dict[str, list[OpInstance]] = {}
        self._functions: Mapping[str, Function] = module.functions
        self._path: list[str] = []
        self._shared: dict[str, FunctionInstance] = {}
        self._count = 0
        for name in self._roots():
            self.instance(name)

    def _roots(self) -> Iterator[str]:
        """Yields the functions that may be called from outside, and those that nothing calls."""
        called = {
            symbol.root
            for operation, _ in self.module.walk()
            for symbol in operation.signature.properties.values()
            if isinstance(symbol, SymbolRefAttr)
        }
        yield from (
            name for name, function in self._functions.items() if function.is_public or name not in called
        )

    def solve(self, seeds: Sequence[tuple[int, Any]]) -> list[int]:
        """Gives variables new values, and all that follow theirs; once.

        Returns the seeds that another one contradicts.
        """
        self._relate_products()
        for relation, _ in self.relations:
            self.sizes.watch(relation)
        return self.sizes.solve(seeds)

    def _relate_products(self) -> None:
        """Ties what was merged into a dimension to what is split from it, and relates what remains."""
        factors: dict[int, list[tuple[int, ...]]] = {}
        for _ in range(2):  # what is tied may tie others
            factors.clear()
            for _, ones, others in self.products:
                for merged, parts in ((ones, others), (others, ones)):
                    if len(merged) == 1:
                        factors.setdefault(self.sizes.root(merged[0]), []).append(parts)
            for first, *rest in factors.values():
                for parts in rest:
                    if [self.sizes.old[one] for one in first] == [self.sizes.old[one] for one in parts]:
                        self.sizes.tie_all(first, parts)
        self.relations += [(SameProduct(ones, others), op) for op, ones, others in self.products]

    def ops(self) -> Iterator[OpInstance]:
        """Yields all ops."""
        for instance in self.instances:
            yield from instance.ops

    def named(self, *names: str) -> Iterator[OpInstance]:
        """Yields the ops of StableHLO of some names, one name after the other."""
        for name in names:
            yield from self._named.get(f"stablehlo.{name}", ())

    def dims(self, value: int) -> tuple[int, ...]:
        """Returns the variables of a value's dimensions, none where it is no tensor."""
        variables = self.values[value]
        return variables.dims if variables else ()

    def tie_values(self, one: int, other: int) -> None:
        """Makes the types of two values equal, which are copies."""
        self.copies.append((one, other))
        self.tie_types(one, other)

    def tie_types(self, one: int, other: int) -> None:
        """Makes the types of two values equal."""
        first, second = self.values[one], self.values[other]
        if first and second:
            self.sizes.tie_all(first.dims, second.dims)
            self.sizes.tie(first.element, second.element)

    def type_of(self, value: int) -> Type:
        """Returns the new type of a value; the old type itself where nothing changes."""
        old, variables = self.types[value], self.values[value]
        if variables is None or not isinstance(old, RankedTensorType):
            return old
        shape, element = tuple(self.sizes.nows(variables.dims)), self.sizes.now(variables.element)
        if shape == old.shape and element == old.element_type:
            return old
        return RankedTensorType(shape, element, old.encoding)

    def new_types(self) -> list[Type]:
        """Returns the new type of each value; equal ones are one object."""
        known: dict[Type, Type] = {}
        types = map(self.type_of, range(len(self.types)))
        return [new if new is old else known.setdefault(new, new) for old, new in zip(self.types, types)]

    # -- building --------------------------------------------------------------------------------------------

    def instance(self, name: str) -> FunctionInstance | None:
        """Returns an instance of a function for another call; None where it has no body."""
        function = self._functions.get(name)
        if function is None or function.body is None:
            return None
        if name in self._path or (self._count > MAX_OPS and name in self._shared):
            return self._shared[name]
        self._path.append(name)
        built = self._shared[name] = self._instantiated(function, function.body)
        self._path.pop()
        return built

    def _instantiated(self, function: Function, body: Region) -> FunctionInstance:
        base = self._table(body.values, function.name)
        arguments = tuple(base + value for value in body.blocks[0].arguments)
        results = tuple(
            self._value(self._before.get((function.name, number, True), type_))
            for number, type_ in enumerate(function.type.results)
        )
        instance = FunctionInstance(function, [], base, arguments, results)
        self._shared[function.name] = instance
        self.instances.append(instance)
        self._blocks(body, base, function.span.start, instance)
        for op in instance.ops:
            if op.operation.name == "func.return":
                for operand, result in zip(op.operands, instance.results):
                    self.tie_values(operand, result)
            else:
                self._relate(op)
        return instance

    def _table(self, table: ValueTable, function: str = "") -> int:
        base = len(self.values)
        for number, type_ in enumerate(table.types):
            self._value(self._before.get((function, number, False), type_))
        return base

    def _value(self, type_: Type) -> int:
        variables = None
        if isinstance(type_, RankedTensorType):
            *dims, element = self.sizes.variables((*type_.shape, type_.element_type))
            variables = TensorVariables(tuple(dims), element)
        self.values.append(variables)
        self.types.append(type_)
        return len(self.values) - 1

    def _blocks(self, region: Region, base: int, start: int, instance: FunctionInstance) -> None:
        for block in region.blocks:
            for index in checked(range(len(block.operations))):
                self._instance_of(
                    block.operations[index], region.values, base, block.span(index, start).start, instance
                )

    def _instance_of(
        self, operation: Operation, table: ValueTable, base: int, start: int, instance: FunctionInstance
    ) -> None:
        op = OpInstance(
            proxy(self),
            operation,
            start,
            _shifted(operation.operands, base),
            _shifted(operation.results, base),
        )
        self._count += 1
        instance.ops.append(op)
        self._named.setdefault(operation.name, []).append(op)
        regions: list[RegionInstance] = []
        for region in operation.regions:
            inner = base if region.values is table else self._table(region.values)
            self._blocks(region, inner, start, instance)
            blocks = region.blocks
            arguments = blocks[0].arguments if blocks else ()
            ends = blocks[-1].operations[-1:] if blocks else ()
            returned = ends[0].operands if ends else ()
            regions.append(RegionInstance(_shifted(arguments, inner), _shifted(returned, inner), inner))
        op.regions = tuple(regions)


def _shifted(values: Sequence[int], base: int) -> tuple[int, ...]:
    return tuple(base + value for value in values)
