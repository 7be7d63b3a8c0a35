"""Messages of the Debug Adapter Protocol as types.

Written by docs/generate_protocol_types.py.
"""

from typing import Any, Final, Literal, Required, TypedDict

from shlo.debugger.adapter.protocol import (
    Breakpoint,
    BreakpointLocationsResponseBody,
    Capabilities,
    CompletionsResponseBody,
    ContinueResponseBody,
    DataBreakpointInfoResponseBody,
    Empty,
    EvaluateResponseBody,
    ExceptionInfoResponseBody,
    GotoTargetsResponseBody,
    LoadedSourcesResponseBody,
    Message,
    ModulesResponseBody,
    OutputEventBody,
    ReadMemoryResponseBody,
    ScopesResponseBody,
    SetBreakpointsResponseBody,
    SetDataBreakpointsResponseBody,
    SetExceptionBreakpointsResponseBody,
    SetExpressionResponseBody,
    SetFunctionBreakpointsResponseBody,
    SetInstructionBreakpointsResponseBody,
    SetVariableResponseBody,
    SourceResponseBody,
    StackTraceResponseBody,
    StepInTargetsResponseBody,
    StoppedEventBody,
    ThreadsResponseBody,
    VariablesResponseBody,
)


class BreakpointEventBody(TypedDict, total=False):
    reason: Required[str]
    breakpoint: Required["Breakpoint"]


class ContinuedEventBody(TypedDict, total=False):
    threadId: Required[int]
    allThreadsContinued: bool


class ErrorResponseBody(TypedDict, total=False):
    error: "Message"


class ExitedEventBody(TypedDict, total=False):
    exitCode: Required[int]


class InvalidatedEventBody(TypedDict, total=False):
    areas: list[str]
    threadId: int


class ProcessEventBody(TypedDict, total=False):
    name: Required[str]
    isLocalProcess: bool
    startMethod: Literal["launch", "attach", "attachForSuspendedLaunch"]


class ProgressEndEventBody(TypedDict, total=False):
    progressId: Required[str]
    message: str


class ProgressStartEventBody(TypedDict, total=False):
    progressId: Required[str]
    title: Required[str]
    requestId: int
    cancellable: bool
    message: str


class ProgressUpdateEventBody(TypedDict, total=False):
    progressId: Required[str]
    message: str


class TerminatedEventBody(TypedDict, total=False):
    restart: Any


BODIES: Final[dict[str, type]] = {
    "attach": Empty,
    "breakpointLocations": BreakpointLocationsResponseBody,
    "cancel": Empty,
    "completions": CompletionsResponseBody,
    "configurationDone": Empty,
    "continue": ContinueResponseBody,
    "dataBreakpointInfo": DataBreakpointInfoResponseBody,
    "disconnect": Empty,
    "error": ErrorResponseBody,
    "evaluate": EvaluateResponseBody,
    "exceptionInfo": ExceptionInfoResponseBody,
    "goto": Empty,
    "gotoTargets": GotoTargetsResponseBody,
    "initialize": Capabilities,
    "launch": Empty,
    "loadedSources": LoadedSourcesResponseBody,
    "modules": ModulesResponseBody,
    "next": Empty,
    "pause": Empty,
    "readMemory": ReadMemoryResponseBody,
    "restart": Empty,
    "restartFrame": Empty,
    "reverseContinue": Empty,
    "scopes": ScopesResponseBody,
    "setBreakpoints": SetBreakpointsResponseBody,
    "setDataBreakpoints": SetDataBreakpointsResponseBody,
    "setExceptionBreakpoints": SetExceptionBreakpointsResponseBody,
    "setExpression": SetExpressionResponseBody,
    "setFunctionBreakpoints": SetFunctionBreakpointsResponseBody,
    "setInstructionBreakpoints": SetInstructionBreakpointsResponseBody,
    "setVariable": SetVariableResponseBody,
    "source": SourceResponseBody,
    "stackTrace": StackTraceResponseBody,
    "stepBack": Empty,
    "stepIn": Empty,
    "stepInTargets": StepInTargetsResponseBody,
    "stepOut": Empty,
    "terminate": Empty,
    "threads": ThreadsResponseBody,
    "variables": VariablesResponseBody,
}
"""Bodies of the response to each request."""
EVENTS: Final[dict[str, type]] = {
    "breakpoint": BreakpointEventBody,
    "continued": ContinuedEventBody,
    "exited": ExitedEventBody,
    "initialized": Empty,
    "invalidated": InvalidatedEventBody,
    "output": OutputEventBody,
    "process": ProcessEventBody,
    "progressEnd": ProgressEndEventBody,
    "progressStart": ProgressStartEventBody,
    "progressUpdate": ProgressUpdateEventBody,
    "stopped": StoppedEventBody,
    "terminated": TerminatedEventBody,
}
"""Bodies of each event."""
