"""The definition of an operation: everything static about it, in one place.

The parser, printer, verifier, type inference, bytecode codec, hover, completion and `shlo ops` all read it.
CONTRIBUTING.md says how to add one.

An assembly format is a string of items separated by blanks:

    `literal`           punctuation or a keyword, as written between the backquotes (`` `,` ``, `` `dim` ``);
                        blanks around it follow MLIR's rules, an empty literal takes one away
    $name               an operand (a variadic one: a list), an attribute (as its kind says), a successor
    operands            all operands, separated by commas
    attr-dict           `{...}` with the attributes that the format does not show, where there are any
    attr-dict-keyword   the same after the word `attributes`
    type(same)          one type if all operand and result types are equal, else a function type
    type(function)      a function type `(T, ...) -> T`
    type(results)       the result types, separated by commas (operand types are those of their definitions)
    type(operands)      the operand types, separated by commas (result types are the same if not given)
    type(NAME)          a directive of its own in `shlo/syntax/assembly_format/directives` (`type(select)`)
    region(NAME)        the region of that name, in braces
    [ items ]?          present when its first attribute, operand list or region is; `[ ... type(operands) ]?`
                        without one is present when the operation has operands
    custom(NAME)        a pair of functions registered under NAME in `shlo/syntax/assembly_format/directives`

Without a format an operation has only the generic form.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Literal, TypeVar

from msgspec import Struct, field

from shlo.dialects.attr_constraints import TAB_STOP, UNIT_ATTR, AttrConstraint, AttrDef, EnumDef, Problem
from shlo.dialects.type_constraints import TypeConstraint
from shlo.dialects.work import WorkFn
from shlo.ir.attributes import Attribute, SymbolRefAttr
from shlo.ir.diagnostics import Severity
from shlo.ir.suggestions import Replace, WriteAttribute

if TYPE_CHECKING:
    from shlo.dialects.op_bindings import Check

SPECIFICATION = "https://openxla.org/stablehlo/spec"

Arity = Literal["one", "optional", "variadic"]

Trait = Literal[
    "terminator",  # ends its block
    "isolated",  # its regions use no value from outside, and number theirs anew
    "closed",  # its regions use no value from outside
    "symbol",  # defines a symbol
    "elementwise",  # works on each element alone, so it also works on arrays of scalars
    "transcendental",  # evaluates a function such as exp or sin for each element, which costs count apart
    "commutative",
    "integral",  # gives whole numbers: as floats they are exact
    "constant",  # gives the same value always
    "effect",  # what it does outside the program must not be done twice (calls, infeed, receive, probe)
    "annotation",  # gives its operand as it is, and says something about it
    "barrier",  # stops transforms: is neither computed early nor left out
    "checked_results",  # code from outside decides whether its results are of their types
    "graph_region",  # the order of operations in its regions has no meaning
    "no_terminator",  # its blocks need no terminator
    "any_terminator",  # the MLIR tools do not ask which operation ends its regions
]


ControlFlow = Literal[
    "while",  # runs a region as long as another one says so
    "branch",  # runs one of its regions
    "count",  # runs its region for the numbers of a range
    "call",  # runs a function
    "jump",  # goes on with another block
]
"""How the interpreter steps through an operation that has no kernel."""

Synchronizes = Literal[
    "group",  # the processes of a group carry it out together
    "wait",  # a process waits there for others, for a message or for a future
    "region",  # its region may hold operations that synchronize, though it has a kernel
]
"""How an operation concerns other processes of a grid."""

Poles = Literal[
    "first_zero",  # where the first operand is zero
    "last_zero",  # where the last operand is zero
    "elsewhere",  # at other places; it is infinite nowhere but there, or nearly so
]
"""Where a function of finite numbers is infinite."""


class Combined(Struct, frozen=True):
    """On quantized tensors: the last region combines these operands, in the types of its arguments."""

    operands: tuple[str, ...]


Quantized = (
    Literal[
        "dequantize",  # computes on the expressed numbers: dequantize, operation, quantize
        "storage",  # moves stored numbers between tensors of one quantization
        "own",  # its kernel takes and gives stored numbers
    ]
    | Combined
)
"""How an operation behaves on quantized tensors."""


class Reducer(Struct, frozen=True):
    """NumPy's ufuncs for the body of a reduction that consists of the operation: on numbers, on booleans."""

    ufunc: str
    on_booleans: str


class StaticForm(Struct, frozen=True):
    """The operation that one of sizes known at run time is, once its last operands are known.

    `attributes` are what these operands become. Without any there is one, which the result's type tells.
    """

    name: str
    attributes: tuple[str, ...] = ()


class OperandDef(Struct, frozen=True):
    """An operand or a result: its name, the types that it takes, how many values it refers to."""

    name: str
    constraint: TypeConstraint
    arity: Arity = "one"


class AttributeDef(Struct, frozen=True):
    """An attribute of an operation: its name, what it may be, and whether it may be absent.

    Attributes:
        default: MLIR's text of what an absent attribute means. An attribute that has a default and is not
            optional is put into operations whose text lacks it.
        elided: Whether the pretty form leaves the attribute out where it equals its default.
    """

    name: str
    constraint: AttrConstraint
    optional: bool = False
    default: str | None = None
    elided: bool = False

    @property
    def required(self) -> bool:
        """Whether operations without the attribute are invalid."""
        return not self.optional and self.default is None

    @property
    def default_value(self) -> int | bool | None:
        """The number or truth value that an absent attribute means, None for anything else."""
        word = (self.default or "").partition(" ")[0]
        if word in ("true", "false"):
            return word == "true"
        return int(word) if word.lstrip("-").isdigit() else None

    @property
    def snippet(self) -> str:
        """`name = value` for an attribute dictionary, with tab stops in «»."""
        return self.name if self.constraint is UNIT_ATTR else f"{self.name} = {self.constraint.snippet}"

    @property
    def example(self) -> str:
        """`name = value` with the first choice at each tab stop."""
        return TAB_STOP.sub(lambda match: match[1].partition("|")[0], self.snippet)

    def problem(self, attribute: Attribute) -> Problem | None:
        """Returns what is wrong with an attribute of this name, None where it fulfils the constraint."""
        problem = self.constraint.problem(self.name, attribute)
        if problem is None:
            return None
        if isinstance(attribute, SymbolRefAttr) and attribute.nested:
            return Problem(problem, (Replace(str(attribute), f"@{attribute.nested[-1]}"),))
        name, _, value = self.example.partition(" = ")
        return Problem(problem, (WriteAttribute(name, value),))


class RegionDef(Struct, frozen=True):
    """A region: its name, how many of it, and whether it has one block or any number of them."""

    name: str
    arity: Arity = "one"
    blocks: Literal["one", "any"] = "one"


class Constraint(Struct, frozen=True, eq=False):
    """What must hold of an operation: the label that today's specification (StableHLO 1.20) gives it, and a
    formula in the specification's notation (`shlo/dialects/formula`).

    `was` is its label in the specification of 2024 where that differs, empty where it has none. `erratum`
    says what is different from the specification's text, and why. The MLIR tools reject a program that
    breaks an `enforced` one; they accept one that breaks another, which is a warning. `needed` says whether a
    program that breaks it cannot run, where that is not the same. `at` names the member
    that is at fault where the formula's own names do not tell. Where no formula says it, `check` judges;
    `formula` is then the specification's words. A check that `needs_context` asks what is around the
    operation: symbols, the operation that contains it.
    """

    label: str
    formula: str
    was: str | None = None
    erratum: str = ""
    enforced: bool = True
    at: str | None = None
    check: Check | None = None
    needs_context: bool = False
    needed: bool | None = None

    @property
    def severity(self) -> Severity:
        """How bad a finding about a program that breaks it is."""
        return "error" if self.enforced else "warning"

    @property
    def stops_runs(self) -> bool:
        """Whether the interpreter refuses an operation that breaks it."""
        return (self.enforced if self.needed is None else self.needed) and not self.needs_context

    @property
    def old_label(self) -> str:
        """Its label in the specification of 2024, empty where that lacks it."""
        return self.label if self.was is None else self.was


class OpDef(Struct, frozen=True, eq=False):
    """All that is static about an operation. Compared by identity.

    `anchor` is that of its section in the StableHLO specification, where it is not the name of a StableHLO
    op that is `specified` there; `format` is its assembly format, `result_names` what MLIR calls its results
    when it prints (`c` for an integer constant needs a function and is in the printer's table),
    `default_dialect` the dialect whose operations are written without its name where they are directly in
    this one's regions. `inputs` are the members behind the labels I1, I2, ... in the specification's order,
    where that is not operands, attributes, regions.

    How it behaves is stated here, too, and read by the interpreter and the passes: `quantized` on quantized
    tensors, which it refuses unless stated; `control_flow`, how the interpreter steps through it, with
    `callee`, the attribute that names the function of a call; `synchronizes`, how it concerns other processes
    of a grid; `reducer`, what combines whole arrays where a reduction's body is this operation;
    `static_form`, what it is once sizes are known; `parents`, the only operations that it may are in; `work`,
    what it computes and moves, where its traits do not tell (elementwise: an operation for each element of
    the result; any other: nothing, but its operands are read and its results written); `poles`, where finite
    operands give infinities that are no overflow.
    """

    name: str
    summary: str
    operands: tuple[OperandDef, ...] = ()
    attributes: tuple[AttributeDef, ...] = ()
    regions: tuple[RegionDef, ...] = ()
    results: tuple[OperandDef, ...] = ()
    format: str | None = None
    traits: frozenset[Trait] = frozenset()
    anchor: str | None = None
    specified: bool = True
    result_names: tuple[str, ...] = ()
    successors: Arity | None = None
    default_dialect: str | None = None
    constraints: tuple[Constraint, ...] = ()
    inputs: tuple[str, ...] = ()
    quantized: Quantized | None = None
    control_flow: ControlFlow | None = None
    callee: str | None = None
    synchronizes: Synchronizes | None = None
    reducer: Reducer | None = None
    static_form: StaticForm | None = None
    parents: tuple[str, ...] = ()
    work: WorkFn | None = None
    poles: Poles | None = None

    @property
    def dialect(self) -> str:
        """The namespace of the dialect, the part of the name before the first dot."""
        return self.name.partition(".")[0]

    @property
    def section(self) -> str | None:
        """The anchor of its section in the StableHLO specification (`add`), None without one."""
        dialect, _, name = self.name.partition(".")
        return self.anchor or (name if dialect == "stablehlo" and self.specified else None)

    @property
    def url(self) -> str | None:
        """The address of its section in the StableHLO specification, None without one."""
        return f"{SPECIFICATION}#{self.section}" if self.section else None

    @property
    def combines_processes(self) -> bool:
        """Whether the processes of a group compute something of their operands, and do not only move them."""
        return self.synchronizes == "group" and self.work is not None

    def attribute(self, name: str) -> AttributeDef | None:
        """Returns the specification of an inherent attribute, None where the op has none of that name."""
        return next((spec for spec in self.attributes if spec.name == name), None)

    def has(self, trait: Trait) -> bool:
        """Returns whether the operation has a trait."""
        return trait in self.traits


class Dialect(Struct, frozen=True):
    """A dialect: its definitions by full op name, its enumerations and struct attributes by mnemonic.

    `complete` says that every operation of the dialect has a definition, so that any other is a mistake.
    `kernels` names the modules that may hold an operation's kernel, the likeliest first. `region_end` is what
    ends regions of one block.
    """

    name: str
    op_defs: Mapping[str, OpDef] = field(default_factory=dict[str, OpDef])
    enums: Mapping[str, EnumDef] = field(default_factory=dict[str, EnumDef])
    structs: Mapping[str, AttrDef] = field(default_factory=dict[str, AttrDef])
    complete: bool = True
    kernels: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    region_end: str | None = None


class DefinitionError(ValueError):
    """A mistake in a definition."""


def operand(name: str, constraint: TypeConstraint) -> OperandDef:
    """Returns an operand that is one value."""
    return OperandDef(name, constraint)


def variadic(name: str, constraint: TypeConstraint) -> OperandDef:
    """Returns an operand that is any number of values."""
    return OperandDef(name, constraint, "variadic")


def optional(name: str, constraint: TypeConstraint) -> OperandDef:
    """Returns an operand that is one value or none."""
    return OperandDef(name, constraint, "optional")


def required(name: str, constraint: AttrConstraint) -> AttributeDef:
    """Returns an attribute that must be present."""
    return AttributeDef(name, constraint)


def may(name: str, constraint: AttrConstraint) -> AttributeDef:
    """Returns an attribute that may be absent, which means something of its own."""
    return AttributeDef(name, constraint, optional=True)


def defaulted(name: str, constraint: AttrConstraint, default: str) -> AttributeDef:
    """Returns an attribute whose absence means `default`, and which pretty forms leave out where it equals
    that."""
    return AttributeDef(name, constraint, optional=True, default=default, elided=True)


def filled(name: str, constraint: AttrConstraint, default: str) -> AttributeDef:
    """Returns an attribute that MLIR puts into an operation whose text lacks it."""
    return AttributeDef(name, constraint, default=default)


def region(name: str, arity: Arity = "one", blocks: Literal["one", "any"] = "one") -> RegionDef:
    """Returns a region, or several by `arity`, of one block unless `blocks` says otherwise."""
    return RegionDef(name, arity, blocks)


def constraint(
    label: str,
    formula: str,
    *,
    was: str | None = None,
    erratum: str = "",
    enforced: bool = True,
    at: str | None = None,
    check: Check | None = None,
    needs_context: bool = False,
    needed: bool | None = None,
) -> Constraint:
    """Returns a constraint by its label and formula; see `Constraint` for the other arguments.

    Labels of shlo's own (`A1`) are not in the specification of 2024 unless `was` says so.
    """
    old = "" if was is None and label.startswith("A") else was
    return Constraint(label, formula, old, erratum, enforced, at, check, needs_context, needed)


def formulas(text: str) -> tuple[Constraint, ...]:
    """Returns the constraints that a text states, each as `LABEL: formula # erratum`.

    `C8 (C7): ...` has another label in the specification of 2024, `C8 (new): ...` is not in it. Warnings are
    `C8 unenforced: ...`, and `C8 at NAME: ...` names the member that is at fault.
    """
    _, *parts = _LABEL.split(text)
    collected: list[Constraint] = []
    for label, was, unenforced, at, body in zip(*(parts[column::5] for column in range(5))):
        formula, _, erratum = " ".join(body.split()).partition(" # ")
        old = "" if was == "new" else was
        collected.append(constraint(label, formula, was=old, erratum=erratum, enforced=not unenforced, at=at))
    return tuple(collected)


def traits(*names: Trait) -> frozenset[Trait]:
    """Returns a set of traits."""
    return frozenset(names)


def dialect_of(
    name: str,
    op_defs: Iterable[OpDef],
    enums: Iterable[EnumDef] = (),
    structs: Iterable[AttrDef] = (),
    complete: bool = True,
    kernels: tuple[str, ...] = (),
    region_end: str | None = None,
) -> Dialect:
    """Makes a dialect of its definitions; `kernels` are the modules that hold the kernels of all.

    Raises:
        DefinitionError: Two definitions have one name, one is of another dialect, or a format names an
            operand, attribute or region that the operation lacks.
    """
    by_name: dict[str, OpDef] = {}
    enums_by_mnemonic, structs_by_mnemonic = _by_mnemonic(name, enums), _by_mnemonic(name, structs)
    for op_def in op_defs:
        if op_def.name in by_name or op_def.dialect != name:
            raise DefinitionError(f"{op_def.name}: expected one definition of a name in dialect '{name}'")
        _check_definition(op_def)
        by_name[op_def.name] = op_def
    kernels_by_name = dict.fromkeys(by_name, kernels)
    return Dialect(
        name, by_name, enums_by_mnemonic, structs_by_mnemonic, complete, kernels_by_name, region_end
    )


_Named = TypeVar("_Named", EnumDef, AttrDef)
_LABEL = re.compile(r"^ *([A-Z]\d+)(?: \((\w+)\))?( unenforced)?(?: at (\w+))?: ", re.MULTILINE)
_FORMAT_NAME = re.compile(r"\$(\w+)|region\((\w+)\)")


def _by_mnemonic(dialect: str, definitions: Iterable[_Named]) -> dict[str, _Named]:
    collected: dict[str, _Named] = {}
    for definition in definitions:
        if definition.mnemonic in collected or definition.dialect != dialect:
            raise DefinitionError(f"{definition.mnemonic}: expected one definition of a name in '{dialect}'")
        collected[definition.mnemonic] = definition
    return collected


def _check_definition(op_def: OpDef) -> None:
    """Raises DefinitionError for a definition that refers to what there is not."""
    shown = {spec.name for spec in (*op_def.operands, *op_def.attributes)}
    regions = {spec.name for spec in op_def.regions}
    for match in _FORMAT_NAME.finditer(op_def.format or ""):
        if (match[1] or match[2]) not in (shown if match[1] else regions):
            raise DefinitionError(
                f"{op_def.name}: the format names '{match[1] or match[2]}', which the op lacks"
            )
