"""Why a formula does not hold, with the values of both sides of what fails, and what would mend it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import prod
from typing import Any, Final, TypeGuard, cast

from msgspec import Struct
from msgspec.structs import replace

from shlo.dialects.formula.evaluation import Scope, compare
from shlo.dialects.formula.nodes import (
    Compare,
    Comprehension,
    Conditional,
    Each,
    FunctionPattern,
    HasType,
    Lambda,
    List,
    Logical,
    Name,
    Where,
    substituted,
)
from shlo.dialects.formula.rendering import pattern_text, plain_value, render, shown_value, type_patterns
from shlo.dialects.formula.values import Interval, Placeholder, broadcast, equal, less, type_of
from shlo.dialects.formula.views import View, is_index, is_known, is_list, lengths_differ
from shlo.ir.suggestions import QUALITIES, RELATIONS, Set, SetSignature, Subject, Suggestion, Unrepeat
from shlo.ir.types import FunctionType, RankedTensorType, Type
from shlo.text.expressions import Binary, Call, Constant, Node, Slice, Subscript, Unary, walk

_FACETS: Final[Mapping[str, str]] = {
    "baseline_element_type": "element_type",
    "baseline_type": "type",
    "future_types": "future_types",
    "input_types": "argument_types",
    "real_type": "element_type",
    **{name: name for name in ("bitwidth", "element_type", "expressed_type", "product", "rank", "scales")},
    **{name: name for name in ("quantization_dimension", "shape", "storage_type", "type", "zero_points")},
}
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
            sides = [state(side, view, truth) for side in (left, right) if view.value(side) is truth]
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


class Fault(Struct, frozen=True):
    """What is wrong in words and what mends it, or two elements that should be equal."""

    text: str = ""
    suggestions: tuple[Suggestion, ...] = ()
    pair: tuple[Node, ...] = ()


def _same(node: Call, view: View) -> Fault:
    (values,) = node.arguments
    items = view.value(values)
    number = next(number for number, item in enumerate(items) if equal(items[0], item) is False)
    pair = view.element(values, 0), view.element(values, number)
    if isinstance(pair[0], Call) and pair[0].function == "with_items":
        places = [
            position for position, both in enumerate(zip(items[0], items[number])) if equal(*both) is False
        ]
        pair = tuple(view.element(item, places[0]) for item in pair) if places else pair
    return Fault(pair=pair)


def _is_unique(node: Call, view: View) -> Fault:
    (values,) = node.arguments
    items = view.value(values)
    repeated = next(item for item in items if items.count(item) > 1)
    parts = [_plain(part) for part in _parts(values, view)]
    labels, shown = [render(part, view) for part in parts], [shown_value(view.value(part)) for part in parts]
    what = f"{shown_value(repeated)} occurs {_times(items.count(repeated))}"
    if len(parts) == 1:
        text = f"{labels[0]} is {shown[0]}, in which {what}"
    else:
        text = f"{what} in {_listed(labels)}, which are {_listed(shown)}"
    subjects = [subject_of(part, view) for part in parts if is_list(view.value(part))]
    mended = [Unrepeat(subject, plain_value(repeated)) for subject in subjects if subject]
    return Fault(text, tuple(mended)[-1:])


def _parts(node: Node, view: View) -> Iterator[Node]:
    """Yields the lists that are one behind the other in a list, empty ones left out."""
    match node:
        case Binary("++", left, right):
            yield from _parts(left, view)
            yield from _parts(right, view)
        case List((item,)):
            yield item
        case Name(name) if name in view.definitions:
            yield from _parts(view.definitions[name], view)
        case _ if view.value(node) != ():
            yield view.simplified(node)
        case _:
            pass


def _plain(node: Node) -> Node:
    """Returns a list of which a comprehension chooses elements."""
    match node:
        case Comprehension(Name(item), name, values, _) if item == name:
            return values
        case _:
            return node


def _is_sorted(node: Call, view: View) -> Fault:
    (values,) = node.arguments
    items = view.value(values)
    one, other = next(pair for pair in pairwise(items) if less(*pair, False) is False)
    text = f"{render(values, view)} is {shown_value(items)}, in which {other} follows {one}"
    what = subject_of(values, view)
    return Fault(text, (Set(what, "=", tuple(sorted(items))),) if isinstance(one, int) and what else ())


def _is_permutation(node: Call, view: View) -> Fault:
    values, count = node.arguments
    items, length = view.value(values), view.value(count)
    wrong = ", ".join(_faults(items, length))
    wanted = shown_value(tuple(range(length)))
    text = f"{render(values, view)} is {shown_value(items)}, but must be a permutation of {wanted}: {wrong}"
    what = subject_of(values, view)
    near = _nearest_permutation(items, length)
    return Fault(text, (Set(what, "permutation", near),) if what else ())


def _faults(items: Sequence[int], length: int) -> Iterator[str]:
    wanted = range(length)
    repeated = [candidate for candidate in dict.fromkeys(items) if items.count(candidate) > 1]
    yield from (f"{item} occurs {_times(items.count(item))}" for item in repeated[:3])
    yield from (f"{item} is none of them" for item in items if item not in wanted)
    yield from (f"{item} is missing" for item in wanted if item not in items)


def _nearest_permutation(items: Sequence[int], length: int) -> tuple[int, ...]:
    """Returns a permutation that keeps the elements which are in it for the first time."""
    nearest = [
        item if item in range(length) and item not in items[:position] else None
        for position, item in enumerate(items[:length])
    ]
    nearest += [None] * (length - len(nearest))
    missing = (item for item in range(length) if item not in nearest)
    return tuple(next(missing) if item is None else item for item in nearest)


def _times(count: int) -> str:
    return "twice" if count == 2 else f"{count} times"


def _listed(texts: Sequence[str]) -> str:
    *others, last = texts
    return f"{', '.join(others)} and {last}" if others else last


LIST_FAULTS: Final[Mapping[str, Callable[[Call, View], Fault]]] = {
    "is_permutation": _is_permutation,
    "is_sorted": _is_sorted,
    "is_unique": _is_unique,
    "same": _same,
}
"""By the function that is not true."""


class Explanation(Struct, frozen=True):
    """What is wrong in words, the names in the part of the formula that fails, and what may mend it."""

    text: str
    names: tuple[str, ...]
    suggestions: tuple[Suggestion, ...] = ()


def explain(node: Node, scope: Scope) -> Explanation:
    """Why a formula is false in a scope."""
    return _explained(node, View(scope))


def _explained(node: Node, view: View) -> Explanation:
    match node:
        case Where(body, definitions, condition):
            inner = view.within(node)
            if condition is None or inner.fails(body):
                explanation = _explained(body, inner)
            else:
                explanation = _explained(condition, inner.matched(body))
            return _with_names(explanation, [value for _, value in definitions])
        case Logical("and", left, right):
            return _explained(left if view.fails(left) else right, view)
        case Logical("then", left, right):
            explanation = _with_names(_explained(right, view), [left])
            why = " and ".join(reason for reason in reasons(left, view) if reason not in explanation.text)
            return replace(explanation, text=f"{explanation.text}, as {why}") if why else explanation
        case Logical("or"):
            return _alternatives(node, view)
        case Conditional(condition, yes, no):
            return _explained(yes if view.value(condition) is True else no, view)
        case Compare():
            return _comparison(node, view)
        case Call("all", (Lambda(parameters, body), *lists)):
            return _counterexample(node, parameters, body, lists, view)
        case HasType(value, pattern):
            return _form(value, pattern, view)
        case _:
            return _fact(node, view)


def _with_names(explanation: Explanation, nodes: Iterable[Node]) -> Explanation:
    return replace(explanation, names=(*explanation.names, *_names_of(nodes)))


def _names_of(nodes: Iterable[Node]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(part.name for node in nodes for part in walk(node) if isinstance(part, Name)))


def _alternatives(node: Logical, view: View) -> Explanation:
    """Returns none of several holds. That something is absent which is there says nothing."""
    every = list(_or_parts(node))
    absences = {("is",), ("is not",)}
    shown_parts = [
        node for node in every if not (isinstance(node, Compare) and node.operators in absences)
    ] or every
    collected = [_explained(node, view) for node in shown_parts]
    names = tuple(name for node in every for name in _explained(node, view).names)
    suggested = tuple(suggestion for explanation in collected for suggestion in explanation.suggestions)
    return Explanation(
        _together(shown_parts, view) or ", and ".join(explanation.text for explanation in collected),
        names,
        suggested,
    )


def _or_parts(node: Node) -> tuple[Node, ...]:
    match node:
        case Logical("or", left, right):
            return (*_or_parts(left), *_or_parts(right))
        case _:
            return (node,)


def _together(nodes: list[Node], view: View) -> str:
    """`dim(x, 0) is 3, but must be 1 or dim(y, 0), which is 4`; nothing where the left sides differ."""
    pairs = [node.operands for node in nodes if isinstance(node, Compare) and node.operators == ("=",)]
    if len(pairs) < len(nodes) or len({left for left, _ in pairs}) > 1:
        return ""
    left = view.simplified(pairs[0][0])
    rights = [_with_value(view.simplified(right), view) for _, right in pairs]
    return f"{render(left, view)} is {shown_value(view.value(left))}, but must be {' or '.join(rights)}"


def _with_value(node: Node, view: View) -> str:
    """Returns a part and what it gives; what it gives alone where that does not depend on the operation."""
    value = shown_value(view.value(node))
    return f"{render(node, view)}, which is {value}" if _says_more(node, view) else value


def _says_more(node: Node, view: View) -> bool:
    """Returns whether the text of a part says more than its value: not where it is a constant, or long to
    compute."""
    is_opaque = any(_is_opaque(part, view) for part in walk(node))
    return view.has_bindings(node) and not is_opaque and render(node, view) != shown_value(view.value(node))


_OPAQUE: Final = ("combined", "common_types", "tensor", "with_items")


def _is_opaque(node: Node, view: View) -> bool:
    """Returns whether a part is computed by what only the formula's author understands at once."""
    if isinstance(node, Call):
        return node.function in _OPAQUE or node.function in view.definitions
    is_local = isinstance(node, Name) and node.name in view.definitions
    return is_local or isinstance(node, Comprehension | Lambda)


# --- elements of lists ---


def _counterexample(
    node: Node, parameters: tuple[str, ...], body: Node, lists: list[Node], view: View
) -> Explanation:
    """Why something is not true of all elements of some lists: the first ones of which it is not."""
    for number, values in enumerate(zip(*map(view.value, lists))):
        if view.binding(dict(zip(parameters, values))).fails(body):
            meaning = {
                name: view.element_or_number(values_, number) for name, values_ in zip(parameters, lists)
            }
            return replace(_explained(substituted(body, meaning), view), names=_without(node, parameters))
    return Explanation(f"{render(node, view)} is not true", _without(node, parameters))


def _without(node: Node, parameters: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name for name in _names_of([node]) if name not in parameters)


def _comparison(node: Compare, view: View) -> Explanation:
    values = [view.value(operand) for operand in node.operands]
    for operator, one, other in node.pairs():
        if compare(operator, values[one], values[other]) is False:
            left, right = node.operands[one], node.operands[other]
            pair = _elements(operator, left, right, view)
            text = _words(operator, *pair, view)
            return Explanation(
                text, _names_of([left, right]), tuple(_comparison_suggestions(node, operator, pair, view))
            )
    return Explanation(f"{render(node, view)} is not true", _names_of([node]))


def _elements(operator: str, left: Node, right: Node, view: View) -> tuple[Node, Node]:
    """Returns the first elements of two lists that are wrong, where these say more than the lists; a side
    that is no list stays what it is."""
    number = _first_wrong(operator, left, right, view)
    if number is None:
        return view.simplified(left), view.simplified(right)
    one, other = (
        view.element(side, number) if is_list(view.value(side)) else view.simplified(side)
        for side in (left, right)
    )
    return one, other


def _first_wrong(operator: str, left: Node, right: Node, view: View) -> int | None:
    """Returns the number of the first elements of two lists between which a comparison fails, None where it
    is made between the lists."""
    one, other = view.value(left), view.value(right)
    if operator in _WHOLE or not (is_list(one) or is_list(other)) or lengths_differ(one, other):
        return None
    if operator == "=" and not _is_of_several(left, right):
        return None
    pairs = enumerate(broadcast(one, other))
    return next((number for number, pair in pairs if compare(operator, *pair) is False), None)


_WHOLE: Final = ("in", "not in", "is", "is not", "!=")
"""Comparisons that are not made element by element."""


def _is_of_several(left: Node, right: Node) -> bool:
    """Returns whether two lists have an element for each of several things, and are no shape of one thing."""
    sides = (left, right)
    return any(map(_is_spread, sides)) and not any(
        isinstance(side, Call) and side.function == "shape" and not _is_spread(side) for side in sides
    )


def _is_spread(node: Node) -> bool:
    """Returns whether a part is a list of something for each of several things."""
    return isinstance(node, Comprehension) or (
        isinstance(node, Call) and any(isinstance(argument, Each) for argument in node.arguments)
    )


def _words(operator: str, left: Node, right: Node, view: View) -> str:
    """`dim(lhs, 1) is 4, but dim(rhs, 0) is 5`: each side with its value, where that says more."""
    if operator in MIRRORED and view.has_bindings(right) and not view.has_bindings(left):
        return _words(MIRRORED[operator], right, left, view)
    text, value = render(left, view), shown_value(view.value(left))
    if operator == "=":
        return _equality(left, right, view)
    if operator == "is not":
        return f"{text} is missing"
    if operator == "is":
        return f"{text} is {value}, but must be absent"
    if operator == "in":
        return f"{text} is {value}, but must be {_choice(view.value(right))}"
    return f"{text} is {value}, but must {_MUST[operator]} {_with_value(right, view)}"


_MUST: Final[Mapping[str, str]] = {
    "<": "be less than",
    "<=": "be at most",
    ">": "be greater than",
    ">=": "be at least",
    "!=": "differ from",
    "not in": "be none of",
}


def _choice(values: Any) -> str:
    if not is_list(values):
        return shown_value(values)
    *others, last = map(shown_value, dict.fromkeys(values))
    return f"{', '.join(others)} or {last}" if others else last


def _equality(left: Node, right: Node, view: View) -> str:
    states = [_truth_in_words(side, view) for side in (left, right)]
    if all(states):
        return f"{states[0]}, but {states[1]}"
    match left, right:
        case Binary("%", dividend, divisor), Constant(0):
            rest = f"is {shown_value(view.value(dividend))}, but must be a multiple of"
            return f"{render(dividend, view)} {rest} {_with_value(divisor, view)}"
        case _:
            pass
    if not _says_more(left, view) and _says_more(right, view):
        left, right = right, left
    one, other = shown_value(view.value(left)), shown_value(view.value(right))
    if not _says_more(right, view):
        return f"{render(left, view)} is {one}, not {other}"
    return f"{render(left, view)} is {one}, but {render(right, view)} is {other}"


def _truth_in_words(node: Node, view: View) -> str:
    """`lhs is quantized`, nothing of what is no such truth."""
    value = view.value(node)
    is_truth = isinstance(node, Logical) or (isinstance(node, Call) and node.function in PREDICATES)
    return state(node, view, value) if is_truth and isinstance(value, bool) else ""


# --- what would mend a comparison ---


def _comparison_suggestions(
    node: Compare, operator: str, pair: tuple[Node, Node], view: View
) -> Iterable[Suggestion]:
    """Returns what would make a comparison hold; between two numbers, the numbers that are allowed."""
    if operator == "=" and all(_truth_in_words(side, view) for side in pair):
        return (*changed(pair[0], view, view.value(pair[1])), *changed(pair[1], view, view.value(pair[0])))
    between = _range(node, view)
    if between is None or operator == "=":
        return suggestions(operator, *pair, view)
    low, high = between
    target = pair[1] if not view.has_bindings(pair[0]) else pair[0]
    subject = subject_of(target, view)
    if subject is None or high < low:
        return suggestions(operator, *pair, view)
    return (Set(subject, "=", low) if low == high else Set(subject, "range", between),)


def _range(node: Compare, view: View) -> tuple[int, int] | None:
    """Returns the lowest and highest number that a comparison such as `0 <= xs < rank(y)` allows."""
    if len(node.operators) != 2 or not {*node.operators} <= {"<", "<="}:
        return None
    low, high = view.value(node.operands[0]), view.value(node.operands[2])
    if not (isinstance(low, int) and isinstance(high, int)):
        return None
    return low + (node.operators[0] == "<"), high - (node.operators[1] == "<")


# --- facts ---


def _form(value: Node, pattern: Node, view: View) -> Explanation:
    """Returns a type that does not fit a pattern."""
    view.value(HasType(value, pattern))  # binds the names of the pattern
    wanted = pattern_text(pattern, view)
    text = f"{render(value, view)} is of type {shown_value(view.value(value))}, not {wanted}"
    subject = subject_of(value, view)
    fitting = _fitting(subject, pattern, wanted, view) if subject else None
    return Explanation(text, _names_of([value]), (fitting,) if fitting else ())


def _fitting(subject: Subject, pattern: Node, wanted: str, view: View) -> SetSignature:
    """Returns the suggestion to make something fit a pattern of types."""
    if isinstance(pattern, FunctionPattern):
        inputs, results = (type_patterns(side, view) for side in (pattern.inputs, pattern.results))
        return SetSignature(subject, wanted, inputs, results)
    return SetSignature(subject, wanted, results=type_patterns((pattern,), view))


def _fact(node: Node, view: View) -> Explanation:
    """Returns a function that is not true of what it is called with, or true where it must not be."""
    names = _names_of([node])
    if isinstance(node, Call) and node.function in LIST_FAULTS:
        fault = LIST_FAULTS[node.function](node, view)
        if fault.pair:
            return replace(_explained(Compare(fault.pair, ("=",)), view), names=names)
        return Explanation(fault.text, names, fault.suggestions)
    if isinstance(node, Call) and node.function == "identical":
        left, right = map(view.simplified, node.arguments)
        text = f"{_equality(left, right, view)}, and they must be written alike"
        return Explanation(text, names, tuple(suggestions("=", left, right, view)))
    inner = node.operand if isinstance(node, Unary) and node.operator == "not" else node
    if isinstance(inner, Call) and inner.function in PREDICATES:
        text, mended = failing(inner, view, inner is node)
        return Explanation(text, names, mended)
    values = {name: view.value(Name(name)) for name in names}
    shown = [f"{name} is {shown_value(value)}" for name, value in values.items() if is_known(value)]
    return Explanation(", ".join((f"{render(node, view)} is not true", *shown)), names)
