"""Loop-invariant code motion: what the body of a loop computes anew for each element without using it.

A lambda that `all` calls and a comprehension are loops. `all(lambda i: i < size(flat(xs)), xs)` flattens
`xs` once instead of once for each element.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from shlo.dialects.formula.nodes import Comprehension, HasType, Lambda, Name, Where
from shlo.text.expressions import Call, Node, rewritten, walk


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
    return all(not isinstance(each, HasType) and _used(each) not in bound for each in walk(part))


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
                yield from (each.name for each in walk(pattern) if isinstance(each, Name))
            case _:
                pass
