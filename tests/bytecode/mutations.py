"""Damaged files of bytecode and artifacts: what is changed in them, and what may become of them. Only the codec's
own errors may, and soon. What is read and verifies prints as text that parses and verifies as the same program, and is
written as bytecode of it. `python -m tests.hardening bytecode` makes many.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

import shlo
import shlo_bytecode
from shlo.ir.operations import Module
from shlo_bytecode.container.file import open_container
from shlo_bytecode.inspection import inspect
from tests.bytecode.texts import TEXTS
from tests.hardening import mutation
from tests.hardening.mutation import Change
from tests.jax_programs import SMALL
from tests.oracle import Oracle

SEED = 20261120
SECONDS = 1.0
"""How long one file may take."""
SHORT = 1500
"""How many bytes a program of JAX may take to be one of the files."""


def splice_section(rng: random.Random, data: bytearray, files: Sequence[bytes]) -> None:
    """A section's content becomes that of the same section in another file, with its length."""
    from tests.bytecode.test_damage import section

    other = rng.choice(files)
    try:
        mine, theirs = open_container(bytes(data)).sections, open_container(other).sections
    except shlo_bytecode.BytecodeError:
        return
    number = rng.choice(sorted(mine.keys() & theirs.keys()))
    content = other[theirs[number].start : theirs[number].end]
    place = mine[number]
    header = bytes(data).rfind(bytes([number]), 0, place.start)
    data[header : place.end] = section(number, content)


WIDE = re.compile(r"\S+ : f(80|128)\b")
"""Numbers that MLIR reads as doubles: those beyond the range of a double are others when they are read again."""

CHANGES: tuple[Change, ...] = (*mutation.CHANGES, splice_section, splice_section)


def mutated(rng: random.Random, files: Sequence[bytes]) -> bytes:
    """Returns one of the files, changed."""
    return mutation.changed_bytes(rng, files, CHANGES)


def outcome(data: bytes) -> str:
    """Returns what becomes of a file; raises what must not be raised."""
    found = inspect(data)
    module, damage = _read(data)
    if module is None:
        assert damage is not None
        assert found.damage is not None
        assert 0 <= damage.offset <= len(data)
        return f"refused: {re.sub(r'[0-9]+', '_', str(damage))[:80]}"
    module.to_text(locations=True)
    if _verifies(module):
        check_again(module)
    for write in (shlo_bytecode.write, shlo_bytecode.write_artifact):
        try:
            write(module)
        except shlo_bytecode.EncodingError:
            return f"not written by {write.__name__}"
    return "written"


def check_again(module: Module) -> None:
    """Raises where a program that verifies is another one, or none, by its text or its bytecode."""
    for generic in (False, True):
        text = module.to_text(generic=generic)
        again = shlo.parse(text)
        assert _verifies(again), f"its text is refused: {text}"
        assert WIDE.sub("", again.to_text(generic=generic)) == WIDE.sub("", text)
    assert shlo_bytecode.read(shlo_bytecode.write(module)).to_text() == module.to_text()


def _verifies(module: Module) -> bool:
    return all(finding.severity == "warning" for finding in shlo.verify(module))


def _read(data: bytes) -> tuple[Module | None, shlo_bytecode.BytecodeError | None]:
    try:
        return shlo_bytecode.read(data), None
    except shlo_bytecode.BytecodeError as error:
        return None, error


def seeds(oracle: Oracle) -> list[bytes]:
    """Returns the valid files that are changed."""
    versions = (0, 3, 4, 5, 6)
    files = [
        oracle.bytecode(TEXTS[name], version, unregistered=True) for name in TEXTS for version in versions
    ]
    artifacts = {"recent": ("1.17.0",), "stablehlo": ("1.6.0", "1.17.0")}
    files += [
        oracle.artifact(TEXTS[name], target) for name, targets in artifacts.items() for target in targets
    ]
    for program in SMALL[::8]:
        module = shlo.parse(program.text(debug_info=False))
        made = shlo_bytecode.write(module), shlo_bytecode.write_artifact(module)
        files += [data for data in made if len(data) < SHORT]
    return files
