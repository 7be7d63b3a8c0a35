"""`shlo debug` in a real terminal (tmux): keys go in, the screen is read, pictures are kept."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from .conftest import ROOT, find_tool

DIVERGING = ("examples/diverging.mlir",)
TRANSFORMER = ("examples/transformer.mlir", "examples/transformer.npz")
SHLO = Path(sys.executable).with_name("shlo")
PATIENCE = 60.0
SIZES = ("COLUMNS", "LINES")
"""Variables that programs believe more than their terminal. Readline sets them, to 80 and 24, in all that is started
by a Python that has imported it, such as pytest's workers.
"""


class Terminal:
    """A terminal of a size, in a tmux server of its own."""

    def __init__(self, tmux: str, columns: int = 120, rows: int = 36, **environment: str) -> None:
        self._tmux = [tmux, "-f", os.devnull, "-L", f"shlo-{uuid.uuid4().hex[:12]}"]
        self._size = columns, rows
        self._environment = {"COLORTERM": "truecolor", "LC_ALL": "C.UTF-8", **environment}

    def start(self, *command: str) -> None:
        """Runs a command in it; the shell behind it says how it ended."""
        columns, rows = self._size
        settings = " ".join(f"{name}={value}" for name, value in self._environment.items())
        line = f"cd {ROOT}; env {settings} {' '.join(command)}; echo ended with $?; sleep 600"
        self._run("new-session", "-d", "-x", str(columns), "-y", str(rows), "sh", "-c", line)

    def keys(self, *keys: str) -> None:
        """Presses keys, as tmux names them."""
        self._run("send-keys", *keys)

    @property
    def screen(self) -> str:
        """What can be read now."""
        return self._run("capture-pane", "-p")

    @property
    def coloured(self) -> str:
        """What can be read now, with colours as escape sequences."""
        return self._run("capture-pane", "-p", "-e")

    def until(self, *texts: str) -> str:
        """Waits until all texts stand on the screen, which it gives."""
        end = time.monotonic() + PATIENCE
        while not all(text in (screen := self.screen) for text in texts):
            assert time.monotonic() < end, f"{texts} not on:\n{screen}"
            time.sleep(0.1)
        return screen

    def close(self) -> None:
        """Ends the server and all that runs in it."""
        subprocess.run([*self._tmux, "kill-server"], check=False, capture_output=True)

    def _run(self, *arguments: str) -> str:
        inherited = {name: value for name, value in os.environ.items() if name not in SIZES}
        environment = {**inherited, "TERM": "xterm-256color"}
        done = subprocess.run(
            [*self._tmux, *arguments], check=True, capture_output=True, text=True, env=environment
        )
        return done.stdout


@pytest.fixture
def terminal() -> Iterator[Terminal]:
    terminal = Terminal(find_tool("tmux"))
    yield terminal
    terminal.close()


@pytest.mark.core
def test_a_transformer_is_stepped_through_both_ways(terminal, screenshots):
    terminal.start(str(SHLO), "debug", *TRANSFORMER)
    terminal.until("at the start", "stablehlo.slice %arg10", "? help")
    terminal.keys("n", "n", "n")
    terminal.until("step 3 of 3", "stablehlo.broadcast_in_dim gave %1")
    terminal.keys("N")
    terminal.until("step 2 of 3")
    terminal.keys("c")
    terminal.until("the program is done", "result 0")
    (screenshots / "terminal-done.txt").write_text(terminal.screen)
    terminal.keys("q")
    terminal.until("ended with 0")


@pytest.mark.core
def test_the_first_nan_and_a_look_into_its_tensor(terminal, screenshots):
    terminal.start(str(SHLO), "debug", *DIVERGING)
    terminal.until("at the start")
    terminal.keys("!")
    terminal.until("made Inf!")
    terminal.keys("!")
    screen = terminal.until("made NaN!", "layer_0/attn/div", "2x4x16x16xf32", "[0, 0, 0, 3] = NaN")
    (screenshots / "terminal-nan.txt").write_text(screen)
    (screenshots / "terminal-nan.ansi").write_text(terminal.coloured)
    terminal.keys("{", "]")
    terminal.until("[1, 0, 0, 3] = ")
    terminal.keys("q")
    terminal.until("ended with 0")


def test_control_c_stops_a_program_and_then_offers_to_quit(terminal, tmp_path):
    program = tmp_path / "endless.mlir"
    program.write_text(
        """func.func @main() -> tensor<i32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %last = stablehlo.while(%i = %zero) : tensor<i32>
  cond {
    %more = stablehlo.compare GE, %i, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %next : tensor<i32>
  }
  return %last : tensor<i32>
}"""
    )
    terminal.start(str(SHLO), "debug", str(program))
    terminal.until("at the start")
    terminal.keys("c")
    terminal.until("steps so far")
    terminal.keys("C-c")
    terminal.until("stopped on request")
    terminal.keys("C-c")
    terminal.until("quit?")
    terminal.keys("y")
    terminal.until("ended with 0")


def test_a_small_ascii_terminal_without_colours(screenshots):
    terminal = Terminal(
        find_tool("tmux"), 80, 24, NO_COLOR="1", LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0"
    )
    try:
        terminal.start(str(SHLO), "debug", *DIVERGING, "--ascii")
        terminal.until("at the start")
        terminal.keys("!", "!")
        screen = terminal.until("made NaN!")
        assert screen.isascii()
        assert "\x1b[38" not in terminal.coloured
        (screenshots / "terminal-ascii.txt").write_text(screen)
        terminal.keys("q")
        terminal.until("ended with 0")
    finally:
        terminal.close()


def test_a_program_with_mistakes_opens_on_the_first(terminal):
    terminal.start(str(SHLO), "debug", "examples/broken.mlir")
    terminal.until("2 findings", "error: ", "%y")
    terminal.keys("q")
    terminal.until("ended with 1")


@pytest.mark.core
def test_hostile_strings_do_nothing_in_a_terminal(terminal, tmp_path):
    program = tmp_path / "hostile.mlir"
    program.write_text(
        """// [bold red]\x1b]0;owned\x07\x1b[2J
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.negate %x : tensor<2xf32> loc("jit([@click=app.quit]f[/])/\\1B[2J\\0Aneg"("/f\\1B[31m.py":1:2))
  return %0 : tensor<2xf32>
}"""
    )
    terminal.start(str(SHLO), "debug", str(program), "--zeros")
    terminal.until("at the start", "[bold red]\\x1b]0;owned\\x07\\x1b[2J", "[@click=app.quit]f[/]")
    terminal.keys("n")
    terminal.until("stablehlo.negate gave %0")


def test_the_picture_of_the_documentation(screenshots):
    """The screen as the app draws it; `SHLO_WRITE_PICTURES=1` puts it into the documentation."""
    pytest.importorskip("textual")
    from shlo.debugger import Session
    from shlo.runner.files import read_module
    from shlo_tui.app.app import DebuggerApp
    from shlo_tui.app.layout import DebuggedProgram

    module = read_module(str(ROOT / DIVERGING[0]))
    assert module.source is not None
    app = DebuggerApp(DebuggedProgram(module.source, lambda stop: Session(module, (), stop=stop)))

    async def draw() -> None:
        async with app.run_test(size=(132, 38)) as pilot:
            for key in ("x", "x", "asterisk"):
                await pilot.press(key)
                await _idle(app, pilot)
            app.save_screenshot("terminal-nan.svg", str(screenshots))

    asyncio.run(draw())
    picture = (screenshots / "terminal-nan.svg").read_text()
    assert "made&#160;NaN!" in picture
    if os.environ.get("SHLO_WRITE_PICTURES") == "1":
        (ROOT / "docs" / "debugger.svg").write_text(picture)


async def _idle(app, pilot) -> None:
    async with asyncio.timeout(PATIENCE):
        for _ in range(3):
            while app.thread is None or app.thread.is_busy:
                await asyncio.sleep(0.01)
            await pilot.pause()
