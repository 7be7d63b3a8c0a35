"""nvim-dap and dape, each driven through the same debugging sessions without a screen.

No registry that tests may use has the plugins: NVIM_DAP and DAPE name folders with checkouts of them,
NVIM_DAP_EDITOR and DAPE_EDITOR a Neovim and an Emacs (29.1 or later) to use where the usual ones are missing or
older. Without them, the tests are skipped.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Protocol

import pytest

from tests.dap.programs import EXAMPLES, SQUARES, line_of

from .conftest import find_tool
from .editors import NEWER_NEOVIM, Editor, Emacs, Neovim

pytestmark = pytest.mark.timeout(240)
NVIM_SETUP = """
local dap = require("dap")
dap.adapters.shlo = { type = "executable", command = "shlo", args = { "dap" } }
dap.configurations.mlir = {
  { type = "shlo", request = "launch", name = "StableHLO", program = "${file}", random = 0 },
}
dap.defaults.shlo.exception_breakpoints = { "failure", "deadlock" } -- "nan", "infinity", "overflow", "finding"
dap.defaults.shlo.stepping_granularity = "instruction" -- "statement" steps by lines of Python
"""
"""What docs/dap.md says."""
NVIM_HELPERS = """
function _G.ask(command, arguments)
  local done, answer = false, nil
  require("dap").session():request(command, vim.json.decode(arguments), function(problem, body)
    answer, done = problem and { problem = problem.message } or body, true
  end)
  vim.wait(30000, function() return done end, 10)
  return answer
end
function _G.line()
  local session = require("dap").session()
  return session and session.stopped_thread_id and session.current_frame and session.current_frame.line or 0
end
"""
DAPE_SETUP = """
(add-to-list 'dape-configs
             '(shlo modes (shlo-mode mlir-mode) command "shlo" command-args ("dap")
                    :type "shlo" :request "launch" :program dape-buffer-default :random 0))
"""
"""What docs/dap.md says."""
DAPE_HELPERS = r"""
(require 'dape)
(setq dape-start-hook nil dape-inlay-hints nil
      dape-default-breakpoints-file (expand-file-name "breakpoints" user-emacs-directory))
(defun test-read (text)
  (json-parse-string text :object-type 'plist :false-object :json-false))
(defun test-ask (command arguments)
  (let (answer done)
    (dape-request (dape--live-connection 'parent) command (test-read arguments)
                  (lambda (body problem)
                    (setq answer (if problem (list :problem problem) body) done t)))
    (with-timeout (30) (while (not done) (accept-process-output nil 0.01)))
    (json-serialize (or answer (make-hash-table)) :false-object :json-false)))
(defun test-frame (key)
  (let ((conn (dape--live-connection 'stopped t)))
    (or (plist-get (and conn (dape--current-stack-frame conn)) key) 0)))
"""


class Debugging(Protocol):
    """What a person does in a debugger of an editor, and what the adapter answers to the editor's client."""

    def start(self, **launch: Any) -> None:
        """Launches a program, with the documented configuration and other values in it."""

    def line(self) -> int:
        """Returns the line on which the program is stopped, 0 while it runs."""
        ...

    def stop_where(self, text: str, condition: str) -> None:
        """Sets a breakpoint with a condition on the line of a text."""

    def go_on(self) -> None:
        """Continues."""

    def step(self) -> None:
        """Steps over an operation."""

    def frame(self) -> int:
        """Returns the adapter's number of the frame that is shown."""
        ...

    def ask(self, command: str, arguments: Mapping[str, Any]) -> Any:
        """Sends a request over the editor's connection, and returns the answer."""

    def end(self) -> None:
        """Ends the session, and waits until it is over."""


class NvimDap(Neovim):
    """A Neovim with nvim-dap that is set up as the documentation says."""

    def __init__(self, executable: str, plugin: str, folder: Path, *files: str) -> None:
        self._plugin = plugin
        super().__init__(executable, folder, *files)

    def set_up(self) -> None:
        super().set_up()
        self.run(f"set runtimepath+={self._plugin}")
        for text in (NVIM_SETUP, NVIM_HELPERS):
            self._do(text)

    def start(self, **launch: Any) -> None:
        chosen = json.dumps(launch)
        own = "require('dap').configurations.mlir[1]"
        self._do(f"require('dap').run(vim.tbl_extend('force', {own}, vim.json.decode([==[{chosen}]==])))")

    def line(self) -> int:
        return int(self.value("line()"))

    def stop_where(self, text: str, condition: str) -> None:
        self.to(text)
        self._call("set_breakpoint", f"'{condition}'")

    def go_on(self) -> None:
        self._call("continue")

    def step(self) -> None:
        self._call("step_over")

    def frame(self) -> int:
        return int(self.value("require('dap').session().current_frame.id"))

    def ask(self, command: str, arguments: Mapping[str, Any]) -> Any:
        return self.value(f"ask('{command}', [==[{json.dumps(arguments)}]==])")

    def end(self) -> None:
        self._call("terminate")
        self.until("require('dap').session() == nil")

    def _do(self, lua: str) -> None:
        path = self._folder / "do.lua"
        path.write_text(lua, encoding="utf-8")
        self.run(f"luafile {path}")

    def _call(self, name: str, *arguments: str) -> None:
        self.value(f"(function() require('dap').{name}({', '.join(arguments)}) return 1 end)()")


class Dape(Emacs):
    """An Emacs with dape that is set up as the documentation says."""

    def __init__(self, executable: str, plugin: str, folder: Path, *files: str) -> None:
        super().__init__(executable, folder, *files)
        helpers = folder / "helpers.el"
        helpers.write_text(DAPE_HELPERS + DAPE_SETUP, encoding="utf-8")
        self._setup = [
            f'(add-to-list \'load-path "{plugin}")',
            *(each for each in self._setup if "eglot-ensure" not in each),
            f'(load "{helpers}")',
        ]

    def start(self, **launch: Any) -> None:
        self.value(f"(progn (dape (dape--config-eval 'shlo (test-read {_quoted(launch)}))) t)")

    def line(self) -> int:
        return int(self.value("(test-frame :line)"))

    def stop_where(self, text: str, condition: str) -> None:
        self.to(text)
        self.value(f'(progn (dape-breakpoint-expression "{condition}") t)')

    def go_on(self) -> None:
        self.value("(progn (dape-continue (dape--live-connection 'stopped)) t)")

    def step(self) -> None:
        self.value("(progn (dape-next (dape--live-connection 'stopped)) t)")

    def frame(self) -> int:
        return int(self.value("(test-frame :id)"))

    def ask(self, command: str, arguments: Mapping[str, Any]) -> Any:
        return json.loads(self.value(f"(test-ask :{command} {_quoted(arguments)})"))

    def end(self) -> None:
        self.value("(progn (dape-quit) t)")
        self.until("(dape--live-connections)", lambda found: not found)


def _quoted(values: Mapping[str, Any]) -> str:
    """Returns JSON as a string of Emacs Lisp."""
    return json.dumps(json.dumps(values))


class Debugger(Editor, Debugging, Protocol):
    """An editor with its debugger's client."""


Open = Callable[[Path], Debugger]


def _nvim_dap(folder: Path) -> Open:
    plugin, executable = os.environ.get("NVIM_DAP"), os.environ.get("NVIM_DAP_EDITOR", str(NEWER_NEOVIM))
    if not plugin or not Path(executable).exists():
        pytest.skip("nvim-dap is in no package registry: NVIM_DAP names a checkout, NVIM_DAP_EDITOR a Neovim")
    return lambda program: NvimDap(executable, plugin, folder, str(program))


def _dape(folder: Path) -> Open:
    plugin = os.environ.get("DAPE")
    if not plugin:
        pytest.skip("dape is in GNU ELPA alone: DAPE names a checkout, DAPE_EDITOR an Emacs")
    executable = os.environ.get("DAPE_EDITOR") or find_tool("emacs")
    version = '(kill-emacs (if (version< emacs-version "29.1") 1 0))'
    if subprocess.run([executable, "--batch", "--eval", version], timeout=60, check=False).returncode:
        pytest.skip("dape needs Emacs 29.1: DAPE_EDITOR names one")
    return lambda program: Dape(executable, plugin, folder, str(program))


@pytest.fixture(params=[_nvim_dap, _dape], ids=["nvim-dap", "dape"])
def debugger(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Debugger]:
    with request.param(tmp_path)(SQUARES) as editor:
        yield editor


def wait_for_line(debugger: Debugger, holds: Callable[[int], object]) -> None:
    """Waits until the program is stopped on such a line, whose frame the editor shows."""
    debugger.until_true(lambda: holds(debugger.line()))


def watched(debugger: Debugger, expression: str) -> str:
    """Returns what a watch of an expression shows."""
    arguments = {"expression": expression, "context": "watch", "frameId": debugger.frame()}
    return debugger.ask("evaluate", arguments)["result"]


def test_the_documented_setups_are_those_that_are_tested() -> None:
    page = (EXAMPLES.parent / "docs" / "dap.md").read_text(encoding="utf-8")
    assert NVIM_SETUP.strip() in page
    assert DAPE_SETUP.strip() in page


def test_a_program_is_walked_through_back_and_changed(debugger: Debugger) -> None:
    square = line_of(SQUARES, "%square =")
    debugger.start(program=str(SQUARES), args=["20"])
    wait_for_line(debugger, lambda line: line == line_of(SQUARES, "%zero ="))
    debugger.stop_where("%square =", "%i == 12")
    debugger.go_on()
    wait_for_line(debugger, lambda line: line == square)
    assert watched(debugger, "%i") == "12"
    assert watched(debugger, "%product") == "-112"
    debugger.step()
    wait_for_line(debugger, lambda line: line == square + 1)
    debugger.ask("stepBack", {"threadId": 1, "granularity": "instruction"})
    wait_for_line(debugger, lambda line: line == square)
    scopes = debugger.ask("scopes", {"frameId": debugger.frame()})["scopes"]
    change = {"variablesReference": scopes[0]["variablesReference"], "name": "%product", "value": "5"}
    assert debugger.ask("setVariable", change)["value"] == "5"
    assert watched(debugger, "%product + 1") == "6"
    debugger.end()


def test_a_nan_stops_a_program(debugger: Debugger) -> None:
    debugger.start(program=str(EXAMPLES / "diverging.mlir"))
    wait_for_line(debugger, bool)
    debugger.ask("setExceptionBreakpoints", {"filters": ["nan"]})
    debugger.go_on()
    debugger.until_true(lambda: exception(debugger) == "nan")


def test_a_deadlock_is_shown(debugger: Debugger) -> None:
    debugger.start(
        program=str(EXAMPLES / "deadlock.mlir"), args=["1.0"], grid="2x1", entry="replica_{replica}"
    )
    wait_for_line(debugger, bool)
    debugger.go_on()
    debugger.until_true(lambda: exception(debugger) == "deadlock")
    assert len(debugger.ask("threads", {})["threads"]) == 2


def exception(debugger: Debugger) -> str | None:
    """Returns what has stopped the program, None where nothing has."""
    return debugger.ask("exceptionInfo", {"threadId": 1}).get("exceptionId")
