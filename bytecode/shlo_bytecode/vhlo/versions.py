"""The versions of StableHLO that portable artifacts are written for."""

from __future__ import annotations

import re

from shlo.dialects.vhlo.versions import ROWS, Version, version_of
from shlo_bytecode.container.file import NEWEST_VERSION
from shlo_bytecode.tables.vhlo import ATTRIBUTE_VERSIONS, TYPE_VERSIONS

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


def changing_versions() -> list[Version]:
    """Returns the versions that brought operations, attributes, types or forms, the oldest first."""
    items = {*ATTRIBUTE_VERSIONS.values(), *TYPE_VERSIONS.values(), "0.17.0", "1.3.0", "1.17.0"}
    return sorted({row.first for row in ROWS} | set(map(version_of, items)))


def bytecode_version(opset: Version) -> int:
    """Returns the version of bytecode that artifacts for a version of StableHLO are in."""
    return next(version for first, version in BYTECODE_VERSIONS if opset >= version_of(first))
