"""Cards of a session: what made a number that is not finite, out of which elements, from which argument."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final
from weakref import WeakKeyDictionary

import numpy as np
from msgspec.structs import replace

from shlo.debugger.provenance.chain import Chain, Link
from shlo.debugger.provenance.contributions import Index
from shlo.debugger.replay.nonfinite import exceeds, poles_of
from shlo.debugger.replay.program_points import argument_label
from shlo.debugger.session import Session
from shlo.dialects.stablehlo.numpy_names import NUMPY_NAMES
from shlo.interpreter.kernel_api import Value
from shlo.ir.dtypes import Array
from shlo.ir.name_stack import is_transposed
from shlo.places.card import MOST_VALUES, Card, Cause
from shlo.places.expressions import PythonExpression
from shlo.places.origins import Origin, is_library
from shlo.places.place import Place, short_line_text
from shlo.places.remedies import DOUBLE_WHERE, nonfinite_remedy
from shlo.runner.statistics import finite_mask, is_floating, nan_mask, tensor_of
from shlo.text.numbers import number_text, plural

MOST_ELEMENTS: Final = 32
"""How many elements that are not finite a card looks at."""

MOST_FOLLOWED: Final = 4
"""Of how many of them the way back to arguments is followed."""

LONGEST_WAY: Final = 1000
"""How many links of that way are followed."""

MOST_CAUSES: Final = 2
"""How many operands are named."""


def nonfinite_card(session: Session) -> Card | None:
    """Returns the card of the number that is not finite which the session is about: one that the step bound
    which it has stopped behind, or, at the end, one of the results; None where there is none.
    """
    key = session.position, session.cursor.selected, session.futures.current.name
    known = _known.get(session)
    if known is None or known[0] != key:
        link = nonfinite_stop(session)
        card = None if link is None else card_of_chain(session, session.elements.chain(link))
        known = _known[session] = key, card
    return known[1]


_known: Final = WeakKeyDictionary[Session, tuple[object, Card | None]]()
"""The last card of each session, and where it was."""


def card_of_chain(session: Session, chain: Chain) -> Card:
    """Returns the card of where the number that is not finite was made which a chain begins with."""
    root = root_of(chain)
    if chain.end == "argument" and root is chain.links[-1]:
        return _argument_card(session, root)
    origin, bound = root.origin, session.elements.value_of(root)
    value = bound.value
    expression = session.structure.python.expression_of(origin.line)
    elements = _same_kind(value, root)
    causes, sources = _causes(session, root, elements)
    gradient = _is_gradient(root.place, expression.function if expression else "")
    return Card(
        kind="nan" if root.is_nan else "infinity",
        subject=_subject(root, expression, gradient),
        deed=_deed(chain, root, value),
        place=root.place,
        code=session.structure.python.text_of(origin.line),
        causes=causes,
        sources=sources,
        notes=tuple(_notes(session, chain, root, bound.rounds)),
        remedy=_remedy(root, expression, gradient, chain, value),
    )


def nonfinite_stop(session: Session) -> Link | None:
    """Returns the number that is not finite which a session has stopped behind; at the end, of a result."""
    snapshot = session.snapshot
    if not snapshot.frames:
        return session.elements.nonfinite_result() if snapshot.status == "done" else None
    step = snapshot.last_step if snapshot.is_behind else None
    names = () if step is None else step.bound
    links = (session.elements.nonfinite(name, session.selected_frame) for name in names)
    return next((link for link in links if link is not None), None)


def root_of(chain: Chain) -> Link:
    """Returns the link that is to blame: the last, where its operation made it or an argument holds it. An
    infinity that is written in the program or given may be meant; then it is what made a NaN of it.
    """
    last = chain.links[-1]
    if chain.end == "made" or last.is_nan:
        return last
    return next((link for link in reversed(chain.links) if link.is_nan), last)


def _argument_card(session: Session, root: Link) -> Card:
    element = root.element
    array = _array(session.elements.value_of(root).value)
    count = 0 if array is None else _count(root, array)
    size = "" if array is None or array.size == 1 else f" of {array.size:,}"
    name = "NaN" if root.is_nan else "Inf"
    at = f", the first at {_index_text(element.index)}" if element.index else ""
    label = _argument_name(root)
    return Card("argument", f"argument {label}", f"holds {count:,} {name}{size} from the start{at}")


def _subject(root: Link, expression: PythonExpression | None, gradient: bool) -> str:
    if expression is None:
        return root.op or f"%{root.element.name}"
    return f"the gradient of {expression.subject}" if gradient else expression.subject


def _deed(chain: Chain, root: Link, value: Value) -> str:
    name = "NaN" if root.is_nan else "Inf"
    if chain.end == "constant" and root is chain.links[-1]:
        return f"is a constant {name} of the program"
    array = _array(value)
    if array is None or array.size == 1:
        return f"made {'a NaN' if name == 'NaN' else 'an Inf'}"
    return f"made {_count(root, array):,} {name} of {array.size:,}"


def _count(root: Link, array: Array) -> int:
    return int(np.count_nonzero(_like(root, array)))


def _like(root: Link, array: Array) -> Array:
    """Returns which elements of an array are NaN, or where the root is infinite, infinite."""
    is_nan = nan_mask(array)
    return is_nan if root.is_nan else ~(is_nan | finite_mask(array))


def _notes(session: Session, chain: Chain, root: Link, rounds: Sequence[int]) -> Iterable[str]:
    if rounds:
        numbers = " of ".join(f"{number:,}" for number in reversed(rounds))
        yield f"in round {numbers} of the loop, from 0"
    grid = session.grid
    if grid is not None:
        yield f"in process {grid.shape.label(root.element.process)}"
    links = chain.links[: chain.links.index(root) + 1]
    turned = next((link for link in reversed(links) if link.is_nan), None)
    if turned is not None and not root.is_nan:
        where = short_line_text(turned.origin.line)
        yield f"it became NaN in {turned.op}{f' at {where}' if where else ''}"


def _remedy(
    root: Link, expression: PythonExpression | None, gradient: bool, chain: Chain, value: Value
) -> Any:
    narrow = _array(value) is not None and poles_of(root.op) is None and exceeds(root.op, (), value)
    is_masked = gradient and any(link.op == "stablehlo.select" for link in chain.links)
    if is_masked and not narrow:
        return DOUBLE_WHERE
    return nonfinite_remedy(
        root.op.rpartition(".")[2],
        expression.function if expression else "",
        is_nan=root.is_nan,
        is_gradient=gradient,
        is_narrow=narrow,
    )


# --- what it was made from ---


def _causes(
    session: Session, root: Link, elements: Sequence[Index]
) -> tuple[tuple[Cause, ...], tuple[Cause, ...]]:
    """Returns the elements of operands that made elements of a value, and the arguments' elements that those
    come from.
    """
    named: dict[str, list[Link]] = {}
    constants: dict[str, list[Link]] = {}
    sources: dict[str, list[Link]] = {}
    blamed = [replace(root, element=replace(root.element, index=index)) for index in elements]
    operands = [
        (operand, LONGEST_WAY if number < MOST_FOLLOWED else 2)
        for number, operands in enumerate(session.elements.sources_of_each(blamed, MOST_CAUSES))
        for operand in operands.links[:MOST_CAUSES]
    ]
    for way in session.elements.chains(*zip(*operands)) if operands else ():
        shown = _named_link(way, root.origin)
        text = _value_text(session, shown, root.origin)
        is_constant = way.end == "constant" and not _is_named(shown, root.origin, way)
        (constants if is_constant else named).setdefault(text, []).append(shown)
        if way.end == "argument" and way.links[-1] is not shown:
            sources.setdefault(_argument_name(way.links[-1]), []).append(way.links[-1])
    is_all = len(elements) < MOST_ELEMENTS
    is_followed = is_all and len(elements) <= MOST_FOLLOWED
    return _named_causes(named or constants, is_all), _named_causes(sources, is_followed)


def _named_causes(named: Mapping[str, Sequence[Link]], is_all: bool) -> tuple[Cause, ...]:
    """Returns elements by the names of their values; `is_all` says whether there are no others."""
    causes = [
        Cause(text, _elements_text([link.element.index for link in links], is_all), _numbers(links))
        for text, links in named.items()
    ]
    return tuple(causes[:MOST_CAUSES])


def _named_link(way: Chain, own: Origin) -> Link:
    """Returns the first link of a way that a reader of the line of Python can name: one of another
    expression, or an argument; the first of all, where there is none.
    """
    return next((link for link in way.links if _is_named(link, own, way)), way.links[0])


def _is_named(link: Link, own: Origin, way: Chain) -> bool:
    if not link.element.position:
        return True
    line = link.origin.line
    return line is not None and line != own.line and not is_library(line.file)


def _value_text(session: Session, link: Link, own: Origin) -> str:
    if not link.element.position:
        return _argument_name(link)
    line = link.origin.line
    expression = None if line == own.line else session.structure.python.expression_of(line)
    return expression.text if expression else f"%{link.element.name}"


def _argument_name(link: Link) -> str:
    return argument_label(link.element.code, link.element.register) or f"%{link.element.name}"


def _same_kind(value: Value, root: Link) -> list[Index]:
    """Returns the indices of the elements that are as the root's is, that one first."""
    array = _array(value)
    if array is None:
        return [root.element.index]
    indices = [tuple(index) for index in np.argwhere(_like(root, array))[:MOST_ELEMENTS].tolist()]
    return indices if root.element.index in indices else [root.element.index, *indices]


def _numbers(links: Sequence[Link]) -> tuple[str, ...]:
    numbers = tuple(number_text(link.number) for link in links[:MOST_VALUES])
    if len(set(numbers)) == 1:
        numbers = numbers[:1]
    return (*numbers, "...") if len(links) > MOST_VALUES and len(numbers) > 1 else numbers


def _elements_text(indices: Sequence[Index], is_all: bool) -> str:
    """Returns which elements some are: `[3:6, 0]` where they are a box, else the first, and how many more.
    Where there are others, `is_all` is false.
    """
    unique = sorted(set(indices))
    axes = [sorted(set(axis)) for axis in zip(*unique)]
    if not axes:
        return ""
    is_box = len(unique) == np.prod([len(axis) for axis in axes])
    if not is_all and len(unique) > 1:
        return f"{_index_text(unique[0])} and others"
    if is_box and all(axis[-1] - axis[0] == len(axis) - 1 for axis in axes):
        return f"[{', '.join(map(_range_text, axes))}]"
    return f"{_index_text(unique[0])} and {plural(len(unique) - 1, 'more element')}"


def _range_text(axis: Sequence[int]) -> str:
    return str(axis[0]) if len(axis) == 1 else f"{axis[0]}:{axis[-1] + 1}"


def _index_text(index: Index) -> str:
    return f"[{', '.join(map(str, index))}]"


def _array(value: Value) -> Array | None:
    array = tensor_of(value)
    return array if array is not None and is_floating(array) else None


def _is_gradient(place: Place, function: str) -> bool:
    """Returns whether an operation is one of a derivative: JAX transposed it, or a function of those whose
    derivatives are infinite somewhere does not compute with it itself.
    """
    if is_transposed(place.origin.scope):
        return True
    own = _COMPUTES_WITH.get(function.rpartition(".")[2])
    return own is not None and place.operation.rpartition(".")[2] not in own


_COMPUTES_WITH: Final = {
    **{
        name: (NUMPY_NAMES.get(name, name),)
        for name in ("sqrt", "rsqrt", "cbrt", "log", "tan", "tanh", "exp", "expm1", "log1p")
    },
    **{f"{kind}{name}": (f"a{name}",) for name in ("sin", "cos", "tan") for kind in ("a", "arc")},
    "norm": ("abs", "multiply", "power", "reduce", "sqrt"),
}
"""Functions of one operand, and the operations that they lower to."""
