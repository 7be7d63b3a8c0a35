"""Messages of the Debug Adapter Protocol as types.

Written by docs/generate_protocol_types.py.
"""

from typing import Any, Final, Literal, Required, TypedDict


class Empty(TypedDict):
    """Nothing is carried."""


class AttachRequestArguments(TypedDict, total=False):
    """`AttachRequestArguments` of the protocol."""


class Breakpoint(TypedDict, total=False):
    """`Breakpoint` of the protocol."""

    id: int
    verified: Required[bool]
    message: str
    source: "Source"
    line: int
    column: int
    endLine: int
    endColumn: int
    instructionReference: str
    offset: int
    reason: Literal["pending", "failed"]


class BreakpointEventBody(TypedDict, total=False):
    """`BreakpointEventBody`, which the protocol gives no name."""

    reason: Required[str]
    breakpoint: Required["Breakpoint"]


class BreakpointLocation(TypedDict, total=False):
    """`BreakpointLocation` of the protocol."""

    line: Required[int]
    column: int
    endLine: int
    endColumn: int


class BreakpointLocationsArguments(TypedDict, total=False):
    """`BreakpointLocationsArguments` of the protocol."""

    source: Required["Source"]
    line: Required[int]
    column: int
    endLine: int
    endColumn: int


class BreakpointLocationsResponseBody(TypedDict, total=False):
    """`BreakpointLocationsResponseBody`, which the protocol gives no name."""

    breakpoints: Required[list["BreakpointLocation"]]


class BreakpointMode(TypedDict, total=False):
    """`BreakpointMode` of the protocol."""

    mode: Required[str]
    label: Required[str]
    description: str
    appliesTo: Required[list[str]]


class CancelArguments(TypedDict, total=False):
    """`CancelArguments` of the protocol."""

    requestId: int
    progressId: str


class Capabilities(TypedDict, total=False):
    """`Capabilities` of the protocol."""

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
    additionalModuleColumns: list["ColumnDescriptor"]
    supportedChecksumAlgorithms: list[Literal["MD5", "SHA1", "SHA256", "timestamp"]]
    supportsRestartRequest: bool
    supportsExceptionOptions: bool
    supportsValueFormattingOptions: bool
    supportsExceptionInfoRequest: bool
    supportTerminateDebuggee: bool
    supportSuspendDebuggee: bool
    supportsDelayedStackTraceLoading: bool
    supportsLoadedSourcesRequest: bool
    supportsLogPoints: bool
    supportsTerminateThreadsRequest: bool
    supportsSetExpression: bool
    supportsTerminateRequest: bool
    supportsDataBreakpoints: bool
    supportsReadMemoryRequest: bool
    supportsWriteMemoryRequest: bool
    supportsDisassembleRequest: bool
    supportsCancelRequest: bool
    supportsBreakpointLocationsRequest: bool
    supportsClipboardContext: bool
    supportsSteppingGranularity: bool
    supportsInstructionBreakpoints: bool
    supportsExceptionFilterOptions: bool
    supportsSingleThreadExecutionRequests: bool
    supportsDataBreakpointBytes: bool
    breakpointModes: list["BreakpointMode"]
    supportsANSIStyling: bool


class CapabilitiesEventBody(TypedDict, total=False):
    """`CapabilitiesEventBody`, which the protocol gives no name."""

    capabilities: Required["Capabilities"]


class Checksum(TypedDict, total=False):
    """`Checksum` of the protocol."""

    algorithm: Required[Literal["MD5", "SHA1", "SHA256", "timestamp"]]
    checksum: Required[str]


class ColumnDescriptor(TypedDict, total=False):
    """`ColumnDescriptor` of the protocol."""

    attributeName: Required[str]
    label: Required[str]
    format: str
    type: Literal["string", "number", "boolean", "unixTimestampUTC"]
    width: int


class CompletionItem(TypedDict, total=False):
    """`CompletionItem` of the protocol."""

    label: Required[str]
    text: str
    sortText: str
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
    selectionStart: int
    selectionLength: int


class CompletionsArguments(TypedDict, total=False):
    """`CompletionsArguments` of the protocol."""

    frameId: int
    text: Required[str]
    column: Required[int]
    line: int


class CompletionsResponseBody(TypedDict, total=False):
    """`CompletionsResponseBody`, which the protocol gives no name."""

    targets: Required[list["CompletionItem"]]


class ConfigurationDoneArguments(TypedDict, total=False):
    """`ConfigurationDoneArguments` of the protocol."""


class ContinueArguments(TypedDict, total=False):
    """`ContinueArguments` of the protocol."""

    threadId: Required[int]
    singleThread: bool


class ContinueResponseBody(TypedDict, total=False):
    """`ContinueResponseBody`, which the protocol gives no name."""

    allThreadsContinued: bool


class ContinuedEventBody(TypedDict, total=False):
    """`ContinuedEventBody`, which the protocol gives no name."""

    threadId: Required[int]
    allThreadsContinued: bool


class DataBreakpoint(TypedDict, total=False):
    """`DataBreakpoint` of the protocol."""

    dataId: Required[str]
    accessType: Literal["read", "write", "readWrite"]
    condition: str
    hitCondition: str


class DataBreakpointInfoArguments(TypedDict, total=False):
    """`DataBreakpointInfoArguments` of the protocol."""

    variablesReference: int
    name: Required[str]
    frameId: int
    bytes: int
    asAddress: bool
    mode: str


class DataBreakpointInfoResponseBody(TypedDict, total=False):
    """`DataBreakpointInfoResponseBody`, which the protocol gives no name."""

    dataId: Required[str | None]
    description: Required[str]
    accessTypes: list[Literal["read", "write", "readWrite"]]
    canPersist: bool


class DisassembleArguments(TypedDict, total=False):
    """`DisassembleArguments` of the protocol."""

    memoryReference: Required[str]
    offset: int
    instructionOffset: int
    instructionCount: Required[int]
    resolveSymbols: bool


class DisassembleResponseBody(TypedDict, total=False):
    """`DisassembleResponseBody`, which the protocol gives no name."""

    instructions: Required[list["DisassembledInstruction"]]


class DisassembledInstruction(TypedDict, total=False):
    """`DisassembledInstruction` of the protocol."""

    address: Required[str]
    instructionBytes: str
    instruction: Required[str]
    symbol: str
    location: "Source"
    line: int
    column: int
    endLine: int
    endColumn: int
    presentationHint: Literal["normal", "invalid"]


class DisconnectArguments(TypedDict, total=False):
    """`DisconnectArguments` of the protocol."""

    restart: bool
    terminateDebuggee: bool
    suspendDebuggee: bool


class ErrorResponseBody(TypedDict, total=False):
    """`ErrorResponseBody`, which the protocol gives no name."""

    error: "Message"


class EvaluateArguments(TypedDict, total=False):
    """`EvaluateArguments` of the protocol."""

    expression: Required[str]
    frameId: int
    line: int
    column: int
    source: "Source"
    context: str
    format: "ValueFormat"


class EvaluateResponseBody(TypedDict, total=False):
    """`EvaluateResponseBody`, which the protocol gives no name."""

    result: Required[str]
    type: str
    presentationHint: "VariablePresentationHint"
    variablesReference: Required[int]
    namedVariables: int
    indexedVariables: int
    memoryReference: str
    valueLocationReference: int


class ExceptionBreakpointsFilter(TypedDict, total=False):
    """`ExceptionBreakpointsFilter` of the protocol."""

    filter: Required[str]
    label: Required[str]
    description: str
    default: bool
    supportsCondition: bool
    conditionDescription: str


class ExceptionDetails(TypedDict, total=False):
    """`ExceptionDetails` of the protocol."""

    message: str
    typeName: str
    fullTypeName: str
    evaluateName: str
    stackTrace: str
    innerException: list["ExceptionDetails"]


class ExceptionFilterOptions(TypedDict, total=False):
    """`ExceptionFilterOptions` of the protocol."""

    filterId: Required[str]
    condition: str
    mode: str


class ExceptionInfoArguments(TypedDict, total=False):
    """`ExceptionInfoArguments` of the protocol."""

    threadId: Required[int]


class ExceptionInfoResponseBody(TypedDict, total=False):
    """`ExceptionInfoResponseBody`, which the protocol gives no name."""

    exceptionId: Required[str]
    description: str
    breakMode: Required[Literal["never", "always", "unhandled", "userUnhandled"]]
    details: "ExceptionDetails"


class ExceptionOptions(TypedDict, total=False):
    """`ExceptionOptions` of the protocol."""

    path: list["ExceptionPathSegment"]
    breakMode: Required[Literal["never", "always", "unhandled", "userUnhandled"]]


class ExceptionPathSegment(TypedDict, total=False):
    """`ExceptionPathSegment` of the protocol."""

    negate: bool
    names: Required[list[str]]


class ExitedEventBody(TypedDict, total=False):
    """`ExitedEventBody`, which the protocol gives no name."""

    exitCode: Required[int]


class FunctionBreakpoint(TypedDict, total=False):
    """`FunctionBreakpoint` of the protocol."""

    name: Required[str]
    condition: str
    hitCondition: str


class GotoArguments(TypedDict, total=False):
    """`GotoArguments` of the protocol."""

    threadId: Required[int]
    targetId: Required[int]


class GotoTarget(TypedDict, total=False):
    """`GotoTarget` of the protocol."""

    id: Required[int]
    label: Required[str]
    line: Required[int]
    column: int
    endLine: int
    endColumn: int
    instructionPointerReference: str


class GotoTargetsArguments(TypedDict, total=False):
    """`GotoTargetsArguments` of the protocol."""

    source: Required["Source"]
    line: Required[int]
    column: int


class GotoTargetsResponseBody(TypedDict, total=False):
    """`GotoTargetsResponseBody`, which the protocol gives no name."""

    targets: Required[list["GotoTarget"]]


class InitializeRequestArguments(TypedDict, total=False):
    """`InitializeRequestArguments` of the protocol."""

    clientID: str
    clientName: str
    adapterID: Required[str]
    locale: str
    linesStartAt1: bool
    columnsStartAt1: bool
    pathFormat: str
    supportsVariableType: bool
    supportsVariablePaging: bool
    supportsRunInTerminalRequest: bool
    supportsMemoryReferences: bool
    supportsProgressReporting: bool
    supportsInvalidatedEvent: bool
    supportsMemoryEvent: bool
    supportsArgsCanBeInterpretedByShell: bool
    supportsStartDebuggingRequest: bool
    supportsANSIStyling: bool


class InstructionBreakpoint(TypedDict, total=False):
    """`InstructionBreakpoint` of the protocol."""

    instructionReference: Required[str]
    offset: int
    condition: str
    hitCondition: str
    mode: str


class InvalidatedEventBody(TypedDict, total=False):
    """`InvalidatedEventBody`, which the protocol gives no name."""

    areas: list[str]
    threadId: int
    stackFrameId: int


class LaunchRequestArguments(TypedDict, total=False):
    """`LaunchRequestArguments` of the protocol."""

    noDebug: bool


class LoadedSourceEventBody(TypedDict, total=False):
    """`LoadedSourceEventBody`, which the protocol gives no name."""

    reason: Required[Literal["new", "changed", "removed"]]
    source: Required["Source"]


class LoadedSourcesArguments(TypedDict, total=False):
    """`LoadedSourcesArguments` of the protocol."""


class LoadedSourcesResponseBody(TypedDict, total=False):
    """`LoadedSourcesResponseBody`, which the protocol gives no name."""

    sources: Required[list["Source"]]


class LocationsArguments(TypedDict, total=False):
    """`LocationsArguments` of the protocol."""

    locationReference: Required[int]


class LocationsResponseBody(TypedDict, total=False):
    """`LocationsResponseBody`, which the protocol gives no name."""

    source: Required["Source"]
    line: Required[int]
    column: int
    endLine: int
    endColumn: int


class MemoryEventBody(TypedDict, total=False):
    """`MemoryEventBody`, which the protocol gives no name."""

    memoryReference: Required[str]
    offset: Required[int]
    count: Required[int]


class Message(TypedDict, total=False):
    """`Message` of the protocol."""

    id: Required[int]
    format: Required[str]
    variables: dict[str, str]
    sendTelemetry: bool
    showUser: bool
    url: str
    urlLabel: str


class Module(TypedDict, total=False):
    """`Module` of the protocol."""

    id: Required[int | str]
    name: Required[str]
    path: str
    isOptimized: bool
    isUserCode: bool
    version: str
    symbolStatus: str
    symbolFilePath: str
    dateTimeStamp: str
    addressRange: str


class ModuleEventBody(TypedDict, total=False):
    """`ModuleEventBody`, which the protocol gives no name."""

    reason: Required[Literal["new", "changed", "removed"]]
    module: Required["Module"]


class ModulesArguments(TypedDict, total=False):
    """`ModulesArguments` of the protocol."""

    startModule: int
    moduleCount: int


class ModulesResponseBody(TypedDict, total=False):
    """`ModulesResponseBody`, which the protocol gives no name."""

    modules: Required[list["Module"]]
    totalModules: int


class NextArguments(TypedDict, total=False):
    """`NextArguments` of the protocol."""

    threadId: Required[int]
    singleThread: bool
    granularity: Literal["statement", "line", "instruction"]


class OutputEventBody(TypedDict, total=False):
    """`OutputEventBody`, which the protocol gives no name."""

    category: str
    output: Required[str]
    group: Literal["start", "startCollapsed", "end"]
    variablesReference: int
    source: "Source"
    line: int
    column: int
    data: Any
    locationReference: int


class PauseArguments(TypedDict, total=False):
    """`PauseArguments` of the protocol."""

    threadId: Required[int]


class ProcessEventBody(TypedDict, total=False):
    """`ProcessEventBody`, which the protocol gives no name."""

    name: Required[str]
    systemProcessId: int
    isLocalProcess: bool
    startMethod: Literal["launch", "attach", "attachForSuspendedLaunch"]
    pointerSize: int


class ProgressEndEventBody(TypedDict, total=False):
    """`ProgressEndEventBody`, which the protocol gives no name."""

    progressId: Required[str]
    message: str


class ProgressStartEventBody(TypedDict, total=False):
    """`ProgressStartEventBody`, which the protocol gives no name."""

    progressId: Required[str]
    title: Required[str]
    requestId: int
    cancellable: bool
    message: str
    percentage: float


class ProgressUpdateEventBody(TypedDict, total=False):
    """`ProgressUpdateEventBody`, which the protocol gives no name."""

    progressId: Required[str]
    message: str
    percentage: float


class ReadMemoryArguments(TypedDict, total=False):
    """`ReadMemoryArguments` of the protocol."""

    memoryReference: Required[str]
    offset: int
    count: Required[int]


class ReadMemoryResponseBody(TypedDict, total=False):
    """`ReadMemoryResponseBody`, which the protocol gives no name."""

    address: Required[str]
    unreadableBytes: int
    data: str


class RestartArguments(TypedDict, total=False):
    """`RestartArguments` of the protocol."""

    arguments: Any


class RestartFrameArguments(TypedDict, total=False):
    """`RestartFrameArguments` of the protocol."""

    frameId: Required[int]


class ReverseContinueArguments(TypedDict, total=False):
    """`ReverseContinueArguments` of the protocol."""

    threadId: Required[int]
    singleThread: bool


class RunInTerminalRequestArguments(TypedDict, total=False):
    """`RunInTerminalRequestArguments` of the protocol."""

    kind: Literal["integrated", "external"]
    title: str
    cwd: Required[str]
    args: Required[list[str]]
    env: dict[str, Any]
    argsCanBeInterpretedByShell: bool


class RunInTerminalResponseBody(TypedDict, total=False):
    """`RunInTerminalResponseBody`, which the protocol gives no name."""

    processId: int
    shellProcessId: int


class Scope(TypedDict, total=False):
    """`Scope` of the protocol."""

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
    endColumn: int


class ScopesArguments(TypedDict, total=False):
    """`ScopesArguments` of the protocol."""

    frameId: Required[int]


class ScopesResponseBody(TypedDict, total=False):
    """`ScopesResponseBody`, which the protocol gives no name."""

    scopes: Required[list["Scope"]]


class SetBreakpointsArguments(TypedDict, total=False):
    """`SetBreakpointsArguments` of the protocol."""

    source: Required["Source"]
    breakpoints: list["SourceBreakpoint"]
    lines: list[int]
    sourceModified: bool


class SetBreakpointsResponseBody(TypedDict, total=False):
    """`SetBreakpointsResponseBody`, which the protocol gives no name."""

    breakpoints: Required[list["Breakpoint"]]


class SetDataBreakpointsArguments(TypedDict, total=False):
    """`SetDataBreakpointsArguments` of the protocol."""

    breakpoints: Required[list["DataBreakpoint"]]


class SetDataBreakpointsResponseBody(TypedDict, total=False):
    """`SetDataBreakpointsResponseBody`, which the protocol gives no name."""

    breakpoints: Required[list["Breakpoint"]]


class SetExceptionBreakpointsArguments(TypedDict, total=False):
    """`SetExceptionBreakpointsArguments` of the protocol."""

    filters: Required[list[str]]
    filterOptions: list["ExceptionFilterOptions"]
    exceptionOptions: list["ExceptionOptions"]


class SetExceptionBreakpointsResponseBody(TypedDict, total=False):
    """`SetExceptionBreakpointsResponseBody`, which the protocol gives no name."""

    breakpoints: list["Breakpoint"]


class SetExpressionArguments(TypedDict, total=False):
    """`SetExpressionArguments` of the protocol."""

    expression: Required[str]
    value: Required[str]
    frameId: int
    format: "ValueFormat"


class SetExpressionResponseBody(TypedDict, total=False):
    """`SetExpressionResponseBody`, which the protocol gives no name."""

    value: Required[str]
    type: str
    presentationHint: "VariablePresentationHint"
    variablesReference: int
    namedVariables: int
    indexedVariables: int
    memoryReference: str
    valueLocationReference: int


class SetFunctionBreakpointsArguments(TypedDict, total=False):
    """`SetFunctionBreakpointsArguments` of the protocol."""

    breakpoints: Required[list["FunctionBreakpoint"]]


class SetFunctionBreakpointsResponseBody(TypedDict, total=False):
    """`SetFunctionBreakpointsResponseBody`, which the protocol gives no name."""

    breakpoints: Required[list["Breakpoint"]]


class SetInstructionBreakpointsArguments(TypedDict, total=False):
    """`SetInstructionBreakpointsArguments` of the protocol."""

    breakpoints: Required[list["InstructionBreakpoint"]]


class SetInstructionBreakpointsResponseBody(TypedDict, total=False):
    """`SetInstructionBreakpointsResponseBody`, which the protocol gives no name."""

    breakpoints: Required[list["Breakpoint"]]


class SetVariableArguments(TypedDict, total=False):
    """`SetVariableArguments` of the protocol."""

    variablesReference: Required[int]
    name: Required[str]
    value: Required[str]
    format: "ValueFormat"


class SetVariableResponseBody(TypedDict, total=False):
    """`SetVariableResponseBody`, which the protocol gives no name."""

    value: Required[str]
    type: str
    variablesReference: int
    namedVariables: int
    indexedVariables: int
    memoryReference: str
    valueLocationReference: int


class Source(TypedDict, total=False):
    """`Source` of the protocol."""

    name: str
    path: str
    sourceReference: int
    presentationHint: Literal["normal", "emphasize", "deemphasize"]
    origin: str
    sources: list["Source"]
    adapterData: Any
    checksums: list["Checksum"]


class SourceArguments(TypedDict, total=False):
    """`SourceArguments` of the protocol."""

    source: "Source"
    sourceReference: Required[int]


class SourceBreakpoint(TypedDict, total=False):
    """`SourceBreakpoint` of the protocol."""

    line: Required[int]
    column: int
    condition: str
    hitCondition: str
    logMessage: str
    mode: str


class SourceResponseBody(TypedDict, total=False):
    """`SourceResponseBody`, which the protocol gives no name."""

    content: Required[str]
    mimeType: str


class StackFrame(TypedDict, total=False):
    """`StackFrame` of the protocol."""

    id: Required[int]
    name: Required[str]
    source: "Source"
    line: Required[int]
    column: Required[int]
    endLine: int
    endColumn: int
    canRestart: bool
    instructionPointerReference: str
    moduleId: int | str
    presentationHint: Literal["normal", "label", "subtle"]


class StackFrameFormat(TypedDict, total=False):
    """`StackFrameFormat` of the protocol."""

    hex: bool
    parameters: bool
    parameterTypes: bool
    parameterNames: bool
    parameterValues: bool
    line: bool
    module: bool
    includeAll: bool


class StackTraceArguments(TypedDict, total=False):
    """`StackTraceArguments` of the protocol."""

    threadId: Required[int]
    startFrame: int
    levels: int
    format: "StackFrameFormat"


class StackTraceResponseBody(TypedDict, total=False):
    """`StackTraceResponseBody`, which the protocol gives no name."""

    stackFrames: Required[list["StackFrame"]]
    totalFrames: int


class StartDebuggingRequestArguments(TypedDict, total=False):
    """`StartDebuggingRequestArguments` of the protocol."""

    configuration: Required[dict[str, Any]]
    outputPresentation: Literal["separate", "mergeWithParent"]
    request: Required[Literal["launch", "attach"]]


class StepBackArguments(TypedDict, total=False):
    """`StepBackArguments` of the protocol."""

    threadId: Required[int]
    singleThread: bool
    granularity: Literal["statement", "line", "instruction"]


class StepInArguments(TypedDict, total=False):
    """`StepInArguments` of the protocol."""

    threadId: Required[int]
    singleThread: bool
    targetId: int
    granularity: Literal["statement", "line", "instruction"]


class StepInTarget(TypedDict, total=False):
    """`StepInTarget` of the protocol."""

    id: Required[int]
    label: Required[str]
    line: int
    column: int
    endLine: int
    endColumn: int


class StepInTargetsArguments(TypedDict, total=False):
    """`StepInTargetsArguments` of the protocol."""

    frameId: Required[int]


class StepInTargetsResponseBody(TypedDict, total=False):
    """`StepInTargetsResponseBody`, which the protocol gives no name."""

    targets: Required[list["StepInTarget"]]


class StepOutArguments(TypedDict, total=False):
    """`StepOutArguments` of the protocol."""

    threadId: Required[int]
    singleThread: bool
    granularity: Literal["statement", "line", "instruction"]


class StoppedEventBody(TypedDict, total=False):
    """`StoppedEventBody`, which the protocol gives no name."""

    reason: Required[str]
    description: str
    threadId: int
    preserveFocusHint: bool
    text: str
    allThreadsStopped: bool
    hitBreakpointIds: list[int]


class TerminateArguments(TypedDict, total=False):
    """`TerminateArguments` of the protocol."""

    restart: bool


class TerminateThreadsArguments(TypedDict, total=False):
    """`TerminateThreadsArguments` of the protocol."""

    threadIds: list[int]


class TerminatedEventBody(TypedDict, total=False):
    """`TerminatedEventBody`, which the protocol gives no name."""

    restart: Any


class Thread(TypedDict, total=False):
    """`Thread` of the protocol."""

    id: Required[int]
    name: Required[str]


class ThreadEventBody(TypedDict, total=False):
    """`ThreadEventBody`, which the protocol gives no name."""

    reason: Required[str]
    threadId: Required[int]


class ThreadsResponseBody(TypedDict, total=False):
    """`ThreadsResponseBody`, which the protocol gives no name."""

    threads: Required[list["Thread"]]


class ValueFormat(TypedDict, total=False):
    """`ValueFormat` of the protocol."""

    hex: bool


class Variable(TypedDict, total=False):
    """`Variable` of the protocol."""

    name: Required[str]
    value: Required[str]
    type: str
    presentationHint: "VariablePresentationHint"
    evaluateName: str
    variablesReference: Required[int]
    namedVariables: int
    indexedVariables: int
    memoryReference: str
    declarationLocationReference: int
    valueLocationReference: int


class VariablePresentationHint(TypedDict, total=False):
    """`VariablePresentationHint` of the protocol."""

    kind: str
    attributes: list[str]
    visibility: str
    lazy: bool


class VariablesArguments(TypedDict, total=False):
    """`VariablesArguments` of the protocol."""

    variablesReference: Required[int]
    filter: Literal["indexed", "named"]
    start: int
    count: int
    format: "ValueFormat"


class VariablesResponseBody(TypedDict, total=False):
    """`VariablesResponseBody`, which the protocol gives no name."""

    variables: Required[list["Variable"]]


class WriteMemoryArguments(TypedDict, total=False):
    """`WriteMemoryArguments` of the protocol."""

    memoryReference: Required[str]
    offset: int
    allowPartial: bool
    data: Required[str]


class WriteMemoryResponseBody(TypedDict, total=False):
    """`WriteMemoryResponseBody`, which the protocol gives no name."""

    offset: int
    bytesWritten: int


ARGUMENTS: Final[dict[str, type]] = {
    "attach": AttachRequestArguments,
    "breakpointLocations": BreakpointLocationsArguments,
    "cancel": CancelArguments,
    "completions": CompletionsArguments,
    "configurationDone": ConfigurationDoneArguments,
    "continue": ContinueArguments,
    "dataBreakpointInfo": DataBreakpointInfoArguments,
    "disassemble": DisassembleArguments,
    "disconnect": DisconnectArguments,
    "evaluate": EvaluateArguments,
    "exceptionInfo": ExceptionInfoArguments,
    "goto": GotoArguments,
    "gotoTargets": GotoTargetsArguments,
    "initialize": InitializeRequestArguments,
    "launch": LaunchRequestArguments,
    "loadedSources": LoadedSourcesArguments,
    "locations": LocationsArguments,
    "modules": ModulesArguments,
    "next": NextArguments,
    "pause": PauseArguments,
    "readMemory": ReadMemoryArguments,
    "restart": RestartArguments,
    "restartFrame": RestartFrameArguments,
    "reverseContinue": ReverseContinueArguments,
    "runInTerminal": RunInTerminalRequestArguments,
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
    "startDebugging": StartDebuggingRequestArguments,
    "stepBack": StepBackArguments,
    "stepIn": StepInArguments,
    "stepInTargets": StepInTargetsArguments,
    "stepOut": StepOutArguments,
    "terminate": TerminateArguments,
    "terminateThreads": TerminateThreadsArguments,
    "threads": Empty,
    "variables": VariablesArguments,
    "writeMemory": WriteMemoryArguments,
}
"""Arguments of each request."""
BODIES: Final[dict[str, type]] = {
    "attach": Empty,
    "breakpointLocations": BreakpointLocationsResponseBody,
    "cancel": Empty,
    "completions": CompletionsResponseBody,
    "configurationDone": Empty,
    "continue": ContinueResponseBody,
    "dataBreakpointInfo": DataBreakpointInfoResponseBody,
    "disassemble": DisassembleResponseBody,
    "disconnect": Empty,
    "error": ErrorResponseBody,
    "evaluate": EvaluateResponseBody,
    "exceptionInfo": ExceptionInfoResponseBody,
    "goto": Empty,
    "gotoTargets": GotoTargetsResponseBody,
    "initialize": Capabilities,
    "launch": Empty,
    "loadedSources": LoadedSourcesResponseBody,
    "locations": LocationsResponseBody,
    "modules": ModulesResponseBody,
    "next": Empty,
    "pause": Empty,
    "readMemory": ReadMemoryResponseBody,
    "restart": Empty,
    "restartFrame": Empty,
    "reverseContinue": Empty,
    "runInTerminal": RunInTerminalResponseBody,
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
    "startDebugging": Empty,
    "stepBack": Empty,
    "stepIn": Empty,
    "stepInTargets": StepInTargetsResponseBody,
    "stepOut": Empty,
    "terminate": Empty,
    "terminateThreads": Empty,
    "threads": ThreadsResponseBody,
    "variables": VariablesResponseBody,
    "writeMemory": WriteMemoryResponseBody,
}
"""Bodies of the response to each request."""
EVENTS: Final[dict[str, type]] = {
    "breakpoint": BreakpointEventBody,
    "capabilities": CapabilitiesEventBody,
    "continued": ContinuedEventBody,
    "exited": ExitedEventBody,
    "initialized": Empty,
    "invalidated": InvalidatedEventBody,
    "loadedSource": LoadedSourceEventBody,
    "memory": MemoryEventBody,
    "module": ModuleEventBody,
    "output": OutputEventBody,
    "process": ProcessEventBody,
    "progressEnd": ProgressEndEventBody,
    "progressStart": ProgressStartEventBody,
    "progressUpdate": ProgressUpdateEventBody,
    "stopped": StoppedEventBody,
    "terminated": TerminatedEventBody,
    "thread": ThreadEventBody,
}
"""Bodies of each event."""
