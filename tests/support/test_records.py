"""`shlo.support.records.dataclass` does as the standard library's."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
from dataclasses import KW_ONLY, field, replace
from typing import Any

import pytest

from shlo.support import records

KINDS = pytest.mark.parametrize("frozen", [True, False])
SLOTS = pytest.mark.parametrize("slots", [True, False])


def classes(dataclass: Any, frozen: bool, slots: bool) -> tuple[Any, Any]:
    @dataclass(frozen=frozen, slots=slots)
    class Base:
        x: int
        names: list[str] = field(default_factory=list, compare=False)

        def doubled(self) -> int:
            return 2 * self.x

    @dataclass(frozen=frozen, slots=slots)
    class Derived(Base):
        y: float = 0.5
        _: KW_ONLY
        hidden: str = field(default="h", repr=False)
        computed: int = field(init=False, default=7)

        def __post_init__(self) -> None:
            if self.x < 0:
                raise ValueError("x is negative")

    return Base, Derived


@KINDS
@SLOTS
def test_a_class_behaves_as_the_standard_librarys(frozen: bool, slots: bool) -> None:
    found: list[list[Any]] = []
    for dataclass in (dataclasses.dataclass, records.dataclass):
        base, derived = classes(dataclass, frozen, slots)
        one, same, other = derived(1), derived(1, ["n"]), derived(1, y=2.0, hidden="k")
        with pytest.raises(ValueError, match="negative"):
            derived(-1)
        found.append(
            [
                repr(one),
                repr(other),
                one == same,
                one == other,
                one == base(1),
                one.__eq__(1),
                one.names is same.names,
                other.hidden,
                one.doubled(),
                dataclasses.asdict(replace(other, x=5)),
                [(each.name, each.type, each.init, each.kw_only) for each in dataclasses.fields(derived)],
                derived.__match_args__,
                str(inspect.signature(derived)).replace("'", "").replace(" -> None", ""),
                hasattr(one, "__dict__"),
                dataclasses.is_dataclass(derived),
                derived.__hash__ is None,
                frozen and hash(one) == hash(same),
                copy.deepcopy(other) == other,
            ]
        )
    assert found[0] == found[1]


@SLOTS
def test_a_frozen_instance_refuses_assignment_and_deletion(slots: bool) -> None:
    base, derived = classes(records.dataclass, True, slots)
    for instance in (base(1), derived(1)):
        with pytest.raises(dataclasses.FrozenInstanceError, match="cannot assign to field 'x'"):
            instance.x = 2
        with pytest.raises(dataclasses.FrozenInstanceError, match="cannot delete field 'x'"):
            del instance.x


@records.dataclass(frozen=True, slots=True)
class Pair:
    """Pickled by name."""

    first: int
    second: str


def test_a_frozen_instance_with_slots_can_be_pickled() -> None:
    assert pickle.loads(pickle.dumps(Pair(1, "b"))) == Pair(1, "b")


def test_own_methods_are_kept() -> None:
    @records.dataclass(frozen=True)
    class Loud:
        x: int

        def __hash__(self) -> int:
            return 3

        def __repr__(self) -> str:
            return "LOUD"

    assert (hash(Loud(1)), repr(Loud(1)), Loud(1) == Loud(1)) == (3, "LOUD", True)
