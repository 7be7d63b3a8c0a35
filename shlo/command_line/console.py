"""Where a command writes: results to standard output, messages to standard error, colour on terminals only.

What comes from a file may hold characters that drive a terminal; they are escaped before they are shown.
"""

from __future__ import annotations

import os
import sys
import threading
from argparse import Namespace
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from time import monotonic
from types import TracebackType
from typing import Any, Final, Literal, TextIO

from shlo.runner.files import replace_file
from shlo.support.streams import write_escaped
from shlo.text.diagnostics import message_line
from shlo.text.escape import escaped
from shlo.text.progress import SHOWN_AFTER_S, progress_text
from shlo.text.styled import Style, StyledLine, ansi_text, plain_text, styled

JSON_VERSION: Final = 1
"""The version of the form in which commands answer as JSON: docs/json.md says what is in it."""


def json_text(answer: Mapping[str, Any], indent: int | None = 2) -> str:
    """Returns the answer of a command as JSON, its version first; without `indent` on one line."""
    import json

    return json.dumps({"version": JSON_VERSION, **answer}, indent=indent)


class Console:
    """Standard output and standard error, as one run of the command uses them.

    `color` is what `--color` says; `is_quiet` leaves out notes, hints and progress.
    """

    def __init__(self) -> None:
        self.stdout: TextIO = sys.stdout
        self.stderr: TextIO = sys.stderr
        self.environment: Mapping[str, str] = os.environ
        self.color: Literal["auto", "always", "never"] = "auto"
        self.is_quiet = False

    def print(self, text: str = "", end: str = "\n") -> None:
        """Writes to standard output; the text's control characters are escaped."""
        self._write(self.stdout, escaped(text) + end)

    def print_styled(self, text: str, style: Style) -> None:
        """Writes a line to standard output, in colour on a terminal."""
        self.print_lines([styled(text, style)])

    def print_lines(self, lines: Iterable[StyledLine]) -> None:
        """Writes lines to standard output, in colour on a terminal."""
        self._write_lines(self.stdout, lines)

    def print_json(self, data: Mapping[str, Any], indent: int | None = 2) -> None:
        """Writes the answer of a command as JSON; without `indent` on one line."""
        self.print(json_text(data, indent))

    def print_program(self, text: str, path: str | None = None) -> None:
        """Writes a program to a file, or else to standard output: escaped where that is a terminal, byte for
        byte elsewhere. Raises RequestError.
        """
        data = text.encode("utf-8", "surrogateescape")
        if path is not None:
            return replace_file(path, lambda file: file.write(data))
        buffer = getattr(self.stdout, "buffer", None)
        if buffer is None or self.stdout.isatty():
            return self.print(text, end="")
        self.stdout.flush()
        buffer.write(data)
        buffer.flush()
        return None

    def print_diff(self, name: str, before: str, after: str) -> None:
        """Prints what differs between two texts of a file, as `diff -u` does."""
        from difflib import unified_diff

        lines = before.splitlines(), after.splitlines()
        path = name.lstrip("/")
        for line in unified_diff(*lines, f"a/{path}", f"b/{path}", lineterm=""):
            self.print(line)

    def print_report(
        self,
        options: Namespace,
        lines: Callable[[], Iterable[StyledLine]],
        data: Callable[[], Mapping[str, Any]],
        page: Callable[[], str] | None = None,
    ) -> None:
        """Writes a report in the form of `--format`, to the file of `-o` if there is one: JSON of `data`, an
        HTML `page`, or `lines`, in colour on a terminal. Raises RequestError.
        """
        path = getattr(options, "output", None)
        if options.format == "json":
            self.print_program(json_text(data()) + "\n", path)
        elif options.format == "html" and page is not None:
            self.print_program(page(), path)
        elif path is not None:
            self.print_program(plain_text(lines()) + "\n", path)
        else:
            self.print_lines(lines())

    def note(self, text: str) -> None:
        """Writes a line to standard error, if not quiet."""
        if not self.is_quiet:
            self._write(self.stderr, escaped(text) + "\n")

    def message(self, severity: str, text: str, location: str | None = None) -> None:
        """Writes `location: severity: text` to standard error; notes and hints if not quiet."""
        if not (self.is_quiet and severity in ("note", "hint")):
            self.report([message_line(severity, text, location)])

    def report(self, lines: Iterable[StyledLine]) -> None:
        """Writes lines to standard error, in colour on a terminal."""
        self._write_lines(self.stderr, lines)

    def is_terminal(self, stream: TextIO) -> bool:
        """Returns whether a stream is a terminal that can move its cursor."""
        return stream.isatty() and self.environment.get("TERM") != "dumb"

    @property
    def width(self) -> int:
        """How many columns standard output has; 100 where it is no terminal."""
        if not self.stdout.isatty():
            return 100
        import shutil

        return max(shutil.get_terminal_size().columns, 40)

    def _write_lines(self, stream: TextIO, lines: Iterable[StyledLine]) -> None:
        rendered = ansi_text if self._has_colours(stream) else plain_text
        for line in lines:
            self._write(stream, rendered([line]) + "\n")

    def _has_colours(self, stream: TextIO) -> bool:
        """Returns whether a stream gets colours: by `--color`, else NO_COLOR, else FORCE_COLOR."""
        if self.color != "auto":
            return self.color == "always"
        if self.environment.get("NO_COLOR"):
            return False
        is_forced = self.environment.get("FORCE_COLOR", "0") not in ("", "0")
        is_paged = stream is self.stdout and "GIT_PAGER_IN_USE" in self.environment
        return is_forced or is_paged or self.is_terminal(stream)

    def _write(self, stream: TextIO, text: str) -> None:
        if stream is self.stderr:  # where both are one file, lines stay in their order
            self._flush_stdout()
        try:
            write_escaped(stream, text)
        except OSError:
            if stream is not self.stderr:  # what messages cannot be written to does not change what is done
                raise

    def _flush_stdout(self) -> None:
        with suppress(OSError, ValueError):  # what is written next tells of a closed one
            self.stdout.flush()


INTERVAL_S = 0.2
"""How often a bar is painted."""
LOG_INTERVAL_S = 10.0
"""How often a log gets a line."""
_BAR_WIDTH = 30


class ProgressBar:
    """Shows how far a run is, painted by a thread of its own; within `with`, call it with steps done and all.
    In the log of a build server, which has the variable CI, it is a line every LOG_INTERVAL_S seconds.

    `is_visible` is False where the console is quiet or the stream is neither a terminal nor such a log, and
    where no thread starts: then nothing is called or painted.
    """

    def __init__(self, console: Console, what: str = "operations") -> None:
        self._is_terminal = console.is_terminal(console.stderr)
        is_log = bool(console.environment.get("CI"))
        self.is_visible = (self._is_terminal or is_log) and not console.is_quiet
        self._stream = console.stderr
        self._done, self._total, self._what = 0, 0, what
        self._stopped = threading.Event()
        self._painted = False
        self._thread = threading.Thread(target=self._paint_until_stopped, daemon=True)

    def __call__(self, done: int, total: int) -> None:
        """Takes how many of how many steps are done."""
        self._done, self._total = done, total

    def __enter__(self) -> ProgressBar:
        self._start = monotonic()
        if self.is_visible:
            try:
                self._thread.start()
            except RuntimeError:  # no more threads, or a browser, which has none
                self.is_visible = False
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stopped.set()
        if self.is_visible:
            self._thread.join()
        if self._painted:
            self._stream.write("\r\x1b[K")
            self._stream.flush()

    def _paint_until_stopped(self) -> None:
        if self._is_terminal and self._stopped.wait(SHOWN_AFTER_S):
            return
        while not self._stopped.wait(INTERVAL_S if self._is_terminal else LOG_INTERVAL_S):
            self._painted = self._is_terminal
            progress = self._done, self._total, monotonic() - self._start, self._what
            line = f"\r{bar_text(*progress)}\x1b[K" if self._is_terminal else f"{progress_text(*progress)}\n"
            self._stream.write(line)
            self._stream.flush()


def bar_text(done: int, total: int, seconds: float, what: str = "operations") -> str:
    """Returns `[###.....] 12 of 34 operations (35%), 2.4 a second, about 9 s left`; without total no bar."""
    filled = _BAR_WIDTH * done // total if total else 0
    bar = f"[{'#' * filled}{'.' * (_BAR_WIDTH - filled)}] " if total else ""
    return bar + progress_text(done, total, seconds, what)
