"""Why a formula does not hold, with the values of both sides of what fails, and what would mend it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from shlo.dialects.formula.evaluation import Scope, compare
from shlo.dialects.formula.lists import LIST_FAULTS
from shlo.dialects.formula.nodes import (
    Compare,
    Comprehension,
    Conditional,
    Each,
    FunctionPattern,
    HasType,
    Lambda,
    Logical,
    Name,
    Where,
    substituted,
)
from shlo.dialects.formula.predicates import PREDICATES, changed, failing, reasons, state
from shlo.dialects.formula.rendering import pattern_text, render, shown_value, type_patterns
from shlo.dialects.formula.suggestions import MIRRORED, subject_of, suggestions
from shlo.dialects.formula.values import broadcast
from shlo.dialects.formula.views import View, is_known, is_list, lengths_differ
from shlo.ir.suggestions import Set, SetSignature, Subject, Suggestion
from shlo.text.expressions import Binary, Call, Constant, Node, Unary, walk


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
                found = _explained(body, inner)
            else:
                found = _explained(condition, inner.matched(body))
            return _with_names(found, [value for _, value in definitions])
        case Logical("and", left, right):
            return _explained(left if view.fails(left) else right, view)
        case Logical("then", left, right):
            found = _with_names(_explained(right, view), [left])
            why = " and ".join(each for each in reasons(left, view) if each not in found.text)
            return replace(found, text=f"{found.text}, as {why}") if why else found
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


def _with_names(found: Explanation, nodes: Iterable[Node]) -> Explanation:
    return replace(found, names=(*found.names, *_names_of(nodes)))


def _names_of(nodes: Iterable[Node]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(part.name for node in nodes for part in walk(node) if isinstance(part, Name)))


def _alternatives(node: Logical, view: View) -> Explanation:
    """Returns none of several holds. That something is absent which is there says nothing."""
    every = list(_or_parts(node))
    absences = {("is",), ("is not",)}
    said = [each for each in every if not (isinstance(each, Compare) and each.operators in absences)] or every
    found = [_explained(each, view) for each in said]
    names = tuple(name for each in every for name in _explained(each, view).names)
    suggested = tuple(suggestion for each in found for suggestion in each.suggestions)
    return Explanation(_together(said, view) or ", and ".join(each.text for each in found), names, suggested)


def _or_parts(node: Node) -> tuple[Node, ...]:
    match node:
        case Logical("or", left, right):
            return (*_or_parts(left), *_or_parts(right))
        case _:
            return (node,)


def _together(nodes: list[Node], view: View) -> str:
    """`dim(x, 0) is 3, but must be 1 or dim(y, 0), which is 4`; nothing where the left sides differ."""
    pairs = [each.operands for each in nodes if isinstance(each, Compare) and each.operators == ("=",)]
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
            meaning = {name: view.element_or_number(each, number) for name, each in zip(parameters, lists)}
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
        isinstance(node, Call) and any(isinstance(each, Each) for each in node.arguments)
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
    found = subject_of(target, view)
    if found is None or high < low:
        return suggestions(operator, *pair, view)
    return (Set(found, "=", low) if low == high else Set(found, "range", between),)


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
