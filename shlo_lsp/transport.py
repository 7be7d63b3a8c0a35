"""Messages from a stream: read in a thread of their own, so that none waits for the work of another.

The thread takes whole messages. Requests that are no valid ones are answered with an error; whatever else
cannot be read is logged and passed over.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
import threading
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO

from pygls.io_ import StdoutWriter

from shlo.support.cancellation import Urgent
from shlo.support.framing import ByteReader, bodies

logger = logging.getLogger(__name__)
LENGTH = re.compile(rb"^Content-Length:[ \t]*(\d+)[ \t]*\r?$", re.IGNORECASE | re.MULTILINE)
END = object()
"""What is behind the last message."""


def messages(stream: ByteReader) -> Iterator[bytes]:
    """Yields the bodies of a stream's messages, until it ends."""
    return bodies(stream, _length)


def _length(header: bytes) -> int | None:
    match = LENGTH.search(header)
    if match is None:
        logger.error("a message says no length")
        return None
    return int(match[1])


class ClientWriter(StdoutWriter):
    """Writes to the client. What comes after the end, an answer to a request before it, is dropped."""

    def __init__(self, stdout: BinaryIO) -> None:
        super().__init__(stdout)
        self._has_ended = False

    def close(self) -> None:
        """Ends the stream."""
        self._has_ended = True
        super().close()

    def write(self, data: bytes) -> None:
        """Sends data, unless the client has said that it goes."""
        if not self._has_ended:
            super().write(data)


async def serve(stream: ByteReader, handle: Callable[[Any], None], urgent: Urgent) -> None:
    """Hands each message of a stream over, decoded from JSON, until the stream ends. What a message starts
    has begun before the next one is handed over. Messages are urgent until then. Once the event loop is
    closed, no more are read."""
    loop = asyncio.get_running_loop()
    queue: asyncio.Queue[Any] = asyncio.Queue()

    def put(message: Any) -> bool:
        urgent.begin()
        try:
            loop.call_soon_threadsafe(queue.put_nowait, message)
        except RuntimeError:
            if not loop.is_closed():
                raise
            return False  # the client has said that it goes
        return True

    threading.Thread(target=_read, args=(stream, put), daemon=True, name="messages").start()
    while (message := await queue.get()) is not END:
        try:
            handle(message)
            await asyncio.sleep(0)
        finally:
            urgent.end()
    urgent.end()


def _read(stream: ByteReader, put: Callable[[Any], bool]) -> None:
    """Hands the messages of a stream over, and END behind them, as long as they are taken."""
    try:
        for body in messages(stream):
            try:
                if not put(json.loads(body)):
                    return
            except (ValueError, RecursionError):
                logger.error("a message is no JSON: %r", body[:200])
    except OSError as error:
        logger.error("the client cannot be heard any more: %s", error)
    finally:
        put(END)
