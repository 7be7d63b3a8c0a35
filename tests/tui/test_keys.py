"""The keys that the README tells, on the programs of `examples/`."""

from __future__ import annotations

import pytest

from shlo.debugger.commands.table import COMMANDS
from shlo_tui.keymap import GRID_GROUP, KEYS, shown
from shlo_tui.widgets.source import SourcePane
from shlo_tui.widgets.tensor import TensorPane
from shlo_tui.widgets.values import ValuesPane

from .conftest import DIVERGING, EXAMPLES, TRAINING, TRANSFORMER

pytestmark = pytest.mark.asyncio

LOOP = """func.func @main() -> tensor<i32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %n = stablehlo.constant dense<3> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %last = stablehlo.while(%i = %zero) : tensor<i32>
  cond {
    %more = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %next = func.call @more(%i, %one) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    stablehlo.return %next : tensor<i32>
  }
  return %last : tensor<i32>
}
func.func @more(%a: tensor<i32>, %b: tensor<i32>) -> tensor<i32> {
  %sum = stablehlo.add %a, %b : tensor<i32>
  return %sum : tensor<i32>
}
"""


async def test_steps_forwards_are_undone_by_capital_letters(drive):
    async with drive(*TRANSFORMER) as debugger:
        await debugger.press("n", "n", "n")
        assert (debugger.position, debugger.line) == (3, 6)
        await debugger.press("N", "N")
        assert (debugger.position, debugger.line) == (1, 4)
        await debugger.press("c")
        end = debugger.position
        assert "the program is done" in debugger.text
        await debugger.press("C")
        assert debugger.position == 0
        await debugger.press("G")
        await debugger.type(str(end - 1))
        assert debugger.position == end - 1


async def test_into_a_loop_and_a_function_and_back_out_of_them(drive, write):
    async with drive(write(LOOP)) as debugger:
        await debugger.press("g")
        await debugger.type("16")
        await debugger.press("t")
        assert debugger.line == 16
        frames = debugger.app.model.snapshot.frames
        assert [(frame.function, frame.region_name, frame.iteration) for frame in frames] == [
            ("main", "", 0),
            ("main", "body", 0),
            ("more", "", 0),
        ]
        await debugger.press("u")
        assert debugger.app.model.selected == 1
        assert "%i" in debugger.text
        await debugger.press("f")
        assert debugger.line == 11
        await debugger.press("N")
        assert debugger.line == 10
        await debugger.press("F")
        assert debugger.line == 5
        await debugger.press("n")
        assert debugger.line == 13


async def test_breakpoints_stop_both_ways_and_are_listed(drive, write):
    async with drive(write(LOOP)) as debugger:
        await debugger.press("g")
        await debugger.type("16")
        await debugger.press("b", "c", "c")
        assert debugger.line == 16
        assert [frame.iteration for frame in debugger.app.model.snapshot.frames] == [0, 1, 0]
        await debugger.press("C")
        assert [frame.iteration for frame in debugger.app.model.snapshot.frames] == [0, 0, 0]
        await debugger.press("B")
        assert "1: line 16" in debugger.text
        await debugger.press("space")
        assert not debugger.app.model.breakpoints[0].enabled
        await debugger.press("d", "escape", "c")
        assert debugger.app.model.breakpoints == ()
        assert debugger.app.model.snapshot.status == "done"


async def test_the_first_nan_with_its_line_of_python_and_scope(drive):
    async with drive(*DIVERGING) as debugger:
        await debugger.press("exclamation_mark")
        assert debugger.app.model.snapshot.last_step.finding == ("infinity",)
        await debugger.press("exclamation_mark")
        last_step = debugger.app.model.snapshot.last_step
        assert (last_step.op, last_step.finding) == ("stablehlo.divide", ("nan",))
        assert "made NaN!" in debugger.text
        assert "layer_0/attn/div" in debugger.text
        assert "lower_diverging.py:44" in debugger.text
        await debugger.press("X")
        assert debugger.app.model.snapshot.last_step.finding == ("infinity",)


async def test_a_look_into_a_tensor_of_rank_4(drive):
    async with drive(*DIVERGING, size=(140, 45)) as debugger:
        await debugger.press("x", "x")
        tensor = debugger.app.pane(TensorPane)
        assert tensor.data.element == "[0, 0, 0, 3] = NaN"  # which the pane follows to
        assert tensor.slice_2d.label == "[0, 0, :, :]"
        await debugger.press("right_square_bracket", "left_curly_bracket", "right_square_bracket")
        assert tensor.slice_2d.label == "[1, 1, :, :]"
        await debugger.press("left_square_bracket", "a")
        assert tensor.slice_2d.label == "[:, :, 0, 3]"
        await debugger.press("p")
        assert (tensor.slice_2d.rows, tensor.slice_2d.columns) == (1, 0)
        await debugger.press("asterisk")
        assert tensor.data.element == "[0, 3, 0, 4] = NaN"
        await debugger.press("asterisk")
        assert tensor.data.element == "[0, 3, 0, 5] = NaN"
        await debugger.press("4", "left", "up")
        assert tensor.data.element.startswith("[0, 2, 0, 5] = ")
        for view in ("numbers", "heat map", "histogram"):
            await debugger.press("v")
            assert f"tensor: {view}" in debugger.text


async def test_a_chosen_value_stays_until_the_last_one_is_followed_again(drive):
    async with drive(*TRANSFORMER) as debugger:
        await debugger.press("n", "n", "3", "down", "down")
        chosen = debugger.app.pane(ValuesPane).chosen.name
        await debugger.press("n")
        assert debugger.app.pane(ValuesPane).chosen.name == chosen
        await debugger.press("l")
        assert debugger.app.pane(ValuesPane).chosen.name == "1"
        await debugger.press("down", "o")
        assert debugger.app.model.snapshot.last_step.bound == ("c",)


async def test_find_goes_round_and_marks_what_it_finds(drive):
    async with drive(*TRANSFORMER) as debugger:
        await debugger.press("slash")
        await debugger.type("while")
        assert "while is not in the source" in debugger.text
        await debugger.press("slash", "up", "up", "backspace", "enter")
        assert "whil is not" in debugger.text
        await debugger.press("slash")
        await debugger.type("ERF")
        assert "ERF is not" in debugger.text
        source = debugger.app.pane(SourcePane)
        await debugger.press("slash")
        await debugger.type("erf")
        first = source.cursor
        assert "erf" in source.source.line_text(first + 1)
        await debugger.press("full_stop")
        assert source.cursor > first
        await debugger.press("comma")
        assert source.cursor == first


async def test_the_prompt_answers_and_says_what_it_does_not_know(drive):
    async with drive(*TRANSFORMER) as debugger:
        await debugger.press("n", "colon")
        await debugger.type("info frames")
        assert "#0 @main" in debugger.text
        await debugger.press("escape", "colon")
        await debugger.type("brake 3")
        assert "did you mean break?" in debugger.text
        await debugger.press("colon", "escape", "ampersand")
        await debugger.type("tensor<49")
        assert debugger.app.pane(ValuesPane).count == 1
        await debugger.press("colon")
        await debugger.type("quit")
    assert debugger.app.return_value == 0


async def test_a_value_is_set_at_the_prompt_and_the_run_goes_on_in_another_future(drive):
    async with drive("examples/outlier.mlir", "[1.0,1.5,60.0,2.0]", "[2.1,2.9,4.0,4.1]") as debugger:
        await debugger.press("colon")
        await debugger.type("set %x[2] = 0")
        assert "future f2" in debugger.text
        await debugger.press("escape", "c", "colon")
        await debugger.type("futures")
        assert "* f2 from f1 at [0], @main: done at [" in debugger.text


async def test_tab_completes_a_command_and_what_follows_it(drive):
    async with drive(*TRANSFORMER) as debugger:
        await debugger.press("n", "n", "colon", *"bre", "tab", *"op mul", "tab")
        assert ": break op multiply" in debugger.text
        await debugger.press("escape", "colon", *"stats ", "tab")
        assert "%c  %0  %arg10" in debugger.text
        await debugger.press(*"0", "enter")
        assert "48xint32" in debugger.text


async def test_help_and_palette_know_every_key(drive):
    async with drive(*TRANSFORMER, size=(100, 80)) as debugger:
        await debugger.press("question_mark")
        shown = debugger.text
        for _ in range(4):
            await debugger.press("pagedown")
            shown += debugger.text
        assert all(key.help in shown for key in KEYS)
        assert all(command.name in shown for command in COMMANDS)
        assert ":nonfinite         to where the next NaN or Inf was made" in shown
        await debugger.press("escape", "ctrl+p")
        await debugger.type("next slice", "space")
        assert "next slice along the chosen axis" in debugger.text


async def test_the_palette_runs_commands_and_asks_for_what_follows_them(drive):
    async with drive(*TRANSFORMER, size=(100, 40)) as debugger:
        await debugger.press("ctrl+p", *":where")
        await debugger.pilot.pause(0.3)
        await debugger.press("enter")
        assert "[0], @main" in debugger.text
        await debugger.press("escape", "ctrl+p", *":goto")
        await debugger.pilot.pause(0.3)
        await debugger.press("enter")
        await debugger.type("7")
        assert debugger.position == 7


async def test_a_click_chooses_the_line_under_the_mouse(drive):
    async with drive(*TRANSFORMER) as debugger:
        await debugger.press("n", "n")
        await debugger.pilot.click(ValuesPane, offset=(3, 2))
        await debugger.settle()
        assert debugger.app.pane(ValuesPane).cursor == 1


async def test_a_pane_fills_the_screen_and_frames_take_turns_with_values(drive):
    async with drive(*TRANSFORMER, size=(80, 24)) as debugger:
        await debugger.press("2")
        assert "─frames─" in debugger.text
        assert "─values─" not in debugger.text
        await debugger.press("4", "z")
        assert " tensor─" in debugger.text
        assert "─source─" not in debugger.text
        await debugger.press("z", "3")
        assert "─values─" in debugger.text


async def test_no_key_has_two_meanings():
    rows = (*KEYS, *GRID_GROUP[1])
    assert len(pressed := [key for row in rows for key in row.keys]) == len(set(pressed))


async def test_the_page_about_the_debugger_tells_every_letter():
    page = (EXAMPLES.parent / "docs" / "debugger.md").read_text()
    rows = (*KEYS, *GRID_GROUP[1])
    letters = {shown(key) for row in rows for key in row.keys if len(shown(key)) == 1}
    assert not [letter for letter in letters if f"`{letter}`" not in page]


async def test_the_sources_of_an_element_are_followed_step_by_step_and_back(drive):
    async with drive(*TRAINING, size=(120, 40)) as debugger:
        await debugger.press("x", "x", "asterisk", "O")
        assert "from %13[5] = nan" in debugger.text
        assert "%2[5, 0] = inf" in debugger.text
        await debugger.press("enter")
        assert "from %2[5, 0] = inf" in debugger.text
        assert "%0[5, 0] = inf" in debugger.text
        await debugger.press("escape")
        assert "from %13[5] = nan" in debugger.text
        await debugger.press("escape")
        assert "from %13[5]" not in debugger.text
