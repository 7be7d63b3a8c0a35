"""What is given changed input: the readers of files, and the servers."""

from __future__ import annotations

import io
import random
import re
import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
import numpy as np

import shlo
import shlo.syntax
import shlo_bytecode
from shlo.debugger.errors import DebuggerError
from shlo.debugger.recording.file import open_recording
from shlo.debugger.recording.frames import FrameReader, FrameWriter
from shlo.debugger.recording.recorder import record
from shlo.ir.array_files import ArrayArchive, any_array, read_npy
from shlo.ir.diagnostics import ParseError
from shlo.runner.capture import CaptureHeader, sources_of, write_capture
from shlo.runner.errors import RequestError
from shlo.runner.files import load
from shlo_bytecode.exported.exported import exported_of
from tests.bytecode import mutations as bytecode
from tests.debugger.programs import NESTED, read
from tests.hardening import conversations, kernels
from tests.hardening.mutation import (
    ODD,
    changed_archive,
    changed_bytes,
    changed_conversation,
    changed_text,
    changed_value,
)

MIB: Final = 1 << 20
FILE: Final = "hostile"


class Target(NamedTuple):
    """What is given changed input.

    Args:
        name: what it is called on the command line.
        seeds: makes the valid inputs.
        changed: makes a changed one of some inputs.
        outcome: gives an input to it, in the current folder; returns a word about what became of it and how
            many inputs those were (answered messages), and raises what must not be raised.
        seconds: how much CPU time one input may take.
        memory: how many bytes more than the valid inputs a child may take; None where `outcome` watches that.
        batch: how many inputs a child gets.
    """

    name: str
    seeds: Callable[[], list[bytes]]
    changed: Callable[[random.Random, Sequence[bytes]], bytes]
    outcome: Callable[[bytes], tuple[str, int]]
    seconds: float = 2.0
    memory: int | None = 256 * MIB
    batch: int = 5_000


# --- programs ---


def _texts() -> list[bytes]:
    from tests.bytecode.texts import TEXTS
    from tests.jax_programs import SMALL

    programs = [program.text(debug_info=number % 2 == 0) for number, program in enumerate(SMALL[::16])]
    return [text.encode() for text in (*TEXTS.values(), *programs) if len(text) < 6_000]


def of_text(data: bytes) -> str:
    """Reads a text; what is valid prints, parses and encodes again."""
    module, findings = shlo.syntax.parse(data.decode("utf-8", "surrogateescape"))
    codes = sorted({finding.code for finding in findings if finding.severity == "error"})
    if codes:
        return f"refused: {codes[0]}"
    wrong = [finding for finding in shlo.verify(module) if finding.severity == "error"]
    if wrong:
        return f"not valid: {wrong[0].code}"
    try:
        bytecode.check_again(module)
    except shlo_bytecode.EncodingError:
        return "valid, not encoded"
    return "valid"


def _bytecode() -> list[bytes]:
    from tests.oracle import Oracle

    with Oracle() as oracle:
        return bytecode.seeds(oracle)


def _exports() -> list[bytes]:
    from tests.bytecode.exports import write_exports

    with tempfile.TemporaryDirectory() as folder:
        write_exports(Path(folder))
        return [path.read_bytes() for path in sorted(Path(folder).iterdir())]


def of_file(data: bytes) -> str:
    """Loads a program from a file of any kind."""
    Path(FILE).write_bytes(data)
    try:
        module = load(FILE)
    except ParseError as error:
        return f"refused: {error.diagnostics[0].code}"
    except (RequestError, shlo_bytecode.BytecodeError) as error:
        return f"refused: {words(str(error))}"
    exported_of(module)
    module.to_text()
    return "read"


# --- arrays, captures, recordings ---


def _npy(array: Any) -> bytes:
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


def _arrays() -> list[bytes]:
    arrays = [np.arange(6, dtype=name).reshape(2, 3) for name in ("f4", "i8", "u1", "c8", ">f8", "f2")]
    arrays += [np.array(True), np.zeros((0, 3), "i4"), np.asfortranarray(np.ones((3, 2)))]
    return [_npy(array) for array in arrays]


def of_array(data: bytes) -> str:
    """Reads a `.npy` file."""
    Path(FILE).write_bytes(data)
    try:
        return f"read {read_npy(FILE, any_array).dtype}"
    except RequestError as error:
        return words(str(error))


def _archives() -> list[bytes]:
    archives: list[bytes] = []
    for members in ({"x": np.ones(3, "f4")}, {"a": np.arange(4), "b": np.array(2.5)}):
        for save in (np.savez, np.savez_compressed):
            file = io.BytesIO()
            save(file, **members)
            archives.append(file.getvalue())
    return archives


def of_archive(data: bytes) -> str:
    """Reads all arrays of an `.npz` file."""
    Path(FILE).write_bytes(data)
    try:
        with ArrayArchive(FILE) as archive:
            return f"read {sorted({str(archive.read(name, any_array).dtype) for name in archive.names})}"
    except RequestError as error:
        return words(str(error))


def _captures() -> list[bytes]:
    text = "func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {\n  return %x : tensor<3xf32>\n}\n"
    header = CaptureHeader("shlo-capture", 1, 3, "NaN", {"python": "3"}, {"a.py": "x = 1\n"})
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "c.shlo"
        write_capture(str(path), text, {"x": np.ones(3, "f4")}, header)
        return [path.read_bytes()]


def of_capture(data: bytes) -> str:
    """Reads the program, the arrays and the sources of a capture."""
    Path(FILE).write_bytes(data)
    try:
        sources_of(FILE)
    except RequestError as error:
        return f"sources: {words(str(error))}"
    return f"{of_file(data)}; {of_archive(data)}"


def _recordings() -> list[bytes]:
    from shlo.debugger import Session
    from tests.debugger.parallel_programs import parallel_program

    text, (replicas, partitions) = parallel_program(1)
    arguments = [[np.arange(4, dtype=np.float32) + number] for number in range(replicas * partitions)]
    sessions = [
        Session(read(NESTED), [np.int32(5)]),
        Session(read(text), arguments, replicas=replicas, partitions=partitions, seed=1),
    ]
    recordings: list[bytes] = []
    with tempfile.TemporaryDirectory() as folder:
        for number, session in enumerate(sessions):
            path = Path(folder) / f"{number}.shlorec"
            recorder = record(session, str(path), "all")
            session.resume()
            recorder.close()
            recordings.append(path.read_bytes())
    return recordings


def changed_recording(rng: random.Random, files: Sequence[bytes]) -> bytes:
    """Returns a recording with another part in one of its frames, with the right checksums; or other bytes."""
    if rng.random() < 0.3:
        return changed_bytes(rng, files)
    try:
        Path(FILE).write_bytes(rng.choice(files))
        with open(FILE, "rb") as file:
            frames = [content for _, content in FrameReader(file).all()]
    except DebuggerError:
        return changed_bytes(rng, files)
    at = rng.randrange(len(frames))
    frames[at] = changed_value(rng, frames[at], (*ODD, b"", b"\xff" * 9))
    written = io.BytesIO()
    writer = FrameWriter(written)
    try:
        for frame in frames:
            writer.write(frame)
    except (msgspec.EncodeError, OverflowError, TypeError):
        return changed_bytes(rng, files)
    return written.getvalue()


def of_recording(data: bytes) -> str:
    """Opens a recording, and looks around in it."""
    Path(FILE).write_bytes(data)
    rng = random.Random(len(data))
    try:
        opened = open_recording(FILE)
        for _ in range(3):
            opened.goto(rng.randrange(opened.cursor.last + 1))
            for view in opened.inspector.values()[-3:]:
                opened.inspector.summary(view.name)
                opened.inspector.statistics(view.name)
    except DebuggerError as error:
        return words(str(error))
    return "read"


def words(message: str) -> str:
    """Returns a message without what differs between two inputs of a kind."""
    message = re.sub(r"'[^']*'|\"[^\"]*\"", "_", message.removeprefix(f"{FILE}: "))
    return re.sub(r"\b(byte|field) \d+|-?\d+", "_", message)[:80]


# --- servers ---


def _of_server(
    name: str, valid: Callable[[], list[list[Any]]], turns: int, held: Callable[[list[Any]], tuple[str, int]]
) -> Target:
    return Target(
        name,
        lambda: [msgspec.json.encode(conversation) for conversation in valid()],
        partial(changed_conversation, turns=turns),
        lambda data: held(msgspec.json.decode(data)),
        seconds=60,
        memory=None,
        batch=20,
    )


def _of_files(
    name: str,
    valid: Callable[[], list[bytes]],
    changed: Callable[[random.Random, Sequence[bytes]], bytes],
    outcome: Callable[[bytes], str],
    **limits: Any,
) -> Target:
    return Target(name, valid, changed, lambda data: (outcome(data), 1), **limits)


TARGETS: Final = {
    target.name: target
    for target in (
        _of_files("text", _texts, changed_text, of_text),
        _of_files(
            *("bytecode", _bytecode, bytecode.mutated, bytecode.outcome),
            memory=16 * MIB,
            seconds=bytecode.SECONDS,
        ),
        _of_files("export", _exports, changed_bytes, of_file),
        _of_files("npy", _arrays, changed_bytes, of_array, memory=16 * MIB, batch=20_000),
        _of_files("npz", _archives, changed_archive, of_archive, memory=16 * MIB, batch=20_000),
        _of_files("capture", _captures, changed_archive, of_capture),
        _of_files("recording", _recordings, changed_recording, of_recording, batch=2_000),
        *(
            _of_server(
                protocol.name, protocol.conversations, protocol.turns, partial(conversations.held, protocol)
            )
            for protocol in conversations.PROTOCOLS
        ),
        _of_server("kernel", kernels.conversations, kernels.TURNS, kernels.held),
    )
}
