"""Operations of the interpreter dialect that observe values as a program runs."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from shlo.interpreter.kernel_api import KernelFn, OpView, Value
from shlo.interpreter.probes import write_probe
from shlo.interpreter.registry import kernel
from shlo.interpreter.runtime.context import ExecutionContext


@kernel("interpreter.probe", needs_context=True)
def probe(op: OpView) -> KernelFn:
    """Writes the operand to the probe folder, and returns it."""
    probe_id, type_ = op.word("probe_id"), op.tensor_type(0)

    def evaluate(context: ExecutionContext, operand: Value) -> Value:
        write_probe(context.probe_folder, probe_id, type_, operand)
        return operand

    return evaluate


@kernel("interpreter.print")
def print_(op: OpView) -> KernelFn:
    """Writes the operand's type and elements to standard error."""
    type_ = op.operand_types[0]

    def evaluate(operand: Any) -> None:
        elements = np.array2string(np.asarray(operand), separator=", ", threshold=1000)
        sys.stderr.write(f"{type_} {{\n{elements}\n}}\n")

    return evaluate
