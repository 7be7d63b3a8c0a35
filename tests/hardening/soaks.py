"""Soaks: what lasts long, what comes all at once, and faults of the machine. `python -m tests.hardening.soaks [SOAK ...]
[--scale S] [--record]`.

Nothing may be lost: no answer, no result, no file that was there before. `--record` writes the figures to
tests/hardening/soaks.json, which docs/how-we-know.md shows.
"""

from __future__ import annotations

import argparse
import asyncio
import datetime
import json
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, NamedTuple

import shlo
from tests.hardening import faults, kernels
from tests.hardening.conversations import PROGRAM, Message, with_length
from tests.hardening.faults import Row

FIGURES: Final = Path(__file__).with_name("soaks.json")
SEED: Final = 20261128
LEFT_S: Final = 1200.0
"""How long a server may take for what was sent to it, unpaced."""


class Soak(NamedTuple):
    """What is done, and how often at full scale."""

    title: str
    work: Callable[[int, random.Random], Row]
    count: int


def keys(count: int, rng: random.Random) -> Row:
    """Presses random keys over programs and grids; where the session ends is where a fresh run is."""
    from tests.tui.soak import drive, subjects

    lost: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        chosen = subjects(Path(folder))
        for subject in chosen:
            try:
                asyncio.run(drive(subject, count // len(chosen), rng.randrange(1 << 30)))
            except Exception as error:
                lost.append(f"{subject.file.name}: {type(error).__name__}: {error}")
    return Row(count, lost)


def cells(count: int, rng: random.Random) -> Row:
    """Executes cells of a kernel, some of them wrong, all sent at once; each has the answer that it is to have."""
    lost: list[str] = []
    with tempfile.TemporaryFile() as errors, kernels.kernel(errors) as client:
        wanted = {client.execute(PROGRAM, stop_on_error=False): "ok"}
        for number in range(count - 1):
            code, status = rng.choice(
                (
                    (f"%v{number} = stablehlo.iota dim = 0 : tensor<3xf32>", "ok"),
                    ("%run @main([1, -1, 2], 0)", "ok"),
                    ("%w = stablehlo.ad %v : tensor<3xf32>", "error"),
                    ("%no_such_magic", "error"),
                )
            )
            wanted[client.execute(code, stop_on_error=False)] = status
        while wanted:
            try:
                reply = client.get_shell_msg(timeout=LEFT_S)
            except Exception as error:
                return Row(count, [*lost, f"{len(wanted)} cells without an answer: {error!r}"])
            status = wanted.pop(reply["parent_header"].get("msg_id"), reply["content"]["status"])
            if status != reply["content"]["status"]:
                lost.append(f"expected {status}, got {reply['content']}")
    return Row(count, lost)


def edits(count: int, rng: random.Random) -> Row:
    """Edits a text without a pause; the server holds then what the client has, and answers about that."""
    uri, again = "file:///w/edited.mlir", "file:///w/fresh.mlir"
    text, sent = PROGRAM, bytearray()
    for version in range(1, count + 1):
        text, change = _edit(text, rng)
        document = {"uri": uri, "version": version}
        sent += _message(
            None, "textDocument/didChange", {"textDocument": document, "contentChanges": [change]}
        )
    ask = "textDocument/semanticTokens/full"
    started = [
        _message(0, "initialize", {"processId": None, "rootUri": None, "capabilities": {}}),
        _message(None, "initialized", {}),
        _message(None, "textDocument/didOpen", {"textDocument": _document(uri, PROGRAM)}),
        bytes(sent),
        _message(1, ask, {"textDocument": {"uri": uri}}),
        _message(None, "textDocument/didOpen", {"textDocument": _document(again, text)}),
        _message(2, ask, {"textDocument": {"uri": again}}),
    ]
    answers = _answers_to(b"".join(started), {1, 2})
    tokens = [answers.get(number, {}).get("result", {}) for number in (1, 2)]
    data = [each.get("data") if each else None for each in tokens]
    lost = (
        [] if data[0] is not None and data[0] == data[1] else [f"another text after {count} edits: {answers}"]
    )
    return Row(count, lost)


def _edit(text: str, rng: random.Random) -> tuple[str, dict[str, Any]]:
    """Returns a text with a line, or a part of one, inserted, replaced or removed, and the change of it."""
    lines = text.split("\n")
    row = rng.randrange(len(lines))
    first = rng.randrange(len(lines[row]) + 1)
    last = min(first + rng.choice((0, 0, 1, 3)), len(lines[row]))
    new = rng.choice(("", "", "x", "%y", " ", "tensor<3xf32>", "\n")) if len(lines) < 60 else ""
    if len(lines) >= 60 or (rng.random() < 0.02 and row + 1 < len(lines)):
        end = {"line": min(row + 1, len(lines) - 1), "character": 0}
        start = {"line": row, "character": 0}
        kept = [*lines[:row], *lines[row + 1 :]] if row + 1 < len(lines) else lines
        return "\n".join(kept), {"range": {"start": start, "end": end}, "text": ""}
    changed = lines[row][:first] + new + lines[row][last:]
    place = {"start": {"line": row, "character": first}, "end": {"line": row, "character": last}}
    return "\n".join([*lines[:row], changed, *lines[row + 1 :]]), {"range": place, "text": new}


def _document(uri: str, text: str) -> dict[str, Any]:
    return {"uri": uri, "languageId": "mlir", "version": 0, "text": text}


def _message(number: int | None, method: str, params: Message) -> bytes:
    message: Message = {"jsonrpc": "2.0", "method": method, "params": params}
    return with_length(json.dumps(message if number is None else message | {"id": number}).encode())


def _answers_to(sent: bytes, wanted: set[int]) -> dict[int, Any]:
    """Sends all to a language server; returns its answers by number, once it has given those that are wanted."""
    answers: dict[int, Any] = {}
    command = [sys.executable, "-m", "shlo", "lsp"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        timer = threading.Timer(LEFT_S, server.kill)
        timer.start()
        writer = threading.Thread(target=lambda: (server.stdin.write(sent), server.stdin.flush()))  # type: ignore[union-attr]
        writer.start()
        while not wanted <= answers.keys() and (header := server.stdout.readline()):
            length = int(header.split(b":")[1])
            while server.stdout.readline() != b"\r\n":
                pass
            message = json.loads(server.stdout.read(length))
            if "id" in message and "method" not in message:
                answers[message["id"]] = message
        timer.cancel()
        server.kill()
        writer.join()
    return answers


SOAKS: Final = {
    "keys": Soak("keys, commands and clicks on the debugger's screen", keys, 20_000),
    "cells": Soak("cells of a kernel, sent at once, some of them wrong", cells, 2_000),
    "edits": Soak("edits of a text, sent to the language server without a pause", edits, 100_000),
    "parallel": Soak("runs at the same time", faults.side_by_side, 100),
    "memory": Soak("commands with 400 to 1,500 MiB of address space", faults.low_memory, 200),
    "files": Soak("commands that may have 12 to 40 files open", faults.few_files, 200),
    "disk": Soak("commands on a disk that is full after 0 to 2,000 bytes", faults.full_disk, 200),
    "forks": Soak("commands while 70 % of all forks fail", faults.failing_forks, 200),
    "clock": Soak("commands while the time of day jumps by years", faults.jumping_clock, 200),
    "interrupts": Soak("Control-C at random instants, over all commands", faults.interrupts, 1_000),
}


def main() -> int:
    """Does soaks one after the other; returns 1 where something is lost."""
    parser = argparse.ArgumentParser(prog="python -m tests.hardening.soaks", description=__doc__)
    parser.add_argument("soaks", nargs="*", choices=[*SOAKS, []], help="default: all")
    parser.add_argument("--scale", type=float, default=1.0, help="how much of the full size (default: 1)")
    parser.add_argument("--seed", type=int, default=SEED, help=f"default: {SEED}")
    parser.add_argument("--record", action="store_true", help=f"write the figures to {FIGURES.name}")
    options = parser.parse_args()
    losses = 0
    for name in options.soaks or list(SOAKS):
        soak, start = SOAKS[name], time.monotonic()
        row = soak.work(max(round(soak.count * options.scale), 1), random.Random(options.seed))
        losses += len(row.lost)
        for text in row.lost:
            print(f"{name}: {text}", flush=True)
        figures = {
            "what": soak.title,
            "count": row.count,
            "lost": len(row.lost),
            "minutes": round((time.monotonic() - start) / 60, 1),
            "version": shlo.__version__,
            "date": datetime.date.today().isoformat(),
        }
        print(f"{name}: {figures}", flush=True)
        if options.record:
            former = json.loads(FIGURES.read_text("utf-8")) if FIGURES.exists() else {}
            FIGURES.write_text(json.dumps(former | {name: figures}, indent=2) + "\n", "utf-8", newline="\n")
    print(f"{losses} lost")
    return 1 if losses else 0


if __name__ == "__main__":
    sys.exit(main())
