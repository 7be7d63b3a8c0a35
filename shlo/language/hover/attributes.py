"""What words inside an operation mean: attributes in pretty and generic form, words of enumerations,
parameters of struct attributes, attributes that JAX and XLA add, targets of custom calls."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

from shlo.dialects import find_dialect
from shlo.dialects.opdef import AttributeDef, OpDef
from shlo.dialects.sdy.attributes import AxisReference, ShardyMesh, TensorSharding
from shlo.ir.attributes import Attribute, StringAttr, SymbolRefAttr
from shlo.ir.op_path import OpPath
from shlo.ir.source import Span
from shlo.language.document import Part
from shlo.language.hover.markdown import code, fence
from shlo.language.hover.meanings import ATTRIBUTES, FORM_WORDS, KNOWN, PARAMETERS, WORDS
from shlo.language.hover.op_docs import (
    attribute_line,
    constraint_text,
    op_def_named,
    parameters_of,
    struct_named,
    words_of,
)
from shlo.language.hover.operations import constraints_about
from shlo.syntax.assembly_format.spec import attribute_words
from shlo.syntax.attributes.parse import parse_attribute
from shlo.syntax.lexer.cursor import Cursor, SyntaxFault
from shlo.syntax.lexer.strings import unescape
from shlo.syntax.lexer.tokens import Token
from shlo.text.numbers import plural
from shlo.text.shortening import fitted

# -- What a sharding says, in words --------------------------------------------------------------------------


MAX_LINES = 12


def sharding_text(part: Part, value: Attribute) -> str:
    """Returns what a sharding or a mesh says, in Markdown; empty for another attribute."""
    if isinstance(value, ShardyMesh):
        axes = ", ".join(f"{code(name)} of {size}" for name, size in value.axes[:MAX_LINES])
        count = math.prod(size for _, size in value.axes)
        return f"Mesh of {plural(count, 'device')}: {axes}" if axes else "Mesh of a single device"
    if isinstance(value, TensorSharding):
        return "\n".join(_lines(part, value))
    if isinstance(value, StringAttr):
        return _hlo_text(value.value)
    return ""


def _lines(part: Part, sharding: TensorSharding) -> Iterator[str]:
    mesh = _mesh(part, sharding)
    if sharding.is_replicated:
        yield "Every device of the mesh holds the whole tensor."
    for number, dimension in enumerate(sharding.dimensions[:MAX_LINES]):
        opened = "" if dimension.is_closed else ", may be split further"
        if dimension.axes:
            yield f"- dimension {number}: {_split(dimension.axes, mesh)}{opened}"
        elif opened:
            yield f"- dimension {number}: whole{opened}"
    if sharding.replicated:
        yield f"- copies along {_named(sharding.replicated)}"
    if sharding.unreduced:
        yield f"- parts along {_named(sharding.unreduced)} are still to be combined by {sharding.reduction}"


def _split(axes: tuple[AxisReference, ...], mesh: ShardyMesh | None) -> str:
    sizes = [axis.part[1] if axis.part else mesh.sizes.get(axis.name) if mesh else None for axis in axes]
    known_sizes = [size for size in sizes if size is not None]
    parts = f" into {plural(math.prod(known_sizes), 'part')}" if len(known_sizes) == len(sizes) else ""
    return f"split{parts} over {_named(axes)}"


def _named(axes: tuple[AxisReference, ...]) -> str:
    return ", ".join(code(axis.name) for axis in axes)


def _mesh(part: Part, sharding: TensorSharding) -> ShardyMesh | None:
    if not isinstance(sharding.mesh, SymbolRefAttr):
        return sharding.mesh
    for symbol in part.index.symbols.all:
        if symbol.name == sharding.mesh.root:
            mesh = symbol.place.operation.attribute("mesh")
            return mesh if isinstance(mesh, ShardyMesh) else None
    return None


def _hlo_text(text: str) -> str:
    """Returns what a sharding of XLA says; empty for a text that is none."""
    if not text.startswith("{"):
        return ""
    # The interpreter is loaded when a sharding is asked about, not when a server starts.
    from shlo.interpreter.kernel_api import KernelError
    from shlo.interpreter.topology.hlo_sharding import read_sharding

    try:
        sharding = read_sharding(text)
    except KernelError:
        return ""
    if sharding.is_manual:
        return "The program splits the tensor by hand."
    if sharding.only_device is not None:
        return f"Device {sharding.only_device} holds the whole tensor."
    if not sharding.tiles:
        return "Every device holds the whole tensor."
    split = [f"dimension {number} in {parts}" for number, parts in enumerate(sharding.counts) if parts > 1]
    return f"Split: {', '.join(split)}" if split else "Not split."


MAX_VALUE = 300
"""How many characters of an attribute's value are shown."""
STRUCT = re.compile(r"#([a-z_]\w*\.\w+)<[^#]*\Z", re.ASCII)
EQUALS = re.compile(r"\s*=(?!=)\s*", re.ASCII)


def word_text(part: Part, op_path: OpPath, token: Token) -> str | None:
    """Returns what a word in an operation's text means, in Markdown; None where that is not known."""
    for outer in op_path.around():
        op_def = op_def_named(outer.operation.name)
        if op_def is None:
            continue
        if text := _of_definition(part, outer, op_def, token):
            return text
        if outer.operation.regions and outer.operation.name != "builtin.module":
            break  # words outside of the operation around are no part of this one
    return _known_text(part, token) or _parameter_text(part, token)


def _of_definition(part: Part, op_path: OpPath, op_def: OpDef, token: Token) -> str | None:
    """Returns what is known of an attribute by its name or its word in the pretty form, or of a word."""
    word = token.text
    is_generic = part.text.startswith('"', _name_start(part, op_path))
    shown = {} if is_generic else attribute_words(op_def)
    spec = shown.get(word) or op_def.attribute(word)
    if spec is not None and (word in shown or EQUALS.match(part.text, token.span.end)):
        return "\n\n".join(_attribute_lines(part, op_path, op_def, spec, word))
    for spec in op_def.attributes:
        words = words_of(spec.constraint)
        if word in words:
            enum = spec.constraint.uses
            name = getattr(enum, "name", "") or spec.name
            meaning = f": {WORDS[word]}" if word in WORDS else ""
            return f"{code(word)} of {name}{meaning}\n\n{', '.join(words)}"
    return None


def _name_start(part: Part, op_path: OpPath) -> int:
    """Returns where an operation's name is, behind its results."""
    line = part.text[op_path.start : op_path.start + MAX_VALUE]
    match = re.match(r"(?:%[^=\n]*=\s*)?", line)
    return op_path.start + (match.end() if match else 0)


def _attribute_lines(
    part: Part, op_path: OpPath, op_def: OpDef, spec: AttributeDef, word: str
) -> Iterator[str]:
    named = f" ({code(spec.name)})" if word != spec.name else ""
    meaning = FORM_WORDS.get(word) or ATTRIBUTES.get(spec.name)
    yield f"**{word}**{named} of {code(op_def.name)}{f': {meaning}' if meaning else ''}"
    yield attribute_line(spec)
    value = op_path.operation.attribute(spec.name) if op_path.operation.name == op_def.name else None
    if value is not None:
        yield fence(fitted(f"{spec.name} = {value}", MAX_VALUE))
    if lines := list(constraints_about(part, op_path, op_def, spec.name)):
        yield "\n".join(lines)


def _known_text(part: Part, token: Token) -> str | None:
    """Returns what an attribute means that no definition names, with its value."""
    known_attribute = KNOWN.get(token.text)
    if known_attribute is None:
        return None
    lines = [f"{code(token.text)}: {known_attribute.meaning}"]
    match = EQUALS.match(part.text, token.span.end)
    if match:
        cursor = Cursor(part.text, pos=match.end())
        try:
            value = parse_attribute(cursor)
        except (SyntaxFault, RecursionError):
            return lines[0]
        lines.append(fence(fitted(f"{token.text} = {part.text[match.end() : cursor.pos]}", MAX_VALUE)))
        if explained := sharding_text(part, value):
            lines.append(explained)
    return "\n\n".join(lines)


def _parameter_text(part: Part, token: Token) -> str | None:
    """Returns what a parameter of the struct attribute around means."""
    before = part.text[max(0, token.span.start - 1_000) : token.span.start]
    match = STRUCT.search(before)
    parameters = parameters_of(struct_named(match[1])) if match else ()
    spec = next((spec for spec in parameters if spec.name == token.text), None)
    if spec is None or match is None:
        return None
    meaning = f": {PARAMETERS[spec.name]}" if spec.name in PARAMETERS else ""
    return f"**{spec.name}** of {code('#' + match[1])}{meaning}\n\n{constraint_text(spec.constraint)}"


def target_text(op_path: OpPath, token: Token) -> str | None:
    """Returns what is known of the target of a custom call, None for another name or string."""
    if op_path.operation.name != "stablehlo.custom_call" or token.kind not in ("symbol", "string"):
        return None
    attribute = op_path.operation.attribute("call_target_name")
    name = unescape(token.text.removeprefix("@").strip('"'))
    if getattr(attribute, "value", None) != name:
        return None
    from shlo.interpreter.custom_calls.registry import support_text

    return f"Custom call {code(name)}: {support_text(name)}"


def struct_text(token: Token) -> str | None:
    """Returns what an attribute of a dialect is (`#stablehlo.gather`), with its parameters or words."""
    name, _, mnemonic = token.text[1:].partition(".")
    dialect = find_dialect(name)
    if dialect is None or not mnemonic:
        return None
    enum = dialect.enums.get(mnemonic)
    if enum is not None:
        return f"{code(token.text)}: {', '.join(enum.words)}"
    if mnemonic not in dialect.structs:
        return None
    lines = [
        f"- {code(spec.name)}: {PARAMETERS.get(spec.name) or constraint_text(spec.constraint)}"
        for spec in parameters_of(dialect.structs[mnemonic])
    ]
    return "\n".join([code(token.text), "", *lines]).strip()


def attribute_at(part: Part, token: Token) -> tuple[Span, str] | None:
    """Returns a sharding or mesh that starts at a token, with what it says."""
    if not token.text.startswith("#sdy."):
        return None
    cursor = Cursor(part.text, pos=token.span.start)
    try:
        value = parse_attribute(cursor)
    except (SyntaxFault, RecursionError):
        return None
    text = sharding_text(part, value)
    return (Span(token.span.start, cursor.pos), text) if text else None
