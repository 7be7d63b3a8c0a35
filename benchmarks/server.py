"""How long the language server takes to answer, over stdio, in functions of 16,700 to 117,000 lines.

    python benchmarks/server.py [FILE ...] [--rounds N]

Without a FILE programs are made. For each row: wall-clock times, to be taken on a machine that has nothing
else to do, and on Linux the server's processor time until each answer, which another program does not change
much. The bars are 95th percentiles: those of the smallest, the middle and the largest program. A row "behind
an edit" asks at once after a change; its time includes that the changed text is read. Ends with exit code 1
where a wall-clock time is over its bar.

Most of the time is spent on waiting until nothing comes any more: 40 rounds take some 20 minutes for the
largest program on a busy machine, so each row is also written to standard error as soon as it is there.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import random
import re
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from queue import Empty, Queue
from typing import Any, NamedTuple

import language as service
import measure

URI = "file:///benchmark.mlir"
LINES = (16_700, 51_000, 117_000)
CPU_CLOCK = 2
"""What Linux adds to a process's number for the clock of the processor time of all its threads."""
QUIET_S = 0.4
"""For how long nothing has to come for findings to be the last."""
SCREEN = 60
LARGE = 50_000
"""Bytes of an answer that is decoded once it is asked for."""
RESULT = re.compile(rb'\{"jsonrpc": "2.0", "id": (\d+), "result"')
"""How an answer begins."""
Data = dict[str, Any]


class Time(NamedTuple):
    """A time in seconds, by the clock on the wall and by the server's processor time."""

    wall: float
    cpu: float

    def since(self, start: Time) -> Time:
        """Returns what both clocks say has passed."""
        return Time(self.wall - start.wall, self.cpu - start.cpu)


class Client:
    """A language client: what it sends, and the answers with the time of their arrival."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "shlo", "lsp"]
        folder = Path(__file__).parents[1]
        self.server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=folder)
        self.numbers = itertools.count(1)
        self.messages: Queue[tuple[Time, Data]] = Queue()
        self.large: dict[int, bytes] = {}
        """Results that are not decoded yet, by the number of their request: that would delay others."""
        self.waiting: list[tuple[Time, Data]] = []
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        output = self.server.stdout
        assert output is not None
        while header := output.readline():
            length = int(header.partition(b":")[2])
            while output.readline().strip():
                pass
            body, now = output.read(length), self.now()
            head = RESULT.match(body) if length >= LARGE else None
            if head is not None:
                self.large[int(head[1])] = body
            self.messages.put((now, {"id": int(head[1])} if head else json.loads(body)))

    def notify(self, method: str, params: Data) -> Time:
        """Sends a notification and gives the time."""
        return self._send({"method": method, "params": params})

    def ask(self, method: str, params: Data) -> tuple[int, Time]:
        """Sends a request; gives its number and the time."""
        number = next(self.numbers)
        return number, self._send({"id": number, "method": method, "params": params})

    def answer(self, number: int) -> tuple[Time, Any]:
        """Returns when a request was answered, and what."""
        arrived, message = self.wait(lambda each: each.get("id") == number and "method" not in each)
        if number in self.large:
            message = json.loads(self.large.pop(number))
        if "error" in message:
            raise RuntimeError(message["error"])
        return arrived, message.get("result")

    def request(self, method: str, params: Data) -> tuple[Time, Any]:
        """Sends a request; gives the time until its answer, and that."""
        number, sent = self.ask(method, params)
        arrived, result = self.answer(number)
        return arrived.since(sent), result

    def has_answer(self, number: int) -> bool:
        """Returns whether a request has been answered."""
        while True:
            try:
                self.waiting.append(self.messages.get_nowait())
            except Empty:
                return any(each.get("id") == number and "method" not in each for _, each in self.waiting)

    def wait(self, wanted: Callable[[Data], bool]) -> tuple[Time, Data]:
        """Returns the first message of a kind, and when it arrived; others are kept."""
        for index, (_, message) in enumerate(self.waiting):
            if wanted(message):
                return self.waiting.pop(index)
        while True:
            arrived, message = self.messages.get(timeout=120)
            if wanted(message):
                return arrived, message
            self.waiting.append((arrived, message))

    def drop_findings(self) -> None:
        """Forgets the findings that have arrived."""
        self.has_answer(0)
        published = "textDocument/publishDiagnostics"
        self.waiting = [each for each in self.waiting if each[1].get("method") != published]

    def findings_of(self, version: int, uri: str = URI) -> tuple[Time, list[Data]]:
        """Returns when the next findings of a version arrived, and what they are."""
        arrived, message = self.wait(lambda each: are_findings(each, version, uri))
        return arrived, message["params"]["diagnostics"]

    def has_findings(self, version: int, uri: str) -> bool:
        """Returns whether findings of a version have arrived that nobody has asked for."""
        self.has_answer(0)
        return any(are_findings(each, version, uri) for _, each in self.waiting)

    def _send(self, message: Data) -> Time:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        stdin = self.server.stdin
        assert stdin is not None
        now = self.now()
        stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        stdin.flush()
        return now

    def start(self) -> None:
        """Shakes hands."""
        capabilities = {
            "general": {"positionEncodings": ["utf-16"]},
            "textDocument": {"documentSymbol": {"hierarchicalDocumentSymbolSupport": True}},
        }
        self.request("initialize", {"processId": None, "rootUri": None, "capabilities": capabilities})
        self.notify("initialized", {})

    def open(self, text: str, uri: str = URI) -> Time:
        """Opens a document and gives the time."""
        document = {"uri": uri, "languageId": "mlir", "version": 0, "text": text}
        return self.notify("textDocument/didOpen", {"textDocument": document})

    def close(self, uri: str = URI) -> None:
        """Closes a document."""
        self.notify("textDocument/didClose", {"textDocument": {"uri": uri}})

    def now(self) -> Time:
        """Returns the time; that of the server's processor is 0 where the system does not tell."""
        wall, cpu = time.perf_counter(), 0.0
        if sys.platform == "linux":
            with suppress(OSError):  # a server that has gone
                cpu = time.clock_gettime((~self.server.pid << 3) | CPU_CLOCK)
        return Time(wall, cpu)

    def resident(self) -> int:
        """Returns the bytes of memory that the server holds, 0 where the system does not tell."""
        try:
            pages = int(Path(f"/proc/{self.server.pid}/statm").read_text().split()[1])
        except OSError:
            return 0
        return pages * os.sysconf("SC_PAGE_SIZE")

    def stop(self) -> None:
        """Ends the session."""
        self.request("shutdown", {})
        self.notify("exit", {})
        self.server.wait()


def are_findings(message: Data, version: int, uri: str) -> bool:
    """Returns whether a message has the findings of a version of a document."""
    if message.get("method") != "textDocument/publishDiagnostics":
        return False
    return (message["params"].get("version"), message["params"]["uri"]) == (version, uri)


class Editor:
    """A text in a client, edited at the ends of lines and back."""

    def __init__(self, client: Client, text: str, uri: str = URI) -> None:
        self.client, self.text, self.uri, self.version = client, text, uri, 0
        self.lines = text.split("\n")
        self.id = {"textDocument": {"uri": uri}}
        self.uses = [
            (number, match.start(1) + 1)
            for number, line in enumerate(self.lines)
            if (match := re.search(r"= stablehlo\.(?:add|multiply|subtract) (%\w+)", line))
        ]
        self.chance = random.Random(9)

    def edit(self, line: int, start: int, end: int, text: str) -> Time:
        """Replaces columns of a line and gives the time; the text here stays as it was."""
        self.version += 1
        range_ = {"start": {"line": line, "character": start}, "end": {"line": line, "character": end}}
        document = {"uri": self.uri, "version": self.version}
        changes = [{"range": range_, "text": text}]
        return self.client.notify(
            "textDocument/didChange", {"textDocument": document, "contentChanges": changes}
        )

    def there_and_back(self, rounds: int) -> Iterator[Time]:
        """Types an `x` at the ends of operations and deletes it; gives the time of each edit."""
        for _ in range(rounds):
            line, _ = self.chance.choice(self.uses)
            end = len(self.lines[line])
            yield self.edit(line, end, end, "x")
            yield self.edit(line, end, end + 1, "")

    def last_findings(self) -> Time:
        """Returns when the last findings of the newest version arrived."""
        arrived, _ = self.client.findings_of(self.version, self.uri)
        while True:
            time.sleep(QUIET_S)
            if not self.client.has_findings(self.version, self.uri):
                return arrived
            arrived, _ = self.client.findings_of(self.version, self.uri)

    def settle(self) -> None:
        """Waits until nothing is computed for the newest version any more."""
        time.sleep(0.5)
        self.client.drop_findings()

    def at_use(self) -> Data:
        """Returns the parameters of a request at the use of a value."""
        line, column = self.chance.choice(self.uses)
        return {**self.id, "position": {"line": line, "character": column}}

    def screen(self) -> Data:
        """Returns the parameters of a request about a screen of lines."""
        line = self.chance.randrange(max(len(self.lines) - SCREEN, 1))
        return {
            **self.id,
            "range": {
                "start": {"line": line, "character": 0},
                "end": {"line": line + SCREEN, "character": 0},
            },
        }

    def time(self, method: str, params: Data) -> Time:
        """Returns how long a request takes."""
        return self.client.request(f"textDocument/{method}", params)[0]


FORMATTING = {"options": {"tabSize": 2, "insertSpaces": True}}


def edits(editor: Editor, rounds: int) -> Iterator[Time]:
    """From an edit to the last findings."""
    for sent in editor.there_and_back(rounds):
        yield editor.last_findings().since(sent)


def hovers(editor: Editor, rounds: int) -> Iterator[Time]:
    """Hovers while nothing else is done."""
    editor.settle()
    for _ in range(rounds):
        yield editor.time("hover", editor.at_use())


def hovers_beside(editor: Editor, rounds: int) -> Iterator[Time]:
    """Hovers while the document is formatted, folded and outlined."""
    for _ in range(max(rounds // 10, 3)):
        ask = editor.client.ask
        last, _ = ask("textDocument/formatting", {**editor.id, **FORMATTING})
        others = [ask(f"textDocument/{each}", editor.id)[0] for each in ("foldingRange", "documentSymbol")]
        while not editor.client.has_answer(last):
            yield editor.time("hover", editor.at_use())
        for number in (last, *others):
            editor.client.answer(number)


def behind_edits(
    method: str, params: Callable[[Editor], Data], settled: bool = False
) -> Callable[[Editor, int], Iterator[Time]]:
    """Requests right behind an edit, while it is read and its findings are computed; or after these, once
    `settled`."""

    def measured(editor: Editor, rounds: int) -> Iterator[Time]:
        for _ in editor.there_and_back(rounds):
            if settled:
                editor.last_findings()
            yield editor.time(method, params(editor))
            editor.settle()

    return measured


def asked(method: str, params: Callable[[Editor], Data]) -> Callable[[Editor, int], Iterator[Time]]:
    """Requests while nothing else is done."""

    def measured(editor: Editor, rounds: int) -> Iterator[Time]:
        for _ in range(rounds):
            yield editor.time(method, params(editor))

    return measured


def quick_fixes(editor: Editor, rounds: int) -> Iterator[Time]:
    """Fixes of a mistake, once its findings are there."""
    line, column = editor.chance.choice(editor.uses)
    name = re.match(r"[\w.#]+", editor.lines[line][column:])
    assert name is not None
    for _ in range(max(rounds // 10, 3)):
        editor.edit(line, column, column + len(name[0]), "mistaken")
        editor.last_findings()
        place = {"line": line, "character": column}
        params = {**editor.id, "range": {"start": place, "end": place}, "context": {"diagnostics": []}}
        yield editor.time("codeAction", params)
        editor.edit(line, column, column + len("mistaken"), name[0])
        editor.settle()


def idioms(editor: Editor, rounds: int) -> Iterator[Time]:
    """Completion of what is named by its intent, in the place of an operation, behind its findings."""
    for _ in range(max(rounds // 10, 3)):
        line, _ = editor.chance.choice(editor.uses)
        before = editor.lines[line]
        start = before.index("stablehlo.")
        editor.edit(line, start, len(before), "softmax")
        editor.last_findings()
        place = {"line": line, "character": start + len("softmax")}
        time_, offered = editor.client.request("textDocument/completion", {**editor.id, "position": place})
        assert "softmax" in str(offered), "no idiom is offered"
        yield time_
        editor.edit(line, start, start + len("softmax"), before[start:])
        editor.settle()


def following(editor: Editor, rounds: int) -> Iterator[Time]:
    """What follows from another size of the first argument, once its findings are there: the action with its
    edits."""
    place = re.search(r"tensor<(\d+)x", editor.lines[0])
    assert place is not None, "the first line has no type of known sizes"
    start, end = place.span(1)
    for _ in range(max(rounds // 10, 3)):
        editor.edit(0, start, end, "7")
        editor.last_findings()
        at = {"line": 0, "character": start}
        params = {**editor.id, "range": {"start": at, "end": at}, "context": {"diagnostics": []}}
        time_, offered = editor.client.request("textDocument/codeAction", params)
        assert any(len(edits) > 1 for action in offered for edits in action["edit"]["changes"].values())
        yield time_
        editor.edit(0, start, start + 1, place[1])
        editor.settle()


def lost_braces(editor: Editor, rounds: int) -> Iterator[Time]:
    """Hovers right behind the edit that takes the last brace."""
    line = max(number for number, text in enumerate(editor.lines) if text.strip() == "}")
    column = editor.lines[line].index("}")
    for _ in range(max(rounds // 10, 3)):
        editor.edit(line, column, column + 1, "")
        yield editor.time("hover", editor.at_use())
        editor.last_findings()
        editor.edit(line, column, column, "}")
        editor.settle()


def document(editor: Editor) -> Data:
    """Returns the parameters of a request about all of the document."""
    return editor.id


OF_SCREEN: dict[str, tuple[str, Callable[[Editor], Data]]] = {
    "inlay hints": ("inlayHint", Editor.screen),
    "symbols": ("documentSymbol", document),
    "folding": ("foldingRange", document),
}
"""What an editor shows around a screen: symbols and folding are asked for the document at once."""
MEASURES: dict[str, Callable[[Editor, int], Iterator[Time]]] = {
    "edit to last findings": edits,
    "hover": hovers,
    "hover beside long answers": hovers_beside,
    "hover behind an edit": behind_edits("hover", Editor.at_use),
    "completion behind an edit": behind_edits("completion", Editor.at_use),
    **{what: asked(*how) for what, how in OF_SCREEN.items()},
    **{f"{what} after an edit": behind_edits(*how, settled=True) for what, how in OF_SCREEN.items()},
    **{f"{what} behind an edit": behind_edits(*how) for what, how in OF_SCREEN.items()},
    "tokens": asked("semanticTokens/range", Editor.screen),
    "tokens of all": asked("semanticTokens/full", document),
    "quick fixes at an error": quick_fixes,
    "completion by intent": idioms,
    "what follows from a type": following,
    "hover at a lost brace": lost_braces,
    "rename": asked("rename", lambda editor: {**editor.at_use(), "newName": "renamed"}),
    "formatting": asked("formatting", lambda editor: {**editor.id, **FORMATTING}),
}
BARS = {
    "edit to last findings": (60, 150, 350),
    "hover": (5, 5, 5),
    "hover beside long answers": (5, 5, 5),
    "hover behind an edit": (50, 50, 50),
    "completion behind an edit": (40, 100, 250),
    **dict.fromkeys(
        (what for what in MEASURES if what.split(" after")[0].split(" behind")[0] in OF_SCREEN), (20, 20, 20)
    ),
    "tokens": (20, 20, 20),
    "hover at a lost brace": (500, 500, 500),
    "formatting": (500, 1200, 3000),
}
"""Milliseconds; what has none is measured only."""
FEW = {"formatting", "rename", "tokens of all"}
HEADER = ("ms", "p50", "p95", "max", "CPU p50", "CPU p95", "bar", "p95", "CPU")
SHARED = {"hover beside long answers"}
"""Where the processor time is mostly that of other answers."""


def late(times: list[float]) -> float:
    """Returns the 95th percentile."""
    return sorted(times)[min(int(len(times) * 0.95), len(times) - 1)]


def verdict(seconds: float, bar_ms: int) -> str:
    """Returns whether a time is within a bar."""
    return "ok" if 1000 * seconds <= bar_ms else "OVER"


def rows(text: str, size: int, rounds: int, only: list[str], missed: list[str]) -> Iterator[list[str]]:
    """Measures all in one program, in a session of its own; adds what is over its bar to `missed`."""
    client = Client()
    client.start()
    sent = client.open(text)
    opened = client.findings_of(0)[0].since(sent)
    yield ["open to findings", measure.milliseconds(opened.wall), "", "", measure.milliseconds(opened.cpu)]
    editor = Editor(client, text)
    editor.settle()
    for what, measured in MEASURES.items():
        if only and what not in only:
            continue
        times = [*measured(editor, max(rounds // 5, 5) if what in FEW else rounds)]
        walls, cpus = [each.wall for each in times], [each.cpu for each in times]
        row = [what, *map(measure.milliseconds, (statistics.median(walls), late(walls), max(walls)))]
        has_cpu = max(cpus) > 0 and what not in SHARED
        row += map(measure.milliseconds, (statistics.median(cpus), late(cpus))) if has_cpu else ("", "")
        if what in BARS:
            bar = BARS[what][size]
            row += [f"{bar} ms", verdict(late(walls), bar), verdict(late(cpus), bar) if has_cpu else ""]
            if row[-2] == "OVER":
                missed.append(what)
        yield row
    yield ["resident at the end", f"{client.resident() / 1e6:,.0f} MB"]
    client.stop()


def main() -> int:
    """Prints a table for each program; returns 1 if a wall-clock time is over its bar."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--only", action="append", choices=list(MEASURES), default=[])
    options = parser.parse_args()
    texts = [each.read_text() for each in options.files] or [service.program(lines) for lines in LINES]
    missed: list[str] = []
    for text in texts:
        lines = text.count("\n")
        size = sum(lines > 1.2 * each for each in LINES[:-1])
        print(f"{lines:,} lines, {len(text) / 1e6:.1f} MB, load {measure.load():.1f}")
        found: list[list[str]] = []
        for row in rows(text, size, options.rounds, options.only, missed):
            print(*row, file=sys.stderr, flush=True)
            found.append(row)
        measure.table(HEADER, [[*row, *[""] * (len(HEADER) - len(row))] for row in found])
        print(f"load {measure.load():.1f} at the end")
    return int(bool(missed))


if __name__ == "__main__":
    sys.exit(main())
