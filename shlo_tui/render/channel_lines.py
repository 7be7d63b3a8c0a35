"""Messages that were sent and not received yet, as lines of a sheet."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from shlo.debugger.inspect.snapshots import ChannelView, GridView
from shlo.text.escape import sanitized
from shlo_tui.render.status_text import Spans

MOST_SHOWN: Final = 20
"""Messages of a channel that are shown, and values of a message."""


def channel_lines(view: GridView) -> list[Spans]:
    """Returns all channels and queues in which something waits, with their messages, the oldest first."""
    lines = [line for channel in view.channels for line in _channel(view, channel)]
    return lines or [[("nothing was sent that was not received", "text")]]


def _channel(view: GridView, channel: ChannelView) -> Iterator[Spans]:
    count = len(channel.messages)
    yield [
        (_name(view, channel), "name"),
        (f"   {count:,} {'message' if count == 1 else 'messages'}", "dim"),
    ]
    for number, values in enumerate(channel.messages[:MOST_SHOWN], 1):
        parts = [sanitized(value) for value in values[:MOST_SHOWN]]
        yield [(f"{number:>4}  ", "dim"), (" | ".join(parts), "text")]
    if count > MOST_SHOWN:
        yield [(f"      … and {count - MOST_SHOWN:,} more", "dim")]


def _name(view: GridView, channel: ChannelView) -> str:
    receiver = "" if channel.receiver is None else view.shape.label(channel.receiver)
    if channel.kind != "channel":
        return f"{channel.kind} of {receiver}"
    return f"channel {channel.channel}" + (f" to {receiver}" if receiver else "")
