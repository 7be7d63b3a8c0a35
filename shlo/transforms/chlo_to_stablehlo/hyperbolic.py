"""sinh and cosh, without overflow where only `exp(x)` overflows."""

from __future__ import annotations

from shlo.transforms.rewriting.builder import ValueRef, is_complex
from shlo.transforms.rewriting.elementwise import absolute, at_least_single, expm1, exponential, log, select


def cosh(x: ValueRef) -> ValueRef:
    """`exp(x + log(1/2)) + exp(log(1/2) - x)`."""

    def formula(x: ValueRef) -> ValueRef:
        rising, falling = _halves(x)
        return rising + falling

    return at_least_single(formula, x)


def sinh(x: ValueRef) -> ValueRef:
    """`exp(x + log(1/2)) - exp(log(1/2) - x)`; of a small x `(e + e / (e + 1)) / 2`, where e = exp(x) - 1."""
    return _large_sinh(x) if is_complex(x.type) else at_least_single(_real_sinh, x)


def _real_sinh(x: ValueRef) -> ValueRef:
    for_large = _large_sinh(x)
    growth = expm1(x)
    one = x.constant(1)
    half = x.constant(0.5)
    ratio = growth / (growth + one)
    for_small = half * (growth + ratio)
    return select(absolute(x) < one, for_small, for_large)


def _large_sinh(x: ValueRef) -> ValueRef:
    rising, falling = _halves(x)
    return rising - falling


def _halves(x: ValueRef) -> tuple[ValueRef, ValueRef]:
    """`exp(x) / 2` and `exp(-x) / 2`."""
    log_half = log(x.constant(0.5))
    rising = exponential(x + log_half)
    return rising, exponential(log_half - x)
