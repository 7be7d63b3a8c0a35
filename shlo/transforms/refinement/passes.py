"""The passes of refinement: types of arguments that say more, and the sizes that follow from them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from shlo.dialects.formula.values import compatible
from shlo.dialects.inference import met_types
from shlo.dialects.stablehlo.custom_call_targets import OPERAND_WRAPPER
from shlo.ir.attributes import StringAttr
from shlo.ir.dense import DenseElementsAttr
from shlo.ir.diagnostics import PassError, RefinementError
from shlo.ir.operations import Block, Function, Module, Region
from shlo.ir.source import place_in
from shlo.ir.types import I64, FunctionType, RankedTensorType, Type
from shlo.text.numbers import plural
from shlo.transforms.refinement.refine import refine
from shlo.transforms.refinement.static_forms import SHAPE_OPERANDS, UNKNOWN_SIZE
from shlo.transforms.rewriting.builder import ValueRef
from shlo.transforms.rewriting.driver import Rewriter
from shlo.transforms.rewriting.rebuild import remade, with_body, with_function_type, with_replaced


def refine_arguments(module: Module, *, types: Sequence[Type] = ()) -> Module:
    """Returns the module whose main function, `@main` or the only one, takes arguments of these types.

    An argument that gets another type is wrapped in a custom call, whose result has the type it had: nothing
    else changes.

    Args:
        module: the module to rewrite.
        types: of all arguments; each says what the declared type says, or more.

    Raises PassError for types that do not fit, and where there is no main function with a body.
    """
    function = _main(module)
    body, declared = function.body, function.type.inputs
    place = place_in(module.source, function.span)
    if body is None:
        raise PassError(f"expected @{function.name} to have a body", place)
    if len(types) != len(declared):
        expected = f"{plural(len(declared), 'type')} of the arguments of @{function.name}"
        raise PassError(f"expected {expected}, got {len(types)}", place)
    for number, (type_, old) in enumerate(zip(types, declared)):
        if compatible(type_, old) is False or met_types(type_, old) != type_:
            raise PassError(f"expected a type of argument {number} that refines {old}, got {type_}", place)
    rewriter, entry = Rewriter(body, {}, module.source), body.blocks[0]
    with rewriter.capture() as wrappers:
        arguments = tuple(map(_argument, [rewriter] * len(types), entry.arguments, types))
    rewriter.prologue = wrappers
    first, *others = rewriter.rewritten(function.span.start).blocks
    block = Block(
        first.operations, arguments, first.label, first.starts, first.ends, first.argument_locations
    )
    region = Region((block, *others), rewriter.table)
    signature = with_function_type(
        function.operation.signature, FunctionType(tuple(types), function.type.results)
    )
    new = remade(function.operation, signature, regions=(region,))
    return with_body(module, with_replaced(module.body, {id(function.operation): new}))


def _argument(rewriter: Rewriter, argument: int, type_: Type) -> int:
    """Returns the value that is the argument now; wraps it where its type has changed."""
    old = rewriter.types[argument]
    if type_ == old:
        return argument
    assert isinstance(type_, RankedTensorType)  # no other type refines one
    names = rewriter.table.names
    value = rewriter.table.define(type_, names[argument])
    names[argument] = ""
    rewriter.substitute(argument, _wrapped(rewriter, rewriter.ref(value), type_, old))
    return value


def _wrapped(rewriter: Rewriter, value: ValueRef, type_: RankedTensorType, old: Type) -> ValueRef:
    shape = rewriter.integers([UNKNOWN_SIZE if size is None else size for size in type_.shape])
    wrapped, attributes = RankedTensorType((1,), I64), {"call_target_name": StringAttr(OPERAND_WRAPPER)}
    indices = DenseElementsAttr(wrapped, np.array([1]))
    return rewriter.create(
        "stablehlo.custom_call", (value, shape), (old,), attributes, attributes={SHAPE_OPERANDS: indices}
    )[0]


def refine_shapes(module: Module) -> Module:
    """Returns the module with the sizes known that follow from the types of the main function's arguments.

    The main function is `@main`, or the only one. Raises PassError where there is none, or where the program
    is wrong for these types.
    """
    function = _main(module)
    try:
        return refine(module, [None] * len(function.type.inputs), entry=function.name)
    except RefinementError as error:
        raise PassError(error.message, error.place) from None


def _main(module: Module) -> Function:
    """Returns `@main`, or the only function; raises PassError where there is neither."""
    functions = module.functions
    if "main" in functions:
        return functions["main"]
    if len(functions) != 1:
        raise PassError(f"expected one function or @main, got {len(functions)} functions")
    return next(iter(functions.values()))
