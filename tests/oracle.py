"""jaxlib as the oracle: what it parses or rejects we must parse or reject, what XLA computes we compute.

It aborts the process on what it cannot do, so it lives in a worker that is started again when it dies.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import threading
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import IO, Any, NamedTuple

import numpy as np

from shlo.support.processes import ending

from .oracle_messages import Reply, pack, read_message, unpack, write_message

Array = np.ndarray[Any, Any]


def _jaxlib() -> tuple[int, ...]:
    try:
        return tuple(map(int, re.findall(r"\d+", version("jaxlib"))))
    except PackageNotFoundError:
        return ()


JAXLIB = _jaxlib()
"""The version of jaxlib that answers, `(0, 12, 0, 1)`: where a newer one answers otherwise, a test says from which
version on. Empty where there is none, as on many systems of `tests/platforms.py`: no test there asks it.
"""
UNOPTIMIZED = "--xla_backend_optimization_level=0"
"""XLA compiles in half of the time."""
UNFUSED = "--xla_cpu_use_fusion_emitters=false"
"""XLA compiles small programs in half of that, in jaxlib 0.10: an older one may not know the flag, a newer one may
have none any more, and both would abort. Elementwise operations on narrow types give other values then.
"""


class OracleError(Exception):
    """The oracle refused: a text that does not parse, a program it cannot compile."""


class OracleCrashed(OracleError):
    """The oracle's process died, or was ended because a request took too long."""


class Finding(NamedTuple):
    """One diagnostic; line and column count from 1 and are 0 where MLIR gives no position."""

    line: int
    column: int
    message: str


class Verdict(NamedTuple):
    """Whether a text parses and verifies, and what is wrong with it."""

    accepted: bool
    diagnostics: tuple[Finding, ...]


class Oracle:
    """One worker process; use it as a context manager, for one thread at a time.

    `devices` is the number of CPU devices XLA sees, `timeout` the seconds a request may take. Texts are
    `str`; surrogate escapes stand for bytes that are not UTF-8. `unregistered` admits unknown dialects. Where
    `fusing`, XLA's values of elementwise operations are those that users get, also where `UNFUSED` is asked for.
    """

    def __init__(self, devices: int = 1, timeout: float = 120, *, fusing: bool = False) -> None:
        self._devices = devices
        self._timeout = timeout
        self._fusing = fusing
        self._worker: subprocess.Popen[bytes] | None = None
        self._complaints: IO[bytes] | None = None

    def __enter__(self) -> Oracle:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the worker; the next request would start another."""
        if self._worker is not None:
            self._worker.kill()
            self._worker.communicate()
            self._worker = None
        if self._complaints is not None:
            self._complaints.close()
            self._complaints = None

    # --- questions -----------------------------------------------------------------------------------------

    def accepts(self, text: str, unregistered: bool = False) -> Verdict:
        """Parses and verifies."""
        header, _ = self._ask("accepts", [text], unregistered=unregistered)
        return Verdict(header["accepted"], tuple(Finding(*d) for d in header["diagnostics"]))

    def pretty(self, text: str, locations: bool = False, unregistered: bool = False, **flags: bool) -> str:
        """Returns the module as MLIR prints it; `flags` are further ones of jaxlib's `Operation.get_asm`."""
        flags |= {"enable_debug_info": locations}
        _, blobs = self._ask("print", [text], flags=flags, unregistered=unregistered)
        return blobs[0].decode(errors="surrogateescape")

    def generic(self, text: str, locations: bool = False, unregistered: bool = False, **flags: bool) -> str:
        """Returns the module in MLIR's generic form."""
        return self.pretty(text, locations, unregistered, print_generic_op_form=True, **flags)

    def same_module(self, a: str, b: str, locations: bool = False, unregistered: bool = False) -> bool:
        """Returns whether two texts mean the same module.

        With `locations`, ops that carry no location in the text count as lying where they stand in it.
        """
        flags = {"print_generic_op_form": True, "enable_debug_info": locations}
        header, _ = self._ask("same", [a, b], flags=flags, unregistered=unregistered)
        return header["same"]

    def bytecode(self, text: str, version: int | None = None, unregistered: bool = False) -> bytes:
        """Returns the module as MLIR bytecode of a version of the format (None: the newest)."""
        return self._ask("bytecode", [text], version=version, unregistered=unregistered)[1][0]

    def artifact(self, text: str, version: str, mixed: bool = False) -> bytes:
        """Returns the module as a portable artifact for a version of StableHLO (`1.0.0`); where `mixed`, with
        other dialects as they are.
        """
        return self._ask("artifact", [text], version=version, mixed=mixed)[1][0]

    def forms(
        self, text: str, versions: Sequence[int], targets: Sequence[str], unregistered: bool = False
    ) -> tuple[list[bytes | str], list[bytes | str]]:
        """Returns the module as bytecode of some versions and as artifacts for some versions of StableHLO; a
        `str` says why there is none.
        """
        header, blobs = self._ask(
            "forms", [text], versions=list(versions), targets=list(targets), unregistered=unregistered
        )
        found = [header["errors"].get(str(index), blob) for index, blob in enumerate(blobs)]
        return found[: len(versions)], found[len(versions) :]

    def pretty_bytecode(
        self, data: bytes, locations: bool = False, unregistered: bool = False, **flags: bool
    ) -> str:
        """Returns the module in MLIR bytecode, as MLIR prints it."""
        flags |= {"enable_debug_info": locations}
        _, blobs = self._ask("print", [data], flags=flags, unregistered=unregistered)
        return blobs[0].decode(errors="surrogateescape")

    def pretty_artifact(self, data: bytes, locations: bool = False, **flags: bool) -> str:
        """Returns the StableHLO module of a portable artifact, as MLIR prints it."""
        flags |= {"enable_debug_info": locations}
        _, blobs = self._ask("print_artifact", [data], flags=flags)
        return blobs[0].decode(errors="surrogateescape")

    def run(self, text: str, arrays: Sequence[Any]) -> list[Array]:
        """Compiles the program with XLA for the CPU and runs it on one device."""
        return self.run_grid(text, [arrays])[0]

    def run_grid(self, text: str, inputs: Sequence[Sequence[Any]], replicas: int = 1) -> list[list[Array]]:
        """Runs one program on as many devices as there are lists of arguments, replica by replica."""
        arrays = [array for process in inputs for array in process]
        partitions = len(inputs) // replicas
        flat = self._tensors("run", text, arrays, replicas=replicas, partitions=partitions)
        count = len(flat) // len(inputs)
        return [flat[i * count : (i + 1) * count] for i in range(len(inputs))]

    def evaluate(self, text: str, arrays: Sequence[Any] = ()) -> list[Array]:
        """Runs the program in the reference interpreter, which has faults of its own and knows no chlo."""
        return self._tensors("evaluate", text, arrays)

    def transformed(self, text: str, passes: str, locations: bool = False, unregistered: bool = False) -> str:
        """Returns the module after passes (`cse,symbol-dce`), as MLIR prints it."""
        flags = {"enable_debug_info": locations}
        _, blobs = self._ask("transform", [text], passes=passes, flags=flags, unregistered=unregistered)
        return blobs[0].decode(errors="surrogateescape")

    def refined(self, text: str, types: Sequence[object]) -> str:
        """Returns the program refined to arguments of these types (`tensor<3x4xf32>`), without dynamic
        operations.
        """
        _, blobs = self._ask("refine", [text], types=[str(type_) for type_ in types])
        return blobs[0].decode(errors="surrogateescape")

    def cost(self, text: str) -> tuple[dict[str, float], str]:
        """Returns XLA's cost analysis of the program before it is optimised, as JAX's `Lowered` gives it, and
        the program that XLA counted: its importer simplifies.
        """
        header, blobs = self._ask("cost", [text])
        return header["cost"], blobs[0].decode()

    # --- the worker ----------------------------------------------------------------------------------------

    def _tensors(self, operation: str, text: str, arrays: Sequence[Any], **fields: Any) -> list[Array]:
        header, blobs = pack(list(arrays))
        return unpack(*self._ask(operation, [text, *blobs], **header, **fields))

    def _ask(self, operation: str, parts: Sequence[str | bytes], **fields: Any) -> Reply:
        worker = self._started()
        blobs = [p.encode(errors="surrogateescape") if isinstance(p, str) else p for p in parts]
        timer = threading.Timer(self._timeout, worker.kill)
        timer.start()
        try:
            assert worker.stdin
            assert worker.stdout
            write_message(worker.stdin, {"operation": operation, **fields}, blobs)
            reply = read_message(worker.stdout)
        except OSError:
            reply = None
        finally:
            timer.cancel()
        if reply is None:
            raise OracleCrashed(self._last_words(worker))
        if "error" in reply[0]:
            raise OracleError(reply[0]["error"])
        return reply

    def _started(self) -> subprocess.Popen[bytes]:
        if self._worker is None:
            self._complaints = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the worker
            flags = os.environ.get("XLA_FLAGS", "")
            if self._fusing:
                flags = flags.replace(UNFUSED, "")
            flags += f" --xla_force_host_platform_device_count={self._devices}"
            self._worker = subprocess.Popen(
                [sys.executable, "-m", f"{__package__}.oracle_worker"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._complaints,
                env=os.environ | {"XLA_FLAGS": flags},
                cwd=os.path.dirname(os.path.dirname(os.path.abspath(__file__))),
            )
        return self._worker

    def _last_words(self, worker: subprocess.Popen[bytes]) -> str:
        how = ending(worker.wait())
        assert self._complaints is not None
        self._complaints.seek(0)
        tail = self._complaints.read()[-2000:].decode(errors="replace")
        self.close()
        return f"the oracle ended with {how}: {tail}"
