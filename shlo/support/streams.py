"""Standard streams of this process: those that it was started without, and text that they cannot encode."""

from __future__ import annotations

import os
import sys
from typing import IO, TextIO


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


def divert_native_output(file: IO[bytes]) -> tuple[TextIO, TextIO]:
    """Has what libraries write to the file descriptors of standard output and standard error go to a file;
    returns, for this process' own words, streams that go where those went.
    """
    streams = sys.stdout, sys.stderr
    kept_streams: list[TextIO] = []
    for number, stream in enumerate(streams, 1):
        stream.flush()
        copy = os.fdopen(os.dup(number), "w", encoding=stream.encoding, errors=stream.errors)
        copy.reconfigure(line_buffering=stream.isatty() or number == 2)
        kept_streams.append(copy)
        os.dup2(file.fileno(), number)
    sys.stdout, sys.stderr = kept_streams
    return kept_streams[0], kept_streams[1]
