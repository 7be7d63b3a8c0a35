"""How values and messages look: statistics, heat maps, elided numbers, and hostile texts that stay texts."""

from __future__ import annotations

import base64
import re
import struct
import zlib
from html.parser import HTMLParser
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from shlo.debugger.tensors.colormap import PALETTES
from shlo.syntax import parse_type
from shlo_kernel.mime.bundle import mime_of
from shlo_kernel.mime.tensor import MARK_COLORS

HOSTILE = "<img src=x onerror=alert(1)>\x1b[31m</pre><script>alert(2)</script>"


class Tags(HTMLParser):
    """The tags of a page and their attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def named(self, name: str) -> list[dict[str, str | None]]:
        return [attributes for tag, attributes in self.tags if tag == name]


def show(type_: str, array: Any) -> dict[str, str]:
    return mime_of("x", parse_type(type_), array)


def pixels(image: dict[str, str | None]) -> np.ndarray[Any, Any]:
    """Returns the colours of a picture that stands in a page."""
    source = image["src"]
    assert source is not None
    data = base64.b64decode(source.removeprefix("data:image/png;base64,"))
    columns, rows = struct.unpack(">II", data[16:24])
    start = data.index(b"IDAT")
    size = struct.unpack(">I", data[start - 4 : start])[0]
    lines = np.frombuffer(zlib.decompress(data[start + 4 : start + 4 + size]), np.uint8)
    return lines.reshape(rows, 1 + 3 * columns)[:, 1:].reshape(rows, columns, 3)


def test_a_small_tensor_is_a_table_of_coloured_numbers() -> None:
    bundle = show("tensor<2x3xf32>", np.array([[1, np.nan, -np.inf], [-4, 5, 6]], np.float32))
    assert bundle["text/plain"].startswith(
        "%x : tensor<2x3xf32>\n6 elements, 24 B, min -4, max 6, mean 2, 1 NaN, 1 -Inf\n[["
    )
    assert re.findall(r"<td[^>]*>([^<]*)", bundle["text/html"]) == ["1", "NaN", "-Inf", "-4", "5", "6"]
    assert "rgb(213,0,200)" in bundle["text/html"]


def test_a_large_tensor_is_a_picture_in_which_marks_stand_out() -> None:
    array = np.linspace(-1, 1, 40 * 30, dtype=np.float32).reshape(40, 30)
    array[3, 4], array[5, 6] = np.nan, np.inf
    bundle = show("tensor<40x30xf32>", array)
    picture = pixels(Tags(bundle["text/html"]).named("img")[0])
    assert picture.shape == (40, 30, 3)
    assert tuple(picture[3, 4]) == MARK_COLORS[1]
    assert tuple(picture[5, 6]) == MARK_COLORS[2]
    assert tuple(picture[0, 0]) == PALETTES["diverging"][0]
    assert tuple(picture[-1, -1]) == PALETTES["diverging"][-1]
    assert "..." in bundle["text/plain"]


def test_planes_of_a_tensor_of_many_axes_are_labelled() -> None:
    bundle = show("tensor<3x4x2x2xf32>", np.zeros((3, 4, 2, 2), np.float32))
    assert "[0, 0, :, :]" in bundle["text/html"]
    assert "and 6 more planes" in bundle["text/html"]


@pytest.mark.parametrize(
    ("type_", "array"),
    [
        ("tensor<f32>", np.float32(3)),
        ("tensor<2x0xf32>", np.zeros((2, 0), np.float32)),
        ("tensor<3xi1>", np.array([True, False, True])),
        ("tensor<3xi4>", np.array([1, -2, 3], ml_dtypes.int4)),
        ("tensor<20x20xbf16>", np.ones((20, 20), ml_dtypes.bfloat16)),
        ("tensor<2xcomplex<f32>>", np.array([1 + 2j, np.nan], np.complex64)),
        ("tuple<tensor<2xf32>, tensor<f32>>", (np.zeros(2, np.float32), np.float32(2))),
        ("!stablehlo.token", None),
        ("tensor<2x2x2x2x2x2x2x2x2x2x2xf64>", np.full((2,) * 11, -1e308)),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_every_kind_of_value_is_shown(type_: str, array: Any) -> None:
    bundle = show(type_, array)
    assert bundle["text/plain"].startswith("%x : ")
    assert len(bundle["text/plain"]) < 10_000
    assert "%x : " in bundle["text/html"]


def test_a_giant_is_shown_in_few_characters() -> None:
    giant = np.broadcast_to(np.float32(1), (4000, 4000))
    bundle = show("tensor<4000x4000xf32>", giant)
    assert len(bundle["text/plain"]) < 1_000
    assert len(bundle["text/html"]) < 10_000


def test_hostile_texts_stay_texts() -> None:
    shown = mime_of(HOSTILE, parse_type('tensor<1xf32, "<b>">'), np.zeros(1, np.float32))
    tags = Tags(shown["text/html"]).tags
    assert {tag for tag, _ in tags} <= {"div", "span", "pre", "img", "table", "tr", "td"}
    assert all("onerror" not in attributes for _, attributes in tags)
    assert not any("\x1b" in text for text in shown.values())
    assert "&lt;img" in shown["text/html"]
