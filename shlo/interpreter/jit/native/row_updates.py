"""A scatter of rows as machine code: each update is combined into the row that its indices name, in order.

NumPy combines element by element where rows repeat. The machine code takes a row's elements together; as each
of them has its updates in the same order, the bits are the same.
"""

from __future__ import annotations

import math

from shlo.interpreter.jit.native.lines import Lines
from shlo.interpreter.jit.native.numbers import Number, number_of
from shlo.interpreter.jit.native.operations.movement import combiner, wide_index
from shlo.interpreter.jit.native.values import Memory, load, store
from shlo.interpreter.kernel_api import OpView
from shlo.interpreter.kernels.indexing.scatter import Scattering
from shlo.interpreter.kernels.shapes import row_major_strides
from shlo.interpreter.runtime.tiers import Unsupported


def row_updates_text(op: OpView, plan: Scattering) -> str:
    """Returns the text of `i64 @rows(ptr %frame)`, whose frame has the addresses of the table, the start
    indices and the updates, which lie in memory row by row, the updates' windows behind their batch. Raises
    Unsupported for what cannot be written.
    """
    table, starts, updates = (number_of(type_) for type_ in op.operand_types)
    combine, width = combiner(op.bodies[0], op), math.prod(plan.window_shape)
    if combine is None or table != updates:
        raise Unsupported("a region")
    lines = Lines()
    target, source = Memory(table, (), "%table"), Memory(updates, (), "%updates")

    def update(indices: list[str]) -> None:
        (at,) = indices
        row, is_inside = _row(lines, plan, starts, at)
        then, after = lines.label(), lines.label()
        lines.branch(is_inside, then, after)
        lines.begin(then)

        def element(column: list[str]) -> None:
            place = lines.affine("0", [row, *column], [width, 1])
            given = load(lines, source, lines.affine("0", [at, *column], [width, 1]))
            store(lines, target, place, combine(lines, table, [load(lines, target, place), given]))

        lines.each([width], element)
        lines.jump(after)
        lines.begin(after)

    lines.each([math.prod(plan.starts.batch)], update)
    return "\n".join(
        [
            "define internal void @update(ptr noalias %table, ptr noalias %starts, ptr noalias %updates) "
            "noinline {",
            "begin:",
            *lines.entry,
            *lines.lines,
            "  ret void",
            "}",
            "define i64 @rows(ptr %frame) {",
            "  %table = load ptr, ptr %frame",
            "  %starts.at = getelementptr ptr, ptr %frame, i64 1",
            "  %starts = load ptr, ptr %starts.at",
            "  %updates.at = getelementptr ptr, ptr %frame, i64 2",
            "  %updates = load ptr, ptr %updates.at",
            "  call void @update(ptr %table, ptr %starts, ptr %updates)",
            "  ret i64 0",
            "}",
        ]
    )


def _row(lines: Lines, plan: Scattering, number: Number, at: str) -> tuple[str, str]:
    """Writes the number of the row for the update at a place of the batch, and whether it is inside."""
    steps = dict(zip(plan.leading, row_major_strides([plan.shape[axis] for axis in plan.leading], 1)))
    shape, vector = plan.starts.shape, plan.starts.vector_dim
    behind = math.prod(shape[vector + 1 :])
    if plan.starts.count > 1 and behind > 1:
        raise Unsupported("indices apart from each other")
    starts = Memory(number, shape, "%starts")
    row, is_inside = "0", "true"
    for component, axis in enumerate(plan.mapped):
        place = lines.affine(str(component), [at], [plan.starts.count])
        start = wide_index(lines, starts, place)
        fits = lines.value(f"icmp ult i64 {start}, {plan.shape[axis]}")
        is_inside = fits if is_inside == "true" else lines.value(f"and i1 {is_inside}, {fits}")
        row = lines.affine(row, [start], [steps[axis]])
    batch = plan.starts.batch
    for axis, dimension in zip(plan.batching, plan.batches_at):
        whole = lines.value(f"udiv i64 {at}, {math.prod(batch[dimension + 1 :])}")
        coordinate = lines.value(f"urem i64 {whole}, {batch[dimension]}")
        row = lines.affine(row, [coordinate], [steps[axis]])
    return row, is_inside
