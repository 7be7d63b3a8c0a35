"""Values as HTML and as pictures: tensors in the tensor view, tuples as what is in them."""

from __future__ import annotations

from typing import Any, Final, cast

from markupsafe import Markup

from shlo.pages.bundle import script_html
from shlo.pages.tensor import EMBEDDED, NamedTensor, tensors_html
from shlo.runner.equality import tensor_of
from shlo_kernel.mime.kept import KEPT
from shlo_kernel.mime.markup import shown

PARTS_AT_MOST: Final = 16
"""How many parts of a tuple are shown."""


def value_html(name: str, type_: str, value: Any, view: str | None = None) -> Markup:
    """Returns a value: statistics, heat maps, numbers; of a tuple, the first of its parts.

    Args:
        name: what the value is called, empty for one without a name.
        type_: its type in words.
        value: an array, a tuple of them, or a token.
        view: views of the same name keep what part of a tensor they show from one to the next.
    """
    html = _html(name, type_, value, view)
    return html + Markup(script_html("tensor_view")) if "<shlo-tensor-view" in html else html


def named_tensor(name: str, type_: str, value: Any) -> NamedTensor | None:
    """Returns a value as a tensor that the views show, None where it is none. Planes of a large one are
    answered for as long as its array lives."""
    array = tensor_of(value)
    if array is None:
        return None
    return NamedTensor(name, type_, array, KEPT.key_of(array) if array.size > EMBEDDED else None)


def _html(name: str, type_: str, value: Any, view: str | None = None) -> Markup:
    if isinstance(value, tuple):
        parts = cast("tuple[Any, ...]", value)[:PARTS_AT_MOST]
        inner = Markup("").join(_html(f"[{number}]", "", part) for number, part in enumerate(parts))
        return Markup('{}<div style="margin-left:1.5em">{}</div>').format(_title(name, type_), inner)
    tensor = named_tensor(name, type_, value)
    return _title(name, type_) if tensor is None else Markup(tensors_html([tensor], view, scripted=False))


def _title(name: str, type_: str) -> Markup:
    text = " : ".join(filter(None, (name, type_)))
    return Markup('<div style="font-family:monospace;font-weight:bold">{}</div>').format(shown(text))
