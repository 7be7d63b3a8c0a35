"""The aliases that MLIR gives to some attributes wherever they stand: `#map` for affine maps, `#set` for
affine sets, `#sparse` for the encodings of sparse tensors."""

from __future__ import annotations

import re

ALIASED = {"affine_map": "map", "affine_set": "set", "#sparse_tensor.encoding": "sparse"}
STEP = re.compile(r'"(?:[^"\\\n]|\\.)*"|->|>=|[<>]')
START = re.compile(r"(affine_map|affine_set|#sparse_tensor\.encoding)<")


class TextAliases:
    """Puts aliases into texts and remembers what they stand for."""

    def __init__(self) -> None:
        self._aliases: dict[str, str] = {}
        self._counts: dict[str, int] = {}

    def shorten(self, text: str) -> str:
        """The text of a type or attribute with aliases in it."""
        if not any(word in text for word in ALIASED):  # much sooner known than by the pattern
            return text
        match = START.search(text)
        parts: list[str] = []
        end = 0
        while match is not None:
            parts.append(text[end : match.start()])
            end = _end(text, match.end() - 1)
            parts.append(self._alias(_in_order(text[match.start() : end]), ALIASED[match[1]]))
            match = START.search(text, end)
        return "".join([*parts, text[end:]])

    def definitions(self) -> list[str]:
        """The lines that define the aliases, by kind and in the order of their first use."""
        by_kind = sorted(self._aliases.items(), key=lambda item: item[1].rstrip("0123456789"))
        return [f"{alias} = {text}\n" for text, alias in by_kind]

    def _alias(self, text: str, kind: str) -> str:
        alias = self._aliases.get(text)
        if alias is None:
            count = self._counts.get(kind, 0)
            self._counts[kind] = count + 1
            alias = self._aliases[text] = f"#{kind}{count or ''}"
        return alias


def _in_order(text: str) -> str:
    """A text with one blank where there are any, and inside the braces of an encoding."""
    return " ".join(text.replace("<{", "<{ ").replace("}>", " }>").split())


def _end(text: str, start: int) -> int:
    """The place behind the angle bracket that closes the one at `start`."""
    depth = 0
    for match in STEP.finditer(text, start):
        depth += {"<": 1, ">": -1}.get(match[0], 0)
        if depth == 0:
            return match.end()
    return len(text)
