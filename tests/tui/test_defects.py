"""What once went wrong on the screen: each test failed before its mending."""

from __future__ import annotations

import pytest

from shlo_tui.dialogs.text import TextDialog
from shlo_tui.session.worker import Arrived
from shlo_tui.widgets.events import Reported
from shlo_tui.widgets.grid import GridPane
from shlo_tui.widgets.source import SourcePane
from shlo_tui.widgets.values import ValuesPane, WatchesPane

from .conftest import DIVERGING, TRANSFORMER
from .test_grid import CROSSED, DEADLOCK
from .test_keys import LOOP

pytestmark = pytest.mark.asyncio


async def test_the_picture_of_a_deadlock_opens_once(drive):
    async with drive(*DEADLOCK, **CROSSED) as debugger:
        await debugger.press("c", "escape", "equals_sign")
        assert "closes the cycle" not in debugger.text
        assert isinstance(debugger.app.screen, TextDialog)
        selected = debugger.app.pane(GridPane).at
        await debugger.press("escape", "greater_than_sign")
        assert not isinstance(debugger.app.screen, TextDialog)
        assert debugger.app.pane(GridPane).at != selected
        await debugger.press("S", "c")
        assert "closes the cycle" in debugger.text


async def test_displayed_values_are_shown_after_each_step(drive, write):
    async with drive(write(LOOP)) as debugger:
        await debugger.press("n", "n", "colon")
        await debugger.type("display %n")
        pane = debugger.app.pane(WatchesPane)
        assert pane.display
        assert "─watches─" in debugger.text
        assert "%n = 3" in debugger.text
        await debugger.press("colon")
        await debugger.type("display %zero")
        await debugger.press("N")
        assert "%n is not in scope" in debugger.text
        assert "+%n" in debugger.text
        await debugger.press("colon")
        await debugger.type("undisplay n")
        await debugger.press("colon")
        await debugger.type("undisplay zero")
        assert "─watches─" not in debugger.text


@pytest.mark.parametrize("sizes", [((200, 60), (80, 24)), ((80, 24), (80, 12)), ((80, 12), (200, 60))])
async def test_the_current_line_stays_in_view_when_the_terminal_shrinks(sizes, drive):
    async with drive(*TRANSFORMER, size=sizes[0]) as debugger:
        await debugger.press("G")
        await debugger.type("150")
        source = debugger.app.pane(SourcePane)
        assert debugger.line - 1 in source.visible_lines
        await debugger.pilot.resize_terminal(*sizes[1])
        await debugger.settle()
        assert debugger.line - 1 in source.visible_lines


async def test_control_c_where_nothing_runs_does_not_speak_of_an_operation(drive):
    async with drive(*TRANSFORMER) as debugger:
        await debugger.press("n", "ctrl+c")
        assert "Nothing runs now" in debugger.text
        assert "has not ended" not in debugger.text
        await debugger.press("n")
        assert debugger.app.return_value is None


async def test_a_click_in_the_margin_sets_and_removes_a_breakpoint(drive, write):
    async with drive(write(LOOP)) as debugger:
        source = debugger.app.pane(SourcePane)
        await debugger.pilot.click(SourcePane, offset=(3, 3))
        await debugger.settle()
        assert [point.where for point in debugger.app.model.breakpoints] == [3]
        assert source.cursor == 1
        await debugger.pilot.click(SourcePane, offset=(3, 3))
        await debugger.settle()
        assert debugger.app.model.breakpoints == ()
        await debugger.pilot.click(SourcePane, offset=(12, 3))
        await debugger.settle()
        assert (source.cursor, debugger.app.model.breakpoints) == (2, ())


async def test_breakpoints_of_every_kind_have_a_mark_and_a_count(drive, write):
    async with drive(write(LOOP)) as debugger:
        for command in ("break op add", "break value %next", "break @more", "break op compare"):
            await debugger.press("colon")
            await debugger.type(command)
        for command in ("disable 4", "delete 3"):
            await debugger.press("colon")
            await debugger.type(command)
        lines = debugger.text.split("\n")
        assert [line[:5] for line in lines if line[1:2] in "●○◆◇"] == [" ◇  7", " ◆ 10"]
        await debugger.press("c", "c", "c", "B")
        assert "1: op stablehlo.add, reached 2 times" in debugger.text
        assert "2: value %next, reached 1 time" in debugger.text
        await debugger.press("escape", "C", "B")
        assert "1: op stablehlo.add, reached 1 time" in debugger.text


async def test_findings_have_their_notes_and_helps(drive, write):
    async with drive(write(LOOP.replace("%b: tensor", "%bb: tensor")), size=(80, 24)) as debugger:
        await debugger.press("down")
        assert "help: did you mean %bb?" in debugger.text
        assert "✗ 16:" in debugger.text


@pytest.mark.parametrize(
    ("text", "element", "shown"),
    [
        ("dense<[1.0, 3.141592653589793]> : tensor<2xf64>", "[1] = 3.1415926535897931", "0x400921fb54442d18"),
        (
            "dense<[1.0, 1.0000000000000002]> : tensor<2xf64>",
            "[1] = 1.0000000000000002",
            "0x3ff0000000000001",
        ),
        ("dense<[1.0, -2.0]> : tensor<2xbf16>", "[1] = -2", "0xc000 = 1 10000000 0000000"),
    ],
)
async def test_the_element_under_the_cursor_has_all_its_digits_and_bits(text, element, shown, drive, write):
    type_ = text.split(" : ")[1]
    program = (
        f"func.func @main() -> {type_} {{\n  %0 = stablehlo.constant {text}\n  return %0 : {type_}\n}}\n"
    )
    async with drive(write(program)) as debugger:
        await debugger.press("n", "4", "right")
        assert element in debugger.text
        assert shown in debugger.text


LOCATED = """#loc0 = loc("train.py":1:1)
#loc1 = loc("train.py":2:1)
module @jit {
  func.func @main(%x: tensor<2x3xf32> loc(unknown)) -> tensor<2x3xf32> {
    %0 = stablehlo.sine %x : tensor<2x3xf32> loc(#loc2)
    return %0 : tensor<2x3xf32> loc(#loc)
  } loc(#loc)
} loc(#loc)
#loc = loc(unknown)
#loc2 = loc("sin"(#loc1))
"""


async def test_locations_are_folded_until_they_are_asked_for(drive, write):
    async with drive(write(LOCATED), zeros=True, size=(100, 12)) as debugger:
        assert "loc" not in debugger.text
        assert "module @jit {" in debugger.text.split("\n")[2]
        await debugger.pilot.resize_terminal(100, 40)
        await debugger.press("slash")
        await debugger.type("train.py")
        assert "train.py is not in the source" in debugger.text
        await debugger.press("L")
        assert "tensor<2x3xf32> loc(#loc2)" in debugger.text
        assert '#loc2 = loc("sin"(#loc1))' in debugger.text


async def test_a_finished_program_is_shown_at_its_last_line(drive, write):
    async with drive(write(LOCATED), zeros=True) as debugger:
        await debugger.press("c")
        assert [line[:5] for line in debugger.text.split("\n") if line.startswith("✓")] == ["✓   6"]
        assert debugger.app.pane(SourcePane).cursor == 5


async def test_an_element_is_gone_to_by_its_index_and_values_are_sorted(drive, write):
    async with drive(write(LOCATED), "dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xf32>") as debugger:
        await debugger.press("n", "3", "down", "at")
        await debugger.type("1, 2")
        assert "[1, 2] = 6" in debugger.text
        await debugger.press("at")
        await debugger.type("2, 0")
        assert "expected an index in a tensor of shape (2, 3), got [2, 0]" in debugger.text
        await debugger.press("dollar_sign")
        assert [row.name for row in debugger.app.pane(ValuesPane).rows] == ["0", "x"]


async def test_a_narrow_screen_puts_first_things_first(drive):
    async with drive(*DIVERGING, size=(80, 24)) as debugger:
        await debugger.press("x", "x")
        title, *_, status, _ = debugger.text.split("\n")
        assert "lower_diverging.py:4" in title
        assert "made NaN!  jnp.exp made 198 Inf of 2,048 at examples/lower_diverging.py:43" in status
        assert "NaN 198  min 0" in debugger.text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("dense<[26.58, 73.25, 0x7FC00000, 15.25]> : tensor<4xf32>", "NaN! [26.58,"),
        ("dense<[26.58, 73.25, 15.25, 0xFF800000]> : tensor<4xf32>", "Inf! [26.58,"),
        ("dense<[1.0, 0x7FC00000]> : tensor<2xf32>", " [ 1., nan]"),
        ("dense<[26.58, 73.25, 11.25, 15.25]> : tensor<4xf32>", " [26.58, 73.25"),
    ],
)
async def test_elements_that_are_no_numbers_are_told_where_a_narrow_list_cuts_them_off(
    text, shown, drive, write
):
    type_ = text.rpartition(" ")[2]
    program = f"func.func @main(%x: {type_}) -> {type_} {{\n  return %x : {type_}\n}}\n"
    async with drive(write(program), text, size=(80, 24)) as debugger:
        row = debugger.app.pane(ValuesPane).render_line(0).text
        assert shown in row
        assert ("!" in row) == ("!" in shown)
        assert ("…" in row) == ("26.58" in shown)


async def test_a_report_that_comes_while_the_screen_closes_is_passed_over(drive, write):
    async with drive(write(LOOP)) as debugger:
        app = debugger.app
    app.take_report(Reported(Arrived(app.model, "late")))


async def test_a_key_goes_through_an_open_answer_to_the_screen_below(drive, write):
    async with drive(write(LOOP), size=(80, 24)) as debugger:
        await debugger.press("question_mark")
        assert isinstance(debugger.app.screen, TextDialog)
        await debugger.press("down")
        assert isinstance(debugger.app.screen, TextDialog)
        await debugger.press("n")
        assert not isinstance(debugger.app.screen, TextDialog)
        assert debugger.app.model.snapshot.position == 1
        await debugger.press("question_mark", "colon")
        await debugger.type("goto 2")
        assert debugger.app.model.snapshot.position == 2
