"""Shardy's annotations, which change no value on one process."""

from __future__ import annotations

from shlo.interpreter.kernel import Evaluate, KernelError, Specialization, Value, kernel


@kernel("sdy.sharding_constraint", "sdy.reshard", "sdy.propagation_barrier")
def annotation(op: Specialization) -> Evaluate:
    """The operand itself."""
    return _identity


@kernel("sdy.sharding_group")
def sharding_group(op: Specialization) -> Evaluate:
    """Nothing: the operand is named as one of a group."""
    return _nothing


@kernel("sdy.manual_computation")
def manual_computation(op: Specialization) -> Evaluate:
    """Refused: its body runs on every device of a mesh."""
    raise KernelError(
        "a manual computation needs a process for each device of its mesh; run executes one process"
    )


def _nothing(operand: Value) -> None:
    return None


def _identity(operand: Value) -> Value:
    return operand
