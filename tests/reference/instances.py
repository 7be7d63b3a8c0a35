"""Random instances of operations on the interpreter and on the reference."""

from __future__ import annotations

import numpy as np

import shlo
from shlo.ir.diagnostics import ExecutionError
from shlo.reference import evaluate
from tests.differential.comparing import difference
from tests.differential.instances import Instance
from tests.differential.makers import make_instances

DIFFERS = "differs"


def compare_with_reference(instance: Instance) -> tuple[str, str]:
    """Returns what becomes of an instance, and how it differs or why it was not compared."""
    module = shlo.parse(instance.text)
    if any(finding.severity == "error" for finding in shlo.verify(module)):
        return "not valid", ""
    try:
        with np.errstate(all="ignore"):
            given = shlo.run(module, *instance.arguments)
        found = difference(given, evaluate(module, instance.arguments), instance.tolerance)
    except ExecutionError as error:
        return "refused", str(error)
    return (DIFFERS, found) if found else ("same", "")


def compare_batch(seed: int, count: int, only: str) -> list[tuple[str, str, str, str]]:
    """Returns operation, verdict, reason and text of each instance of a batch."""
    return [
        (instance.name, *compare_with_reference(instance), instance.text)
        for instance in make_instances(seed, count, only)
    ]
