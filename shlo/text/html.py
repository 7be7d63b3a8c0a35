"""HTML of untrusted strings, and the frame of pages that need no other file."""

from __future__ import annotations

from typing import Final

from shlo.text.escape import escaped

_PAGE: Final = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark; }}
{style}
</style></head>
<body>
{body}
</body></html>
"""


def text_html(text: str) -> str:
    """Returns a text of a program as HTML that is neither markup nor drives a screen."""
    from html import escape  # loads all the names of HTML's characters

    return escape(escaped(text))


def page_html(title: str, style: str, body: str) -> str:
    """Returns a whole page; `title` is text, `style` CSS and `body` HTML."""
    return _PAGE.format(title=text_html(title), style=style, body=body)
