"""Whether control flow passes as many values, of such types, as its regions and callees take.
Specification: "while", "if", "case", "call", "composite".
"""

from __future__ import annotations

from shlo.interpreter.kernel_api import KernelError
from shlo.interpreter.program.code import CodeBlock, Kind, callee_attribute, returned_types
from shlo.interpreter.program.control_flow import COUNTED
from shlo.interpreter.program.shape_checks import refuse_invalid
from shlo.interpreter.program.type_fit import require_fit
from shlo.ir.types import I1, FunctionType, Type


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


def _check_scf_while(code: CodeBlock, index: int) -> None:
    operation = code.instructions[index].operation
    before, after = code.regions(index)
    require_fit("gives its condition", operation.operand_types, _argument_types(before))
    types = returned_types(before)
    require_fit("its condition returns", types[:1], (I1,))
    require_fit("gives its body", types[1:], _argument_types(after))
    require_fit("its body returns", returned_types(after), operation.operand_types)
    require_fit("results in", operation.result_types, types[1:])


def _check_count(code: CodeBlock, index: int) -> None:
    operation = code.instructions[index].operation
    (body,) = code.regions(index)
    carried = operation.operand_types[COUNTED:]
    require_fit("gives its body", (operation.operand_types[0], *carried), _argument_types(body))
    require_fit("its body returns", returned_types(body), carried)
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
        require_fit("a branch returns", returned_types(branch), operation.result_types)


def _check_constraints(code: CodeBlock, index: int) -> None:
    regions = [
        FunctionType(_argument_types(region), returned_types(region)) for region in code.regions(index)
    ]
    refuse_invalid(code.instructions[index].operation.signature, regions)


def _check_call(code: CodeBlock, index: int) -> None:
    operation, callee = code.instructions[index].operation, code.callee(index)
    is_direct = callee_attribute(operation) is not None
    types = operation.operand_types if is_direct else operation.operand_types[1:]
    require_fit(f"gives @{callee.name}", types, callee.argument_types)
    require_fit(f"@{callee.name} returns", callee.result_types, operation.result_types)


def _argument_types(code: CodeBlock) -> tuple[Type, ...]:
    types = code.values.types
    return tuple(types[register] for register in code.arguments)


_CHECKS = {
    Kind.WHILE: _check_while,
    Kind.BRANCH: _check_branch,
    Kind.COUNT: _check_count,
    Kind.CALL: _check_call,
    Kind.JUMP: _check_jump,
}
