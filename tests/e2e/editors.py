"""Neovim and Emacs without a screen, each driven by expressions of its own language."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from abc import abstractmethod
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol, Self

from .conftest import ROOT, find_tool

EDITORS = ROOT / "editors"
PATIENCE = 60.0
SHLO = Path(sys.executable).with_name("shlo")
NEWER_NEOVIM = Path(sys.executable).with_name("nvim")
"""The one that the extra `e2e` installs; Debian's is older."""


class Editor(Protocol):
    """An editor process with an empty home, which has `shlo` of this environment on its path. A `with` block
    sets it up and ends it, also where it cannot be set up.
    """

    _process: subprocess.Popen[bytes]
    _log: Path

    @abstractmethod
    def value(self, expression: str) -> Any:
        """Returns what an expression is, or None where the editor cannot say yet."""

    def until(self, expression: str, holds: Callable[[Any], object] = bool) -> Any:
        """Waits until the value of an expression is as expected, and returns it."""
        values: list[Any] = []

        def is_expected() -> bool:
            values[:] = [self.value(expression)]
            return bool(holds(values[0]))

        self.until_true(is_expected, lambda: f"{expression} is still {values[0]!r}")
        return values[0]

    def until_true(
        self, holds: Callable[[], object], problem: Callable[[], str] = lambda: "it does not come to that"
    ) -> None:
        """Waits until something holds."""
        end = time.monotonic() + PATIENCE
        while not holds():
            assert self._process.poll() is None, f"the editor ended:\n{self._log.read_text()}"
            assert time.monotonic() < end, f"{problem()}\n{self._log.read_text()}"
            time.sleep(0.1)

    @abstractmethod
    def set_up(self) -> None:
        """Waits until the process answers, and prepares it."""

    def __enter__(self) -> Self:
        try:
            self.set_up()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *problem: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the process."""
        self._process.kill()
        self._process.wait()


def environment(home: Path) -> dict[str, str]:
    """Returns environment variables for an editor that has no configuration but ours."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    kept = {name: text for name, text in os.environ.items() if not name.startswith(("XDG_", "NVIM", "EMACS"))}
    return {**kept, "HOME": str(home), "PATH": path, "LC_ALL": "C.UTF-8"}


class Neovim(Editor):
    """A Neovim with our plugin on its runtime path; expressions are of Lua."""

    def __init__(self, executable: str, folder: Path, *files: str) -> None:
        self._executable, self._folder, self._log = executable, folder, folder / "nvim.log"
        self._socket = str(folder / "nvim.sock")
        self._environment = environment(folder)
        arguments = ["--clean", "--headless", "--listen", self._socket]
        plugin = ["--cmd", f"set runtimepath^={EDITORS / 'neovim'}"]
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                [executable, *arguments, *plugin, *files],
                cwd=folder,
                env=self._environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )

    def set_up(self) -> None:
        self.until("1")

    def value(self, expression: str) -> Any:
        lua = f"(function() local ok, value = pcall(function() return {expression} end) "
        lua += "return ok and {value = value} or {problem = tostring(value)} end)()"
        vim = "json_encode(luaeval('" + lua.replace("'", "''") + "'))"
        command = [self._executable, "--clean", "--headless", "--server", self._socket, "--remote-expr", vim]
        done = subprocess.run(
            command, env=self._environment, capture_output=True, text=True, timeout=PATIENCE
        )
        answer = (done.stdout.strip() or done.stderr.strip()).splitlines()
        try:
            found = json.loads(answer[-1])
        except (ValueError, IndexError):
            return None
        if found == []:  # what Lua's empty table, without a value, becomes
            return None
        assert "problem" not in found, found["problem"]
        return found.get("value")

    def run(self, command: str) -> None:
        """Carries out a command line."""
        self.value(f"vim.cmd([==[{command}]==])")

    def to(self, text: str, into: int = 0) -> None:
        """Puts the cursor at the first occurrence of a text, some characters into it."""
        for step in (
            "vim.fn.cursor(1, 1)",
            f"vim.fn.search([==[\\V{text}]==], 'cW')",
            f"vim.fn.cursor(vim.fn.line('.'), vim.fn.col('.') + {into})",
        ):
            self.value(step)

    @property
    def text(self) -> str:
        """What the buffer holds."""
        return "".join(f"{line}\n" for line in self.value("vim.api.nvim_buf_get_lines(0, 0, -1, false)"))


class Emacs(Editor):
    """An Emacs with our package loaded; expressions are of Emacs Lisp, with strings and lists of them as
    values."""

    def __init__(self, executable: str, folder: Path, *files: str) -> None:
        self._client, self._log = find_tool("emacsclient"), folder / "emacs.log"
        self._socket = str(folder / "emacs.sock")
        self._environment = environment(folder)
        self._setup = [
            "(package-initialize)",
            f'(add-to-list \'load-path "{EDITORS / "emacs"}")',
            "(require 'shlo)",
            "(add-hook 'shlo-mode-hook #'eglot-ensure)",
            "(setq eglot-confirm-server-initiated-edits nil make-backup-files nil)",
            *(f'(find-file "{folder / file}")' for file in files),
        ]
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                [executable, "-q", f"--fg-daemon={self._socket}"],
                cwd=folder,
                env=self._environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )

    def set_up(self) -> None:
        self.until("t")
        for each in self._setup:
            self.value(each)
        self.value("(progn (run-hooks 'post-command-hook) t)")  # where `eglot-ensure` starts the server

    def value(self, expression: str) -> Any:
        inner = f"(with-current-buffer (window-buffer) (json-serialize (list :value {_as_json(expression)})))"
        command = [self._client, "-s", self._socket, "--eval", inner]
        done = subprocess.run(
            command, env=self._environment, capture_output=True, text=True, timeout=PATIENCE, check=False
        )
        if done.returncode or not done.stdout.strip():
            assert "can't find socket" in done.stderr or "refused" in done.stderr, done.stderr
            return None
        return json.loads(json.loads(done.stdout))["value"]

    def to(self, text: str, into: int = 0) -> None:
        """Puts the cursor at the first occurrence of a text, some characters into it."""
        self.value(
            f'(progn (goto-char (point-min)) (search-forward "{text}") '
            f"(goto-char (+ (match-beginning 0) {into})))"
        )

    @property
    def text(self) -> str:
        """What the buffer holds."""
        return self.value("(buffer-substring-no-properties (point-min) (point-max))")


def _as_json(expression: str) -> str:
    """Returns an expression whose value is text, or a list of texts where it is a list."""
    return (
        f"(let ((value {expression})) (cond ((stringp value) (substring-no-properties value)) ((numberp value) value)"
        " ((null value) :false) ((eq value t) t)"
        ' ((listp value) (vconcat (mapcar (lambda (each) (format "%s" each)) value))) (t (format "%s" value))))'
    )
