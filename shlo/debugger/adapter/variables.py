"""Requests about values in scope, and the parts of tensors."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final, cast

import numpy as np

from shlo.debugger.adapter.debuggee import END, Children, Debuggee
from shlo.debugger.adapter.protocol import (
    ReadMemoryArguments,
    ReadMemoryResponseBody,
    Scope,
    ScopesArguments,
    ScopesResponseBody,
    Variable,
    VariablesArguments,
    VariablesResponseBody,
)
from shlo.debugger.adapter.validation import LONGEST
from shlo.debugger.errors import DebuggerError
from shlo.debugger.inspect.loops import Loop
from shlo.debugger.inspect.snapshots import ProcessView, ValueView
from shlo.debugger.tensors.summaries import summary_of
from shlo.debugger.views.values import listed_values, title_of, value_of
from shlo.ir.dtypes import Array
from shlo.runner.statistics import statistics_of, tensor_of
from shlo.text.escape import escaped
from shlo.text.numbers import exact_number_text, number_text
from shlo.text.shortening import clipped
from shlo.text.statistics import special_counts

_REFERENCE: Final = re.compile("[0-9]{1,18}")
MAX_CHILDREN: Final = 1_000
"""How many parts of a tensor are listed where the client does not say how many it wants."""
MAX_VALUES: Final = 600
"""How many values of a scope are listed at once, the last ones; others are behind one more entry."""
MAX_BYTES: Final = 1 << 20
"""How many bytes of memory are read at once."""

Read = Callable[[], Any]
"""Reads a value when it is asked for."""


def scopes(debuggee: Debuggee, arguments: ScopesArguments) -> ScopesResponseBody:
    """Returns what can be seen in a frame: values, arguments, the loop, watches, the grid."""
    frame = debuggee.at(arguments["frameId"])
    session = debuggee.session
    if frame == END:
        children = Children(_cut(lambda: _results(debuggee)))
        return {"scopes": [_scope(debuggee, frame, "Results", "returnValue", children)]}
    has_values = any(not view.is_argument for view in session.inspector.values(frame, 1)) or any(
        not view.is_argument for view in session.inspector.values(frame, MAX_VALUES)
    )
    shown: list[Scope] = []
    if has_values:
        shown.append(_scope(debuggee, frame, "Values", "locals", _values(debuggee, frame, MAX_VALUES)))
    if parameters := session.inspector.arguments(frame):
        children = _assignable(
            debuggee, frame, lambda: [_value(debuggee, view, frame) for view in parameters]
        )
        shown.append(_scope(debuggee, frame, "Arguments", "arguments", children))
    loop = _loop(debuggee, frame)
    if loop is not None:
        shown.append(_scope(debuggee, frame, "Loop", "", Children(_cut(lambda: _loop_variables(loop)))))
    if len(session.watches):
        children = Children(_cut(lambda: _watches(debuggee, frame)))
        shown.append(_scope(debuggee, frame, "Watches", "", children))
    grid = session.grid
    if grid is not None:
        children = Children(_cut(lambda: [_process(process) for process in grid.processes]))
        shown.append(_scope(debuggee, frame, "Processes", "", children))
    return {"scopes": shown}


def _scope(debuggee: Debuggee, frame: int, name: str, hint: str, children: Children) -> Scope:
    key = (name, debuggee.session.cursor.selected, frame)
    scope: Scope = {
        "name": name,
        "variablesReference": debuggee.children.add(key, children),
        "expensive": False,
    }
    if hint:
        scope["presentationHint"] = hint
    return scope


def range_from(start: int, count: int) -> tuple[int, int]:
    """Returns which of some things are asked for; raises DebuggerError for negative numbers."""
    if start < 0 or count < 0:
        raise DebuggerError(f"expected start and count from 0, got {start} and {count}")
    return start, count


def variables(debuggee: Debuggee, arguments: VariablesArguments) -> VariablesResponseBody:
    """Returns what a reference holds, or some of it."""
    children = debuggee.children[arguments["variablesReference"]]
    start, count = range_from(arguments.get("start", 0), arguments.get("count", 0))
    if children.frame >= 0:
        debuggee.select(children.process)
    return {"variables": children.listed(start, count, arguments.get("filter", ""))}


def _cut(everything: Callable[[], list[Variable]]) -> Callable[[int, int, str], list[Variable]]:
    """Returns what lists some of a few variables, none of which are indexed."""

    def listed(start: int, count: int, which: str) -> list[Variable]:
        if which == "indexed":
            return []
        return everything()[start : start + count if count else None]

    return listed


def _assignable(debuggee: Debuggee, frame: int, everything: Callable[[], list[Variable]]) -> Children:
    return Children(_cut(everything), _target, frame, debuggee.session.cursor.selected)


def _target(name: str) -> str:
    """Returns the value that a variable `%x (label)` of a scope shows."""
    return name.partition(" ")[0]


# --- scopes ---


def _values(debuggee: Debuggee, frame: int, most: int) -> Children:
    """Returns the last values in scope, the newest first, with those before them behind one more entry."""

    def everything() -> list[Variable]:
        views = debuggee.session.inspector.values(frame, most + 1)[::-1]
        is_more = len(views) > most
        shown = [view for view in views[most - MAX_VALUES : most] if not view.is_argument]
        listed = [_value(debuggee, view, frame) for view in shown]
        if is_more:
            key = ("earlier", debuggee.session.cursor.selected, frame, most)
            earlier = _values(debuggee, frame, most + MAX_VALUES)
            number = debuggee.children.add(key, earlier)
            listed.append({"name": "earlier values", "value": "", "variablesReference": number})
        return listed

    return _assignable(debuggee, frame, everything)


def named_results(debuggee: Debuggee) -> list[tuple[str, Any]]:
    """Returns the results of a process that is done, by what the program calls them."""
    session = debuggee.session
    if session.snapshot.status != "done":
        return []
    views = reversed(listed_values(session))
    return [(view.label or view.name, value_of(session, view.name)) for view in views]


def _results(debuggee: Debuggee) -> list[Variable]:
    results = list[Variable]()
    for number, (name, value) in enumerate(named_results(debuggee)):
        body = _plain(name, summary_of(value))
        key = ("result", debuggee.session.cursor.selected, number)
        add_parts(debuggee, body, key, "", partial(_same, value), END)
        results.append(body)
    return results


def _same(value: Any) -> Any:
    return value


def _loop(debuggee: Debuggee, frame: int) -> Loop | None:
    try:
        return debuggee.session.loops.innermost(frame)
    except DebuggerError:
        return None


def _loop_variables(loop: Loop) -> list[Variable]:
    line = "" if loop.line is None else str(loop.line)
    rows = (("round", str(loop.round)), ("rounds so far", str(len(loop.starts))), ("line", line))
    return [_plain(name, value) for name, value in rows if value]


def _watches(debuggee: Debuggee, frame: int) -> list[Variable]:
    session, rows = debuggee.session, list[Variable]()
    for watch in session.watches:
        text = str(watch.expression)
        try:
            shown = session.watches.summary(watch, frame) or "not in memory"
        except DebuggerError as error:
            shown = str(error)
        rows.append({**_plain(text, shown), "evaluateName": text})
    return rows


def _process(process: ProcessView) -> Variable:
    where = "" if process.operation is None else f", {process.operation}"
    line = "" if process.line is None else f" on line {process.line}"
    awaited = ""
    if process.waiting is not None:
        awaited = f", waits for {', '.join(map(str, sorted(process.waiting.missing))) or 'a message'}"
    return _plain(f"process {process.label}", f"{process.status}{where}{line}{awaited}")


def _plain(name: str, value: str) -> Variable:
    return {"name": escaped(name), "value": escaped(value), "variablesReference": 0}


# --- values ---


def _value(debuggee: Debuggee, value: ValueView, frame: int) -> Variable:
    session = debuggee.session
    summary = session.inspector.summary(value.name, frame)
    body: Variable = {
        "name": escaped(title_of(value)),
        "type": escaped(str(value.type)),
        "value": escaped(summary if summary is not None else "not in memory"),
        "evaluateName": f"%{value.name}",
        "variablesReference": 0,
    }
    shape = cast("Sequence[int | None]", getattr(value.type, "shape", ()))
    if shape or not hasattr(value.type, "element_type"):
        key = ("value", session.cursor.selected, frame, value.name)
        add_parts(
            debuggee,
            body,
            key,
            f"%{value.name}",
            lambda: session.inspector.value(value.name, frame),
            frame,
            shape,
        )
    return body


def add_parts(
    debuggee: Debuggee,
    body: Any,
    key: tuple[Any, ...],
    expression: str,
    read: Read,
    frame: int,
    shape: Sequence[int | None] | None = None,
) -> None:
    """Adds to a variable, or another body that holds one, what its parts are listed by; nothing where it has
    none. `expression` is how parts are evaluated and assigned to, empty where they cannot be.
    """
    if not shape or None in shape:
        value = read()
        if isinstance(value, tuple):
            parts = cast("tuple[Any, ...]", value)
            children = Children(_cut(lambda: [_tuple_part(debuggee, key, part, number, frame)
                                              for number, part in enumerate(parts)]))  # fmt: skip
            body["variablesReference"] = debuggee.children.add(key, children)
            return
        array = tensor_of(value)
        if array is None or not array.shape:
            return
        shape = cast("Sequence[int | None]", array.shape)
    number = debuggee.children.add(key, _tensor(debuggee, key, expression, read, (), frame))
    body["variablesReference"] = number
    body["indexedVariables"] = shape[0]
    body["namedVariables"] = 1
    body["memoryReference"] = str(number)


def _tuple_part(debuggee: Debuggee, key: tuple[Any, ...], part: Any, number: int, frame: int) -> Variable:
    body = _plain(f"[{number}]", summary_of(part))
    add_parts(debuggee, body, (*key, number), "", lambda: part, frame)
    return body


def _tensor(
    debuggee: Debuggee, key: tuple[Any, ...], expression: str, read: Read, index: tuple[int, ...], frame: int
) -> Children:
    """Returns what lists the parts of a tensor along the first dimension that `index` leaves; of the whole,
    its statistics before them.
    """

    def listed(start: int, count: int, which: str) -> list[Variable]:
        array = tensor_of(read())
        if array is None:
            return []
        part = np.asarray(array[index])
        children: list[Variable] = []
        if which != "indexed" and not index:
            rows = Children(_cut(lambda: _statistics(part)))
            number = debuggee.children.add((*key, "statistics"), rows)
            children.append({**_plain("statistics", summary_of(part)), "variablesReference": number})
        if which == "named" or not part.shape:
            return children
        end = min(start + (count or MAX_CHILDREN), part.shape[0])
        for at in range(start, end):
            children.append(_part(debuggee, key, expression, read, (*index, at), np.asarray(part[at]), frame))
        return children

    inner = ", ".join(map(str, index))

    def target(name: str) -> str:
        number = name.strip("[]")
        if not expression or not number.isdecimal():
            raise DebuggerError(f"{name} cannot be set")
        return f"{expression}[{inner}{', ' if inner else ''}{number}]"

    return Children(listed, target, frame, debuggee.session.cursor.selected, None if index else read)


def _part(
    debuggee: Debuggee,
    key: tuple[Any, ...],
    expression: str,
    read: Read,
    index: tuple[int, ...],
    part: Array,
    frame: int,
) -> Variable:
    body: Variable = {"name": f"[{index[-1]}]", "value": "", "variablesReference": 0}
    if expression:
        body["evaluateName"] = f"{expression}[{', '.join(map(str, index))}]"
    if not part.shape:
        body["value"] = exact_number_text(part[()])
        return body
    children = _tensor(debuggee, key, expression, read, index, frame)
    body["variablesReference"] = debuggee.children.add((*key, index), children)
    body["indexedVariables"] = part.shape[0]
    body["value"] = escaped(summary_of(part))
    return body


def _statistics(array: Array) -> list[Variable]:
    """Returns a tensor in a few numbers."""
    statistics = statistics_of(array)
    if statistics is None:
        return []
    shape = "x".join(map(str, statistics.shape))
    rows = [
        ("shape", shape),
        ("type", statistics.dtype),
        ("elements", f"{statistics.size:,}"),
        ("bytes", f"{statistics.bytes:,}"),
    ]
    numbers = (("min", statistics.low), ("max", statistics.high), ("mean", statistics.mean))
    rows += [(name, number_text(number)) for name, number in numbers if number is not None]
    rows += [(name, f"{count:,}") for name, count in special_counts(statistics)]
    return [_plain(name, value) for name, value in rows]


def target_of(debuggee: Debuggee, reference: int, name: str) -> str:
    """Returns the value, or the element, that a variable of a reference shows, and selects the frame that it
    is in; raises DebuggerError for what is none.
    """
    children = debuggee.children[reference]
    if children.target is None:
        raise DebuggerError(f"{name} cannot be set")
    debuggee.select(children.process)
    if 0 <= children.frame != debuggee.session.selected_frame:
        debuggee.session.select_frame(children.frame)
    return children.target(name)


def read_memory(debuggee: Debuggee, arguments: ReadMemoryArguments) -> ReadMemoryResponseBody:
    """Returns bytes of a tensor, in row-major order, as the client wants them: in base 64."""
    reference, offset, count = arguments["memoryReference"], arguments.get("offset", 0), arguments["count"]
    if not _REFERENCE.fullmatch(reference) or count < 0 or offset < 0:
        raise DebuggerError(
            f"expected the memory of a value, offset and count from 0, got"
            f" {clipped(repr(reference), LONGEST)}, {offset}, {count}"
        )
    value = debuggee.children[int(reference)]
    if value.read is None:
        raise DebuggerError("expected the memory of a tensor")
    debuggee.select(value.process)
    array = tensor_of(value.read())
    data = b"" if array is None else np.ascontiguousarray(array).tobytes()
    part = data[offset : offset + min(count, MAX_BYTES)]
    body: ReadMemoryResponseBody = {"address": str(offset), "data": base64.b64encode(part).decode()}
    if offset + count > len(data):
        body["unreadableBytes"] = count - len(part)
    return body
