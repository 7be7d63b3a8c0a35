"""The work that must grow about linearly with a program's text, and how its steps are counted.

A step is a call of a function, in Python or in C: the number does not depend on the machine. What a single
call does (a regular expression, a concatenation of texts) is not seen: `benchmarks/growth.py` measures time.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

import shlo_bytecode
from shlo import ShloError
from shlo.interpreter import run
from shlo.ir.operations import Module
from shlo.ir.source import Span
from shlo.ir.types import RankedTensorType
from shlo.language import Document, Edit
from shlo.language.completion.items import complete
from shlo.language.completion.signature import signature_help
from shlo.language.diagnostics import diagnostics
from shlo.language.fixes.fixes import fixes
from shlo.language.folding import folds
from shlo.language.formatting import format_document
from shlo.language.hints import hints
from shlo.language.hover.hover import hover
from shlo.language.lenses import lenses
from shlo.language.navigation import definition, references, selections
from shlo.language.outline.outline import outline
from shlo.language.rename import RenameError, rename
from shlo.language.tokens import semantic_tokens
from shlo.syntax import format_text, module_text, parse
from shlo.transforms.constant_folding import fold
from shlo.verifier import verify

MOST_DIMENSIONS = 64
"""NumPy's arrays have no more."""
Action = Callable[[], object]
WORK: dict[str, Callable[[str], Action]] = {}
"""For each operation, what prepares it for a text; the action that it returns is what is measured."""


def work(prepare: Callable[[str], Action]) -> Callable[[str], Action]:
    """Registers an operation under the name of its function."""
    WORK[prepare.__name__.rstrip("_")] = prepare
    return prepare


class TooManySteps(BaseException):
    """The work was stopped at its limit of steps. No handler of exceptions holds it up."""


def count_steps(action: Action, limit: int) -> int:
    """Returns how many functions an action calls; raises TooManySteps beyond `limit`."""
    steps = 0

    def count(frame: object, event: str, argument: object) -> None:
        nonlocal steps
        steps += 1
        if steps > limit:
            sys.setprofile(None)
            raise TooManySteps(f"more than {limit} steps")

    sys.setprofile(count)
    try:
        action()
    finally:
        sys.setprofile(None)
    return steps


def parsed(text: str) -> Module:
    """Returns the module of a text, as far as it can be read."""
    return parse(text)[0]


@work
def parse_(text: str) -> Action:
    return lambda: parse(text)


@work
def print_(text: str) -> Action:
    module = parsed(text)
    return lambda: module_text(module)


@work
def print_generic(text: str) -> Action:
    module = parsed(text)
    return lambda: module_text(module, generic=True)


@work
def print_locations(text: str) -> Action:
    module = parsed(text)
    return lambda: module_text(module, locations=True)


@work
def verify_(text: str) -> Action:
    module = parsed(text)
    return lambda: verify(module)


@work
def format_(text: str) -> Action:
    return lambda: _tolerant(lambda: format_text(text))


@work
def fold_(text: str) -> Action:
    module = parsed(text)
    return lambda: _tolerant(lambda: fold(module))


@work
def diagnose(text: str) -> Action:
    return lambda: diagnostics(Document(text))


@work
def edit(text: str) -> Action:
    """Returns types a blank in the middle of a line in the middle, and deletes it."""
    document = Document(text)
    diagnostics(document)
    middle = text.find("\n", len(text) // 2) - 1
    if middle < 0:
        middle = len(text) // 2

    def typed() -> None:
        there = document.edit([Edit(Span(middle, middle), " ")])
        diagnostics(there)
        diagnostics(there.edit([Edit(Span(middle, middle + 1), "")]))

    return typed


def ask(name: str, question: Callable[[Document, int], object]) -> None:
    """Registers a question about the middle of a document whose findings are known."""

    def prepare(text: str) -> Action:
        document = Document(text)
        diagnostics(document)
        return lambda: question(document, _name_near(text, len(text) // 2))

    WORK[name] = prepare


def _name_near(text: str, offset: int) -> int:
    """Returns the offset of the first name of a value on the line of an offset or below it, inside of it."""
    line = text.rfind("\n", 0, offset) + 1
    return max(text.find("%", line), text.find("%")) + 1


def _renamed(document: Document, offset: int) -> object:
    with contextlib.suppress(RenameError):
        return rename(document, offset, "renamed")
    return None


ask("hover", hover)
ask("definition", definition)
ask("references", references)
ask("rename", _renamed)
ask("completion", complete)
ask("signature", signature_help)
ask("selections", selections)
ask("fixes", lambda document, offset: list(fixes(document, Span(offset, offset))))
ask("symbols", lambda document, _: outline(document))
ask("folding", lambda document, _: folds(document))
ask("hints", lambda document, _: hints(document))
ask("lenses", lambda document, _: lenses(document))
ask("tokens", lambda document, _: list(semantic_tokens(document)))
ask("formatting", lambda document, _: format_document(document))


@work
def write_bytecode(text: str) -> Action:
    module = parsed(text)
    return lambda: _bytecode(module)


@work
def read_bytecode(text: str) -> Action:
    data = _bytecode(parsed(text))
    return lambda: data and shlo_bytecode.read(data)


@work
def run_(text: str) -> Action:
    """Runs @main on zeros, where the program is valid."""
    module, found = parse(text)
    main = module.functions.get("main")
    if (
        main is None
        or main.body is None
        or any(each.severity == "error" for each in (*found, *verify(module)))
    ):
        return lambda: None
    if any(len(getattr(type_, "shape", ())) > MOST_DIMENSIONS for type_ in main.type.inputs):
        return lambda: None
    zeros = [_zeros(type_) for type_ in main.type.inputs]
    return lambda: _tolerant(lambda: run(module, *zeros))


def _zeros(type_: Any) -> Any:
    assert isinstance(type_, RankedTensorType)
    return np.zeros(type_.static_shape, bool if str(type_.element_type) == "i1" else np.float32)


def _bytecode(module: Module) -> bytes:
    """Returns a module as bytecode, nothing where it cannot be written."""
    if any(each.severity == "error" for each in module.diagnostics):
        return b""
    with contextlib.suppress(ShloError):
        return shlo_bytecode.write(module)
    return b""


def _tolerant(action: Action) -> object:
    """Returns what an action gives, or None where it refuses its input in a message."""
    with contextlib.suppress(ShloError):
        return action()
    return None
