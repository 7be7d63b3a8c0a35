"""Long run outside of `make test`: what thousands of cells and hundreds of steppers leave in a kernel's memory.

    python -m tests.kernel.long     2,000 cells and 500 steppers in each of three kinds of kernel

Real kernels answer a client: cells of StableHLO, cells `%%stablehlo` of Python, `shlo.debug` in Python; steppers
are opened anew in one cell, with the messages of their widgets. Prints the kernel's memory now and then; ends with
exit code 1 where it grows by more than ALLOWED_MIB from the first fifth to the last.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

from jupyter_client.manager import start_new_kernel

from .clients import KernelClient

CELLS, STEPPERS = 2_000, 500
PARTS: Final = 5
ALLOWED_MIB: Final = 8.0
"""Python's own allocator keeps some memory; what 500 steppers or 2,000 cells leave would be more than this."""

FUNCTION = """func.func @f(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %y = stablehlo.negate %x : tensor<64x64xf32>
  return %y : tensor<64x64xf32>
}"""
OPS = """%x = stablehlo.iota dim = 0 : tensor<64x64xf32>
// {number}
%y = stablehlo.sine %x : tensor<64x64xf32>"""


class Work(NamedTuple):
    """What is done again and again in a kernel: cells that come first, and the text of a round's cell."""

    name: str
    kernel: str
    first: tuple[str, ...]
    cell: Callable[[int], str]
    rounds: int


PYTHON = (
    "%load_ext shlo_kernel\nimport jax, jax.numpy as jnp, shlo\nx = jnp.ones((64, 64))",
    f"%%stablehlo\n{FUNCTION}",
)
WORKS: Final = (
    Work("cells of StableHLO", "stablehlo", (FUNCTION,), lambda number: OPS.format(number=number), CELLS),
    Work("%step", "stablehlo", (FUNCTION,), lambda _: "%step @f(random)", STEPPERS),
    Work(
        "cells %%stablehlo",
        "python3",
        PYTHON,
        lambda number: f"%%stablehlo\n{OPS.format(number=number)}",
        CELLS,
    ),
    Work("shlo.debug", "python3", PYTHON, lambda _: "shlo.debug(jnp.sin, x)", STEPPERS),
)


@contextmanager
def running(kernel: str) -> Iterator[tuple[KernelClient, int]]:
    """Yields a client of a new kernel, and the id of its process."""
    manager, client = start_new_kernel(kernel_name=kernel)
    try:
        yield KernelClient(client), manager.provisioner.pid  # type: ignore[union-attr]
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


def execute(client: KernelClient, code: str) -> None:
    """Runs a cell, and drops what it shows."""
    request = client.client.execute(code, store_history=False)
    reply = client.reply_to(request)
    assert reply["status"] == "ok", reply
    while True:
        message = client.client.get_iopub_msg(timeout=20)
        is_own = message["parent_header"].get("msg_id") == request
        if is_own and message["content"].get("execution_state") == "idle":
            return


def resident_mib(process: int) -> float:
    """Returns the memory that a process has, in MiB."""
    status = Path(f"/proc/{process}/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in status if line.startswith("VmRSS")) / 1024


def grows(work: Work) -> bool:
    """Does a work; returns whether it leaves memory behind."""
    found: list[float] = []
    with running(work.kernel) as (client, process):
        for cell in work.first:
            execute(client, cell)
        for number in range(1, work.rounds + 1):
            execute(client, work.cell(number))
            if number % (work.rounds // PARTS) == 0:
                found.append(resident_mib(process))
                print(f"{work.name:20} {number:5} {found[-1]:8.1f} MiB", flush=True)
    return found[-1] - found[0] > ALLOWED_MIB


def main() -> int:
    """Does all works; returns 1 where one leaves memory behind."""
    growing = [work.name for work in WORKS if grows(work)]
    print(f"grows: {', '.join(growing)}" if growing else "nothing grows")
    return int(bool(growing))


if __name__ == "__main__":
    sys.exit(main())
