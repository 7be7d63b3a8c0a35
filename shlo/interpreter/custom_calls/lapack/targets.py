"""Binds a custom call to a routine of LAPACK: operands, options, layouts, batches, results by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from shlo.interpreter.custom_call_api import CustomCall
from shlo.interpreter.custom_calls.lapack.layouts import (
    Change,
    Layout,
    column_major,
    declared_layouts,
    reinterpreted,
)
from shlo.interpreter.custom_calls.lapack.options import Computation, DType, lettered
from shlo.interpreter.custom_calls.lapack.routines import WORK, Routine, core_rank
from shlo.interpreter.kernel_api import KernelError, KernelFn
from shlo.interpreter.kernels.linalg import over_batch
from shlo.interpreter.kernels.routine_calls import ByRoutine, RoutinePlan
from shlo.interpreter.kernels.shapes import Sizes
from shlo.interpreter.topology.frontend_attributes import is_one_tuple, result_types
from shlo.ir.dtypes import Array, dtype_of
from shlo.ir.types import IntegerType, RankedTensorType

Options = Callable[[CustomCall], Mapping[str, Any]]


def attributes(call: CustomCall) -> Mapping[str, Any]:
    """Returns the options in a call's dictionary."""
    return call.config


class Target(Struct, frozen=True):
    """Calling convention of a target.

    `numbers` names the operands in front that are options or sizes, `numbers_behind` those at the end;
    `options` reads the options of the call itself, and `defaults` are those that it may leave out. `dtype` is
    the type of the elements, None for any that LAPACK has. `layout` is the one that the routine expects of
    memory, None if it sees arrays as the program does.
    """

    routine: Routine
    dtype: DType | None = None
    numbers: tuple[str, ...] = ()
    numbers_behind: tuple[str, ...] = ()
    options: Options = attributes
    defaults: Mapping[str, Any] | None = None
    layout: Callable[[int, int], Layout] | None = column_major


def bind_routine(target: Target, call: CustomCall) -> KernelFn:
    """Returns the function of a call of a target; a handler of custom calls, once the target is bound. Raises
    KernelError if operands, options, layouts or results do not fit the routine."""
    return _Binding(target, call).evaluate()


class _Binding:
    """Static part of one call; caches the last computations by their options."""

    def __init__(self, target: Target, call: CustomCall) -> None:
        self.target, self.call, self.ranks = target, call, target.routine.ranks
        self.first = len(target.numbers)
        self.last = self.first + len(self.ranks)
        self.operands = self._checked_operands()
        self.batch = self.operands[0].rank - self.ranks[0]
        self.dtype = dtype_of(self.operands[0].element_type)
        self.results, self.is_tuple = _declared_results(call)
        self.order = _fitting_order(call, target.routine.orders, self.results, self.batch)
        self.computation = lru_cache(maxsize=16)(self._computation)

    def evaluate(self) -> KernelFn:
        """Returns the function from operands to results."""
        if not self.target.numbers and not self.target.numbers_behind:
            self.computation(())  # reports wrong options before the call runs
        views, written = self._layouts()

        def on_arrays(*operands: Array) -> Any:
            results, function, at_once = self.computation(self._numbers(operands))
            matrices = operands[self.first : self.last]
            given = [view(a) if view else np.asarray(a) for a, view in zip(matrices, views)]
            self._check_sizes([array.shape for array in given])
            computed = over_batch(function, tuple(given), self.ranks, at_once)
            values = dict(zip(results.split(), computed or ()))
            declared = [
                _declared(values.get(name), type_, view)
                for name, type_, view in zip(self.order, self.results, written)
            ]
            return declared[0] if len(declared) == 1 and not self.is_tuple else tuple(declared)

        is_plain = not any((*views, *written)) and not self.is_tuple
        return ByRoutine(on_arrays, partial(self._plan, is_plain))

    def _plan(self, is_plain: bool) -> RoutinePlan | None:
        """Returns the plan of a call whose arrays the routine sees as the program declares them; None where
        there is none. Raises KernelError for sizes that do not fit."""
        target, types = self.target, (*self.operands, *self.results)
        if not is_plain or target.numbers or target.numbers_behind or not all(t.is_static for t in types):
            return None
        names, _, at_once = self.computation(())
        if at_once is None or any(name not in names.split() for name in self.order):
            return None
        shapes = [type_.static_shape for type_ in self.operands]
        self._check_sizes(shapes)
        plan = at_once.plan([shape[self.batch :] for shape in shapes])
        if plan is None:
            return None
        results = tuple([plan.results[names.split().index(name)] for name in self.order])
        stored = [plan.storages[number] for number in results]
        fits = all(
            (dtype_of(type_.element_type), type_.static_shape)
            == (stored_type.dtype, (*shapes[0][: self.batch], *stored_type.shape))
            for type_, stored_type in zip(self.results, stored)
        )
        return replace(plan, results=results) if fits else None

    def _computation(self, numbers: tuple[Any, ...]) -> Computation:
        names = (*self.target.numbers, *self.target.numbers_behind)
        options = {
            **(self.target.defaults or {}),
            **self.target.options(self.call),
            **dict(zip(names, numbers)),
        }
        return self.target.routine.make(lettered(options), self.dtype)

    def _numbers(self, operands: Sequence[Array]) -> tuple[Any, ...]:
        behind = operands[self.last : self.last + len(self.target.numbers_behind)]
        return tuple(_number(operand) for operand in (*operands[: self.first], *behind))

    def _checked_operands(self) -> list[RankedTensorType]:
        """Returns the types of the matrices and vectors; operands behind them only tell shapes."""
        call, ranks = self.call, self.ranks
        count = len(call.operand_types)
        types = [call.operation.tensor_type(i) for i in range(self.first, min(self.last, count))]
        batch = types[0].rank - ranks[0] if types else -1
        if len(types) != len(ranks) or any(t.rank != batch + r for t, r in zip(types, ranks)) or batch < 0:
            shapes = " and ".join(f"{rank}-dimensional" for rank in ranks)
            raise KernelError(f"{call.target} takes {shapes} operands in batches of equal rank")
        dtype, expected = dtype_of(types[0].element_type), self.target.dtype
        if dtype.char not in "fdFD" or (expected is not None and dtype != expected):
            raise KernelError(f"{call.target} does not take elements of type {types[0].element_type}")
        if not all(_fits(type_, types[0], rank) for type_, rank in zip(types, ranks)):
            raise KernelError(f"{call.target} takes operands of one element type")
        if count < self.last + len(self.target.numbers_behind):
            raise KernelError(f"{call.target} takes {self.last + len(self.target.numbers_behind)} operands")
        return types

    def _check_sizes(self, given: Sequence[Sizes]) -> None:
        """Raises KernelError if batches differ, or sizes that the routine needs to be equal."""
        shapes, sizes = self.target.routine.shapes, dict[str, int]()
        batch = given[0][: self.batch]
        for shape_given, shape in zip(given, shapes):
            core = zip(shape, shape_given[self.batch :])
            if shape_given[: self.batch] != batch or any(sizes.setdefault(k, n) != n for k, n in core):
                expected = ", ".join(f"[{', '.join(shape)}]" for shape in shapes)
                listed = ", ".join(str(list(shape_given)) for shape_given in given)
                raise KernelError(f"expected operands of shapes {expected} in batches, got {listed}")

    def _layouts(self) -> tuple[list[Change | None], list[Change | None]]:
        expected = self.target.layout
        if expected is None:
            return [None] * len(self.operands), [None] * len(self.results)
        call, types = self.call, self.call.operation
        every = [types.tensor_type(i) for i in range(self.last)]
        layouts = declared_layouts(call, "operand_layouts", every)[self.first :]
        produced = declared_layouts(call, "result_layouts", self.results)
        return (
            [reinterpreted(layout, expected(len(layout), self.batch)) for layout in layouts],
            [reinterpreted(expected(len(layout), self.batch), layout) for layout in produced],
        )


def _fits(type_: RankedTensorType, first: RankedTensorType, rank: int) -> bool:
    """Returns whether an operand has the elements of the first one; a vector may be one of indices."""
    is_index = rank == 1 and isinstance(type_.element_type, IntegerType)
    return is_index or type_.element_type == first.element_type


def _declared_results(call: CustomCall) -> tuple[list[RankedTensorType], bool]:
    """Returns the types of the results and whether the call declares one tuple of them."""
    declared = result_types(call.operation)
    tensors = [type_ for type_ in declared if isinstance(type_, RankedTensorType)]
    if len(tensors) != len(declared) or not tensors:
        types = ", ".join(map(str, declared)) or "nothing"
        raise KernelError(f"expected the results of {call.target} to be ranked tensors, got {types}")
    return tensors, is_one_tuple(call.operation)


def _fitting_order(
    call: CustomCall, orders: Sequence[str], results: Sequence[RankedTensorType], batch: int
) -> list[str]:
    """Returns the name of each result: those of the first order whose ranks fit, then workspaces."""
    for order in orders:
        names = order.split()
        if len(names) <= len(results) and all(
            name == WORK or type_.rank == batch + core_rank(name) for name, type_ in zip(names, results)
        ):
            return [*names, *[WORK] * (len(results) - len(names))]
    raise KernelError(f"expected the results of {call.target} to be {' or '.join(orders)}")


def _declared(value: Any, type_: RankedTensorType, view: Change | None) -> Array:
    """Returns a result as the program declares it; zeros if the routine computes none."""
    dtype = dtype_of(type_.element_type)
    if value is None:
        return np.zeros([size or 0 for size in type_.shape], dtype)
    typed = np.asarray(value, dtype)
    return view(typed) if view else typed


def _number(operand: Any) -> Any:
    """Returns the value of an operand that is an option or a size."""
    if np.size(operand) != 1:
        raise KernelError(
            f"expected options to be scalars, got an operand of shape {list(np.shape(operand))}"
        )
    return np.asarray(operand).item()
