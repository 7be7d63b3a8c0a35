"""What the shadows of an operation's results are made of: its own kernel on f64, the order of the real run,
or the real results.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
from msgspec import Struct

from shlo.dialects import has_trait
from shlo.interpreter.engine.binding import bound_kernel
from shlo.interpreter.kernel_api import Body, KernelError, OpView
from shlo.interpreter.kernel_steps import op_view
from shlo.interpreter.program.bound_kernel import bind_kernel
from shlo.interpreter.program.code import CodeBlock, Program
from shlo.ir.dtypes import Array
from shlo.ir.operations import Block, Module, Operation, Signature
from shlo.ir.types import IntegerType, RankedTensorType, Type
from shlo.shadow.widening import is_float, widened_module, widened_value

Results = tuple[Any, ...] | None
"""Results of an operation, None where they cannot be made."""


class ShadowedStep(Struct, frozen=True):
    """A step that a kernel has taken in the real run, with the shadows of its operands."""

    code: CodeBlock
    index: int
    operands: Sequence[Any]
    shadows: Sequence[Any]
    results: Sequence[Any]

    @property
    def operation(self) -> Operation:
        """The operation that was carried out."""
        return self.code.instructions[self.index].operation


Rule = Callable[["WideProgram", ShadowedStep, Sequence[Any]], Results]
"""Returns the shadows of a step's results; takes values of f64 in place of its operands: their shadows, or
others to see what follows from those.
"""

WITHOUT_SHADOW: Final = frozenset({"chlo.next_after", "stablehlo.bitcast_convert"})
"""Operations on the bits of narrow types. Those that take the state of a run are without shadow, too."""

_CONSTANT_LIKE: Final = "chlo.constant_like"
_ADD: Final = "stablehlo.add"
_SUMS: Final = frozenset({_ADD, "stablehlo.subtract"})
_SUMS_OF_PRODUCTS: Final = frozenset(
    {"stablehlo.dot", "stablehlo.dot_general", "stablehlo.convolution", "stablehlo.dynamic_conv"}
)
_WITH_BODY: Final = frozenset({"stablehlo.reduce", "stablehlo.reduce_window", "stablehlo.scatter"})

_POSITIONS: Final = RankedTensorType((), IntegerType(64))


class WideProgram:
    """A program with f64 in place of narrower types, whose kernels run where those of the real one have run.

    One thread at a time uses it.
    """

    def __init__(self, program: Program, module: Module) -> None:
        self._functions = program.functions
        self._wide = Program(widened_module(module), program.semantics)
        self._codes: dict[int, tuple[CodeBlock, CodeBlock]] = {}

    def on_wide(self, code: CodeBlock, index: int, operands: Sequence[Any]) -> Results:
        """Returns the results of an instruction on operands in f64, None where its kernel does not take that
        or uses the state of the run.
        """
        try:
            bound = bound_kernel(self._wide_code(code), index)
            if bound.entry.needs_context:
                return None
            return _as_results(bound.evaluate(*operands), len(code.instructions[index].results))
        except KernelError:
            return None

    def magnitudes(self, code: CodeBlock, index: int, operands: Sequence[Any]) -> Array | None:
        """Returns how large the terms are together that an instruction adds up, for each element of its first
        result; None for an operation that adds up none. `operands` are those of the real run.
        """
        name = code.instructions[index].operation.name
        if name not in _SUMS and name not in _SUMS_OF_PRODUCTS and not self._sums_by_body(code, index):
            return None
        sizes = [_magnitude(widened_value(operand)) for operand in operands]
        if name in _SUMS:
            return np.asarray(sizes[0] + sizes[1])
        results = self.on_wide(code, index, sizes)
        return None if results is None else np.abs(results[0])

    def _sums_by_body(self, code: CodeBlock, index: int) -> bool:
        operation = code.instructions[index].operation
        if operation.name not in _WITH_BODY or len(operation.results) != 1:
            return False
        single = bound_kernel(code, index).op_view.bodies[0].single_operation
        return single is not None and single.name == _ADD

    def _wide_code(self, code: CodeBlock) -> CodeBlock:
        """Returns the block in the place of one of the real program; raises KernelError for a block that no
        frame runs.
        """
        pair = self._codes.get(id(code))
        if pair is None:
            pair = self._codes[id(code)] = code, self._found_code(code)
        return pair[1]

    def _found_code(self, code: CodeBlock) -> CodeBlock:
        position = code.siblings.index(code)
        if code.outside is None:
            if code.function.code.siblings != code.siblings:
                raise KernelError("the block is no part of a function")
            return self._wide.function(self._name_of(code)).code.siblings[position]
        outer, index = code.outside
        number = next(
            number for number, region in enumerate(outer.regions(index)) if region.siblings == code.siblings
        )
        return self._wide_code(outer).regions(index)[number].siblings[position]

    def _name_of(self, code: CodeBlock) -> str:
        return next(name for name, function in self._functions.items() if function is code.function)


def rule_of(code: CodeBlock, index: int) -> Rule | None:
    """Returns how an instruction's shadows are made; None where its results have none: integers, and numbers
    that the program states.
    """
    operation = code.instructions[index].operation
    is_exact = has_trait(operation.name, "constant", "integral")
    if is_exact or operation.name == _CONSTANT_LIKE or not any(map(is_float, operation.result_types)):
        return None
    if operation.name in WITHOUT_SHADOW:
        return _none
    return _RULES.get(operation.name, _by_kernel)


def is_elementwise(name: str) -> bool:
    """Returns whether an operation makes each element of the operands' elements at the same index."""
    return has_trait(name, "elementwise")


def _none(wide: WideProgram, step: ShadowedStep, shadows: Sequence[Any]) -> Results:
    return None


def _by_kernel(wide: WideProgram, step: ShadowedStep, shadows: Sequence[Any]) -> Results:
    return wide.on_wide(step.code, step.index, shadows)


def _sort(wide: WideProgram, step: ShadowedStep, shadows: Sequence[Any]) -> Results:
    """Orders shadows as the real run has ordered values."""
    operands, count = step.operands, len(step.operation.operands)
    view = op_view(step.code, step.index, operands)
    axis = view.integer("dimension", -1) % np.ndim(operands[0])
    shape = np.shape(operands[0])
    along = np.arange(shape[axis], dtype=np.int64)
    places = np.broadcast_to(np.expand_dims(along, _others(axis, len(shape))), shape)
    type_ = RankedTensorType(shape, IntegerType(64))
    old = view.signature
    signature = Signature(
        old.name,
        (*old.operand_types, type_),
        (*old.result_types, type_),
        old.properties,
        old.attributes,
    )
    body = _BodyWithPositions(view.bodies[0])
    kernel = bind_kernel(OpView(signature, (body,), (), view.symbols, view.semantics))
    order = kernel.evaluate(*operands[:count], places)[-1]
    return tuple(np.take_along_axis(np.asarray(shadow), order, axis) for shadow in shadows[:count])


def _others(axis: int, rank: int) -> tuple[int, ...]:
    return tuple(dimension for dimension in range(rank) if dimension != axis)


def _top_k(wide: WideProgram, step: ShadowedStep, shadows: Sequence[Any]) -> Results:
    """Takes the shadows of the elements that the real run has chosen, where it still holds their indices."""
    indices = step.results[1]
    if indices is None:
        return None
    return np.take_along_axis(np.asarray(shadows[0]), np.asarray(indices).astype(np.int64), -1), indices


def _select_and_scatter(wide: WideProgram, step: ShadowedStep, shadows: Sequence[Any]) -> Results:
    """Adds shadows to the elements that the real run has chosen by its own values."""
    return wide.on_wide(step.code, step.index, (widened_value(step.operands[0]), *shadows[1:]))


_RULES: Final[dict[str, Rule]] = {
    "stablehlo.sort": _sort,
    "chlo.top_k": _top_k,
    "stablehlo.select_and_scatter": _select_and_scatter,
}
"""Operations whose shadows are not made by their own kernel on shadows."""


class _BodyWithPositions(Struct, frozen=True):
    """The comparator of a sort (see `kernel_api.Body`) of one tensor more, which it does not look at."""

    of: Body

    @property
    def argument_types(self) -> tuple[Type, ...]:
        return (*self.of.argument_types, _POSITIONS, _POSITIONS)

    @property
    def result_types(self) -> tuple[Type, ...]:
        return self.of.result_types

    @property
    def single_operation(self) -> Signature | None:
        return self.of.single_operation

    @property
    def returned_arguments(self) -> tuple[int, ...] | None:
        return self.of.returned_arguments

    @property
    def is_vectorizable(self) -> bool:
        return self.of.is_vectorizable

    def on_arrays(self, *arrays: Array) -> tuple[Array, ...]:
        return self.of.on_arrays(*arrays[:-2])

    def on_scalars(self, *values: Any) -> tuple[Any, ...]:
        return self.of.on_scalars(*values[:-2])

    @property
    def block(self) -> Block:
        return self.of.block

    @property
    def text_key(self) -> object:
        return self.of.text_key


def _as_results(result: Any, count: int) -> tuple[Any, ...]:
    if count == 1:
        return (result,)
    return () if result is None else tuple(result)


def _magnitude(value: Any) -> Any:
    return np.abs(value).astype(value.dtype) if value.dtype.kind in "fc" else value
