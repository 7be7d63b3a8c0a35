"""Stubs of custom calls from what a user writes: `TARGET=zeros`, `TARGET=random` or `TARGET=FILE.npz`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from shlo.interpreter.custom_call_api import Stub
from shlo.interpreter.runtime.limits import memory_limit
from shlo.ir.array_files import ArrayArchive, ArrayHeader
from shlo.runner.errors import RequestError, quoted

FORMS: Final = "TARGET=zeros, TARGET=random or TARGET=FILE.npz"


def read_stubs(texts: Iterable[str]) -> dict[str, Stub]:
    """Returns the stubs that texts name, by target or pattern, in their order; the recorded ones are read.

    Raises RequestError where a text has none of the FORMS, a target is named twice or a file cannot be read.
    """
    stubs: dict[str, Stub] = {}
    for text in texts:
        target, _, value = text.partition("=")
        if not target or not value:
            raise RequestError(f"expected {FORMS}, got {quoted(text)}")
        if target in stubs:
            raise RequestError(f"expected one stub of {quoted(target)}, got two")
        stubs[target] = _stub(value, text)
    return stubs


def _stub(value: str, text: str) -> Stub:
    if value == "zeros" or value == "random":
        return value
    if value.lower().endswith(".npz"):

        def check(header: ArrayHeader) -> None:
            if header.size > memory_limit():
                size = f"{header.size} bytes, more than this machine's memory"
                raise RequestError(f"{value} holds an array of {size}")

        with ArrayArchive(value) as archive:
            return {name: archive.read(name, check) for name in archive.names}
    raise RequestError(f"expected {FORMS}, got {quoted(text)}")
