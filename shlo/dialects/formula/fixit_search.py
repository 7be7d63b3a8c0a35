"""What would make a comparison hold, found by reading its sides backwards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import prod
from typing import Any, Final, cast

from msgspec import Struct

from shlo.dialects.formula.fixits import FixIt, Mention, Words
from shlo.dialects.formula.nodes import Each, List, Name
from shlo.dialects.formula.rendering import render, shown_value
from shlo.dialects.formula.values import Interval, Placeholder, type_of
from shlo.dialects.formula.views import View, is_index, is_known, is_list, lengths_differ
from shlo.ir.types import RankedTensorType
from shlo.text.expressions import Binary, Call, Constant, Node, Slice, Subscript, Unary

_FACETS: Final[Mapping[str, str]] = {
    "baseline_element_type": "the element type of ",
    "baseline_type": "the type of ",
    "bitwidth": "the width in bits of the elements of ",
    "element_type": "the element type of ",
    "expressed_type": "the expressed type of the elements of ",
    "future_types": "the types behind ",
    "input_types": "the types of the arguments of ",
    "product": "the product of ",
    "quantization_dimension": "the quantized dimension of ",
    "rank": "the rank of ",
    "real_type": "the element type of ",
    "scales": "the scales of ",
    "shape": "the shape of ",
    "storage_type": "the storage type of the elements of ",
    "type": "the type of ",
    "zero_points": "the zero points of ",
}
"""What functions of one member give, in words."""


class Subject(Struct, frozen=True):
    """What a part of a formula speaks of, and the member that it belongs to."""

    words: Words
    member: str


def subject_of(node: Node, view: View) -> Subject | None:
    """Returns what a part speaks of, None where that is nothing that one can change by itself."""
    match node:
        case Name(member) if view.is_member(member):
            return Subject((Mention(member),), member)
        case Call("output_types", (of,)):
            return _returned("what ", of, view)
        case Subscript(Call("output_types", (of,)), (Constant(number),)):
            return _returned(f"value {number} of what ", of, view)
        case Subscript(Call("input_types", (of,)), (Constant(number),)):
            return _about(f"argument {number} of ", of, view)
        case Subscript(Name(member), (index,)) if view.is_member(member) and is_index(view.value(index)):
            return Subject(_element(member, view.value(index), view), member)
        case Subscript(Name(member)) if view.is_member(member):
            return Subject((Mention(member), _brackets(node, view)), member)
        case Subscript(of, (Slice(),)):
            return _about(f"the part {_brackets(node, view)} of ", of, view)
        case Call("dims", (of, axes)):
            return _about(f"dimensions {shown_value(view.value(axes))} of ", of, view)
        case Subscript(Call("flat", (of,)), (Constant(number),)):
            return _about(f"number {number} of ", of, view)
        case Call("dim", (of, axis)) if isinstance(view.value(axis), int):
            return _about(f"dimension {shown_value(view.value(axis))} of ", of, view)
        case Call("size", (of,)):
            return _about(_count_of(view.value(of)), of, view)
        case Call("without_items", (of, places)) if (whole := subject_of(of, view)) is not None:
            return Subject((*whole.words, f" without {shown_value(view.value(places))}"), whole.member)
        case Call("elements" | "flat" | "given" | "filled" | "value", (of, *_)):
            return subject_of(of, view)
        case Call(function, (of,)) if function in _FACETS:
            return _about(_FACETS[function], of, view)
        case _:
            return None


def _about(words: str, node: Node, view: View) -> Subject | None:
    of = subject_of(node, view)
    return of and Subject((words, *of.words), of.member)


def _brackets(node: Subscript, view: View) -> str:
    return render(node, view).removeprefix(render(node.value, view))


def _returned(words: str, region: Node, view: View) -> Subject | None:
    found = _about(words, region, view)
    return found and Subject((*found.words, " returns"), found.member)


def _element(member: str, number: int, view: View) -> Words:
    """A value of a list of them has a name of its own, a number of an attribute has none."""
    values = view.value(Name(member))
    if is_list(values) and isinstance(values[number], Placeholder):
        return (Mention(member, number % len(values)),)
    return (Mention(member), f"[{number}]")


def _count_of(value: Any) -> str:
    if isinstance(value, Placeholder):
        return "the number of elements of "
    of_values = is_list(value) and any(isinstance(each, Placeholder) for each in value)
    return "the number of " if of_values else "the length of "


def fixits(operator: str, left: Node, right: Node, view: View) -> Iterator[FixIt]:
    """Yields what would make a comparison of two parts hold, where that is one thing on either side."""
    sides = ((operator, left, right), (MIRRORED.get(operator, ""), right, left))
    for relation, side, other in sides:
        value = view.value(other)
        if lengths_differ(view.value(side), value) and (counted := _counted(side, view)):
            yield make_fixit(counted, str(len(value)))
        elif relation in _RELATIONS and is_known(value) and not isinstance(value, Interval):
            yield from _solved(relation, side, value, view)


def _counted(side: Node, view: View) -> Subject | None:
    """Returns how many values there are, of which each gives an element of a list."""
    match side:
        case Call(_, (Each(Name(member)),)) if view.is_member(member):
            return Subject(("the number of ", Mention(member)), member)
        case _:
            return None


MIRRORED: Final[Mapping[str, str]] = {"=": "=", "<": ">", "<=": ">=", ">": "<", ">=": "<=", "!=": "!="}
"""Comparisons with their sides exchanged."""

_RELATIONS: Final[Mapping[str, str]] = {
    "=": "",
    "<": "less than ",
    "<=": "at most ",
    ">": "greater than ",
    ">=": "at least ",
    "!=": "something else than ",
    "in": "one of ",
    "not in": "none of ",
}
"""What is before a required value."""


def _solved(relation: str, side: Node, value: Any, view: View) -> Iterator[FixIt]:
    found = subject_of(side, view)
    if found is not None:
        if _is_possible(side, value):
            yield make_fixit(found, f"{_RELATIONS[relation]}{_wanted(side, value, view)}")
    elif relation == "=":
        yield from _backwards(side, value, view)


def make_fixit(found: Subject, what: str) -> FixIt:
    """Returns the remedy of making a thing something."""
    return FixIt(("make ", *found.words, f" {what}"), found.member)


def _is_possible(side: Node, value: Any) -> bool:
    """Sizes and lengths are not negative."""
    counts = isinstance(side, Call) and side.function in ("dim", "size", "rank")
    return not (counts and isinstance(value, int) and value < 0)


def _wanted(side: Node, value: Any, view: View) -> str:
    """Returns a required value as text: types of a list without brackets, a size with a type of that size."""
    if isinstance(side, Call) and side.function in ("input_types", "output_types", "future_types"):
        return shown_value(value)[1:-1] or "none"
    shown = shown_value(value)
    if isinstance(side, Call) and side.function == "size" and isinstance(value, int):
        like = _of_size(view.value(side.arguments[0]), value)
        return f"{shown}, as in {like}" if like else shown
    return shown


def _of_size(value: Any, count: int) -> str:
    """Returns a type of so many elements, as near another one as may be: one dimension is changed."""
    type_ = type_of(value) if isinstance(value, Placeholder) else None
    if not isinstance(type_, RankedTensorType) or not type_.is_static:
        return ""
    sizes = list(cast("tuple[int, ...]", type_.shape))
    for axis in reversed(range(len(sizes))):
        others = prod(sizes[:axis] + sizes[axis + 1 :])
        if others and count % others == 0:
            sizes[axis] = count // others
            return str(RankedTensorType(tuple(sizes), type_.element_type))
    return str(RankedTensorType((count,), type_.element_type))


def _backwards(side: Node, value: Any, view: View) -> Iterator[FixIt]:
    """What an operand of some arithmetic would have to be for it to give a value."""
    match side:
        case Binary("%", dividend, divisor) if value == 0:
            yield from _multiple(dividend, view.value(divisor), view)
        case Binary("+" | "-" | "*" as operator, left, right) if isinstance(value, int):
            one, other = view.value(left), view.value(right)
            if isinstance(one, int) and isinstance(other, int):
                yield from _operands(operator, (left, one), (right, other), value, view)
        case List((item,)) if isinstance(value, tuple) and len(cast("tuple[Any, ...]", value)) == 1:
            yield from _solved("=", item, value[0], view)
        case Unary("-", item) if isinstance(value, int):
            yield from _solved("=", item, -value, view)
        case _:
            pass


def _multiple(dividend: Node, divisor: Any, view: View) -> Iterator[FixIt]:
    found = subject_of(dividend, view)
    if found and isinstance(divisor, int) and divisor > 0:
        yield make_fixit(found, f"a multiple of {divisor}")


def _operands(
    operator: str, left: tuple[Node, int], right: tuple[Node, int], value: int, view: View
) -> Iterator[FixIt]:
    (one, one_value), (other, other_value) = left, right
    if operator == "*":
        for node, factor in ((one, other_value), (other, one_value)):
            if factor and value % factor == 0:
                yield from _solved("=", node, value // factor, view)
    elif operator == "+":
        yield from _solved("=", one, value - other_value, view)
        yield from _solved("=", other, value - one_value, view)
    else:
        yield from _solved("=", one, value + other_value, view)
        yield from _solved("=", other, one_value - value, view)
