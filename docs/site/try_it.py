"""What "try it" needs beside its scripts: shlo as an archive, for Pyodide.

`docs/site/static/try` has the scripts: `try.js` puts buttons below programs, `worker.js` loads Pyodide in a
thread of its own when one is pressed, `answer.py` runs a command there. `config.json` says which Pyodide, with
the hash of its first script.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from docs.site.contents import ROOT

PACKAGES: Final = (ROOT / "shlo", ROOT / "bytecode" / "shlo_bytecode")
"""What runs in the browser: pure Python, whose dependencies Pyodide has."""
ARCHIVE: Final = "_static/try/shlo.zip"


def write_archive(extra: Path) -> None:
    """Writes the archive into the folder of what the site has beside its pages; the same files make the same
    bytes.
    """
    path = extra / ARCHIVE
    path.parent.mkdir(parents=True, exist_ok=True)
    with ZipFile(path, "w", ZIP_DEFLATED, compresslevel=9) as archive:
        for package in PACKAGES:
            files = (
                file for file in package.rglob("*") if file.is_file() and "__pycache__" not in file.parts
            )
            for file in sorted(files):
                info = ZipInfo(file.relative_to(package.parent).as_posix())
                info.compress_type = ZIP_DEFLATED
                archive.writestr(info, file.read_bytes())
