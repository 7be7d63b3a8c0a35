"""Values by the names of the Python source: each is what Python computes at the line, in programs as users write
them."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.core import Tracer

from shlo.debugger import DebuggerError, Session
from shlo.debugger.commands.table import run_command
from shlo.ir.operations import walk
from shlo.jax_programs.arguments import Arguments
from shlo.jax_programs.program import ProgramCall, call_of
from shlo.places.names import PythonName
from shlo.places.origins import origin_of
from shlo.places.python_files import Assignment, PythonFile, parse_python
from tests.jax_users import named_programs
from tests.jax_users.named_programs import PROGRAMS

pytestmark = pytest.mark.oracle

FILE = named_programs.__file__
Assigned = tuple[str, int, str]
"""A function, a line, and a name that is assigned there."""


def source() -> PythonFile:
    with open(FILE, encoding="utf-8") as file:
        parsed = parse_python(file.read().splitlines())
    assert parsed is not None
    return parsed


class EagerValues:
    """What names are bound to while a function runs without `jax.jit`, by function, line and name."""

    def __init__(self, program: PythonFile) -> None:
        self._program = program
        self._lines: dict[FrameType, int] = {}
        self.values: dict[Assigned, list[Any]] = {}
        self.traced: set[Assigned] = set()
        """What is bound to a tracer: its values are those of a transformed function."""

    def trace(self, frame: FrameType, event: str, _: Any) -> Any:
        if frame.f_code.co_filename != FILE:
            return None
        if event in ("line", "return") and frame in self._lines:
            self._note(frame, self._lines[frame])
        self._lines[frame] = frame.f_lineno
        return self.trace

    def _note(self, frame: FrameType, line: int) -> None:
        name = frame.f_code.co_qualname
        function = self._program.function(name, line)
        for assignment in function.assignments if function else ():
            if assignment.line <= line <= (assignment.statement.end_lineno or 0):
                self._add((name, assignment.line, assignment.name), assignment, frame)

    def _add(self, key: Assigned, assignment: Assignment, frame: FrameType) -> None:
        try:
            value: Any = eval(assignment.name, frame.f_globals, frame.f_locals)  # of this file's own names
        except (NameError, AttributeError, KeyError, TypeError):
            return
        if isinstance(value, Tracer):
            self.traced.add(key)
        elif isinstance(value, jax.Array):
            self.values.setdefault(key, []).append(np.asarray(value))


def eager_values(make: Callable[[], Any]) -> EagerValues:
    """Returns what names of the file are bound to in a call; a function that is differentiated is called."""
    real = jax.value_and_grad

    def twice(inner: Callable[..., Any], **keywords: Any) -> Callable[..., Any]:
        return lambda *args: (inner(*args), real(inner, **keywords)(*args)[1])

    values = EagerValues(source())
    jax.value_and_grad = twice
    before = sys.gettrace()
    try:
        function, arguments = make()
        with jax.disable_jit():
            sys.settrace(values.trace)
            function(*arguments)
    finally:
        sys.settrace(before)
        jax.value_and_grad = real
    return values


def values_in_program(session: Session, name: PythonName) -> list[Any]:
    """Returns what a value of a name is, each time that the program binds it."""
    values = list[Any]()
    point = session.breakpoints.on_python(name)
    session.restart()
    while session.resume().reason == "breakpoint":
        values.append(np.asarray(session.inspector.value(str(point.where))))
    session.breakpoints.remove(point.number)
    return values


def is_close(one: Any, other: Any) -> bool:
    return one.shape == other.shape and np.allclose(
        one.astype(np.float64), other.astype(np.float64), rtol=1e-4, atol=1e-5
    )


def reached_lines(call: ProgramCall) -> set[tuple[str, int]]:
    """Returns the lines of the file, with their functions, that operations of a program are for."""
    lines = set[tuple[str, int]]()
    for operation, _ in walk(call.program.module.body):
        for line in origin_of(operation.location).lines:
            lines.update((line.function, at) for at in range(line.line, (line.end_line or line.line) + 1))
    return lines


def judged(make: Callable[[], Any]) -> tuple[set[Assigned], set[Assigned], list[str]]:
    """Returns the assignments that reach a program, those whose value is known there, and what is wrong."""
    function, arguments = make()
    eager = eager_values(make)
    call = call_of(function, Arguments(tuple(arguments)))
    session = Session(call.program.module, inputs=call.inputs)
    session.structure.python.add_folder(FILE.rpartition("/")[0])
    names, known, wrong = session.run.python_names, set[Assigned](), list[str]()
    for text in names:
        for name in names.values_of(text):
            if name.line is None:
                continue
            key = name.line.function, name.line.line, name.name
            for value in values_in_program(session, name):
                others = eager.values.get(key, ())
                if not any(is_close(value, other) for other in others) and (
                    others or key not in eager.traced
                ):
                    wrong.append(f"{key}: {value} instead of {others}")
                known.add(key)
    reached = reached_lines(call)
    return {key for key in eager.values if key[:2] in reached}, known, wrong


@pytest.mark.parametrize("make", PROGRAMS, ids=lambda make: make.__name__)
def test_a_name_has_the_value_that_python_computes_at_its_line(make: Callable[[], Any]) -> None:
    reached, known, wrong = judged(make)
    assert not wrong
    assert len(reached - known) <= len(reached) // 4, f"no value is known of {reached - known}"


SCRIPT = """
import jax.numpy as jnp

def half(x):
    y = x * 0.5
    return y

def loss(params, batch):
    c = half(batch)
    d = half(c + 1.0)
    loss = jnp.sum(d * params["w"])
    return loss
"""


@pytest.fixture
def session(tmp_path: Path) -> Session:
    """Returns a session of a script whose source is found."""
    return session_of(tmp_path, SCRIPT, "loss", {"w": jnp.arange(3.0)}, jnp.ones(3))


def session_of(folder: Path, script: str, name: str, *arguments: Any) -> Session:
    """Returns a session of a function of a script that is in a folder."""
    path = folder / "script.py"
    path.write_text(script, encoding="utf-8")
    scope: dict[str, Any] = {}
    exec(compile(script, str(path), "exec"), scope)
    call = call_of(scope[name], Arguments(arguments))
    opened = Session(call.program.module, inputs=call.inputs)
    opened.structure.python.add_folder(str(folder))
    return opened


def test_print_takes_names_and_paths_of_python(session: Session) -> None:
    assert answer(session, "print params['w'][2]") == "2."
    assert "loss of script.py:11 loss has no value here; break loss stops" in refused(session, "print loss")
    assert answer(session, "break loss") == "breakpoint 1: value %7 (loss)"
    session.resume()
    assert answer(session, "print loss") == "2.25\n(loss of script.py:11 loss)"
    assert answer(session, 'print loss + params["w"].sum()').startswith("5.25\n")


UNPACKED = """
import jax
import jax.numpy as jnp

class Model:
    def __call__(self, params, inputs):
        kernel = params["w"]
        return inputs @ kernel

def loss(params, batch):
    inputs, labels = batch
    errors = Model()(params, inputs) - labels
    return jnp.mean(errors * errors)

def step(params, batch):
    value, gradients = jax.value_and_grad(loss)(params, batch)
    return value, gradients

def mapped(params, batch):
    def one(row, label):
        features = row
        return features @ params["w"] - label
    return jax.vmap(one)(*batch)

def twice(params, batch):
    def first(pair):
        left, _ = pair
        return left * 2.0
    return first(batch) + first((batch[0] + 1.0, batch[1]))
"""


def test_parts_of_arguments_have_the_names_that_unpacking_gives_them(tmp_path: Path) -> None:
    rows, labels = np.arange(6, dtype=np.float32).reshape(2, 3), np.ones(2, np.float32)
    arguments = {"w": np.arange(3, dtype=np.float32)}, (rows, labels)
    stepping = session_of(tmp_path, UNPACKED, "step", *arguments)
    for name, value in (("inputs", rows), ("labels", labels), ("kernel", arguments[0]["w"])):
        (known,) = stepping.run.python_names.values_of(name)
        assert (stepping.inspector.value(f"arg{known.value}") == value).all(), name
    for function, name in (("mapped", "features"), ("twice", "left")):
        assert name in session_of(tmp_path, UNPACKED, function, *arguments).run.python_names.unknown


def test_a_name_of_several_values_is_not_guessed(session: Session) -> None:
    session.breakpoints.on_python(session.run.python_names.values_of("loss")[0])
    session.resume()
    refusal = refused(session, "print y")
    assert refusal.startswith("y is 2 values here: ")
    assert refusal.count(" at script.py:5 half") == 2
    assert "y is 2 values: " in refused(session, "break y")


def test_names_are_not_taken_from_a_source_that_is_another_one(session: Session, tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text("# moved\n" + SCRIPT, encoding="utf-8")
    assert "loss" not in session.run.python_names


def test_values_are_listed_with_their_names(session: Session) -> None:
    session.breakpoints.on_python(session.run.python_names.values_of("d")[0])
    session.resume()
    labels = [view.label for view in session.inspector.values()]
    assert labels[:2] == ["params['w']", "batch"]
    assert "d, y" in labels


def answer(session: Session, command: str) -> str:
    """Returns what a command answers."""
    return run_command(session, command).text


def refused(session: Session, command: str) -> str:
    """Returns why a command is refused."""
    with pytest.raises(DebuggerError) as error:
        answer(session, command)
    return str(error.value)
