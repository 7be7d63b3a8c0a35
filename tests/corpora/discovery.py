"""The programs of a folder of checkouts: `.mlir` files and fenced MLIR of Markdown, each program once."""

from __future__ import annotations

import re
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path

from tests.conformance.suite import Chunk, split

SUITE = "stablehlo"
"""The checkout of the upstream suite, which `make conformance` judges; copies of its programs are left out.
"""

MLIR_FENCE = re.compile(r"^```mlir[^\n]*\n(.*?)^```", re.MULTILINE | re.DOTALL)
COMMENT = re.compile(r"//[^\n]*")
LARGEST_BYTES = 4_000_000


def chunks(folder: Path, only: str = "") -> list[Chunk]:
    """Returns the distinct programs of all checkouts in `folder` whose paths contain `only`, in the order of
    their paths.
    """
    seen = {_digest(text) for path in _files(folder / SUITE) for _, text in _programs(path)}
    found: list[Chunk] = []
    for checkout in sorted(path for path in folder.iterdir() if path.is_dir() and path.name != SUITE):
        for path in _files(checkout):
            name = path.relative_to(folder).as_posix()
            if only not in name:
                continue
            for index, (line, text) in enumerate(_programs(path)):
                digest = _digest(text)
                if digest not in seen and COMMENT.sub("", text).strip():
                    seen.add(digest)
                    found.append(Chunk(name, index, line, text))
    return found


def _files(checkout: Path) -> Iterator[Path]:
    for path in sorted(checkout.rglob("*")):
        if path.suffix in (".mlir", ".md") and path.is_file() and path.stat().st_size <= LARGEST_BYTES:
            yield path


def _programs(path: Path) -> list[tuple[int, str]]:
    """Returns the programs of a file, each with the number of its first line."""
    text = path.read_text("utf-8", "surrogateescape")
    if path.suffix == ".mlir":
        return split(text)
    return [(text.count("\n", 0, match.start(1)) + 1, match[1]) for match in MLIR_FENCE.finditer(text)]


def _digest(text: str) -> bytes:
    """Returns a digest of a program that comments and white space do not change."""
    words = " ".join(COMMENT.sub("", text).split())
    return blake2b(words.encode("utf-8", "surrogateescape"), digest_size=16).digest()
