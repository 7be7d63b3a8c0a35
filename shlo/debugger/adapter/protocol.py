"""Messages of the Debug Adapter Protocol as types.

Written by docs/generate_protocol_types.py.
"""

from typing import Any, Final, Literal, Required, TypedDict


class Empty(TypedDict):
    """Nothing is carried."""


class Breakpoint(TypedDict, total=False):
    id: int
    verified: Required[bool]
    message: str
    source: "Source"
    line: int
    column: int
    endLine: int
    instructionReference: str
    offset: int
    reason: Literal["pending", "failed"]


class BreakpointLocation(TypedDict, total=False):
    line: Required[int]
    column: int
    endLine: int


class BreakpointLocationsArguments(TypedDict, total=False):
    source: Required["Source"]
    line: Required[int]
    column: int
    endLine: int


class BreakpointLocationsResponseBody(TypedDict, total=False):
    breakpoints: Required[list["BreakpointLocation"]]


class CancelArguments(TypedDict, total=False):
    requestId: int
    progressId: str


class Capabilities(TypedDict, total=False):
    supportsConfigurationDoneRequest: bool
    supportsFunctionBreakpoints: bool
    supportsConditionalBreakpoints: bool
    supportsHitConditionalBreakpoints: bool
    supportsEvaluateForHovers: bool
    exceptionBreakpointFilters: list["ExceptionBreakpointsFilter"]
    supportsStepBack: bool
    supportsSetVariable: bool
    supportsRestartFrame: bool
    supportsGotoTargetsRequest: bool
    supportsStepInTargetsRequest: bool
    supportsCompletionsRequest: bool
    completionTriggerCharacters: list[str]
    supportsModulesRequest: bool
    supportsRestartRequest: bool
    supportsExceptionInfoRequest: bool
    supportTerminateDebuggee: bool
    supportsDelayedStackTraceLoading: bool
    supportsLoadedSourcesRequest: bool
    supportsLogPoints: bool
    supportsSetExpression: bool
    supportsTerminateRequest: bool
    supportsDataBreakpoints: bool
    supportsReadMemoryRequest: bool
    supportsCancelRequest: bool
    supportsBreakpointLocationsRequest: bool
    supportsClipboardContext: bool
    supportsSteppingGranularity: bool
    supportsInstructionBreakpoints: bool
    supportsExceptionFilterOptions: bool
    supportsSingleThreadExecutionRequests: bool


class CompletionItem(TypedDict, total=False):
    label: Required[str]
    text: str
    detail: str
    type: Literal[
        "method",
        "function",
        "constructor",
        "field",
        "variable",
        "class",
        "interface",
        "module",
        "property",
        "unit",
        "value",
        "enum",
        "keyword",
        "snippet",
        "text",
        "color",
        "file",
        "reference",
        "customcolor",
    ]
    start: int
    length: int


class CompletionsArguments(TypedDict, total=False):
    frameId: int
    text: Required[str]
    column: Required[int]
    line: int


class CompletionsResponseBody(TypedDict, total=False):
    targets: Required[list["CompletionItem"]]


class ContinueArguments(TypedDict, total=False):
    threadId: Required[int]
    singleThread: bool


class ContinueResponseBody(TypedDict, total=False):
    allThreadsContinued: bool


class DataBreakpoint(TypedDict, total=False):
    dataId: Required[str]
    condition: str
    hitCondition: str


class DataBreakpointInfoArguments(TypedDict, total=False):
    variablesReference: int
    name: Required[str]
    frameId: int
    bytes: int


class DataBreakpointInfoResponseBody(TypedDict, total=False):
    dataId: Required[str | None]
    description: Required[str]
    accessTypes: list[Literal["read", "write", "readWrite"]]


class DisconnectArguments(TypedDict, total=False):
    restart: bool
    terminateDebuggee: bool


class EvaluateArguments(TypedDict, total=False):
    expression: Required[str]
    frameId: int
    line: int
    column: int
    source: "Source"
    context: str
    format: "ValueFormat"


class EvaluateResponseBody(TypedDict, total=False):
    result: Required[str]
    type: str
    presentationHint: "VariablePresentationHint"
    variablesReference: Required[int]
    namedVariables: int
    indexedVariables: int
    memoryReference: str


class ExceptionBreakpointsFilter(TypedDict, total=False):
    filter: Required[str]
    label: Required[str]
    description: str
    default: bool
    supportsCondition: bool
    conditionDescription: str


class ExceptionDetails(TypedDict, total=False):
    message: str
    typeName: str
    evaluateName: str
    stackTrace: str


class ExceptionFilterOptions(TypedDict, total=False):
    filterId: Required[str]
    condition: str


class ExceptionInfoArguments(TypedDict, total=False):
    threadId: Required[int]


class ExceptionInfoResponseBody(TypedDict, total=False):
    exceptionId: Required[str]
    description: str
    breakMode: Required[Literal["never", "always", "unhandled", "userUnhandled"]]
    details: "ExceptionDetails"


class FunctionBreakpoint(TypedDict, total=False):
    name: Required[str]
    condition: str
    hitCondition: str


class GotoArguments(TypedDict, total=False):
    threadId: Required[int]
    targetId: Required[int]


class GotoTarget(TypedDict, total=False):
    id: Required[int]
    label: Required[str]
    line: Required[int]
    column: int
    endLine: int
    instructionPointerReference: str


class GotoTargetsArguments(TypedDict, total=False):
    source: Required["Source"]
    line: Required[int]
    column: int


class GotoTargetsResponseBody(TypedDict, total=False):
    targets: Required[list["GotoTarget"]]


class InitializeRequestArguments(TypedDict, total=False):
    linesStartAt1: bool
    columnsStartAt1: bool
    supportsProgressReporting: bool
    supportsInvalidatedEvent: bool


class InstructionBreakpoint(TypedDict, total=False):
    instructionReference: Required[str]
    offset: int
    condition: str
    hitCondition: str


class LaunchRequestArguments(TypedDict, total=False):
    noDebug: bool


class LoadedSourcesResponseBody(TypedDict, total=False):
    sources: Required[list["Source"]]


class Message(TypedDict, total=False):
    id: Required[int]
    format: Required[str]
    variables: dict[str, str]
    showUser: bool
    url: str


class Module(TypedDict, total=False):
    id: Required[int | str]
    name: Required[str]
    path: str
    isUserCode: bool
    version: str


class ModulesArguments(TypedDict, total=False):
    startModule: int
    moduleCount: int


class ModulesResponseBody(TypedDict, total=False):
    modules: Required[list["Module"]]
    totalModules: int


class NextArguments(TypedDict, total=False):
    threadId: Required[int]
    singleThread: bool
    granularity: Literal["statement", "line", "instruction"]


class OutputEventBody(TypedDict, total=False):
    category: str
    output: Required[str]
    group: Literal["start", "startCollapsed", "end"]
    variablesReference: int
    source: "Source"
    line: int
    column: int
    data: Any


class PauseArguments(TypedDict, total=False):
    threadId: Required[int]


class ReadMemoryArguments(TypedDict, total=False):
    memoryReference: Required[str]
    offset: int
    count: Required[int]


class ReadMemoryResponseBody(TypedDict, total=False):
    address: Required[str]
    unreadableBytes: int
    data: str


class RestartArguments(TypedDict, total=False):
    arguments: Any


class RestartFrameArguments(TypedDict, total=False):
    frameId: Required[int]


class ReverseContinueArguments(TypedDict, total=False):
    threadId: Required[int]
    singleThread: bool


class Scope(TypedDict, total=False):
    name: Required[str]
    presentationHint: str
    variablesReference: Required[int]
    namedVariables: int
    indexedVariables: int
    expensive: Required[bool]
    source: "Source"
    line: int
    column: int
    endLine: int


class ScopesArguments(TypedDict, total=False):
    frameId: Required[int]


class ScopesResponseBody(TypedDict, total=False):
    scopes: Required[list["Scope"]]


class SetBreakpointsArguments(TypedDict, total=False):
    source: Required["Source"]
    breakpoints: list["SourceBreakpoint"]
    lines: list[int]


class SetBreakpointsResponseBody(TypedDict, total=False):
    breakpoints: Required[list["Breakpoint"]]


class SetDataBreakpointsArguments(TypedDict, total=False):
    breakpoints: Required[list["DataBreakpoint"]]


class SetDataBreakpointsResponseBody(TypedDict, total=False):
    breakpoints: Required[list["Breakpoint"]]


class SetExceptionBreakpointsArguments(TypedDict, total=False):
    filters: Required[list[str]]
    filterOptions: list["ExceptionFilterOptions"]


class SetExceptionBreakpointsResponseBody(TypedDict, total=False):
    breakpoints: list["Breakpoint"]


class SetExpressionArguments(TypedDict, total=False):
    expression: Required[str]
    value: Required[str]
    frameId: int
    format: "ValueFormat"


class SetExpressionResponseBody(TypedDict, total=False):
    value: Required[str]
    type: str
    presentationHint: "VariablePresentationHint"
    variablesReference: int
    namedVariables: int
    indexedVariables: int
    memoryReference: str


class SetFunctionBreakpointsArguments(TypedDict, total=False):
    breakpoints: Required[list["FunctionBreakpoint"]]


class SetFunctionBreakpointsResponseBody(TypedDict, total=False):
    breakpoints: Required[list["Breakpoint"]]


class SetInstructionBreakpointsArguments(TypedDict, total=False):
    breakpoints: Required[list["InstructionBreakpoint"]]


class SetInstructionBreakpointsResponseBody(TypedDict, total=False):
    breakpoints: Required[list["Breakpoint"]]


class SetVariableArguments(TypedDict, total=False):
    variablesReference: Required[int]
    name: Required[str]
    value: Required[str]
    format: "ValueFormat"


class SetVariableResponseBody(TypedDict, total=False):
    value: Required[str]
    type: str
    variablesReference: int
    namedVariables: int
    indexedVariables: int
    memoryReference: str


class Source(TypedDict, total=False):
    name: str
    path: str
    sourceReference: int
    presentationHint: Literal["normal", "emphasize", "deemphasize"]
    origin: str
    sources: list["Source"]


class SourceArguments(TypedDict, total=False):
    source: "Source"
    sourceReference: Required[int]


class SourceBreakpoint(TypedDict, total=False):
    line: Required[int]
    column: int
    condition: str
    hitCondition: str
    logMessage: str


class SourceResponseBody(TypedDict, total=False):
    content: Required[str]
    mimeType: str


class StackFrame(TypedDict, total=False):
    id: Required[int]
    name: Required[str]
    source: "Source"
    line: Required[int]
    column: Required[int]
    endLine: int
    canRestart: bool
    instructionPointerReference: str
    moduleId: int | str
    presentationHint: Literal["normal", "label", "subtle"]


class StackFrameFormat(TypedDict, total=False):
    hex: bool
    parameters: bool
    line: bool
    module: bool


class StackTraceArguments(TypedDict, total=False):
    threadId: Required[int]
    startFrame: int
    levels: int
    format: "StackFrameFormat"


class StackTraceResponseBody(TypedDict, total=False):
    stackFrames: Required[list["StackFrame"]]
    totalFrames: int


class StepBackArguments(TypedDict, total=False):
    threadId: Required[int]
    singleThread: bool
    granularity: Literal["statement", "line", "instruction"]


class StepInArguments(TypedDict, total=False):
    threadId: Required[int]
    singleThread: bool
    targetId: int
    granularity: Literal["statement", "line", "instruction"]


class StepInTarget(TypedDict, total=False):
    id: Required[int]
    label: Required[str]
    line: int
    column: int
    endLine: int


class StepInTargetsArguments(TypedDict, total=False):
    frameId: Required[int]


class StepInTargetsResponseBody(TypedDict, total=False):
    targets: Required[list["StepInTarget"]]


class StepOutArguments(TypedDict, total=False):
    threadId: Required[int]
    singleThread: bool
    granularity: Literal["statement", "line", "instruction"]


class StoppedEventBody(TypedDict, total=False):
    reason: Required[str]
    description: str
    threadId: int
    text: str
    allThreadsStopped: bool
    hitBreakpointIds: list[int]


class TerminateArguments(TypedDict, total=False):
    restart: bool


class Thread(TypedDict, total=False):
    id: Required[int]
    name: Required[str]


class ThreadsResponseBody(TypedDict, total=False):
    threads: Required[list["Thread"]]


class ValueFormat(TypedDict, total=False):
    hex: bool


class Variable(TypedDict, total=False):
    name: Required[str]
    value: Required[str]
    type: str
    presentationHint: "VariablePresentationHint"
    evaluateName: str
    variablesReference: Required[int]
    namedVariables: int
    indexedVariables: int
    memoryReference: str


class VariablePresentationHint(TypedDict, total=False):
    kind: str
    attributes: list[str]
    visibility: str


class VariablesArguments(TypedDict, total=False):
    variablesReference: Required[int]
    filter: Literal["indexed", "named"]
    start: int
    count: int
    format: "ValueFormat"


class VariablesResponseBody(TypedDict, total=False):
    variables: Required[list["Variable"]]


ARGUMENTS: Final[dict[str, type]] = {
    "attach": Empty,
    "breakpointLocations": BreakpointLocationsArguments,
    "cancel": CancelArguments,
    "completions": CompletionsArguments,
    "configurationDone": Empty,
    "continue": ContinueArguments,
    "dataBreakpointInfo": DataBreakpointInfoArguments,
    "disconnect": DisconnectArguments,
    "evaluate": EvaluateArguments,
    "exceptionInfo": ExceptionInfoArguments,
    "goto": GotoArguments,
    "gotoTargets": GotoTargetsArguments,
    "initialize": InitializeRequestArguments,
    "launch": LaunchRequestArguments,
    "loadedSources": Empty,
    "modules": ModulesArguments,
    "next": NextArguments,
    "pause": PauseArguments,
    "readMemory": ReadMemoryArguments,
    "restart": RestartArguments,
    "restartFrame": RestartFrameArguments,
    "reverseContinue": ReverseContinueArguments,
    "scopes": ScopesArguments,
    "setBreakpoints": SetBreakpointsArguments,
    "setDataBreakpoints": SetDataBreakpointsArguments,
    "setExceptionBreakpoints": SetExceptionBreakpointsArguments,
    "setExpression": SetExpressionArguments,
    "setFunctionBreakpoints": SetFunctionBreakpointsArguments,
    "setInstructionBreakpoints": SetInstructionBreakpointsArguments,
    "setVariable": SetVariableArguments,
    "source": SourceArguments,
    "stackTrace": StackTraceArguments,
    "stepBack": StepBackArguments,
    "stepIn": StepInArguments,
    "stepInTargets": StepInTargetsArguments,
    "stepOut": StepOutArguments,
    "terminate": TerminateArguments,
    "threads": Empty,
    "variables": VariablesArguments,
}
"""Arguments of each request."""
