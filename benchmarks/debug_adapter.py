"""How long the debug adapter takes, over stdio, on a program of 20,000 operations whose scope has 600 values.

    python benchmarks/debug_adapter.py [--ops N] [--steps N]

Beside each goal: 95th percentiles by the clock, to be taken on a machine that has nothing else to do, and on
Linux the adapter's own processor time, which another program does not change much.
"""

from __future__ import annotations

import argparse
import itertools
import os
import queue
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import measure

measure.use_repository()

from shlo.debugger.adapter.clients.transport import Message, Writer, messages  # noqa: E402

GOALS = {
    "F5 to the first stop": 2_000,
    "step to all panes answered": 60,
    "step back to all panes answered": 60,
    "variables of 600 values": 50,
    "100 steps sent at once, each": 60,
}
"""Milliseconds."""
MOST_GROWTH = 64
"""Megabytes that the adapter may grow by while its panes are asked for after every step."""
VALUES = 600


class Client:
    """A client with an adapter of its own, whose events and answers arrive in their order."""

    def __init__(self) -> None:
        self.began = time.perf_counter()
        command = [sys.executable, "-m", "shlo", "dap"]
        self.adapter = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=measure.ROOT
        )
        assert self.adapter.stdin is not None
        assert self.adapter.stdout is not None
        self._numbers = itertools.count(1)
        self._send = Writer(self.adapter.stdin).send
        self._source = os.fdopen(os.dup(self.adapter.stdout.fileno()), "rb", buffering=0)
        self._arrived: queue.Queue[Message] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        for message in messages(self._source):
            self._arrived.put(message)

    def send(self, command: str, **arguments: Any) -> int:
        """Sends a request; returns its number."""
        number = next(self._numbers)
        self._send({"seq": number, "type": "request", "command": command, "arguments": arguments})
        return number

    def until(self, holds: Callable[[Message], bool]) -> Message:
        """Returns the first message that is as expected; those before are dropped."""
        while not holds(message := self._arrived.get(timeout=300)):
            pass
        return message

    def request(self, command: str, **arguments: Any) -> Any:
        """Returns the body of the answer to a request."""
        number = self.send(command, **arguments)
        answer = self.until(lambda message: message.get("request_seq") == number)
        assert answer["success"], answer
        return answer["body"]

    def stopped(self) -> None:
        """Waits until the program has stopped."""
        self.until(lambda message: message.get("event") == "stopped")

    def panes(self) -> None:
        """Asks for what an editor shows at a stop: threads, frames, scopes and the variables of each."""
        self.request("threads")
        frame = self.request("stackTrace", threadId=1, levels=20)["stackFrames"][0]["id"]
        for scope in self.request("scopes", frameId=frame)["scopes"]:
            self.request("variables", variablesReference=scope["variablesReference"])

    def values(self) -> int:
        """Returns the reference of the values in scope."""
        frame = self.request("stackTrace", threadId=1)["stackFrames"][0]["id"]
        scopes = self.request("scopes", frameId=frame)["scopes"]
        return next(each["variablesReference"] for each in scopes if each["name"] == "Values")

    def processor_ms(self) -> float:
        """Returns the processor time of the adapter so far; not a number where the system does not say."""
        try:
            fields = Path(f"/proc/{self.adapter.pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            return float("nan")
        return (int(fields[11]) + int(fields[12])) * 1_000 / os.sysconf("SC_CLK_TCK")

    def megabytes(self) -> float:
        """Returns the memory of the adapter; not a number where the system does not say."""
        try:
            pages = int(Path(f"/proc/{self.adapter.pid}/statm").read_text().split()[1])
        except OSError:
            return float("nan")
        return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def program(count: int) -> str:
    """Returns the text of a program of that many operations, one after the other."""
    lines = ["func.func @main(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {"]
    names = ["%x"]
    operations = ("add", "multiply", "maximum", "subtract")
    for number in range(count - 1):
        operation = operations[number % len(operations)]
        other = names[-2] if len(names) > 1 else "%x"
        lines.append(f"  %v{number} = stablehlo.{operation} {names[-1]}, {other} : tensor<8x8xf32>")
        names.append(f"%v{number}")
    return "\n".join([*lines, f"  return {names[-1]} : tensor<8x8xf32>", "}", ""])


def measured(client: Client, action: Callable[[], object], times: int) -> tuple[float, float]:
    """Returns the 95th percentile of an action in milliseconds, and its processor time on average."""
    before, taken = client.processor_ms(), list[float]()
    for _ in range(times):
        start = time.perf_counter()
        action()
        taken.append((time.perf_counter() - start) * 1_000)
    return sorted(taken)[int(0.95 * (times - 1))], (client.processor_ms() - before) / times


def run(path: Path, steps: int) -> tuple[dict[str, tuple[float, float]], float]:
    """Returns wall-clock and processor times by goal, and by how many megabytes the adapter grew."""
    found = dict[str, tuple[float, float]]()
    client = Client()
    client.request("initialize", adapterID="shlo")
    client.request("launch", program=str(path), random=0)
    client.request("configurationDone")
    client.stopped()
    first = (time.perf_counter() - client.began) * 1_000, client.processor_ms()
    found["F5 to the first stop"] = first

    def move(command: str) -> None:
        client.request(command, threadId=1)
        client.stopped()
        client.panes()

    line = {"line": VALUES + 3}  # where the scope has that many
    client.request("setBreakpoints", source={"path": str(path)}, breakpoints=[line])
    client.request("continue", threadId=1)
    client.stopped()
    client.panes()
    memory = client.megabytes()
    found["step to all panes answered"] = measured(client, lambda: move("next"), steps)
    found["step back to all panes answered"] = measured(client, lambda: move("stepBack"), steps)

    def look() -> None:
        client.request("variables", variablesReference=reference)

    reference = client.values()
    found["variables of 600 values"] = measured(client, look, steps)

    def many() -> None:
        for _ in range(100):
            client.send("next", threadId=1)
        for _ in range(100):
            client.stopped()

    wall, processor = measured(client, many, 3)
    found["100 steps sent at once, each"] = wall / 100, processor / 100
    growth = client.megabytes() - memory
    client.request("disconnect")
    client.adapter.wait()
    return found, growth


def main() -> None:
    """Prints each goal beside what was measured."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--ops", type=int, default=20_000, metavar="N")
    parser.add_argument("--steps", type=int, default=100, metavar="N")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "program.mlir"
        path.write_text(program(options.ops))
        found, growth = run(path, options.steps)
    print(f"{'':34}{'goal':>8}{'p95':>10}{'processor':>11}   ms")
    for name, goal in GOALS.items():
        wall, processor = found[name]
        print(f"{name:34}{goal:8,}{wall:10,.1f}{processor:11,.1f}")
    print(f"{'growth with panes open':34}{MOST_GROWTH:8,}{growth:10,.1f}{'':11}   MB")


if __name__ == "__main__":
    main()
