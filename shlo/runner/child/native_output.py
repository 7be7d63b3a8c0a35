"""What libraries print past Python, kept apart from a command's own words."""

from __future__ import annotations

import os
import sys
from typing import IO, TextIO


def divert_native_output(file: IO[bytes]) -> tuple[TextIO, TextIO]:
    """Has what libraries write to the file descriptors of standard output and standard error go to a file;
    returns, for this process' own words, streams that go where those went.
    """
    streams = sys.stdout, sys.stderr
    own: list[TextIO] = []
    for number, stream in enumerate(streams, 1):
        stream.flush()
        kept = os.fdopen(os.dup(number), "w", encoding=stream.encoding, errors=stream.errors)
        kept.reconfigure(line_buffering=stream.isatty() or number == 2)
        own.append(kept)
        os.dup2(file.fileno(), number)
    sys.stdout, sys.stderr = own
    return own[0], own[1]
