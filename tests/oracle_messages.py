"""What tests/oracle.py and the process in which jaxlib judges say to one another, which needs no jaxlib.

A message is one line of JSON followed by as many raw bytes as its "sizes" sum up to.
"""

from __future__ import annotations

import json
from typing import Any, BinaryIO

import ml_dtypes
import numpy as np

Blobs = list[bytes]
Reply = tuple[dict[str, Any], Blobs]


def read_message(stream: BinaryIO) -> Reply | None:
    """Returns the next message's header and blobs, or None at the end of the stream."""
    line = stream.readline()
    if not line.endswith(b"\n"):
        return None
    header = json.loads(line)
    return header, [stream.read(size) for size in header["sizes"]]


def write_message(stream: BinaryIO, header: dict[str, Any], blobs: Blobs) -> None:
    """Sends a header and its blobs."""
    header = header | {"sizes": [len(blob) for blob in blobs]}
    stream.write(json.dumps(header).encode() + b"\n" + b"".join(blobs))
    stream.flush()


def pack(arrays: list[Any]) -> Reply:
    """Tensors as a header (types and shapes) and raw bytes; narrow types take one byte an element."""
    arrays = [np.asarray(array) for array in arrays]
    tensors = [(array.dtype.name, array.shape) for array in arrays]
    return {"tensors": tensors}, [array.tobytes() for array in arrays]


def unpack(header: dict[str, Any], blobs: Blobs) -> list[np.ndarray[Any, Any]]:
    """Returns the inverse of `pack`."""
    return [
        np.frombuffer(blob, np_type(name)).reshape(shape).copy()
        for (name, shape), blob in zip(header["tensors"], blobs, strict=True)
    ]


def np_type(name: str) -> np.dtype[Any]:
    """Returns the NumPy type of that name, those of ml_dtypes included."""
    return np.dtype(getattr(ml_dtypes, name, name))
