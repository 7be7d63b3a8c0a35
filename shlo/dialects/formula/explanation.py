"""Why a formula does not hold: the comparison that fails, each side with its value."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, cast

from shlo.dialects.formula.evaluation import Scope, compare, compiled, local_scope
from shlo.dialects.formula.nodes import (
    Binary,
    Call,
    Compare,
    Comprehension,
    Conditional,
    Each,
    FunctionPattern,
    HasType,
    Lambda,
    List,
    Literal_,
    Logical,
    Minus,
    Name,
    Negation,
    Node,
    Slice,
    Subscript,
    TypePattern,
    Where,
    walk,
)
from shlo.dialects.formula.values import Interval, Placeholder, Undefined, as_truth, type_of
from shlo.ir.types import Type

SHORT = 40
"""Characters of a value that stands in a formula in place of its name."""
LISTED = 12
"""Elements of a list that a message shows."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """What is wrong in words, and the names in the part of the formula that fails."""

    text: str
    names: tuple[str, ...]


def explain(node: Node, scope: Scope) -> Explanation:
    """Why a formula is false in a scope."""
    match node:
        case Where(body, definitions, condition):
            inner = local_scope(scope, {name: compiled(value) for name, value in definitions})
            failing = body if _fails(body, inner) or condition is None else condition
            found = explain(failing, inner)
            return Explanation(found.text, (*found.names, *_names_of(value for _, value in definitions)))
        case Logical("and", left, right):
            return explain(left if _fails(left, scope) else right, scope)
        case Logical("then", left, right):
            found = explain(right, scope)
            return Explanation(f"{found.text}, as {render(left, scope)}", (*found.names, *_names_of([left])))
        case Logical("or", left, right):
            one, other = explain(left, scope), explain(right, scope)
            return Explanation(f"{one.text} and {other.text}", (*one.names, *other.names))
        case Conditional(condition, yes, no):
            return explain(yes if compiled(condition)(scope) is True else no, scope)
        case Compare():
            return _comparison(node, scope)
        case Call("all", (Lambda(parameters, body), *lists)):
            return _counterexample(node, parameters, body, lists, scope)
        case Call("same" | "is_unique" | "is_sorted" | "is_static", (values,)):
            shown = shown_value(compiled(values)(scope))
            return Explanation(f"{render(node, scope)} does not hold of {shown}", _names_of([node]))
        case HasType(value, pattern):
            shown = shown_value(compiled(value)(scope))
            return Explanation(
                f"{render(value, {})} has type {shown}, not {render(pattern, scope)}", _names_of([value])
            )
        case _:
            return Explanation(f"{render(node, scope)} does not hold", _names_of([node]))


def _counterexample(
    node: Node, parameters: tuple[str, ...], body: Node, lists: list[Node], scope: Scope
) -> Explanation:
    """Why something is not true of all elements of some lists: the first ones of which it is not."""
    names = _names_of([node])
    for values in zip(*(compiled(each)(scope) for each in lists)):
        inner = ChainMap(dict(zip(parameters, values)), scope)
        if _fails(body, inner):
            found = explain(body, inner)
            where = ", ".join(f"{name} = {shown_value(value)}" for name, value in zip(parameters, values))
            return Explanation(
                f"{found.text}, for {where}", tuple(name for name in names if name not in parameters)
            )
    return Explanation(f"{render(node, scope)} does not hold", names)


def _fails(node: Node, scope: Scope) -> bool:
    try:
        return as_truth(compiled(node)(scope)) is False
    except Undefined:
        return False


def _comparison(node: Compare, scope: Scope) -> Explanation:
    values = [compiled(operand)(scope) for operand in node.operands]
    for operator, one, other in node.pairs():
        if compare(operator, values[one], values[other]) is False:
            left, right = node.operands[one], node.operands[other]
            sides = _side(left, values[one], scope), _side(right, values[other], scope)
            return Explanation(_words(operator, *sides), _names_of([left, right]))
    return Explanation(f"{render(node, scope)} does not hold", _names_of([node]))


def _words(operator: str, left: tuple[str, str], right: tuple[str, str]) -> str:
    """`dim(lhs, 1) is 4, but dim(rhs, 0) is 5`: each side with its value, where that says more."""
    if operator != "=":
        return f"{_with_value(*left)} {_NEGATED[operator]} {_with_value(*right)}"
    (one, one_value), (other, other_value) = left, right
    if other == other_value:
        return f"{one} is {one_value}, not {other_value}"
    if one == one_value:
        return f"{other} is {other_value}, not {one_value}"
    return f"{one} is {one_value}, but {other} is {other_value}"


_NEGATED: Final[Mapping[str, str]] = {
    **{operator: f"is not {operator}" for operator in ("<", "<=", ">", ">=", "in")},
    "!=": "equals",
    "not in": "is in",
    "is": "is not",
    "is not": "is",
}


def _with_value(text: str, value: str) -> str:
    return text if text == value else f"{text} (which is {value})"


def _side(node: Node, value: Any, scope: Scope) -> tuple[str, str]:
    return render(node, scope), shown_value(value)


def _names_of(nodes: Any) -> tuple[str, ...]:
    return tuple(dict.fromkeys(part.name for node in nodes for part in walk(node) if isinstance(part, Name)))


# --- in words ---


def shown_value(value: Any) -> str:
    """A value as messages show it."""
    if isinstance(value, Placeholder):
        return str(type_of(value))
    if isinstance(value, Type | Interval):
        return str(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        items = cast("tuple[Any, ...]", value)
        shown = [shown_value(item) for item in items[:LISTED]]
        return f"[{', '.join(shown)}{', ...' if len(items) > LISTED else ''}]"
    return str(value)


def render(node: Node, scope: Mapping[str, Any]) -> str:
    """A part of a formula as text, with short values of attributes in place of their names."""
    match node:
        case Literal_(value):
            return shown_value(value)
        case Name(name):
            return _named(name, scope)
        case Each(list_):
            return render(list_, scope) + ("" if _is_shown(list_, scope) else "...")
        case Call(function, arguments):
            return f"{function}({_listed(arguments, scope)})"
        case Subscript(value, index):
            return f"{render(value, scope)}[{_listed(index, scope)}]"
        case Slice(start, stop):
            return f"{render(start, scope) if start else ''}:{render(stop, scope) if stop else ''}"
        case List(items):
            return f"[{_listed(items, scope)}]"
        case Negation(value):
            return f"not {render(value, scope)}"
        case Minus(value):
            return f"-{render(value, scope)}"
        case Binary(operator, left, right):
            return f"{render(left, scope)} {'+' if operator == '++' else operator} {render(right, scope)}"
        case Compare(operands, operators):
            rest = "".join(
                f" {operator} {render(each, scope)}" for operator, each in zip(operators, operands[1:])
            )
            return render(operands[0], scope) + rest
        case Logical("then", left, right):
            return f"if {render(left, scope)} then {render(right, scope)}"
        case Logical(operator, left, right):
            return f"{render(left, scope)} {operator} {render(right, scope)}"
        case Conditional(condition, yes, no):
            return f"{render(condition, scope)} ? {render(yes, scope)} : {render(no, scope)}"
        case Comprehension(item, name, values, condition):
            chosen = f" if {render(condition, scope)}" if condition else ""
            return f"[{render(item, scope)} for {name} in {render(values, scope)}{chosen}]"
        case Lambda(parameters, body):
            return f"lambda {', '.join(parameters)}: {render(body, scope)}"
        case TypePattern(word, arguments):
            return f"{word}<{_listed(arguments, scope)}>"
        case FunctionPattern(inputs, results):
            return f"({_listed(inputs, scope)}) -> ({_listed(results, scope)})"
        case HasType(value, pattern):
            return f"{render(value, scope)} has type {render(pattern, scope)}"
        case Where(body):
            return render(body, scope)
        case _:
            raise AssertionError(node)


def _listed(nodes: tuple[Node, ...], scope: Mapping[str, Any]) -> str:
    return ", ".join(render(node, scope) for node in nodes)


def _named(name: str, scope: Mapping[str, Any]) -> str:
    try:
        value = scope.get(name)
    except Undefined:  # a local definition that makes no sense here
        return name
    if isinstance(value, bool | int | str | Type) or _is_list_of_numbers(value):
        shown = shown_value(value)
        return shown if len(shown) <= SHORT else name
    return name


def _is_shown(node: Node, scope: Mapping[str, Any]) -> bool:
    return isinstance(node, Name) and _named(node.name, scope) != node.name


def _is_list_of_numbers(value: Any) -> bool:
    return isinstance(value, tuple) and all(isinstance(item, int) for item in cast("tuple[Any, ...]", value))
