"""Shardy's rules of how an operation is split, `#sdy.op_sharding_rule<...>`, both directions."""

from __future__ import annotations

import re
from collections.abc import Sequence

from shlo.dialects.sdy.attributes import OpShardingRule
from shlo.syntax.dialects.sdy import braced, bracketed
from shlo.syntax.lexer.cursor import Cursor

FACTOR = re.compile(r"(?:z_([1-9][0-9]{0,8})|([i-z]))", re.ASCII)
LETTERS = "ijklmnopqrstuvwxyz"
FACTOR_LISTS = ("reduction", "need_replication", "permutation", "blocked_propagation")


def parse_rule(cursor: Cursor) -> OpShardingRule:
    """`([i, j], [k])->([i]) {i=2, j=3, k=1} reduction={j}, custom`."""
    operands = _mappings(cursor)
    cursor.expect("->", "between the mappings of operands and results")
    results = _mappings(cursor)
    sizes = _factor_sizes(cursor)
    factors: list[tuple[str, tuple[int, ...]]] = []
    for name in FACTOR_LISTS:
        if cursor.accept(name):
            cursor.expect("=", f"after '{name}'")
            factors.append((name, braced(cursor, lambda: _factor(cursor))))
    is_custom = cursor.accept(",")
    if is_custom:
        cursor.expect("custom")
    return OpShardingRule(sizes, operands, results, tuple(factors), is_custom)


def _mappings(cursor: Cursor) -> tuple[tuple[tuple[int, ...], ...], ...]:
    cursor.expect("(", "before the mappings of tensors")
    if not cursor.at("["):
        cursor.fail(f"expected the mapping of a tensor '[...]', but found {cursor.found()}")
    return tuple(cursor.comma_list(lambda: bracketed(cursor, lambda: _dimension_factors(cursor)), ")"))


def _dimension_factors(cursor: Cursor) -> tuple[int, ...]:
    factors = [_factor(cursor)]
    while FACTOR.match(cursor.text, cursor.pos):
        factors.append(_factor(cursor))
    return tuple(factors)


def _factor(cursor: Cursor) -> int:
    match = cursor.match(FACTOR)
    if not match:
        cursor.fail(f"expected a factor from 'i' to 'z', but found {cursor.found()}")
    return LETTERS.index(match[2]) if match[2] else len(LETTERS) - 1 + int(match[1])


def _factor_sizes(cursor: Cursor) -> tuple[int, ...]:
    if not cursor.at("{"):
        return ()
    sizes: list[int] = []

    def size() -> None:
        cursor.skip()
        before = cursor.pos
        if _factor(cursor) != len(sizes):
            cursor.pos = before
            cursor.fail(f"expected the size of factor {_factor_text(len(sizes))}, but found {cursor.found()}")
        cursor.expect("=", "after a factor")
        sizes.append(cursor.expect_integer("the size of a factor"))

    braced(cursor, size)
    return tuple(sizes)


def _factor_text(factor: int) -> str:
    return LETTERS[factor] if factor < len(LETTERS) else f"z_{factor - len(LETTERS) + 1}"


def rule_text(rule: OpShardingRule) -> str:
    """Returns the text of a sharding rule: mappings, factor sizes, special factors."""
    parts = f"{_mappings_text(rule.operand_mappings)}->{_mappings_text(rule.result_mappings)}"
    if rule.factor_sizes:
        sizes = [f"{_factor_text(number)}={size}" for number, size in enumerate(rule.factor_sizes)]
        parts += f" {{{', '.join(sizes)}}}"
    for name, factors in rule.factors:
        parts += f" {name}={{{', '.join(map(_factor_text, factors))}}}"
    return parts + (", custom" if rule.is_custom else "")


def _mappings_text(mappings: Sequence[Sequence[Sequence[int]]]) -> str:
    tensors = (", ".join("".join(map(_factor_text, factors)) for factors in tensor) for tensor in mappings)
    return f"({', '.join(f'[{tensor}]' for tensor in tensors)})"
