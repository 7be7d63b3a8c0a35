"""Candidates without attributes and symbols that operations do not need."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from shlo.ir.operations import Module, Operation, Signature
from shlo.reduction.candidate import Candidate, rebuilt
from shlo.transforms.rewriting.rebuild import block_of, with_blocks, with_regions

_OF_FUNCTIONS = ("arg_attrs", "res_attrs", "sym_visibility")
"""Inherent attributes of functions that may be absent."""


def without_attributes(candidate: Candidate) -> Iterator[Candidate]:
    """Yields the candidate without all discardable attributes, and without those of each name; and without
    what its module holds beside functions.
    """
    yield _without(candidate, None)
    names = {name for each, _ in candidate.module.walk() for name in each.signature.attributes}
    names.update(candidate.module.operation.signature.attributes)
    for name in sorted(names | set(_OF_FUNCTIONS)):
        yield _without(candidate, name)
    (block,) = candidate.module.body.blocks
    for each in block.operations:
        if each.name != "func.func":
            yield _without_symbol(candidate, each)


def _without(candidate: Candidate, name: str | None) -> Candidate:
    """Returns the candidate without an attribute, None for all."""
    known: dict[Signature, Signature] = {}

    def change(operation: Operation) -> Operation:
        old = operation.signature
        if old not in known:
            known[old] = _without_entries(old, name, operation is not candidate.function)
        inner = rebuilt(operation, change)
        if known[old] is old and inner is operation:
            return operation
        return Operation(
            known[old],
            operation.operands,
            operation.results,
            inner.regions,
            operation.successors,
            operation.location,
        )

    operation = change(candidate.module.operation)
    return replace(candidate, module=Module(operation, resources=candidate.module.resources))


def _without_entries(signature: Signature, name: str | None, keeps_private: bool) -> Signature:
    """Returns a signature without an attribute, None for all of them."""
    kept = {key: value for key, value in signature.attributes.items() if name is not None and key != name}
    properties = dict(signature.properties)
    if signature.name == "func.func":
        for key in _OF_FUNCTIONS:
            if name in (None, key) and not (key == "sym_visibility" and keeps_private):
                properties.pop(key, None)
    if len(kept) == len(signature.attributes) and len(properties) == len(signature.properties):
        return signature
    return Signature(signature.name, signature.operand_types, signature.result_types, properties, kept)


def _without_symbol(candidate: Candidate, symbol: Operation) -> Candidate:
    """Returns the candidate without an operation directly in its module."""
    (block,) = candidate.module.body.blocks
    kept = [(index, each) for index, each in enumerate(block.operations) if each is not symbol]
    region = with_blocks(candidate.module.body, (block_of(block, kept),))
    operation = with_regions(candidate.module.operation, (region,))
    return replace(candidate, module=Module(operation, resources=candidate.module.resources))
