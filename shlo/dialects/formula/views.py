"""A formula where its names refer to something: what its parts give, and how they are said more simply."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Mapping
from typing import Any, Final, TypeGuard, cast

from msgspec import Struct, field

from shlo.dialects.formula.evaluation import Scope, compiled, local_scope
from shlo.dialects.formula.nodes import (
    Comprehension,
    Conditional,
    Each,
    FunctionPattern,
    HasType,
    Lambda,
    List,
    Name,
    TypePattern,
    Where,
    substituted,
)
from shlo.dialects.formula.patterns import meanings
from shlo.dialects.formula.values import UNKNOWN, Undefined, as_truth
from shlo.ir.types import FunctionType, Type
from shlo.text.expressions import Binary, Call, Constant, Node, Slice, Subscript, rewritten, walk

NOTHING: Final = object()
"""What a part without a value gives."""


class View(Struct, frozen=True):
    """The names that a formula is read with, and the local definitions among them."""

    scope: Scope
    definitions: Mapping[str, Node] = field(default_factory=dict[str, Node])

    def value(self, node: Node) -> Any:
        """Returns what a part gives, NOTHING where it gives none."""
        if isinstance(node, Each | Slice | TypePattern | FunctionPattern):
            return NOTHING
        try:
            return compiled(node)(self.scope)
        except (Undefined, TypeError):
            return NOTHING

    def fails(self, node: Node) -> bool:
        """Returns whether a part is false."""
        try:
            return as_truth(compiled(node)(self.scope)) is False
        except Undefined:
            return False

    def within(self, node: Where) -> View:
        """Returns the view of what is before a `where`."""
        inner = local_scope(self.scope, {name: compiled(definition) for name, definition in node.definitions})
        return View(inner, {**self.definitions, **dict(node.definitions)})

    def matched(self, body: Node) -> View:
        """Returns the view of a condition on what the patterns of a body bind, which is true."""
        self.value(body)
        bound: dict[str, Node] = {}
        for part in walk(body):
            if isinstance(part, HasType):
                bound |= meanings(part.pattern, part.value, self.scope)
        return View(self.scope, {**self.definitions, **bound})

    def binding(self, names: Mapping[str, Any]) -> View:
        """Returns the view with more names."""
        return View(ChainMap(dict(names), self.scope), self.definitions)

    def is_member(self, name: str) -> bool:
        """Returns whether a name refers to a member of the operation, and not for a local definition or a
        word."""
        scope: Any = self.scope
        while isinstance(scope, ChainMap):
            scope = cast("ChainMap[str, Any]", scope).maps[-1]
        return name not in self.definitions and name in scope

    def has_bindings(self, node: Node) -> bool:
        """Returns whether a part depends on the operation."""
        if isinstance(node, Name):
            definition = self.definitions.get(node.name)
            return self.is_member(node.name) if definition is None else self.has_bindings(definition)
        return any(map(self.has_bindings, node.children()))

    def simplified(self, node: Node) -> Node:
        """Returns a part said more simply: the branch that is taken, what is given, the member that is
        meant."""
        node = rewritten(node, self.simplified) if not isinstance(node, Lambda | Comprehension) else node
        match node:
            case Conditional(condition, yes, no):
                truth = self.value(condition)
                return (self.simplified(yes if truth else no)) if isinstance(truth, bool) else node
            case Call("given", (value, _)):
                return value
            case Name(name) if isinstance(self.definitions.get(name), Call) and name.isupper():
                return self.definitions[name]
            case Call("size", (Name(name),)) if name.isupper() and name in self.definitions:
                listed = self.definitions[name]
                return Call("size", (listed.values,)) if isinstance(listed, Comprehension) else node
            case Call("item", (values, index)) if isinstance(self.value(index), int):
                return Subscript(values, (Constant(self.value(index)),))
            case Call("flat", (Subscript() as one,)) if isinstance(self.value(one), int):
                return one
            case Call(name, (of,)) if name in _WITHOUT_SCALES:
                return self._with_scales(node, Call(_WITHOUT_SCALES[name], (of,)))
            case Call("type", (of,)) if self._is_type(of):
                return of
            case Subscript(values, (Constant(int(number)),)):
                return self._item(values, number) or node
            case _:
                return node

    def _with_scales(self, node: Node, exact: Node) -> Node:
        """Returns the function that leaves no scales out, where there are none to be left out."""
        return self.simplified(exact) if self.value(exact) == self.value(node) else node

    def _is_type(self, node: Node) -> bool:
        value = self.value(node)
        return isinstance(value, Type) and not isinstance(value, FunctionType)

    def _item(self, values: Node, number: int) -> Node | None:
        """Returns an element of a list in fewer words, None where there are none."""
        match values:
            case List(items) if not any(isinstance(item, Each) for item in items[: number + 1]):
                return items[number]
            case Call("shape", (of,)):
                return Call("dim", (of, Constant(number)))
            case Call("with_items", (whole, places, _)) if number not in self._places(places):
                return self._item(whole, number)
            case Call("without_items", (whole, places)):
                return self._item(whole, self._kept(places, number))
            case Binary("++", left, right):
                length = len(self.value(left))
                inner, position = (left, number) if number < length else (right, number - length)
                return self.element(inner, position)
            case Binary(operator, left, right):
                return Binary(operator, self._one(left, number), self._one(right, number))
            case Call("max" | "min" as function, (left, right)):
                return Call(function, (self._one(left, number), self._one(right, number)))
            case Subscript(of, (Slice(start, _),)):
                first = self.value(start) if start else 0
                return self.element(of, first + number) if isinstance(first, int) and first >= 0 else None
            case Name(name) if name.isupper() and name in self.definitions:
                return self.element(self.definitions[name], number)
            case Name(name) if name in self.definitions:
                return self._item(self.definitions[name], number)
            case _:
                return None

    def _one(self, node: Node, number: int) -> Node:
        """Returns an element of a list, and a number that refers to a list of itself."""
        return self.element(node, number) if is_list(self.value(node)) else node

    def _places(self, node: Node) -> tuple[Any, ...]:
        axes = self.value(node)
        return axes if is_list(axes) else ()

    def _kept(self, places: Node, number: int) -> int:
        """Returns where the element was that is at `number` after those at some places were left out."""
        gone = self._places(places)
        left = (position for position in range(number + len(gone) + 1) if position not in gone)
        return [position for position, _ in zip(left, range(number + 1))][-1]

    def element(self, node: Node, number: int) -> Node:
        """Returns an element of what a part gives: `shape(xs...)` at 1 is `shape(xs[1])`."""
        index = (Constant(number),)
        match node:
            case Call(function, arguments) if any(isinstance(argument, Each) for argument in arguments):
                chosen = tuple(
                    self.element(argument.list, number) if isinstance(argument, Each) else argument
                    for argument in arguments
                )
                call: Node = Call(function, chosen)
            case Comprehension(item, name, values, None):
                call = substituted(item, {name: self.element_or_number(values, number)})
            case Comprehension(Name(item), name, values, condition) if item == name and condition:
                call = Subscript(values, (Constant(self._chosen(node, number)),))
            case _:
                call = Subscript(node, index)
        return self.simplified(call)

    def _chosen(self, node: Comprehension, number: int) -> int:
        """Returns where the element is in a list that is at `number` among those that a condition chooses."""
        assert node.condition
        condition = compiled(node.condition)
        values = self.value(node.values)
        places = [
            position
            for position, value in enumerate(values)
            if condition(ChainMap({node.name: value}, self.scope)) is True
        ]
        return places[number]

    def element_or_number(self, node: Node, number: int) -> Node:
        """Returns an element of a list; of the numbers of axes the number itself."""
        value = self.value(node)
        if isinstance(node, Call) and node.function in ("axes", "range") and is_list(value):
            return Constant(value[number])
        return self.element(node, number)


_WITHOUT_SCALES: Final = {"baseline_type": "type", "baseline_element_type": "element_type"}


def is_list(value: Any) -> TypeGuard[tuple[Any, ...]]:
    """Returns whether a value has elements."""
    return isinstance(value, tuple)


def is_index(value: Any) -> TypeGuard[int]:
    """Returns whether a value is a number by which lists are read."""
    return isinstance(value, int) and not isinstance(value, bool)


def is_known(value: Any) -> bool:
    """Returns whether a value is something that can be shown."""
    return value is not NOTHING and value is not UNKNOWN


def lengths_differ(one: Any, other: Any) -> bool:
    """Returns whether two values are lists of different lengths."""
    return is_list(one) and is_list(other) and len(one) != len(other)
