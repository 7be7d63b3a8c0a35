"""Where values enter and leave a running program: the infeed, the outfeed, and channels to the host.

Queues, first in first out. Specification: "infeed", "outfeed", "send", "recv".
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable
from typing import Any

from msgspec import Struct, field

from shlo.interpreter.kernel_api import KernelError, Value

Values = tuple[Value, ...]

ChannelKey = int | tuple[int, int]
"""A channel; with a process, that part of it whose items are for this process."""


def _queue() -> deque[Values]:
    return deque()


def _channels() -> defaultdict[ChannelKey, deque[Values]]:
    return defaultdict(deque)


class Channels(Struct):
    """The queues of a run. Each item is what one operation gives or takes: a tuple of values."""

    infeed: deque[Values] = field(default_factory=_queue)
    outfeed: deque[Values] = field(default_factory=_queue)
    channels: defaultdict[ChannelKey, deque[Values]] = field(default_factory=_channels)

    @staticmethod
    def fed(items: Iterable[Iterable[Any]]) -> Channels:
        """Channels whose infeed holds these items, each the values of one infeed operation."""
        return Channels(deque(tuple(item) for item in items))

    def sharing_channels(self) -> Channels:
        """Other queues that share the channels with these, but not infeed and outfeed."""
        return Channels(channels=self.channels)

    def next_infeed(self) -> Values:
        """Returns the next item of the infeed; raises KernelError where there is none."""
        if not self.infeed:
            raise KernelError("the infeed is empty")
        return self.infeed.popleft()

    def receive(self, channel: ChannelKey) -> Values:
        """Returns the next item of a channel; raises KernelError where there is none."""
        if not self.channels[channel]:
            number = channel if isinstance(channel, int) else channel[0]
            raise KernelError(f"nothing was sent on channel {number}")
        return self.channels[channel].popleft()


def refill(queues: Channels, infeed: Iterable[Values], outfeed: Iterable[Values]) -> None:
    """Puts other items into the infeed and the outfeed."""
    for queue, items in ((queues.infeed, infeed), (queues.outfeed, outfeed)):
        queue.clear()
        queue.extend(items)


def refill_channels(queues: Channels, channels: Iterable[tuple[ChannelKey, Iterable[Values]]]) -> None:
    """Puts other items into the channels."""
    queues.channels.clear()
    for key, items in channels:
        queues.channels[key].extend(items)
