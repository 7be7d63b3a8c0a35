"""Standard streams of this process: those that it was started without, and text that they cannot encode."""

from __future__ import annotations

import os
import sys
from typing import TextIO


def open_closed_streams() -> None:
    """Opens the standard streams that were closed when the process started, so that no file that is opened
    takes their place: input has nothing, writing output raises OSError, and messages are dropped.
    """
    # To write what was opened to be read fails as it does where nothing is open.
    opened = {
        number: os.open(os.devnull, os.O_WRONLY if number == 2 else os.O_RDONLY)
        for number, stream in enumerate((sys.stdin, sys.stdout, sys.stderr))
        if stream is None
    }
    if 1 in opened:
        sys.stdout = open(opened[1], "w", encoding="utf-8")  # noqa: SIM115  (until the process ends)
    if 2 in opened:
        sys.stderr = open(opened[2], "w", encoding="utf-8")  # noqa: SIM115


def write_escaped(stream: TextIO, text: str) -> None:
    """Writes text; characters that the stream's encoding lacks are escaped."""
    try:
        stream.write(text)
    except UnicodeEncodeError:
        encoding = stream.encoding or "ascii"
        stream.write(text.encode(encoding, "backslashreplace").decode(encoding))
