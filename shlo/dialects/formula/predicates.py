"""What the functions that are true or false of a value say in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from shlo.dialects.formula.nodes import Compare, List, Logical
from shlo.dialects.formula.rendering import plain_value, render, shown_value
from shlo.dialects.formula.suggestions import subject_of
from shlo.dialects.formula.values import Placeholder
from shlo.dialects.formula.views import View
from shlo.ir.suggestions import QUALITIES, Set
from shlo.text.expressions import Call, Node, Unary

_RELATIONS: Final[Mapping[str, str]] = {
    "is_combinable": "combined by a region that computes with",
    "is_promotable": "promoted to",
    "is_float_alike": "taken for",
    "is_part": "taken from",
}
"""What may be done with the first argument and the second one."""

PREDICATES: Final = frozenset((*QUALITIES, *_RELATIONS))


def failing(node: Call, view: View, wanted: bool) -> tuple[str, tuple[Set, ...]]:
    """What is wrong where a predicate is not as `wanted`, and what may be done about it."""
    subject = view.simplified(node.arguments[0])
    text, value = render(subject, view), view.value(subject)
    if node.function in _RELATIONS:
        return _unrelated(node, subject, view)
    word = f"must be {QUALITIES[node.function]}" if wanted else f"must not be {QUALITIES[node.function]}"
    return f"{text} is {_of_type(value)}{shown_value(value)}, but {word}", changed(node, view, wanted)


def changed(node: Node, view: View, wanted: bool) -> tuple[Set, ...]:
    """Returns what would make a predicate as `wanted`."""
    if not isinstance(node, Call) or node.function not in QUALITIES:
        return ()
    subject = subject_of(view.simplified(node.arguments[0]), view)
    return (Set(subject, "is" if wanted else "is not", node.function),) if subject else ()


def _unrelated(node: Call, subject: Node, view: View) -> tuple[str, tuple[Set, ...]]:
    other = view.simplified(node.arguments[1])
    text, shown = render(subject, view), shown_value(view.value(other))
    verb, value = _RELATIONS[node.function], view.value(subject)
    is_value = isinstance(value, Placeholder)
    found = subject_of(Call("element_type", (subject,)) if is_value else subject, view)
    mended = (Set(found, "=", plain_value(view.value(other))),) if found else ()
    return f"{text} is {_of_type(value)}{shown_value(value)}, which cannot be {verb} {shown}", mended


def _of_type(value: Any) -> str:
    return "of type " if isinstance(value, Placeholder) else ""


def state(node: Node, view: View, truth: bool) -> str:
    """`lhs is quantized`, `lhs is not quantized and rhs is not quantized`: what a truth says."""
    match node:
        case Unary("not", value):
            return state(value, view, not truth)
        case Logical("and" | "or", left, right):
            sides = [state(each, view, truth) for each in (left, right) if view.value(each) is truth]
            return " and ".join(sides)
        case Call(function, (subject, *_)) if function in QUALITIES:
            return f"{render(subject, view)} is {'' if truth else 'not '}{QUALITIES[function]}"
        case _:
            return render(node, view) if truth else f"not {render(node, view)}"


def reasons(node: Node, view: View) -> Iterator[str]:
    """Yields what of a condition that holds says why something is asked for: not that a member is given."""
    match node:
        case Logical("and", left, right):
            yield from reasons(left, view)
            yield from reasons(right, view)
        case Logical("or", left, right):
            yield from reasons(left if view.value(left) is True else right, view)
        case Compare(_, ("is" | "is not",)) | Call("is_tensor_value"):
            return
        case Compare((_, List(())), ("!=",)):
            return
        case _:
            yield state(node, view, True)
