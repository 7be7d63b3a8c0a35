"""What a search for differences or faults concludes: a statement about what it looked at."""

from __future__ import annotations

from msgspec import Struct


class Conclusion(Struct, frozen=True):
    """The outcome of a comparison, in all commands and APIs. "Nothing found" holds only where `compared`.

    Args:
        is_found: whether there is a difference or a fault.
        looked_at: how many things were compared.
        left_out: how many could not be, of those that were asked for.
    """

    is_found: bool
    looked_at: int
    left_out: int = 0

    @property
    def compared(self) -> bool:
        """Whether there was something to compare, and all of it was."""
        return self.looked_at > 0 and not self.left_out

    @property
    def text(self) -> str:
        """What a summary says behind the numbers of what was compared; empty where there are findings."""
        if self.is_found:
            return ""
        if self.compared:
            return ", none differs"
        if not self.looked_at:
            return "; nothing was compared, so nothing is known"
        return ", none of these differs, but not all could be compared"
