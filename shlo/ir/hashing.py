"""Hashes of values that are made of many others."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

Class = TypeVar("Class", bound=type)


class HashedOnce:
    """Base class of values that keep their hash; see `hashed_once`."""

    __slots__ = ("kept_hash",)

    kept_hash: int


def hashed_once(cls: Class) -> Class:
    """Lets a frozen dataclass that derives from HashedOnce compute its hash a single time.

    Parts can be shared: a tuple of two tuples that are one object, and so on, is small and has exponentially
    many leaves. With kept hashes, the hash of the whole costs a step for each object.
    """
    compute: Callable[[HashedOnce], int] = cls.__dict__["__hash__"]

    def hash_once(self: HashedOnce) -> int:
        try:
            return self.kept_hash
        except AttributeError:
            value = compute(self)
            object.__setattr__(self, "kept_hash", value)
            return value

    cls.__hash__ = hash_once  # type: ignore[method-assign]
    return cls
