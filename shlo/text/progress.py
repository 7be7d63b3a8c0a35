"""How far something is, in words: the same on terminals, in logs and in notebooks."""

from __future__ import annotations

from typing import Final

from shlo.text.numbers import number_text

SHOWN_AFTER_S: Final = 1.0
"""After how many seconds progress is shown."""


def progress_text(done: int, total: int, seconds: float, what: str = "operations") -> str:
    """Returns `120 of 400 operations (30%), 60 a second, about 5 s left`; without a total, where that is 0,
    `120 operations, 60 a second`.
    """
    rate = done / seconds if seconds > 0 else 0.0
    pace = f"{number_text(rate, 3)} a second" if rate else f"{seconds:.0f} s so far"
    if not total:
        return f"{done:,} {what}, {pace}"
    left = f", about {_duration((total - done) / rate)} left" if rate else ""
    return f"{done:,} of {total:,} {what} ({100 * done // total}%), {pace}{left}"


def _duration(seconds: float) -> str:
    """Returns a time as people say it: `5 s`, `3 min`, `2.5 h`."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"
