"""Conversations with the servers, each with a process of its own, by changed messages."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

Message = dict[str, Any]

PATIENCE_S: Final = 60
"""How long a server may take for a conversation."""
QUIET_S: Final = 3
"""How long a server that has not answered all may be at one message."""
BETWEEN: Final = re.compile(rb"Content-Length: \d+\r\n(?:Content-Type: [^\r]*\r\n)?\r\n|\n")
"""What is between two messages of a server, which are JSON on a line."""

PROGRAM: Final = """\
func.func @main(%x: tensor<3xf32>, %i: tensor<i32>) -> tensor<3xf32> {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %r:2 = stablehlo.while(%k = %i, %a = %x) : tensor<i32>, tensor<3xf32>
    cond {
      %t = stablehlo.compare LT, %k, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %t : tensor<i1>
    } do {
      %n = stablehlo.add %k, %one : tensor<i32>
      %b = stablehlo.log %a : tensor<3xf32>
      stablehlo.return %n, %b : tensor<i32>, tensor<3xf32>
    }
  return %r#1 : tensor<3xf32>
}
"""
PATH: Final = "program.mlir"
"""Where the program is, in the folder in which a server is started."""


class Protocol(NamedTuple):
    """A server: its words on the command line, how a message is framed, valid conversations, what ends one, and how
    many changed ones follow each other in one process.
    """

    name: str
    command: tuple[str, ...]
    framed: Callable[[bytes], bytes]
    conversations: Callable[[], list[list[Any]]]
    end: tuple[Message, ...]
    turns: int


def with_length(body: bytes) -> bytes:
    """Returns a message as the protocols of editors frame it."""
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


def on_a_line(body: bytes) -> bytes:
    """Returns a message as the protocol of agents frames it."""
    return body + b"\n"


def held(protocol: Protocol, messages: list[Any]) -> tuple[str, int]:
    """Has a conversation with a server; returns how it ended and how many answers it gave. Raises AssertionError
    where it does not end by itself, or says anything of a fault of its own.
    """
    bodies = [json.dumps(message).encode() for message in (*messages, *protocol.end)]
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, PATH).write_text(PROGRAM, encoding="utf-8")
        command = [sys.executable, "-m", "shlo", *protocol.command]
        out, err = Path(folder, "out"), Path(folder, "err")
        with (
            out.open("wb") as answers,
            err.open("wb") as errors,
            subprocess.Popen(
                command, cwd=folder, stdin=subprocess.PIPE, stdout=answers, stderr=errors
            ) as server,
        ):
            feeder = threading.Thread(target=_feed, args=(server, map(protocol.framed, bodies), out))
            feeder.start()
            try:
                server.wait(PATIENCE_S)
            except subprocess.TimeoutExpired:
                server.kill()
                raise AssertionError("it does not end") from None
            finally:
                feeder.join()
        said, answered = err.read_text("utf-8", "replace"), out.read_bytes()
    assert "Traceback" not in said, said[-600:]
    assert b"internal error" not in answered.lower(), answered[-600:]
    assert server.returncode in (0, 1, 2), f"exit code {server.returncode}: {said[-300:]}"
    return f"exit code {server.returncode}", sum(map(_is_answer, filter(None, BETWEEN.split(answered))))


def _is_answer(body: bytes) -> bool:
    message = json.loads(body)
    return "request_seq" in message or ("id" in message and "method" not in message)


def _feed(server: subprocess.Popen[bytes], messages: Iterable[bytes], answers: Path) -> None:
    """Gives a server all messages, and ends its input once it ends or answers nothing more: at the end of its
    input a server drops what it is at."""
    stdin = server.stdin
    assert stdin is not None
    with suppress(BrokenPipeError):
        for message in messages:
            stdin.write(message)
        stdin.flush()
        size = -1
        while server.poll() is None and size != (size := answers.stat().st_size):
            with suppress(subprocess.TimeoutExpired):
                server.wait(QUIET_S)
    with suppress(BrokenPipeError):  # it may have ended before it read all
        stdin.close()


# --- the Language Server Protocol ---


def _lsp() -> list[list[Any]]:
    uri, at = "file:///w/program.mlir", {"line": 6, "character": 12}
    document = {"uri": uri}
    everywhere = {"start": {"line": 0, "character": 0}, "end": {"line": 12, "character": 0}}
    requests: list[tuple[str, Message]] = [
        *((f"textDocument/{name}", {"position": at}) for name in AT_A_PLACE),
        ("textDocument/references", {"position": at, "context": {"includeDeclaration": True}}),
        ("textDocument/rename", {"position": at, "newName": "y"}),
        ("textDocument/codeAction", {"range": everywhere, "context": {"diagnostics": []}}),
        ("textDocument/semanticTokens/range", {"range": everywhere}),
        ("textDocument/inlayHint", {"range": everywhere}),
        *((f"textDocument/{name}", {}) for name in OF_A_TEXT),
        ("textDocument/formatting", {"options": {"tabSize": 2, "insertSpaces": True}}),
        ("workspace/symbol", {"query": "main"}),
    ]
    edit = {"range": {"start": at, "end": {"line": 6, "character": 14}}, "text": "%q"}
    opened = {"uri": uri, "languageId": "mlir", "version": 1, "text": PROGRAM}
    return [
        [
            _call(0, "initialize", {"processId": None, "rootUri": None, "capabilities": {}}),
            _call(None, "initialized", {}),
            _call(None, "textDocument/didOpen", {"textDocument": opened}),
            *(
                _call(number, method, {"textDocument": document} | fields)
                for number, (method, fields) in enumerate(requests, 1)
            ),
            _call(
                None,
                "textDocument/didChange",
                {"textDocument": document | {"version": 2}, "contentChanges": [edit]},
            ),
            _call(100, "textDocument/hover", {"textDocument": document, "position": at}),
            _call(101, "workspace/executeCommand", {"command": "shlo.fixAll", "arguments": [uri]}),
            _call(None, "textDocument/didClose", {"textDocument": document}),
        ]
    ]


AT_A_PLACE: Final = (
    *("hover", "definition", "documentHighlight", "prepareRename", "completion", "signatureHelp"),
)
OF_A_TEXT: Final = ("documentSymbol", "foldingRange", "semanticTokens/full", "codeLens", "diagnostic")


def _call(number: int | None, method: str, params: Message) -> Message:
    message: Message = {"jsonrpc": "2.0", "method": method, "params": params}
    return message if number is None else message | {"id": number}


# --- the Debug Adapter Protocol ---


def _dap() -> list[list[Any]]:
    source = {"source": {"path": PATH}}
    requests: list[tuple[str, Message]] = [
        ("initialize", {"adapterID": "shlo", "linesStartAt1": True, "columnsStartAt1": True}),
        ("launch", {"program": PATH, "args": ["[1, -1, 2]", "0"], "stopOnEntry": True}),
        (
            "setBreakpoints",
            {**source, "breakpoints": [{"line": 8, "condition": "%k > 0", "hitCondition": "1"}]},
        ),
        ("setFunctionBreakpoints", {"breakpoints": [{"name": "main"}]}),
        ("setExceptionBreakpoints", {"filters": ["nonfinite"]}),
        ("configurationDone", {}),
        ("threads", {}),
        ("stackTrace", {"threadId": 1, "startFrame": 0, "levels": 20}),
        ("scopes", {"frameId": 1}),
        ("variables", {"variablesReference": 1, "start": 0, "count": 10}),
        ("next", {"threadId": 1}),
        ("stepIn", {"threadId": 1}),
        ("stepBack", {"threadId": 1}),
        ("evaluate", {"expression": "%x + 1", "context": "repl"}),
        ("evaluate", {"expression": "print %x", "context": "repl"}),
        ("setVariable", {"variablesReference": 1, "name": "%x", "value": "[1, 2, 3]"}),
        ("completions", {"text": "pri", "column": 4}),
        ("breakpointLocations", {**source, "line": 1, "endLine": 12}),
        ("goto", {"threadId": 1, "targetId": 1}),
        ("continue", {"threadId": 1}),
        ("pause", {"threadId": 1}),
        ("exceptionInfo", {"threadId": 1}),
    ]
    return [
        [
            {"seq": number, "type": "request", "command": command, "arguments": fields}
            for number, (command, fields) in enumerate(requests, 1)
        ]
    ]


# --- the Model Context Protocol ---


def _mcp() -> list[list[Any]]:
    from shlo_mcp.server import NAMES

    client = {"name": "c", "version": "1"}
    start = [
        _call(0, "initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client}),
        _call(None, "notifications/initialized", {}),
        _call(1, "tools/list", {}),
    ]
    tools = list(NAMES)
    return [
        [
            *start,
            _call(2, "tools/call", {"name": tool, "arguments": {"program": PROGRAM, "file": PATH}}),
            _call(3, "tools/call", {"name": tools[0], "arguments": {"program": 7}}),
        ]
        for tool in tools
    ]


PROTOCOLS: Final = (
    Protocol(
        *("lsp", ("lsp",), with_length, _lsp),
        end=(_call(999, "shutdown", {}), _call(None, "exit", {})),
        turns=40,
    ),
    Protocol(
        *("dap", ("dap",), with_length, _dap),
        end=({"seq": 999, "type": "request", "command": "disconnect", "arguments": {}},),
        turns=60,
    ),
    Protocol(*("mcp", ("mcp", "--seconds", "20"), on_a_line, _mcp), end=(), turns=60),
)
