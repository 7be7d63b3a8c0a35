"""What is wrong with lists that must be unique, sorted, permutations or of equal elements."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final

from msgspec import Struct

from shlo.dialects.formula.nodes import Comprehension, List, Name
from shlo.dialects.formula.rendering import plain_value, render, shown_value
from shlo.dialects.formula.suggestions import subject_of
from shlo.dialects.formula.values import equal, less
from shlo.dialects.formula.views import View, is_list
from shlo.ir.suggestions import Set, Suggestion, Unrepeat
from shlo.text.expressions import Binary, Call, Node


class Fault(Struct, frozen=True):
    """What is wrong in words and what mends it, or two elements that should be equal."""

    text: str = ""
    suggestions: tuple[Suggestion, ...] = ()
    pair: tuple[Node, ...] = ()


def _same(node: Call, view: View) -> Fault:
    (values,) = node.arguments
    found = view.value(values)
    number = next(number for number, each in enumerate(found) if equal(found[0], each) is False)
    pair = view.element(values, 0), view.element(values, number)
    if isinstance(pair[0], Call) and pair[0].function == "with_items":
        places = [place for place, both in enumerate(zip(found[0], found[number])) if equal(*both) is False]
        pair = tuple(view.element(each, places[0]) for each in pair) if places else pair
    return Fault(pair=pair)


def _is_unique(node: Call, view: View) -> Fault:
    (values,) = node.arguments
    found = view.value(values)
    repeated = next(each for each in found if found.count(each) > 1)
    parts = [_plain(part) for part in _parts(values, view)]
    labels, shown = [render(part, view) for part in parts], [shown_value(view.value(part)) for part in parts]
    what = f"{shown_value(repeated)} occurs {_times(found.count(repeated))}"
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
    found = view.value(values)
    one, other = next(pair for pair in pairwise(found) if less(*pair, False) is False)
    text = f"{render(values, view)} is {shown_value(found)}, in which {other} follows {one}"
    what = subject_of(values, view)
    return Fault(text, (Set(what, "=", tuple(sorted(found))),) if isinstance(one, int) and what else ())


def _is_permutation(node: Call, view: View) -> Fault:
    values, count = node.arguments
    found, length = view.value(values), view.value(count)
    wrong = ", ".join(_faults(found, length))
    wanted = shown_value(tuple(range(length)))
    text = f"{render(values, view)} is {shown_value(found)}, but must be a permutation of {wanted}: {wrong}"
    what = subject_of(values, view)
    near = _nearest_permutation(found, length)
    return Fault(text, (Set(what, "permutation", near),) if what else ())


def _faults(found: Sequence[int], length: int) -> Iterator[str]:
    wanted = range(length)
    repeated = [each for each in dict.fromkeys(found) if found.count(each) > 1]
    yield from (f"{each} occurs {_times(found.count(each))}" for each in repeated[:3])
    yield from (f"{each} is none of them" for each in found if each not in wanted)
    yield from (f"{each} is missing" for each in wanted if each not in found)


def _nearest_permutation(found: Sequence[int], length: int) -> tuple[int, ...]:
    """Returns a permutation that keeps the elements which are in it for the first time."""
    kept = [
        each if each in range(length) and each not in found[:place] else None
        for place, each in enumerate(found[:length])
    ]
    kept += [None] * (length - len(kept))
    missing = (each for each in range(length) if each not in kept)
    return tuple(next(missing) if each is None else each for each in kept)


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
