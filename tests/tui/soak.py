"""Random keys, commands, clicks and new sizes, over programs and grids: nothing raises, and where the session
ends is where a fresh run to the same position is.

`python -m tests.tui.soak --keys 20000` is the long form.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from textual.pilot import WaitForScreenTimeout
from textual.widgets import Input

from shlo.debugger import Session
from shlo_tui.app.app import DebuggerApp
from shlo_tui.dialogs.prompt import QuitQuestion
from shlo_tui.keymap import GRID_GROUP, KEYS

from .conftest import DIVERGING, EXAMPLES, TRANSFORMER, app_of, settle
from .programs import LATE, RING, SUM
from .test_keys import LOOP

CONTROL_FLOW = Path(__file__).parents[1] / "programs"

LEFT_OUT = {"quit", "interrupt", "command_palette"}
"""Actions that end the screen, and one that is Textual's own."""

PRESSES = sorted({name for key in (*KEYS, *GRID_GROUP[1]) if key.action not in LEFT_OUT for name in key.keys})

COMMANDS = (
    "next 5",
    "step 20",
    "reverse-step 7",
    "finish",
    "continue",
    "reverse-continue",
    "goto 0",
    "goto 17",
    "goto 300",
    "restart",
    "nonfinite",
    "reverse-nonfinite",
    "break 5",
    "break 12 if %i == 2",
    "break op add",
    "break op dot_general",
    "break @main",
    "break nan",
    "break value %0",
    "disable 1",
    "delete 1",
    "delete 2",
    "ignore 2 3",
    "info frames",
    "info breakpoints",
    "info locals",
    "info results",
    "info step",
    "print %0",
    "print %0[0]",
    "stats %0",
    "hist %0",
    "bits %0[0]",
    "history %0",
    "display %0",
    "display %x",
    "undisplay %0",
    "until 9",
    "up",
    "down",
    "list 3",
    "find stablehlo",
    "provenance %0[0]",
    "chain %0[0]",
    "blame",
    "sync",
    "process 1",
    "waits",
    "channels",
    "compare %x",
    "help",
    "round 2",
    "next-round",
    "reverse-round",
    "rounds %0",
    "round-diff",
    "step scope",
    "outline",
    "uses %0",
    "definition %0",
    "watch %0",
    "log 1 saw {%0}",
    "condition 1 %0 > 0",
    "enable 1",
    "plot %0",
    "reaches %0[0]",
    "applications %0[0]",
    "frame 0",
    "info output",
    "futures",
    "undo",
    "no such command",
    "break",
    "print",
    "goto -1",
)
WAIT = 600.0
"""Seconds after which the session counts as hung; the soak may run beside much else."""

SIZES = ((80, 24), (120, 40), (200, 60), (40, 10), (80, 12), (110, 33), (20, 5))


class Subject(NamedTuple):
    """A program with the options of the command."""

    file: Path
    arguments: tuple[str, ...] = ()
    options: dict[str, Any] = {}  # noqa: RUF012


def subjects(folder: Path) -> list[Subject]:
    """Returns programs of one process and grids."""
    written = {"loop": LOOP, "sum": SUM, "ring": RING, "late": LATE}
    for name, text in written.items():
        (folder / f"{name}.mlir").write_text(text, "utf-8")
    return [
        Subject(TRANSFORMER[0], (str(TRANSFORMER[1]),)),
        Subject(folder / "sum.mlir", (), {"zeros": True, "grid": (2, 4)}),
        Subject(folder / "loop.mlir"),
        Subject(DIVERGING[0]),
        Subject(EXAMPLES / "deadlock.mlir", ("1.0",), {"grid": (2, 1), "entry": "replica_{replica}"}),
        Subject(folder / "ring.mlir", (), {"grid": (1, 3)}),
        Subject(folder / "late.mlir", (), {"grid": (1, 2)}),
        Subject(EXAMPLES / "distance.mlir", (), {"random": 0}),
        Subject(EXAMPLES / "data_parallel.mlir", (str(EXAMPLES / "data_parallel.npz"),), {"grid": (1, 4)}),
        Subject(EXAMPLES / "broken.mlir"),
    ]


async def drive(subject: Subject, count: int, seed: int) -> None:
    """Presses so many keys; raises what the screen raised, and AssertionError where the state is another one
    than that of a fresh run.
    """
    chosen = random.Random(seed)
    app = app_of(subject.file, *subject.arguments, **subject.options)
    done: list[str] = []
    try:
        async with app.run_test(size=(100, 30)) as pilot:
            await settle(pilot, WAIT)
            for _ in range(count):
                try:
                    await _act(app, pilot, chosen, done)
                except WaitForScreenTimeout:  # a widget that was taken away meanwhile does not answer
                    done.append("timeout")
                    await settle(pilot, WAIT)  # but the screen does
                if chosen.random() < 0.2:
                    await settle(pilot, WAIT)
                if app.return_value is not None or app.crash is not None:
                    break
            while len(app.screen_stack) > 1:
                await pilot.press("escape")
            await settle(pilot, WAIT)
            assert app.crash is None, app.crash
            await _check(app, subject)
    except BaseException:
        print(
            f"{subject.file.name}, seed {seed}, key {len(done)}: {_place(app)}; last: {done[-12:]}",
            flush=True,
        )
        raise


def _place(app: DebuggerApp) -> str:
    """Returns where the screen's session is, as far as that can be told."""
    if app.thread is None or app.model is None:
        return "no session"
    return f"{app.model.snapshot.status} at {app.model.snapshot.position}, {len(app.screen_stack)} screens"


async def _act(app: DebuggerApp, pilot: Any, chosen: random.Random, done: list[str]) -> None:
    """Does one thing that a user may do."""
    kind = chosen.random()
    if isinstance(app.screen, QuitQuestion):
        done.append("stay")
        await pilot.press("n")
    elif len(app.screen_stack) > 1 and kind < 0.4:
        done.append("escape")
        await pilot.press("escape")
    elif kind < 0.08:
        size = chosen.choice(SIZES)
        done.append(f"size {size}")
        await pilot.resize_terminal(*size)
    elif kind < 0.12:
        x, y = chosen.randrange(app.size.width), chosen.randrange(app.size.height)
        done.append(f"click {x},{y}")
        if y < app.size.height - 1:  # the last line is the footer, where one can quit
            await pilot.click(offset=(x, y))
    elif kind < 0.3 and len(app.screen_stack) == 1:
        command = chosen.choice(COMMANDS)
        done.append(f":{command}")
        await pilot.press("colon")
        for prompt in app.screen.query("Input").results(Input):  # none where a dialog came first
            prompt.value = command
        await pilot.press("enter")
    elif kind < 0.32:
        done.append("ctrl+c")
        await pilot.press("ctrl+c")
    else:
        key = chosen.choice(PRESSES)
        done.append(key)
        await pilot.press(key)


async def _check(app: DebuggerApp, subject: Subject) -> None:
    """Compares where the session is with a fresh one that goes there."""
    if app.model is None or app.thread is None or app.program.start is None:
        return
    seen: list[tuple[Any, ...]] = []
    app.thread.command(lambda session: seen.append(_state(session, session.position)) or "")
    while not seen and app.crash is None:
        await asyncio.sleep(0.01)
    position = seen[0][0]
    if subject.options.get("grid"):  # who took which step is a part of the way there
        app.thread.command(lambda session: seen.append(_again(session, position)) or "")
        while len(seen) == 1:
            await asyncio.sleep(0.01)
        assert seen[0] == seen[1]
        return
    fresh = app_of(subject.file, *subject.arguments, **subject.options).program.start
    assert fresh is not None
    assert _state(fresh(lambda: False), position) == seen[0]


def _again(session: Session, position: int) -> tuple[Any, ...]:
    """Returns the state at a position, after the session was at the beginning."""
    selected = session.cursor.selected
    session.goto(0)
    session.goto(position)
    session.select_process(selected)
    return _state(session, position)


def _state(session: Session, position: int) -> tuple[Any, ...]:
    """Returns what can be compared of a session at a position."""
    if session.position != position:
        session.goto(position)
    frames = session.snapshot.frames
    places = [(frame.function, frame.region, frame.iteration, frame.line) for frame in frames]
    values = (
        [(view.name, str(session.inspector.value(view.name))) for view in session.inspector.values()]
        if frames
        else []
    )
    return session.position, session.snapshot.status, places, values, session.snapshot.error


async def soak(keys: int, seed: int, programs: Sequence[Subject]) -> None:
    """Shares the keys out among programs, in runs of at most 500."""
    start, number = time.monotonic(), 0
    share = max(keys // len(programs), 1)
    for subject in programs:
        for first in range(0, share, 500):
            count = min(500, share - first)
            await drive(subject, count, seed + number)
            number += 1
            print(f"{subject.file.name}: {first + count} keys, {time.monotonic() - start:.0f} s", flush=True)


def main() -> None:
    """Runs the soak test."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--keys", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(soak(given.keys, given.seed, subjects(Path(folder))))


if __name__ == "__main__":
    main()
