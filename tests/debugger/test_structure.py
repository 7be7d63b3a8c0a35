"""Scopes of the name stack, lines of Python, names that JAX gave, uses and definitions of values."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import shlo
from shlo.debugger import DebuggerError, Session
from shlo.debugger.commands.completion import complete_command
from shlo.debugger.commands.table import run_command
from shlo.debugger.inspect.areas import ScopeArea
from shlo.debugger.recording.file import open_recording
from shlo.debugger.recording.recorder import record
from shlo.debugger.views.values import listed_values, title_of
from shlo.ir.name_stack import part_names, scope_parts
from shlo.runner.python_source import LARGEST, PythonSources
from tests.debugger.programs import read

NET = """\
#line3 = loc("lib/net.py":3:1)
#line4 = loc("lib/net.py":4:1)
#line9 = loc("lib/net.py":9:1)
#in = loc("jit(f)/layer_0/in"(callsite(#line3 at #line9)))
#mul = loc("jit(f)/layer_0/attn/mul"(callsite(#line4 at #line9)))
#sub = loc("sub"(#line4))
#loop = loc("jit(f)/layer_1/while"(#line9))
#body = loc("jit(f)/layer_1/while/body/add"(#line9))
#out = loc("jit(f)/transpose(jvp(layer_1))/neg"(#line9))
func.func @main(%arg0: tensor<2xf32> loc("params['w']"), %arg1: tensor<2xf32> loc("xs[\\0A]")) -> (tensor<2xf32> {jax.result_info = "loss"}, tensor<2xf32>) {
  %0 = stablehlo.add %arg0, %arg1 : tensor<2xf32> loc(#in)
  %c = stablehlo.constant dense<2.0> : tensor<2xf32> loc("jit(f)")
  %1 = stablehlo.multiply %0, %c : tensor<2xf32> loc(#mul)
  %2 = func.call @part(%1) : (tensor<2xf32>) -> tensor<2xf32> loc(#mul)
  %3 = stablehlo.multiply %2, %c : tensor<2xf32> loc(#mul)
  %i = stablehlo.constant dense<0> : tensor<i32> loc(#loop)
  %4:2 = stablehlo.while(%k = %i, %s = %3) : tensor<i32>, tensor<2xf32>
  cond {
    %n = stablehlo.constant dense<2> : tensor<i32> loc(#body)
    %5 = stablehlo.compare LT, %k, %n : (tensor<i32>, tensor<i32>) -> tensor<i1> loc(#body)
    stablehlo.return %5 : tensor<i1> loc(#loop)
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32> loc(#body)
    %5 = stablehlo.add %k, %one : tensor<i32> loc(#body)
    %6 = stablehlo.log %s : tensor<2xf32> loc(#body)
    stablehlo.return %5, %6 : tensor<i32>, tensor<2xf32> loc(#loop)
  } loc(#loop)
  %7 = stablehlo.negate %4#1 : tensor<2xf32> loc(#out)
  return %7, %3 : tensor<2xf32>, tensor<2xf32> loc("jit(f)")
}
func.func private @part(%v: tensor<2xf32>) -> tensor<2xf32> {
  %8 = stablehlo.subtract %v, %v : tensor<2xf32> loc(#sub)
  return %8 : tensor<2xf32>
}
"""

CAPTURE = """\
func.func @main(%x: tensor<3xf32>, %s: tensor<f32>) -> tensor<f32> {
  %0 = "stablehlo.reduce"(%x, %s) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %s : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
"""


def net() -> Session:
    return Session(read(NET), np.ones(2, np.float32), np.ones(2, np.float32))


def said(session: Session, *lines: str) -> list[str]:
    return [run_command(session, line).text for line in lines]


def test_parts_of_a_name_stack() -> None:
    assert scope_parts("jit(f)/transpose(jvp(a/b))/c") == ("jit(f)", "transpose(jvp(a/b))", "c")
    assert scope_parts("") == ()
    assert part_names("transpose(jvp(layer_3))") == ("transpose(jvp(layer_3))", "jvp(layer_3)", "layer_3")
    assert ScopeArea("layer_3/at*").depth_in("jit(f)/jvp(layer_3)/attn/x") == 3
    assert ScopeArea("layer_3").depth_in("jit(f)/layer_33") is None


@pytest.mark.parametrize(
    ("lines", "positions"),
    [
        # calls, regions and constants in a scope are a part of it
        (["b scope layer_0", "c", "rc"], [0, 28, 0]),
        (["b scope attn", "c", "c", "rc"], [0, 1, 28, 1]),
        (["b scope layer_1", "c", "c", "rc"], [0, 7, 28, 7]),
        (["b scope while/bo*", "c", "c", "rc"], [0, 9, 28, 9]),
        (["b net.py:4 if %k == 0", "c"], [0, 28]),
        (["b lib/net.py:4", "c", "c", "rc"], [0, 1, 28, 1]),
        (["n scope", "n scope", "n scope", "rn scope", "rn scope", "rn scope"], [7, 26, 28, 26, 7, 1]),
        (["s scope", "s scope", "s scope", "s scope", "rs scope", "rs scope"], [1, 7, 9, 26, 9, 7]),
        (["n line", "n line", "n line", "rn line", "rn line"], [1, 7, 28, 7, 1]),
        (["n scope 2", "rn scope 2"], [26, 1]),
        (["n scope layer_0", "s 3", "n scope layer_1"], [7, 10, 28]),
        (["u scope layer_1", "u scope attn", "ru scope attn", "u net.py:9"], [7, 7, 1, 1]),
        (["g 5", "n scope"], [5, 6]),
        (["c", "rn scope"], [28, 26]),
    ],
)
def test_moves_by_scopes_and_lines_of_python(lines, positions) -> None:
    session = net()
    found = [session.position for line in lines if run_command(session, line)]
    assert found == positions


def test_a_scope_or_line_that_the_program_lacks_is_refused() -> None:
    session = net()
    for line, message in {
        "b scope layer_7": "no operation is in a scope layer_7; did you mean layer_1?",
        "u net.py:5": "no operation comes from net.py:5; the nearest line is 4",
        "b et.py:4": "no operation comes from a file et.py",
        "n scope layer_1": "the next operation is not in the scope layer_1",
        "u scope": "expected a scope of the name stack: layer_57, layer_57/attn, layer_*",
    }.items():
        with pytest.raises(DebuggerError, match=f"^{re.escape(message)}$"):
            run_command(session, line)
    assert session.position == 0


def test_the_outline_counts_operations_lines_and_what_was_executed() -> None:
    session = net()
    assert said(session, "outline", "b inf", "c", "outline layer_* 1", "outline @part", "outline layer_1")[
        0::3
    ] == [
        """\
@main                                    16 ops, lines 11-29
  jit(f)                                 16 ops, lines 11-29
    layer_0                              5 ops, lines 11-15
    layer_1                              9 ops, lines 16-26
    transpose(jvp(layer_1))              2 ops, lines 28-29
@part                                    2 ops, lines 32-33""",
        """\
layer_0                                  5 ops, lines 11-15, executed
layer_1                                  9 ops, lines 16-26, 8 executed, made Inf
transpose(jvp(layer_1))                  2 ops, lines 28-29""",
    ]


def test_definition_and_uses_of_a_value() -> None:
    session = net()
    assert said(session, "uses %c", "definition %3", "definition %s", "def %arg1", "uses %v", "uses %5") == [
        "   13 @main: stablehlo.multiply reads %c as operand 1 in jit(f)/layer_0/attn\n"
        "   15 @main: stablehlo.multiply reads %c as operand 1 in jit(f)/layer_0/attn",
        "   15 @main: stablehlo.multiply binds %3 as result 0 in jit(f)/layer_0/attn",
        "   17 @main: stablehlo.while binds %s as argument 1 of a region in jit(f)/layer_1",
        '   10 @main: binds %arg1 as "argument 1 (xs[\\0A])"',
        "   32 @part: stablehlo.subtract reads %v as operand 0\n"
        "   32 @part: stablehlo.subtract reads %v as operand 1",
        "   21 @main: stablehlo.return reads %5 as operand 0 in jit(f)/layer_1/while/body\n"
        "   26 @main: stablehlo.return reads %5 as operand 0 in jit(f)/layer_1/while/body",
    ]
    for line, hint in (
        ("print params", "its parts are params['w']"),
        ("break multiply", "break op multiply stops at operations of that name"),
    ):
        with pytest.raises(DebuggerError, match=re.escape(hint)):
            run_command(session, line)
    with pytest.raises(DebuggerError, match="no value that the program binds is called %none"):
        run_command(session, "uses %none")


def test_a_value_that_a_region_of_a_kernel_reads_is_used_by_the_kernel() -> None:
    session = Session(read(CAPTURE), np.ones(3, np.float32), np.float32(2))
    assert said(session, "uses %s") == [
        "    2 @main: stablehlo.reduce reads %s as operand 1\n    2 @main: stablehlo.reduce reads %s as used inside"
    ]


def test_find_shows_scopes_and_lines_of_python_and_no_locations() -> None:
    session = net()
    title, *lines = said(session, "find attn")[0].splitlines()
    assert (title, len(lines)) == ("4 operations in attn", 4)
    assert said(session, "find net.py:4")[0].splitlines()[0] == "6 operations in net.py:4"
    assert said(session, "find line9", "find sub") == ["not found", said(session, "find subtract")[0]]


def test_names_that_jax_gave_to_arguments_and_results() -> None:
    session = net()
    assert said(session, "info args", "c", "info results") == [
        "%arg0 (params['w']) : tensor<2xf32> = [1., 1.]\n%arg1 (\"xs[\\0A]\") : tensor<2xf32> = [1., 1.]",
        "[28], the program is done",
        "result 0 (loss): tensor<2xf32>\n[nan, nan]\nresult 1: tensor<2xf32>\n[0., 0.]",
    ]
    assert [view.label for view in net().inspector.values()] == ["params['w']", "xs[\n]"]


def test_an_only_result_is_not_called_result_twice() -> None:
    text = """func.func @main(%x: tensor<f32>) -> (tensor<f32> {jax.result_info = "result"}) {
      return %x : tensor<f32>
    }"""
    session = Session(shlo.parse(text), np.float32(2))
    session.resume()
    assert [title_of(view) for view in listed_values(session)] == ["result 0"]
    assert said(session, "info results") == ["result 0: tensor<f32>\n2."]


def test_scopes_are_completed() -> None:
    session = net()
    names = ("f", "layer_0", "attn", "layer_1", "while", "body")
    assert complete_command(session, "b scope ").words == names
    assert complete_command(session, "until scope la").words == ("layer_0", "layer_1")
    assert complete_command(session, "step ").words == ("scope", "line")
    assert complete_command(session, "outline w").words == ("while",)


def test_breakpoints_on_scopes_are_in_recordings(tmp_path: Path) -> None:
    session, path = net(), str(tmp_path / "a.shlorec")
    recorder = record(session, path)
    said(session, "b scope layer_1 if %s > 100", "b net.py:4", "ignore 2 1", "s")
    recorder.close()
    assert [*open_recording(path).breakpoints] == [*session.breakpoints]


def test_the_python_that_a_program_was_made_from(tmp_path: Path) -> None:
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "net.py").write_text("".join(f"line {number}\n" for number in range(1, 11)))
    session = net()
    assert said(session, "list python")[0] == (
        "lib/net.py:3\nits text is not found; --source-root DIR says where to look"
    )
    session.structure.python.add_folder(str(tmp_path))
    said(session, "b net.py:9")
    shown = said(session, "list python")[0].splitlines()
    assert shown[0] == "lib/net.py"
    assert shown[3:5] == ["->     3 line 3", "       4 line 4"]
    said(session, "n line")
    assert "->     4 line 4" in said(session, "list python")[0]
    assert "=>*    9 line 9" in said(session, "list python net.py:9")[0]


def test_python_is_read_from_trusted_folders_only(tmp_path: Path) -> None:
    inside, outside = tmp_path / "in", tmp_path / "out"
    inside.mkdir()
    outside.mkdir()
    for name in ("a.py", "secret.txt", "large.py"):
        (inside / name).write_text("x\n")
        (outside / name).write_text("x\n")
    (inside / "large.py").write_bytes(b" " * (LARGEST + 1))
    (inside / "link.py").symlink_to(outside / "a.py")
    (inside / "text.py").symlink_to(inside / "secret.txt")
    (inside / "folder.py").mkdir()
    sources = PythonSources([str(inside)])
    assert sources.lines("a.py") == ("x",)
    assert sources.lines("/elsewhere/made/a.py") == ("x",)  # made on another machine
    refused = [
        "link.py",
        "text.py",
        "large.py",
        "folder.py",
        "secret.txt",
        "../out/a.py",
        "none.py",
        "a\0.py",
    ]
    assert [path for path in refused if sources.lines(path) is not None] == []
    assert sources.lines(f"{inside}/../out/a.py") is None
    assert sources.lines("x/" * 5000 + "a.py") is None
