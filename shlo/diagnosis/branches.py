"""Why a grid cannot go on: a collective in a branch that not all processes took."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
from msgspec.structs import replace

from shlo.debugger.session import Session
from shlo.diagnosis.program import ProgramOp
from shlo.interpreter.engine.frames import Frame
from shlo.interpreter.program.code import Kind
from shlo.places.card import Card, Cause
from shlo.places.place import Place, short_line_text
from shlo.places.remedies import SAME_PATH


def failure_card(session: Session) -> Card | None:
    """Returns the card of why a run cannot go on; None for one that can."""
    error, frame = session.cursor.error, session.snapshot.frame
    if error is None:
        return None
    sources = session.structure.python
    branches = list(_divergent_branches(session))
    if branches:
        return branches[0]
    place = Place() if frame is None else Place(frame.op, frame.line, frame.origin)
    message = error.message.splitlines()[0].removeprefix(f"{error.op}: ")
    return replace(sources.card_at("failure", place, "failed", None), notes=(message,))


def _divergent_branches(session: Session) -> Iterator[Card]:
    """Yields a card for each branch that processes which wait have taken and others have not."""
    grid = session.cursor.grid
    waiting = [number for number in range(len(grid.processes)) if grid.status_of(number) == "waiting"]
    for number in waiting:
        frames = grid.processes[number].frames
        for depth in range(len(frames) - 1):
            if frames[depth].instruction.kind is Kind.BRANCH:
                values = _predicates(session, frames[depth], depth)
                if len(set(values.values())) > 1 or set(values) != set(range(len(grid.processes))):
                    yield _branch_card(session, frames, depth, number, values)


def _predicates(session: Session, frame: Frame, depth: int) -> Mapping[int, str]:
    """Returns the predicate of a branch in each process that has it in the frame of this depth."""
    register, values = frame.instruction.operands[0], dict[int, str]()
    for number, process in enumerate(session.cursor.grid.processes):
        other = process.frames[depth] if depth < len(process.frames) else None
        value = other.registers[register] if other is not None and other.code is frame.code else None
        if value is not None:
            values[number] = str(np.asarray(value)[()])
    return values


def _branch_card(
    session: Session, frames: list[Frame], depth: int, number: int, values: Mapping[int, str]
) -> Card:
    around = tuple(frame.instruction.operation for frame in frames[:depth])
    op = ProgramOp(frames[depth].code, frames[depth].index, around)
    inner = frames[-1]
    outer = tuple(frame.instruction.operation for frame in frames[:-1])
    collective = ProgramOp(inner.code, inner.index, outer)
    where = short_line_text(collective.origin.line)
    at = f" at {where}" if where else ""
    shape = session.cursor.grid.shape
    named = ", ".join(f"{shape.label(process)}: {value}" for process, value in values.items())
    card = session.structure.python.card_at(
        "divergent_branch",
        op.place,
        f"takes process {shape.label(number)} to {collective.operation.name}{at}, and others not",
        SAME_PATH,
    )
    return replace(card, causes=(Cause(f"{_predicate_text(session, op)} by process", "", (named,)),))


def _predicate_text(session: Session, op: ProgramOp) -> str:
    """Returns the expression that decides a branch, as far as the operation that made it tells."""
    index = op.code.defined_at.get(op.operation.operands[0], -1)
    while index >= 0 and op.code.instructions[index].operation.name == "stablehlo.convert":
        index = op.code.defined_at.get(op.code.instructions[index].operands[0], -1)
    if index < 0:
        return "the predicate"
    line = ProgramOp(op.code, index, op.around).origin.line
    expression = None if line == op.origin.line else session.structure.python.expression_of(line)
    return expression.text if expression else "the predicate"
