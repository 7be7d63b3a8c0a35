"""Debugger of cells: Jupyter's debugger protocol over the debugger's session.

Requests arrive on the control channel, in a thread of their own. What concerns the session that is stopped is
put into a queue, which the thread that runs the cell works off; the rest is answered at once. A cell is
known by a path that has the hash of its text in it, as JupyterLab computes it too. Programs run in a session
only while a front end is attached and something could stop them.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, Final, cast

from ipykernel.compiler import murmur2_x86

from shlo.debugger.adapter import breakpoints, frames, moves
from shlo.debugger.adapter.conversation import Conversation, Message, capabilities_of
from shlo.debugger.adapter.debuggee import Client, Debuggee, ProgramText
from shlo.debugger.adapter.requests import REQUESTS, Request
from shlo.debugger.errors import DebuggerError
from shlo.debugger.inspect.listing import LineTable
from shlo.debugger.session import Session
from shlo.ir.operations import Module
from shlo.ir.source import JoinedSource, Source, Span
from shlo.syntax.split import part_spans
from shlo.text.escape import escaped
from shlo_kernel.cells.parse import CellPiece, outermost_block
from shlo_kernel.cells.session import CellSession, blanked, execute_grid, execute_program, given_types
from shlo_kernel.mime.bundle import mime_of, text_of

if TYPE_CHECKING:
    from shlo.interpreter import RunOptions
    from shlo.interpreter.options import RunKeywords
    from shlo.interpreter.semantics import Semantics
    from shlo.runner.arguments.grid import GridCall

HASH_SEED: Final = 0xC70F6907
PREFIX: Final = os.path.join(tempfile.gettempdir(), f"shlo_{os.getpid()}", "")
SUFFIX: Final = ".mlir"
_PROGRAM: Final = f"{PREFIX}cells{SUFFIX}"
"""The path of a program whose functions several cells defined; no front end sees it."""
SELECTED: Final = 1
"""The thread that front ends ask for: the process that stopped, or was selected last."""
_EMPTY: Final[dict[str, dict[str, Any]]] = {
    "stackTrace": {"stackFrames": [], "totalFrames": 0},
    "scopes": {"scopes": []},
    "variables": {"variables": []},
}
"""What there is to list where nothing is stopped."""
_HIDDEN: Final = ("exited", "terminated")
"""Events about the end of a program: the cell goes on behind it."""


def path_of(text: str) -> str:
    """Returns the path by which front ends know a cell."""
    return f"{PREFIX}{murmur2_x86(text, HASH_SEED)}{SUFFIX}"


class CellDebugger:
    """What one kernel answers. `split` takes a cell apart; `publish` sends an event to front ends, from any
    thread."""

    def __init__(
        self,
        cells: CellSession,
        split: Callable[[str], Iterable[CellPiece]],
        publish: Callable[[Message], None],
    ) -> None:
        self._cells = cells
        self._split = split
        self._publish = publish
        self._client = Client()
        self._is_attached = False
        self._breakpoints: dict[str, list[Any]] = {}
        self._filters: dict[str, Any] = {"filters": []}
        self._texts: dict[str, str] = {}
        self._entries: SimpleQueue[tuple[int, Message] | Callable[[], None]] = SimpleQueue()
        self._waiting: dict[int, Future[Message]] = {}
        self._number = 0
        self._running: Debuggee | None = None
        self._is_stopped = False

    # --- the thread of the control channel ---

    async def handle(self, message: Message) -> Message:
        """Returns the answer to a request. A refusal to list something has an empty list, too: JupyterLab
        reads it without asking whether there is one."""
        name = str(message.get("command"))
        arguments: dict[str, Any] = message.get("arguments") or {}
        answer = self._at_once.get(name)
        try:
            if answer is not None:
                return self._reply(message, answer(self, arguments))
            if self._running is None or not self._is_stopped:
                raise DebuggerError("no cell is stopped")
            reply = await self._ask(message)
            return reply if reply["success"] else {**reply, "body": {**_EMPTY.get(name, {}), **reply["body"]}}
        except (DebuggerError, KeyError, TypeError, ValueError) as error:
            text = str(error) if isinstance(error, DebuggerError) else f"{name} is not as expected: {error!r}"
            body = {**_EMPTY.get(name, {}), "error": {"id": 1, "format": text}}
            return {**self._reply(message, body), "success": False, "message": text}

    async def _ask(self, message: Message) -> Message:
        """Returns what the thread that runs the cell answers."""
        self._number += 1
        future = self._waiting[self._number] = Future()
        self._entries.put((self._number, {**message, "seq": self._number}))
        answer = await asyncio.wrap_future(future)
        return {**answer, "request_seq": message.get("seq", 0)}

    def _reply(self, message: Message, body: Any) -> Message:
        self._number += 1
        return {
            "type": "response",
            "seq": self._number,
            "request_seq": message.get("seq", 0),
            "command": message.get("command"),
            "success": True,
            "body": body or {},
        }

    def _information(self, arguments: Any) -> Any:
        return {
            "isStarted": self._is_attached,
            "hashMethod": "Murmur2",
            "hashSeed": HASH_SEED,
            "tmpFilePrefix": PREFIX,
            "tmpFileSuffix": SUFFIX,
            "breakpoints": [
                {"source": path, "breakpoints": points} for path, points in self._breakpoints.items()
            ],
            "stoppedThreads": [1] if self._is_stopped else [],
            "richRendering": True,
            "exceptionPaths": ["Python Exceptions"],
            "copyToGlobals": False,
        }

    def _initialize(self, arguments: Any) -> Any:
        self._client = Client.of(arguments)
        return capabilities_of(REQUESTS)

    def _attach(self, arguments: Any) -> None:
        self._is_attached = True
        self._publish({"type": "event", "event": "initialized", "body": {}})

    def _disconnect(self, arguments: Any) -> None:
        """Lets a cell that is stopped run to its end."""
        self._is_attached = False
        self._breakpoints.clear()
        self._filters = {"filters": []}
        running = self._running
        if running is not None:
            running.stop_before = running.number + 1
            self._entries.put(lambda: self._let_go(running))

    def _dump_cell(self, arguments: Any) -> Any:
        path = path_of(arguments["code"])
        self._texts[path] = arguments["code"]
        return {"sourcePath": path}

    def _set_breakpoints(self, arguments: Any) -> Any:
        path, points = arguments["source"]["path"], list(arguments.get("breakpoints") or [])
        table = self._lines_of(self._texts.get(path, ""))
        answers = [self._placed(table, point["line"]) for point in points]
        self._breakpoints[path] = [
            {**point, "line": answer["line"]} for point, answer in zip(points, answers) if answer["verified"]
        ]
        self._update()
        return {"breakpoints": [{**answer, "source": {"path": path}} for answer in answers]}

    def _placed(self, table: LineTable | None, asked: int) -> Any:
        """Returns the answer for a breakpoint on a line of a cell: there, at the nearest operation of its
        function, or nowhere. In a cell that cannot be read it waits for one that can."""
        try:
            line = table.nearest(self._client.line_of(asked)) if table else self._client.line_of(asked)
        except DebuggerError as error:
            return {**breakpoints.refusal(error), "line": asked}
        return breakpoints.on_line(self._client.line(line), asked)

    def _lines_of(self, text: str) -> LineTable | None:
        """Returns the lines of a cell with an operation, None for a cell that has errors."""
        types = given_types(self._cells.values)
        programs = (blanked(text, piece) for piece in self._split(text) if isinstance(piece, Span))
        blocks = [
            outermost_block(blanked(program, span), types)
            for program in programs
            for span in part_spans(program)
        ]
        readable = [block for block in blocks if block is not None]
        return LineTable.of_text(readable, Source(text, "<cell>")) if len(readable) == len(blocks) else None

    def _set_filters(self, arguments: Any) -> None:
        self._filters = arguments
        self._update()

    def _update(self) -> None:
        """Has the session that is stopped take over breakpoints."""
        running = self._running
        if running is not None:
            self._entries.put(lambda: self._place(running))

    def _pause(self, arguments: Any) -> None:
        running = self._running
        if running is None:
            raise DebuggerError("no cell is run by the debugger")
        running.stop_before = running.number + 1

    def _source(self, arguments: Any) -> Any:
        path = arguments.get("source", {}).get("path")
        if path not in self._texts:
            raise DebuggerError("expected the path of a cell")
        return {"content": self._texts[path], "mimeType": "text/x-mlir"}

    def _threads(self, arguments: Any) -> Any:
        """Returns thread 1, which is the process that stopped or was selected last: front ends of Jupyter ask
        for that alone. The processes of a grid follow it."""
        running, threads = self._running, [{"id": SELECTED, "name": "cell"}]
        grid = running.session.grid if running is not None and self._is_stopped else None
        if grid is not None:
            threads[0]["name"] = f"process {grid.processes[grid.selected].label}"
            threads += [
                {"id": process.number + SELECTED + 1, "name": f"process {process.label}: {process.status}"}
                for process in grid.processes
            ]
        return {"threads": threads}

    def _variables(self, arguments: Any) -> Any:
        """Returns the values of the session of cells."""
        return {
            "variables": [
                {
                    "name": escaped(f"%{name}"),
                    "evaluateName": f"%{name}",
                    "type": str(value.type),
                    "value": text_of(name, *value).partition("\n")[2],
                    "variablesReference": 0,
                }
                for name, value in self._cells.values.items()
            ]
        }

    def _rich_variable(self, arguments: Any) -> Any:
        """Returns how a notebook shows a value of the session of cells."""
        name = str(arguments["variableName"]).partition(" ")[0].removeprefix("%")
        values = self._cells.named(name)
        if not values:
            raise DebuggerError(f"there is no value %{escaped(name)}")
        return {"data": mime_of(*values[0]), "metadata": {}}

    _at_once: Final[dict[str, Callable[[CellDebugger, Any], Any]]] = {
        "debugInfo": _information,
        "initialize": _initialize,
        "attach": _attach,
        "configurationDone": lambda self, arguments: None,
        "disconnect": _disconnect,
        "terminate": _disconnect,
        "dumpCell": _dump_cell,
        "setBreakpoints": _set_breakpoints,
        "setExceptionBreakpoints": _set_filters,
        "pause": _pause,
        "source": _source,
        "modules": lambda self, arguments: {"modules": [], "totalModules": 0},
        "threads": _threads,
        "inspectVariables": _variables,
        "richInspectVariables": _rich_variable,
    }

    # --- the thread that runs cells ---

    def execute(self, module: Module, arguments: Sequence[Any], options: RunOptions) -> tuple[Any, ...]:
        """Runs a function, in a session where something could stop it; returns its results. Raises
        ExecutionError."""
        if not self._can_stop(module):
            return execute_program(module, arguments, options)
        keywords: RunKeywords = {"entry": options.entry, "semantics": options.semantics}
        return self._debug([module], list(arguments), keywords)[0]

    def execute_grid(self, call: GridCall, semantics: Semantics) -> list[tuple[Any, ...]]:
        """Runs the processes of a grid, in a session where something could stop them and all have one
        program; returns the results of each. Raises GridError, ExecutionError."""
        if len(set(map(id, call.modules))) > 1 or not self._can_stop(call.modules[0]):
            return execute_grid(call, semantics)
        keywords = cast("RunKeywords", call.keywords())
        return self._debug(call.modules, call.inputs, {**keywords, "semantics": semantics})

    def _can_stop(self, module: Module) -> bool:
        """Returns whether a front end is there, with a breakpoint in a program or filters of errors."""
        return self._is_attached and bool(self._filters.get("filters") or any(self._wanted(module)))

    def _debug(
        self, modules: Sequence[Module], inputs: Sequence[Any], keywords: RunKeywords
    ) -> list[tuple[Any, ...]]:
        """Runs in a session, and answers requests while that is stopped; returns the results of each
        process."""
        first = _FirstOps()
        requests = {"stackTrace": Request(_stack_trace), "continue": Request(first.resume)}
        conversation = Conversation(self._send, requests)
        debuggee = conversation.debuggee
        debuggee.client, debuggee.ends_at_end, debuggee.number = self._client, True, self._number
        session = Session(modules, inputs=inputs, stop=debuggee.should_stop, **keywords)
        source = modules[0].source
        text, is_of_cell = source.text if source else "", not isinstance(source, JoinedSource)
        path = path_of(text) if source and is_of_cell else _PROGRAM
        debuggee.open(session, [ProgramText(path, text, True)])
        self._running = debuggee
        try:
            self._place(debuggee)
            first.find(session)
            if first.select_next(session):
                debuggee.tell(session.snapshot)
            else:
                debuggee.move("run", lambda session: Session.resume)
            while not debuggee.has_ended:
                entered = self._entries.get()
                if callable(entered):
                    entered()
                    continue
                debuggee.number, message = entered
                if message.get("command") in _MOVES:
                    self._continue()
                conversation.answer(_of_process(message, session.cursor.selected))
        finally:
            self._running = None
            self._continue()
            self._refuse_rest()
        return session.cursor.grid.results

    def _send(self, message: Message) -> None:
        if message["type"] == "response":
            future = self._waiting.pop(message["request_seq"], None)
            if future is not None:
                future.set_result({"seq": message["request_seq"], **message})
        elif message["event"] not in _HIDDEN:
            if message["event"] == "stopped":
                self._is_stopped = True
                message = {**message, "body": {**message["body"], "threadId": SELECTED}}
            self._publish(message)

    def _continue(self) -> None:
        """Tells front ends that the cell is not stopped any more."""
        if self._is_stopped:
            self._is_stopped = False
            self._publish({"type": "event", "event": "continued", "body": {"threadId": 1}})

    def _refuse_rest(self) -> None:
        """Answers what was asked too late."""
        while not self._entries.empty():
            self._entries.get()
        for number in list(self._waiting):
            refusal: Message = {"type": "response", "request_seq": number, "success": False, "body": {}}
            self._send({**refusal, "message": "the cell has ended"})

    def _let_go(self, debuggee: Debuggee) -> None:
        session = debuggee.session
        for point in session.breakpoints:
            session.breakpoints.remove(point.number)
        self._continue()
        debuggee.number = debuggee.stop_before
        debuggee.move("run", lambda session: Session.resume)

    def _place(self, debuggee: Debuggee) -> None:
        """Sets the breakpoints of the cells that a program is of."""
        points = list(self._wanted(debuggee.session.module))
        path = debuggee.program.path
        breakpoints.set_breakpoints(debuggee, {"source": {"path": path}, "breakpoints": points})
        breakpoints.set_exception_breakpoints(debuggee, {"filters": list(self._filters.get("filters") or [])})

    def _wanted(self, module: Module) -> Iterator[Any]:
        """Yields the breakpoints in the cells of a program, at its own lines."""
        for source, start in _parts(module):
            for point in self._breakpoints.get(path_of(source.text), ()):
                line = self._client.line_of(point["line"])
                if 0 < line <= len(source.line_starts):
                    assert module.source is not None
                    program_line = module.source.line_of(start + source.line_starts[line - 1])
                    yield {**point, "line": self._client.line(program_line)}


_MOVES: Final = {"continue", "next", "stepIn", "stepOut", "stepBack", "reverseContinue", "restart", "goto"}


def _of_process(message: Message, selected: int) -> Message:
    """Returns a request with the number of a process, from 1, in place of a front end's thread."""
    arguments: dict[str, Any] = message.get("arguments") or {}
    thread = arguments.get("threadId")
    if not isinstance(thread, int):
        return message
    process = selected + 1 if thread == SELECTED else thread - SELECTED
    return {**message, "arguments": {**arguments, "threadId": process}}


class _FirstOps:
    """The processes whose first operation has a breakpoint. All are there before the first step, so going on
    would pass it: each is reported in its turn."""

    def __init__(self) -> None:
        self._pending: list[int] = []

    def find(self, session: Session) -> None:
        """Finds them, at the start of a session."""
        count = 1 if session.grid is None else len(session.grid.processes)
        stopped = (number for number in range(count) if session.select_process(number).breakpoints)
        self._pending = list(stopped)
        session.select_process(0)

    def select_next(self, session: Session) -> bool:
        """Selects the next process that is still at its first operation; returns whether there is one."""
        while self._pending:
            number = self._pending.pop(0)
            if session.grid is None or session.grid.processes[number].steps == 0:
                session.select_process(number)
                return True
        return False

    def resume(self, debuggee: Debuggee, arguments: Any) -> Any:
        """Tells the next of these processes, or goes on."""
        if not self.select_next(debuggee.session):
            return moves.resume(debuggee, arguments)
        debuggee.then = lambda: debuggee.tell(debuggee.session.snapshot)
        return {"allThreadsContinued": True}


def _parts(module: Module) -> Iterator[tuple[Source, int]]:
    """Yields the cells that a program is of, and where they start in its text."""
    source = module.source
    if isinstance(source, JoinedSource):
        yield from zip(source.parts, source.part_starts)
    elif source is not None:
        yield source, 0


def _stack_trace(debuggee: Debuggee, arguments: Any) -> Any:
    """Returns the frames, each with the cell that it is in and the line of that."""
    body: Any = frames.stack_trace(debuggee, arguments)
    session = debuggee.session
    if session.grid is not None:
        label = session.grid.processes[session.grid.selected].label
        for frame in body["stackFrames"]:
            frame["name"] = f"{label} {frame['name']}"
    source = session.module.source
    if not isinstance(source, JoinedSource):
        return body
    for frame in body["stackFrames"]:
        if frame.get("source", {}).get("path") == debuggee.program.path:
            start = source.line_starts[debuggee.client.line_of(frame["line"]) - 1]
            part, inner = source.part_at(start)
            frame["source"] = {"name": part.name, "path": path_of(part.text)}
            frame["line"] = debuggee.client.line(part.line_of(inner))
    return body
