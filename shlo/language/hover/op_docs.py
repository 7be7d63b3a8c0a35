"""What to tell about an operation: its card in words."""

from __future__ import annotations

from collections.abc import Iterator

from shlo.dialects import find_card
from shlo.dialects.attribute_forms import words_of
from shlo.dialects.opdef import Arity, AttributeSpec, Card, OperandSpec
from shlo.dialects.specification import url_of
from shlo.language.hover.markdown import code

MANY: dict[Arity, str] = {"one": "", "optional": " (optional)", "variadic": " (any number)"}


def card_named(name: str, default_dialect: str = "func") -> Card | None:
    """The card of an operation by the name that a text has for it, the dialect left out or not."""
    if "." in name:
        return find_card(name)
    return find_card(f"{default_dialect}.{name}") or find_card(f"builtin.{name}")


def card_text(card: Card) -> str:
    """A card in Markdown: summary, operands, attributes, results, form, section."""
    return "\n".join([card_title(card), *card_sections(card)])


def card_title(card: Card) -> str:
    """The line of Markdown that a card begins with."""
    return f"**{card.name}** {card.summary}"


def card_sections(card: Card) -> Iterator[str]:
    """What follows on a card's first line, in Markdown."""
    for title, lines in (
        ("Operands", [operand_line(spec) for spec in card.operands]),
        ("Attributes", [attribute_line(card, spec) for spec in card.attributes]),
        ("Results", [operand_line(spec) for spec in card.results]),
    ):
        if lines:
            yield f"\n{title}\n" + "\n".join(f"- {line}" for line in lines)
    if card.format is None or "custom(" not in card.format:
        yield f"\nForm: {code(card.format or 'generic only')}"
    url = url_of(card)
    if url:
        yield f"\n[Specification: {card.section}]({url})"


def operand_line(spec: OperandSpec) -> str:
    return f"{code(spec.name)}: {spec.type}{MANY[spec.arity]}"


def attribute_line(card: Card, spec: AttributeSpec) -> str:
    """An attribute's name, its kind or the words that it can be, and what it is where it is absent."""
    words = words_of(card, spec.kind)
    kind = " or ".join(words) if words else spec.kind
    if spec.default is not None:
        return f"{code(spec.name)}: {kind}; {code(spec.default)} where it is absent"
    return f"{code(spec.name)}: {kind}{' (optional)' if spec.optional else ''}"
