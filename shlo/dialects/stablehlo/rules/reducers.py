"""The constraint of the regions that combine elements."""

from __future__ import annotations

from shlo.dialects.opdef import Constraint, constraint

SCALARS: Constraint = constraint(
    "I2",
    "all(lambda x: rank(x) = 0, init_values)",
    erratum="the MLIR tools take tensors that the region combines as a whole",
    enforced=False,
    needed=True,
)
"""What a reduction starts from."""


def reducer_type(
    label: str, body: str, shapes: str, *lists: str, allowed: str = "[]", was: str | None = None
) -> tuple[Constraint, Constraint]:
    """Returns a region that combines the elements of tensors, two lists of scalars at a time. `lists` are the
    formulas of the lists of tensors whose elements it sees, the first one as long as what it combines, and
    `shapes` that of the shapes of what it gives (scalars, by the specification), with dimensions of `allowed`
    alone."""
    combinable = "".join(
        f" and all(lambda x, e: is_combinable(x, e), {values}, {names})" for values in lists for names in "EF"
    )
    promotable = " and ".join(f"all(lambda x, e: is_promotable(x, e), {values}, E)" for values in lists)
    return (
        constraint(
            label,
            f"{body} has type (shaped<E>..., shaped<F>...) -> (shaped<E>...)"
            f" where size(E) = size({lists[0]}) and all(lambda f, e: is_float_alike(f, e), F, E){combinable}"
            f" and all(lambda t, s: shape(t) = s, output_types({body}), {shapes})"
            f" and all(lambda t, s: shape(t) = s, input_types({body}), {shapes} ++ {shapes})"
            f" and all(lambda t: is_part(shape(t), {allowed}), input_types({body}))",
            was=was,
            erratum="the MLIR tools take floats of any width for each other",
        ),
        constraint(
            label,
            f"{body} has type (tensor<E>..., tensor<E>...) -> (tensor<E>...) where {promotable}",
            was=was,
            enforced=False,
        ),
    )
