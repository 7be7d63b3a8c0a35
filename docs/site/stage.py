"""The tree of Markdown that the site is built from: pages of the repository, their links led to the site.

A link to a page leads to that page, one to a picture to a copy of it, one to any other file to a listing of
that file with numbered lines, which the site has, too. A link to a folder becomes plain text.
"""

from __future__ import annotations

import posixpath
import re
import shutil
from collections.abc import Iterator
from functools import cache
from html import escape
from pathlib import Path
from typing import Final

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_for_filename
from pygments.lexers.special import TextLexer
from pygments.util import ClassNotFound

from docs.site.contents import HOME, PARTS, ROOT, pages, place_of
from docs.site.notebooks import notebook_markdown
from shlo_kernel.pygments_lexer import MlirLexer

PICTURES: Final = (".png", ".svg")
LISTINGS: Final = "listings"
"""The folder of the site with listings of files."""

_FENCE: Final = re.compile(r"^( *)(`{3,}|~{3,}).*?^\1\2[ \t]*$", re.MULTILINE | re.DOTALL)
_LINK: Final = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\]|!\[[^\]]*\]\([^)]*\))*)\]\(([^)\s]+)\)")
_OUTSIDE: Final = re.compile(r"[a-z][a-z0-9+.-]*:|#")


class LinkError(Exception):
    """A link of a page that leads to nothing."""


class Stage:
    """Writes pages below a folder, and what they refer to.

    `wanted` gathers the files whose listings pages link to, as paths from the root of the repository.
    """

    def __init__(self, folder: Path, extra: Path) -> None:
        """Args: folder: where Sphinx finds its sources. extra: what goes to the site as it is."""
        self.folder, self.extra = folder, extra
        self.wanted: set[str] = set()
        self._pages = pages()

    def write_pages(self) -> None:
        """Writes all pages of the repository. Raises LinkError."""
        for file, place in self._pages.items():
            text = (ROOT / file).read_text("utf-8")
            text = notebook_markdown(text) if file.endswith(".ipynb") else text
            text = self.rewritten(text, file, place)
            if file == HOME:
                text += _toctrees()
            self.write(place, text)

    def write(self, place: str, text: str) -> None:
        """Writes one page."""
        path = self.folder / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")

    def append(self, place: str, text: str) -> None:
        """Writes text behind a page that was written."""
        with (self.folder / place).open("a", encoding="utf-8", newline="\n") as file:
            file.write(text)

    def rewritten(self, text: str, file: str, place: str) -> str:
        """Returns a page's text with its links as they are on the site.

        Args:
            text: Markdown.
            file: the page's path from the root of the repository, which its links are relative to.
            place: its path on the site.

        Raises:
            LinkError: a link leads to no file.
        """
        parts: list[str] = []
        end = 0
        for fence in _FENCE.finditer(text):
            parts += [self._with_links(text[end : fence.start()], file, place), fence[0]]
            end = fence.end()
        return "".join([*parts, self._with_links(text[end:], file, place)])

    def _with_links(self, text: str, file: str, place: str) -> str:
        return _LINK.sub(lambda match: self._link(match, file, place), text)

    def _link(self, match: re.Match[str], file: str, place: str) -> str:
        mark, words, target = match.groups()
        words = self._with_links(words, file, place)
        if _OUTSIDE.match(target):
            return f"{mark}[{words}]({target})"
        path, _, anchor = target.partition("#")
        is_named = words == path
        path = posixpath.normpath(posixpath.join(posixpath.dirname(file), path))
        here = posixpath.dirname(place) or "."
        if path in self._pages:
            page = posixpath.relpath(self._pages[path], here)
            words = _title(path) if is_named else words  # the site has no files
            return f"{mark}[{words}]({page}{'#' if anchor else ''}{anchor})"
        if not (ROOT / path).exists():
            raise LinkError(f"{file}: expected a file, got a link to {target}")
        if path.endswith(PICTURES):
            return f"{mark}[{words}]({posixpath.relpath(self._picture(path), here)})"
        if (ROOT / path).is_dir():
            return words
        self.wanted.add(path)
        address = posixpath.relpath(f"{LISTINGS}/{path}.html", here)
        line = re.fullmatch(r"L(\d+)", anchor)
        return f'<a href="{address}{f"#L-{line[1]}" if line else ""}">{_inline(words)}</a>'

    def _picture(self, path: str) -> str:
        place = f"pictures/{posixpath.basename(path)}"
        (self.folder / "pictures").mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / path, self.folder / place)
        return place

    def write_listings(self) -> None:
        """Writes a page with the lines of each wanted file."""
        style = HtmlFormatter(style="friendly").get_style_defs(".highlight")
        for path in sorted(self.wanted):
            target = self.extra / LISTINGS / f"{path}.html"
            target.parent.mkdir(parents=True, exist_ok=True)
            formatter = HtmlFormatter(linenos="inline", lineanchors="L", anchorlinenos=True)
            text = (ROOT / path).read_text("utf-8")
            lines = highlight(text, _lexer(path), formatter)
            home = posixpath.relpath("index.html", posixpath.dirname(f"{LISTINGS}/{path}"))
            target.write_text(
                f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{escape(path)}</title>'
                f'<meta name="viewport" content="width=device-width"><style>{style}\n'
                "body{font-family:sans-serif;margin:1em;background:#fff;color:#111}"
                "pre{font-size:85%}:target{background:#fff3b0}</style>"
                f'<p><a href="{home}">shlo</a> · <b>{escape(path)}</b></p>{lines}</html>',
                encoding="utf-8",
            )


@cache
def _title(path: str) -> str:
    """Returns the first heading of a page of Markdown."""
    heading = re.search(r"^# (.+)$", (ROOT / path).read_text("utf-8"), re.MULTILINE)
    return heading[1] if heading else path


def _lexer(path: str):  # type: ignore[no-untyped-def] # Pygments has no types
    if path.endswith(".mlir"):
        return MlirLexer()
    try:
        return get_lexer_for_filename(path)
    except ClassNotFound:
        return TextLexer()


def _inline(words: str) -> str:
    """Returns the text of a link as HTML: code between backquotes, all else as it is."""
    pieces = escape(words).split("`")
    return "".join(f"<code>{piece}</code>" if number % 2 else piece for number, piece in enumerate(pieces))


def _toctrees() -> str:
    return "".join(_toctree(part.caption, [place_of(page) for page in part.pages]) for part in PARTS)


def _toctree(caption: str, places: list[str]) -> str:
    lines = "\n".join(place.removesuffix(".md") for place in places)
    return f"\n```{{toctree}}\n:hidden:\n:caption: {caption}\n\n{lines}\n```\n"


def table(titles: tuple[str, ...], rows: Iterator[tuple[str, ...]]) -> str:
    """Returns a Markdown table; cells are Markdown."""
    lines = [titles, tuple("---" for _ in titles), *rows]
    return "".join(f"| {' | '.join(cell.replace(chr(10), ' ') for cell in line)} |\n" for line in lines)


def code(text: str) -> str:
    """Returns text as code in a table."""
    return f"`{text}`".replace("|", "\\|") if text else ""


def running_text(text: str) -> str:
    """Returns running text: what is between backquotes stays code, nothing else is Markdown."""
    pieces = re.split(r"(`[^`]*`)", text)
    return "".join(piece if number % 2 else cell(piece) for number, piece in enumerate(pieces))


def running_cell(text: str) -> str:
    """Returns running text for a table: bars end no cell."""
    return re.sub(r"`[^`]*`", lambda found: found[0].replace("|", "\\|"), running_text(text))


def cell(text: str) -> str:
    """Returns plain text for a table: nothing in it is Markdown."""
    return re.sub(r"([\\`*_{}\[\]<>|#])", r"\\\1", text)
