"""nvim-dap, driven through a debugging session without a screen.

No package registry has the plugin: NVIM_DAP names a folder with a checkout of it, and NVIM_DAP_EDITOR the
Neovim to use where the one that the extra `e2e` installs is not there. Without it, the test is skipped.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.dap.programs import EXAMPLES, SQUARES, line_of

from .editors import NEWER_NEOVIM, Neovim

pytestmark = pytest.mark.timeout(240)
PLUGIN = os.environ.get("NVIM_DAP", "")
SETUP = """
local dap = require("dap")
dap.adapters.shlo = { type = "executable", command = "shlo", args = { "dap" } }
dap.configurations.mlir = {
  { type = "shlo", request = "launch", name = "StableHLO", program = "${file}", random = 0 },
}
dap.defaults.shlo.exception_breakpoints = { "failure", "deadlock" } -- "nan", "infinity", "overflow"
dap.defaults.shlo.stepping_granularity = "instruction" -- "statement" steps by lines of Python
"""
"""What docs/dap.md says."""
HELPERS = """
function _G.ask(command, arguments)
  local done, answer = false, nil
  require("dap").session():request(command, arguments, function(problem, body)
    answer, done = problem and { problem = problem.message } or body, true
  end)
  vim.wait(30000, function() return done end, 10)
  return answer
end
function _G.line()
  local session = require("dap").session()
  return session and session.stopped_thread_id and session.current_frame and session.current_frame.line or 0
end
function _G.value(expression)
  local frame = require("dap").session().current_frame
  return ask("evaluate", { expression = expression, context = "watch", frameId = frame.id }).result
end
"""


class Debugging(Neovim):
    """A Neovim with nvim-dap that is set up as the documentation says."""

    def set_up(self) -> None:
        super().set_up()
        self.run(f"set runtimepath+={PLUGIN}")
        for text in (SETUP, HELPERS):
            path = self._folder / "setup.lua"
            path.write_text(text, encoding="utf-8")
            self.run(f"luafile {path}")

    def start(self, **launch: Any) -> None:
        """Launches a program."""
        path = self._folder / "launch.lua"
        options = ", ".join(f"{name} = {text}" for name, text in launch.items())
        path.write_text(
            "require('dap').run({ type = 'shlo', request = 'launch', name = 'test', " + options + " })"
        )
        self.run(f"luafile {path}")

    def call(self, name: str, *arguments: str) -> None:
        """Calls a function of the plugin."""
        self.value(f"(function() require('dap').{name}({', '.join(arguments)}) return 1 end)()")

    def at(self, line: int) -> None:
        """Waits until the program is stopped on a line, whose frame the plugin shows."""
        self.until("line()", lambda found: found == line)


@pytest.fixture
def neovim(tmp_path: Path) -> Iterator[Debugging]:
    executable = os.environ.get("NVIM_DAP_EDITOR", str(NEWER_NEOVIM))
    if not PLUGIN or not Path(executable).exists():
        pytest.skip("nvim-dap is in no package registry: NVIM_DAP names a checkout, NVIM_DAP_EDITOR a Neovim")
    with Debugging(executable, tmp_path, str(SQUARES)) as editor:
        yield editor


def test_the_documented_setup_is_the_one_that_is_tested() -> None:
    page = (EXAMPLES.parent / "docs" / "dap.md").read_text(encoding="utf-8")
    assert SETUP.strip() in page


def test_nvim_dap_walks_through_a_program(neovim: Debugging) -> None:
    square = line_of(SQUARES, "%square =")
    neovim.start(program=f"[[{SQUARES}]]", args="{ '20' }")
    neovim.at(line_of(SQUARES, "%zero ="))
    neovim.to("%square =")
    neovim.call("set_breakpoint", "'%i == 12'")
    neovim.call("continue")
    neovim.at(square)
    assert neovim.value("value('%i')") == "12"
    assert neovim.value("value('%product')") == "-112"
    neovim.call("step_over")
    neovim.at(square + 1)
    neovim.call("step_back")
    neovim.at(square)
    reference = (
        "ask('scopes', { frameId = require('dap').session().current_frame.id }).scopes[1].variablesReference"
    )
    change = (
        f"ask('setVariable', {{ variablesReference = {reference}, name = '%product', value = '5' }}).value"
    )
    assert neovim.value(change) == "5"
    assert neovim.value("value('%product + 1')") == "6"
    neovim.call("terminate")
    neovim.until("require('dap').session() == nil")


def test_nvim_dap_stops_at_a_nan(neovim: Debugging) -> None:
    neovim.start(program=f"[[{EXAMPLES / 'diverging.mlir'}]]", stopOnEntry="false")
    neovim.until("line()")
    neovim.call("set_exception_breakpoints", "{ 'nan' }")
    neovim.call("restart")
    neovim.call("continue")
    neovim.until("ask('exceptionInfo', { threadId = 1 }).exceptionId", lambda found: found == "nan")


def test_nvim_dap_shows_a_deadlock(neovim: Debugging) -> None:
    neovim.start(
        program=f"[[{EXAMPLES / 'deadlock.mlir'}]]",
        args="{ '1.0' }",
        grid="'2x1'",
        entry="'replica_{replica}'",
    )
    neovim.until("line()")
    neovim.call("continue")
    neovim.until("ask('exceptionInfo', { threadId = 1 }).exceptionId", lambda found: found == "deadlock")
    assert neovim.value("#ask('threads').threads") == 2
