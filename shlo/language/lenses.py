"""What can be done with the functions of a document (run, debug, test), and how often each is used."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from shlo.ir.dtypes import UnsupportedTypeError, dtype_of
from shlo.ir.operations import Function, Module, functions_of, once_per_module
from shlo.ir.recursion import recursive
from shlo.ir.source import Span
from shlo.ir.types import RankedTensorType, Type
from shlo.language.document import Document
from shlo.language.hierarchies.calls import symbol_uses
from shlo.runner.test_programs import has_checks, is_test
from shlo.text.numbers import plural

Action = Literal["run", "run_random", "debug", "test", "references", "cost"]

TITLES: dict[Action, str] = {
    "run": "Run",
    "run_random": "Run (random inputs)",
    "debug": "Debug",
    "test": "Test",
    "references": "uses",
    "cost": "cost",
}


class Lens(Struct, frozen=True):
    """Something to do with a function: `program` is the number of its program in the document, from 0, `span`
    the place of the function's name, `uses` where else the name is, for the lens that shows them."""

    action: Action
    function: str
    program: int
    span: Span
    uses: tuple[Span, ...] = ()

    @property
    def title(self) -> str:
        """Returns what the lens is called on a screen."""
        return plural(len(self.uses), "use") if self.action == "references" else TITLES[self.action]


@recursive
def lenses(document: Document) -> list[Lens]:
    """What can be done with the functions that have bodies, in the order of the text. Private functions and
    those that are used say how often they are; what a lens of costs says, `cost_title` tells."""
    all_lenses: list[Lens] = []
    for number, part in enumerate(document.parts):
        names = {id(symbol.place.operation): symbol for symbol in part.index.symbols.all}
        for function in functions_of(part.module.body, part.module.start):
            symbol = names.get(id(function.operation))
            if function.body is not None and symbol is not None:
                name_place = part.place(symbol.definition)
                all_lenses += (
                    Lens(action, function.name, number, name_place) for action in _actions(function)
                )
                uses = tuple(map(part.place, symbol_uses(part).of(symbol)))
                if uses or not function.is_public:
                    all_lenses.append(Lens("references", function.name, number, name_place, uses))
                all_lenses.append(Lens("cost", function.name, number, name_place))
    return all_lenses


@recursive
def cost_title(document: Document, program: int, function: str) -> str:
    """Returns in a few words what running a function costs, empty where there is none of that name with a
    body. What is known of a program that did not change is kept.
    """
    if not 0 <= program < len(document.parts):
        return ""
    module = document.parts[program].module
    titles = _titles(module)
    if function not in titles:
        from shlo.costs import cost
        from shlo.costs.report import summary_of

        target = module.functions.get(function)
        has_body = target is not None and target.body is not None
        titles[function] = summary_of(cost(module, function)) if has_body else ""
    return titles[function]


@once_per_module
def _titles(module: Module) -> dict[str, str]:
    """Returns what is known of the costs of a program's functions, by name."""
    return {}


def _actions(function: Function) -> Iterator[Action]:
    inputs = function.type.inputs
    if not inputs:
        yield "run"
    elif function.is_public and all(_has_arrays(type_) for type_ in inputs):
        yield "run_random"
    yield "debug"
    if is_test(function) and has_checks(function):
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
