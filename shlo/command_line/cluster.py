"""Options of a run that several machines share."""

from __future__ import annotations

import re
from argparse import ArgumentParser, Namespace
from typing import Final

from shlo.command_line.options import add_flag, natural
from shlo.engines import DEFAULT, Cluster, takes_devices
from shlo.runner.errors import RequestError, quoted

_ADDRESS: Final = r"(?:[^\s:/]+|\[[0-9a-fA-F:.]+\]):\d{1,5}"
_LOST: Final = r"stopped sending heartbeats\):((?:\s+\d+)+)"


def add_cluster(parser: ArgumentParser) -> None:
    """`--distributed [HOST:PORT]` and its options, beside `add_engine`'s."""
    parser.add_argument(
        "--distributed",
        nargs="?",
        const="",
        metavar="HOST:PORT",
        help="with --engine xla, share the grid among processes, usually one on each machine, which meet at "
        "HOST:PORT (default: as SLURM, Open MPI, Kubernetes or Cloud TPU say)",
    )
    parser.add_argument(
        "--processes", type=natural, metavar="N", help="with --distributed, how many there are"
    )
    parser.add_argument(
        "--process", type=natural, metavar="I", help="with --distributed, which of them this is, from 0"
    )
    parser.add_argument(
        "--wait",
        type=natural,
        default=60,
        metavar="SECONDS",
        help="with --distributed, how long to wait for the others to come, and for one that does not answer "
        "any more (default: 60)",
    )
    add_flag(
        parser,
        "--gather",
        help="with --distributed, print and save the results of all processes of the grid in process 0",
    )


def cluster_of(options: Namespace) -> Cluster | None:
    """Returns what the options of `add_cluster` say, None without them; raises RequestError."""
    address, count, number = options.distributed, options.processes, options.process
    if address is None:
        for name in ("processes", "process", "gather"):
            if getattr(options, name):
                raise RequestError(f"expected --distributed with --{name}, got none")
        return None
    if not takes_devices(options.engine):
        engine = "the interpreter" if options.engine == DEFAULT else f"--engine {options.engine}"
        raise RequestError(
            f"expected --engine xla with --distributed, got {engine}",
            "the interpreter runs any grid in one process",
        )
    if address == "":
        if (count, number) != (None, None):
            raise RequestError(
                "expected HOST:PORT with --processes and --process, got none",
                "write --distributed HOST:PORT",
            )
        return Cluster(seconds=options.wait, gathers=options.gather)
    if not re.fullmatch(_ADDRESS, address):
        raise RequestError(
            f"expected HOST:PORT behind --distributed, got {quoted(address)}",
            "write --distributed behind FILE and its arguments where the environment says HOST:PORT",
        )
    if count is None or number is None or not number < count:
        raise RequestError(
            f"expected --processes N and --process I from 0 to N - 1, got {count} and {number}"
        )
    return Cluster(address, count, number, options.wait, options.gather)


def why_ended(printed: str, wait: int) -> str:
    """Returns why JAX has ended this process of a cluster, from what it wrote; `wait` is what --wait says."""
    if "/RegisterTask" in printed:
        return f"the other processes have not come within {wait} s"
    match = re.search(_LOST, printed)
    who = f"process {', '.join(match[1].split())}" if match else "another process"
    return f"{who} does not answer any more"
