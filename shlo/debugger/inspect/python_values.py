"""Values in scope by the names that the Python source gives them."""

from __future__ import annotations

from collections.abc import Sequence

from shlo.debugger.inspect.scope import Bound
from shlo.debugger.replay.program_points import ProgramPoint, value_name
from shlo.interpreter.engine.frames import Frame
from shlo.interpreter.program.code import CodeBlock
from shlo.places.names import PythonName
from shlo.places.place import short_line_text


def bound_python(
    frames: Sequence[Frame], index: int, names: Sequence[PythonName]
) -> list[tuple[PythonName, Bound]]:
    """Returns those of some values that an operation of frame `index` may use: of its function and of the
    regions between.
    """
    found = list[tuple[PythonName, Bound]]()
    for depth in range(index + 1, 0, -1):
        frame = frames[depth - 1]
        for name in names:
            defined_at = frame.code.defined_at.get(name.value)
            if name.function == frame.function.name and defined_at is not None and defined_at < frame.index:
                found.append((name, Bound(frame.code, name.value, depth, frame)))
        if frame.region is None:
            break
    return found


def binds(code: CodeBlock, name: PythonName) -> bool:
    """Returns whether a block binds the value of a name."""
    return code.function.name == name.function and name.value in code.defined_at


def binds_python(point: ProgramPoint, name: PythonName) -> bool:
    """Returns whether the value of a name is bound as a process arrives at a program point."""
    return binds(point.code, name) and name.value in point.bound_registers


def python_name_text(name: PythonName, bound: Bound) -> str:
    """Returns which value a name is, and where it is assigned: `%12 at train.py:14 loss`."""
    where = f" at {short_line_text(name.line)}" if name.line else ""
    return f"%{value_name(bound.code, bound.register)}{where}"
