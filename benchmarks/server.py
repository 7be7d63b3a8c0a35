"""How long the language server takes to answer, over stdio, in a function of 20,000 operations.

    python benchmarks/server.py [--rounds N]

Wall-clock times, to be taken on a machine that has nothing else to do; on Linux also the server's processor
time for each round, which another program does not change much. The goals (95th percentile): from an edit to
its first findings, those of the parser, under 150 ms and to all of them under 400 ms, hover under 50 ms, also
right behind an edit while its findings are being computed; a file of 12 MB under 4 s from opening to its
findings and the colours of what is visible.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import random
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from queue import Queue
from typing import Any

import language as service

from shlo.ir.source import Source, Span

URI = "file:///benchmark.mlir"
Data = dict[str, Any]


class Client:
    """A language client: what it sends, and the answers with the time of their arrival."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "shlo", "lsp"]
        folder = Path(__file__).parents[1]
        self.server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=folder)
        self.numbers = itertools.count(1)
        self.messages: Queue[tuple[float, Data]] = Queue()
        self.waiting: list[tuple[float, Data]] = []
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        output = self.server.stdout
        assert output is not None
        while header := output.readline():
            length = int(header.partition(b":")[2])
            while output.readline().strip():
                pass
            body = output.read(length)
            self.messages.put((time.perf_counter(), json.loads(body)))

    def notify(self, method: str, params: Data) -> float:
        """Sends a notification and gives the time."""
        return self._send({"method": method, "params": params})

    def request(self, method: str, params: Data) -> tuple[float, Any]:
        """Sends a request; gives the seconds until its answer, and that."""
        number = next(self.numbers)
        sent = self._send({"id": number, "method": method, "params": params})
        arrived, message = self.wait(lambda each: each.get("id") == number)
        if "error" in message:
            raise RuntimeError(message["error"])
        return arrived - sent, message.get("result")

    def wait(self, wanted: Callable[[Data], bool]) -> tuple[float, Data]:
        """Returns the first message of a kind, and when it arrived; others are kept."""
        for index, (_, message) in enumerate(self.waiting):
            if wanted(message):
                return self.waiting.pop(index)
        while True:
            arrived, message = self.messages.get(timeout=120)
            if wanted(message):
                return arrived, message
            self.waiting.append((arrived, message))

    def findings_of(self, version: int) -> tuple[float, int]:
        """Returns when the findings of a version arrived, and how many they are."""
        arrived, message = self.wait(
            lambda each: (
                each.get("method") == "textDocument/publishDiagnostics"
                and each["params"].get("version") == version
            )
        )
        return arrived, len(message["params"]["diagnostics"])

    def verified(self, arrived: float) -> float:
        """Returns when the last findings of the newest version arrived; the first ones did at `arrived`."""
        self.request("textDocument/foldingRange", {"textDocument": {"uri": URI}})
        for index, (later, message) in enumerate(self.waiting):
            if message.get("method") == "textDocument/publishDiagnostics":
                del self.waiting[index]
                return later
        return arrived

    def _send(self, message: Data) -> float:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        stdin = self.server.stdin
        assert stdin is not None
        now = time.perf_counter()
        stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        stdin.flush()
        return now

    def start(self) -> float:
        """Shakes hands; gives the seconds that it takes."""
        seconds, _ = self.request(
            "initialize",
            {
                "processId": None,
                "rootUri": None,
                "capabilities": {"general": {"positionEncodings": ["utf-16"]}},
            },
        )
        self.notify("initialized", {})
        return seconds

    def open(self, text: str) -> float:
        document = {"uri": URI, "languageId": "mlir", "version": 0, "text": text}
        return self.notify("textDocument/didOpen", {"textDocument": document})

    def close(self) -> None:
        self.notify("textDocument/didClose", {"textDocument": {"uri": URI}})

    def cpu(self) -> float:
        """Returns the seconds of processor time that the server has taken, 0 where the system does not
        tell."""
        try:
            fields = Path(f"/proc/{self.server.pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            return 0.0
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def stop(self) -> None:
        self.request("shutdown", {})
        self.notify("exit", {})
        self.server.wait()


class Editor:
    """A text in a client, edited there and back."""

    def __init__(self, client: Client, text: str) -> None:
        self.client, self.text, self.version = client, text, 0
        client.open(text)
        client.findings_of(0)
        self.lines = Source(text).line_starts

    def place(self, offset: int) -> Data:
        line = Source.line_of(_Starts(self.lines), offset) - 1  # type: ignore[arg-type]
        return {"line": line, "character": offset - self.lines[line]}

    def edit(self, span: Span, text: str, tail: Data | None = None) -> float:
        """Sends an edit and gives the time."""
        self.version += 1
        end = tail or self.place(span.end)
        change = {"range": {"start": self.place(span.start), "end": end}, "text": text}
        document = {"uri": URI, "version": self.version}
        return self.client.notify(
            "textDocument/didChange", {"textDocument": document, "contentChanges": [change]}
        )

    def undo(self, edit: service.Edit) -> float:
        """Takes an edit back that was sent just before."""
        assert edit.span is not None
        start = self.place(edit.span.start)
        rows = edit.text.split("\n")
        column = len(rows[-1]) + (start["character"] if len(rows) == 1 else 0)
        end = {"line": start["line"] + len(rows) - 1, "character": column}
        return self.edit(edit.span._replace(end=edit.span.start), self.text[slice(*edit.span)], end)

    def hover(self, offset: int) -> float:
        params = {"textDocument": {"uri": URI}, "position": self.place(offset)}
        seconds, answer = self.client.request("textDocument/hover", params)
        if answer is None:
            raise RuntimeError("a hover without an answer")
        return seconds


class _Starts:
    def __init__(self, line_starts: list[int]) -> None:
        self.line_starts = line_starts


def measure_edits(
    editor: Editor, rounds: int, make: Callable[..., Iterator[service.Edit]], verified: list[float]
) -> list[float]:
    """Returns the seconds from each edit, and from each undoing, to its first findings; to all of them in
    `verified`.
    """
    times: list[float] = []
    for edit, _ in zip(make(editor.text, random.Random(7)), range(rounds)):
        for sent in _there_and_back(editor, edit):
            arrived, _ = editor.client.findings_of(editor.version)
            times.append(arrived - sent)
            verified.append(editor.client.verified(arrived) - sent)
    return times


def _there_and_back(editor: Editor, edit: service.Edit) -> Iterator[float]:
    """Sends an edit, and when its findings are there its undoing; gives the time of each."""
    yield editor.edit(edit.span, edit.text)
    yield editor.undo(edit)


def measure_hovers(editor: Editor, rounds: int, is_idle: bool) -> list[float]:
    """Returns the seconds of hovers, with findings computed before or while they are."""
    chance = random.Random(9)
    uses = service.lines_in(editor.text, r"stablehlo.add (%\w+)")
    times: list[float] = []
    for edit, _ in zip(service.literals(editor.text, chance), range(rounds)):
        editor.edit(edit.span, edit.text)
        if is_idle:
            editor.client.findings_of(editor.version)
        times.append(editor.hover(chance.choice(uses).start(1) + 1))
        editor.undo(edit)
        editor.client.findings_of(editor.version)
    return times


def open_large(client: Client, text: str) -> None:
    """Opens a file; prints when its findings and the colours of its middle arrive, asked for at once."""
    sent = client.open(text)
    line = text.count("\n") // 2
    range_ = {"start": {"line": line, "character": 0}, "end": {"line": line + 50, "character": 0}}
    colours, answer = client.request(
        "textDocument/semanticTokens/range", {"textDocument": {"uri": URI}, "range": range_}
    )
    findings = client.findings_of(0)[0] - sent
    verdict = "" if max(findings, colours) <= service.OPEN_GOAL else f"  over {service.OPEN_GOAL:.0f} s"
    shown = f"{len(text) / 1e6:.1f} MB opened: {len(answer['data']) // 5} colours after {colours:.2f} s"
    print(f"{shown}, findings after {findings:.2f} s{verdict}")


def report(client: Client, what: str, goal: float, measure: Callable[[], list[float]]) -> None:
    """Measures, and prints the times and the server's processor time for each."""
    before = client.cpu()
    times = measure()
    service.report(what, times, goal)
    print(f"{'':24} cpu {(client.cpu() - before) / len(times) * 1000:7.1f} ms")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=30)
    options = parser.parse_args()
    client = Client()
    print(f"started in {client.start():.2f} s")
    editor = Editor(client, service.program(service.OPERATIONS))
    for what, make in service.EDITS.items():
        verified: list[float] = []
        measure = partial(measure_edits, editor, options.rounds, make, verified)
        report(client, what, service.EDIT_GOAL, measure)
        service.report("  verified", verified, service.VERIFICATION_GOAL)
    for what, is_idle in (("hover when idle", True), ("hover behind an edit", False)):
        report(client, what, service.HOVER_GOAL, partial(measure_hovers, editor, options.rounds, is_idle))
    client.close()
    open_large(client, service.program(service.LARGE // 60))
    client.stop()


if __name__ == "__main__":
    main()
