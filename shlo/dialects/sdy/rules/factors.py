"""What Shardy's verifier asks of `sdy.sharding_rule`: how an operation is split along factors."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from shlo.dialects.attr_constraints import Problem
from shlo.dialects.sdy.attributes import OpShardingRule
from shlo.ir.suggestions import SortItems, advise
from shlo.ir.types import MemRefType, RankedTensorType, Type

Factors = Sequence[Sequence[int]]
"""The factors of each dimension of a tensor."""

EXCLUSIVE = ("reduction", "need_replication", "permutation")
"""Kinds of factors of which a factor has one at most."""


def rule_problem(rule: OpShardingRule, operands: Sequence[Type], results: Sequence[Type]) -> Problem | None:
    """Returns what is wrong with the rule of an operation with operands and results of these types."""
    return next(_problems(rule, operands, results), None)


def _problems(rule: OpShardingRule, operands: Sequence[Type], results: Sequence[Type]) -> Iterator[Problem]:
    for role, types, mappings in (
        ("operand", operands, rule.operand_mappings),
        ("result", results, rule.result_mappings),
    ):
        if len(mappings) != len(types) or not mappings:
            message = (
                f"expected a mapping for each of {len(types)} {role}s, at least one, got {len(mappings)}"
            )
            yield Problem(message, advise(f"write one [...] for each {role}"))
            return
        for number, (type_, mapping) in enumerate(zip(types, mappings)):
            for message in _mapping_problems(type_, mapping, rule.factor_sizes):
                yield Problem(f"{role} {number}: {message}")
    of_results = _factors(rule.result_mappings)
    used = of_results | _factors(rule.operand_mappings)
    for factor, size in enumerate(rule.factor_sizes):
        if factor not in used:
            yield Problem(f"no mapping uses factor {factor} of size {size}", advise("leave it out"))
    yield from _special_problems(rule, of_results)


def _factors(mappings: Sequence[Factors]) -> set[int]:
    return {factor for mapping in mappings for factors in mapping for factor in factors}


def _mapping_problems(type_: Type, mapping: Factors, sizes: Sequence[int]) -> Iterator[str]:
    """Yields what is wrong with the mapping of a value."""
    shape = type_.shape if isinstance(type_, (RankedTensorType, MemRefType)) else None
    if shape is None or None in shape:
        yield f"expected a tensor of known sizes where there is a sharding rule, got {type_}"
        return
    if len(mapping) != len(shape):
        yield f"expected factors for {len(shape)} dimensions, got {len(mapping)}"
    seen: set[int] = set()
    for factors in mapping:
        if not factors:
            yield "expected at least one factor for each dimension"
        for factor in factors:
            if not 0 <= factor < len(sizes):
                yield f"expected a factor from 0 to {len(sizes) - 1}, got {factor}"
            elif factor in seen:
                yield f"factor {factor} is used twice for one value"
            elif sizes[factor] == 1 and len(factors) > 1:
                yield f"factor {factor} of size 1 is not alone in its dimension"
            seen.add(factor)


def _special_problems(rule: OpShardingRule, of_results: Collection[int]) -> Iterator[Problem]:
    """Yields what is wrong with the lists of factors that are reduced, replicated, permuted or blocked."""
    collected: dict[int, str] = {}
    for role, factors in rule.factors:
        if list(factors) != sorted(set(factors)):
            yield Problem(f"expected {role} factors that count up, got {list(factors)}", (SortItems(),))
        if factors and not 0 <= min(factors) <= max(factors) < len(rule.factor_sizes):
            last = len(rule.factor_sizes) - 1
            yield Problem(f"expected {role} factors from 0 to {last}, got {list(factors)}")
        for factor in factors if role in EXCLUSIVE else ():
            if factor in collected:
                message = f"factor {factor} is both a {collected[factor]} and a {role} factor"
                yield Problem(message, advise("name it in one of the lists"))
            collected[factor] = role
    reduced = next(
        (factor for factor in dict(rule.factors).get("reduction", ()) if factor in of_results), None
    )
    if reduced is not None:
        message = f"factor {reduced} is reduced, but a result is mapped to it"
        yield Problem(message, advise("leave it out of the results"))
