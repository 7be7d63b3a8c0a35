"""Sphinx's configuration of the site; `python -m docs.site` stages the sources that it is for."""

from __future__ import annotations

from pathlib import Path

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
html_static_path = [str(Path(__file__).parent / "static")]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
templates_path: list[str] = []
exclude_patterns: list[str] = []
pygments_style = "friendly"
pygments_dark_style = "monokai"


def setup(app: object) -> None:
    """Teaches Sphinx to colour StableHLO."""
    from shlo_kernel.pygments_lexer import MlirLexer

    app.add_lexer("mlir", MlirLexer)  # type: ignore[attr-defined]
