"""How values and messages look: statistics, heat maps, elided numbers, and hostile texts that stay texts."""

from __future__ import annotations

import base64
import json
import re
import struct
import zlib
from html.parser import HTMLParser
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from shlo.pages.bundle import script_html
from shlo.pages.pictures import MARK_COLORS
from shlo.pages.tensor import PLANE_SIDE, difference_html, tensor_bundle, tensor_html
from shlo.runner.tensors.colormap import PALETTES
from shlo.syntax import parse_type
from shlo_kernel.mime.bundle import mime_of
from shlo_kernel.mime.planes import LIVE_TENSORS

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


def unscripted(html: str) -> str:
    """Returns a page without the script of the tensor view."""
    return html.replace(script_html("tensor_view"), "")


def embedded(html: str) -> Any:
    """Returns the data that a page has for the tensor view."""
    found = re.search(r'<script type="application/json">([^<]*)</script>', html)
    assert found is not None
    return json.loads(zlib.decompress(base64.b64decode(found[1])))


def pixels(image: dict[str, str | None]) -> np.ndarray[Any, Any]:
    """Returns the colours of a heat map that stands in a page."""
    source = image["src"]
    assert source is not None
    return png_pixels(base64.b64decode(source.removeprefix("data:image/png;base64,")))


def png_pixels(data: bytes) -> np.ndarray[Any, Any]:
    """Returns the colours of a PNG image that has a palette."""

    def chunk(name: bytes) -> bytes:
        start = data.index(name)
        size = struct.unpack(">I", data[start - 4 : start])[0]
        return data[start + 4 : start + 4 + size]

    columns, rows = struct.unpack(">II", data[16:24])
    palette = np.frombuffer(chunk(b"PLTE"), np.uint8).reshape(-1, 3)
    lines = np.frombuffer(zlib.decompress(chunk(b"IDAT")), np.uint8)
    return palette[lines.reshape(rows, 1 + columns)[:, 1:]]


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
    assert "the first of 12 planes" in bundle["text/html"]


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
    assert len(unscripted(bundle["text/html"])) < 10_000


def test_what_a_page_holds_of_a_large_tensor_is_its_pooled_plane_and_a_key() -> None:
    array = np.zeros((5, 300, 200), np.float32)
    array[0, 299, 199], array[3] = np.nan, 7
    (tensor,) = embedded(show("tensor<5x300x200xf32>", array)["text/html"])["tensors"]
    assert (tensor["numbers"], tensor["plane"]["cells"]) == (None, [PLANE_SIDE, PLANE_SIDE])
    assert base64.b64decode(tensor["plane"]["marks"])[-1] == 1
    question = {"number": 4, "key": tensor["key"], "slice": {"at": [3, 0, 0], "height": 2, "width": 2}}
    answer = LIVE_TENSORS.answer(question)
    assert answer["number"] == 4
    assert np.frombuffer(base64.b64decode(answer["plane"]["numbers"]), "<f4").tolist() == [7] * 4
    assert "expected 3" in LIVE_TENSORS.answer({**question, "slice": {"at": [3]}})["error"]
    del array
    assert "run the cell again" in LIVE_TENSORS.answer(question)["error"]
    for hostile in (None, [], {"key": ["x"]}, {"key": "x", "slice": {}}):
        assert "error" in LIVE_TENSORS.answer(hostile)


@pytest.mark.parametrize(
    ("array", "texts"),
    [
        (np.full((13, 1), 2**63 - 1), [str(2**63 - 1)] * 13),
        (np.full((1, 13), 0.1j), ["0+0.10000000000000001i"] * 13),
        (np.arange(13) > 11, ["false"] * 12 + ["true"]),
        (np.full(13, 0.1), None),
    ],
)
def test_elements_that_numbers_of_scripts_do_not_tell_are_there_as_text(array: Any, texts: Any) -> None:
    (tensor,) = embedded(tensor_html(array))["tensors"]
    assert tensor["texts"] == texts
    assert tensor["numbers"] is not None


def test_two_tensors_and_their_difference_are_one_view() -> None:
    one = np.arange(300).astype(np.uint8).reshape(20, 15)
    view = embedded(difference_html(one // 2, one // 2 + 1, ("ours", "theirs")))
    assert [tensor["name"] for tensor in view["tensors"]] == ["ours", "theirs", "ours - theirs"]
    assert view["tensors"][2]["statistics"]["low"] == -1
    with pytest.raises(ValueError, match="expected tensors of one shape"):
        difference_html(one, one.T)


def test_bytes_of_colours_are_an_image() -> None:
    image = np.zeros((20, 30, 3), np.uint8)
    image[..., 0] = 200
    bundle = tensor_bundle(image, "photo")
    data = base64.b64decode(bundle["image/png"])
    lines = np.frombuffer(zlib.decompress(data[data.index(b"IDAT") + 4 : -16]), np.uint8)
    assert lines.reshape(20, 91)[0, 1:4].tolist() == [200, 0, 0]
    assert 'alt="image of 20 by 30 elements"' in bundle["text/html"]


def test_hostile_texts_stay_texts() -> None:
    name = f"{HOSTILE}</shlo-tensor-view>"
    (tensor,) = embedded(tensor_html(np.zeros(40), name, HOSTILE))["tensors"]
    assert (tensor["name"], tensor["type"]) == (name, HOSTILE)
    tags = Tags(unscripted(tensor_html(np.zeros(40), name, HOSTILE))).tags
    assert [tag for tag, _ in tags].count("script") == 1
    assert all("onerror" not in attributes for _, attributes in tags)
    shown = mime_of(HOSTILE, parse_type('tensor<1xf32, "<b>">'), np.zeros(1, np.float32))
    tags = Tags(shown["text/html"]).tags
    assert {tag for tag, _ in tags} <= {"div", "b", "pre"}
    assert all("onerror" not in attributes for _, attributes in tags)
    assert not any("\x1b" in text for text in shown.values())
    assert "&lt;img" in shown["text/html"]
