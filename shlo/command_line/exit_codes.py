"""What the command's exit code says."""

from __future__ import annotations

from typing import Final

FINE: Final = 0
FINDINGS: Final = 1
"""The program is wrong: it has errors, it failed while it ran, a file is not formatted."""
COULD_NOT: Final = 2
"""The request could not be carried out: a file that cannot be read, an argument that does not fit."""
INTERRUPTED: Final = 130
BROKEN_PIPE: Final = 141
