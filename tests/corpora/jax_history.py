"""Writes the back-compatibility data that JAX has removed into a folder: `python -m tests.corpora.jax_history
CLONE FOLDER`, where CLONE is a clone of JAX with its history and FOLDER what is written, by convention
`jax-history` beside the checkout `jax`. Every version of every data file becomes a file of its own.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from tests.corpora.back_compat_data import FOLDERS


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.corpora.jax_history", description=__doc__)
    parser.add_argument("clone", type=Path, help="a clone of JAX with its history")
    parser.add_argument("folder", type=Path, help="where to write the files")
    options = parser.parse_args()
    written = 0
    for blob, path in versions(options.clone):
        text = _git(options.clone, "cat-file", "blob", blob)
        target = options.folder / FOLDERS[0] / blob[:12] / path.name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text)
        written += 1
    print(f"{written} files")
    return 0


def versions(clone: Path) -> Iterator[tuple[str, PurePosixPath]]:
    """Yields the contents that data files have had, as blobs, each once, with the path it was last found at."""
    patterns = [f"*{folder}/*.py" for folder in FOLDERS]
    log = _git(clone, "log", "--all", "--raw", "--no-abbrev", "--no-renames", "--format=", "--", *patterns)
    seen = set[str]()
    for line in log.decode().splitlines():
        states, _, path = line.partition("\t")
        blob = states.split()[3]
        if set(blob) != {"0"} and blob not in seen:
            seen.add(blob)
            yield blob, PurePosixPath(path)


def _git(clone: Path, *arguments: str) -> bytes:
    return subprocess.run(["git", "-C", str(clone), *arguments], check=True, capture_output=True).stdout


if __name__ == "__main__":
    sys.exit(main())
