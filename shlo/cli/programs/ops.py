"""`shlo ops`: the operations, and all that is known about one."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import Any, Final

from shlo.command_line.console import Console
from shlo.command_line.exit_codes import FINE
from shlo.command_line.options import add_flag, add_format, describe
from shlo.dialects import all_op_defs, dialect_names, find_op_def
from shlo.dialects.attr_constraints import I64_ELEMENTS_ATTR, ArrayOf
from shlo.dialects.opdef import Arity, AttributeDef, Constraint, OpDef, OperandDef
from shlo.dialects.stablehlo.numpy_names import NUMPY_NAMES
from shlo.runner.errors import RequestError
from shlo.text.suggest import nearest_names

_SUGGESTED: Final = 5
"""Names that a message suggests in place of an unknown one."""

_MANY: dict[Arity, str] = {"one": "", "optional": " (optional)", "variadic": " (any number)"}


def configure(parser: ArgumentParser) -> None:
    """Adds the options of `shlo ops`."""
    describe(
        parser,
        "List the operations that shlo knows, or show all about one.",
        ("shlo ops", "all operations, a line each"),
        ("shlo ops chlo", "those of a dialect"),
        ("shlo ops dot_general", "an operation's operands, attributes, constraints, form and section"),
        ("shlo ops pad --where", "the lines of shlo that say something about an operation"),
    )
    parser.add_argument("name", nargs="?", metavar="NAME", help="an operation (add, chlo.erf) or a dialect")
    add_flag(
        parser,
        "--where",
        help="print the lines of shlo that name the operation: definition, kernel, all else, tests",
    )
    add_format(parser)


def execute(options: Namespace, console: Console) -> int:
    """Prints a list or a definition."""
    name: str | None = options.name
    if name is None or name in dialect_names():
        op_defs = [op_def for op_def in all_op_defs() if name in (None, op_def.dialect)]
        show_list(op_defs, options.format, console)
    elif options.where:
        show_places(_op_def(name), options.format, console)
    else:
        show_op_def(_op_def(name), options.format, console)
    return FINE


def show_list(op_defs: list[OpDef], format_: str, console: Console) -> None:
    """Prints a line for each operation."""
    if format_ == "json":
        listed = [{"name": op_def.name, "summary": op_def.summary} for op_def in op_defs]
        return console.print_json({"operations": listed})
    width = max(len(op_def.name) for op_def in op_defs)
    for op_def in op_defs:
        console.print(f"{op_def.name:{width}}  {op_def.summary}")
    return None


def show_op_def(op_def: OpDef, format_: str, console: Console) -> None:
    """Prints all about an operation."""
    if format_ == "json":
        return console.print_json(op_def_data(op_def))
    console.print_styled(op_def.name, "bold")
    console.print(f"  {op_def.summary}")
    for title, lines in _sections(op_def):
        if lines:
            console.print(f"\n{title}")
            for line in lines:
                console.print(f"  {line}")
    return None


def show_places(op_def: OpDef, format_: str, console: Console) -> None:
    """Prints the lines of shlo that name an operation."""
    from itertools import groupby

    from msgspec.structs import asdict

    from shlo.cli.op_places import op_places

    places = op_places(op_def)
    if format_ == "json":
        return console.print_json({"name": op_def.name, "places": list(map(asdict, places))})
    console.print_styled(op_def.name, "bold")
    width = max(len(line.subject) for line in places)
    for (subject, path), group in groupby(places, key=lambda line: (line.subject, line.path)):
        console.print(f"  {subject:{width}}  {path}:{','.join(str(line.line) for line in group)}")
    return None


def op_def_data(op_def: OpDef) -> dict[str, Any]:
    """Returns a definition for `--format json`."""
    from msgspec.structs import asdict

    def operands(specs: tuple[OperandDef, ...]) -> list[dict[str, str]]:
        return [{"name": spec.name, "type": str(spec.constraint), "arity": spec.arity} for spec in specs]

    return {
        "name": op_def.name,
        "summary": op_def.summary,
        "operands": operands(op_def.operands),
        "attributes": list(map(_attribute_data, op_def.attributes)),
        "regions": list(map(asdict, op_def.regions)),
        "results": operands(op_def.results),
        "format": op_def.format,
        "traits": sorted(op_def.traits),
        "section": op_def.section,
        "result_names": op_def.result_names,
        "successors": op_def.successors,
        "default_dialect": op_def.default_dialect,
        "constraints": list(map(_constraint_data, op_def.constraints)),
        "inputs": op_def.inputs,
        "runs": has_kernel(op_def),
        "url": op_def.url,
    }


def has_kernel(op_def: OpDef) -> bool:
    """Returns whether the interpreter carries the operation out."""
    from shlo.interpreter.registry import find_kernel

    ends_region = op_def.has("terminator") and op_def.successors is None
    steps_into = op_def.control_flow is not None or ends_region or op_def.has("symbol")
    return steps_into or find_kernel(op_def.name) is not None


def _sections(op_def: OpDef) -> list[tuple[str, list[str]]]:
    return [
        ("operands", [f"{spec.name}: {spec.constraint}{_MANY[spec.arity]}" for spec in op_def.operands]),
        ("attributes", [_attribute_line(spec) for spec in op_def.attributes]),
        ("regions", [f"{spec.name}{_MANY[spec.arity]}" for spec in op_def.regions]),
        ("results", [f"{spec.name}: {spec.constraint}{_MANY[spec.arity]}" for spec in op_def.results]),
        ("form", [op_def.format or "generic only"]),
        (
            "constraints",
            [line for constraint in op_def.constraints for line in _constraint_lines(constraint)],
        ),
        ("traits", [", ".join(sorted(op_def.traits))] if op_def.traits else []),
        ("interpreter", ["runs it" if has_kernel(op_def) else "does not run it"]),
        ("specification", [op_def.url or "has no section about it"]),
    ]


def _constraint_lines(constraint: Constraint) -> list[str]:
    """Returns a constraint's label, whether it is a warning, its formula, and its erratum."""
    was = f" (2024: {constraint.old_label or 'none'})" if constraint.old_label != constraint.label else ""
    mark = "" if constraint.enforced else f" [{constraint.severity}]"
    lines = [f"{constraint.label}{was}{mark}: {constraint.formula}"]
    return [*lines, f"    {constraint.erratum}"] if constraint.erratum else lines


def _constraint_data(constraint: Constraint) -> dict[str, Any]:
    return {
        "label": constraint.label,
        "label_2024": constraint.old_label or None,
        "formula": constraint.formula,
        "erratum": constraint.erratum or None,
        "enforced": constraint.enforced,
        "is_formula": constraint.check is None,
    }


def _attribute_data(spec: AttributeDef) -> dict[str, Any]:
    items = spec.constraint.items.name if isinstance(spec.constraint, ArrayOf) else "any"
    return {
        "name": spec.name,
        "kind": spec.constraint.name,
        "optional": spec.optional,
        "default": spec.default,
        "elided": spec.elided,
        "items": "i64" if spec.constraint is I64_ELEMENTS_ATTR else items,
    }


def _attribute_line(spec: AttributeDef) -> str:
    if spec.default is not None:
        return f"{spec.name}: {spec.constraint.name} = {spec.default}"
    return f"{spec.name}: {spec.constraint.name}{' (optional)' if spec.optional else ''}"


def _op_def(name: str) -> OpDef:
    op_def = find_op_def(name) or find_op_def(f"stablehlo.{name}")
    if op_def is not None:
        return op_def
    namesakes = [op_def for op_def in all_op_defs() if op_def.name.partition(".")[2] == name]
    if len(namesakes) == 1:
        return namesakes[0]
    full = [op_def.name for op_def in all_op_defs()]
    names = full + [full_name.partition(".")[2] for full_name in full]
    begun = sorted({candidate for candidate in names if candidate.startswith(name)}, key=len)
    first = [NUMPY_NAMES[name]] if name in NUMPY_NAMES else []
    close = list(dict.fromkeys([*first, *begun, *nearest_names(name, names, _SUGGESTED)]))[:_SUGGESTED]
    raise RequestError(
        f"there is no operation '{name}'",
        f"did you mean {', '.join(close)}?" if close else "shlo ops lists them",
    )
