"""Policies under which tests run: forms of code that are made at once, or never."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from msgspec.structs import replace

from shlo.interpreter.runtime.tiers import COSTS, Form, Policy, TierCost

FREE: Mapping[Form, TierCost] = {form: TierCost(0.0, modules=cost.modules) for form, cost in COSTS.items()}


def eager(refused: Collection[Form] = (), **fields: Any) -> Policy:
    """Returns a policy that makes every form at once, while the run waits, but for those refused."""
    return replace(Policy(FREE, frozenset(refused), in_background=False), **fields)
