"""What would make a comparison hold, found by reading its sides backwards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import prod
from typing import Any, Final, TypeGuard, cast

from shlo.dialects.formula.nodes import Each, List, Name
from shlo.dialects.formula.rendering import plain_value, render, shown_value
from shlo.dialects.formula.values import Interval, Placeholder, type_of
from shlo.dialects.formula.views import View, is_index, is_known, is_list, lengths_differ
from shlo.ir.suggestions import RELATIONS, Set, Subject
from shlo.ir.types import FunctionType, RankedTensorType, Type
from shlo.text.expressions import Binary, Call, Constant, Node, Slice, Subscript, Unary

_FACETS: Final[Mapping[str, str]] = (
    {
        "baseline_element_type": "element_type",
        "baseline_type": "type",
        "future_types": "future_types",
        "input_types": "argument_types",
        "real_type": "element_type",
    }
    | {
        name: name
        for name in (
            "bitwidth",
            "element_type",
            "expressed_type",
            "product",
            "quantization_dimension",
            "rank",
        )
    }
    | {name: name for name in ("scales", "shape", "storage_type", "type", "zero_points")}
)
"""What functions of one member give, as facets."""


def subject_of(node: Node, view: View) -> Subject | None:
    """Returns what a part speaks of, None where that is nothing that one can change by itself."""
    match node:
        case Name(member) if view.is_member(member):
            return Subject(member)
        case Call("output_types", (of,)):
            return _facet(of, view, "returns")
        case Subscript(Call("output_types", (of,)), (Constant(int(number)),)):
            return _facet(of, view, "returned", number)
        case Subscript(Call("input_types", (of,)), (Constant(int(number)),)):
            return _facet(of, view, "argument", number)
        case Subscript(Name(member), (index,)) if view.is_member(member) and is_index(view.value(index)):
            return _element(member, view.value(index), view)
        case Subscript(Name(member)) if view.is_member(member):
            return Subject(member).of("item", text=_brackets(node, view))
        case Subscript(of, (Slice(start, stop),)):
            return _facet(of, view, "part", *_bounds(start, stop, view), text=_brackets(node, view))
        case Call("dims", (of, axes)):
            value = view.value(axes)
            return _facet(of, view, "dimensions", *_numbers(value), text=shown_value(value))
        case Subscript(Call("flat", (of,)), (Constant(int(number)),)):
            return _facet(of, view, "number", number)
        case Call("dim", (of, axis)) if isinstance(view.value(axis), int):
            return _facet(of, view, "dimension", view.value(axis))
        case Call("size", (of,)):
            return _facet(of, view, _count_of(view.value(of)))
        case Call("without_items", (of, places)):
            value = view.value(places)
            return _facet(of, view, "without", *_numbers(value), text=shown_value(value))
        case Call("elements" | "flat" | "given" | "filled" | "value", (of, *_)):
            return subject_of(of, view)
        case Call(function, (of,)) if function in _FACETS:
            return _facet(of, view, _FACETS[function])
        case _:
            return None


def _facet(node: Node, view: View, kind: str, *numbers: int | None, text: str = "") -> Subject | None:
    subject = subject_of(node, view)
    return subject and subject.of(kind, *numbers, text=text)


def _bounds(start: Node | None, stop: Node | None, view: View) -> tuple[int | None, ...]:
    """Returns where a part begins and ends, nothing where one of these is not known."""
    values = [None if node is None else view.value(node) for node in (start, stop)]
    return tuple(values) if all(value is None or isinstance(value, int) for value in values) else ()


def _numbers(value: Any) -> tuple[int, ...]:
    return value if is_list(value) and all(isinstance(item, int) for item in value) else ()


def _brackets(node: Subscript, view: View) -> str:
    return render(node, view).removeprefix(render(node.value, view))


def _element(member: str, number: int, view: View) -> Subject:
    """A value or a region of a list of them is a member of its own, a number of an attribute is none."""
    values = view.value(Name(member))
    if is_list(values) and isinstance(values[number], Placeholder | FunctionType):
        return Subject(member, number % len(values))
    return Subject(member).of("item", number, text=f"[{number}]")


def _count_of(value: Any) -> str:
    if isinstance(value, Placeholder):
        return "elements"
    of_values = is_list(value) and any(isinstance(item, Placeholder) for item in value)
    return "count" if of_values else "length"


def suggestions(operator: str, left: Node, right: Node, view: View) -> Iterator[Set]:
    """Yields what would make a comparison of two parts hold, where that is one thing on either side."""
    sides = ((operator, left, right), (MIRRORED.get(operator, ""), right, left))
    for relation, side, other in sides:
        value = view.value(other)
        if lengths_differ(view.value(side), value) and (counted := _counted(side, view)):
            yield Set(counted, "=", len(value))
        elif relation in RELATIONS and is_known(value) and not isinstance(value, Interval):
            yield from _solved(relation, side, value, view)


def _counted(side: Node, view: View) -> Subject | None:
    """Returns how many values there are, of which each gives an element of a list."""
    match side:
        case Call(_, (Each(Name(member)),)) if view.is_member(member):
            return Subject(member).of("count")
        case _:
            return None


MIRRORED: Final[Mapping[str, str]] = {"=": "=", "<": ">", "<=": ">=", ">": "<", ">=": "<=", "!=": "!="}
"""Comparisons with their sides exchanged."""


def _solved(relation: str, side: Node, value: Any, view: View) -> Iterator[Set]:
    subject = subject_of(side, view)
    if subject is not None:
        if _is_possible(side, value):
            like = _of_size(view.value(side.arguments[0]), value) if _is_size(side, value) else None
            yield Set(subject, relation, plain_value(value), like)
    elif relation == "=":
        yield from _backwards(side, value, view)


def _is_size(side: Node, value: Any) -> TypeGuard[Call]:
    return isinstance(side, Call) and side.function == "size" and isinstance(value, int)


def _is_possible(side: Node, value: Any) -> bool:
    """Sizes and lengths are not negative."""
    counts = isinstance(side, Call) and side.function in ("dim", "size", "rank")
    return not (counts and isinstance(value, int) and value < 0)


def _of_size(value: Any, count: int) -> Type | None:
    """Returns a type of so many elements, as near another one as may be: one dimension is changed."""
    type_ = type_of(value) if isinstance(value, Placeholder) else None
    if not isinstance(type_, RankedTensorType) or not type_.is_static:
        return None
    sizes = list(cast("tuple[int, ...]", type_.shape))
    for axis in reversed(range(len(sizes))):
        others = prod(sizes[:axis] + sizes[axis + 1 :])
        if others and count % others == 0:
            sizes[axis] = count // others
            return RankedTensorType(tuple(sizes), type_.element_type)
    return RankedTensorType((count,), type_.element_type)


def _backwards(side: Node, value: Any, view: View) -> Iterator[Set]:
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


def _multiple(dividend: Node, divisor: Any, view: View) -> Iterator[Set]:
    subject = subject_of(dividend, view)
    if subject and isinstance(divisor, int) and divisor > 0:
        yield Set(subject, "multiple", divisor)


def _operands(
    operator: str, left: tuple[Node, int], right: tuple[Node, int], value: int, view: View
) -> Iterator[Set]:
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
