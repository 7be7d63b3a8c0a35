"""Whether control flow passes as many values, of such types, as its regions and callees take.
Specification: "while", "if", "case", "call", "composite".
"""

from __future__ import annotations

from collections.abc import Sequence

from shlo.interpreter.kernel_api import KernelError
from shlo.interpreter.program.code import CodeBlock, Kind, callee_attribute
from shlo.interpreter.program.control_flow import COUNTED
from shlo.interpreter.program.shape_checks import refuse_invalid
from shlo.ir.types import I1, FunctionType, RankedTensorType, Type, UnrankedTensorType


def check_region_types(code: CodeBlock, index: int) -> None:
    """Raises KernelError where the values that flow in and out of an instruction's regions or callee do
    not fit.
    """
    instruction = code.instructions[index]
    if instruction.kind is Kind.KERNEL or instruction.verified:
        return
    code.check_operands(index)
    if instruction.kind is not Kind.RETURN:
        _CHECKS[instruction.kind](code, index)
    instruction.verified = True


def compatible(lhs: Type, rhs: Type) -> bool:
    """Whether a value can be of both types: they are equal but for sizes that one of them leaves open."""
    if isinstance(lhs, (RankedTensorType, UnrankedTensorType)) and isinstance(
        rhs, (RankedTensorType, UnrankedTensorType)
    ):
        return lhs.element_type == rhs.element_type and _same_sizes(lhs, rhs)
    return lhs == rhs


def require_fit(what: str, given: Sequence[Type], wanted: Sequence[Type]) -> None:
    """Raises KernelError, in words that begin with `what`, unless the types fit one by one."""
    if len(given) != len(wanted):
        raise KernelError(f"{what} {len(given)} values where {len(wanted)} are needed")
    for position, (one, other) in enumerate(zip(given, wanted)):
        if not compatible(one, other):
            raise KernelError(f"{what} {one} as value {position}, which must be {other}")


def _check_scf_while(code: CodeBlock, index: int) -> None:
    operation = code.instructions[index].operation
    before, after = code.regions(index)
    require_fit("gives its condition", operation.operand_types, _argument_types(before))
    given = _returned_types(before)
    require_fit("its condition returns", given[:1], (I1,))
    require_fit("gives its body", given[1:], _argument_types(after))
    require_fit("its body returns", _returned_types(after), operation.operand_types)
    require_fit("results in", operation.result_types, given[1:])


def _check_count(code: CodeBlock, index: int) -> None:
    operation = code.instructions[index].operation
    (body,) = code.regions(index)
    carried = operation.operand_types[COUNTED:]
    require_fit("gives its body", (operation.operand_types[0], *carried), _argument_types(body))
    require_fit("its body returns", _returned_types(body), carried)
    require_fit("results in", operation.result_types, carried)


def _check_jump(code: CodeBlock, index: int) -> None:
    operation = code.instructions[index].operation
    if not all(0 <= number < len(code.siblings) for number, _ in operation.successors):
        raise KernelError("goes on with a block that there is not")


def _check_while(code: CodeBlock, index: int) -> None:
    if code.instructions[index].operation.name == "scf.while":
        _check_scf_while(code, index)
    else:
        _check_constraints(code, index)


def _check_branch(code: CodeBlock, index: int) -> None:
    operation = code.instructions[index].operation
    if not operation.name.startswith("scf."):
        _check_constraints(code, index)
        return
    for branch in code.regions(index):
        require_fit("gives a branch", (), _argument_types(branch))
        require_fit("a branch returns", _returned_types(branch), operation.result_types)


def _check_constraints(code: CodeBlock, index: int) -> None:
    regions = [
        FunctionType(_argument_types(region), _returned_types(region)) for region in code.regions(index)
    ]
    refuse_invalid(code.instructions[index].operation.signature, regions)


def _check_call(code: CodeBlock, index: int) -> None:
    operation, callee = code.instructions[index].operation, code.callee(index)
    is_direct = callee_attribute(operation) is not None
    given = operation.operand_types if is_direct else operation.operand_types[1:]
    require_fit(f"gives @{callee.name}", given, callee.argument_types)
    require_fit(f"@{callee.name} returns", callee.result_types, operation.result_types)


def _argument_types(code: CodeBlock) -> tuple[Type, ...]:
    types = code.values.types
    return tuple(types[register] for register in code.arguments)


def _returned_types(code: CodeBlock) -> tuple[Type, ...]:
    if len(code.siblings) > 1:
        ends = [each for each in code.siblings if each.instructions[-1].kind is Kind.RETURN]
        code = ends[0] if ends else code
    if not code.instructions or code.instructions[-1].kind is not Kind.RETURN:
        raise KernelError("a region does not end with a return")
    return code.instructions[-1].operation.operand_types


def check_returns(blocks: Sequence[CodeBlock], declared: Sequence[Type]) -> None:
    """Raises KernelError unless a function's blocks return values of the declared types, or go on with
    others."""
    for code in blocks:
        if not code.instructions or code.instructions[-1].kind is not Kind.JUMP:
            require_fit(f"@{code.function.name} returns", _returned_types(code), declared)


def _same_sizes(
    lhs: RankedTensorType | UnrankedTensorType, rhs: RankedTensorType | UnrankedTensorType
) -> bool:
    if isinstance(lhs, UnrankedTensorType) or isinstance(rhs, UnrankedTensorType):
        return True
    if len(lhs.shape) != len(rhs.shape):
        return False
    return all(one is None or other is None or one == other for one, other in zip(lhs.shape, rhs.shape))


_CHECKS = {
    Kind.WHILE: _check_while,
    Kind.BRANCH: _check_branch,
    Kind.COUNT: _check_count,
    Kind.CALL: _check_call,
    Kind.JUMP: _check_jump,
}
