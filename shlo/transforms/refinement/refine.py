"""Refinement: a program of unknown sizes becomes the program for arguments of known types.

Sizes are propagated from the arguments through all that the entry function does: calls get a function of
their own for each list of argument types, what computes shapes is computed, and operations whose shapes were
operands become those of known shapes. Specification: "Dynamism".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, cast

import numpy as np

from shlo.dialects.formula.values import compatible
from shlo.dialects.inference import met_types
from shlo.dialects.stablehlo.custom_call_targets import OPERAND_WRAPPER
from shlo.interpreter.program.sync_points import call_target
from shlo.ir.diagnostics import RefinementError
from shlo.ir.dtypes import Array, dtype_of
from shlo.ir.operations import Function, Module, Operation, Region, check_module
from shlo.ir.recursion import recursive
from shlo.ir.symbols import free_symbol, symbols_in, symbols_of
from shlo.ir.types import RankedTensorType, Type
from shlo.text.numbers import plural
from shlo.transforms.refinement.control_flow import CALLEES
from shlo.transforms.refinement.function import FunctionRefinement, may_be_refined
from shlo.transforms.refinement.state import Refined
from shlo.transforms.rewriting.builder import ValueRef
from shlo.transforms.rewriting.driver import Rewriter, rewrite
from shlo.transforms.rewriting.rebuild import block_of, with_blocks, with_body
from shlo.transforms.rewriting.small_values import Evaluator, is_small


@recursive
def refine(module: Module, arguments: Sequence[Any], *, entry: str = "main") -> Module:
    """Returns the module whose function `entry` takes arguments of these types, and knows all sizes that
    follow.

    An argument is a type, its text (`tensor<3x4xf32>`), None for the type that is declared, or a value: a
    number or an array of integers, which is then left out of the function's arguments. Functions that are
    called become such for the types that they are called with. Assertions of sizes that hold are left out.
    What does not change is shared with the module, and wrappers of operands that tell nothing more are gone.

    Raises RefinementError where the arguments do not fit, an assertion of sizes or a constraint does not
    hold for them, and ParseError for the text of a type that is none.
    """
    check_module(module, "shlo.parse and shlo.load return one")
    function = module.functions.get(entry)
    if function is None or not may_be_refined(function):
        raise RefinementError(f"the module has no function @{entry} with a body of one block")
    pairs = _given(function, arguments)
    refinement = _Refinement(module, function)
    if entry in refinement.needed_as_they_are:
        raise RefinementError(f"@{entry} is called by what it does not reach, which stays as it is")
    try:
        refinement.refined(
            entry,
            [argument.type for argument in pairs],
            [argument.value for argument in pairs],
            False,
        )
    except RecursionError:
        raise RefinementError("calls and regions nest too deeply") from None
    return rewrite(refinement.module(), {"stablehlo.custom_call": _operand})


def _operand(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
    """Returns the operand of a wrapper whose result has its type."""
    is_wrapper = call_target(operation) == OPERAND_WRAPPER and len(operation.results) == 1
    is_idle = is_wrapper and operation.operand_types[:1] == operation.result_types
    return [rewriter.ref(operation.operands[0])] if is_idle else None


# --- arguments ---------------------------------------------------------------------------------------------


class RefinedArgument(NamedTuple):
    """An argument of the function that is refined: its type and, where it is given, its value."""

    type: Type
    value: Array | None = None


def _given(function: Function, arguments: Any) -> list[RefinedArgument]:
    if isinstance(arguments, str) or not isinstance(arguments, Sequence):
        got = "None" if arguments is None else f"a {type(arguments).__qualname__}"
        raise RefinementError(f"expected a list of the arguments of @{function.name}, got {got}")
    values, inputs = cast("Sequence[Any]", arguments), function.type.inputs
    if len(values) != len(inputs):
        expected = plural(len(inputs), "argument")
        raise RefinementError(f"expected {expected} of @{function.name}, got {len(values)}")
    return [_argument(index, *pair) for index, pair in enumerate(zip(values, inputs))]


def _argument(index: int, raw: Any, declared: Type) -> RefinedArgument:
    """Returns an argument's type and value, which must fit what the function declares."""
    if raw is None:
        return RefinedArgument(declared)
    if isinstance(raw, str):
        from shlo.syntax import parse_type

        raw = parse_type(raw)
    argument = RefinedArgument(raw) if isinstance(raw, Type) else _fixed(index, raw, declared)
    if compatible(argument.type, declared) is False:
        raise RefinementError(f"argument {index} is {declared}, which {argument.type} does not fit")
    return RefinedArgument(met_types(argument.type, declared), argument.value)


def _fixed(index: int, number: Any, declared: Type) -> RefinedArgument:
    """Returns an argument of which the value is given."""
    value = np.asarray(number)
    if isinstance(declared, RankedTensorType) and value.dtype.kind in "biu":
        type_ = RankedTensorType(value.shape, declared.element_type)
        converted = value.astype(dtype_of(declared.element_type)) if is_small(type_) else None
        if converted is not None and np.array_equal(converted, value):
            return RefinedArgument(type_, converted)
    raise RefinementError(f"argument {index} is {declared}; a value is given for few integers only")


# --- the module --------------------------------------------------------------------------------------------


class _Refinement:
    """All functions that the entry function reaches, refined for what they are called with."""

    def __init__(self, module: Module, entry: Function) -> None:
        self._module = module
        self._functions = module.functions
        self._entry = entry.name
        self._references = {
            name: set(symbols_in(function.operation)) for name, function in self._functions.items()
        }
        self.needed_as_they_are = self._named_elsewhere()
        self._known: dict[tuple[Any, ...], Refined | None] = {}
        self._built: dict[str, list[Operation]] = {}
        self._names = set(self._functions)
        self._evaluator = Evaluator()

    def refined(
        self, name: str, types: Sequence[Type], values: Sequence[Array | None], keeps_arguments: bool
    ) -> Refined | None:
        """Returns the function of that name for such arguments; None where it has no body of one block."""
        function = self._functions.get(name)
        if function is None or not may_be_refined(function):
            return None
        key = name, tuple(types), tuple(map(_key, values)), keeps_arguments
        if key not in self._known:
            self._known[key] = None
            built, self._known[key] = self._refine(function, types, values, keeps_arguments)
            self._built.setdefault(name, []).append(built)
        elif self._known[key] is None:
            raise RefinementError(f"@{name} calls itself")
        return self._known[key]

    def _refine(
        self, function: Function, types: Sequence[Type], values: Sequence[Array | None], keeps_arguments: bool
    ) -> tuple[Operation, Refined]:
        refinement = FunctionRefinement(function, self, self._evaluator, self._module.source)
        return refinement.refined(self._free_name(function.name), types, values, keeps_arguments)

    def body_of(self, name: str) -> Region | None:
        """Returns the body of the function of that name."""
        function = self._functions.get(name)
        return function.body if function else None

    def _free_name(self, name: str) -> str:
        """Returns a name for a function's next refinement: its own for the first, if nothing else needs
        it."""
        if name not in self.needed_as_they_are and name not in self._built:
            self._built[name] = []
            return name
        free = free_symbol(name, self._names)
        self._names.add(free)
        return free

    def module(self) -> Module:
        """Returns the module with refined functions in place of those that only the entry function
        reached."""
        (block,) = self._module.body.blocks
        built = block_of(block, self._operations(block.operations))
        return with_body(self._module, with_blocks(self._module.body, (built,)))

    def _operations(self, operations: Sequence[Operation]) -> Iterator[tuple[int, Operation]]:
        names = {id(function.operation): name for name, function in self._functions.items()}
        needed, reached = self._needed(), self._reached()
        for index, operation in enumerate(operations):
            name = names.get(id(operation))
            if name is None or name in self.needed_as_they_are or name in needed:
                yield index, operation
            yield from (
                (index, built) for built in self._built.get(name or "", ()) if _name(built) in reached
            )

    def _reached(self) -> set[str]:
        """Returns the names of the refined functions that the refined entry function reaches."""
        calls = {_name(built): set(symbols_in(built)) for ops in self._built.values() for built in ops}
        return _closure({_name(self._built[self._entry][0])}, calls)

    def _needed(self) -> set[str]:
        """Returns the functions that stay as they are: what the entry function did not reach, and what is
        called unrefined.
        """
        reached = _closure({self._entry}, self._references)
        built = (operation for operations in self._built.values() for operation in operations)
        called = {name for operation in built for name in symbols_in(operation)}
        return (set(self._functions) - reached) | (_closure(called, self._references) - self._built.keys())

    def _named_elsewhere(self) -> set[str]:
        """Returns the functions that something names which is not refined."""
        reached = _closure({self._entry}, self._references)
        others = set(self._functions) - reached
        roots = {name for other in others for name in self._references[other]}
        for operation, _ in self._module.walk():
            if operation.name not in CALLEES and operation.name != "func.func":
                roots.update(symbols_of(operation.signature))
        return _closure(roots, self._references)


def _closure(names: set[str], references: Mapping[str, set[str]]) -> set[str]:
    """Returns the functions of these names, and all that they name in turn."""
    reached: set[str] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name in references and name not in reached:
            reached.add(name)
            waiting += references[name]
    return reached


def _name(function: Operation) -> str:
    assert function.symbol is not None
    return function.symbol


def _key(value: Array | None) -> Any:
    return None if value is None else (value.shape, value.tobytes())
