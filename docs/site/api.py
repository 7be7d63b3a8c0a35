"""Reference of the public API, from the names that modules list as theirs and their docstrings."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator

from docs.public_api import PublicName, public_names
from docs.site.stage import cell, code, running_cell, running_text, table

_SECTION = re.compile(r"^(Args|Attributes|Returns|Raises|Yields):\s*$")


def api_page() -> str:
    """Returns the page of all public names."""
    head = (
        "# Public API\n\nWhat is listed here follows [semantic versioning](https://semver.org): it changes with "
        "a line in the [changelog](../changelog.md), and what is to go is deprecated for one release. All else is "
        "private and may change at any time. [The library](../library.md) and [JAX](../jax.md) show how to use it.\n"
    )
    parts = [head]
    module = ""
    for name in public_names():
        if name.module != module:
            module = name.module
            parts.append(f"## {module}\n\n{markdown(inspect.getdoc(name.of_module) or '')}\n")
        parts.append(_entry(name))
    return "\n".join(parts)


def _entry(name: PublicName) -> str:
    text = [f"### {name.module}.{name.name}\n", f"```python\n{name.signature}\n```\n", markdown(name.doc)]
    for member in name.members:
        text += [
            f"\n#### {cell(f'{name.name}.{member.name}')}\n",
            f"```python\n{member.signature}\n```\n",
            markdown(member.doc),
        ]
    return "\n".join(text) + "\n"


def markdown(doc: str) -> str:
    """Returns a docstring as Markdown: sections as tables, lines that are indented as code."""
    return "\n\n".join(filter(None, _blocks(inspect.cleandoc(doc).splitlines())))


def _blocks(lines: list[str]) -> Iterator[str]:
    paragraph: list[str] = []
    number = 0
    while number < len(lines):
        line = lines[number]
        body = _indented(lines, number + 1)
        if _SECTION.match(line) and body:
            yield _paragraph(paragraph)
            paragraph = []
            yield _section(line.strip(" :"), body)
            number += 1 + len(body)
        elif line.startswith("    "):
            body = _indented(lines, number)
            yield _paragraph(paragraph)
            paragraph = []
            yield "```python\n" + inspect.cleandoc("\n" + "\n".join(body)) + "\n```"
            number += len(body)
        elif line.strip():
            paragraph.append(line)
            number += 1
        else:
            yield _paragraph(paragraph)
            paragraph = []
            number += 1
    yield _paragraph(paragraph)


def _indented(lines: list[str], start: int) -> list[str]:
    end = start
    while end < len(lines) and (lines[end].startswith("    ") or not lines[end].strip()):
        end += 1
    while end > start and not lines[end - 1].strip():
        end -= 1
    return lines[start:end]


def _paragraph(lines: list[str]) -> str:
    return running_text(" ".join(lines))


def _section(title: str, body: list[str]) -> str:
    items: list[list[str]] = []
    for line in inspect.cleandoc("\n" + "\n".join(body)).splitlines():
        if line.startswith(" ") and items:
            items[-1].append(line.strip())
        elif line.strip():
            items.append([line.strip()])
    pairs = [" ".join(item).partition(": ") for item in items]
    if title in ("Returns", "Yields") or not all(mark for _, mark, _ in pairs):
        return f"{title}: {running_text(' '.join(' '.join(item) for item in items))}"
    return f"{title}:\n\n" + table(("", ""), ((code(name), running_cell(text)) for name, _, text in pairs))
