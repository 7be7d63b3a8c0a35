"""Bytecode and portable artifacts beside the oracle's: what it writes we read as what we parse from the text,
and what we write it reads as the same module.

Mostly our bytes are the oracle's, which says all of that at once. Where they are not (orders of uses, which
no text says; defaults that an artifact's text wrote out, which vanish in reading it), the modules are
compared as text.
"""

from __future__ import annotations

import re

import shlo_bytecode
from shlo.ir.operations import Module
from shlo.syntax import parse
from shlo_bytecode.container.file import NATIVE_PROPERTIES, open_container
from shlo_bytecode.container.resources import read_resources
from shlo_bytecode.reader.entries import EntryTable
from shlo_bytecode.reader.regions import RegionReader
from tests.conformance.checks import generic_checks
from tests.conformance.suite import Chunk
from tests.conformance.text import NEWER, Judgement, first_difference
from tests.oracle import Oracle, OracleCrashed, OracleError

UNREGISTERED_PROPERTIES = re.compile(r'"(?!stablehlo|chlo|func|sdy|quant)\w+\.\w+"[^\n]*<\{')
"""An operation of a dialect that the oracle does not know, with properties: it drops them when it writes
bytecode that has none."""

VERSIONS = tuple(range(7))
TARGETS = tuple([f"0.{minor}.0" for minor in range(9, 21)] + [f"1.{minor}.0" for minor in range(18)])
"""The versions of StableHLO that the oracle knows."""


def judge(oracle: Oracle, chunk: Chunk) -> Judgement:
    """Returns what comes of writing a chunk in every version, and of reading what the oracle writes."""
    text = generic_checks(chunk.text)
    try:
        if NEWER.search(text) or not oracle.accepts(text, unregistered=True).accepted:
            return Judgement("refused by the oracle")
        bytecodes, artifacts = oracle.forms(text, VERSIONS, TARGETS, unregistered=True)
    except OracleCrashed:
        return Judgement("the oracle crashed")
    try:
        return _judged(oracle, text, bytecodes, artifacts)
    except OracleError as error:
        return Judgement("FAIL oracle", str(error)[:300])
    except Exception as error:
        return Judgement("FAIL raised", f"{type(error).__name__}: {error}")


def _judged(
    oracle: Oracle, text: str, bytecodes: list[bytes | str], artifacts: list[bytes | str]
) -> Judgement:
    module, _ = parse(text, "-")
    verdicts = {"same bytes"}
    for version, wanted in zip(VERSIONS, bytecodes, strict=True):
        if isinstance(wanted, bytes):
            verdict = _bytecode(oracle, text, module, version, wanted)
            if verdict.verdict.startswith("FAIL"):
                return verdict
            verdicts.add(verdict.verdict)
    for target, wanted in zip(TARGETS, artifacts, strict=True):
        verdict = _artifact(oracle, module, target, wanted)
        if verdict.verdict.startswith("FAIL"):
            return verdict
        verdicts.add(verdict.verdict)
    return Judgement("same modules" if "same module" in verdicts else "same bytes")


def _bytecode(oracle: Oracle, text: str, module: Module, version: int, wanted: bytes) -> Judgement:
    where = f"bytecode version {version}"
    found = shlo_bytecode.read(wanted)
    producer = open_container(wanted).producer
    ours = shlo_bytecode.write(module, version, producer=producer)
    again = shlo_bytecode.write(found, version, producer=producer)
    if ours == wanted == again:
        return _read(module, found, where)
    expected = oracle.pretty_bytecode(wanted, locations=True, unregistered=True, print_generic_op_form=True)
    written = {"written": ours, "read and written": again}
    if version < NATIVE_PROPERTIES and UNREGISTERED_PROPERTIES.search(text):
        oracle.pretty_bytecode(written.pop("written"), unregistered=True)
    for name, data in written.items():
        actual = oracle.pretty_bytecode(data, locations=True, unregistered=True, print_generic_op_form=True)
        if actual != expected:
            return Judgement(f"FAIL {name}", f"{where}: {first_difference(expected, actual)}")
        if (data is again or not has_use_lists(wanted)) and data != wanted:
            return Judgement(f"FAIL {name}: other bytes", f"{where}: {_byte(data, wanted)}")
    return _read(module, found, where, "same module") if "written" in written else Judgement("same module")


def _artifact(oracle: Oracle, module: Module, target: str, wanted: bytes | str) -> Judgement:
    where = f"artifact {target}"
    try:
        ours = shlo_bytecode.write_artifact(module, target)
    except shlo_bytecode.EncodingError as error:
        if isinstance(wanted, str):
            return Judgement("both refuse")
        return Judgement("FAIL refused", f"{where}: {error}")
    if isinstance(wanted, str):
        return Judgement("FAIL not refused", f"{where}: {wanted[:300]}")
    found = shlo_bytecode.read(wanted)
    again = shlo_bytecode.write_artifact(found, target)
    if ours == wanted == again:
        return Judgement("same bytes")
    expected = oracle.pretty_artifact(wanted, locations=True, print_generic_op_form=True)
    for data, name in ((ours, "written"), (again, "read and written")):
        actual = oracle.pretty_artifact(data, locations=True, print_generic_op_form=True)
        if actual != expected:
            return Judgement(f"FAIL {name}", f"{where}: {first_difference(expected, actual)}")
        if data is ours and data != wanted and not has_use_lists(wanted):
            return Judgement(f"FAIL {name}: other bytes", f"{where}: {_byte(data, wanted)}")
    return Judgement("same module")


def _read(module: Module, found: Module, where: str, verdict: str = "same bytes") -> Judgement:
    """Returns whether what was read prints as what was parsed."""
    expected, actual = (each.to_text(generic=True) for each in (module, found))
    if expected != actual:
        return Judgement("FAIL read", f"{where}: {first_difference(expected, actual)}")
    return Judgement(verdict)


def has_use_lists(data: bytes) -> bool:
    """Returns whether a file says in which order values are used."""
    container = open_container(data)
    reader = RegionReader(container, EntryTable(container, read_resources(container).of_dialects))
    reader.root()
    return reader.has_use_lists


def _byte(data: bytes, wanted: bytes) -> str:
    pairs = enumerate(zip(data, wanted))
    place = next((at for at, (a, b) in pairs if a != b), min(len(data), len(wanted)))
    return f"{len(data)} bytes, wanted {len(wanted)}; they differ from byte {place} on"
