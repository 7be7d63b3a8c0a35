"""Rows and sections of docs/differences.md: where the specification, the MLIR tools and shlo part."""

from __future__ import annotations

from msgspec import Struct


class Difference(Struct, frozen=True):
    """One difference, as a row of docs/differences.md; every field is Markdown.

    Args:
        subject: what the row is about, such as "float literals without a fraction".
        specification: what the specification says.
        tools: what the MLIR tools or XLA do.
        shlo: what shlo does.
        reason: why shlo does that.
        example: a program that shows it, empty where none is short.
        finding: what `shlo check` says of the example: nothing (empty), or the severity and code of the first
            finding, such as `warning rng-I3`.
        accepted: whether the MLIR tools accept the example.
        until: the version of jaxlib whose tools were measured to do as shlo does, empty where none is known.
    """

    subject: str
    specification: str
    tools: str
    shlo: str
    reason: str
    example: str = ""
    finding: str = ""
    accepted: bool = True
    until: str = ""


class Topic(Struct, frozen=True):
    """A section of docs/differences.md: a title, introductory text, and one table of differences."""

    title: str
    introduction: str
    differences: tuple[Difference, ...]
