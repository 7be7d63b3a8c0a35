"""SIGINT at random times, thousands of times: `python -m tests.runner.interrupt_stress [grid|cell|run|kernel]
--count N`.

Whatever is interrupted must end within LIMIT_S seconds. What never ends is dumped and fails.
"""

from __future__ import annotations

import argparse
import faulthandler
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

LIMIT_S = 15.0

FOREVER = """func.func @forever(%x: tensor<i1>) -> tensor<i1> {
  %0 = stablehlo.while(%y = %x) : tensor<i1>
  cond { stablehlo.return %y : tensor<i1> } do { stablehlo.return %y : tensor<i1> }
  return %0 : tensor<i1>
}"""


class Output:
    """A cell's output, dropped."""

    def write(self, text: str) -> None: ...
    def show(self, data: dict[str, Any]) -> None: ...
    def show_result(self, data: dict[str, Any]) -> None: ...


def in_process(code: str, count: int, longest_s: float) -> Counter[str]:
    """Interrupts cells of this process, by a thread."""
    from shlo_kernel.notebook import NotebookSession

    notebook, found = NotebookSession(Output()), Counter[str]()
    notebook.run(FOREVER, "cell")
    for number in range(count):
        faulthandler.dump_traceback_later(LIMIT_S, exit=True)
        delay = random.uniform(0, longest_s)
        thread = threading.Thread(target=lambda: (time.sleep(delay), os.kill(os.getpid(), signal.SIGINT)))  # noqa: B023
        try:
            thread.start()
            notebook.run(f"{FOREVER.replace('forever', f'f{number % 7}')}\n{code}", "cell")
            found["ended by itself"] += 1
        except KeyboardInterrupt:
            found["interrupted"] += 1
        while thread.is_alive():
            try:
                thread.join()
            except KeyboardInterrupt:
                found["interrupted after"] += 1
    faulthandler.cancel_dump_traceback_later()
    return found


def run(count: int) -> Counter[str]:
    """Interrupts `shlo run` from its start on."""
    found = Counter[str]()
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
        file.write(FOREVER)
        file.flush()
        for _ in range(count):
            command = [sys.executable, "-m", "shlo", "run", file.name, "--entry", "forever", "true"]
            process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            time.sleep(random.uniform(0.02, 1.5))
            process.send_signal(signal.SIGINT)
            try:
                _, said = process.communicate(timeout=LIMIT_S)
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGABRT)
                process.communicate()
                raise
            found[f"{process.returncode} {said.strip().splitlines()[-1:]}"] += 1
    return found


def kernel(count: int) -> Counter[str]:
    """Interrupts cells of a real kernel as soon as it says that it is busy."""
    from jupyter_client.manager import KernelManager

    from shlo_kernel import install

    for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR"):
        os.environ[name] = tempfile.mkdtemp()
    install.install()
    manager = KernelManager(kernel_name=install.NAME)
    manager.start_kernel()
    client, found = manager.blocking_client(), Counter[str]()
    client.start_channels()
    client.wait_for_ready(timeout=60)
    try:
        client.execute(FOREVER, reply=True, timeout=LIMIT_S)
        for number in range(count):
            request = client.execute(
                ["%grid 2x2 @forever(true)", "%run @forever(true)"][number % 2], stop_on_error=False
            )
            while True:
                said = client.get_iopub_msg(timeout=LIMIT_S)
                if said["parent_header"].get("msg_id") == request and said["msg_type"] == "status":
                    break
            time.sleep(random.choice([0, random.uniform(0, 0.002), random.uniform(0, 0.05)]))
            manager.interrupt_kernel()
            while True:
                reply = client.get_shell_msg(timeout=LIMIT_S)
                if reply["parent_header"]["msg_id"] == request:
                    break
            found[reply["content"].get("ename", "ok")] += 1
    finally:
        manager.shutdown_kernel(now=True)
    return found


MODES: dict[str, Callable[[int], Counter[str]]] = {
    "grid": lambda count: in_process("%grid 2x2 @forever(true)", count, 0.05),
    "cell": lambda count: in_process("%run @forever(true)", count, 0.05),
    "run": run,
    "kernel": kernel,
}

if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("mode", choices=MODES)
    parser.add_argument("--count", type=int, default=1000)
    options = parser.parse_args()
    started = time.perf_counter()
    print(options.mode, dict(MODES[options.mode](options.count)), f"{time.perf_counter() - started:.0f} s")
