"""Runs that a person asked for: few at a time, each in a child process, none outlives the server."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

from shlo.runner.child.launch import Child, Outcome

AT_ONCE = 2
"""How many run at the same time; the others wait."""


class Runs:
    """The child processes of a server."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(AT_ONCE, "run")
        self._children: set[Child] = set()

    async def outcome(self, child: Child) -> Outcome:
        """Runs a child; cancelling stops it."""
        self._children.add(child)
        try:
            return await asyncio.get_running_loop().run_in_executor(self._pool, child.outcome)
        except asyncio.CancelledError:
            child.stop()
            raise
        finally:
            self._children.discard(child)

    def stop(self) -> None:
        """Ends all that run or wait."""
        for child in list(self._children):
            child.stop()
