"""Infeed, outfeed, and channels. Specification: "infeed", "outfeed", "send", "recv"."""

from __future__ import annotations

import numpy as np

from shlo.dialects.struct_attributes import ChannelHandle
from shlo.interpreter.kernel_api import TOKEN, BinaryFn, KernelError, KernelFn, OpView, Value
from shlo.interpreter.kernels.shapes import require
from shlo.interpreter.registry import kernel
from shlo.interpreter.runtime.channels import ChannelKey, Values
from shlo.interpreter.runtime.context import ExecutionContext
from shlo.interpreter.runtime.marshal import marshal_argument
from shlo.interpreter.topology.groups import GridShape, cross_partition, cross_replica
from shlo.ir.dense import DenseElementsAttr
from shlo.ir.dtypes import dtype_of
from shlo.ir.types import RankedTensorType, Type


@kernel("stablehlo.infeed", needs_context=True)
def infeed(op: OpView) -> BinaryFn:
    """Returns the values of the infeed's next item, then the token."""
    return lambda context, token: _received(op, context.channels.next_infeed(), "the infeed's item")


@kernel("stablehlo.outfeed", needs_context=True)
def outfeed(op: OpView) -> KernelFn:
    """Adds an item to the outfeed."""

    def evaluate(context: ExecutionContext, *operands: Value) -> Value:
        context.channels.outfeed.append(operands[:-1])
        return TOKEN

    return evaluate


@kernel("stablehlo.send", needs_context=True)
def send(op: OpView) -> KernelFn:
    """Adds an item to a channel; does nothing if the process is the source of no pair."""

    def evaluate(context: ExecutionContext, *operands: Value) -> Value:
        key = sent_to(op, context)
        if key is not None:
            context.channels.channels[key].append(operands[:-1])
        return TOKEN

    return evaluate


@kernel("stablehlo.recv", needs_context=True)
def recv(op: OpView) -> KernelFn:
    """Returns the values of a channel's next item, then the token; zeros if no pair has this target."""

    def evaluate(context: ExecutionContext, token: Value) -> Value:
        key = received_from(op, context)
        if key is None:
            return _result([_zeros(type_) for type_ in op.result_types[:-1]])
        return _received(op, context.channels.receive(key), f"what channel {channel_number(op)} holds")

    return evaluate


def channel_number(op: OpView) -> int:
    """Returns the number of the channel of a send or recv."""
    return op.require("channel_handle", ChannelHandle).handle


def sent_to(op: OpView, context: ExecutionContext) -> ChannelKey | None:
    """Returns the queue that a send of a process adds to, None if it sends nothing."""
    pairs = message_pairs(op, context.shape)
    if pairs is None:
        return channel_number(op)
    target = next((target for source, target in pairs if source == context.process), None)
    return None if target is None else (channel_number(op), target)


def received_from(op: OpView, context: ExecutionContext) -> ChannelKey | None:
    """Returns the queue that a recv of a process takes from, None if nothing is sent to it."""
    pairs = message_pairs(op, context.shape)
    if pairs is None:
        return channel_number(op)
    process = context.process
    return (channel_number(op), process) if any(target == process for _, target in pairs) else None


def message_pairs(op: OpView, grid: GridShape) -> list[tuple[int, ...]] | None:
    """Returns the pairs of processes that send and receive: partitions of a replica, or replicas without
    partitions. None if the operation names none: then the first receiver gets what was sent."""
    attribute = op.get("source_target_pairs")
    if not isinstance(attribute, DenseElementsAttr) or attribute.array.size == 0:
        return None
    split = cross_replica if grid.partitions == 1 else cross_partition
    return list(split(attribute.array.tolist(), grid))


def _zeros(type_: Type) -> Value:
    if not isinstance(type_, RankedTensorType):
        raise KernelError(f"cannot give zeros for {type_}")
    return np.zeros(type_.static_shape, dtype_of(type_.element_type))


def _received(op: OpView, values: Values, what: str) -> Value:
    """Returns an item as the operation's results, which end with a token."""
    types = op.result_types[:-1]
    require(len(values) == len(types), "takes {} values, but {} has {}", len(types), what, len(values))
    return _result([marshal_argument(value, type_, what) for value, type_ in zip(values, types)])


def _result(values: list[Value]) -> Value:
    return (*values, TOKEN) if values else TOKEN
