"""Broadcasts whose groups leave a process out."""

from __future__ import annotations

from shlo.interpreter.kernels.spmd.collective import collective_of
from shlo.sanitizer.objections import Element, Objection
from shlo.sanitizer.steps import OperationStep


def left_out(step: OperationStep) -> Objection | None:
    """A process that is in no group, and whose result is zero for that reason."""
    groups = collective_of(step.view, step.shape).group_of
    if step.process in groups:
        return None
    named = ", ".join(sorted({step.shape.label(group) for group in groups})) or "none"
    return Objection(1, (Element((), (("process", step.shape.label(step.process)), ("in a group", named))),))
