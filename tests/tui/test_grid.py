"""A grid of processes on the screen: the pane, who waits for whom, messages, values side by side."""

from __future__ import annotations

import pytest
from textual.events import MouseScrollDown

from shlo_tui.app.app import DebuggerApp
from shlo_tui.keymap import GRID_KEYS
from shlo_tui.widgets.grid import GridPane
from shlo_tui.widgets.source import SourcePane

from .conftest import EXAMPLES
from .programs import LATE, RING, SUM
from .test_screens import LOOKS
from .test_worker import ENDLESS, until

pytestmark = pytest.mark.asyncio

DEADLOCK = (EXAMPLES / "deadlock.mlir", "1.0")
CROSSED = {"grid": (2, 1), "entry": "replica_{replica}"}
NARROW = (80, 24)


def states(debugger) -> list[str]:
    """Returns what the processes are doing."""
    return [process.status for process in debugger.app.model.grid.processes]


async def test_processes_meet_and_what_waits_is_marked_and_told(drive, write):
    async with drive(write(SUM), zeros=True, grid=(2, 4), size=NARROW) as debugger:
        assert "grid 2x4   ● 8 ready" in debugger.text
        await debugger.press("m")
        assert debugger.text.count("● all_reduce:6") == 8
        await debugger.press("s", "greater_than_sign")
        assert states(debugger)[:2] == ["ready", "waiting"]
        assert "(0, 1) ○ waiting  all_reduce, line 6" in debugger.text
        assert "→ waits for (1, 1)" in debugger.text
        pane = debugger.app.pane(GridPane)
        assert (pane.marks.awaited, pane.marks.awaiting) == ({5}, set())
        await debugger.press("5", "down")
        assert "← awaited by (0, 1)" in debugger.text
        await debugger.press("m", "m")
        assert states(debugger) == ["done"] * 8
        await debugger.press("M")
        assert "all_reduce:6" in debugger.text


async def test_a_process_is_chosen_by_keys_and_by_the_mouse(drive, write):
    async with drive(write(SUM), zeros=True, grid=(2, 4), size=NARROW) as debugger:
        grid = lambda: debugger.app.model.grid  # noqa: E731
        await debugger.press("less_than_sign")
        assert grid().selected == 7
        await debugger.press("greater_than_sign", "5", "right", "right", "down")
        assert (grid().selected, debugger.app.pane(GridPane).at) == (0, 6)
        await debugger.press("enter")
        assert grid().selected == 6
        assert "program.mlir  (1, 2)  @main" in debugger.text
        await debugger.pilot.click(GridPane, offset=(10, 1))
        await debugger.settle()
        assert grid().selected == 0


async def test_a_deadlock_opens_as_a_picture_that_can_be_copied(drive):
    async with drive(*DEADLOCK, **CROSSED) as debugger:
        await debugger.press("c")
        picture = debugger.text
        assert "they differ in the operation" in picture
        assert "○ (0, 0)  line 4     │───── waits for ─────▶│ ○ (1, 0)  line 14" in picture
        assert "◀══ closes the cycle ═" in picture
        assert '4 %sum = "stablehlo.all_reduce"' in picture
        await debugger.press("y")
        assert "closes the cycle" in debugger.app.clipboard
        assert "copied" in debugger.text
        await debugger.press("escape", "w")
        assert "closes the cycle" in debugger.text
        await debugger.press("escape", "S")
        assert debugger.app.model.grid.graph.cycle == ()


async def test_a_process_that_ended_while_others_wait_is_drawn(drive, write):
    async with drive(write(LATE), grid=(1, 2)) as debugger:
        await debugger.press("c")
        assert "(0, 1) has ended, but (0, 0) waits for it." in debugger.text
        assert "│───── waits for ─────▶│ ✓ (0, 1)" in debugger.text


async def test_messages_that_wait_are_listed(drive, write):
    async with drive(write(RING), grid=(1, 3)) as debugger:
        await debugger.press("e")
        assert "nothing was sent" in debugger.text
        await debugger.press("escape", "m", "m", "e")
        assert "channel 7 to (0, 1)   1 message" in debugger.text
        await debugger.press("escape", "c", "e")
        assert "nothing was sent" in debugger.text


async def test_a_value_stands_side_by_side_and_differences_are_marked(drive, write):
    async with drive(write(SUM), zeros=True, grid=(2, 4), size=(80, 40)) as debugger:
        await debugger.press("m", "equals_sign")
        assert "%y  4 different values in 8 processes" in debugger.text
        assert "(1, 0) A B C D" in debugger.text
        assert "B  (0, 1), (1, 1)   4 elements differ, by 1 at most" in debugger.text
        assert "[3]  0   1*  2*  3*" in debugger.text
        await debugger.press("escape", "3", "down", "down", "down", "down", "down", "equals_sign")
        assert "%x  the same in all 8 processes" in debugger.text
        assert debugger.app.model.grid.selected == 0


async def test_results_are_compared_when_processes_are_done(drive, write):
    async with drive(write(SUM), zeros=True, grid=(2, 2)) as debugger:
        await debugger.press("c", "equals_sign")
        assert "result 0  2 different values in 4 processes" in debugger.text


async def test_a_thousand_processes_in_a_small_terminal(drive, write):
    async with drive(write(SUM), zeros=True, grid=(2, 512), size=NARROW) as debugger:
        pane = debugger.app.pane(GridPane)
        drawn: set[int] = set()
        strip = pane.strip
        pane.strip = lambda line, width: (drawn.add(line), strip(line, width))[1]
        await debugger.press("m", "5", "down", "pagedown")
        assert len(drawn) < pane.count
        assert "● 1024 ready" in debugger.text
        await debugger.press("end")
        assert pane.at == 1023
        assert "(1, 511) ● ready" in debugger.text
        await debugger.press("enter")
        assert debugger.app.model.grid.selected == 1023
        await debugger.press("home", "enter", "s", "right")
        assert "→ waits for (1, 1)" in debugger.text
        await debugger.press("z")
        assert debugger.app.pane(SourcePane).display is False
        assert "(1, 448)" in debugger.text


async def test_the_wheel_scrolls_the_grid(drive, write):
    async with drive(write(SUM), zeros=True, grid=(2, 512), size=NARROW) as debugger:
        pane = debugger.app.pane(GridPane)
        for _ in range(3):
            await debugger.pilot._post_mouse_events([MouseScrollDown], pane, offset=(20, 2))
        await debugger.settle()
        assert pane.visible_lines.start > 0
        assert pane.at == 0


async def test_each_process_has_its_own_program_in_the_source_pane(drive, tmp_path):
    for number in range(2):
        (tmp_path / f"p{number}.mlir").write_text(f"// program {number}\n{SUM}")
    async with drive(tmp_path / "p{process}.mlir", zeros=True, grid=(2, 1)) as debugger:
        assert "// program 0" in debugger.text
        await debugger.press("greater_than_sign")
        assert "p1.mlir  (1, 0)" in debugger.text
        assert "// program 1" in debugger.text


async def test_the_screen_answers_while_a_grid_runs(drive, write):
    async with drive(write(ENDLESS), grid=(1, 2)) as debugger:
        await debugger.pilot.press("c")
        await until(lambda: "steps so far" in debugger.text)
        await debugger.pilot.press("5", "right")
        assert debugger.app.pane(GridPane).at == 1
        assert debugger.app.thread.is_commanded
        await debugger.pilot.press("ctrl+c")
        await debugger.settle()
        assert debugger.app.model.snapshot.reason == "stopped"


async def test_a_grid_in_ascii_tells_states_apart(drive, write):
    async with drive(write(SUM), zeros=True, grid=(2, 4), appearance=LOOKS["ascii"], size=NARROW) as debugger:
        await debugger.press("m", "s")
        for key in ("5", "right", "w", "escape", "e", "escape", "equals_sign", "escape", "question_mark"):
            await debugger.press(key)
            assert debugger.text.isascii(), key
        await debugger.press("escape")
        assert "@* func.return:11" in debugger.text
        assert "o all_reduce:6" in debugger.text


async def test_no_control_character_of_a_grids_program_acts(drive, write):
    text = SUM.replace("(%y) ({", "(%y) ({ // [red]\x1b[2J\u202e")
    async with drive(write(text), zeros=True, grid=(2, 1)) as debugger:
        for key in ("m", "s", "less_than_sign", "w", "escape", "equals_sign", "escape", "e"):
            await debugger.press(key)
            assert all(char.isprintable() or char == "\n" for char in debugger.text)
            assert (r"[red]\x1b[2J\u202e" in debugger.text) or key in ("e", "equals_sign")


async def test_keys_of_a_grid_are_in_its_help_and_in_no_other(drive, write):
    async with drive(write(SUM), zeros=True, grid=(2, 1), size=(100, 90)) as debugger:
        assert isinstance(debugger.app, DebuggerApp)
        await debugger.press("question_mark")
        shown = debugger.text
        await debugger.press("end", "pagedown", "pagedown")
        shown += debugger.text
        assert all(key.help in shown for key in GRID_KEYS)
    async with drive(write(SUM), zeros=True, size=(100, 90)) as debugger:
        await debugger.press("m", "question_mark")
        assert "A grid of processes" not in debugger.text
