"""Writes docs/json.md and docs/json.schema.json: what commands print with `--format json`.

python -m docs.generate_json
"""

from __future__ import annotations

import inspect
import json
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, Union, get_args, get_origin

import msgspec

from docs.json_answers import ANSWERS, Part
from shlo.command_line.console import JSON_VERSION

PAGE = Path(__file__).resolve().parent / "json.md"
SCHEMA = PAGE.with_name("json.schema.json")

INTRODUCTION = f"""# What commands print as JSON

With `--format json` a command prints one JSON object: first `version`, which is {JSON_VERSION}, then what the
table of the command says. `run` prints it on one line, `test` prints an object on a line for each test. A
field may be added without a new version; one that goes or changes its meaning makes the version
{JSON_VERSION + 1}. Messages go to standard error, and the exit code is that of the text form.

[json.schema.json](json.schema.json) says the same in JSON Schema. `shlo check --format sarif` is SARIF
2.1.0, and `shlo graph --format model-explorer` is what Model Explorer reads.
"""


def page() -> str:
    """Returns the page."""
    shown: list[type[Part]] = []
    parts = [INTRODUCTION]
    for title, type_ in ANSWERS.items():
        parts.append(f"## `shlo {title}`\n\n{_section(type_, shown)}")
    parts.append("# Parts of answers\n")
    for type_ in shown:
        parts.append(f"## {type_.__name__}\n\n{_section(type_, shown)}")
    parts.append("`python -m docs.generate_json` writes this page.\n")
    return "\n".join(parts)


def schema() -> str:
    """Returns the JSON Schema of all answers, by command."""
    schemas, components = msgspec.json.schema_components(ANSWERS.values(), ref_template="#/$defs/{name}")
    head = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "What commands of shlo print with --format json",
        "version": JSON_VERSION,
        "properties": {f"shlo {title}": each for title, each in zip(ANSWERS, schemas)},
    }
    parts = (f"  {json.dumps(name)}: {json.dumps(_plain(part))}" for name, part in components.items())
    lines = ",\n".join(parts)
    return f'{json.dumps(head, indent=1)[:-2]},\n "$defs": {{\n{lines}\n }}\n}}\n'


def _plain(part: Any) -> Any:
    """Returns the schema of a part, what its docstring says of its fields with them."""
    type_ = next(each for each in _types(Part) if each.__name__ == part["title"])
    summary, meanings = _documented(type_)
    properties = {
        name: {**field, "description": meanings[name]} for name, field in part["properties"].items()
    }
    return {**part, "description": summary, "properties": properties, "additionalProperties": True}


def _types(type_: type[Part]) -> Iterator[type[Part]]:
    for each in type_.__subclasses__():
        yield each
        yield from _types(each)


def _section(type_: type[Part], shown: list[type[Part]]) -> str:
    """Returns what a type is, and a table of its fields; `shown` gets the types that it refers to."""
    summary, meanings = _documented(type_)
    lines = [summary, "", "| field | type | meaning |", "|---|---|---|"]
    for field in msgspec.structs.fields(type_):
        if field.name == "version":
            continue
        missing = "; may be missing" if field.default is msgspec.UNSET else ""
        meaning = meanings[field.name].rstrip(".") + missing
        lines.append(f"| `{field.name}` | {_words(field.type, shown)} | {meaning} |")
    return "\n".join([*lines, ""])


def _documented(type_: type[Part]) -> tuple[str, dict[str, str]]:
    """Returns what a docstring says of a type, and of its fields and those of the types that it extends."""
    meanings: dict[str, str] = {}
    summary = ""
    for each in reversed(type_.__mro__):
        if issubclass(each, Part) and each is not Part:
            summary, _, arguments = (inspect.getdoc(each) or "").partition("\n\nArgs:\n")
            for line in inspect.cleandoc(arguments).splitlines():
                name, colon, meaning = line.partition(": ")
                if line.startswith(" "):
                    meanings[list(meanings)[-1]] += f" {line.strip()}"
                elif colon:
                    meanings[name] = meaning
    return summary, meanings


_WORDS: Final = {str: "text", int: "whole number", float: "number", bool: "true or false", Any: "any"}


def _words(type_: Any, shown: list[type[Part]]) -> str:
    """Returns a type in words; `shown` gets the types that it refers to."""
    arguments = [each for each in get_args(type_) if each not in (msgspec.UnsetType, types.NoneType)]
    words = [_words(each, shown) for each in arguments]
    if get_origin(type_) is list:
        return f"list of {words[0]}"
    if get_origin(type_) is tuple:
        return f"list of {len(words)}: {', '.join(words)}"
    if get_origin(type_) is dict:
        return f"object: name to {words[1]}"
    if get_origin(type_) in (Union, types.UnionType):
        return " or ".join([*dict.fromkeys(words), *(["null"] if types.NoneType in get_args(type_) else [])])
    if type_ in _WORDS:
        return _WORDS[type_]
    if type_ not in shown:
        shown.append(type_)
    return f"[{type_.__name__}](#{type_.__name__.lower()})"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8", newline="\n")
    SCHEMA.write_text(schema(), encoding="utf-8", newline="\n")
