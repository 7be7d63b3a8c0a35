"""Formulas as functions of a scope: compiled once, evaluated as often as there are operations."""

from __future__ import annotations

import weakref
from collections import ChainMap
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping
from typing import Any, Final, cast

from shlo.dialects.formula.functions import FUNCTIONS, item
from shlo.dialects.formula.nodes import (
    Compare,
    Comprehension,
    Conditional,
    Each,
    HasType,
    Lambda,
    List,
    Logical,
    Name,
    Where,
)
from shlo.dialects.formula.patterns import bind_type
from shlo.dialects.formula.values import (
    UNKNOWN,
    Interval,
    Truth,
    Undefined,
    Unknown,
    Word,
    add,
    as_truth,
    both,
    concatenate,
    contains,
    divide,
    either,
    equal,
    less,
    modulo,
    multiply,
    negative,
    opposite,
    same_object,
    subtract,
)
from shlo.ir.types import F32, F64, FloatType, IntegerType
from shlo.text.expressions import Binary, Call, Constant, Node, Slice, Subscript, Unary, rewritten, walk


def hoisted(body: Node, parameters: Iterable[str]) -> tuple[Node, dict[str, Node]]:
    """Returns the body of a loop with names for its invariant parts, and what each of these names means.

    The parts are the outermost calls and comprehensions that use none of `parameters` and no name that the
    body binds. The names cannot be written in a formula; equal parts share one. Patterns of types are left as
    they are, since they bind names where they are evaluated.
    """
    bound = {*parameters, *_bound(body)}
    invariant: dict[str, Node] = {}

    def change(part: Node) -> Node:
        if isinstance(part, HasType):
            return part
        if not isinstance(part, Call | Comprehension) or not _is_invariant(part, bound):
            return rewritten(part, change)
        name = repr(part)
        invariant[name] = part
        return Name(name)

    return change(body), invariant


def _is_invariant(part: Node, bound: set[str]) -> bool:
    """Returns whether a part binds no names outside of itself and uses none of `bound`."""
    return all(not isinstance(part, HasType) and _used(part) not in bound for part in walk(part))


def _used(part: Node) -> str | None:
    match part:
        case Name(name) | Call(name, _):
            return name
        case _:
            return None


def _bound(body: Node) -> Iterator[str]:
    """Yields every name that a part of a body binds."""
    for part in walk(body):
        match part:
            case Lambda(parameters, _):
                yield from parameters
            case Comprehension(_, name, _, _):
                yield name
            case Where(_, definitions, _):
                yield from (name for name, _ in definitions)
            case HasType(_, pattern):
                yield from (part.name for part in walk(pattern) if isinstance(part, Name))
            case _:
                pass


Scope = MutableMapping[str, Any]
"""What names refer to: members of the operation, local definitions, local functions."""

FormulaFn = Callable[[Scope], Any]

TYPE_WORDS: Final[Mapping[str, Any]] = {
    **{f"i{width}": IntegerType(width) for width in (1, 2, 4, 8, 16, 32, 64)},
    **{f"ui{width}": IntegerType(width, "unsigned") for width in (2, 4, 8, 16, 32, 64)},
    **{name: FloatType(name) for name in ("f16", "bf16")},
    "f32": F32,
    "f64": F64,
}
"""Element types that formulas name."""

_ARITHMETIC = {"+": add, "-": subtract, "*": multiply, "/": divide, "%": modulo, "++": concatenate}
_COMPARISONS: Final[Mapping[str, Callable[[Any, Any], Truth]]] = {
    "=": equal,
    "!=": lambda left, right: opposite(equal(left, right)),
    "<": lambda left, right: less(left, right, True),
    "<=": lambda left, right: less(left, right, False),
    ">": lambda left, right: less(right, left, True),
    ">=": lambda left, right: less(right, left, False),
    "in": lambda left, right: contains(right, left),
    "not in": lambda left, right: opposite(contains(right, left)),
    "is": same_object,
    "is not": lambda left, right: opposite(same_object(left, right)),
}


def compiled(node: Node) -> FormulaFn:
    """Returns a part of a formula as a function of a scope."""
    return _COMPILERS[type(node)](node)


def _later(node: Node) -> FormulaFn:
    """Returns a part as a function that is compiled when it is first called: most formulas begin with a
    condition, such as that a type is quantized, which does not hold of most operations."""
    function: FormulaFn | None = None

    def call(scope: Scope) -> Any:
        nonlocal function
        if function is None:
            function = compiled(node)
        return function(scope)

    return call


def compare(operator: str, left: Any, right: Any) -> Truth:
    """Returns what a comparison of two values gives."""
    return _COMPARISONS[operator](left, right)


def _name(node: Name) -> FormulaFn:
    name = node.name
    fallback = TYPE_WORDS.get(name, Word(name) if name.isupper() and len(name) > 1 else None)

    def lookup(scope: Scope) -> Any:
        try:
            return scope[name]
        except KeyError:
            if fallback is None:
                raise Undefined(f"nothing is called {name}") from None
            return fallback

    return lookup


def _call(node: Call) -> FormulaFn:
    spread = [isinstance(argument, Each) for argument in node.arguments]
    arguments = [
        compiled(argument.list if isinstance(argument, Each) else argument) for argument in node.arguments
    ]

    known, is_spread = FUNCTIONS.get(node.function), any(spread)
    if known is not None and len(arguments) == 1 and not is_spread:  # as most calls: quick
        (only,) = arguments
        return lambda scope: known(only(scope))

    def call(scope: Scope) -> Any:
        function = known  # first: a member may have a function's name (`shape` of rng)
        if function is None:
            function = scope.get(node.function)
            if not callable(function):
                raise Undefined(f"there is no function {node.function}")
        values = [argument(scope) for argument in arguments]
        return _spread(function, values, spread) if is_spread else function(*values)

    return call


def _spread(function: Callable[..., Any], values: list[Any], spread: list[bool]) -> Any:
    """Returns the function of each element of the lists that an ellipsis spreads."""
    lists = [value for value, is_spread in zip(values, spread) if is_spread]
    if UNKNOWN in lists:
        return UNKNOWN
    if not all(isinstance(items, tuple) for items in lists):
        raise Undefined("only lists can be spread")
    count = len(lists[0])
    if any(len(items) != count for items in lists):
        raise Undefined("lists of different lengths")
    return tuple(
        function(*(value[index] if is_spread else value for value, is_spread in zip(values, spread)))
        for index in range(count)
    )


def _subscript(node: Subscript) -> FormulaFn:
    value = compiled(node.value)
    indices = [_index(index) for index in node.index]

    def subscript(scope: Scope) -> Any:
        return _indexed(value(scope), [index(scope) for index in indices])

    return subscript


def _index(node: Node) -> FormulaFn:
    if not isinstance(node, Slice):
        return compiled(node)
    start, stop = (compiled(bound) if bound else _nothing for bound in (node.start, node.stop))

    def ends(scope: Scope) -> Any:
        bounds = start(scope), stop(scope)
        return UNKNOWN if any(isinstance(end, Unknown | Interval) for end in bounds) else slice(*bounds)

    return ends


def _nothing(scope: Scope) -> None:
    """An end of a slice that is not given."""


def _indexed(value: Any, indices: list[Any]) -> Any:
    index, *others = indices
    if value is UNKNOWN or index is UNKNOWN:
        return UNKNOWN
    if not isinstance(index, slice):
        chosen_items = item(value, index)
        return _indexed(chosen_items, others) if others else chosen_items
    if not isinstance(value, tuple):
        raise Undefined(f"{value!r} has no slices")
    chosen = cast("tuple[Any, ...]", value)[index]
    return tuple(_indexed(part, others) for part in chosen) if others else tuple(chosen)


def _list(node: List) -> FormulaFn:
    items = [
        (isinstance(part, Each), compiled(part.list if isinstance(part, Each) else part))
        for part in node.items
    ]

    def build(scope: Scope) -> Any:
        collected: list[Any] = []
        for spread, evaluate in items:
            value = evaluate(scope)
            if spread and value is UNKNOWN:
                return UNKNOWN
            collected += value if spread else [value]
        return tuple(collected)

    return build


def _comprehension(node: Comprehension) -> FormulaFn:
    values = compiled(node.values)
    value, once = _loop_body(node.item, (node.name,))
    condition, once_too = _loop_body(node.condition, (node.name,)) if node.condition else (None, {})
    definitions = once | once_too

    def build(scope: Scope) -> Any:
        collected: list[Any] = []
        among = values(scope)
        if among is UNKNOWN:
            return UNKNOWN
        outer = local_scope(scope, definitions) if definitions else scope
        for element in among:
            inner = _within(outer, {node.name: element})
            is_chosen = as_truth(condition(inner)) if condition else True
            if is_chosen is UNKNOWN:
                return UNKNOWN
            if is_chosen:
                collected.append(value(inner))
        return tuple(collected)

    return build


def _lambda(node: Lambda) -> FormulaFn:
    body, definitions = _loop_body(node.body, node.parameters)

    def make(scope: Scope) -> Callable[..., Any]:
        outer = local_scope(scope, definitions) if definitions else scope

        def call(*values: Any) -> Any:
            return body(_within(outer, dict(zip(node.parameters, values))))

        return call

    return make


def _loop_body(body: Node, parameters: tuple[str, ...]) -> tuple[FormulaFn, dict[str, FormulaFn]]:
    """Returns what is evaluated for each element, and by name what is evaluated once, when it is needed."""
    changing, invariant = hoisted(body, parameters)
    return compiled(changing), {name: compiled(part) for name, part in invariant.items()}


def _unary(node: Unary) -> FormulaFn:
    value = compiled(node.operand)
    if node.operator == "not":
        return lambda scope: opposite(as_truth(value(scope)))
    return lambda scope: negative(value(scope))


def _binary(node: Binary) -> FormulaFn:
    operator, left, right = _ARITHMETIC[node.operator], compiled(node.left), compiled(node.right)
    return lambda scope: operator(left(scope), right(scope))


def _compare(node: Compare) -> FormulaFn:
    operands = [compiled(operand) for operand in node.operands]
    pairs = [(_COMPARISONS[operator], one, other) for operator, one, other in node.pairs()]
    if len(pairs) == 1:
        ((compares, _, _),), (left, right) = pairs, operands
        return lambda scope: compares(left(scope), right(scope))

    def chain(scope: Scope) -> Truth:
        values = [operand(scope) for operand in operands]
        verdict: Truth = True
        for operator, one, other in pairs:
            step = operator(values[one], values[other])
            if step is False:
                return False
            verdict = verdict if step is True else UNKNOWN
        return verdict

    return chain


def _logical(node: Logical) -> FormulaFn:
    left, right = compiled(node.left), _later(node.right)

    def conjunction(scope: Scope) -> Truth:
        return both(as_truth(left(scope)), lambda: as_truth(right(scope)))

    def disjunction(scope: Scope) -> Truth:
        return either(as_truth(left(scope)), lambda: as_truth(right(scope)))

    def implication(scope: Scope) -> Truth:
        return either(opposite(as_truth(left(scope))), lambda: as_truth(right(scope)))

    return {"and": conjunction, "or": disjunction, "then": implication}[node.operator]


def _conditional(node: Conditional) -> FormulaFn:
    condition, yes, no = compiled(node.condition), _later(node.yes), _later(node.no)

    def choose(scope: Scope) -> Any:
        truth = as_truth(condition(scope))
        if truth is UNKNOWN:
            return UNKNOWN
        return yes(scope) if truth else no(scope)

    return choose


def _has_type(node: HasType) -> FormulaFn:
    value = compiled(node.value)

    def match(scope: Scope) -> Truth:
        return bind_type(node.pattern, value(scope), scope, lambda part: compiled(part)(scope))

    return match


def _where(node: Where) -> FormulaFn:
    body = compiled(node.body)
    definitions = {name: compiled(value) for name, value in node.definitions}
    condition = compiled(node.condition) if node.condition else _holds

    def evaluate(scope: Scope) -> Any:
        inner = local_scope(scope, definitions)
        verdict = body(inner)
        return verdict if condition is _holds else both(as_truth(verdict), lambda: as_truth(condition(inner)))

    return evaluate


def _holds(scope: Scope) -> bool:
    """Returns the condition of a `where` that has none."""
    return True


def local_scope(scope: Scope, definitions: Mapping[str, FormulaFn]) -> Scope:
    """Returns a scope with local definitions (of a `where` or a loop), each evaluated when its name is
    first used."""
    return _within(scope, _Lazy(definitions))


class LocalScope(ChainMap[str, Any]):
    """Local names in front of another scope."""

    def __init__(self, names: MutableMapping[str, Any], scope: Scope) -> None:
        super().__init__(names, scope)

    def __getitem__(self, name: str) -> Any:
        names, scope = self.maps
        return names[name] if name in names else scope[name]


def _within(scope: Scope, names: MutableMapping[str, Any]) -> Scope:
    inner = LocalScope(names, scope)
    if isinstance(names, _Lazy):
        names.scope = weakref.ref(inner)
    return inner


class _Lazy(dict[str, Any]):
    """Local definitions by name, evaluated when they are asked for, in the scope that holds them. The
    reference to that is weak: a cycle would keep a whole program until the collector runs."""

    scope: weakref.ref[LocalScope]

    def __init__(self, definitions: Mapping[str, FormulaFn]) -> None:
        super().__init__()
        self._definitions = definitions

    def __contains__(self, name: object) -> bool:
        return super().__contains__(name) or name in self._definitions

    def __missing__(self, name: str) -> Any:
        scope = self.scope()
        assert scope is not None  # it is what asks
        value = self[name] = self._definitions[name](scope)
        return value


_COMPILERS: Final[dict[type[Node], Callable[[Any], FormulaFn]]] = {
    Binary: _binary,
    Call: _call,
    Compare: _compare,
    Comprehension: _comprehension,
    Conditional: _conditional,
    HasType: _has_type,
    Lambda: _lambda,
    List: _list,
    Constant: lambda node: lambda scope: node.value,
    Logical: _logical,
    Name: _name,
    Subscript: _subscript,
    Unary: _unary,
    Where: _where,
}
