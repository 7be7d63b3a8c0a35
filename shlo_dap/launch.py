"""Requests with which a session begins and ends: launch, restart, disconnect, terminate."""

import os
from argparse import Namespace
from collections.abc import Mapping
from typing import Any, Required, TypedDict, cast

from shlo.command_line.debugging import open_for_debugging
from shlo.command_line.options import OptionParser, add_call, add_debugging, add_grid
from shlo.command_line.scripts import scripts_lowered
from shlo.debugger.adapter.clients.connection import READ
from shlo.debugger.adapter.clients.shared import AttachArguments
from shlo.debugger.adapter.debuggee import Debuggee, program_text
from shlo.debugger.adapter.frames import loaded_sources
from shlo.debugger.adapter.protocol import Empty
from shlo.debugger.adapter.requests import Request
from shlo.debugger.launch import Launch
from shlo.jax_programs.kinds import script_of
from shlo.runner.errors import RequestError


class LaunchArguments(TypedDict, total=False):
    """What a client launches: a file, and options of `shlo debug` as words (`args`) or by their names."""

    program: Required[str]
    args: list[str]
    stopOnEntry: bool
    noDebug: bool
    entry: str
    grid: str
    split: list[str]
    infeed: str
    random: int
    zeros: bool
    seed: int
    maxSteps: int
    platform: str
    semantics: str
    shadow: str
    stubs: list[str]
    record: str
    recordValues: str
    sourceRoots: list[str]


OPTIONS: Mapping[str, str] = {
    "entry": "--entry",
    "grid": "--grid",
    "split": "--split",
    "infeed": "--infeed",
    "random": "--random",
    "zeros": "--zeros",
    "seed": "--seed",
    "maxSteps": "--max-steps",
    "platform": "--platform",
    "semantics": "--semantics",
    "shadow": "--shadow",
    "stubs": "--stub",
    "record": "--record",
    "recordValues": "--record-values",
    "sourceRoots": "--source-root",
}
"""The option of `shlo debug` that an attribute of a launch is."""


_Stamps = Mapping[str, tuple[int, int]]
"""Time of change and size of files."""


class Launcher:
    """The program that a client launched, and the recording that is made of it."""

    def __init__(self) -> None:
        self._launch: Launch | None = None
        self._options: Namespace | None = None
        self._script: _Stamps = {}
        """The files of a script whose function is debugged, as they were when it was lowered."""
        self.is_reading = False
        """Whether a program is read, which has no process and no file of its own, and is not interrupted."""

    @property
    def requests(self) -> Mapping[str, Request]:
        """What this adapter answers beside what every front end does."""
        return {
            "launch": Request(self._open, arguments=LaunchArguments),
            "attach": Request(_attach, arguments=AttachArguments),
            "restart": Request(self._restart, {"supportsRestartRequest": True}),
            "terminate": Request(_terminate, {"supportsTerminateRequest": True}),
            "disconnect": Request(_done, {"supportTerminateDebuggee": True}),
            **READ,
        }

    def close(self, debuggee: Debuggee) -> None:
        """Ends the recording, if there is one."""
        trouble = self._launch.close() if self._launch else None
        self._launch = None
        if trouble is not None:
            debuggee.print(f"the recording is not complete: {trouble}", "stderr")

    def _open(self, debuggee: Debuggee, arguments: LaunchArguments) -> None:
        """Opens a program or recording; raises RequestError and ParseError."""
        if debuggee.is_open:
            raise RequestError("the program was launched already")
        if arguments["program"] == "-":
            raise RequestError("expected a file as the program, got standard input, which is the client's")
        parser = _LaunchArgumentParser("", add_help=False)
        add_call(parser)
        add_grid(parser)
        add_debugging(parser)
        options = parser.options_of(_words(arguments))
        debuggee.ends_at_end = arguments.get("noDebug", False)
        debuggee.stops_on_entry = arguments.get("stopOnEntry", True) and not debuggee.ends_at_end
        self._start(debuggee, options)
        self._options = options
        debuggee.event(
            "process", {"name": arguments["program"], "isLocalProcess": True, "startMethod": "launch"}
        )
        debuggee.then = lambda: debuggee.event("initialized", {})

    def _start(self, debuggee: Debuggee, options: Namespace) -> None:
        with scripts_lowered(options, debuggee.should_stop) as lowered:
            self.is_reading = script_of(options.file) is None
            try:
                launch = open_for_debugging(lowered)
            finally:
                self.is_reading = False
        session = launch.start(debuggee.should_stop)
        debuggee.open(
            session, [program_text(source.name or options.file, source.text) for source in launch.sources]
        )
        self._launch = launch
        self._script = _stamps(debuggee, options.file)
        for note in launch.notes:
            debuggee.print(note)

    def _restart(self, debuggee: Debuggee, _: object) -> None:
        """Goes to the beginning; where the program's file, or the script it is from, has changed, opens it
        again.
        """
        session, options = debuggee.session, self._options
        if options is not None and options.record is None and self._has_changed(debuggee):
            self._start(debuggee, options)
            debuggee.place_again()
        else:
            session.restart()
        debuggee.then = debuggee.begin

    def _has_changed(self, debuggee: Debuggee) -> bool:
        """Returns whether a file whose text is debugged, or that it was lowered from, is another one now."""
        if any(_stamp(path) != stamp for path, stamp in self._script.items()):
            return True
        return any(
            program.is_file and not program_text(program.path, program.text).is_file
            for program in debuggee.programs
        )


def _words(arguments: LaunchArguments) -> list[str]:
    """Returns the words of the command line of a launch."""
    words = [arguments["program"], *arguments.get("args", [])]
    for name, option in OPTIONS.items():
        value = cast("Mapping[str, Any]", arguments).get(name)
        if isinstance(value, bool):
            words += [option] if value else []
        elif isinstance(value, list):
            words += [f"{option}={item}" for item in cast("list[str]", value)]
        elif value is not None and value != "":
            words.append(f"{option}={value}")
    return words


def _stamps(debuggee: Debuggee, program: str) -> _Stamps:
    """Returns what shows that a script, or a Python file that its program names, has changed; nothing for a
    program that is no function of a script.
    """
    script = script_of(program)
    if script is None:
        return {}
    sources = loaded_sources(debuggee, {})["sources"]
    return {
        path: _stamp(path) for path in (script[0], *(source.get("path", "") for source in sources)) if path
    }


def _stamp(path: str) -> tuple[int, int]:
    try:
        status = os.stat(path)
    except OSError:
        return 0, 0
    return status.st_mtime_ns, status.st_size


def _attach(debuggee: Debuggee, _: AttachArguments) -> None:
    """Refuses to attach behind a launch; what attaches instead of one is passed on (see Relay)."""
    raise RequestError("the program was launched already")


def _terminate(debuggee: Debuggee, _: Empty) -> None:
    """Ends the session; the client disconnects then."""
    debuggee.then = debuggee.finish


def _done(debuggee: Debuggee, _: Empty) -> None:
    """Answers that it is done; the session ends with the connection."""


class _LaunchArgumentParser(OptionParser):
    """A parser of arguments that raises what is wrong with them."""

    def error(self, message: str) -> Any:
        """Raises RequestError."""
        raise RequestError(message)
