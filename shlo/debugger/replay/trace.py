"""Where a process stood after each of its steps."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

import numpy as np

from shlo.debugger.replay.program_points import NOWHERE, Site, SiteTable
from shlo.interpreter.engine.frames import Frame
from shlo.interpreter.program.code import CodeBlock


class Track:
    """The places of one process, by how many steps it had taken: the number of the site before which it
    stood, and how many frames were open.
    """

    def __init__(self, sites: SiteTable) -> None:
        self.sites = sites
        self.depths = array("i")
        self.numbers = array("i")  # of sites

    @property
    def last(self) -> int:
        """The most steps that it took."""
        return len(self.numbers) - 1

    def arrive(self, frames: Sequence[Frame]) -> None:
        """Notes where the process stands after one more step."""
        frame = frames[-1] if frames else None
        number = self.sites.number(frame.code, frame.index) if frame else NOWHERE
        self.depths.append(len(frames))
        self.numbers.append(number)

    def site(self, step: int) -> Site | None:
        """Where it stood after so many steps, None where it was done."""
        number = self.numbers[step]
        return None if number == NOWHERE else self.sites[number]

    def last_visit(self, number: int, depth: int, step: int) -> int:
        """The last step, up to `step`, after which it stood at a site in this depth; -1 for none."""
        numbers, depths = self.numbers, self.depths
        for at in range(step, -1, -1):
            if numbers[at] == number and depths[at] == depth:
                return at
        return -1

    def visits(self, code: CodeBlock, index: int) -> list[int]:
        """The steps after which it stood at an instruction."""
        number = self.sites.number(code, index)
        return np.flatnonzero(np.array(self.numbers) == number).tolist()

    def repair(self) -> None:
        """Makes the record whole after an interrupt that may have come anywhere."""
        del self.depths[len(self.numbers) :]
