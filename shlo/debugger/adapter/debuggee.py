"""What is debugged: the session, what the client was told of it, and the events about it."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Literal

from msgspec import Struct, field

from shlo.debugger.adapter.handles import Handles
from shlo.debugger.adapter.kept import KeptTensors
from shlo.debugger.adapter.protocol import (
    InitializeRequestArguments,
    OutputEventBody,
    Source,
    StoppedEventBody,
    Variable,
)
from shlo.debugger.commands.table import run_command
from shlo.debugger.control.breakpoints import Breakpoint
from shlo.debugger.errors import DebuggerError
from shlo.debugger.futures.marks import Marks
from shlo.debugger.inspect.snapshots import Reason, Snapshot
from shlo.debugger.session import Session
from shlo.debugger.text.format import messages_text
from shlo.debugger.text.format_output import output_entry_text
from shlo.interpreter.spmd.wait_for_graph import GridError
from shlo.support.files import open_input
from shlo.text.escape import escaped

STOP_REASONS: Final[dict[Reason, str]] = {
    "start": "entry",
    "step": "step",
    "breakpoint": "breakpoint",
    "line": "goto",
    "position": "goto",
    "stopped": "pause",
    "failed": "exception",
}
"""What the protocol calls the reasons for which a command ends; others are called `pause`."""

WORDS: Final[dict[Reason, str]] = {
    "done": "The program has ended; it can be stepped back. Continue ends the session.",
    "beginning": "The program's beginning.",
    "missed": "Not on the way.",
}

BREAKPOINT_REASONS: Final = {"nonfinite": "exception", "change": "data breakpoint"}
"""What the protocol calls stops at breakpoints of a kind; others are called `breakpoint`."""

INSTRUCTIONS: Final = "instructions"
"""The kind of breakpoints on operations."""

PATIENCE_S: Final = 0.5
"""After how long a move reports its progress, and how often then."""

END: Final = -1
"""The index of the frame that a process which is done shows."""

EventName = Literal[
    "breakpoint",
    "continued",
    "exited",
    "initialized",
    "invalidated",
    "output",
    "process",
    "progressEnd",
    "progressStart",
    "progressUpdate",
    "stopped",
    "terminated",
]
"""The events that clients are told of."""

Event = Callable[[EventName, Mapping[str, Any]], None]


class ProgramText(Struct, frozen=True):
    """The text of a program, and the path by which the client knows it. `is_file` says whether the file of
    that path holds the text; where it does not, the client asks for it.
    """

    path: str
    text: str
    is_file: bool


class Children(Struct, frozen=True):
    """Variables that are listed when a client asks for them: some of them, from `start`, `count` or all (0);
    the `indexed` ones, the `named` ones, or both. `target` says what an assignment to one of a name is one
    to, `read` reads the tensor whose parts they are.
    """

    listed: Callable[[int, int, str], list[Variable]]
    target: Callable[[str], str] | None = None
    frame: int = -1
    process: int = 0
    read: Callable[[], Any] | None = None


class Client(Struct):
    """How a client counts, and what it can do."""

    lines_from: int = 1
    columns_from: int = 1
    has_progress: bool = False
    has_invalidated: bool = False

    @classmethod
    def of(cls, arguments: InitializeRequestArguments) -> Client:
        """Returns what a client says of itself."""
        return cls(
            1 if arguments.get("linesStartAt1", True) else 0,
            1 if arguments.get("columnsStartAt1", True) else 0,
            arguments.get("supportsProgressReporting", False),
            arguments.get("supportsInvalidatedEvent", False),
        )

    def line(self, line: int) -> int:
        """Returns a line (from 1) as the client counts them."""
        return line - 1 + self.lines_from

    def line_of(self, number: int) -> int:
        """Returns the line, from 1, of a number of the client's."""
        return number + 1 - self.lines_from

    def column(self, text: str, column: int) -> int:
        """Returns a column of a line's text (code points, from 1) in the client's UTF-16 code units."""
        before = text[: column - 1]
        return len(before.encode("utf-16-le", "surrogatepass")) // 2 + self.columns_from

    def column_of(self, text: str, number: int) -> int:
        """Returns the column of a line's text (code points, from 1) of a number of the client's."""
        units = text.encode("utf-16-le", "surrogatepass")[: 2 * max(number - self.columns_from, 0)]
        return len(units.decode("utf-16-le", "replace")) + 1


class _Move(Struct):
    """A move that is carried out: what it is called, the number of the request for it, and when its progress
    is reported next.
    """

    title: str
    number: int
    due: float
    progress: str = ""


class Placed(Struct):
    """Breakpoints that one request set: their numbers for the client, and of the session's (None for one that
    could not be set); `request` sets them again.
    """

    request: Callable[[], Sequence[Mapping[str, Any]]]
    ids: list[int] = field(default_factory=list[int])
    points: list[int | None] = field(default_factory=list["int | None"])
    shared: set[int] = field(default_factory=set[int])
    """Those that were there already, set by another client or front end."""


class Debuggee:
    """A session as one client sees it, owned by the thread that calls the methods. `number` is that of the
    request that is carried out. Other threads say `stop_before` which one commands are to end, and
    `interrupt_before` which one a run makes way for others, and goes on then.
    """

    def __init__(self, event: Event) -> None:
        self.event = event
        self.client = Client()
        self.stops_on_entry = True
        self.ends_at_end = False
        self.children: Handles[Children] = Handles("variables")
        self.frames: Handles[tuple[int, int]] = Handles("a frame")
        """Process and index of each frame that the client was shown."""
        self.kept = KeptTensors()
        """What views of the client hold on to."""
        self.stops = Marks()
        """The positions at which the session stopped last."""
        self.placed: dict[str, Placed] = {}
        """Breakpoints of each source or kind; setting them again replaces them."""
        self.error_filters: frozenset[str] = frozenset({"failure", "deadlock"})
        """Which errors of the program stop it; others end the session."""
        self.number = self.stop_before = self.interrupt_before = 0
        self.interrupted: Callable[[], None] | None = None
        """Goes on with a move that was interrupted, once the requests for which it was are answered."""
        self.is_cancelled = False
        self.then: Callable[[], None] | None = None
        """What is to be done when the request is answered."""
        self.has_ended = False
        self._session: Session | None = None
        self._programs: Sequence[ProgramText] = ()
        self._printed = self._said = self._breakpoints = self._moves = 0
        self._shows_results = True
        self._move: _Move | None = None

    # --- beginning and end ---

    def open(self, session: Session, programs: Sequence[ProgramText]) -> None:
        """Debugs a session, whose `stop` is `should_stop`, with the program of each of its processes."""
        self._session, self._programs = session, programs
        self._printed = self._said = 0
        self._shows_results = True
        self.children.clear()
        self.frames.clear()
        self.kept.clear()
        self.stops.clear()

    @property
    def is_open(self) -> bool:
        """Whether there is a session."""
        return self._session is not None

    @property
    def session(self) -> Session:
        """The session; raises DebuggerError before there is one."""
        if self._session is None:
            raise DebuggerError("no program was launched")
        return self._session

    @property
    def programs(self) -> Sequence[ProgramText]:
        """The texts of the programs, each once."""
        return tuple(dict.fromkeys(self._programs))

    @property
    def program(self) -> ProgramText:
        """The program of the selected process."""
        return self._programs[self.session.cursor.selected % len(self._programs)]

    def process_of(self, program: ProgramText) -> int:
        """Returns the first process that executes a program."""
        return self._programs.index(program)

    def begin(self) -> None:
        """Goes on once the client has set its breakpoints: stops at the entry, or runs."""
        if self.stops_on_entry:
            self.tell(self.session.snapshot)
        else:
            self.move("run", lambda session: Session.resume)

    def finish(self) -> None:
        """Tells the client, once, that the session is over, with an exit code: 1 where the program failed."""
        if not self.has_ended:
            self.has_ended = True
            failed = self._session is not None and self._session.cursor.error is not None
            self.event("exited", {"exitCode": int(failed)})
            self.event("terminated", {})

    # --- moves ---

    def should_stop(self) -> bool:
        """Returns whether a command is to end; tells the client now and then how far it is."""
        if self._move is not None and time.monotonic() >= self._move.due:
            self._tell_progress(self._move)
        return self._is_ended() or self._is_interrupted()

    def _is_ended(self) -> bool:
        number = self.number if self._move is None else self._move.number
        return number < self.stop_before or self.is_cancelled

    def reports(self, progress: str) -> bool:
        """Returns whether the move that runs is the one of which a progress was reported; by any thread."""
        move = self._move
        return move is not None and move.progress == progress != ""

    def _is_interrupted(self) -> bool:
        return self._move is not None and self.number < self.interrupt_before

    def _tell_progress(self, move: _Move) -> None:
        move.due = time.monotonic() + PATIENCE_S
        text = f"step {self.session.position:,}"
        if move.progress:
            self.event("progressUpdate", {"progressId": move.progress, "message": text})
            return
        self._moves += 1
        move.progress = f"move {self._moves}"
        body = {"progressId": move.progress, "title": move.title, "cancellable": True, "message": text}
        self.event("progressStart", body)

    def move(
        self,
        title: str,
        begin: Callable[[Session], Callable[[Session], Snapshot]],
        process: int | None = None,
    ) -> None:
        """Makes the move that `begin` returns, of a process if it is one's alone, and tells where it led. At
        the end of the program, going on ends the session.
        """
        while self.interrupted is not None:  # its client waits for the end of a move before this one
            self.interrupt_before = 0
            self.interrupted()
        if process is not None:
            self.select(process)
        self._go_on(title, begin(self.session), self.is_over, self.number)

    def _go_on(self, title: str, move: Callable[[Session], Snapshot], was_over: bool, number: int) -> None:
        """Makes a move, or goes on with one that other requests have interrupted."""
        session = self.session
        self.interrupted = None
        selected, position = session.cursor.selected, session.position
        due = time.monotonic() + PATIENCE_S if self.client.has_progress else float("inf")
        self._move = _Move(title, number, due)
        try:
            snapshot = move(session)
            is_stopped = snapshot.reason == "stopped"
            is_interrupted = is_stopped and self._is_interrupted() and not self._is_ended()
        except DebuggerError as error:
            self.print(str(error))
            snapshot, is_interrupted = session.snapshot, False
        finally:
            if self._move.progress:
                self.event("progressEnd", {"progressId": self._move.progress})
            self._move = None
        if is_interrupted:

            def go_on() -> None:
                self.select(selected)
                self._go_on(title, move, False, number)

            self.interrupted = go_on
        elif was_over and session.position == position and title in ("continue", "run"):
            self.finish()
        else:
            self.tell(snapshot)

    @property
    def is_over(self) -> bool:
        """Whether the program cannot go on."""
        return self.session.cursor.is_over or self.session.cursor.error is not None

    def error_kind(self) -> str:
        """Returns what kind of error the program ended in: `failure`, `deadlock`, nothing."""
        error = self.session.cursor.error
        if error is None:
            return ""
        return "deadlock" if isinstance(error, GridError) and error.graph.waiting else "failure"

    def tell(self, snapshot: Snapshot) -> None:
        """Tells the client where the session is."""
        self.children.clear()
        self.frames.clear()
        self.kept.move()
        self.stops.add(self.session.futures, snapshot.position)
        self._tell_output()
        kind = self.error_kind() if snapshot.error else ""
        if kind and kind not in self.error_filters and snapshot.reason == "failed":
            self.print(f"error: {snapshot.error}", "stderr")
            self.finish()
            return
        if self.ends_at_end and self.is_over:
            if snapshot.error:
                self.print(f"error: {snapshot.error}", "stderr")
            self.finish()
            return
        self.event("stopped", self._stopped(snapshot))

    def _stopped(self, snapshot: Snapshot) -> StoppedEventBody:
        reason = "exception" if snapshot.error else STOP_REASONS.get(snapshot.reason, "pause")
        body: StoppedEventBody = {
            "reason": reason,
            "threadId": self.session.cursor.selected + 1,
            "allThreadsStopped": True,
        }
        if snapshot.reason in WORDS:
            body["description"] = WORDS[snapshot.reason]
        if snapshot.error:
            body["text"] = escaped(snapshot.error)
        met = [point for point in self.session.breakpoints if point.number in snapshot.breakpoints]
        if met and not snapshot.error:
            self._add_breakpoints(body, snapshot, met)
        return body

    def _add_breakpoints(self, body: StoppedEventBody, snapshot: Snapshot, met: list[Breakpoint]) -> None:
        ids = {
            point: number
            for placed in self.placed.values()
            for number, point in zip(placed.ids, placed.points)
            if point is not None
        }
        if hit := [ids[point.number] for point in met if point.number in ids]:
            body["hitBreakpointIds"] = hit
        kinds = {BREAKPOINT_REASONS.get(point.kind, "breakpoint") for point in met}
        if snapshot.reason == "breakpoint":
            body["reason"] = "breakpoint" if "breakpoint" in kinds else min(kinds)
            on_operations = self.placed.get(INSTRUCTIONS)
            if on_operations is not None and {point.number for point in met} <= set(on_operations.points):
                body["reason"] = "instruction breakpoint"
        step = snapshot.last_step
        if step is not None and "exception" in kinds:
            titles = {"nan": "NaN", "finding": "a finding"}
            names = " and ".join(titles.get(finding, finding) for finding in step.finding)
            body["description"] = f"{names} made"
            detail = f": {step.details[0]}" if step.details else f" made {names}"
            body["text"] = escaped(step.op + detail)

    def command(self, line: str) -> str:
        """Returns what a command of the debugger's language answers; where it moves, tells where to."""
        before = self.session.position, self.session.cursor.selected
        self.note_output()
        reply = run_command(self.session, line)
        self.note_output()
        if (self.session.position, self.session.cursor.selected) != before:
            self.tell(reply.snapshot)
        else:
            self.invalidate()
        return escaped(reply.text)

    def answer(self, line: str) -> str:
        """Returns what a command that does not move answers."""
        return escaped(run_command(self.session, line).text)

    def invalidate(self) -> None:
        """Tells the client to ask again for what it shows."""
        self.kept.move()
        if self.client.has_invalidated:
            self.event("invalidated", {"areas": ["all"]})

    def select(self, process: int) -> None:
        """Selects a process, from 0; raises DebuggerError where there is none, or no session."""
        if process != self.session.cursor.selected:
            self.session.select_process(process)

    def at(self, frame: int | None) -> int:
        """Selects the process and frame of a frame's number; returns the frame's index. Without a number,
        they are those that are selected.
        """
        if frame is not None:
            process, index = self.frames[frame]
            self.select(process)
            if index not in (END, self.session.selected_frame):
                self.session.select_frame(index)
        return self.session.selected_frame

    def tell_failure(self, text: str) -> None:
        """Tells what went wrong behind an answer, and that nothing runs any more."""
        self.print(text, "important")
        body = {"reason": "pause", "description": "failed", "text": escaped(text), "allThreadsStopped": True}
        self.event("stopped", body | {"threadId": 1})

    # --- output ---

    def print(self, text: str, category: str = "console") -> None:
        """Shows a line in the console."""
        self.event("output", {"category": category, "output": f"{escaped(text)}\n"})

    def _tell_output(self) -> None:
        """Shows what the program printed and log points said since the last time, and its results."""
        session = self.session
        for entry in session.output.since(self._printed):
            text = escaped(output_entry_text(session, entry))
            position = entry.point.position
            self._tell_line("stdout", text, None if position is None else position.line)
        points = {point.number: point for point in session.breakpoints}
        new_messages = session.breakpoints.messages.since(self._said)
        texts = messages_text(session, self._said)
        places = [None] * (len(texts) - len(new_messages)) + [
            points.get(message.breakpoint) for message in new_messages
        ]
        for text, point in zip(texts, places):
            line = point.where if point is not None and isinstance(point.where, int) else None
            self._tell_line("console", escaped(text), line)
        self.note_output()
        if self._shows_results and session.snapshot.status == "done":
            self._shows_results = False
            self.print(run_command(session, "info results").text, "stdout")

    def _tell_line(self, category: str, text: str, line: int | None) -> None:
        body: OutputEventBody = {"category": category, "output": f"{text}\n"}
        if line is not None:
            body["source"] = source_of(self, self.program)
            body["line"] = self.client.line(line)
        self.event("output", body)

    def note_output(self) -> None:
        """Takes what was printed up to here as shown."""
        self._printed, self._said = self.session.output.total, self.session.breakpoints.messages.count

    # --- breakpoints ---

    def new_breakpoint(self) -> int:
        """Returns a number by which the client knows a breakpoint."""
        self._breakpoints += 1
        return self._breakpoints

    def place_again(self) -> None:
        """Sets all breakpoints again, in another session, and tells the client what became of them."""
        for placed in self.placed.values():
            placed.points = [None] * len(placed.ids)
        for placed in list(self.placed.values()):
            for answer in placed.request():
                self.event("breakpoint", {"reason": "changed", "breakpoint": answer})


def program_text(path: str, text: str) -> ProgramText:
    """Returns the text of a program, which the file of a path may hold."""
    try:
        with open_input(path) as file:
            return ProgramText(path, text, file.read() == text.encode("utf-8", "surrogateescape"))
    except (OSError, ValueError):
        return ProgramText(path, text, False)


def source_of(debuggee: Debuggee, program: ProgramText) -> Source:
    """Returns what the client opens: the program's file, or a text that it asks for."""
    name = os.path.basename(program.path) or program.path
    if program.is_file:
        return {"name": name, "path": absolute(program.path)}
    text = name if name.endswith(".mlir") else f"{name}.mlir"  # by which editors know what to colour
    return {"name": text, "sourceReference": debuggee.programs.index(program) + 1}


def is_program(debuggee: Debuggee, source: Source) -> bool:
    """Returns whether a source of the client's is one of the programs."""
    number, path = source.get("sourceReference", 0), source.get("path", "")
    if number:
        return 0 < number <= len(debuggee.programs)
    return any(absolute(path) == absolute(program.path) for program in debuggee.programs)


def absolute(path: str) -> str:
    """Returns a path that an editor can open."""
    return os.path.abspath(path)
