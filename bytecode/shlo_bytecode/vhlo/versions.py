"""The versions of StableHLO that portable artifacts are written for."""

from __future__ import annotations

import re
from os import PathLike

from msgspec import Struct

from shlo.dialects.vhlo.versions import Version, version_of
from shlo.support.files import contents
from shlo_bytecode.container.errors import BytecodeError
from shlo_bytecode.container.file import NEWEST_VERSION, Container, is_bytecode, open_container
from shlo_bytecode.container.stream import Stream
from shlo_bytecode.tables.builtin_types import FIRST_LATER_FLOAT

NEWEST_TARGET = "1.22.0"
"""The newest version of artifacts: after StableHLO's current one, versions have brought no operation."""
ARTIFACT_PRODUCER = "StableHLO_v"
"""What the producer of a portable artifact starts with; its version follows."""
PRODUCER = re.compile(rf"{ARTIFACT_PRODUCER}(\d+\.\d+\.\d+)")
EARLIEST = "0.9.0"
BYTECODE_VERSIONS = (("0.15.0", NEWEST_VERSION), ("0.14.0", 4), ("0.12.0", 3), ("0.10.0", 1), (EARLIEST, 0))
"""From which version of StableHLO on artifacts are in which version of bytecode, the newest first."""


def artifact_version(producer: str) -> str | None:
    """Returns the version of StableHLO that an artifact with this producer is for, None for no artifact."""
    match = PRODUCER.search(producer)
    return match[1] if match else None


def opset_of(target: str) -> Version:
    """Returns the version whose operations an artifact for `target` has: without its last number, which
    changes nothing. Raises ValueError where there is no such version.
    """
    if not re.fullmatch(r"\d{1,9}\.\d{1,9}\.\d{1,9}", target):
        raise ValueError(f"a version of StableHLO is three numbers such as 1.4.0, not {target!r}")
    version = version_of(target)
    if not version_of(EARLIEST) <= version <= version_of(NEWEST_TARGET):
        raise ValueError(f"artifacts are of the versions {EARLIEST} to {NEWEST_TARGET}, not {target}")
    return version[0], version[1], 0


def bytecode_version(opset: Version) -> int:
    """Returns the version of bytecode that artifacts for a version of StableHLO are in."""
    return next(version for first, version in BYTECODE_VERSIONS if opset >= version_of(first))


# --- What will read a file: a version of jaxlib or of StableHLO, or what wrote a given file -----------------


_JAXLIB = """
    0.4.34 1.7.5   0.4.35 1.7.8   0.4.36 1.8.5   0.4.38 1.8.7   0.5.0 1.8.9   0.5.3 1.10.0   0.6.0 1.10.4
    0.6.2 1.11.0   0.7.0 1.12.1   0.7.2 1.13.0   0.8.0 1.13.1   0.8.3 1.13.5   0.9.0 1.13.7   0.9.2 1.14.0
    0.10.0 1.16.0  0.10.1 1.17.0  0.11.0 1.18.0  0.11.1 1.19.0  0.11.2 1.20.0  0.12.0 1.22.0
"""
"""From which version of jaxlib on which StableHLO is in it: measured, not all releases are here."""
_CODED_FLOATS = (0, 10, 2), (1, 18, 0)
"""From which versions of jaxlib and of StableHLO on narrow floating-point types may have codes."""
_LLVM = {20: "1.7.5", 21: "1.10.0", 22: "1.13.0", 23: "1.14.0", 24: "1.18.0"}
"""The earliest StableHLO in jaxlib whose bytecode names that version of LLVM as its producer."""
EXPECTED = "jaxlib==0.12.0, stablehlo==1.4.0 or a file of bytecode"


class Consumer(Struct, frozen=True):
    """What reads a file.

    Attributes:
        library: The version of StableHLO in it; None if unknown.
        bytecode: The newest version of bytecode that it is known to read.
        coded_floats: Whether it reads narrow floating-point types by code; all read them as text.
        is_artifact: Whether it was named by a portable artifact.
    """

    library: Version | None = None
    bytecode: int = NEWEST_VERSION
    coded_floats: bool = False
    is_artifact: bool = False


def consumer_of(name: str | PathLike[str]) -> Consumer:
    """Returns the consumer that `jaxlib==0.12.0`, `stablehlo==1.4.0` or the path of a file names.

    Raises ValueError for another name, OSError where the file cannot be read.
    """
    match = re.fullmatch(r"\s*(\w+)\s*==\s*(\S+)\s*", name) if isinstance(name, str) else None
    if match is None:
        return _producer_of(name)
    package, version = match[1].lower(), match[2]
    if package == "jaxlib" or package == "jax":
        return _jaxlib(version)
    if package == "stablehlo":
        opset = opset_of(version)
        return Consumer(version_of(version), bytecode_version(opset), opset >= _CODED_FLOATS[1])
    raise ValueError(f"expected {EXPECTED}, got {name}")


def _jaxlib(text: str) -> Consumer:
    if not re.fullmatch(r"\d{1,9}(\.\d{1,9}){2,3}", text):
        raise ValueError(f"expected a version of jaxlib such as 0.12.0, got {text}")
    version = version_of(".".join(text.split(".")[:3]))
    words = _JAXLIB.split()
    rows = list(zip(map(version_of, words[::2]), map(version_of, words[1::2]), strict=True))
    libraries = [library for first, library in rows if first <= version]
    if not libraries:
        raise ValueError(f"expected jaxlib {words[0]} or newer, got {text}")
    return Consumer(libraries[-1], coded_floats=version >= _CODED_FLOATS[0])


def _producer_of(path: str | PathLike[str]) -> Consumer:
    """Returns what is known to read what wrote a file."""
    try:
        data = contents(path)
    except FileNotFoundError:
        raise ValueError(f"expected {EXPECTED}, got {path}, which is no file") from None
    if not is_bytecode(data):
        raise ValueError(f"expected {EXPECTED}, got {path}, which holds no bytecode")
    try:
        container = open_container(data)
    except BytecodeError as error:
        raise error.named(str(path)) from None
    version = artifact_version(container.producer)
    if version is not None:
        opset = opset_of(version)
        return Consumer(version_of(version), bytecode_version(opset), is_artifact=True)
    llvm = re.match(r"(?:MLIR|LLVM)(\d+)", container.producer)
    first = _LLVM.get(int(llvm[1])) if llvm else None
    return Consumer(version_of(first) if first else None, container.version, _has_coded_floats(container))


def _has_coded_floats(container: Container) -> bool:
    """Returns whether a file has narrow floating-point types by code: what wrote it reads them, too."""
    types = [place for place in container.types if place.is_custom and place.dialect == "builtin"]
    codes = [Stream(container.data, place.start, place.end).varint("a type") for place in types]
    return any(code >= FIRST_LATER_FLOAT for code in codes)
