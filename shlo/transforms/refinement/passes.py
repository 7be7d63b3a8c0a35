"""Refinement as passes: of the types of arguments, and of all that follows from them."""

from __future__ import annotations

from shlo.ir.diagnostics import PassError, RefinementError
from shlo.ir.operations import Function, Module
from shlo.transforms.refinement.refine import refine


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
    functions = module.functions
    if "main" in functions:
        return functions["main"]
    if len(functions) != 1:
        raise PassError(f"expected one function or @main, got {len(functions)} functions")
    return next(iter(functions.values()))
