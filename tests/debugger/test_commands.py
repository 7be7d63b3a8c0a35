"""The debugger's command language."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from shlo.debugger import DebuggerError, Session
from shlo.debugger.commands.completion import complete_command
from shlo.debugger.commands.table import COMMANDS, run_command, run_script
from shlo.ir.operations import Module
from tests.debugger.programs import ARGUMENTS, NESTED, NOT_FINITE, read


def nested() -> Session:
    return Session(read(NESTED), [np.int32(5)])


def said(session: Session, *lines: str) -> list[str]:
    return [run_command(session, line).text for line in lines]


def test_a_script_tells_each_command_and_its_reply() -> None:
    session = nested()
    script = [
        "# into the loop",
        "",
        "step 3",
        "break op add if %n > 0",
        "c",
        "c",
        "prnt %n",
        "print %n",
        "quit",
        "step",
    ]
    entries = list(run_script(session, script))
    assert [entry.line for entry in entries] == ["# into the loop", *script[2:-1]]
    assert entries[1].reply.text.splitlines() == [
        "[3], @main cond #0",
        "%two = 2",
        "   6     %more = stablehlo.compare LT, %i, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>",
    ]
    assert [entry.failed for entry in entries] == [False] * 5 + [True, False, False]
    assert [entry.reply.ends for entry in entries] == [False] * 7 + [True]
    assert entries[-3].reply.text == "there is no command 'prnt'; did you mean print?"
    assert entries[-2].reply.text == "16"
    assert entries[-1].reply.snapshot.position == session.position


@pytest.mark.parametrize(
    ("lines", "position"),
    [
        (["s", "s 2"], 3),
        (["n", "next"], 23),
        (["n 99"], 31),
        (["u 10"], 9),
        (["u 10", "fin"], 23),
        (["u 10", "reverse-finish"], 1),
        (["goto 9", "bs", "rs 2"], 6),
        (["goto 23", "rn"], 1),
        (["b value %new", "c", "c", "rc"], 10),
        (["c", "ru 11"], 19),
        (["b @next", "c", "c"], 15),
        (["g 5", "restart"], 0),
    ],
)
def test_moves(lines: list[str], position: int) -> None:
    session = nested()
    said(session, *lines)
    assert session.position == position


def test_breakpoints_come_and_go() -> None:
    session = nested()
    replies = said(
        session, "b 10", "break op add", "b %new if == 8", "b nan", "disable 2", "ignore 1 1", "b @next"
    )
    assert replies == [
        "breakpoint 1: line 10",
        "breakpoint 2: op stablehlo.add",
        "breakpoint 3: value %new if %new == 8",
        "breakpoint 4: nonfinite nan",
        "breakpoint 2: op stablehlo.add, off",
        "breakpoint 1: line 10 after 1 times",
        "breakpoint 5: function @next, line 21",
    ]
    assert said(session, "delete 4", "delete 5", "info breakpoints")[2].count("\n") == 2
    assert said(session, "c", "p %i", "c", "p %new")[1::2] == ["1", "8"]
    replies = said(session, "condition 3 max < 8", "delete 1", "rc", "p %new")
    assert replies[::3] == ["breakpoint 3: value %new if %new max < 8", "6"]


def test_values_and_parts_of_them(tmp_path: Path) -> None:
    x = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
    text = "func.func @main(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {\n  return %x : tensor<2x3x4xf32>\n}"
    session = Session(read(text), [x])
    assert said(session, "print %x[1, :, 3]", "p x[-1, 1:, ::-2]") == [
        "[15., 19., 23.]",
        "[[19., 17.],\n [23., 21.]]",
    ]
    assert said(session, "stats %x")[0].splitlines() == [
        "2x3x4xfloat32: 24 elements, 96 B",
        "min 0, max 23, mean 11.5",
        "1 zero",
    ]
    assert said(session, "hist %x")[0].count("\n") == 19
    path = tmp_path / "x.npy"
    said(session, f"save %x {path}")
    np.testing.assert_array_equal(np.load(path), x)
    for wrong in (
        f"save %x {path}",
        "save %x",
        f"save %x {tmp_path / 'x.txt'}",
        f"save %x {tmp_path / 'no/x.npy'}",
    ):
        with pytest.raises(DebuggerError):
            run_command(session, wrong)


def test_frames_locals_history_and_display() -> None:
    session = nested()
    said(session, "b op add", "c", "c", "c")
    assert said(session, "info locals", "up", "info locals tot")[::2] == [
        "%n : tensor<i32> = 1\n%one : tensor<i32> = 1",
        "%total : tensor<i32> = 6",
    ]
    assert said(session, "down", "down 0")[0].startswith("#2 @next\n  22 ")
    assert said(session, "up", "history %total")[1].splitlines() == [
        "[5] %total = 5",
        "[14] %total = 6",
    ]
    said(session, "display %i", "display %total")
    assert said(session, "c")[0].splitlines()[1:4] == ["%next = 2", "%i = 1", "%total = 6"]
    assert said(session, "undisplay %i", "display") == ["%i is displayed no more", "2: %total = 6"]
    assert "last: func.return" in said(session, "info step")[0]
    assert said(session, "delete 1", "c", "info results")[2] == "result 0: tensor<i32>\n17"


def test_the_source() -> None:
    session = nested()
    said(session, "b 22", "c")
    listed = said(session, "list")[0].splitlines()
    assert [line for line in listed if line.startswith("->")] == [
        "->*   22   %after = stablehlo.add %n, %one : tensor<i32>"
    ]
    assert len(listed) == 9
    assert [line.split()[0] for line in said(session, "find %zero")[0].splitlines()] == ["2", "3", "13"]
    assert said(session, "find nothing like it") == ["not found"]


WRONG = [
    "break @nothing",
    *("step x", "step -1", "finish 1", "until", "until 99", "goto 9999999999999", "up", "down", "frame 7"),
    *(
        "break",
        "break op",
        "break op nothing",
        "break %nothing",
        "break 5 if",
        "break 5 if max",
        "break 5 if > 1",
    ),
    *("break %i if %i max 3", "delete", "delete 1", "enable x", "condition 3 max > 1", "ignore 1 1"),
    *("print", "print %nothing", "print %x[", "print %x[1]", "print %x[a]", "print %x[::0]", "print %x[1e9]"),
    *(
        "print __import__('os')",
        "stats %x[0]",
        "hist",
        "info",
        "info nothing",
        "find",
        "help nothing",
        "display %y",
    ),
    *("undisplay %x", "stepp", "%x", "nonfinite 3"),
]


@pytest.mark.parametrize("line", WRONG)
def test_what_makes_no_sense_is_told_and_changes_nothing(line: str) -> None:
    session = nested()
    with pytest.raises(DebuggerError) as caught:
        run_command(session, line)
    assert str(caught.value)
    assert "\n" not in str(caught.value)
    assert (session.position, [*session.breakpoints], [*session.watches]) == (0, [], [])


def test_help_knows_every_command_and_no_name_has_two_meanings() -> None:
    session = nested()
    text = run_command(session, "help").text
    names = [name for command in COMMANDS for name in command.names]
    assert len(names) == len(set(names))
    for command in COMMANDS:
        assert command.summary in text
        assert command.summary in run_command(session, f"help {command.names[-1]}").text


def test_the_end_of_a_program_has_no_frames_and_says_so() -> None:
    session = nested()
    assert said(session, "c")[0].endswith("the program is done")
    assert said(session, "info locals", "info frames") == ["no values", said(session, "where")[0]]
    for line in ("up", "frame 0", "print %x", "history %x"):
        with pytest.raises(DebuggerError, match="the program is done"):
            run_command(session, line)
    assert said(session, "rn")[0].startswith("[30], @main")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("", "step next finish"),
        ("rest", "restart"),
        ("print t", "%total"),
        ("p %", "%next %total %i %zero %x"),
        ("break op a", "add"),
        ("b %ne", "%new %next"),
        ("b 3 if %n", "%n %new %next"),
        ("delete ", "1"),
        ("info r", "results"),
        ("help dis", "disable display"),
        ("where ", ""),
        ("nothing ", ""),
        ("print max(%to", "%total"),
        ("print %total+ab", "abs("),
        ("print %total.ma", "max( maximum("),
        ("print pr", "prod( prev("),
        ("diff %total,%n", "%next"),
        ("b 3 if max(%n", "%n %new %next"),
        ('log 3 "n is {%ne', "%new %next"),
        ("condition 1 %ne", "%new %next"),
        ('print "', ""),
    ],
)
def test_completion(line: str, words: str) -> None:
    session = nested()
    said(session, "b 10", "c")
    completion = complete_command(session, line)
    assert list(completion.words)[: len(words.split()) or None] == words.split()
    assert line[completion.start :] == re.split(r"[\s,(+{]|(?<=l)\.", line)[-1]


def hostile() -> Module:
    return read(
        'func.func private @"a\\0A[9], @main\\1B[31m"() -> tensor<f32> {\n'
        '  %c = "stablehlo.constant"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32> loc("jit(\\1B]0;x\\07)/y\\0Az")\n'
        "  return %c : tensor<f32>\n}\n"
        'func.func @main() -> tensor<f32> {\n  %0 = call @"a\\0A[9], @main\\1B[31m"() : () -> tensor<f32>\n'
        "  return %0 : tensor<f32>\n}\n"
    )


def test_names_of_a_hostile_program_stay_on_their_line_and_print() -> None:
    session = Session(hostile())
    replies = said(session, "s", "info frames", "info step", "s", "info locals", "where", "c")
    without_source = "\n".join(
        line for reply in replies for line in reply.splitlines() if not re.match(r"[ >*-]*\d+ ", line)
    )
    assert without_source.replace("\n", "").isprintable()
    assert replies[0].splitlines()[0] == r'[1], @"a\0A[9], @main\1B[31m"'
    assert r'scope: "jit(\1B]0;x\07)"' in replies[2]


def test_searches_that_find_nothing_say_so_and_stay() -> None:
    session = Session(read(ARGUMENTS), [np.array([[1, np.nan], [np.inf, np.nan]], np.float32)])
    held = "argument xs (%x) holds 2 NaN (the first at [0, 1]) and 1 Inf at [1, 0]"
    stop, search = said(session, "nf", "nf nan")
    assert stop.splitlines()[:2] == [held, "[0], @main, the arguments are not finite"]
    assert search.splitlines()[0] == f"no operation from here to the end makes one; {held} from the start"
    assert said(session, "u 11", "u 2")[1].splitlines()[:2] == [
        "line 2 is not reached from here to the end",
        "[7], @main body #0, nothing found",
    ]
    assert said(session, "ru 14")[0].startswith("line 14 is not reached from the beginning to here\n[7]")
    assert said(session, "b inf")[0].splitlines()[1] == held


def test_looking_for_what_is_not_finite() -> None:
    session: Any = Session(read(NOT_FINITE), [np.array([1, 2], np.float32)])
    assert "%wrong = [nan, nan]" in said(session, "nonfinite nan")[0]
    assert "which made a NaN" in said(session, "info step")[0]


NUMBERS = """func.func @main() -> tensor<2xf64> {
  %wide = stablehlo.constant dense<[1.0000000000000002, 3.141592653589793]> : tensor<2xf64>
  %narrow = stablehlo.constant dense<[1.0, -2.0]> : tensor<2xbf16>
  %pair = stablehlo.constant dense<(0.1, 0.2)> : tensor<complex<f64>>
  return %wide : tensor<2xf64>
}
"""


def test_numbers_of_64_bits_are_printed_with_all_their_digits() -> None:
    session = Session(read(NUMBERS))
    replies = said(session, "next 3", "print %wide", "print %pair", "bits %wide[0]")[1:]
    assert replies[0].split() == ["[1.0000000000000002,", "3.141592653589793", "]"]
    assert replies[1] == "0.1+0.2j"
    assert replies[2].splitlines()[1:] == ["0x3ff0000000000001", f"0 01111111111 {'0' * 51}1"]


def test_parts_of_values_are_saved_and_types_that_numpy_lacks_are_named(tmp_path: Path) -> None:
    session = Session(read(NUMBERS))
    wide, narrow = tmp_path / "wide.npy", tmp_path / "narrow.npy"
    replies = said(session, "next 3", f"save %wide[1] {wide}", f"save narrow {narrow}")
    assert replies[1] == f"%wide[1] is in {wide}"
    assert np.load(wide) == 3.141592653589793
    assert replies[2].endswith("raw bytes: np.load(...).view(ml_dtypes.bfloat16)")
    assert np.load(narrow).view(ml_dtypes.bfloat16).tolist() == [1, -2]


def test_commands_have_the_names_that_other_debuggers_give_them() -> None:
    session = nested()
    assert said(session, "break op call")[0] == "breakpoint 1: op func.call"
    assert said(session, "info results")[0].startswith("result 0: tensor<i32>\n")
    said(session, "c")
    assert said(session, "backtrace") == said(session, "info frames")
    assert said(session, "values %i") == said(session, "info locals %i")
