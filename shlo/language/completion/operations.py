"""Names of operations that can be typed, with snippets, the likeliest first."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Literal

from msgspec import Struct

from shlo.dialects import all_op_defs
from shlo.dialects.opdef import OpDef
from shlo.ir.source import Span
from shlo.language.completion.snippets import generic_snippet, operation_snippet
from shlo.language.completion.statement import Statement
from shlo.language.document import Edit

# -- What a completion is ------------------------------------------------------------------------------------


CompletionKind = Literal[
    "operation", "idiom", "value", "function", "label", "attribute", "enumMember", "alias", "type"
]


class Completion(Struct, frozen=True):
    """Something to type: what a list shows, what replaces `span` (`insert`, a snippet where `is_snippet`),
    and where it is in the list (`order`, the smallest first). `filter` is what an editor compares with the
    text at `span`, the label where it is empty; `op_name` names the operation's definition, `edits` are made
    elsewhere with it."""

    label: str
    kind: CompletionKind
    detail: str
    insert: str
    span: Span
    order: tuple[int, ...] = (0,)
    is_snippet: bool = False
    filter: str = ""
    op_name: str = ""
    edits: tuple[Edit, ...] = ()


MAX_NEAR = 50
"""How many operations before the cursor say of which dialects a program is."""
DIALECTS = ("stablehlo", "chlo", "func", "sdy", "check", "arith", "math", "scf", "tensor")
"""The order of dialects that no operation nearby is of; others follow."""


def operations(
    statement: Statement, prefix: str, span: Span, is_reducer: bool = False
) -> Iterator[Completion]:
    """Yields the operations whose name holds what is typed: those that begin with it first, of them those of
    the dialect whose name may be left out, then of the dialects nearby. `is_reducer`: just the names of those
    that a reduction can apply."""
    typed = prefix.strip('"')
    default, near = statement.default_dialect, _dialects_near(statement)
    for op_def in all_op_defs():
        if typed not in op_def.name or (is_reducer and op_def.reducer is None):
            continue
        short_name = op_def.name.partition(".")[2]
        is_short = op_def.dialect == default and "." not in prefix and not is_reducer
        rank = -1 if is_short else near.get(op_def.dialect, _rank(op_def.dialect))
        begins = op_def.name.startswith(typed) or short_name.startswith(typed)
        order = (0 if begins else 1, rank, 0 if short_name == typed else 1)
        searched = short_name if "." not in prefix and short_name.startswith(typed) else op_def.name
        name, insert = op_def.name, op_def.name
        if prefix.startswith('"'):
            name = searched = f'"{op_def.name}"'
            insert = generic_snippet(op_def)
        elif not is_reducer:
            name = short_name if is_short else op_def.name
            insert = _snippet(op_def, name, bool(op_def.results) and not statement.has_results)
        yield Completion(
            name, "operation", op_def.summary, insert, span, order, not is_reducer, searched, op_def.name
        )


@cache
def _snippet(op_def: OpDef, name: str, has_result: bool) -> str:
    snippet = operation_snippet(op_def, name)
    return "${1:%name} = " + _shifted(snippet) if has_result else snippet


def _shifted(snippet: str) -> str:
    """Returns a snippet whose tab stops but the last are numbered from 2."""
    return re.sub(r"\$(\{?)([1-9]\d*)", lambda match: f"${match[1]}{int(match[2]) + 1}", snippet)


def _rank(dialect: str) -> int:
    return 100 + (DIALECTS.index(dialect) if dialect in DIALECTS else len(DIALECTS) + (dialect == "vhlo"))


def _dialects_near(statement: Statement) -> dict[str, int]:
    """Returns the rank of each dialect of the last operations of the region, the most frequent first."""
    region = statement.region
    names: list[str] = []
    for block in reversed(region[1].blocks) if region else ():
        names += [operation.name for operation in block.operations[-MAX_NEAR:]]
        if len(names) >= MAX_NEAR:
            break
    counts = Counter(name.partition(".")[0] for name in names if name.partition(".")[0] in DIALECTS)
    del counts["func"]
    return {dialect: rank for rank, (dialect, _) in enumerate(sorted(counts.items(), key=_frequency))}


def _frequency(item: tuple[str, int]) -> tuple[int, str]:
    return -item[1], item[0]
