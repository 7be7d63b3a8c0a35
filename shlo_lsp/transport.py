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
from typing import Any, Protocol

from shlo.support.cancellation import Urgent

logger = logging.getLogger(__name__)
LENGTH = re.compile(rb"^Content-Length:[ \t]*(\d+)[ \t]*\r?$", re.IGNORECASE | re.MULTILINE)
MAX_HEADER = 4_096
END_OF_HEADER = b"\r\n\r\n"
END = object()
"""What is behind the last message."""


class ByteReader(Protocol):
    """A stream of bytes without a buffer, such as a file's `raw`."""

    def read(self, size: int, /) -> bytes | None:
        """Returns at most `size` bytes, none at the end."""
        ...


def messages(stream: ByteReader) -> Iterator[bytes]:
    """Yields the bodies of a stream's messages, until it ends."""
    buffer = bytearray()
    while True:
        end = buffer.find(END_OF_HEADER)
        if end < 0:
            del buffer[:-MAX_HEADER]
            if not _more(stream, buffer, 1 << 16):
                return
            continue
        match = LENGTH.search(bytes(buffer[:end]))
        del buffer[: end + len(END_OF_HEADER)]
        if match is None:
            logger.error("a message says no length")
            continue
        length = int(match[1])
        while len(buffer) < length:
            if not _more(stream, buffer, min(length - len(buffer), 1 << 22)):
                return
        yield bytes(buffer[:length])
        del buffer[:length]


def _more(stream: ByteReader, buffer: bytearray, size: int) -> bool:
    data = stream.read(size)
    buffer += data or b""
    return bool(data)


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
