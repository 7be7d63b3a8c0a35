"""The blocks that run inside of an instruction."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from shlo.interpreter.kernel_api import KernelError
from shlo.interpreter.program.code import CodeBlock, Kind
from shlo.ir.operations import Operation


def codes_below(code: CodeBlock, index: int) -> Sequence[CodeBlock]:
    """Returns the blocks that an instruction's regions hold or that it calls. Raises KernelError for a callee
    that there is not.
    """
    if code.instructions[index].kind is Kind.CALL:
        return code.callee(index).code.siblings
    return [sibling for region in code.regions(index) for sibling in region.siblings]


def runnable_below(code: CodeBlock, index: int) -> Sequence[CodeBlock]:
    """Returns as `codes_below`, no blocks where they cannot run."""
    try:
        return codes_below(code, index)
    except KernelError:
        return ()


def callee_code(code: CodeBlock, index: int) -> CodeBlock | None:
    """Returns the first block of the function that an instruction calls, None where there is none."""
    called = runnable_below(code, index) if code.instructions[index].kind is Kind.CALL else ()
    return called[0] if called else None


def codes_within(code: CodeBlock, index: int) -> Iterator[CodeBlock]:
    """Yields the blocks that an instruction's regions hold or that it calls, and those of control flow in
    these, each once; raises as `codes_below`.
    """

    def below(block: CodeBlock, index: int) -> Sequence[CodeBlock]:
        return () if block.instructions[index].kind is Kind.KERNEL else codes_below(block, index)

    return reached_codes(codes_below(code, index), below)


def reached_codes(
    codes: Iterable[CodeBlock], below: Callable[[CodeBlock, int], Sequence[CodeBlock]] = runnable_below
) -> Iterator[CodeBlock]:
    """Yields blocks and those below their instructions, each once."""
    to_visit, seen = [*codes], set[int]()
    while to_visit:
        block = to_visit.pop()
        if id(block) not in seen:
            seen.add(id(block))
            yield block
            for index in range(len(block.instructions)):
                to_visit.extend(below(block, index))


def operations_within(code: CodeBlock) -> Iterator[Operation]:
    """Yields the operations of a block, of the regions in it and of the functions that it calls."""
    return (instruction.operation for block in reached_codes((code,)) for instruction in block.instructions)
