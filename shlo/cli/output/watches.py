"""What looks at each operation of a run and tells at the end what it has seen: the sanitizer, a shadow."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from shlo.command_line.options import selection_of
from shlo.runner.errors import RequestError

if TYPE_CHECKING:
    from shlo.sanitizer.run import Sanitizer
    from shlo.shadow.run import ShadowRun


class Watch(Struct, frozen=True):
    """A run that is looked at.

    Args:
        name: under which `--format json` has what was seen.
        run: runs programs.
        lines: what was seen, for people.
        data: the same for `--format json`.
        has_seen: whether there was anything to look at.
        is_bad: whether what was seen fails the run.
        comes_last: whether the lines follow the results.
    """

    name: str
    run: Sanitizer | ShadowRun
    lines: Callable[[], Iterator[str]]
    data: Callable[[], dict[str, Any]]
    has_seen: Callable[[], bool]
    is_bad: Callable[[], bool]
    comes_last: bool = False


def watch_of(options: Namespace) -> Watch | None:
    """Returns what looks at the run, None where nothing is asked for; raises RequestError."""
    selection = selection_of(options)
    given = [name for name in ("sanitize", "shadow") if getattr(options, name) is not None]
    if not given:
        return None
    name = given[0]
    for other in (*given[1:], "record", "trace", "time"):
        if getattr(options, other):
            raise RequestError(
                f"expected --{name} or --{other}, got both", f"a run with --{name} goes step by step"
            )
    if selection is not None:
        from shlo.sanitizer.report import data_of, lines_of
        from shlo.sanitizer.run import Sanitizer

        sanitizer = Sanitizer(selection)
        findings = sanitizer.findings
        return Watch(
            "sanitizer",
            sanitizer,
            lambda: lines_of(findings),
            lambda: data_of(findings),
            lambda: findings.looked_at > 0,
            lambda: bool(findings),
        )
    return _shadow(options)


def _shadow(options: Namespace) -> Watch:
    from shlo.shadow.report import data_of, lines_of
    from shlo.shadow.run import ShadowRun, refuse_grid

    if options.grid is not None:
        raise refuse_grid()
    shadow = ShadowRun()
    losses = shadow.losses
    return Watch(
        "shadow",
        shadow,
        lambda: lines_of(losses),
        lambda: data_of(losses),
        lambda: losses.looked_at > 0,
        lambda: False,
        comes_last=True,
    )
