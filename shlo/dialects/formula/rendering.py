"""Formulas and their values as text."""

from __future__ import annotations

from typing import Any, Final, cast

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
    TypePattern,
    Where,
)
from shlo.dialects.formula.values import Placeholder, Word, type_of
from shlo.dialects.formula.views import View
from shlo.ir.suggestions import FittingType, shown
from shlo.ir.types import FunctionType, RankedTensorType, Type
from shlo.text.expressions import Binary, Call, Constant, Node, Slice, Subscript, Unary

SHORT = 40
"""Characters of a value that is in a formula in place of its name."""


def shown_value(value: Any) -> str:
    """Returns a value as messages show it."""
    return shown(plain_value(value))


def plain_value(value: Any) -> Any:
    """Returns a value with types in place of what is known by its type alone."""
    if isinstance(value, Placeholder):
        return type_of(value)
    if isinstance(value, tuple):
        return tuple(map(plain_value, cast("tuple[Any, ...]", value)))
    return value


def render(node: Node, view: View) -> str:
    """Returns a part of a formula as text. Where it counts with an attribute or takes it as an index, there
    is its value."""
    match node:
        case Constant(value):
            return shown_value(value)
        case Name(name):
            return name
        case Each(list_):
            return f"{render(list_, view)}..."
        case Call(function, (first, *others)):
            return (
                f"{function}({', '.join([render(first, view), *(_part(other, view) for other in others)])})"
            )
        case Call(function):
            return f"{function}()"
        case Subscript(value, index):
            return f"{render(value, view)}[{', '.join(_part(part, view) for part in index)}]"
        case Slice(start, stop):
            return f"{_part(start, view) if start else ''}:{_part(stop, view) if stop else ''}"
        case List(items):
            return f"[{_listed(items, view)}]"
        case Binary(operator, left, right):
            sign = "+" if operator == "++" else operator
            return f"{_operand(left, sign, view)} {sign} {_operand(right, sign, view)}"
        case Unary("-", value):
            return f"-{_part(value, view)}"
        case TypePattern() | FunctionPattern():
            return pattern_text(node, view)
        case _:
            return _sentence(node, view)


def _sentence(node: Node, view: View) -> str:
    """Parts that are truths, and those that hold others."""
    match node:
        case Unary("not", value):
            return f"not {render(value, view)}"
        case Compare(operands, operators):
            rest = "".join(
                f" {operator} {render(operand, view)}" for operator, operand in zip(operators, operands[1:])
            )
            return render(operands[0], view) + rest
        case Logical("then", left, right):
            return f"if {render(left, view)} then {render(right, view)}"
        case Logical(operator, left, right):
            return f"{render(left, view)} {operator} {render(right, view)}"
        case Conditional(condition, yes, no):
            return f"{render(condition, view)} ? {render(yes, view)} : {render(no, view)}"
        case Comprehension(item, name, values, condition):
            chosen = f" if {render(condition, view)}" if condition else ""
            return f"[{render(item, view)} for {name} in {render(values, view)}{chosen}]"
        case Lambda(parameters, body):
            return f"lambda {', '.join(parameters)}: {render(body, view)}"
        case HasType(value, pattern):
            return f"{render(value, view)} has type {render(pattern, view)}"
        case Where(body):
            return render(body, view)
        case _:
            raise AssertionError(node)


def _listed(nodes: tuple[Node, ...], view: View) -> str:
    return ", ".join(_part(node, view) for node in nodes)


def _part(node: Node, view: View) -> str:
    """Returns a part that a function takes beside its subject, or an index: its value, where that is
    short."""
    if isinstance(node, Slice):
        return render(node, view)
    value = view.value(node.list if isinstance(node, Each) else node)
    if _is_plain(value) and len(shown_value(value)) <= SHORT:
        return shown_value(value)
    return render(node, view)


def _operand(node: Node, sign: str, view: View) -> str:
    """Returns an operand of arithmetic: an attribute is its value, anything else stays what it is."""
    text = _part(node, view) if isinstance(node, Name) else render(node, view)
    is_sum = isinstance(node, Binary) and node.operator in "+-"
    return f"({text})" if is_sum and sign not in "+-" else text


_PLAIN: Final = (int, Word, Type)


def _is_plain(value: Any) -> bool:
    """Returns whether a value says as much as what it is computed from: numbers and their lists, words,
    types."""
    if isinstance(value, tuple):
        return all(isinstance(item, int) for item in cast("tuple[Any, ...]", value))
    return isinstance(value, _PLAIN) and not isinstance(value, FunctionType)


def pattern_text(node: Node, view: View) -> str:
    """Returns a pattern of types, with what its names were found to refer to."""
    match node:
        case FunctionPattern(inputs, results):
            return f"({_patterns(inputs, view)}) -> ({_patterns(results, view)})"
        case TypePattern(word, arguments):
            return f"{'tensor' if word == 'shaped' else word}<{_patterns(arguments, view)}>"
        case Name(name) if name in view.scope:
            return shown_value(view.scope[name])
        case Each(TypePattern(word, (Name(name),))) if isinstance(view.scope.get(name), tuple):
            parts = [
                pattern_text(TypePattern(word, (Name("each"),)), view.binding({"each": element}))
                for element in view.scope[name]
            ]
            return ", ".join(parts)
        case Each(pattern):
            return f"{pattern_text(pattern, view)}..."
        case _:
            return render(node, view)


def _patterns(nodes: tuple[Node, ...], view: View) -> str:
    return ", ".join(pattern_text(node, view) for node in nodes)


def type_patterns(nodes: tuple[Node, ...], view: View) -> tuple[FittingType, ...]:
    """Returns patterns of types as far as their names were found to refer to types."""
    fitting: list[FittingType] = []
    for node in nodes:
        match node:
            case Each(TypePattern(word, (Name(name),))) if isinstance(view.scope.get(name), tuple):
                inner = TypePattern(word, (Name(name),))
                fitting += [
                    FittingType(_fitting(inner, view.binding({name: element})))
                    for element in view.scope[name]
                ]
            case Each(pattern):
                fitting.append(FittingType(_fitting(pattern, view), is_repeated=True))
            case _:
                fitting.append(FittingType(_fitting(node, view)))
    return tuple(fitting)


def _fitting(node: Node, view: View) -> Type | None:
    """Returns the type that a pattern is for, None where its names refer to none yet."""
    match node:
        case TypePattern("tensor" | "shaped", (Name(name),)) if isinstance(view.scope.get(name), Type):
            return RankedTensorType((), view.scope[name])
        case Name(name) if isinstance(view.scope.get(name), Type):
            return view.scope[name]
        case _:
            return None
