"""Pytrees as HTML and text: what is wrong first, then each leaf with type, range and a small heat map."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import isqrt
from typing import Any, Final, cast
from zlib import crc32

from msgspec import Struct, field

from shlo.ir.dtypes import Array
from shlo.pages.bundle import script_html
from shlo.pages.pictures import data_uri, strip_png
from shlo.pages.report import badge_html, heading_html, report_html
from shlo.runner.leaves import ALARMS, Leaf, leaf_count
from shlo.runner.tensors.colormap import scale_of
from shlo.runner.tensors.pooling import pool
from shlo.text.escape import escaped
from shlo.text.html import text_html
from shlo.text.numbers import byte_size, number_text, plural
from shlo.text.shortening import clipped
from shlo.text.statistics import short_range, statistics_line

LEAVES_AT_MOST: Final = 1000
"""How many leaves a page shows, those with alarms before the others."""
LINES_AT_MOST: Final = 60
"""How many leaves a text shows, likewise."""
FIRST_AT_MOST: Final = 12
"""How many leaves with alarms are shown before the tree."""
STRIP_BYTES: Final = 300_000
"""How many cells the heat maps of a page have together."""
SIDES: Final = (12, 64)
"""How many rows and columns a heat map has, at least and at most."""
OPEN_AT_MOST: Final = 48
"""How many lines of a tree are open at first, but for those that lead to alarms."""
WIDEST: Final = 60
"""How many characters of a leaf that is no array are shown."""

KeyOf = Callable[[Array], str]

_STYLE: Final = """\
.shlo-tree details{margin-left:16px}
.shlo-tree>details{margin-left:0}
.shlo-tree summary{cursor:pointer;white-space:nowrap}
.shlo-tree details.leaf>summary,.shlo-tree div.leaf{display:flex;gap:10px;align-items:center;list-style:none}
.shlo-tree details.leaf>summary::-webkit-details-marker{display:none}
.shlo-tree .leaf b{font-weight:500;min-width:7em}
.shlo-tree .leaf code{min-width:14em}
.shlo-tree .leaf code+span{min-width:22em}
.shlo-tree .more{margin:2px 0 8px 16px}
.shlo-tree i{display:inline-block;flex:none;width:22px;height:22px;background-size:22px auto;\
image-rendering:pixelated;background-position:0 calc(var(--i)*-22px);outline:1px solid #8884}
.shlo-tree .more i{width:256px;height:256px;background-size:256px auto;\
background-position:0 calc(var(--i)*-256px)}
.shlo-tree .leaf i{margin:1px 0}
.shlo-tree .shlo-first .leaf{margin-left:0}
.shlo-first{border-left:4px solid #b4009e;padding-left:8px;margin:6px 0}"""


class TreeNode(Struct):
    """A part of a tree: parts by name, the leaf where it is one, and what all leaves of it hold together."""

    parts: dict[str, TreeNode] = field(default_factory=dict[str, "TreeNode"])
    leaf: Leaf | None = None
    leaves: int = 0
    bytes: int = 0
    alarms: dict[str, int] = field(default_factory=dict[str, int])

    @staticmethod
    def of(leaves: Sequence[Leaf]) -> TreeNode:
        """Returns the tree of leaves."""
        root = TreeNode()
        for leaf in leaves:
            node = root
            node._count(leaf)
            for name in leaf.path:
                node = node.parts.setdefault(name, TreeNode())
                node._count(leaf)
            node.leaf = leaf
        return root

    def _count(self, leaf: Leaf) -> None:
        self.leaves += 1
        self.bytes += leaf.statistics.bytes if leaf.statistics else 0
        for alarm in leaf.alarms:
            self.alarms[alarm] = self.alarms.get(alarm, 0) + 1


def tree_bundle(leaves: Sequence[Leaf], title: str = "", key_of: KeyOf | None = None) -> dict[str, str]:
    """Returns a pytree by MIME type, as text and as HTML.

    Args:
        leaves: its leaves, in order.
        title: what to call it, such as the name of its class.
        key_of: what a kernel answers for the planes of an array by; None where none does.
    """
    return {"text/plain": tree_text(leaves, title), "text/html": tree_html(leaves, title, key_of)}


def tree_text(leaves: Sequence[Leaf], title: str = "") -> str:
    """Returns a pytree as text: a line for each leaf, those with alarms before the tree, too."""
    bad = _alarming(leaves)
    alarms = ", ".join(f"{name} in {leaf_count(count)}" for name, count in _totals(leaves))
    lines = [_size_words(leaves, title) + (f"; {alarms}" if alarms else "")]
    lines += [f"  {'/'.join(leaf.path)} : {leaf.type}: {_alarm_words(leaf)}" for leaf in bad[:FIRST_AT_MOST]]
    lines += [f"  and {len(bad) - FIRST_AT_MOST:,} more"] * (len(bad) > FIRST_AT_MOST)
    shown = leaves[:LINES_AT_MOST]
    lines += [f"{'/'.join(leaf.path) or '.'} : {_words(leaf)}" for leaf in shown]
    if len(leaves) > len(shown):
        lines.append(f"... {len(leaves) - len(shown):,} more leaves, {_clean_words(leaves[len(shown) :])}")
    return escaped("\n".join(lines))


def tree_html(leaves: Sequence[Leaf], title: str = "", key_of: KeyOf | None = None) -> str:
    """Returns a pytree as HTML that needs no other file and no script; with `key_of`, of a kernel that
    answers for planes, leaves open as tensor views.
    """
    bad = _alarming(leaves)
    shown = leaves if len(leaves) <= LEAVES_AT_MOST else _most_important(leaves, bad)
    pictured = [leaf for leaf in shown if _has_picture(leaf)]
    strip = _Strip.of(pictured, key_of)
    badges = [badge_html(f"{name} in {leaf_count(count)}", kind=name) for name, count in _totals(leaves)]
    first = "".join(_leaf_html(leaf, "/".join(leaf.path), strip, True) for leaf in bad[:FIRST_AT_MOST])
    more = f"<div>and {len(bad) - FIRST_AT_MOST:,} more</div>" if len(bad) > FIRST_AT_MOST else ""
    tree = TreeNode.of(leaves)
    parts = [
        f"<style>{_STYLE}{strip.style}</style>",
        heading_html(_size_words(leaves, title)),
        f"<div>{''.join(badges)}</div>" if badges else "",
        f'<div class="shlo-first">{first}{more}</div>' if first else "",
        "".join(_node_html(tree, "", strip, {id(leaf) for leaf in shown}, _opened(tree))),
    ]
    page = report_html(f'<div class="shlo-tree {strip.name}">{"".join(parts)}</div>')
    return page + (script_html("tensor_view") if key_of is not None and pictured else "")


def _alarming(leaves: Sequence[Leaf]) -> list[Leaf]:
    """Returns the leaves with NaN, infinities or saturated numbers, the worst first."""
    bad = [leaf for leaf in leaves if leaf.severity < ALARMS.index("zero")]
    return sorted(bad, key=lambda leaf: leaf.severity)


def _most_important(leaves: Sequence[Leaf], bad: Sequence[Leaf]) -> list[Leaf]:
    chosen = {id(leaf) for leaf in bad[:LEAVES_AT_MOST]}
    others = (id(leaf) for leaf in leaves if id(leaf) not in chosen)
    chosen.update(identity for identity, _ in zip(others, range(LEAVES_AT_MOST - len(chosen))))
    return [leaf for leaf in leaves if id(leaf) in chosen]


def _size_words(leaves: Sequence[Leaf], title: str) -> str:
    described = [leaf.statistics for leaf in leaves if leaf.statistics]
    elements = sum(statistics.size for statistics in described)
    size = byte_size(sum(statistics.bytes for statistics in described))
    words = f"{leaf_count(len(leaves))}, {plural(elements, 'element')}, {size}"
    return f"{title}: {words}" if title else words


def _totals(leaves: Sequence[Leaf]) -> list[tuple[str, int]]:
    counts = ((alarm, sum(alarm in leaf.alarms for leaf in leaves)) for alarm in ALARMS)
    return [(alarm, count) for alarm, count in counts if count]


def _clean_words(leaves: Sequence[Leaf]) -> str:
    bad = len(_alarming(leaves))
    return f"{bad:,} of them listed above" if bad else "none with NaN or Inf"


def _alarm_words(leaf: Leaf) -> str:
    return "; ".join(leaf.alarms.values())


def _words(leaf: Leaf) -> str:
    """Returns a leaf in one line of text."""
    if isinstance(leaf.value, str):
        return clipped(leaf.value, WIDEST, " ...")
    words = " ".join((_range_words(leaf), *(f"{alarm}!" for alarm in leaf.alarms if alarm != "zero")))
    return ", ".join(filter(None, (f"{leaf.type}  {words}", leaf.sharding)))


def _range_words(leaf: Leaf) -> str:
    statistics, array = leaf.statistics, cast("Array", leaf.value)
    assert statistics is not None
    return number_text(array.reshape(-1)[0]) if statistics.size == 1 else short_range(statistics)


# --- HTML ---


def _node_html(node: TreeNode, name: str, strip: _Strip, shown: set[int], opened: set[int]) -> Iterator[str]:
    """Yields a part of a tree; `shown` and `opened` are identities of leaves and of parts."""
    if node.leaf is not None:
        yield _leaf_html(node.leaf, name, strip, False) if id(node.leaf) in shown else ""
    if not node.parts:
        return
    is_open = id(node) in opened or _is_alarming(node)
    if name:
        yield f"<details{' open' if is_open else ''}><summary>{_node_line(node, name)}</summary>"
    left_out = 0
    for part_name, part in node.parts.items():
        is_hidden = part.leaf is not None and not part.parts and id(part.leaf) not in shown
        left_out += is_hidden
        if not is_hidden:
            yield from _node_html(part, part_name, strip, shown, opened)
    if left_out:
        yield f'<div class="more">and {left_out:,} more leaves, none with an alarm</div>'
    yield "</details>" if name else ""


def _opened(root: TreeNode) -> set[int]:
    """Returns the parts that are open at first: whole levels, as long as there are few lines."""
    opened: set[int] = set()
    level, lines = [root], 0
    while level:
        inner = [part for node in level for part in node.parts.values()]
        lines += len(inner)
        if lines > OPEN_AT_MOST:
            break
        opened.update(map(id, level))
        level = inner
    return opened


def _is_alarming(node: TreeNode) -> bool:
    return any(name != "zero" for name in node.alarms)


def _node_line(node: TreeNode, name: str) -> str:
    alarms = ((alarm, node.alarms[alarm]) for alarm in ALARMS if alarm in node.alarms and alarm != "zero")
    badges = "".join(badge_html(alarm, f"in {leaf_count(count)}") for alarm, count in alarms)
    size = f"{leaf_count(node.leaves)}, {byte_size(node.bytes)}"
    return f'<b>{text_html(name)}</b> <span class="shlo-dim">{size}</span> {badges}'


def _leaf_html(leaf: Leaf, name: str, strip: _Strip, is_first: bool) -> str:
    """Returns a leaf as a line that opens; `is_first` where it is shown before the tree."""
    label = f"<b>{text_html(name or '.')}</b>"
    if isinstance(leaf.value, str):
        return f'<div class="leaf">{label}<code>{text_html(clipped(leaf.value, WIDEST, " ..."))}</code></div>'
    badges = "".join(badge_html(alarm, words) for alarm, words in leaf.alarms.items())
    words = _alarm_words(leaf) if is_first else _range_words(leaf)
    sharding = f'<span class="shlo-dim">{text_html(leaf.sharding)}</span>' if leaf.sharding else ""
    picture = strip.picture(leaf)
    line = f"{picture}{label}<code>{text_html(leaf.type)}</code>"
    line += f"<span>{badges}{text_html(words)}</span>{sharding}"
    if not picture:
        return f'<div class="leaf">{line}</div>'
    assert leaf.statistics is not None
    words = f"{text_html('/'.join(leaf.path))}: {statistics_line(leaf.statistics)}"
    more = f'<div class="more">{words}<br>{picture}</div>'
    return f'<details class="leaf"{strip.key(leaf)}><summary>{line}</summary>{more}</details>'


# --- heat maps ---


class _Strip(Struct, frozen=True):
    """The heat maps of a page, one below the other in a single picture.

    Args:
        name: the class of what shows a part of it.
        style: the rule of that class.
        number: which part is a leaf's, by the leaf's identity.
        key_of: what a kernel answers for the planes of an array by.
    """

    name: str
    style: str
    number: dict[int, int]
    key_of: KeyOf | None = None

    @staticmethod
    def of(leaves: Sequence[Leaf], key_of: KeyOf | None) -> _Strip:
        """Returns the heat maps of leaves."""
        if not leaves:
            return _Strip("", "", {})
        side = max(SIDES[0], min(SIDES[1], isqrt(STRIP_BYTES // len(leaves))))
        png = strip_png([_cells(leaf, side) for leaf in leaves], side)
        name = f"shlo-{crc32(png):08x}"
        style = f"\n.{name} i{{background-image:url({data_uri(png)})}}"
        return _Strip(name, style, {id(leaf): number for number, leaf in enumerate(leaves)}, key_of)

    def key(self, leaf: Leaf) -> str:
        """Returns the attributes by which the page opens a leaf as a tensor view; empty without a kernel."""
        if self.key_of is None or isinstance(leaf.value, str):
            return ""
        shape = " ".join(map(str, leaf.value.shape))
        return f' data-key="{self.key_of(leaf.value)}" data-shape="{shape}"'

    def picture(self, leaf: Leaf) -> str:
        """Returns the heat map of a leaf, empty for one without."""
        number = self.number.get(id(leaf))
        return "" if number is None else f'<i style="--i:{number}"></i>'


def _has_picture(leaf: Leaf) -> bool:
    return not isinstance(leaf.value, str) and leaf.value.size > 1


def _cells(leaf: Leaf, side: int) -> Any:
    """Returns a leaf as the cells of a picture, all axes but the last going down, and its scale."""
    array, statistics = cast("Array", leaf.value), leaf.statistics
    table = array.reshape(-1, array.shape[-1])
    return pool(table, side, side, statistics), scale_of(statistics)
