"""What is known to help against a cause: one sentence each, and where docs/remedies.md explains it."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

PAGE: Final = "docs/remedies.md"


class Remedy(Struct, frozen=True):
    """A remedy: its heading on the page, as an anchor, and what to do in one sentence."""

    anchor: str
    sentence: str

    @property
    def link(self) -> str:
        """Where the page explains it."""
        return f"{PAGE}#{self.anchor}"


DOUBLE_WHERE: Final = Remedy(
    "double-where",
    "replace the operand by a safe one first, and mask the result: the double where",
)
SQRT: Final = Remedy(
    "epsilon-inside-of-sqrt",
    "keep the operand above zero, sqrt(maximum(x, eps)), or take the double where",
)
LOG: Final = Remedy(
    "log-of-zero",
    "keep the operand positive, log(maximum(x, eps)), or compute in logarithms: log_softmax, logsumexp",
)
EXP: Final = Remedy("logsumexp", "subtract the maximum first: logsumexp, softmax and log_softmax do")
DIVISION: Final = Remedy(
    "division-by-zero", "choose a safe divisor, x / where(d == 0, 1, d), and mask the quotient"
)
FINITE_MASK: Final = Remedy(
    "infinity-minus-infinity",
    "mask with a large finite number, jnp.finfo(x.dtype).min, and mask what has nothing left",
)
WHERE: Final = Remedy("zero-times-infinity", "mask with where instead of a product: 0 * Inf is NaN")
NARROW: Final = Remedy("f32-accumulation", "accumulate in float32: dtype=, preferred_element_type= or a cast")
CANCELLATION: Final = Remedy(
    "cancellation", "subtract before squares and sums are formed, or use expm1, log1p and the like"
)
SPLIT: Final = Remedy("split-the-key", "split the key, jax.random.split, and use each part once")
AXES: Final = Remedy("broadcast-of-n-and-n-1", "make the shapes equal: squeeze the dimension of size 1")
HOIST: Final = Remedy("work-in-a-loop", "compute it once before the loop, and close over the result")
SAME_PATH: Final = Remedy(
    "collective-under-a-predicate", "let all devices take the same branch: psum the predicate, or use where"
)
ZERO_GRADIENT: Final = Remedy(
    "gradient-of-zero", "look for stop_gradient, rounding, comparisons and integers between it and the result"
)
INDEX: Final = Remedy("clamped-index", "check the index against the size: JAX clamps and drops silently")
INTEGERS: Final = Remedy("integer-wrap", "compute in a wider type, or reduce before it overflows")

_OF_INFINITIES: Final = {"add": FINITE_MASK, "subtract": FINITE_MASK, "multiply": WHERE}
_CANCELLING: Final = frozenset(("norm", "std", "sqrt"))


def nonfinite_remedy(
    op: str, function: str, *, is_nan: bool, is_gradient: bool, is_narrow: bool
) -> Remedy | None:
    """Returns what helps against a NaN or infinity, None where nothing is known.

    Args:
        op: the operation that made it, without its dialect.
        function: what the line of Python calls, `jnp.log`; or its operator.
        is_nan: whether it is a NaN.
        is_gradient: whether the operation is one of a derivative.
        is_narrow: whether the number exceeds the range of a 16-bit type.
    """
    name = function.rpartition(".")[2]
    if is_narrow:
        return NARROW
    if is_gradient and (name in _CANCELLING or op in ("sqrt", "rsqrt")):
        return SQRT
    if is_gradient:
        return DOUBLE_WHERE
    if is_nan and op in _OF_INFINITIES:
        return _OF_INFINITIES[op]
    by_op = {"log": LOG, "exponential": EXP, "divide": DIVISION, "rsqrt": DIVISION, "sqrt": SQRT}
    return by_op.get(op) or by_op.get({"/": "divide"}.get(name, name))
