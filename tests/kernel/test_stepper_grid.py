"""The stepper's widgets on a grid of processes, without a browser."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import shlo
from shlo.debugger import Session
from shlo_kernel.widgets.grid import PAGE
from shlo_kernel.widgets.stepper import Stepper

from .parallel_programs import CROSSED, SUM
from .screens import Notebook
from .test_stepper import HOSTILE, click


def stepper_of(text: str, inputs: Any, **shape: Any) -> Any:
    return Stepper(Session(shlo.parse(text), inputs, **shape))


@pytest.fixture
def stepper() -> Any:
    inputs = [[np.array([process, 2], np.float32)] for process in range(4)]
    return stepper_of(SUM, inputs, entry="sum", replicas=4)


@pytest.fixture
def crossed() -> Any:
    inputs = [[np.ones(1, np.float32)]]
    return stepper_of(CROSSED, inputs, entry=["crossed_0", "crossed_1"], replicas=2)


def cells(stepper: Any) -> list[str]:
    """Returns the buttons of the processes."""
    return [cell.description for cell in stepper.grid.cells]


def views(stepper: Any) -> tuple[Any, ...]:
    """Returns all that is shown of a place."""
    return (
        cells(stepper),
        [cell.tooltip for cell in stepper.grid.cells],
        stepper.grid.words.value,
        stepper.source.place.value,
        stepper.values.select.options,
    )


def test_what_steps_and_meetings_show_is_shown_on_the_way_back(stepper: Any) -> None:
    seen = [(0, 0, views(stepper))]
    for move in ("step", "next", "all to next synchronisation", "continue"):
        click(stepper, move)
        seen.append((stepper.session.position, stepper.session.grid.selected, views(stepper)))
    assert [position for position, *_ in seen] == [0, 2, 3, 6, 12]
    for position, selected, before in reversed(seen[:-1]):
        stepper.timeline.value = position
        stepper.grid.cells[selected].click()
        assert views(stepper) == before


def test_a_deadlock_is_drawn_and_can_be_left_backwards(crossed: Any) -> None:
    click(crossed, "continue")
    assert cells(crossed) == ["(0, 0) W", "▸ (1, 0) W"]
    assert "this closes the cycle" in crossed.grid.words.value
    assert "deadlock" in crossed.where.value
    click(crossed, "back")
    assert "this closes the cycle" not in crossed.grid.words.value
    assert "deadlock" not in crossed.where.value


def test_a_click_shows_another_process_and_for_whom_it_waits(stepper: Any) -> None:
    stepper.session.step_process(2)
    stepper.refresh()
    assert cells(stepper) == ["(0, 0) R", "(1, 0) R", "▸ (2, 0) W", "(3, 0) R"]
    assert "waits for (3, 0)" in stepper.grid.words.value
    stepper.grid.cells[3].click()
    assert cells(stepper)[3] == "▸ (3, 0) R"
    assert "process (3, 0)" in stepper.where.value
    assert re.findall(r"<td[^>]*>([^<]*)", stepper.tensor.html.value) == ["3", "2"]


def test_a_value_is_compared_in_all_processes() -> None:
    inputs = [[np.array([process // 2, 2], np.float32)] for process in range(4)]
    stepper = stepper_of(SUM, inputs, entry="sum", replicas=4)
    stepper.compare.click()
    assert "%x : tensor&lt;2xf32&gt; has 2 different values in 4 processes" in stepper.reply.value
    assert "(0, 0), (1, 0): [0., 2.]" in stepper.reply.value
    click(stepper, "all to next synchronisation")
    click(stepper, "all to next synchronisation")
    assert cells(stepper)[0] == "▸ (0, 0) D"


def test_every_button_can_be_pressed_anywhere(stepper: Any) -> None:
    for _ in range(2):
        for button in stepper.buttons:
            button.click()
            assert "there is no command" not in stepper.reply.value


def test_of_many_processes_a_page_is_buttons() -> None:
    text = "func.func @main() {\n  return\n}"
    stepper = stepper_of(text, [[]], replicas=3, partitions=50)
    assert len(stepper.grid.cells) == PAGE
    stepper.grid.number.value = 149
    assert cells(stepper)[149 % PAGE] == "▸ (2, 49) R"
    assert stepper.grid.cells[-1].layout.visibility == "hidden"
    click(stepper, "continue")
    assert "DDDDDDDDDD" in stepper.grid.counts.value
    assert len(stepper_of(text, [[]], replicas=2000).grid.counts.value) < 5_000


def test_the_magic_opens_it(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[Session] = []
    monkeypatch.setattr(
        "shlo_kernel.widgets.stepper.Stepper", lambda session: opened.append(session) or Stepper(session)
    )
    notebook = Notebook()
    notebook.cell(SUM)
    screen = notebook.cell("%step --grid 4x1 --split 0 @sum([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0])")
    assert "application/vnd.jupyter.widget-view+json" in screen.shown[0]
    assert opened[0].grid is not None
    assert (opened[0].grid.replicas, opened[0].grid.partitions) == (4, 1)
    assert opened[0].inspector.value("x").tolist() == [1, 2]


def test_texts_of_a_program_are_no_markup() -> None:
    names = [f"{HOSTILE}{replica}" for replica in range(2)]
    text = CROSSED.replace("@crossed_0", f'@"{names[0]}"').replace("@crossed_1", f'@"{names[1]}"')
    stepper = stepper_of(text, [[np.ones(1, np.float32)]], entry=names, replicas=2)
    click(stepper, "continue")
    tooltips = [cell.tooltip for cell in stepper.grid.cells]
    shown = "".join((stepper.grid.words.value, stepper.where.value, stepper.source.place.value))
    assert "&lt;img" in shown
    assert "<img" not in shown
    assert not any("\x1b" in each for each in (shown, *tooltips))
