"""Blocks and program points of a recording by number, so that they are found again in the program."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from shlo.debugger.errors import RecordingError
from shlo.debugger.recording.frames import Natural, RecordingFrame
from shlo.debugger.replay.program_points import ProgramPoint
from shlo.interpreter.kernel_api import KernelError
from shlo.interpreter.program.code import CodeBlock, Program

BlockRecord = list[Natural | str]
"""`[program, function, sibling]` or `[outer block, instruction, region, sibling]`: the last number is the
block's own among those of its region."""


class PointsFrame(RecordingFrame, tag="points", frozen=True):
    """The blocks, and the program points as block and instruction, that no frame before has."""

    blocks: list[BlockRecord]
    points: list[tuple[Natural, Natural]]


class PointWriter:
    """Numbers blocks and program points; `added` takes what was not written yet."""

    def __init__(self, programs: Sequence[Program]) -> None:
        self._programs = {id(program): number for number, program in reversed([*enumerate(programs)])}
        self._numbers: dict[CodeBlock, int] = {}
        self._inner: dict[CodeBlock, tuple[CodeBlock, int, int]] = {}
        self._added: list[BlockRecord] = []
        self._points = 0
        self._added_points: list[tuple[int, int]] = []

    def point(self, point: ProgramPoint) -> int:
        """Returns a new number for a program point."""
        self._added_points.append((self.block(point.code), point.index))
        self._points += 1
        return self._points - 1

    def block(self, code: CodeBlock) -> int:
        """Returns the number of a block."""
        written = self._numbers.get(code)
        if written is not None:
            return written
        sibling = code.siblings.index(code)
        first = code.siblings[0]
        function = code.function
        if first is function.code:
            record: BlockRecord = [
                self._programs[id(function.program)],
                _name_of(function.program, code),
                sibling,
            ]
        else:
            if first not in self._inner:
                for inner, inner_path in _inner_blocks(function.code):
                    self._inner[inner] = inner_path
            outer, index, region = self._inner[first]
            record = [self.block(outer), index, region, sibling]
        number = self._numbers[code] = len(self._numbers)
        self._added.append(record)
        return number

    def added(self) -> PointsFrame | None:
        """Returns a frame of what was numbered since the last time, None for nothing."""
        if not self._added and not self._added_points:
            return None
        frame = PointsFrame(self._added, self._added_points)
        self._added, self._added_points = [], []
        return frame


def _name_of(program: Program, code: CodeBlock) -> str:
    """Returns the name by which a program knows a function; those of nested modules are longer."""
    function = code.function
    if program.functions.get(function.name) is function:
        return function.name
    return next(name for name, one in program.functions.items() if one is function)


def _inner_blocks(code: CodeBlock) -> Iterator[tuple[CodeBlock, tuple[CodeBlock, int, int]]]:
    """Yields the blocks inside of one that were compiled, and where they are."""
    to_visit = [*code.siblings]
    while to_visit:
        outer = to_visit.pop()
        for index, instruction in enumerate(outer.instructions):
            for region, inner in enumerate(instruction.regions or ()):
                yield inner, (outer, index, region)
                to_visit += inner.siblings


class PointReader:
    """Finds blocks and program points of programs by their numbers."""

    def __init__(self, programs: Sequence[Program]) -> None:
        self.points: list[ProgramPoint] = []
        self._programs = programs
        self._blocks: list[CodeBlock] = []

    def add(self, frame: PointsFrame) -> None:
        """Adds blocks and program points; raises RecordingError where the programs have none such."""
        for record in frame.blocks:
            try:
                self._blocks.append(self._block(record))
            except (IndexError, KernelError):
                raise RecordingError("a block is not in the program") from None
        self.points += [self.point(block, index) for block, index in frame.points]

    def point(self, block: int, index: int) -> ProgramPoint:
        """Returns a program point; raises RecordingError where there is none."""
        code = self.block(block)
        if index >= len(code.instructions):
            raise RecordingError("there is no such program point")
        return ProgramPoint(code, index)

    def block(self, number: int) -> CodeBlock:
        """Returns a block; raises RecordingError where there is none of that number."""
        if number >= len(self._blocks):
            raise RecordingError("there is no such block")
        return self._blocks[number]

    def _block(self, record: BlockRecord) -> CodeBlock:
        match record:
            case [int(program), str(name), int(sibling)]:
                return self._programs[program].function(name).code.siblings[sibling]
            case [int(outer), int(index), int(region), int(sibling)]:
                return self.block(outer).regions(index)[region].siblings[sibling]
            case _:
                raise RecordingError("a block is of no kind that is known")
