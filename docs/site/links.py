"""Follows the links of a built site: each leads to a file of it, each fragment to an element there."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import unquote, urlsplit

_TAG: Final = re.compile(r"<([a-zA-Z]\w*)\s[^<>]*>")
_ATTRIBUTE: Final = re.compile(r"""\s(id|name|href|src)=(?:"([^"]*)"|'([^']*)')""")


class _Page(NamedTuple):
    """What a page links to, and what can be linked to in it."""

    targets: set[str]
    anchors: set[str]


def broken_links(site: Path) -> Iterator[str]:
    """Yields `page: link` for each internal link of a site that leads nowhere."""
    files = {path.relative_to(site).as_posix() for path in site.rglob("*") if path.is_file()}
    pages = {file: _read(site / file) for file in sorted(files) if file.endswith(".html")}
    for file, page in pages.items():
        for target in sorted(page.targets):
            parts = urlsplit(target)
            if parts.scheme or parts.netloc or (not parts.path and not parts.fragment):
                continue
            goal = _goal(file, unquote(parts.path))
            goal = goal if goal in files else f"{goal}/index.html"
            is_found = goal in files
            if is_found and parts.fragment and goal in pages:
                is_found = unquote(parts.fragment) in pages[goal].anchors
            if not is_found:
                yield f"{file}: {target}"


def _goal(file: str, path: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(file), path)) if path else file


def _read(path: Path) -> _Page:
    page = _Page(set(), set())
    for tag in _TAG.finditer(path.read_text("utf-8")):
        for name, double, single in _ATTRIBUTE.findall(tag[0]):
            if name in ("href", "src"):
                page.targets.add(unescape(double or single))
            elif name == "id" or tag[1] == "a":
                page.anchors.add(unescape(double or single))
    return page
