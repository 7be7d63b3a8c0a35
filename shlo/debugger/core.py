"""What a Session stands on: a process, its timeline, and how a command is carried out on them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final

from shlo.debugger.breakpoints import FINDINGS, Breakpoints
from shlo.debugger.errors import DebuggerError
from shlo.debugger.frames import Bound, find_value, frame_views, span_of
from shlo.debugger.lines import Lines
from shlo.debugger.movement import Arrived, Movement
from shlo.debugger.origins import origin_of
from shlo.debugger.ownership import own
from shlo.debugger.past import Listener
from shlo.debugger.playback import Playback
from shlo.debugger.snapshots import Reason, Snapshot, Taken
from shlo.debugger.summaries import Summaries
from shlo.debugger.timeline import Timeline
from shlo.debugger.watch import Finding
from shlo.interpreter.custom_calls import Handler
from shlo.interpreter.process import Process
from shlo.ir.operations import Module

DEFAULT_MEMORY: Final = 1 << 30
"""How many bytes of passed values a Session keeps unless told otherwise."""

Stop = threading.Event | Callable[[], bool]


class Core:
    """The state of a Session, and where it is."""

    def __init__(
        self,
        programs: Module,
        inputs: Sequence[Any] = (),
        *,
        entry: str = "main",
        replicas: int = 1,
        partitions: int = 1,
        seed: int = 0,
        max_steps: int | None = None,
        handlers: Mapping[str, Handler] | None = None,
        probe_folder: str | None = None,
        memory: int = DEFAULT_MEMORY,
        stop: Stop | None = None,
    ) -> None:
        """Starts the function `entry` of a module on `inputs`, which are those of `run`, as are `seed`,
        `max_steps`, `handlers` and `probe_folder`. There is one process: `replicas` and `partitions` must be
        1. `memory` is how many bytes the recording may take; `stop` is an event or a function that ends a
        running command. Raises ExecutionError where the function cannot be started on the inputs.
        """
        if replicas != 1 or partitions != 1:
            raise DebuggerError("a session has one process; grids cannot be debugged")
        self.module = programs
        self.entry = entry
        self.seed = seed
        self.max_steps = max_steps
        self._process = Process(
            programs,
            *(own(value) for value in inputs),
            entry=entry,
            seed=seed,
            max_steps=max_steps,
            handlers=handlers,
            probe_folder=probe_folder,
            keep_values=True,
        )
        self._timeline = Timeline(self._process, memory)
        self._playback = Playback(self._process, self._timeline)
        self._breakpoints = Breakpoints(self._timeline.sites)
        self._stop: Stop = threading.Event() if stop is None else stop
        self._movement = Movement(self._playback, self._breakpoints, self._should_stop)
        self._lines: Lines | None = None
        self._summaries = Summaries()
        self._busy = threading.Lock()
        self._reason: Reason = "start"
        self._selected: int | None = None
        self._listener: Listener | None = None
        self.displayed: list[str] = []
        """Names of values that somebody wants to see wherever the session stops; for front ends to keep."""

    @property
    def snapshot(self) -> Snapshot:
        """Where the session is."""
        process = self._process
        return Snapshot(
            position=process.steps,
            last=self._timeline.last,
            status=process.status,
            reason=self._reason,
            frames=frame_views(process.frames),
            taken=self._taken(),
            breakpoints=self._movement.met(process.steps),
            error=str(process.error) if process.error else None,
        )

    def _go(self, move: Callable[[], Arrived]) -> Snapshot:
        """Carries a move out; gives where it led."""
        with self._command():
            self._playback.watches = self._breakpoints.watches
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
            self._playback.repair()
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

    def _taken(self) -> Taken | None:
        step = self._process.steps - 1
        site = self._timeline.site(step) if step >= 0 else None
        if site is None:
            return None
        finding = Finding(self._timeline.findings[step])
        here = self._timeline.site(step + 1)
        return Taken(
            op=site.operation.name,
            line=site.position.line if site.position else None,
            span=span_of(site.code, site.index),
            bound=here.bound if here else (),
            finding=tuple(word for word, flag in FINDINGS.items() if word != "any" and finding & flag),
            origin=origin_of(site.operation.location),
        )
