"""What a Session stands on: a player, and how a command is carried out with it."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Final, Unpack

from shlo.api import without_vhlo
from shlo.debugger.control.breakpoints import FINDINGS, Breakpoints
from shlo.debugger.control.nonfinite import Finding
from shlo.debugger.control.stepping import Arrived, Movement
from shlo.debugger.errors import DebuggerError
from shlo.debugger.inspect.line_table import Lines
from shlo.debugger.inspect.provenance import origin_of
from shlo.debugger.inspect.scope import Bound, find_value, frame_views, span_of
from shlo.debugger.inspect.snapshots import Reason, Snapshot, Taken
from shlo.debugger.inspect.summaries import Summaries
from shlo.debugger.replay.cursor import Player
from shlo.debugger.replay.effects import Listener
from shlo.interpreter.engine.stepper import Process
from shlo.interpreter.options import RunKeywords, RunOptions
from shlo.interpreter.program.code import program_of
from shlo.ir.operations import Module

DEFAULT_MEMORY: Final = 1 << 30
"""How many bytes of passed values a Session keeps unless told otherwise."""

Stop = threading.Event | Callable[[], bool]


class Core(ABC):
    """The state of a Session, and where it is."""

    def __init__(
        self,
        programs: Module | Sequence[Module],
        inputs: Sequence[Any] = (),
        *,
        memory: int = DEFAULT_MEMORY,
        stop: Stop | None = None,
        **keywords: Unpack[RunKeywords],
    ) -> None:
        """Starts a function of a module on `inputs`; `keywords` are the fields of RunOptions. With more than
        one replica or partition a grid is started (see GridSession), and `programs`, `inputs`, `entry` and
        `channels` are those of `run_grid`. `memory` is how many bytes the recording may take; `stop` is an
        event or a function that ends a running command. Raises ExecutionError where the function cannot be
        started on the inputs.
        """
        self.options = replace(RunOptions.of(keywords), keep_values=True)
        given = [programs] if isinstance(programs, Module) else programs
        self._modules = [without_vhlo(module) for module in given]
        self._entries = self.options.entries
        self._stop: Stop = threading.Event() if stop is None else stop
        self._player, self._breakpoints, self._movement = self._started(inputs, memory)
        self._lines: dict[int, Lines] = {}
        self._summaries = Summaries()
        self._busy = threading.Lock()
        self._reason: Reason = "start"
        self._selected: int | None = None
        self._listener: Listener | None = None
        self.displayed: list[str] = []
        """Names of values that somebody wants to see wherever the session stops; for front ends to keep."""

    @abstractmethod
    def _started(self, inputs: Sequence[Any], memory: int) -> tuple[Player, Breakpoints, Movement]:
        """What stands at the beginning, and what moves it."""

    @property
    def module(self) -> Module:
        """The program of the process that is looked at."""
        return self._modules[self._player.selected % len(self._modules)]

    @property
    def entry(self) -> str:
        """The function that it started with."""
        return self._entries[self._player.selected % len(self._entries)]

    @property
    def snapshot(self) -> Snapshot:
        """Where the session is."""
        player = self._player
        return Snapshot(
            position=player.position,
            last=player.last,
            status=player.status,
            reason=self._reason,
            frames=frame_views(player.process.frames),
            taken=self._taken(),
            breakpoints=self._movement.met(player.position),
            error=str(player.error) if player.error else None,
        )

    @property
    def _process(self) -> Process:
        """The process that is looked at."""
        return self._player.process

    def _go(self, move: Callable[[], Arrived]) -> Snapshot:
        """Carries a move out; gives where it led."""
        with self._command():
            self._player.watches = self._breakpoints.watches
            self._selected = None
            self._reason = "stopped"  # unless it ends by itself
            self._reason = move()
            if self._listener is not None:
                self._listener.stopped()
        return self.snapshot

    @contextmanager
    def _command(self) -> Generator[None]:
        """One command at a time; an interrupt leaves all as it is between two steps."""
        if not self._busy.acquire(blocking=False):
            raise DebuggerError("the session is busy with another command")
        try:
            yield
        except DebuggerError:
            raise
        except BaseException:
            self._player.repair()
            raise
        finally:
            if isinstance(self._stop, threading.Event):
                self._stop.clear()  # a request is for one command, also where that ends by itself
            self._busy.release()

    def _should_stop(self) -> bool:
        return self._stop.is_set() if isinstance(self._stop, threading.Event) else self._stop()

    def _find(self, name: str, frame: int) -> Bound:
        return find_value(self._process.frames, self._index(frame), name)

    def _index(self, frame: int) -> int:
        count = len(self._process.frames)
        if not -count <= frame < count:
            raise DebuggerError(
                f"there is no frame {frame}; there are {count}" if count else "the program is done"
            )
        return frame % count

    def _nearest(self, line: int) -> int:
        """The line, of those with an operation, on which a stop that is asked for on a line takes place."""
        module = self.module
        lines = self._lines.get(id(module))
        if lines is None:
            lines = self._lines[id(module)] = Lines(program_of(module))
        return lines.nearest(line)

    def _taken(self) -> Taken | None:
        """The step that the process took last."""
        step, track = self._process.steps - 1, self._player.track
        site = track.site(step) if step >= 0 else None
        if site is None:
            return None
        finding = Finding(self._player.finding(step))
        here = track.site(step + 1)
        return Taken(
            op=site.operation.name,
            line=site.position.line if site.position else None,
            span=span_of(site.code, site.index),
            bound=here.bound if here else (),
            finding=tuple(word for word, flag in FINDINGS.items() if word != "any" and finding & flag),
            origin=origin_of(site.operation.location),
        )
