"""Patterns of types: `tensor<E>` and `(tensor<E>...) -> (tensor<E>...)`, which bind the names in them."""

from __future__ import annotations

from collections.abc import Callable, MutableMapping
from typing import Any

from shlo.dialects.formula.nodes import Comprehension, Each, FunctionPattern, Name, TypePattern
from shlo.dialects.formula.values import UNKNOWN, Truth, both, equal, holds_for_all, type_of
from shlo.ir.types import ComplexType, FunctionType, RankedTensorType, TupleType
from shlo.text.expressions import Call, Constant, Node, Slice, Subscript

Scope = MutableMapping[str, Any]
Value = Callable[[Node], Any]


def bind_type(pattern: Node, value: Any, scope: Scope, evaluate: Value) -> Truth:
    """Returns whether a type fits a pattern. A name that the scope lacks is bound to what is in its place
    (below an ellipsis to the list of all that do); any other part of a pattern must equal it."""
    type_ = type_of(value)
    if type_ is UNKNOWN:
        return UNKNOWN
    match pattern:
        case FunctionPattern(inputs, results):
            if not isinstance(type_, FunctionType):
                return False
            fits = _bind_list(inputs, type_.inputs, scope, evaluate)
            return both(fits, lambda: _bind_list(results, type_.results, scope, evaluate))
        case TypePattern(word, arguments):
            parts = _PARTS[word](type_)
            return False if parts is None else _bind_list(arguments, parts, scope, evaluate)
        case Name(name) if name not in scope and _is_variable(name):
            scope[name] = type_
            return True
        case _:
            return equal(evaluate(pattern), type_)


def meanings(pattern: Node, value: Node, scope: Scope) -> dict[str, Node]:
    """Returns what the names in a pattern of a region refer to: of `(tensor<E>) -> ...` the element type of
    the first argument, of `(tensor<E>...) -> ...` those of the first arguments, as many as were bound."""
    collected: dict[str, Node] = {}
    first, arguments = 0, Call("input_types", (value,))
    for type_ in pattern.inputs if isinstance(pattern, FunctionPattern) else ():
        match type_:
            case TypePattern(_, (Name(name),)):
                collected.setdefault(name, _element_of(Subscript(arguments, (Constant(first),))))
                first += 1
            case Each(TypePattern(_, (Name(name),))) if isinstance(scope.get(name), tuple):
                end = first + len(scope[name])
                part = Subscript(arguments, (Slice(Constant(first), Constant(end)),))
                collected.setdefault(name, Comprehension(_element_of(Name("type")), "type", part, None))
                first = end
            case _:
                first += 1
    return collected


def _element_of(node: Node) -> Node:
    return Call("element_type", (node,))


def _bind_list(patterns: tuple[Node, ...], types: tuple[Any, ...], scope: Scope, evaluate: Value) -> Truth:
    """Binds each pattern to a type; those with an ellipsis take equally many of what is there."""
    spread = sum(isinstance(pattern, Each) for pattern in patterns)
    rest = len(types) - (len(patterns) - spread)
    if rest < 0 or (rest % spread if spread else rest):
        return False
    verdicts: list[Truth] = []
    position = 0
    for pattern in patterns:
        count = rest // spread if isinstance(pattern, Each) else 1
        here = types[position : position + count]
        position += count
        if isinstance(pattern, Each):
            verdicts.append(_bind_each(pattern.list, here, scope, evaluate))
        else:
            verdicts.append(bind_type(pattern, here[0], scope, evaluate))
    return holds_for_all(verdicts)


def _bind_each(pattern: Node, types: tuple[Any, ...], scope: Scope, evaluate: Value) -> Truth:
    """Binds the name in a pattern below an ellipsis to a list."""
    if isinstance(pattern, TypePattern) and len(pattern.arguments) == 1:
        parts = [_PARTS[pattern.word](type_of(type_)) for type_ in types]
        if any(part is None or len(part) != 1 for part in parts):
            return False
        return _bind_each(pattern.arguments[0], tuple(part[0] for part in parts if part), scope, evaluate)
    if isinstance(pattern, Name) and pattern.name not in scope and _is_variable(pattern.name):
        scope[pattern.name] = types
        return True
    return equal(evaluate(pattern), types)


def _is_variable(name: str) -> bool:
    """Returns names of types that a pattern binds are a capital letter and digits or a dash."""
    return (name[0].isupper() and not name[1:].isupper()) or len(name) == 1


_PARTS: dict[str, Callable[[Any], tuple[Any, ...] | None]] = {
    "shaped": lambda type_: (type_.element_type,) if isinstance(type_, RankedTensorType) else None,
    "tensor": lambda type_: (
        (type_.element_type,) if isinstance(type_, RankedTensorType) and not type_.rank else None
    ),
    "complex": lambda type_: (type_.element_type,) if isinstance(type_, ComplexType) else None,
    "tuple": lambda type_: type_.types if isinstance(type_, TupleType) else None,
}
