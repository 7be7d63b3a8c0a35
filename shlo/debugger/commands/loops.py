"""Commands about the rounds of the loop that is open."""

from __future__ import annotations

from typing import Final

from shlo.debugger.commands.inspect import read_name
from shlo.debugger.commands.registry import CommandAnswer, DebuggerCommand
from shlo.debugger.commands.stepping import natural
from shlo.debugger.errors import DebuggerError
from shlo.debugger.inspect.loops import Loop
from shlo.debugger.session import Session
from shlo.debugger.tensors.difference import difference_of
from shlo.debugger.text.format import where_text
from shlo.debugger.text.format_loops import loop_text, round_difference_text, rounds_text, sampled_rounds


def _loop(session: Session) -> Loop:
    return session.loops.innermost(session.selected_frame)


def _round(session: Session, text: str) -> str:
    return _to_round(session, natural(text, "the number of a round")) if text else loop_text(_loop(session))


def _next_round(session: Session, text: str) -> str:
    return _to_round(session, _loop(session).round + (natural(text, "a number of rounds") if text else 1))


def _reverse_round(session: Session, text: str) -> str:
    number = _loop(session).round - (natural(text, "a number of rounds") if text else 1)
    if number < 0:
        raise DebuggerError("there is no round before: rounds count from 0")
    return _to_round(session, number)


def _to_round(session: Session, number: int) -> str:
    if session.to_round(number).reason != "missed":
        return where_text(session)
    return f"the loop has no round {number}\n{where_text(session)}"


def _rounds(session: Session, text: str) -> str:
    name, loop = read_name(text), _loop(session)
    count = len(loop.starts)
    values = session.loops.values(loop, name, session.selected_frame, sampled_rounds(count))
    return rounds_text(name, values, loop.round, count)


def _round_difference(session: Session, text: str) -> CommandAnswer:
    name, loop = read_name(text), _loop(session)
    rounds = range(loop.round + 1)[-3:]
    values = dict(session.loops.values(loop, name, session.selected_frame, rounds))
    number = loop.round if loop.round in values else loop.round - 1
    if number not in values or number - 1 not in values:
        raise DebuggerError(f"%{name} has no value in the round before")
    difference = difference_of(values[number], values[number - 1], 1)
    text = round_difference_text(name, number, difference)
    return CommandAnswer(
        text, (f"%{name} - prev(%{name})", difference.signed) if difference.differing else None
    )


LOOP_COMMANDS: Final = (
    DebuggerCommand(
        ("round",), "[N]", "go to the beginning of round N of the loop; without N, say which is open", _round
    ),
    DebuggerCommand(("next-round", "nr"), "[COUNT]", "go on to the beginning of the next round", _next_round),
    DebuggerCommand(
        ("reverse-round", "rr"), "[COUNT]", "go back to the beginning of the round before", _reverse_round
    ),
    DebuggerCommand(
        ("rounds",), "%VALUE", "show a value in all rounds of the loop that were reached", _rounds, "value"
    ),
    DebuggerCommand(
        ("round-diff",),
        "%VALUE",
        "compare a value with the one it had in the round before",
        _round_difference,
        "value",
    ),
)
