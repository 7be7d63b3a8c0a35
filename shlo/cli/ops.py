"""`shlo ops`: the operations, and all that is known about one."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import Any

from shlo.cli.exit_codes import FINE
from shlo.cli.options import add_format, describe
from shlo.cli.output.console import Console
from shlo.dialects import DIALECT_MODULES, all_cards, find_card
from shlo.dialects.opdef import Arity, AttributeSpec, Card, Constraint
from shlo.dialects.specification import url_of
from shlo.runner.errors import RequestError

_MANY: dict[Arity, str] = {"one": "", "optional": " (optional)", "variadic": " (any number)"}


def configure(parser: ArgumentParser) -> None:
    """Adds the options of `shlo ops`."""
    describe(
        parser,
        "List the operations that shlo knows, or show all about one.",
        ("shlo ops", "all operations, a line each"),
        ("shlo ops chlo", "those of a dialect"),
        ("shlo ops dot_general", "an operation's operands, attributes, constraints, form and section"),
    )
    parser.add_argument("name", nargs="?", metavar="NAME", help="an operation (add, chlo.erf) or a dialect")
    add_format(parser)


def execute(options: Namespace, console: Console) -> int:
    """Prints a list or a card."""
    name: str | None = options.name
    if name is None or name in DIALECT_MODULES:
        cards = [card for card in all_cards() if name in (None, card.dialect)]
        show_list(cards, options.format, console)
    else:
        show_card(_card(name), options.format, console)
    return FINE


def show_list(cards: list[Card], format_: str, console: Console) -> None:
    """Prints a line for each operation."""
    if format_ == "json":
        return _print_json([{"name": card.name, "summary": card.summary} for card in cards], console)
    width = max(len(card.name) for card in cards)
    for card in cards:
        console.print(f"{card.name:{width}}  {card.summary}")
    return None


def show_card(card: Card, format_: str, console: Console) -> None:
    """Prints all about an operation."""
    if format_ == "json":
        return _print_json(card_data(card), console)
    console.print_styled(card.name, "bold")
    console.print(f"  {card.summary}")
    for title, lines in _sections(card):
        if lines:
            console.print(f"\n{title}")
            for line in lines:
                console.print(f"  {line}")
    return None


def card_data(card: Card) -> dict[str, Any]:
    """A card for `--format json`."""
    import dataclasses

    data = dataclasses.asdict(dataclasses.replace(card, constraints=()))
    constraints = list(map(_constraint_data, card.constraints))
    known = {"traits": sorted(card.traits), "runs": has_kernel(card), "url": url_of(card)}
    return {**data, "constraints": constraints, **known}


def has_kernel(card: Card) -> bool:
    """Whether the interpreter carries the operation out."""
    from shlo.interpreter.kernel_api import find_kernel
    from shlo.interpreter.program.code import CONTROL_FLOW

    ends_region = card.has("terminator") and card.successors is None
    steps_into = card.name in CONTROL_FLOW or ends_region or card.has("symbol")
    return steps_into or find_kernel(card.name) is not None


def _sections(card: Card) -> list[tuple[str, list[str]]]:
    return [
        ("operands", [f"{spec.name}: {spec.type}{_MANY[spec.arity]}" for spec in card.operands]),
        ("attributes", [_attribute_line(spec) for spec in card.attributes]),
        ("regions", [f"{spec.name}{_MANY[spec.arity]}" for spec in card.regions]),
        ("results", [f"{spec.name}: {spec.type}{_MANY[spec.arity]}" for spec in card.results]),
        ("form", [card.format or "generic only"]),
        ("constraints", [line for constraint in card.constraints for line in _constraint_lines(constraint)]),
        ("traits", [", ".join(sorted(card.traits))] if card.traits else []),
        ("interpreter", ["runs it" if has_kernel(card) else "does not run it"]),
        ("specification", [url_of(card) or "has no section about it"]),
    ]


def _constraint_lines(constraint: Constraint) -> list[str]:
    """A constraint's label, whether only the specification asks for it, its formula, what is to be known."""
    was = f" (2024: {constraint.old_label or 'none'})" if constraint.old_label != constraint.label else ""
    mark = "" if constraint.enforced else " [warning]"
    lines = [f"{constraint.label}{was}{mark}: {constraint.formula}"]
    return [*lines, f"    {constraint.erratum}"] if constraint.erratum else lines


def _constraint_data(constraint: Constraint) -> dict[str, Any]:
    return {
        "label": constraint.label,
        "label_2024": constraint.old_label or None,
        "formula": constraint.formula,
        "erratum": constraint.erratum or None,
        "enforced": constraint.enforced,
        "is_formula": constraint.check is None,
    }


def _attribute_line(spec: AttributeSpec) -> str:
    if spec.default is not None:
        return f"{spec.name}: {spec.kind} = {spec.default}"
    return f"{spec.name}: {spec.kind}{' (optional)' if spec.optional else ''}"


def _card(name: str) -> Card:
    card = find_card(name) or find_card(f"stablehlo.{name}")
    if card is not None:
        return card
    found = [card for card in all_cards() if card.name.partition(".")[2] == name]
    if len(found) == 1:
        return found[0]
    import difflib

    names = [card.name for card in all_cards()]
    close = difflib.get_close_matches(name, names + [known.partition(".")[2] for known in names], 5)
    raise RequestError(
        f"there is no operation '{name}'",
        f"did you mean {', '.join(close)}?" if close else "shlo ops lists them",
    )


def _print_json(data: Any, console: Console) -> None:
    import json

    console.print(json.dumps(data, indent=2))
