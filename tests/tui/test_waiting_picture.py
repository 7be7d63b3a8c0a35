"""Who waits for whom as a drawing: cycles of any size, other waiting, and what is left out."""

from __future__ import annotations

import pytest

from shlo.debugger.inspect.snapshots import GridView, ProcessView
from shlo.interpreter.spmd.wait_for_graph import WaitForGraph, Waiting
from shlo.interpreter.topology.groups import GridShape
from shlo.ir.source import Source
from shlo_tui.render.wait_graph import WIDTH, waiting_picture

LINES = 40
SOURCE = Source("\n".join(f"  %{line} = stablehlo.add \x1b[31m" for line in range(LINES)), "p.mlir")


def drawn(view: GridView) -> list[str]:
    """Returns the picture as text."""
    lines = waiting_picture(view, [SOURCE] * view.shape.size)
    return ["".join(text for text, _ in words).rstrip() for words in lines]


def view_of(
    shape: GridShape, waiting: dict[int, Waiting], ended: tuple[int, ...] = (), line=lambda number: 1, **graph
) -> GridView:
    """Returns a grid in which some processes wait and some have ended; the others are ready."""
    processes = tuple(
        ProcessView(
            number,
            *shape.place(number),
            label=shape.label(number),
            status="waiting" if number in waiting else "done" if number in ended else "ready",
            operation=None if number in ended else "stablehlo.all_reduce",
            line=None if number in ended else line(number),
            column=3,
            steps=number,
            waiting=waiting.get(number),
        )
        for number in range(shape.size)
    )
    made = WaitForGraph(shape, waiting, frozenset(ended), **graph)
    return GridView(*shape, 0, "failed", processes, made, ())


def cycle(count: int) -> GridView:
    """Returns each process waits for the next, the last one for the first."""
    waiting = {
        number: Waiting(number, "stablehlo.all_reduce", None, "rendezvous", missing=((number + 1) % count,))
        for number in range(count)
    }
    cycle = tuple(range(count))
    lines = {number: 1 + number % LINES for number in cycle}
    return view_of(GridShape(1, count), waiting, line=lines.__getitem__, kind="deadlock", cycle=cycle)


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5, 8, 9, 1000])
def test_a_cycle_has_its_closing_edge_and_fits(count):
    lines = drawn(cycle(count))
    text = "\n".join(lines)
    assert text.count("closes the cycle") == 1
    assert max(map(len, lines)) <= WIDTH
    assert all(char.isprintable() or char == "\n" for char in text)
    boxes = sum(line.count("╭") for line in lines)
    assert boxes == min(count, 8)
    assert f"(0, {count - 1})" in text
    assert ("… 993 more" in text) == (count == 1000)


def test_a_cycle_of_three_is_drawn_clockwise():
    assert drawn(cycle(3))[3:13] == [
        "╭──────────────────────╮                      ╭──────────────────────╮",
        "│ ○ (0, 0)  line 1     │───── waits for ─────▶│ ○ (0, 1)  line 2     │",
        "│ all_reduce           │                      │ all_reduce           │",
        "╰──────────────────────╯                      ╰──────────────────────╯",
        "            ▲                                             │",
        "            ║ closes the cycle                            │",
        "╭──────────────────────╮                                  │",
        "│ ○ (0, 2)  line 3     │◀─────────────────────────────────╯",
        "│ all_reduce           │",
        "╰──────────────────────╯",
    ]


def test_processes_that_wait_for_the_same_stand_in_one_box():
    waiting = {
        number: Waiting(number, "stablehlo.all_reduce", None, "rendezvous", missing=(7,))
        for number in (0, 1, 2)
    }
    waiting[4] = Waiting(4, "stablehlo.recv", None, "message", channel=3)
    waiting[5] = Waiting(5, "stablehlo.infeed", None, "infeed")
    text = "\n".join(drawn(view_of(GridShape(2, 4), waiting, ended=(7,), kind="ended")))
    assert "(1, 3) has ended" in text
    assert "│ ○ (0, 0) + 2 more    │───── waits for ─────▶│ ✓ (1, 3)             │" in text
    assert "│ all_reduce:1         │" in text
    assert "channel 3" in text
    assert "no sender left" in text
    assert "its infeed" in text


def test_more_kinds_of_waiting_than_fit_are_counted():
    waiting = {
        number: Waiting(number, "stablehlo.all_reduce", None, "rendezvous", missing=(number + 1,))
        for number in range(0, 60, 2)
    }
    lines = drawn(view_of(GridShape(60, 1), waiting))
    assert "… and 22 more processes" in lines
    assert lines[0] == "30 of 60 processes wait."


def test_who_skipped_an_operation_is_told_from_who_is_not_there_yet():
    missing = tuple(range(37, 64))
    waiting = {
        number: Waiting(number, "stablehlo.all_reduce", "a.mlir:5:3", "rendezvous", missing=missing)
        for number in range(37)
    }
    text = "\n".join(drawn(view_of(GridShape(1, 64), waiting, ended=(37,), kind="ended")))
    assert "(0, 37) has ended, but (0, 0..36) wait for it." in text
    assert "26 processes are merely not there yet." in text.replace("\n", " ")
    assert "│ ○ (0, 0) + 36 more   │───── waits for ─────▶│ ✓ (0, 37)            │" in text
    assert "│ is done; 26 to come  │" in text
