"""Writes the messages of the Debug Adapter Protocol as types.

shlo/debugger/adapter/protocol.py has those that the adapter reads and makes; docs/dap_messages.py has the
tables of all answers and events, which tests and the page of the adapter read.

python docs/generate_protocol_types.py debugAdapterProtocol.json

The schema is the protocol's own, of https://github.com/microsoft/debug-adapter-protocol. Names and shapes are
taken from it, descriptions are not, and only what shlo reads, answers or sends is there.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
TARGET = ROOT / "shlo/debugger/adapter/protocol.py"
MESSAGES = ROOT / "docs/dap_messages.py"
SPEAKERS = ("shlo/debugger/adapter", "shlo_dap", "shlo_kernel")
"""Packages that read or write messages."""
PLAIN = {"boolean": "bool", "integer": "int", "number": "float", "string": "str", "null": "None"}

UNANSWERED = (
    *("disassemble", "locations", "runInTerminal", "startDebugging"),
    *("terminateThreads", "writeMemory"),
)
"""Requests that shlo neither answers nor makes."""
UNSENT = ("capabilities", "loadedSource", "memory", "module", "thread")
"""Events that it never sends."""
NO_CAPABILITIES = (
    *("additionalModuleColumns", "breakpointModes", "supportSuspendDebuggee", "supportedChecksumAlgorithms"),
    *("supportsANSIStyling", "supportsDataBreakpointBytes", "supportsDisassembleRequest"),
    *("supportsExceptionOptions", "supportsTerminateThreadsRequest", "supportsValueFormattingOptions"),
    "supportsWriteMemoryRequest",
)
"""Capabilities that shlo has not."""

Schema = Mapping[str, Any]


def spoken() -> frozenset[str]:
    """Returns the words of the sources that read or write messages: no other member of one means anything."""
    files = (file for folder in SPEAKERS for file in (ROOT / folder).rglob("*.py") if file != TARGET)
    return frozenset(word for file in files for word in re.findall(r"\w+", file.read_text(encoding="utf-8")))


HEAD = (
    '"""Messages of the Debug Adapter Protocol as types.',
    "",
    "Written by docs/generate_protocol_types.py.",
    '"""',
    "",
)


class Writer:
    """What is written for the definitions of a schema; of messages the members that are `spoken`."""

    def __init__(self, definitions: Mapping[str, Schema], words: frozenset[str]) -> None:
        self._definitions = definitions
        self._words = words
        self._classes: dict[str, str] = {}
        self._tables: dict[str, dict[str, str]] = {"ARGUMENTS": {}, "BODIES": {}, "EVENTS": {}}

    def pages(self) -> tuple[str, str]:
        """Returns the module of the product, and that of the tables of answers and events."""
        for name, definition in sorted(self._definitions.items()):
            if name in ("Event", "ProtocolMessage", "Request", "Response"):
                continue
            if "allOf" in definition and name.endswith("Format"):
                extended = self._definitions[definition["allOf"][0]["$ref"].rpartition("/")[2]]
                properties = {**extended["properties"], **definition["allOf"][1]["properties"]}
                self._typed(name, {"properties": properties})
            elif "allOf" in definition:
                self._message(name, definition["allOf"][1].get("properties", {}))
            elif "enum" not in definition and "_enum" not in definition:
                self._typed(name, definition)
        for table in self._tables.values():
            for name in (*UNANSWERED, *UNSENT):
                table.pop(name, None)
        arguments = self._tables["ARGUMENTS"].values()
        product = self._used([*arguments, *(f'"{name}"' for name in self._classes if name in self._words)])
        others = self._used([*self._tables["BODIES"].values(), *self._tables["EVENTS"].values()])
        own = [text for name, text in self._classes.items() if name in others - product]
        own += self._table("BODIES", "Bodies of the response to each request.")
        own += self._table("EVENTS", "Bodies of each event.")
        words = set(re.findall(r"\w+", "\n".join(own)))
        typing = sorted(words & {"Any", "Final", "Literal", "Required", "TypedDict"})
        known = ", ".join(sorted(["Empty", *words & product & self._classes.keys()]))
        return (
            "\n".join(
                [
                    *HEAD,
                    "from typing import Any, Final, Literal, Required, TypedDict",
                    "",
                    "class Empty(TypedDict):",
                    '    """Nothing is carried."""',
                    "",
                    "",
                    *(text for name, text in self._classes.items() if name in product),
                    *self._table("ARGUMENTS", "Arguments of each request."),
                ]
            ),
            "\n".join(
                [
                    *HEAD,
                    f"from typing import {', '.join(typing)}",
                    "",
                    f"from shlo.debugger.adapter.protocol import {known}",
                    "",
                    "",
                    *own,
                ]
            ),
        )

    def _message(self, name: str, properties: Mapping[str, Schema]) -> None:
        """Notes what a request, response or event carries."""
        kind = next((each for each in ("Request", "Response", "Event") if name.endswith(each)), "")
        if "command" in properties and kind == "Request":
            (command,) = properties["command"]["enum"]
            given = properties.get("arguments", {})
            self._tables["ARGUMENTS"][command] = self._type(given, f"{name}Arguments") if given else "Empty"
        elif kind == "Event" and "event" in properties:
            (event,) = properties["event"]["enum"]
            self._tables["EVENTS"][event] = self._body(name, properties)
        elif kind == "Response":
            command = name[0].lower() + name.removesuffix("Response")[1:]
            self._tables["BODIES"][command] = self._body(name, properties)

    def _body(self, name: str, properties: Mapping[str, Schema]) -> str:
        body = properties.get("body")
        return "Empty" if body is None else self._type(body, f"{name}Body")

    def _type(self, schema: Schema, name: str) -> str:
        """Returns the type of a schema; `name` is for what has none."""
        if "$ref" in schema:
            target = schema["$ref"].rpartition("/")[2]
            found = self._definitions[target]
            if "allOf" in found or "properties" in found or found.get("type") == "object":
                return f'"{target}"'
            return self._type(found, target)
        if "enum" in schema:
            return "Literal[" + ", ".join(map(json.dumps, schema["enum"])) + "]"
        kind = schema.get("type")
        if isinstance(kind, list):
            return "Any" if "object" in kind else " | ".join(PLAIN[each] for each in kind)
        if "oneOf" in schema:
            return "Any"
        if kind == "array":
            return f"list[{self._type(schema['items'], f'{name}Item')}]"
        if kind == "object":
            if "properties" in schema:
                self._typed(name, schema)
                return f'"{name}"'
            return f"dict[str, {PLAIN.get(_values(schema), 'Any')}]"
        return PLAIN.get(str(kind), "Any")

    def _used(self, kinds: Iterable[str]) -> set[str]:
        """Returns the classes that types name, and those that these refer to."""
        waiting = [kind.strip('"') for kind in kinds]
        used: set[str] = set()
        while waiting:
            name = waiting.pop()
            if name not in used:
                used.add(name)
                waiting += re.findall(r'"(\w+)"', self._classes.get(name, ""))
        return used

    def _typed(self, name: str, schema: Schema) -> None:
        required = frozenset(schema.get("required", ()))
        lines = [f"class {name}(TypedDict, total=False):"]
        for key, value in schema.get("properties", {}).items():
            if key not in self._words:
                continue
            kind = self._type(value, f"{name}{key[0].upper()}{key[1:]}")
            lines.append(f"    {key}: {f'Required[{kind}]' if key in required else kind}")
        if len(lines) > 1:
            self._classes[name] = "\n".join([*lines, "", ""])

    def _table(self, name: str, meaning: str) -> Iterator[str]:
        yield f"{name}: Final[dict[str, type]] = {{"
        for key, kind in sorted(self._tables[name].items()):
            name = kind.strip('"')
            yield f'    "{key}": {name if name in self._classes else "Empty"},'
        yield "}"
        yield f'"""{meaning}"""'


def _values(schema: Schema) -> str:
    additional = schema.get("additionalProperties")
    kind = additional.get("type") if isinstance(additional, dict) else None
    return kind if isinstance(kind, str) else ""


def write_modules(schema: Path) -> None:
    """Writes the modules for the schema of a file, formatted."""
    pages = Writer(json.loads(schema.read_text(encoding="utf-8"))["definitions"], spoken()).pages()
    for target, page in zip((TARGET, MESSAGES), pages, strict=True):
        command = ["ruff", "format", "--stdin-filename", str(target), "-"]
        text = subprocess.run(command, input=page, capture_output=True, text=True, check=True).stdout
        target.write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    write_modules(Path(sys.argv[1]))
