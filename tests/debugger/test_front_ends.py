"""The same commands answer the same texts at the prompt of the terminal, in a script, in a notebook's stepper and
in the console of an editor.
"""

from __future__ import annotations

import html
import re
from pathlib import Path
from typing import Any

import pytest

import shlo
from shlo.debugger import DebuggerError, Session
from shlo.debugger.commands.table import COMMANDS, run_script
from shlo.debugger.text.format import where_text
from shlo.text.escape import escaped
from shlo_kernel.widgets.stepper import Stepper
from shlo_tui.app.app import DebuggerApp
from tests.dap.client import Client, Failure
from tests.tui.conftest import app_of, settle

PROGRAM = """\
func.func @main() -> tensor<2x3xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %x = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, -5.0, 6.0]]> : tensor<2x3xf32>
  %limit = stablehlo.constant dense<5> : tensor<i32>
  %end:2 = stablehlo.while(%i = %zero, %now = %x) : tensor<i32>, tensor<2x3xf32>
  cond {
    %more = stablehlo.compare LT, %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %next = stablehlo.sqrt %now : tensor<2x3xf32>
    %following = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %following, %next : tensor<i32>, tensor<2x3xf32>
  }
  return %end#1 : tensor<2x3xf32>
}
"""
SAMPLES = {
    "none": "",
    "value": "%x",
    "expression": "%x[1]",
    "breakpoint": "1",
    "command": "next",
    "point": "11",
    "topic": "frames",
    "process": "1",
    "scope": "layer",
    "area": "11",
    "unit": "scope",
}
"""What is written behind a command, by the kind of its argument."""


def lines() -> list[str]:
    """Returns every command without and with an argument, in the middle of a loop, and a mistake."""
    commands = [command for command in COMMANDS if not command.ends]
    found = ["break 11", "continue", "step"]
    for command in commands:
        found += [command.name, f"{command.name} {SAMPLES[command.argument]}".strip()]
    return [*dict.fromkeys(found), "goto 12", "print %now", "nothing of the kind", "next"]


@pytest.fixture(params=[1, 2], ids=["alone", "grid"])
def replicas(request: pytest.FixtureRequest) -> int:
    """How many processes run the program."""
    return request.param


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "loop.mlir"
    path.write_text(PROGRAM, "utf-8")
    return path


def answers(file: Path, replicas: int) -> list[tuple[str, str, bool]]:
    """Returns the lines, what a script answers, and whether that says only where the session is."""
    session, found = Session(shlo.load(str(file)), replicas=replicas), list[tuple[str, str, bool]]()
    for entry in run_script(session, lines()):
        found.append((entry.line, escaped(entry.reply.text), entry.reply.text == where_text(session)))
    return found


def test_the_console_of_an_editor_answers_as_a_script_does(file: Path, replicas: int) -> None:
    known = {name for command in COMMANDS for name in command.names}
    client = Client()
    client.launch(file, grid=f"{replicas}x1")
    for line, text, _ in answers(file, replicas):
        if line.split()[0] not in known:
            continue  # an expression there
        try:
            answer = client.request("evaluate", expression=line, context="repl")["result"]
        except Failure as failure:
            answer = str(failure)
        assert (line, answer) == (line, text)
    client.request("disconnect")


def test_the_stepper_of_a_notebook_answers_as_a_script_does(file: Path, replicas: int) -> None:
    stepper = Stepper(Session(shlo.load(str(file)), replicas=replicas))
    for line, text, is_place in answers(file, replicas):
        stepper.run(line)
        shown = re.search(r"<pre[^>]*>(.*)</pre>", stepper.reply.value, re.DOTALL)
        assert (line, html.unescape(shown[1]) if shown else "") == (line, "" if is_place else text)


@pytest.mark.asyncio
async def test_the_prompt_of_the_terminal_answers_as_a_script_does(
    file: Path, replicas: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    order = DebuggerApp.order

    def noting(app: DebuggerApp, command: Any) -> None:
        def run(session: Session) -> str:
            try:
                said.append(command(session))
            except DebuggerError as error:
                said.append(str(error))
                raise
            return said[-1]

        order(app, run)

    monkeypatch.setattr(DebuggerApp, "order", noting)
    monkeypatch.setattr(DebuggerApp, "open_text", lambda *_: None)
    expected = answers(file, replicas)
    app = app_of(file, "--grid", f"{replicas}x1")
    async with app.run_test(size=(100, 30)) as pilot:
        await settle(pilot)
        for line, _, _ in expected:
            app._run_prompt(line)
        await settle(pilot, 60)
    assert app.crash is None
    assert list(zip([line for line, _, _ in expected], map(escaped, said), strict=True)) == [
        (line, text) for line, text, _ in expected
    ]
