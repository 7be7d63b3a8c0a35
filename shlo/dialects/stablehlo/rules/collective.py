"""The constraints that collectives share: groups of processes, pairs of them, channels, reducers.

How many processes there are is known when a program runs; until then ids are checked among each other.
"""

from __future__ import annotations

from typing import Final

from shlo.dialects import find_op_def
from shlo.dialects.op_bindings import Broken, OpBindings
from shlo.dialects.opdef import Constraint, constraint, formulas
from shlo.ir.operations import Operation
from shlo.ir.suggestions import advise

IS_LIST = "rank(replica_groups) = 2"


def replica_groups(
    unique: str,
    complete: str,
    in_range: str,
    *,
    padded: bool = False,
    was: tuple[str, str, str] | None = None,
) -> tuple[Constraint, ...]:
    """Groups in which each process is once, by the labels of the parts; `padded` groups may be shorter
    than others and end in -1. Groups given as axes of a mesh are not checked."""
    old = was or (unique, complete, in_range)
    ids = "[i for i in flat(replica_groups) if i != -1]" if padded else "flat(replica_groups)"
    return (
        constraint(
            complete,
            f"if is_tensor_value(replica_groups) then {IS_LIST}",
            was=old[1],
            erratum="how many there are is checked when the program runs",
        ),
        constraint(unique, f"if is_tensor_value(replica_groups) then is_unique({ids})", was=old[0]),
        constraint(
            in_range,
            f"if is_tensor_value(replica_groups) then all(lambda i: 0 <= i < size(ids), ids)"
            f" where ids = {ids}",
            was=old[2],
        ),
    )


GROUP: Final = " where group = group_size(replica_groups, channel_id, use_global_device_ids)"


def global_ids(label: str, lowest: int) -> tuple[Constraint, ...]:
    """Ids that count all processes need a channel, and groups."""
    return (
        constraint(
            label,
            f"if use_global_device_ids is not None then {lowest} <= given(channel_id, 0)",
            at="channel_handle",
        ),
        *(_positive_channel(label) if lowest < 1 else ()),
        *formulas("""
            A1: if use_global_device_ids is not None and is_tensor_value(replica_groups)
                then 0 < size(flat(replica_groups))
                # the MLIR tools want groups where all processes are counted
        """),
    )


def _positive_channel(label: str) -> tuple[Constraint]:
    """The MLIR tools take channel 0 where the specification does not."""
    formula = "if use_global_device_ids is not None then 0 < given(channel_id, 0)"
    return (constraint(label, formula, enforced=False, at="channel_handle"),)


def pairs(
    labels: tuple[str, str, str, str], was: tuple[str, str, str, str] | None = None, enforced: bool = True
) -> tuple[Constraint, ...]:
    """Pairs of a source and a target, each in one pair at most."""
    old = was or labels
    formulas = (
        "shape(source_target_pairs)[1:] = [2]",
        "is_unique(source_target_pairs[:, 0])",
        "is_unique(source_target_pairs[:, 1])",
        "all(lambda i: 0 <= i, flat(source_target_pairs))",
    )
    return tuple(
        constraint(
            label,
            f"if source_target_pairs is not None and source_target_pairs != [] then {formula}",
            was=was_label,
            enforced=enforced,
        )
        for label, formula, was_label in zip(labels, formulas, old)
    )


def scalar_reducer(label: str, operands: str) -> tuple[Constraint, Constraint]:
    """Returns a region that combines two scalars, to whose type the elements of all operands can be
    promoted."""
    return (
        constraint(
            label,
            "computation has type (tensor<E>, tensor<F>) -> (tensor<E>) where is_float_alike(F, E)"
            f" and all(lambda x: is_combinable(x, E) and is_combinable(x, F), {operands})",
            erratum="the MLIR tools take floats of any width for each other",
        ),
        constraint(
            label,
            "computation has type (tensor<E>, tensor<E>) -> (tensor<E>)"
            f" where all(lambda x: is_promotable(x, E), {operands})",
            enforced=False,
        ),
    )


def body_is_one_operation(bindings: OpBindings) -> Broken | None:
    """The body of async_start holds one operation and a return."""
    operations = _body(bindings)
    if operations is None or len(operations) == 2:
        return None
    message = f"body holds {len(operations)} operations, not one and a return"
    return Broken(message, ("body",), advise("let it hold one collective or slice, and stablehlo.return"))


def body_is_asynchronous(bindings: OpBindings) -> Broken | None:
    """Judges: the operation in the body of async_start is a collective or a slice."""
    operations = _body(bindings) or []
    if len(operations) != 2 or _is_asynchronous(operations[0].name):
        return None
    message = f"body holds {operations[0].name}, which is neither a collective nor a slice"
    return Broken(message, ("body",), advise(f"put a collective there, or one of {', '.join(_SLICES)}"))


_SLICES: Final = ("stablehlo.slice", "stablehlo.dynamic_slice", "stablehlo.dynamic_update_slice")


def _is_asynchronous(name: str) -> bool:
    op_def = find_op_def(name)
    is_collective = op_def is not None and op_def.synchronizes == "group" and op_def.specified
    return is_collective or name in _SLICES


def operation_sees_the_arguments(bindings: OpBindings) -> Broken | None:
    """Judges: the operation in the body of async_start is given the arguments, and the return its results."""
    operations = _body(bindings) or []
    if len(operations) != 2 or bindings.around is None:
        return None
    inner, end = operations
    arguments = bindings.around.operation.regions[0].blocks[0].arguments
    if inner.operands == arguments and end.operands == inner.results:
        return None
    message = "the operation in body does not take its arguments and give its results in order"
    return Broken(message, ("body",), advise("pass body's arguments to it, and its results to the return"))


def _body(bindings: OpBindings) -> list[Operation] | None:
    """Returns the operations of the body, None where they cannot be told."""
    regions = bindings.around.operation.regions if bindings.around else ()
    return regions[0].blocks[0].operations if regions and regions[0].blocks else None
