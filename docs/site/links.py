"""Follows the links of a built site: each leads to a file of it, each fragment to an element there."""

from __future__ import annotations

from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class _Page(HTMLParser):
    """What a page links to, and what can be linked to in it."""

    def __init__(self) -> None:
        super().__init__()
        self.targets: set[str] = set()
        self.anchors: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if value is None:
                continue
            if name == "id" or (tag == "a" and name == "name"):
                self.anchors.add(value)
            elif name in ("href", "src"):
                self.targets.add(value)


def broken_links(site: Path) -> Iterator[str]:
    """Yields `page: link` for each internal link of a site that leads nowhere."""
    pages = {path: _read(path) for path in sorted(site.rglob("*.html"))}
    for path, page in pages.items():
        for target in sorted(page.targets):
            parts = urlsplit(target)
            if parts.scheme or parts.netloc or (not parts.path and not parts.fragment):
                continue
            goal = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            goal = goal / "index.html" if goal.is_dir() else goal
            is_found = goal.is_file()
            if is_found and parts.fragment and goal in pages:
                is_found = unquote(parts.fragment) in pages[goal].anchors
            if not is_found:
                yield f"{path.relative_to(site)}: {target}"


def _read(path: Path) -> _Page:
    page = _Page()
    page.feed(path.read_text("utf-8"))
    return page
