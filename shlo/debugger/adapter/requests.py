"""The table of requests that a session answers, and the capabilities that each brings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from msgspec import Struct, field

from shlo.debugger.adapter import breakpoints, evaluation, frames, moves, variables
from shlo.debugger.adapter.debuggee import Debuggee
from shlo.debugger.adapter.protocol import Capabilities, Empty


class Request(Struct, frozen=True):
    """What answers a request, the capabilities that it brings, and the type of its arguments where they are
    not the protocol's. What is to be done behind the answer is left in `Debuggee.then`. Why a quiet one is
    refused is shown where the client shows its answer, and in no message.
    """

    answer: Callable[[Debuggee, Any], Any]
    capabilities: Capabilities = field(default_factory=lambda: Capabilities())
    arguments: type | None = None
    is_quiet: bool = False


def _begin(debuggee: Debuggee, _: Empty) -> None:
    """Goes on: the client has set its breakpoints. Raises DebuggerError before there is a session."""
    debuggee.then = debuggee.begin if debuggee.session else None


REQUESTS: Final[dict[str, Request]] = {
    "configurationDone": Request(_begin, {"supportsConfigurationDoneRequest": True}),
    # where to stop
    "setBreakpoints": Request(
        breakpoints.set_breakpoints,
        {
            "supportsConditionalBreakpoints": True,
            "supportsHitConditionalBreakpoints": True,
            "supportsLogPoints": True,
        },
    ),
    "breakpointLocations": Request(
        breakpoints.breakpoint_locations, {"supportsBreakpointLocationsRequest": True}
    ),
    "setFunctionBreakpoints": Request(
        breakpoints.set_function_breakpoints, {"supportsFunctionBreakpoints": True}
    ),
    "setInstructionBreakpoints": Request(
        breakpoints.set_instruction_breakpoints, {"supportsInstructionBreakpoints": True}
    ),
    "dataBreakpointInfo": Request(breakpoints.data_breakpoint_info, {"supportsDataBreakpoints": True}),
    "setDataBreakpoints": Request(breakpoints.set_data_breakpoints),
    "setExceptionBreakpoints": Request(
        breakpoints.set_exception_breakpoints,
        {
            "exceptionBreakpointFilters": list(breakpoints.FILTERS),
            "supportsExceptionFilterOptions": True,
        },
    ),
    # moves
    "continue": Request(moves.resume, {"supportsSingleThreadExecutionRequests": True}),
    "next": Request(moves.step_over, {"supportsSteppingGranularity": True}),
    "stepIn": Request(moves.step_in),
    "stepInTargets": Request(moves.step_in_targets, {"supportsStepInTargetsRequest": True}),
    "stepOut": Request(moves.step_out),
    "stepBack": Request(moves.step_back, {"supportsStepBack": True}),
    "reverseContinue": Request(moves.reverse),
    "restartFrame": Request(moves.restart_frame, {"supportsRestartFrame": True}),
    "gotoTargets": Request(moves.goto_targets, {"supportsGotoTargetsRequest": True}),
    "goto": Request(moves.goto),
    # what there is to see
    "threads": Request(frames.threads),
    "stackTrace": Request(frames.stack_trace, {"supportsDelayedStackTraceLoading": True}),
    "source": Request(frames.source),
    "modules": Request(frames.modules, {"supportsModulesRequest": True}),
    "loadedSources": Request(frames.loaded_sources, {"supportsLoadedSourcesRequest": True}),
    "scopes": Request(variables.scopes),
    "variables": Request(variables.variables),
    "readMemory": Request(variables.read_memory, {"supportsReadMemoryRequest": True}),
    "evaluate": Request(
        evaluation.evaluate,
        {"supportsEvaluateForHovers": True, "supportsClipboardContext": True},
        is_quiet=True,
    ),
    "setVariable": Request(evaluation.set_variable, {"supportsSetVariable": True}),
    "setExpression": Request(evaluation.set_expression, {"supportsSetExpression": True}),
    "completions": Request(
        evaluation.completions,
        {"supportsCompletionsRequest": True, "completionTriggerCharacters": ["%", ".", " "]},
    ),
    "exceptionInfo": Request(evaluation.exception_info, {"supportsExceptionInfoRequest": True}),
}
"""What every front end answers; it adds how a session begins and ends."""
