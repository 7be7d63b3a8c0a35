"""Requests about expressions: their values, how they go on, other values in another future."""

from __future__ import annotations

import re
from typing import Any, Final

from shlo.debugger.adapter.debuggee import Debuggee
from shlo.debugger.adapter.protocol import (
    CompletionItem,
    CompletionsArguments,
    CompletionsResponseBody,
    EvaluateArguments,
    EvaluateResponseBody,
    ExceptionInfoArguments,
    ExceptionInfoResponseBody,
    SetExpressionArguments,
    SetExpressionResponseBody,
    SetVariableArguments,
    SetVariableResponseBody,
)
from shlo.debugger.adapter.variables import add_parts, target_of
from shlo.debugger.commands.completion import complete_command
from shlo.debugger.commands.table import COMMANDS
from shlo.debugger.errors import DebuggerError
from shlo.debugger.tensors.summaries import summary_of
from shlo.debugger.text.card import nonfinite_card
from shlo.debugger.text.format import detected_text, origin_lines, statistics_text
from shlo.debugger.text.format_expressions import outward_lines
from shlo.runner.display import array_text
from shlo.runner.statistics import statistics_of, tensor_of
from shlo.text.escape import escaped
from shlo.text.numbers import exact_number_text

_WORD: Final = re.compile(r"[\w$.#-]+")
_COMMANDS: Final = frozenset(name for command in COMMANDS for name in command.names)


def evaluate(debuggee: Debuggee, arguments: EvaluateArguments) -> EvaluateResponseBody:
    """Returns what a command of the debugger answers (in the console), or the value of an expression."""
    frame, text = debuggee.at(arguments.get("frameId")), arguments["expression"].strip()
    context = arguments.get("context", "")
    if context == "repl" and (not text or text.split()[0] in _COMMANDS or text.startswith("#")):
        return {"result": debuggee.command(text), "variablesReference": 0}
    if context == "hover" and _WORD.fullmatch(text) and _is_value(debuggee, text, frame):
        text = f"%{text}"  # editors leave out what is no part of their words
    evaluation = debuggee.session.watches.evaluate(text, frame)
    value = evaluation.value
    array = tensor_of(value)
    body: EvaluateResponseBody = {"result": escaped(_shown(value)), "variablesReference": 0}
    if context == "clipboard":
        body["result"] = escaped(array_text(value, elide_above=None))
        return body
    if array is not None and array.shape:
        body["type"] = f"{'x'.join(map(str, array.shape))}x{array.dtype.name}"
        if context == "hover":
            body["result"] = escaped(f"{summary_of(value)}\n{statistics_text(statistics_of(value))}")
        elif context == "repl":
            body["result"] = escaped(array_text(value))
    body["result"] = "\n".join([body["result"], *map(escaped, outward_lines(evaluation.outward))])
    is_name = text.startswith("%") and _WORD.fullmatch(text[1:]) is not None
    is_inline = is_name and context in ("hover", "watch") and not evaluation.outward
    if is_inline and (label := debuggee.session.inspector.label(text[1:], frame)):
        body["result"] = f"{escaped(label)}: {body['result']}"
    key = ("evaluated", debuggee.session.cursor.selected, frame, text)
    add_parts(debuggee, body, key, text if is_name else "", lambda: value, frame)
    return body


def _is_value(debuggee: Debuggee, name: str, frame: int) -> bool:
    try:
        debuggee.session.inspector.bound_at(name, frame)
    except DebuggerError:
        return False
    return True


def _shown(value: Any) -> str:
    array = tensor_of(value)
    if array is not None:
        return exact_number_text(array[()]) if not array.shape else summary_of(value)
    if isinstance(value, (int, float, complex)) and not isinstance(value, bool):
        return exact_number_text(value)
    return summary_of(value)


def set_variable(debuggee: Debuggee, arguments: SetVariableArguments) -> SetVariableResponseBody:
    """Gives a value, or an element of one, another number, in another future."""
    target = target_of(debuggee, arguments["variablesReference"], arguments["name"])
    return {"value": _set(debuggee, target, arguments["value"])}


def set_expression(debuggee: Debuggee, arguments: SetExpressionArguments) -> SetExpressionResponseBody:
    """Gives a value, or a part of one, another value, in another future."""
    debuggee.at(arguments.get("frameId"))
    return {"value": _set(debuggee, arguments["expression"], arguments["value"])}


def _set(debuggee: Debuggee, target: str, value: str) -> str:
    """Returns the new value of a target, which everything that the client shows may depend on."""
    frame = debuggee.session.selected_frame
    debuggee.command(f"set {target} = {value}")
    return escaped(_shown(debuggee.session.watches.evaluate(target, frame).value))


def completions(debuggee: Debuggee, arguments: CompletionsArguments) -> CompletionsResponseBody:
    """Returns how a command, or an expression, can go on."""
    debuggee.at(arguments.get("frameId"))
    lines = arguments["text"].split("\n")
    number = arguments.get("line", debuggee.client.lines_from) - debuggee.client.lines_from
    if not 0 <= number < len(lines):
        raise DebuggerError(f"expected one of {len(lines)} lines, got {number}")
    units = lines[number].encode("utf-16-le", "surrogatepass")
    cut = max(arguments["column"] - debuggee.client.columns_from, 0)
    line = units[: 2 * cut].decode("utf-16-le", "replace")
    completion = complete_command(debuggee.session, line)
    prefix = ""
    if not completion.words and line.split(" ")[0] not in _COMMANDS:
        prefix = "print "
        completion = complete_command(debuggee.session, prefix + line)
    start = completion.start - len(prefix)
    targets: list[CompletionItem] = [
        {"label": word, "start": start, "length": len(line) - start} for word in completion.words
    ]
    return {"targets": targets}


def exception_info(debuggee: Debuggee, arguments: ExceptionInfoArguments) -> ExceptionInfoResponseBody:
    """Returns why the program cannot go on, or which number that is not finite was made, and from what."""
    debuggee.select(arguments["threadId"] - 1)
    snapshot = debuggee.session.snapshot
    step, frame = snapshot.last_step, snapshot.frame
    if snapshot.error:
        origin = [] if frame is None else origin_lines(frame.origin)
        kind = debuggee.error_kind() or "failure"
        return _exception(kind, snapshot.error, kind, "\n".join(origin))
    if step is None or not step.finding:
        raise DebuggerError("expected a stop at an error or a number that is not finite, got another one")
    findings = " and ".join(step.finding)
    operation = f"{step.op}{'' if step.line is None else f' on line {step.line}'}"
    if step.details:
        trace = "\n".join([*step.details, *origin_lines(step.origin)])
        return _exception("finding", f"{operation}: {step.details[0]}", findings, trace)
    card = nonfinite_card(debuggee.session)
    description = f"{operation} made {detected_text(step)}" if card is None else card.title
    try:
        chain = debuggee.answer("blame").removeprefix(f"{description}\n")  # the box begins with it
    except DebuggerError as error:
        chain = str(error)
    return _exception(step.finding[0], description, findings, "\n".join([chain, *origin_lines(step.origin)]))


def _exception(kind: str, description: str, name: str, trace: str) -> ExceptionInfoResponseBody:
    return {
        "exceptionId": kind,
        "description": escaped(description),
        "breakMode": "always",
        "details": {"message": escaped(description), "typeName": name, "stackTrace": escaped(trace)},
    }
