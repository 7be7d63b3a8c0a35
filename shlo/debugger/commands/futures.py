"""Commands that change the run and go on: edits, futures, what differs between two."""

from __future__ import annotations

import re
from typing import Any, Final

import numpy as np

from shlo.debugger.commands.inspect import read_value_and_index
from shlo.debugger.commands.registry import CommandAnswer, DebuggerCommand
from shlo.debugger.errors import DebuggerError
from shlo.debugger.session import Session
from shlo.debugger.tensors.difference import difference_of
from shlo.debugger.text.format import where_text
from shlo.debugger.text.format_futures import WORST_SHOWN, diff_text, difference_text, futures_text
from shlo.interpreter.runtime.values import tensor_type_of
from shlo.ir.array_files import ArrayHeader, read_npy
from shlo.ir.dtypes import dtype_of
from shlo.ir.types import RankedTensorType, Type
from shlo.runner.arguments.literals import read_literal
from shlo.runner.errors import RequestError
from shlo.runner.statistics import is_floating

_VALUE: Final = re.compile(r"%[\w$.#-]+(\[[^\[\]]*\])?")
"""A value or a part of it, as it is."""

MOST_SHOWN: Final = 12
"""How many differing values `diff` shows."""

LONGEST: Final = 10_000
"""How many characters the text of a value may have."""


def _set(session: Session, text: str) -> str:
    target, equals, source = text.partition("=")
    if not equals:
        raise DebuggerError("expected set %NAME[SLICES] = VALUE")
    name, index = read_value_and_index(target.strip())
    frame = session.selected_frame
    whole = session.inspector.value(name, frame)
    type_ = _type_of(session, name)
    if index is not None and isinstance(type_, RankedTensorType):
        type_ = RankedTensorType(np.shape(session.inspector.part(name, index, frame)), type_.element_type)
    elif isinstance(type_, RankedTensorType) and not type_.is_static:
        type_ = RankedTensorType(np.shape(whole), type_.element_type)
    session.futures.set(name, read_source(session, source.strip(), type_), index, frame)
    return _answer(session)


def _skip(session: Session, text: str) -> str:
    if not text:
        session.futures.skip()
        return _answer(session)
    sources = _sources(text.removeprefix("="))
    frame = session.snapshot.frame
    types = () if frame is None else frame.operation.result_types
    if not text.startswith("=") or len(sources) != len(types):
        raise DebuggerError(f"expected skip, or skip = and {len(types)} values, got {text!r}")
    session.futures.skip([read_source(session, source, type_) for source, type_ in zip(sources, types)])
    return _answer(session)


def _replace(session: Session, text: str) -> str:
    first, _, rest = text.partition(" ")
    once = first == "once"
    if not (rest.strip() if once else text):
        raise DebuggerError(
            "expected the text of an operation: replace %z = stablehlo.add %x, %y : tensor<f32>"
        )
    session.futures.replace(rest if once else text, once)
    return _answer(session)


def _undo(session: Session, text: str) -> str:
    session.futures.undo()
    return _answer(session)


def _future(session: Session, text: str) -> str:
    word, _, rest = text.partition(" ")
    if word == "drop":
        session.futures.drop(rest.strip())
        return futures_text(session)
    if not text:
        raise DebuggerError("expected the name of a future: f1")
    session.futures.switch(text)
    return _answer(session)


def _diff(session: Session, text: str) -> str | CommandAnswer:
    if "%" in text:
        return _diff_values(session, text)
    futures, names = session.futures, text.split()
    if not 1 <= len(names) <= 2:
        raise DebuggerError("expected the names of two futures: diff f1 f2; one is compared with the current")
    one, other = futures[names[0]], futures[names[1]] if len(names) > 1 else futures.current
    return diff_text(session, one.name, other.name, futures.diff(one.name, other.name, MOST_SHOWN))


def _diff_values(session: Session, text: str) -> CommandAnswer:
    """Compares two expressions, divided by a comma or, without one, by a space."""
    sources = _sources(text)
    expressions = sources if len(sources) > 1 else text.split()
    if len(expressions) != 2:
        raise DebuggerError("expected two values: diff %x %y, diff %x, prev(%x)")
    one, other = (
        session.watches.evaluate(expression, session.selected_frame).value for expression in expressions
    )
    difference = difference_of(_array(one), _array(other), WORST_SHOWN)
    title = " - ".join(f"({expression})" if " " in expression else expression for expression in expressions)
    text = difference_text(expressions[0], expressions[1], difference)
    return CommandAnswer(text, (title, difference.signed) if difference.differing else None)


def _array(value: Any) -> Any:
    return np.asarray(value) if isinstance(value, (bool, int, float, complex)) else value


def read_source(session: Session, text: str, type_: Type) -> Any:
    """Returns the value that a text says for something of a type: a number or tensor as in StableHLO, a value
    in scope or a part of it, or a file. Raises DebuggerError.
    """
    if len(text) > LONGEST:
        raise DebuggerError(f"expected at most {LONGEST} characters of a value, got {len(text)}")
    tensor = tensor_type_of(type_)
    path = text.strip("\"'")
    if path.lower().endswith(".npy"):
        return _read_file(path, tensor)
    if "%" in text:
        value = session.watches.evaluate(text, session.selected_frame).value
        return value if _VALUE.fullmatch(text) else _as_type(value, tensor)
    if not text or not isinstance(tensor, RankedTensorType):
        raise DebuggerError(f"expected a value of {type_}, got {text!r}")
    try:
        return read_literal(text, tensor, "value")
    except RequestError as error:
        raise DebuggerError(f"expected {tensor}, got {error}") from None


def _as_type(value: Any, type_: Type) -> Any:
    """Returns what an expression is, rounded to the numbers of a tensor: floating-point to floating-point."""
    if not isinstance(type_, RankedTensorType):
        return value
    dtype, array = dtype_of(type_.element_type), np.asarray(value)
    return array.astype(dtype) if array.dtype.kind == "f" and is_floating(np.zeros(0, dtype)) else value


def _read_file(path: str, type_: Type) -> Any:
    def check(header: ArrayHeader) -> None:
        if isinstance(type_, RankedTensorType) and not _has_shape(type_, header.shape):
            raise DebuggerError(
                f"expected {type_}, got {header.dtype.name} of shape {header.shape} in {path}"
            )

    try:
        return read_npy(path, check)
    except RequestError as error:
        raise DebuggerError(error.with_hint) from None


def _has_shape(type_: RankedTensorType, shape: tuple[int, ...]) -> bool:
    return len(shape) == type_.rank and all(size in (None, there) for size, there in zip(type_.shape, shape))


def _type_of(session: Session, name: str) -> Type:
    for view in reversed(session.inspector.values(session.selected_frame)):
        if view.name == name:
            return tensor_type_of(view.type)
    raise DebuggerError(f"%{name} is not in scope here")


def _sources(text: str) -> list[str]:
    """Returns what commas outside of brackets divide."""
    parts, depth = [""], 0
    for character in text:
        depth += (character in "[(<") - (character in "])>")
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return [part.strip() for part in parts if part.strip()]


def _answer(session: Session) -> str:
    return f"future {session.futures.current.name}\n{where_text(session)}"


FUTURE_COMMANDS: Final = (
    DebuggerCommand(
        ("set",),
        "%NAME[SLICES] = VALUE",
        "set a value or a part of it, and go on in another future: a number, %y[0, :], FILE.npy",
        _set,
        "expression",
    ),
    DebuggerCommand(
        ("skip",),
        "[= VALUE, ...]",
        "pass the next operation in another future; its results are zeros, or these values",
        _skip,
    ),
    DebuggerCommand(
        ("replace",),
        "[once] OPERATION",
        "put another operation in the place of the next one in another future, from here on or once",
        _replace,
    ),
    DebuggerCommand(("undo",), "", "take the last edit back", _undo),
    DebuggerCommand(
        ("futures",),
        "",
        "list the futures: where they forked, edits, status",
        lambda s, text: futures_text(s),
    ),
    DebuggerCommand(("future",), "NAME | drop NAME", "go to another future; forget one", _future),
    DebuggerCommand(
        ("diff",),
        "%X %Y | FUTURE [FUTURE]",
        "compare two values, diff %x, prev(%x): the elements that differ most; or two futures",
        _diff,
        "expression",
    ),
)
