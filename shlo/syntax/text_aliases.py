"""The aliases that MLIR gives to some attributes wherever they stand: `#map` for affine maps, `#set` for
affine sets, `#sparse` for the encodings of sparse tensors."""

from __future__ import annotations

import re

from shlo.syntax.dialect_symbols import balanced_end
from shlo.syntax.reader import Reader

ALIASED = {"affine_map": "map", "affine_set": "set", "#sparse_tensor.encoding": "sparse"}
START = re.compile(r"(affine_map|affine_set|#sparse_tensor\.encoding)<")


class TextAliases:
    """Puts aliases into texts and remembers what they stand for."""

    def __init__(self) -> None:
        self._aliases: dict[str, str] = {}
        self._counts: dict[str, int] = {}

    def shorten(self, text: str) -> str:
        """The text of a type or attribute with aliases in it."""
        match = START.search(text)
        if match is None:
            return text
        parts: list[str] = []
        end = 0
        while match is not None:
            parts.append(text[end : match.start()])
            end = balanced_end(Reader(text), match.end() - 1)
            body = " ".join(text[match.start() : end].split())
            parts.append(self._alias(body, ALIASED[match[1]]))
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
