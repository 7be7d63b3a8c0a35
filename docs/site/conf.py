"""Sphinx's configuration of the site; `python -m docs.site` stages the sources that it is for."""

from __future__ import annotations

import posixpath
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

from pygments.lexer import RegexLexer, bygroups, using
from pygments.lexers.shell import BashLexer
from pygments.token import Generic

import shlo

project = "shlo"
author = "The shlo authors"
copyright = "The shlo authors"
version = release = shlo.__version__
extensions = ["myst_parser"]
myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence"]
suppress_warnings = ["myst.header"]  # pages of one part of a table of contents may begin at any level
html_theme = "furo"
html_title = f"shlo {version}"
smartquotes = False  # options of commands keep their hyphens, programs their quotes
html_static_path = [str(Path(__file__).parent / "static")]
html_css_files = ["site.css"]
html_js_files = [("try/try.js", {"defer": "defer"})]
html_context = {
    "content_security_policy": "; ".join(
        (
            "default-src 'self' file:",
            "script-src 'self' file: 'unsafe-inline'",  # the theme's own: which of its colours to take
            "style-src 'self' file: 'unsafe-inline'",
            "img-src 'self' file: data:",
            "object-src 'none'",
            "base-uri 'none'",
        )
    )
}
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
templates_path = [str(Path(__file__).parent / "templates")]
exclude_patterns: list[str] = []
pygments_style = "default"  # every colour has the contrast of WCAG AA, in the dark one too
pygments_dark_style = "monokai"


_NAVIGATION: dict[str, str] = {}
"""The sidebar of pages that are not in it, by their folder."""


def share_navigation(app: Any, page: str, template: str, context: dict[str, Any], doctree: object) -> None:
    """Has Sphinx make the sidebar of pages that are not in it once for each folder: those of operations, most
    of the site. It takes longer than all else of such a page.
    """
    if "orphan" not in app.env.metadata.get(page, {}):
        return
    make: Callable[..., str] = context["toctree"]
    folder = posixpath.dirname(page)

    def shared(**options: Any) -> str:
        if folder not in _NAVIGATION:
            _NAVIGATION[folder] = make(**options)
        return _NAVIGATION[folder]

    context["toctree"] = shared


class ConsoleLexer(RegexLexer):
    """Commands behind `$ ` or `(shlo) `, and what they print. Pygments' own takes values, `%x`, for prompts."""

    name = "console"
    tokens: ClassVar = {
        "root": [
            (r"^(\$ )((?:.*\\\n)*.*\n)", bygroups(Generic.Prompt, using(BashLexer))),
            (r"^(\(shlo\) )(.*\n)", bygroups(Generic.Prompt, Generic.Strong)),
            (r".*\n", Generic.Output),
        ]
    }


def setup(app: Any) -> None:
    """Teaches Sphinx to colour StableHLO, and sessions in a terminal."""
    from shlo_kernel.pygments_lexer import MlirLexer

    app.add_lexer("mlir", MlirLexer)
    app.add_lexer("console", ConsoleLexer)
    app.connect("html-page-context", share_navigation, priority=100)  # before the theme asks for it
