"""Infeed, outfeed, and channels. Specification: "infeed", "outfeed", "send", "recv"."""

from __future__ import annotations

from shlo.dialects.stablehlo.attributes import ChannelHandle
from shlo.interpreter.boundary import accept_one
from shlo.interpreter.channels import Values, channels_of
from shlo.interpreter.kernel import TOKEN, Context, Evaluate, KernelError, Specialization, Value, kernel
from shlo.interpreter.kernels.shapes import require


@kernel("stablehlo.infeed", needs_context=True)
def infeed(op: Specialization) -> Evaluate:
    """The values of the infeed's next item, then the token."""

    def evaluate(context: Context, token: Value) -> Value:
        return _received(op, channels_of(context).next_infeed(), "the infeed's item")

    return evaluate


@kernel("stablehlo.outfeed", needs_context=True)
def outfeed(op: Specialization) -> Evaluate:
    """Adds an item to the outfeed."""

    def evaluate(context: Context, *operands: Value) -> Value:
        channels_of(context).outfeed.append(operands[:-1])
        return TOKEN

    return evaluate


@kernel("stablehlo.send", needs_context=True)
def send(op: Specialization) -> Evaluate:
    """Adds an item to a channel."""
    channel = _channel(op)

    def evaluate(context: Context, *operands: Value) -> Value:
        channels_of(context).channels[channel].append(operands[:-1])
        return TOKEN

    return evaluate


@kernel("stablehlo.recv", needs_context=True)
def recv(op: Specialization) -> Evaluate:
    """The values of a channel's next item, then the token."""
    channel = _channel(op)

    def evaluate(context: Context, token: Value) -> Value:
        return _received(op, channels_of(context).receive(channel), f"what channel {channel} holds")

    return evaluate


def _channel(op: Specialization) -> int:
    handle = op.require("channel_handle")
    if not isinstance(handle, ChannelHandle):
        raise KernelError("channel_handle must be a #stablehlo.channel_handle attribute")
    return handle.handle


def _received(op: Specialization, values: Values, what: str) -> Value:
    """An item as the operation's results, which end with a token."""
    types = op.result_types[:-1]
    require(len(values) == len(types), "takes {} values, but {} has {}", len(types), what, len(values))
    if not types:
        return TOKEN
    return (*[accept_one(value, type_, what) for value, type_ in zip(values, types)], TOKEN)
