"""The blocks that run inside of an instruction."""

from __future__ import annotations

from collections.abc import Iterator

from shlo.interpreter.program.code import CodeBlock


def codes_within(code: CodeBlock, index: int) -> Iterator[CodeBlock]:
    """Yields the blocks that an instruction's regions hold or that it calls, and those of the functions that
    these call. Raises KernelError for a callee that there is not.
    """
    to_visit, seen = codes_below(code, index), set[int]()
    while to_visit:
        block = to_visit.pop()
        if id(block) in seen:
            continue
        seen.add(id(block))
        yield block
        for position, instruction in enumerate(block.instructions):
            if instruction.kind.value != "kernel":
                to_visit.extend(codes_below(block, position))


def codes_below(code: CodeBlock, index: int) -> list[CodeBlock]:
    """Returns the blocks that an instruction's regions hold or that it calls; raises as `codes_within`."""
    if code.instructions[index].kind.value == "call":
        return list(code.callee(index).code.siblings)
    return [sibling for region in code.regions(index) for sibling in region.siblings]
