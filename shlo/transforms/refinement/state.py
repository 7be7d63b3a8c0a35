"""State of a function's refinement: known values, and the replacement of operations.

Sizes go from the operands of an operation to its results (type inference), and so do the values of small
integers, from which shapes are computed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

import numpy as np
from msgspec import Struct

from shlo.dialects import find_op_def
from shlo.dialects.constraints import first_broken
from shlo.dialects.formula.values import UNKNOWN, Placeholder, Unknown
from shlo.dialects.inference import inferred_results
from shlo.dialects.op_bindings import OpBindings
from shlo.dialects.opdef import OpDef
from shlo.interpreter.runtime.values import is_static
from shlo.ir.attributes import IntegerAttr
from shlo.ir.dense import DenseElementsAttr
from shlo.ir.diagnostics import RefinementError
from shlo.ir.dtypes import Array
from shlo.ir.locations import place_of
from shlo.ir.operations import Block, Operation, Region, ValueTable
from shlo.ir.source import Source, Span, place_in
from shlo.ir.types import RankedTensorType, Type
from shlo.transforms.refinement.static_forms import static_form
from shlo.transforms.rewriting.rebuild import block_of, remade, with_types
from shlo.transforms.rewriting.small_values import Evaluator, constant_value, is_small, new_constant
from shlo.verifier.op_context import region_type

_SIZE = "stablehlo.get_dimension_size"


class Refined(Struct, frozen=True):
    """What became of a function: its name, which of its arguments are left, the types and, as far as they are
    known, the values of its results, and whether it has no effect.
    """

    name: str
    arguments: tuple[int, ...]
    result_types: tuple[Type, ...]
    result_values: tuple[Array | None, ...]
    is_pure: bool


class Callees(Protocol):
    """The functions of the module."""

    def refined(
        self, name: str, types: Sequence[Type], values: Sequence[Array | None], keeps_arguments: bool
    ) -> Refined | None:
        """Returns the function of that name for such arguments, of which those whose values are known are
        left out unless it `keeps_arguments`; None where it stays as it is.
        """
        ...

    def body_of(self, name: str) -> Region | None:
        """Returns the body of the function of that name."""
        ...


class Refining:
    """State of the refinement of one function.

    `values` are the small integers that are known, by number. Those that were computed from sizes, or given,
    are `derived`; they become constants of the new function, others stay as they are written. Of a list of
    sizes some may be known, others not: `partial`. `sums` are the two values that a list is the sum of.
    """

    def __init__(
        self, body: Region, callees: Callees, evaluator: Evaluator, source: Source | None, steps: Steps
    ) -> None:
        self.body = body
        self.types = list(body.values.types)
        self.table = ValueTable(self.types, list(body.values.names))
        self.callees = callees
        self.values: dict[int, Array] = {}
        self.derived: set[int] = set()
        self.partial: dict[int, tuple[int | Unknown, ...]] = {}
        self.sums: dict[int, tuple[int, int]] = {}
        self.pure_calls: set[str] = set()
        self.is_certain = True  # nothing decides at run time whether the operations here run
        self.has_changed = False
        self._evaluator = evaluator
        self._source = source
        self._steps = steps

    # --- values --------------------------------------------------------------------------------------------

    def define(self, slot: int, type_: Type, value: Array | None = None, is_derived: bool = False) -> None:
        """Notes all that is known of a value."""
        self.types[slot] = type_
        self.partial.pop(slot, None)
        if value is None:
            self.values.pop(slot, None)
        else:
            self.values[slot] = value
        if is_derived and value is not None:
            self.derived.add(slot)
        else:
            self.derived.discard(slot)

    def define_results(self, operation: Operation) -> None:
        """Notes the types of an operation's results."""
        for slot, type_ in zip(operation.results, operation.result_types):
            self.define(slot, type_)

    def constant(self, slot: int, value: Array, like: Operation) -> Operation:
        """Returns a constant that defines a value in the place of an operation."""
        type_ = self.types[slot]
        assert isinstance(type_, RankedTensorType)
        return new_constant(value, type_, slot, like)

    def known_operands(self, operation: Operation) -> list[Array | None]:
        """Returns the values of an operation's operands, None for those that are not known."""
        return [self.values.get(operand) for operand in operation.operands]

    def elements(self, slot: int) -> tuple[int | Unknown, ...] | None:
        """Returns the elements of a list as far as they are known, None for what is no list of known
        length."""
        value, type_ = self.values.get(slot), self.types[slot]
        if slot in self.partial:
            return self.partial[slot]
        if not isinstance(type_, RankedTensorType) or type_.rank != 1 or not is_small(type_):
            return None
        return (UNKNOWN,) * type_.element_count if value is None else tuple(map(int, value.tolist()))

    # --- blocks --------------------------------------------------------------------------------------------

    def region(
        self, region: Region, span: Span, types: Sequence[Type] = (), values: Sequence[Array | None] = ()
    ) -> Region:
        """Returns a region of an operation at `span`, refined for arguments of these types (without: of their
        own) and values. One with values of its own stays as it is.
        """
        if region.values is not self.body.values:
            return region
        arguments = region.blocks[0].arguments if region.blocks else ()
        for slot, type_, value in zip(arguments, types, values):
            self.define(slot, type_, value, is_derived=True)
        return Region(tuple(self.block(block, span.start) for block in region.blocks), self.table)

    def block(self, block: Block, base: int) -> Block:
        """Returns a block, refined; `base` is where the operation that contains it starts."""
        built: list[tuple[int, Operation]] = []
        for index, operation in enumerate(block.operations):
            built += [(index, new) for new in self._step(operation, block.span(index, base))]
        return block_of(block, built)

    def _step(self, operation: Operation, span: Span) -> list[Operation]:
        """Returns the replacement of an operation."""
        step = self._steps.get(operation.name)
        built = step(self, operation, span) if step else self.plain(operation, span)
        is_same = len(built) == 1 and built[0].signature is operation.signature
        self.has_changed = self.has_changed or not is_same
        return built

    def plain(self, operation: Operation, span: Span) -> list[Operation]:
        """Returns an operation that a kernel carries out, or ends a block."""
        return self.finished(
            self.sized(self.retyped(operation, self.regions(operation, span)), operation, span)
        )

    # --- operations ----------------------------------------------------------------------------------------

    def regions(self, operation: Operation, span: Span) -> tuple[Region, ...]:
        """Returns the regions of an operation, refined."""
        return tuple(self.region(region, span) for region in operation.regions)

    def retyped(self, operation: Operation, regions: tuple[Region, ...] = ()) -> Operation:
        """Returns the operation with the types that its operands have now, and other regions."""
        types = tuple([self.types[operand] for operand in operation.operands])
        if types == operation.operand_types:
            return remade(operation, operation.signature, regions=regions) if regions else operation
        return remade(operation, with_types(operation.signature, operands=types), regions=regions or None)

    def sized(self, new: Operation, old: Operation, span: Span) -> Operation:
        """Returns the operation with result types as far as its operands tell them."""
        op_def = find_op_def(new.name)
        is_open = new.signature is not old.signature or not all(map(is_static, new.result_types))
        if op_def is None or not (is_open or self._is_derived(new)):
            return new
        bindings = self._bindings(op_def, new)
        pairs = zip(inferred_results(op_def, bindings), new.result_types)
        types = tuple(inferred.refining(declared) for inferred, declared in pairs)
        if types != new.result_types:
            new = remade(new, with_types(new.signature, results=types))
        self.check(new, span)
        return new

    def check(self, operation: Operation, span: Span) -> None:
        """Raises RefinementError where a constraint of an operation does not hold."""
        op_def = find_op_def(operation.name)
        broken = first_broken(self._bindings(op_def, operation)) if op_def else None
        if broken is not None:
            code, why = broken
            raise self.error(f"{operation.name}: {why.message} [{code}]", operation, span)

    def _bindings(self, op_def: OpDef, operation: Operation) -> OpBindings:
        def constant(number: int) -> DenseElementsAttr | None:
            value, type_ = self.values.get(operation.operands[number]), operation.operand_types[number]
            if value is None or not isinstance(type_, RankedTensorType):
                return None
            return DenseElementsAttr(type_, value)

        bindings = OpBindings(
            op_def, operation.signature, tuple(map(region_type, operation.regions)), constant
        )
        for spec in op_def.operands if not self.partial.keys().isdisjoint(operation.operands) else ():
            number = bindings.origins[spec.name].first
            if spec.arity == "one" and operation.operands[number] in self.partial:
                elements = self.partial[operation.operands[number]]
                bindings[spec.name] = Placeholder(operation.operand_types[number], elements)
        return bindings

    def finished(self, operation: Operation) -> list[Operation]:
        """Returns the operation with its results defined: constants where sizes decide them, or its static
        form.
        """
        self.define_results(operation)
        values = self._results(operation)
        if values is None:
            self._note_list(operation)
            return [static_form(operation, self.values)]
        is_derived = operation.name == _SIZE or self._is_derived(operation)
        for slot, type_, value in zip(operation.results, operation.result_types, values):
            self.define(slot, type_, value, is_derived)
        return self.constants(operation, values) if is_derived else [operation]

    def _note_list(self, operation: Operation) -> None:
        """Notes what is known of a list that others are joined to, or that is a sum."""
        if operation.name == "stablehlo.add":
            self.sums[operation.results[0]] = operation.operands[0], operation.operands[1]
        if operation.name != "stablehlo.concatenate" or self.elements(operation.results[0]) is None:
            return
        parts = [self.elements(operand) for operand in operation.operands]
        elements = tuple(element for part in parts for element in part or ())
        if any(isinstance(element, int) for element in elements):
            self.partial[operation.results[0]] = elements

    def constants(self, operation: Operation, values: Sequence[Array]) -> list[Operation]:
        """Constants in place of an operation that has no effect."""
        return [self.constant(slot, value, operation) for slot, value in zip(operation.results, values)]

    def _is_derived(self, operation: Operation) -> bool:
        return not self.derived.isdisjoint(operation.operands)

    def _results(self, operation: Operation) -> list[Array] | None:
        """Returns the values of an operation's results, None where they are not known."""
        if operation.name == _SIZE:
            return _size(operation)
        if not operation.operands:
            value = constant_value(operation)
            return None if value is None else [value]
        if any(operand not in self.values for operand in operation.operands):
            return None
        return self._evaluator.results(operation, self.values, self.table)

    def error(self, message: str, operation: Operation, span: Span) -> RefinementError:
        """Returns what is wrong at an operation."""
        return RefinementError(message, place_in(self._source, span) or place_of(operation.location))


Step = Callable[[Refining, Operation, Span], list[Operation]]
Steps = Mapping[str, Step]
"""What becomes of an operation that no kernel carries out, by its name."""


def _size(operation: Operation) -> list[Array] | None:
    """Returns what get_dimension_size gives, None where the size is not known."""
    axis, type_ = operation.attribute("dimension"), operation.operand_types[0]
    if not isinstance(axis, IntegerAttr) or not isinstance(type_, RankedTensorType):
        return None
    size = type_.shape[axis.value] if 0 <= axis.value < type_.rank else None
    return None if size is None else [np.array(size, np.int32)]
