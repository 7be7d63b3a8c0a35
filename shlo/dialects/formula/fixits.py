"""What may be done about a constraint that does not hold: `make dimension 0 of rhs 4`.

A fix-it is words in which the members of the operation are mentioned, not named: who knows the program says
`%w` for the second operand, who does not says `rhs`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec import Struct


class Mention(Struct, frozen=True):
    """A member of the operation, or one element of a member that is a list of values."""

    member: str
    number: int | None = None


Words = tuple["str | Mention", ...]


class FixIt(Struct, frozen=True):
    """What may be done, in words, and the member that it changes."""

    words: Words
    member: str


def advised(words: str) -> tuple[FixIt, ...]:
    """Returns a remedy in plain words, where there are any."""
    return (FixIt((words,), ""),) if words else ()


def said(words: Iterable[str | Mention], name: Callable[[Mention], str] | None = None) -> str:
    """Words with a name for each mention; by default the member's own."""
    return "".join(each if isinstance(each, str) else (name or _own_name)(each) for each in words)


def _own_name(mention: Mention) -> str:
    return mention.member if mention.number is None else f"{mention.member}[{mention.number}]"
