"""What can be done with the functions of a document at once: run, debug, test."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from shlo.ir.attributes import StringAttr
from shlo.ir.dtypes import UnsupportedTypeError, dtype_of
from shlo.ir.operations import Function, Operation, functions_of
from shlo.ir.recursion import recursive
from shlo.ir.source import Span
from shlo.ir.types import RankedTensorType, Type
from shlo.language.document import Document

Action = Literal["run", "run_random", "debug", "test"]

TITLES: dict[Action, str] = {
    "run": "Run",
    "run_random": "Run (random inputs)",
    "debug": "Debug",
    "test": "Test",
}


@dataclass(frozen=True, slots=True)
class Lens:
    """Something to do with a function: `program` is the number of its program in the document, from 0, and
    `span` the place of the function's name."""

    action: Action
    function: str
    program: int
    span: Span

    @property
    def title(self) -> str:
        """Returns what the lens is called on a screen."""
        return TITLES[self.action]


@recursive
def lenses(document: Document) -> list[Lens]:
    """What can be done with the functions that have bodies, in the order of the text."""
    found: list[Lens] = []
    for number, part in enumerate(document.parts):
        names = {id(symbol.place.operation): symbol.definition for symbol in part.index.symbols.all}
        for function in functions_of(part.module.body, part.module.start):
            definition = names.get(id(function.operation))
            if function.body is not None and definition is not None:
                place = part.place(definition)
                found += (Lens(action, function.name, number, place) for action in _actions(function))
    return found


def _actions(function: Function) -> Iterator[Action]:
    inputs = function.type.inputs
    if not inputs:
        yield "run"
    elif all(_has_arrays(type_) for type_ in inputs):
        yield "run_random"
    yield "debug"
    if not inputs and _checks(function):
        yield "test"


def _has_arrays(type_: Type) -> bool:
    """Returns whether arrays of a type can be made up."""
    if not isinstance(type_, RankedTensorType) or not type_.is_static:
        return False
    try:
        dtype_of(type_.element_type)
    except UnsupportedTypeError:
        return False
    return True


def _checks(function: Function) -> bool:
    """Returns whether a function is a test: it can be seen from outside, and checks something."""
    body, visibility = function.body, function.operation.attribute("sym_visibility")
    if body is None or (isinstance(visibility, StringAttr) and visibility.value != "public"):
        return False
    return any(_is_check(each) for block in body.blocks for each in block.operations)


def _is_check(operation: Operation) -> bool:
    if operation.name.startswith("check."):
        return True
    target = operation.attribute("call_target_name") if operation.name == "stablehlo.custom_call" else None
    return isinstance(target, StringAttr) and target.value.startswith("check.")
