"""Conversations with a kernel of Jupyter, by changed messages."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any, Final, cast
from unittest.mock import patch

from tests.hardening.conversations import PATIENCE_S, PROGRAM, Message


def conversations() -> list[list[Any]]:
    """Returns valid conversations: cells, questions of editors, widgets and the debugger's panel."""
    cell = {"silent": False, "store_history": True, "user_expressions": {}, "allow_stdin": False}
    cells = (
        PROGRAM,
        "%x = stablehlo.iota dim = 0 : tensor<3xf32>",
        "%run @main([1, -1, 2], 0)",
        "%step @main(zeros)",
    )
    debugger = {"seq": 1, "type": "request", "command": "initialize", "arguments": {"adapterID": "shlo"}}
    requests: list[tuple[str, str, Message]] = [
        *(("shell", "execute_request", cell | {"code": code, "stop_on_error": False}) for code in cells),
        ("shell", "complete_request", {"code": "%y = stablehlo.ad", "cursor_pos": 17}),
        ("shell", "inspect_request", {"code": "stablehlo.add", "cursor_pos": 5, "detail_level": 0}),
        ("shell", "is_complete_request", {"code": "func.func @f() {"}),
        ("shell", "history_request", {"output": False, "raw": True, "hist_access_type": "tail", "n": 5}),
        ("shell", "comm_info_request", {"target_name": "jupyter.widget"}),
        ("shell", "comm_open", {"comm_id": "c", "target_name": "jupyter.widget", "data": {"state": {}}}),
        ("shell", "comm_msg", {"comm_id": "c", "data": {"method": "custom", "content": {"key": "n"}}}),
        ("shell", "comm_close", {"comm_id": "c", "data": {}}),
        ("control", "debug_request", debugger),
        ("control", "interrupt_request", {}),
    ]
    return [
        [{"channel": channel, "msg_type": kind, "content": content} for channel, kind, content in requests]
    ]


TURNS: Final = 20
"""How many changed conversations a kernel has."""


@contextmanager
def kernel(errors: IO[bytes]) -> Iterator[Any]:
    """Yields a client of a new kernel, whose standard error goes to a file."""
    from jupyter_client.manager import KernelManager

    from shlo_kernel.install import NAME, install

    names = ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR")
    with tempfile.TemporaryDirectory() as folder, patch.dict(os.environ, dict.fromkeys(names, folder)):
        install()
        manager = KernelManager(kernel_name=NAME)
        manager.start_kernel(stderr=errors, stdout=errors)
        client = manager.blocking_client()
        client.start_channels()
        try:
            client.wait_for_ready(timeout=PATIENCE_S)
            yield client
        finally:
            client.stop_channels()
            manager.shutdown_kernel(now=True)


def held(messages: list[Any]) -> tuple[str, int]:
    """Sends messages to a kernel; returns that it still answers, and how many of them it answered. Raises
    AssertionError where it does not, or says anything of a fault of its own.
    """
    with tempfile.TemporaryFile() as errors, kernel(errors) as client:
        sent: set[str] = set()
        for message in messages:
            fields = cast("dict[str, Any]", message) if isinstance(message, dict) else {"content": message}
            channel = "control" if fields.get("channel") == "control" else "shell"
            content = fields.get("content")
            given = content if isinstance(content, (dict, str)) else {"content": content}
            sent.add(_send(client, channel, str(fields.get("msg_type")), given))
        count = 0
        for channel in ("shell", "control"):
            last, receive = _send(client, channel, "kernel_info_request", {}), f"get_{channel}_msg"
            while (of := getattr(client, receive)(timeout=PATIENCE_S)["parent_header"].get("msg_id")) != last:
                count += of in sent
        errors.seek(0)
        said = errors.read().decode("utf-8", "replace")
    own = [line for line in said.splitlines() if "/shlo" in line and line.lstrip().startswith("File ")]
    assert not own, said[-800:]
    assert "internal error" not in said, said[-800:]
    return "answers", count


def _send(client: Any, channel: str, kind: str, content: Any) -> str:
    """Sends a message on a channel; returns its identity."""
    message = client.session.msg(kind)
    message["content"] = content
    getattr(client, f"{channel}_channel").send(message)
    return message["msg_id"]
