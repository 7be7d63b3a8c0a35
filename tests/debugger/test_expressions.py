"""The expression language of the debugger."""

from __future__ import annotations

import random
from contextlib import suppress
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from shlo.debugger import DebuggerError, Session
from shlo.debugger.commands.table import run_command
from shlo.debugger.expressions.expression import read_expression, read_template
from shlo.debugger.expressions.functions import FUNCTIONS
from shlo.debugger.recording.file import open_recording
from shlo.debugger.recording.recorder import record
from shlo.debugger.text.format import breakpoint_text
from tests.debugger.expression_values import Values
from tests.debugger.programs import NESTED, ROUNDS_IN_GRID, read

X = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
VALUES = Values(
    {
        "x": X,
        "i": np.int32(7),
        "n": np.array([1, np.nan, -np.inf, 0], np.float32),
        "b": np.array([0.1, 2], ml_dtypes.bfloat16),
        "u": np.array([2**64 - 1], np.uint64),
        "c": np.array([3 + 4j, 1j], np.complex64),
        "f": np.array([0.1], np.float32),
        "x.y": np.int32(3),
        "t": (np.int32(5), X),
        "sum#1": np.int32(9),
    },
    rounds=(3, 73),
)


def value(text: str) -> Any:
    return read_expression(text, names=VALUES.by_name.keys()).evaluate(VALUES)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1 + 2 * 3 ** 2 - -4", 23),
        ("(1 + 2) * 3", 9),
        ("7 // 2 + 1 / 2", 3.5),
        ("2 ** 100 + 1", 2**100 + 1),
        ("-2 ** 2", -4),
        ("0x1f", 31),
        ("%x[1, :, -1].max()", 23),
        ("%x[0, 1:, ::2].sum()", 4 + 6 + 8 + 10),
        ("%x[%i - 6, 0, 0]", 12),
        ("x[0, 0, 1]", 1),
        ("max(abs(%x - 100))", 100),
        ("sum(%x, axis=0)[0, 0]", 12),
        ("mean(%x) == 11.5", True),
        ("argmax(%x)", 23),
        ("norm(%x[0, 0])", np.sqrt(14)),
        ("shape(%x)[2] + size(%x) + ndim(%x)", 31),
        ("%x.shape[2] + %x.T.shape[2] + %x.size.max()", 4 + 2 + 24),
        ("nans(%n) + 10 * infs(%n) + 100 * zeros(%n)", 111),
        ("max(finite(%n))", 1),
        ("%n max", 1),
        ("%n nan and not %x nan", True),
        ("isnan(max(%n))", True),
        ("any(%x > 22) and all(%x >= 0)", True),
        ("not %x > 23", True),
        ("(%x > 20) & (%x < 22)", X * 0 + (X == 21)),
        ("where(%x > 22, 1, 0).sum()", 1),
        ("diff(%x[0, 0])", [1, 1, 1]),
        ("iter + iter(1)", 76),
        ("%u[0] + 1", 2**64),
        ("sum(%u)", 2**64 - 1),
        ("%c[0] > 4.9", True),
        ("%c[0] == 3", False),
        ("%f == 0.1 and %b[0] == 0.1", True),
        ("%x.y + 1", 4),
        ("%t[0]", 5),
        ("%sum#1", 9),
        ("%i-1", 6),
        ("nan == nan or inf > 1e308", True),
        ("allclose(%x, %x + 1e-9)", True),
        ("minimum(%x, 3).max()", 3),
        ("clip(%x, 2, 5).min()", 2),
        ("mod(%i, 4)", 3),
    ],
)
def test_values_of_expressions(text: str, expected: Any) -> None:
    found = value(text)
    np.testing.assert_allclose(np.asarray(found).astype(float), np.asarray(expected).astype(float))
    if isinstance(expected, int):
        assert found == expected
    written = str(read_expression(text, names=VALUES.by_name.keys()))
    assert str(read_expression(written, names=VALUES.by_name.keys())) == written


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected an expression"),
        ("max(%x", "expected ',' or '\\)', got the end, at character 7"),
        ("%x.maxx()", "there is no function 'maxx'; did you mean max\\?, at character 4"),
        ("%x && %i", "unexpected '&&'; did you mean and\\?, at character 4"),
        ("%x => 1", "did you mean >=\\?"),
        ("%x = 1", "did you mean ==\\?"),
        ("1 < %i < 3", "join them with and"),
        ("max > 3", "max is a function"),
        ("__import__(1)", "no function '__import__'"),
        ("%x.__class__()", "no function '__class__'"),
        ("where(%x)", "expected where\\(condition, x, y\\)"),
        ("%x[::0]", "steps of 0"),
        ("%x[0, 0, 9]", "out of bounds"),
        ("%x[1.5]", "whole number"),
        ("%x + %n[1:]", "do not fit together"),
        ("2 ** 9999999", "more than 4096 bits"),
        ("1 // 0", "divided by 0"),
        ("max(%x[:0])", "max of no elements"),
        ("%t + 1", "expected a tensor"),
        ("iter(5)", "no loop"),
        ("1" * 600, "at most 500 characters"),
        ("(" * 60 + "1" + ")" * 60, "levels deep"),
        ("+".join("1" * 240), "at most 200 parts"),
        ("prev(3)", "prev takes a value"),
    ],
)
def test_mistakes_are_named_with_their_place(text: str, message: str) -> None:
    with pytest.raises(DebuggerError, match=message) as caught:
        value(text)
    assert "\n" not in str(caught.value)


def test_results_on_the_way_are_bounded() -> None:
    long = Values({"a": np.zeros((1 << 15, 1), np.int8), "b": np.zeros((1, 1 << 15), np.int8)})
    with pytest.raises(DebuggerError, match="a result on the way would take"):
        read_expression("%a + %b").evaluate(long)


PIECES = [
    *[
        "%x",
        "%i",
        "%n",
        "%u",
        "%c",
        "%t",
        "%nope",
        "x",
        "1",
        "0",
        "-3",
        "2.5",
        "1e400",
        "9999999999",
        "nan",
        "inf",
        "iter",
        "iter(1)",
        "(",
        ")",
        "[",
        "]",
        ",",
        ":",
        ".",
        "+",
        "-",
        "*",
        "/",
        "//",
        "**",
        "<",
        ">",
        "==",
        "!=",
        "<=",
        "and",
        "or",
        "not",
        "&",
        "|",
        "~",
        "=",
        "outer.",
        "process(0).",
        "@0",
        "prev(",
        "max",
        "min",
        "nan[",
        "'a'",
        '"',
        "\\",
        "$",
        "#",
        "é",
        "\x00",
        "\n",
        ";",
        "{",
        "}",
        "axis=",
        ".max()",
        "[0]",
        "[:]",
        "[::-1]",
    ],
    *(f"{name}(" for name in FUNCTIONS),
]


def test_any_text_is_an_expression_or_a_mistake() -> None:
    choice = random.Random(13)
    good = 0
    for _ in range(6000):
        text = choice.choice(["", " "]).join(choice.choices(PIECES, k=choice.randint(1, 9)))
        try:
            expression = read_expression(text, choice.choice([None, read_expression("%x")]))
            assert str(read_expression(str(expression))) == str(expression), text
            expression.evaluate(VALUES)
            expression.holds(VALUES)
            good += 1
        except DebuggerError as error:
            assert "\n" not in str(error)  # noqa: PT017  (not every text is a mistake)
        with suppress(DebuggerError):
            read_template(text)
    assert good > 100


def said(session: Session, *lines: str) -> list[str]:
    return [run_command(session, line).text for line in lines]


def nested() -> Session:
    return Session(read(NESTED), [np.int32(5)])


def test_conditions_see_the_frames_around_and_say_why_they_have_no_value() -> None:
    session = nested()
    said(session, "b op add if %i == 1 and iter == 1")
    assert "[16], @next, breakpoint 1" in said(session, "c")[0]
    assert said(session, "p %i", "p outer.%i + 1") == ["1\n(%i is a value of @main, 1 call outward)", "2"]
    with pytest.raises(DebuggerError, match="out of the program"):
        run_command(session, "p outer.outer.%i")
    assert said(session, "c")[0].startswith("[18], @main")
    last = said(session, "c")[0]
    assert "1: its condition has no value here, and does not hold: %i is not in scope here" in last
    assert last.count("has no value here") == 1


def test_previous_values() -> None:
    session = nested()
    said(session, "b value %new", "c", "c")
    assert said(session, "p prev(%new)", "p %new - prev(%new)", "p prev(%i)") == ["6", "2", "0"]
    with pytest.raises(DebuggerError, match="was not bound before"):
        run_command(session, "p prev(prev(%new))")


def test_watched_expressions_stop_where_they_change_or_cross_a_bound() -> None:
    session = nested()
    assert said(session, "watch %total", "watch %new if > 6") == [
        "breakpoint 1: change %total in @main",
        "breakpoint 2: change %new in @main if %new > 6",
    ]
    there = [session.resume().position for _ in range(3)]
    assert there == [11, 19, 20]
    assert session.resume().reason == "done"
    assert [session.reverse().position for _ in range(3)] == there[::-1]
    said(session, "goto 20")
    assert said(session, "info breakpoints")[0].splitlines() == [
        "1: change %total in @main, hit 2 times",
        "2: change %new in @main if %new > 6, hit 1 time",
    ]


def test_log_points_print_and_do_not_stop(tmp_path: Any) -> None:
    session = nested()
    said(session, 'log @next "n {%n} of round {iter} {{}}"', 'break value %new if > 100 log "never"')
    assert said(session, "c")[0].splitlines()[:2] == [
        "[6] 1: n 0 of round 0 {}",
        "[15] 1: n 1 of round 1 {}",
    ]
    assert session.snapshot.reason == "done"
    for wrong in ('log 5 "{%nope}"', 'log 5 "{"', "log 5", "log 5 text"):
        with pytest.raises(DebuggerError):
            run_command(session, wrong)
    said(session, "watch %total if > 6")
    path = str(tmp_path / "a.shlorec")
    record(session, path).close()
    before = [breakpoint_text(point).partition(": ")[2] for point in session.breakpoints]
    after = [breakpoint_text(point).partition(": ")[2] for point in open_recording(path).breakpoints]
    assert after[1:] == before[1:]
    assert after[0].partition(" log ")[2] == before[0].partition(" log ")[2]


def test_counts_go_together_with_conditions() -> None:
    session = nested()
    point = session.breakpoints.on_op("add", "iter == 1")
    session.breakpoints.ignore(point.number, 1)
    assert session.resume().position == 18
    assert session.stepping.times_hit(point.number) == 2
    assert session.reverse().reason == "beginning"


def test_values_of_other_processes() -> None:
    inputs = [[np.full(3, number, np.float32)] for number in range(4)]
    session = Session(read(ROUNDS_IN_GRID), inputs, replicas=2, partitions=2)
    name = session.inspector.values()[0].name
    assert said(session, f"p max(%{name}@3) - max(%{name})", f"p process(2).%{name}[0]") == ["3.", "2."]
    with pytest.raises(DebuggerError, match="no process 9"):
        run_command(session, f"p %{name}@9")


def test_plots_and_displays() -> None:
    session = Session(
        read("func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n  return %x : tensor<4xf32>\n}"),
        [X[0, 0]],
    )
    assert said(session, "plot %x", "plot -%x * 2")[0] == "▁▃▆█\n4 elements, 0 to 3"
    assert said(session, "display max(%x) / 2", "s")[0] == "1: max(%x) / 2 = 1.5"
    assert "max(%x) / 2: the program is done" in said(session, "where")[0]
    assert said(session, "undisplay 1", "display") == [
        "max(%x) / 2 is displayed no more",
        "nothing is displayed",
    ]
