"""Writes docs/dap.md: the debug adapter in editors, and every message of its protocol.

python docs/generate_dap.py

Requests, events and capabilities come from the protocol's types, what shlo has of them from its table of
requests and of events, the options of a launch from the adapter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, get_args, get_type_hints, is_typeddict

from docs.dap_messages import EVENTS
from docs.generate_protocol_types import NO_CAPABILITIES, UNANSWERED, UNSENT
from shlo.debugger.adapter.breakpoints import FILTERS
from shlo.debugger.adapter.conversation import capabilities_of
from shlo.debugger.adapter.debuggee import EventName
from shlo.debugger.adapter.protocol import ARGUMENTS, Capabilities, ExceptionBreakpointsFilter
from shlo.debugger.adapter.requests import REQUESTS, Request
from shlo.debugger.adapter.views import VIEWS
from shlo_dap.launch import OPTIONS, Launcher

PROTOCOL = "https://microsoft.github.io/debug-adapter-protocol/"
PAGE = Path(__file__).with_name("dap.md")
KNOWN = {"initialize": None, **REQUESTS, **Launcher().requests}
OF_CLIENTS = ("runInTerminal", "startDebugging")
"""Requests that adapters send to clients."""
NOTES = {
    "attach": "to `shlo debug --listen` and `shlo.debug(..., listen=...)`: `port`, `host`, `token`",
    "cancel": "a request that waits or runs, or the move whose progress is shown",
    "completions": "of commands, and of expressions",
    "continue": "all processes, or one alone (`singleThread`); at the end of the program, ends the session",
    "dataBreakpointInfo": "of a value, an element, or any expression",
    "disassemble": "the program is its own text",
    "disconnect": "leaves a program running to which the client attached, unless `terminateDebuggee`",
    "evaluate": "in the console, commands and expressions; elsewhere expressions",
    "exceptionInfo": "with where a NaN comes from, as `blame` tells it",
    "goto": "forwards, or back to the last time that the line was executed",
    "loadedSources": "the program, and the Python files that its locations name",
    "modules": "the programs of the processes",
    "next": "an operation; with `line`, a line of the program, with `statement`, one of Python",
    "readMemory": "of tensors, in row-major order",
    "restart": "goes to the beginning; opens the program again where its file, or script, has changed",
    "restartFrame": "functions",
    "scopes": "values, arguments, the loop, watches, processes; at the end, results",
    "setBreakpoints": "also while the program runs; in Python files that led to its operations, too; with"
    " a column, one of several operations on a line",
    "setFunctionBreakpoints": "functions (`main`) and operations (`dot_general`)",
    "setInstructionBreakpoints": "operations, by the `instructionPointerReference` of frames",
    "setVariable": "a value or an element, in another future of the run; the one before is kept",
    "source": "of bytecode, recordings and artifacts",
    "stackTrace": "regions and calls, then the lines of Python that led to the operation",
    "stepIn": "into a region or a function, with regions as targets",
    "terminateThreads": "processes of a grid need each other",
    "terminate": "ends the program, for all that are attached to it",
    "threads": "the processes of the grid, by the axes of its mesh",
    "variables": "tensors in parts, with statistics",
    "writeMemory": "setVariable sets elements",
}
VIEW_NOTES = {
    "shlo/timeline": "positions in columns: depth, breakpoints, rounds of the loop; the last stops",
    "shlo/goTo": "goes to a position, and stops there",
    "shlo/grid": "processes in the order of their mesh: who waits for whom, who is to blame",
    "shlo/selectThread": "a `stopped` event for the thread, so that the client shows it",
    "shlo/graph": "the program as a graph, unless it is `known`; the line of the frame",
    "shlo/tensors": "types and shapes of expressions, the tensor that the last step bound, kept ones",
    "shlo/tensor": "a pooled part of a plane of a tensor, or of its difference to an `other` one",
    "shlo/keep": "keeps a tensor as it is: a name that the other requests take",
    "shlo/forget": "",
}
EVENT_NOTES = {
    "exited": "0, or 1 where the program failed",
    "invalidated": "behind a change in another future, for clients that know it",
    "output": "what the program prints, texts of log points, results, with the line that they come from",
    "progressStart": "for clients that show progress, of moves that take more than half a second",
}

ATTACHING = """\
## Attaching

An editor attaches to a session that runs in a terminal, or in a Python process:

```text
shlo debug model.mlir x.npy --listen 127.0.0.1:0
```

```python
shlo.debug(f, *args, listen="127.0.0.1:0")
```

Both say `listening on 127.0.0.1:PORT, token TOKEN`; port 0 takes any free one. The terminal's
debugger keeps its screen; the call in Python waits, without one, until a client terminates the
program. One thread owns the session, and whoever moves it, all see where it is: several editors may
be attached. `pause` ends what another one runs. A client that disconnects takes its breakpoints
with it and leaves the session where it is; `terminate`, or `disconnect` with `terminateDebuggee`,
ends the program.

An attach request has `port`, `token`, and `host` (127.0.0.1, unless it says otherwise). Editors that
start `shlo dap` send it there, and it speaks with the debugger for them; it finds the token itself where
the debugger runs as the same user of the same machine. Editors that connect to a port by themselves (a
`server` adapter of nvim-dap, `port` in dape) connect to that of the debugger, and name the token.

`shlo dap --listen 127.0.0.1:0` serves editors that connect to a port, with the token in their launch
request; each connection has a session of its own, which ends with it.

Who can connect can run programs as you, so there are three walls. Only the loopback interface is
listened on (`ssh -L` brings the port of another machine to yours). Nothing is answered before the token,
which is new with each listener, is printed, and is kept in a file that you alone can read. And what is
no message of this protocol, such as a request of a web page or of a WebSocket, ends the connection and
is named on the listener's side.

### Beside a debugger of Python

A debugger of Python, such as debugpy in VS Code, and ours work in one process: each has a session of
its own in the editor. Step over `shlo.debug(f, *args, listen="127.0.0.1:5679")`; the call says that it
listens, and the editor attaches to it. Both are stepped, the program some milliseconds a step slower
than alone, and `terminate` of ours lets the call return, behind which the step of Python ends. While
Python is paused (its `pause` takes effect at our next request), the thread of the call does nothing and
our requests wait until Python goes on.
"""


def page() -> str:
    """The whole page."""
    ours = capabilities_of({name: each for name, each in KNOWN.items() if each is not None})
    return "\n".join(
        [
            "# The debug adapter and the protocol",
            "",
            "<!-- Written by docs/generate_dap.py. -->",
            "",
            f"`shlo dap` speaks the [Debug Adapter Protocol]({PROTOCOL}) on standard",
            "input and output, or on a port of this machine. VS Code starts it with [our",
            "extension](vscode-debugging.md); what other editors need is below.",
            "",
            *_setups(),
            "## Launching",
            "",
            "A launch names the `program` (text, bytecode, an artifact of `jax.export`, a recording) and",
            "its `args`: files of arrays, literals and options, as on the command line of `shlo debug`.",
            "`stopOnEntry` (true, unless it says otherwise) stops before the first operation, `noDebug`",
            "runs the program to its end. Options have names, too:",
            "",
            "| attribute | option of `shlo debug` |",
            "|---|---|",
            *(f"| `{name}` | `{option}` |" for name, option in OPTIONS.items()),
            "",
            ATTACHING,
            "## Exceptions",
            "",
            "| filter | stops | condition |",
            "|---|---|---|",
            *map(_filter, FILTERS),
            "",
            "## Requests",
            "",
            *_table(sorted({*ARGUMENTS, *UNANSWERED}.difference(OF_CLIENTS)), KNOWN, NOTES),
            "## Requests of views",
            "",
            "What the panels of VS Code ask for, only while they are visible. Answers have limits, whatever",
            "the length of the run; clients may call the requests, too.",
            "",
            "| | arguments | |",
            "|---|---|---|",
            *(_view(name, request) for name, request in VIEWS.items()),
            "",
            "## Events",
            "",
            *_table(sorted({*EVENTS, *UNSENT}), get_args(EventName), EVENT_NOTES),
            "## Capabilities",
            "",
            *_table(sorted({*get_type_hints(Capabilities), *NO_CAPABILITIES}), ours, {}),
        ]
    )


def _filter(each: ExceptionBreakpointsFilter) -> str:
    condition = "yes" if each.get("supportsCondition") else "-"
    return f"| {each['label']} | {each.get('description', '')} | {condition} |"


def _view(name: str, request: Request) -> str:
    arguments: Any = request.arguments
    known = get_type_hints(arguments)
    required = arguments.__required_keys__ if is_typeddict(arguments) else frozenset[str]()
    shown = ", ".join(f"`{key}`" if key in required else f"`[{key}]`" for key in known)
    return f"| `{name}` | {shown} | {VIEW_NOTES[name]} |"


def _setups() -> Iterator[str]:
    yield from (
        "## Editors",
        "",
        "Neovim, with [nvim-dap](https://github.com/mfussenegger/nvim-dap):",
        "",
        "```lua",
        'local dap = require("dap")',
        'dap.adapters.shlo = { type = "executable", command = "shlo", args = { "dap" } }',
        "dap.configurations.mlir = {",
        '  { type = "shlo", request = "launch", name = "StableHLO", program = "${file}", random = 0 },',
        "}",
        'dap.defaults.shlo.exception_breakpoints = { "failure", "deadlock" }'
        ' -- "nan", "infinity", "overflow", "finding"',
        'dap.defaults.shlo.stepping_granularity = "instruction" -- "statement" steps by lines of Python',
        "```",
        "",
        "Emacs, with [dape](https://github.com/svaante/dape):",
        "",
        "```elisp",
        "(add-to-list 'dape-configs",
        '             \'(shlo modes (shlo-mode mlir-mode) command "shlo" command-args ("dap")',
        '                    :type "shlo" :request "launch" :program dape-buffer-default :random 0))',
        "```",
        "",
        "Helix, in `languages.toml`:",
        "",
        "```toml",
        "[language.debugger]",
        'name = "shlo"',
        'transport = "stdio"',
        'command = "shlo"',
        'args = ["dap"]',
        "",
        "[[language.debugger.templates]]",
        'name = "launch"',
        'request = "launch"',
        'completion = [{ name = "program", completion = "filename" }]',
        'args = { program = "{0}", random = 0 }',
        "```",
        "",
        "Tests walk through programs with nvim-dap in Neovim 0.11 and with dape in Emacs 30, set up as",
        "above. The plugins are in no registry that the tests may use, so that these run where `NVIM_DAP`",
        "and `DAPE` name checkouts. The set-up of Helix is written after its documentation and was not run;",
        "Zed was not tried.",
        "Other tests drive the adapter with a client of their own, with the one that VS Code's adapters are",
        "tested with, and in VS Code.",
        "",
    )


def _table(names: Iterable[str], known: Iterable[str], notes: dict[str, str]) -> Iterator[str]:
    ours = frozenset(known)
    yield "| | shlo | |"
    yield "|---|---|---|"
    for name in sorted(names):
        yield f"| `{name}` | {'yes' if name in ours else '-'} | {notes.get(name, '')} |"
    yield ""


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8", newline="\n")
