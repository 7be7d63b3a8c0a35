"""Shardy's rules of how an operation is split, `#sdy.op_sharding_rule<...>`, both directions."""

from __future__ import annotations

import re
from collections.abc import Sequence

from shlo.dialects.sdy.attributes import OpShardingRule
from shlo.syntax.dialects.sdy import braced, bracketed
from shlo.syntax.lexer.cursor import Reader

FACTOR = re.compile(r"(?:z_([1-9][0-9]{0,8})|([i-z]))", re.ASCII)
LETTERS = "ijklmnopqrstuvwxyz"
FACTOR_LISTS = ("reduction", "need_replication", "permutation", "blocked_propagation")


def read_rule(reader: Reader) -> OpShardingRule:
    """`([i, j], [k])->([i]) {i=2, j=3, k=1} reduction={j}, custom`."""
    operands = _mappings(reader)
    reader.expect("->", "between the mappings of operands and results")
    results = _mappings(reader)
    sizes = _factor_sizes(reader)
    factors: list[tuple[str, tuple[int, ...]]] = []
    for name in FACTOR_LISTS:
        if reader.accept(name):
            reader.expect("=", f"after '{name}'")
            factors.append((name, braced(reader, lambda: _factor(reader))))
    is_custom = reader.accept(",")
    if is_custom:
        reader.expect("custom")
    return OpShardingRule(sizes, operands, results, tuple(factors), is_custom)


def _mappings(reader: Reader) -> tuple[tuple[tuple[int, ...], ...], ...]:
    reader.expect("(", "before the mappings of tensors")
    if not reader.at("["):
        reader.fail(f"expected the mapping of a tensor '[...]', but found {reader.found()}")
    return tuple(reader.comma_list(lambda: bracketed(reader, lambda: _dimension_factors(reader)), ")"))


def _dimension_factors(reader: Reader) -> tuple[int, ...]:
    factors = [_factor(reader)]
    while FACTOR.match(reader.text, reader.pos):
        factors.append(_factor(reader))
    return tuple(factors)


def _factor(reader: Reader) -> int:
    match = reader.match(FACTOR)
    if not match:
        reader.fail(f"expected a factor from 'i' to 'z', but found {reader.found()}")
    return LETTERS.index(match[2]) if match[2] else len(LETTERS) - 1 + int(match[1])


def _factor_sizes(reader: Reader) -> tuple[int, ...]:
    if not reader.at("{"):
        return ()
    sizes: list[int] = []

    def size() -> None:
        reader.skip()
        before = reader.pos
        if _factor(reader) != len(sizes):
            reader.pos = before
            reader.fail(f"expected the size of factor {_factor_text(len(sizes))}, but found {reader.found()}")
        reader.expect("=", "after a factor")
        sizes.append(reader.expect_integer("the size of a factor"))

    braced(reader, size)
    return tuple(sizes)


def _factor_text(factor: int) -> str:
    return LETTERS[factor] if factor < len(LETTERS) else f"z_{factor - len(LETTERS) + 1}"


def rule_text(rule: OpShardingRule) -> str:
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
