"""Tensors as HTML: tables of coloured numbers, or the tensor view of `web/` around a picture.

The picture is what a reader without scripts sees (GitHub, mail, an untrusted notebook). The view needs
nothing but its script, which is in the page: small tensors are there whole; of a large one a pooled plane is,
and a notebook's kernel answers for the others.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import islice, product
from typing import Any, Final

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from shlo.ir.dtypes import Array
from shlo.pages.bundle import packed, script_html
from shlo.pages.pictures import MARK_COLORS, cell_colors, data_uri, heat_map_png, image_png
from shlo.runner.display import array_text
from shlo.runner.statistics import real_numbers
from shlo.runner.tensors.colormap import NAN, NEGATIVE_INFINITY, PALETTES, POSITIVE_INFINITY, scale_of
from shlo.runner.tensors.planes import (
    TEXTS_AT_MOST,
    DescribedTensor,
    described,
    encoded_numbers,
    plane_json,
    statistics_json,
)
from shlo.runner.tensors.pooling import FINE, Pooled, pool, pool_again
from shlo.runner.tensors.slices import TensorSlice
from shlo.text.escape import escaped
from shlo.text.html import text_html
from shlo.text.numbers import exact_number_text, number_text
from shlo.text.statistics import Statistics, statistics_line

TABLE_SIDE: Final = 12
"""A plane of at most this many rows and columns is a table of numbers."""
TABLES_AT_MOST: Final = 6
"""How many planes of a small tensor are tables side by side."""
PIXELS: Final = 192
"""How many rows and columns a picture has at most."""
WIDEST_PICTURE: Final = 384
"""How many points of the screen a picture is wide or high at most, unless it has more elements."""
EMBEDDED: Final = 1 << 14
"""How many elements of a tensor a page has at most; of a larger one it has a pooled plane."""
PLANE_SIDE: Final = 128
"""How many rows and columns of cells that plane has at most."""

_MARK_NAMES: Final = {NAN: "NaN", POSITIVE_INFINITY: "+Inf", NEGATIVE_INFINITY: "-Inf"}
FONT: Final = "font-family:var(--jp-code-font-family,ui-monospace,monospace);font-size:85%"


class NamedTensor(Struct, frozen=True, dict=True):
    """A tensor to show: `type` in words, `key` what a kernel answers for its planes by, None where none
    does."""

    name: str
    type: str
    array: Array
    key: str | None = None

    @cached_property
    def described(self) -> DescribedTensor:
        """What is known of all of it."""
        return described(self.array)

    @property
    def statistics(self) -> Statistics:
        """The tensor in numbers."""
        return self.described.statistics

    @property
    def is_small(self) -> bool:
        """Whether tables tell all of it."""
        plane = TensorSlice.of(self.array.shape)
        planes = self.array.size // max(plane.size[0] * plane.size[1], 1)
        return max(plane.size) <= TABLE_SIDE and planes <= TABLES_AT_MOST

    @cached_property
    def png(self) -> bytes | None:
        """The first plane as an image, None for a tensor that tables tell."""
        if self.is_small:
            return None
        if _is_image(self.array):
            image = self.array[(0,) * (self.array.ndim - 3)]
            step = max(1, -(-max(image.shape[:2]) // (2 * PIXELS)))
            return image_png(np.ascontiguousarray(image[::step, ::step]))
        return heat_map_png(self.pooled(PIXELS), scale_of(self.statistics))

    def pooled(self, side: int) -> Pooled:
        """Returns the first plane pooled to at most so many rows and columns."""
        return pool_again(self._fine, side, side, self.statistics)

    @cached_property
    def _fine(self) -> Pooled:
        table = _plane(self.array, TensorSlice.of(self.array.shape))
        return pool(table, FINE, FINE, self.statistics)


def tensor_html(array: Any, name: str = "", type_: str = "") -> str:
    """Returns a tensor as HTML that needs no other file.

    Args:
        array: a NumPy array, or what `numpy.asarray` makes one of (a JAX array, nested lists).
        name: what the tensor is called.
        type_: its type in words; that of NumPy by default.
    """
    return tensors_html([_named(array, name, type_)])


def tensor_bundle(array: Any, name: str = "", type_: str = "") -> dict[str, str]:
    """Returns a tensor by MIME type as notebooks display it: text, HTML, and a picture of one that tables do
    not tell. The arguments are those of `tensor_html`."""
    return bundle_of(_named(array, name, type_))


def tensor_text(array: Any) -> str:
    """Returns a tensor as text: its type, statistics, and numbers, inner ones of many left out."""
    return _text(_named(array, "", ""))


def _named(array: Any, name: str, type_: str) -> NamedTensor:
    elements = np.asarray(array)
    return NamedTensor(name, type_ or numpy_type(elements), elements)


def bundle_of(tensor: NamedTensor) -> dict[str, str]:
    """Returns a tensor by MIME type: text, HTML, and a picture of one that tables do not tell."""
    return {"text/plain": _text(tensor), **rich_bundle([tensor])}


def rich_bundle(tensors: Sequence[NamedTensor]) -> dict[str, str]:
    """Returns tensors in one view as HTML, and the first as a picture where tables do not tell it."""
    png = tensors[0].png
    picture = {} if png is None else {"image/png": b64encode(png).decode("ascii")}
    return {"text/html": tensors_html(tensors), **picture}


def difference_html(one: Any, other: Any, names: Sequence[str] = ("first", "second")) -> str:
    """Returns two tensors of one shape and their difference as HTML: one view, with a button for each.

    Raises:
        ValueError: the shapes differ.
    """
    first, second = np.asarray(one), np.asarray(other)
    if first.shape != second.shape:
        raise ValueError(f"expected tensors of one shape, got {first.shape} and {second.shape}")
    wide = np.result_type(first, second)
    kind = wide if wide.kind in "fc" and wide.itemsize > 4 else np.dtype(np.float64)
    with np.errstate(all="ignore"):
        gap = first.astype(kind) - second.astype(kind)
    arrays = zip((*names, f"{names[0]} - {names[1]}"), (first, second, gap))
    return tensors_html([NamedTensor(name, numpy_type(array), array) for name, array in arrays])


def numpy_type(array: Array) -> str:
    """Returns the type of an array in words: `float32[3, 4]`."""
    return f"{array.dtype.name}[{', '.join(map(str, array.shape))}]"


def tensors_html(
    tensors: Sequence[NamedTensor], view: str | None = None, scripted: bool = True, picked: bool = False
) -> str:
    """Returns one view of tensors, of which the first is shown first.

    Args:
        tensors: one at least.
        view: views of the same name keep what part of a tensor they show from one to the next.
        scripted: whether the view's script is part of it; without, the page must have it.
        picked: whether a field of the page, which `view` names, is told which element is chosen
            (web/src/index.ts).
    """
    first = tensors[0]
    named = f' view="{text_html(view)}"' if view and picked else ""
    if len(tensors) == 1 and first.is_small:
        return f"<div{named}>{_title(first)}{_tables(first)}</div>"
    data = {"tensors": [embedded_tensor(tensor) for tensor in tensors], "view": view}
    still = "".join(_title(tensor) + _still(tensor) for tensor in tensors)
    element = (
        f'<shlo-tensor-view{named}><div>{still}</div><script type="application/json">{packed(data)}</script>'
        "</shlo-tensor-view>"
    )
    return element + (script_html("tensor_view") if scripted else "")


def embedded_tensor(tensor: NamedTensor) -> dict[str, Any]:
    """Returns a tensor as a page has it (`EmbeddedTensor` of web/src/embedded.ts)."""
    array, description = tensor.array, tensor.described
    data: dict[str, Any] = {
        "name": tensor.name,
        "type": tensor.type,
        "shape": array.shape,
        "dtype": array.dtype.name,
        "statistics": statistics_json(description),
        "format": None,
        "numbers": None,
        "texts": None,
        "plane": None,
        "key": tensor.key,
    }
    if array.size > EMBEDDED:
        return {**data, "plane": plane_json(description, {}, tensor.pooled(PLANE_SIDE))}
    numbers = real_numbers(array)
    data |= encoded_numbers(numbers)
    is_wide = array.dtype.kind in "iu" and array.dtype.itemsize == 8 and bool((np.abs(array) >> 53).any())
    is_told = array.dtype.kind in "fiu" and array.dtype.itemsize <= 8 and not is_wide
    if not is_told and array.size <= TEXTS_AT_MOST:
        data["texts"] = [exact_number_text(element) for element in array.reshape(-1)]
    return data


# --- what is there without a script ---


def _text(tensor: NamedTensor) -> str:
    lines = [" : ".join(filter(None, (tensor.name, tensor.type)))]
    lines += [statistics_line(tensor.statistics)] * (tensor.array.size > 1)
    return escaped("\n".join((*lines, array_text(tensor.array))))


def _title(tensor: NamedTensor) -> str:
    name = f"{text_html(tensor.name)} " if tensor.name else ""
    if tensor.name and tensor.type:
        name = f"{text_html(tensor.name)} : "
    return f'<div style="{FONT}"><b>{name}{text_html(tensor.type)}</b></div>'


def _tables(tensor: NamedTensor) -> str:
    """Returns all planes as tables; a scalar as its number."""
    array = tensor.array
    if array.size <= 1:
        at = " ".join("0" for _ in array.shape)
        return f'<pre data-at="{at}" style="{FONT};margin:2px 0">{text_html(array_text(array))}</pre>'
    slices = list(islice(_slices(TensorSlice.of(array.shape)), TABLES_AT_MOST))
    figures = "".join(_table(tensor, slice_2d) for slice_2d in slices)
    return f"{_line(tensor)}{figures}{legend_html(tensor.statistics)}"


def _still(tensor: NamedTensor) -> str:
    """Returns the first plane as a picture, with what the colours mean."""
    array, png = tensor.array, tensor.png
    if png is None:
        return _tables(tensor)
    plane = TensorSlice.of(array.shape)
    rows, columns = array.shape[-3:-1] if _is_image(array) else plane.size
    height, width = (min(size, 2 * PIXELS if _is_image(array) else PIXELS) for size in (rows, columns))
    zoom = max(1, min(12, WIDEST_PICTURE // max(height, width)))
    down, across = -(-rows // height), -(-columns // width)
    planes = array.size // max(array[plane.index_of()].size, 1)
    words = [f"{plane.label}, the first of {planes:,} planes"] * (planes > 1 and not _is_image(array))
    words += [f"a point shows the most extreme of {down} by {across} elements"] * (down * across > 1)
    kind, legend = ("image", "") if _is_image(array) else ("heat map", legend_html(tensor.statistics))
    size = f"width:{width * zoom}px;height:{height * max(zoom, 12 if rows == 1 else 1)}px"
    return (
        f"{_line(tensor)}"
        f'<img alt="{kind} of {rows} by {columns} elements" src="{data_uri(png)}" '
        f'style="{size};max-width:none;image-rendering:pixelated;display:block">'
        f'<div style="{FONT}">{"; ".join(words)}</div>{legend}'
        f'<details><summary>numbers</summary><pre style="{FONT};margin:2px 0;white-space:pre;overflow:auto">'
        f"{text_html(array_text(array))}</pre></details>"
    )


def _line(tensor: NamedTensor) -> str:
    return f'<div style="font-size:90%">{statistics_line(tensor.statistics)}</div>'


def _slices(slice_2d: TensorSlice) -> Iterator[TensorSlice]:
    """Yields the cuts through all places of the axes that are not shown."""
    for places in product(*(range(slice_2d.shape[axis]) for axis in slice_2d.fixed_axes)):
        index = list(slice_2d.index)
        for axis, position in zip(slice_2d.fixed_axes, places):
            index[axis] = position
        yield replace(slice_2d, index=tuple(index))


def _plane(array: Array, slice_2d: TensorSlice) -> Array:
    return slice_2d.arranged(np.atleast_1d(array[slice_2d.index_of()]))


def _table(tensor: NamedTensor, slice_2d: TensorSlice) -> str:
    """Returns a plane as a table with the places of its rows and columns. Its attribute `data-at` is the
    index of its elements, with `r` and `c` for row and column."""
    table = _plane(tensor.array, slice_2d)
    colors = cell_colors(pool(table, TABLE_SIDE, TABLE_SIDE, tensor.statistics), scale_of(tensor.statistics))
    head = "".join(f'<th scope="col" style="{_PLACE}">{at}</th>' for at in range(table.shape[1]))
    corner = f'<th style="{_PLACE}">#</th>'
    lines = [f"<tr>{corner}{head}</tr>" if table.size else ""]
    for at, (row, shades) in enumerate(zip(table, colors.tolist())):
        cells = "".join(
            f'<td style="background:{rgb(shade)};color:{ink(*shade)};padding:1px 5px;text-align:right">'
            f"{text_html(number_text(value))}</td>"
            for value, shade in zip(row, shades)
        )
        is_vector = slice_2d.rows is None
        row_head = corner if is_vector else f'<th scope="row" style="{_PLACE}">{at}</th>'
        lines.append(f"<tr>{row_head}{cells}</tr>")
    label = f"<div>{slice_2d.label}</div>" if slice_2d.fixed_axes else ""
    body = "".join(lines) if table.size else "<tr><td>no elements</td></tr>"
    box = f"display:inline-block;vertical-align:top;margin:4px 8px 4px 0;{FONT}"
    letters = {slice_2d.rows: "r", slice_2d.columns: "c"}
    at = " ".join(letters.get(axis, str(position)) for axis, position in enumerate(slice_2d.index))
    style = "border-collapse:collapse;margin:0"
    return f'<div style="{box}">{label}<table data-at="{at}" style="{style}">{body}</table></div>'


_PLACE: Final = "font-weight:400;padding:1px 5px;text-align:right"


def legend_html(statistics: Statistics) -> str:
    """Returns the scale from its lowest to its highest colour, and the marks that the tensor has."""
    scale = scale_of(statistics)
    counts = {
        NAN: statistics.nans,
        POSITIVE_INFINITY: statistics.positive_infinities,
        NEGATIVE_INFINITY: statistics.negative_infinities,
    }
    box = '<span style="display:inline-block;height:9px'
    ramp = ",".join(rgb(color) for color in PALETTES[scale.palette][::51])
    parts = [
        f'{number_text(scale.low)} {box};width:96px;background:linear-gradient(90deg,{ramp})"></span> '
        f"{number_text(scale.high)}"
    ]
    parts += [
        f'{box};width:9px;background:{rgb(MARK_COLORS[mark])}"></span> {_MARK_NAMES[mark]}'
        for mark, count in counts.items()
        if count
    ]
    return f'<div style="{FONT}">{" ".join(parts)}</div>'


def _is_image(array: Array) -> bool:
    """Returns whether the last axis may be red, green and blue: three or four bytes."""
    return array.dtype == np.uint8 and array.ndim >= 3 and array.shape[-1] in (3, 4) and array.size > 0


def ink(red: int, green: int, blue: int) -> str:
    """Returns the colour of letters that can be read on another one: black or white."""
    parts = (
        part / 3294 if part <= 10 else ((part / 255 + 0.055) / 1.055) ** 2.4 for part in (red, green, blue)
    )
    luminance = sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), parts))
    return "#000" if luminance > 0.179 else "#fff"


def rgb(color: Sequence[int]) -> str:
    """Returns a colour as CSS writes it."""
    return f"rgb({','.join(map(str, color))})"
