"""Batches of random instances, each compared in a process with an oracle of its own."""

from __future__ import annotations

from tests.differential.comparing import Comparison, compare
from tests.differential.makers import make_instances
from tests.oracle import Oracle

FINE = ("same", "invalid", "not judged")
"""The verdicts that are no difference."""

_oracle: list[Oracle] = []


def _start_oracle() -> None:
    _oracle.append(Oracle(timeout=120))


def compare_batch(seed: int, count: int, only: str) -> list[tuple[str, str, Comparison]]:
    """Returns the operation, the program's text and the comparison of each instance of a batch."""
    if not _oracle:
        _start_oracle()
    instances = make_instances(seed, count, only)
    return [
        (instance.name, instance.text, comparison)
        for instance, comparison in zip(instances, compare(_oracle[0], instances))
    ]
