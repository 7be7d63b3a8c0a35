"""Draws what an operation does, by a small program: which elements of arguments make elements of the result.

An element makes another one where changing it changes that: the interpreter runs the program for each.
`docs/generate_ops.py` writes the drawings and the page that shows them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

import shlo

FOLDER: Final = Path(__file__).with_name("drawings")
CELL: Final = (34, 26)
GAP: Final = 40
TOP: Final = 30
CHANGE: Final = 1
"""What is added to an element: an index stays within the example."""
STYLE: Final = """<style>
text { font: 13px ui-monospace, monospace; text-anchor: middle; fill: #1f2328 }
rect { fill: none; stroke: #8c959f }
.a { fill: #54aeff80 } .b { fill: #fb8f4480 } .both { fill: #a475f980 }
@media (prefers-color-scheme: dark) { text { fill: #f0f6fc } rect { stroke: #767e88 } }
</style>"""
"""Colours that can be read on light and on dark ground."""

Array = np.ndarray[Any, np.dtype[Any]]
Index = tuple[int, ...]


class Example(NamedTuple):
    """What a program of `docs/drawings` gets, and what is drawn of it.

    Args:
        says: what the drawing shows, in a sentence.
        arguments: what the program gets.
        groups: elements of the result, in one colour each.
    """

    says: str
    arguments: Sequence[Array]
    groups: Sequence[Sequence[Index]]


def _counted(*shape: int) -> Array:
    return np.arange(1, np.prod(shape) + 1, dtype=np.int32).reshape(shape)


def _row(number: int, count: int) -> list[Index]:
    return [(number, column) for column in range(count)]


EXAMPLES: Final[Mapping[str, Example]] = {
    "gather": Example(
        "Each index takes a row: that is a slice of 1 x 3 elements, whose first dimension is collapsed.",
        (_counted(4, 3), np.array([[2], [0]], np.int32)),
        (_row(0, 3), _row(1, 3)),
    ),
    "scatter": Example(
        "Each update is added at its index; two of them have the same.",
        (_counted(6), np.array([[1], [4], [1]], np.int32), np.array([10, 20, 30], np.int32)),
        ([(1,)], [(4,)]),
    ),
    "dot_general": Example(
        "The dimension of size 3 is contracted: an element is the sum of products along it.",
        (_counted(2, 3), _counted(3, 2)),
        ([(0, 1)], [(1, 0)]),
    ),
    "convolution": Example(
        "The kernel slides over the image; an element is the sum of products of one place. "
        "Dimensions of size 1 are left out.",
        (_counted(1, 1, 4, 4), _counted(1, 1, 2, 2)),
        ([(0, 0, 0, 0)], [(0, 0, 2, 2)]),
    ),
    "reduce_window": Example(
        "Windows of 2 x 2 elements, two apart, are summed.",
        (_counted(4, 4), np.array(0, np.int32)),
        ([(0, 0)], [(1, 1)]),
    ),
}


def text_of(name: str) -> str:
    """Returns the program of an example."""
    return (FOLDER / f"{name}.mlir").read_text("utf-8")


def drawing(name: str) -> str:
    """Returns the SVG of an example."""
    example, module = EXAMPLES[name], shlo.parse(text_of(name))
    (result,) = shlo.run(module, *example.arguments)
    names = module.functions["main"].argument_names or ()
    colours = _colours(module, example, result)
    grids = [*zip(names, example.arguments, colours), ("result", result, _of_groups(example.groups))]
    x, height, parts = GAP // 2, 0, list[str]()
    for number, (label, array, marked) in enumerate(grids):
        following = grids[number + 1 :]
        shown, width = _grid(f"%{label}" if following else label, np.asarray(array), marked, x)
        parts += shown
        x += width
        height = max(height, _shape(np.asarray(array))[0] * CELL[1])
        if following:
            sign = "" if following[1:] else "→"
            parts.append(f'<text x="{x + GAP // 2}" y="{TOP + 18}">{sign}</text>')
            x += GAP
    size = f"{x + GAP // 2} {TOP + height + 10}"
    width, tall = size.split()
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{tall}" viewBox="0 0 {size}">'
    return "\n".join([head, STYLE, *parts, "</svg>\n"])


def _colours(module: shlo.Module, example: Example, result: Array) -> Iterator[dict[Index, str]]:
    """Yields for each argument the colours of the elements that make those of the groups."""
    for number, argument in enumerate(example.arguments):
        marked = dict[Index, str]()
        for index in np.ndindex(np.shape(argument)):
            changed = np.array(argument)
            changed[index] += CHANGE
            given = [*example.arguments[:number], changed, *example.arguments[number + 1 :]]
            (other,) = shlo.run(module, *given)
            touched = [any(other[at] != result[at] for at in group) for group in example.groups]
            if any(touched):
                marked[index] = "both" if all(touched) else "ab"[touched.index(True)]
        yield marked


def _of_groups(groups: Sequence[Sequence[Index]]) -> dict[Index, str]:
    return {index: colour for group, colour in zip(groups, "ab") for index in group}


def _shape(array: Array) -> tuple[int, int]:
    """Returns rows and columns of a grid: of what has one dimension, a column of indices stays one."""
    sizes = [size for size in array.shape if size != 1]
    rows, columns = [1, 1, *sizes][-2:]
    return (columns, 1) if array.ndim == 2 and array.shape[1] == 1 else (rows, columns)


def _grid(label: str, array: Array, marked: Mapping[Index, str], x: int) -> tuple[list[str], int]:
    """Returns a grid of elements with their colours, and its width."""
    _, columns = _shape(array)
    width = max(columns * CELL[0], 8 * len(label))
    parts = [f'<text x="{x + width // 2}" y="{TOP - 10}">{label}</text>']
    left = x + (width - columns * CELL[0]) // 2
    for place, index in enumerate(np.ndindex(array.shape)):
        at = left + place % columns * CELL[0], TOP + place // columns * CELL[1]
        colour = f' class="{marked[index]}"' if index in marked else ""
        parts.append(f'<rect x="{at[0]}" y="{at[1]}" width="{CELL[0]}" height="{CELL[1]}"{colour}/>')
        parts.append(f'<text x="{at[0] + CELL[0] // 2}" y="{at[1] + 18}">{array[index]}</text>')
    return parts, width
