"""Work of single operations, by their definitions."""

from __future__ import annotations

from msgspec import Struct

from shlo.costs.model import NO_WORK, Work
from shlo.dialects import find_op_def
from shlo.dialects.op_bindings import OpBindings
from shlo.dialects.opdef import ControlFlow, OpDef
from shlo.dialects.stablehlo.rules.work import byte_count
from shlo.dialects.work import NotCounted, OpWork, elements_of
from shlo.ir.attributes import SymbolRefAttr
from shlo.ir.operations import Signature
from shlo.ir.types import Type


class OpFacts(Struct, frozen=True):
    """What costs need to know of an operation's signature.

    Attributes:
        work: its work without that of its regions, None where that is not known.
        own: the same as numbers to add up.
        unknown: why the work is not known, empty where it is.
        callee: the function that it calls, None for no call.
        control_flow: how its regions are carried out.
        is_elementwise: whether it works on each element alone.
        result_bytes: the bytes of each result, 0 where a size is not known.
    """

    work: OpWork | None
    own: Work
    unknown: str
    callee: str | None
    control_flow: ControlFlow | None
    is_elementwise: bool
    result_bytes: tuple[int, ...]

    @property
    def has_kernel(self) -> bool:
        """Whether its regions, if it has any, are bodies that a kernel applies to elements."""
        return self.work is not None and bool(self.work.rounds)


class OpWorks:
    """Looks the work of operations up; each signature is judged once."""

    def __init__(self) -> None:
        self._known: dict[Signature, OpFacts] = {}

    def of(self, signature: Signature) -> OpFacts:
        """Returns what is known of an operation's signature."""
        facts = self._known.get(signature)
        if facts is None:
            facts = self._known[signature] = _facts(signature)
        return facts


def _facts(signature: Signature) -> OpFacts:
    op_def = find_op_def(signature.name)
    work = _judged(op_def, signature)
    is_known = not isinstance(work, str)
    symbol = None if op_def is None or op_def.callee is None else signature.attribute(op_def.callee)
    return OpFacts(
        work if is_known else None,
        Work(work.flops, work.transcendentals, work.read or 0, work.written or 0) if is_known else NO_WORK,
        "" if is_known else work,
        symbol.root if isinstance(symbol, SymbolRefAttr) else None,
        None if op_def is None else op_def.control_flow,
        op_def is not None and op_def.has("elementwise"),
        tuple(map(known_bytes, signature.result_types)),
    )


def _judged(op_def: OpDef | None, signature: Signature) -> OpWork | str:
    """Returns the work of an operation, or why it is not known."""
    if op_def is None:
        return f"shlo has no definition of {signature.name}"
    try:
        return _work_of(op_def, signature)
    except NotCounted as error:
        return str(error)
    except (ArithmeticError, LookupError, TypeError, ValueError):  # it breaks a constraint
        return f"{signature.name} is not valid"


def _work_of(op_def: OpDef, signature: Signature) -> OpWork:
    if op_def.has("terminator") or op_def.control_flow is not None or op_def.has("constant"):
        return OpWork(read=0, written=0)
    if op_def.work is not None:
        work = op_def.work(OpBindings(op_def, signature))
    else:
        elements = elements_of(signature.result_types[0]) if signature.result_types else 0
        if op_def.has("transcendental"):
            work = OpWork(transcendentals=elements)
        elif op_def.has("elementwise"):
            work = OpWork(flops=elements)
        else:
            work = OpWork(is_view=op_def.has("annotation"))
    if work.is_view:
        return work
    read = sum(map(byte_count, signature.operand_types)) if work.read is None else work.read
    written = sum(map(byte_count, signature.result_types)) if work.written is None else work.written
    return OpWork(work.flops, work.transcendentals, work.rounds, read, written, work.in_place)


def known_bytes(type_: Type) -> int:
    """Returns the bytes of a value, 0 for one whose size is not known."""
    try:
        return byte_count(type_)
    except NotCounted:
        return 0
