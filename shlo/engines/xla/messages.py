"""Messages between a process and its child that runs XLA: a header in JSON, then the bytes of arrays."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import IO, Any, Final

import numpy as np

from shlo.ir.diagnostics import ExecutionError
from shlo.ir.dtypes import Array

_LENGTH_BYTES: Final = 8


class ChannelClosed(Exception):
    """The other process has ended."""


def send(stream: IO[bytes], header: dict[str, Any], arrays: Sequence[Array] = ()) -> None:
    """Writes a message; raises OSError where the other process has ended."""
    whole = [np.ascontiguousarray(array).reshape(array.shape) for array in arrays]
    layouts = [(array.dtype.name, array.shape) for array in whole]
    head = json.dumps({**header, "arrays": layouts}).encode()
    stream.write(len(head).to_bytes(_LENGTH_BYTES, "little"))
    stream.write(head)
    for array in whole:
        stream.write(array.reshape(-1).view(np.uint8).data)
    stream.flush()


def error_header(error: ExecutionError) -> dict[str, Any]:
    """Returns the message that a run has failed."""
    return {"error": error.message, "place": error.place, "notes": getattr(error, "__notes__", [])}


def raise_error_of(header: dict[str, Any]) -> None:
    """Raises ExecutionError where a message says that a run has failed."""
    if "error" not in header:
        return
    error = ExecutionError(header["error"], None, header["place"])
    for note in header["notes"]:
        error.add_note(note)
    raise error


def receive(stream: IO[bytes]) -> tuple[dict[str, Any], list[Array]]:
    """Returns the next message, whose arrays are new; raises ChannelClosed."""
    length = int.from_bytes(_exactly(stream, _LENGTH_BYTES), "little")
    header = json.loads(_exactly(stream, length))
    return header, [_array(stream, name, shape) for name, shape in header.pop("arrays")]


def _array(stream: IO[bytes], name: str, shape: Sequence[int]) -> Array:
    import ml_dtypes

    array = np.empty(tuple(shape), np.dtype(getattr(ml_dtypes, name, name)))
    view = array.reshape(-1).view(np.uint8).data
    reader: Any = stream  # a buffered one: IO has no readinto
    done = 0
    while done < len(view):
        count = reader.readinto(view[done:])
        if not count:
            raise ChannelClosed
        done += count
    return array


def _exactly(stream: IO[bytes], count: int) -> bytes:
    data = stream.read(count)
    if len(data) < count:
        raise ChannelClosed
    return data
