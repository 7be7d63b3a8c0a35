"""What the command's exit code says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from shlo.support.conclusion import Conclusion

FINE: Final = 0
FINDINGS: Final = 1
"""The program is wrong: it has errors, it failed while it ran, a file is not formatted."""
COULD_NOT: Final = 2
"""The request could not be carried out, or not all of it: a file that cannot be read, an argument that
does not fit, something that could not be compared.
"""
INTERRUPTED: Final = 130
BROKEN_PIPE: Final = 141


def exit_code_of(conclusion: Conclusion) -> int:
    """Returns the exit code of a comparison: findings before what was left out, and that before FINE."""
    if conclusion.is_found:
        return FINDINGS
    return FINE if conclusion.compared else COULD_NOT
