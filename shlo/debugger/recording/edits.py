"""Edits as the frames of a recording hold them: what kind they are, and what they change.

`"set", depth, register, name, index, value`, where the index is null or a list of numbers and of
`[start, stop, step]`; `"skip", step, operation, values`; `"replace", step, program point, text`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from shlo.debugger.errors import RecordingError
from shlo.debugger.recording.values import ValueReader, as_list, write_value
from shlo.debugger.replay.edits import Edit, Replace, SetValue, Skip


def plain_edit(edit: Edit, write: Callable[[Any], None]) -> list[Any]:
    """Writes the elements of an edit's values, and returns what refers to the edit."""
    if isinstance(edit, SetValue):
        index = None if edit.index is None else list(map(_plain, edit.index))
        return ["set", edit.depth, edit.register, edit.name, index, write_value(edit.value, write)]
    if isinstance(edit, Skip):
        return ["skip", edit.step, edit.op, [write_value(value, write) for value in edit.results]]
    return ["replace", edit.step, edit.key, edit.text]


def edit_of(values: ValueReader, position: int, process: int, plain: list[Any]) -> Edit:
    """Returns an edit; raises RecordingError where it is none."""
    match plain:
        case ["set", int(depth), int(register), str(name), index, value] if depth > 0 and register >= 0:
            part = None if index is None else tuple(map(_place, as_list(index)))
            return SetValue(position, process, depth, register, name, part, values.value(value))
        case ["skip", int(step), str(op), results] if step >= 0:
            return Skip(position, process, step, op, values.values(results))
        case ["replace", int(step), str(key), str(text)] if step >= 0:
            return Replace(position, process, step, key, text)
        case _:
            raise RecordingError("an edit is of no kind that is known")


def _plain(place: int | slice) -> Any:
    return [place.start, place.stop, place.step] if isinstance(place, slice) else place


def _place(plain: Any) -> int | slice:
    match plain:
        case int():
            return plain
        case [None | int() as start, None | int() as stop, None | int() as step] if step != 0:
            return slice(start, stop, step)
        case _:
            raise RecordingError("an index is of no kind that is known")
