"""Constraints of functions and calls, as the MLIR tools check them: the specification has no labels for them.

Specification: "Functions".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from shlo.dialects.op_bindings import Broken, Check, OpBindings
from shlo.dialects.opdef import Constraint, constraint
from shlo.ir.attributes import ArrayAttr, DictionaryAttr, StringAttr, SymbolRefAttr, TypeAttr
from shlo.ir.operations import Operation, function_type
from shlo.ir.suggestions import (
    Declare,
    InsertConversion,
    Rename,
    Replace,
    Set,
    SetDeclaredType,
    Subject,
    Suggestion,
    WriteAttribute,
    advise,
)
from shlo.ir.types import FunctionType, Type
from shlo.text.numbers import plural
from shlo.text.suggest import nearest_name

VISIBILITIES = ("public", "private", "nested")


def own(
    label: str, words: str, check: Check, at: str | None = None, *, needs_context: bool = False
) -> Constraint:
    """Returns a constraint that the specification does not have, and that a function checks."""
    return constraint(label, words, at=at, check=check, needs_context=needs_context)


def function_type_of(operation: Operation | None) -> FunctionType | None:
    """Returns the type of a function, None for any other operation."""
    return None if operation is None or operation.name != "func.func" else function_type(operation)


def function_named(bindings: OpBindings, symbol: SymbolRefAttr) -> FunctionType | Broken:
    """Returns the type of the function that a symbol names, or that there is none."""
    assert bindings.around is not None
    function = function_type_of(bindings.around.find(symbol))
    if function is not None:
        return function
    close = bindings.around.nearest_symbol(symbol.root)
    suggestions: tuple[Suggestion, ...] = (Rename(str(symbol), f"@{close}" if close else "", "function"),)
    if close is None:
        suggestions += (Declare(str(symbol), "function"),)
    return Broken(f"there is no function {symbol} in the module", suggestions=suggestions)


class Mismatch(Struct, frozen=True):
    """Types that are not those that they must be: in words, and the first place where they differ, None where
    there are too many or too few of them."""

    message: str
    of: str
    given: Sequence[Type]
    wanted: Sequence[Type]
    number: int | None = None

    def broken(self, values: str, *others: str, are_used: bool = False) -> Broken:
        """What a constraint says about values; those that are used may be converted before."""
        return Broken(self.message, (values, *others), self._suggestions(values, are_used))

    def _suggestions(self, values: str, are_used: bool) -> tuple[Suggestion, ...]:
        """Returns what may be done about the values of a member."""
        from shlo.dialects.repairs import steps

        if self.number is None:
            listed = ", ".join(map(str, self.wanted)) or "none"
            return advise(f"give what {self.of} has: {listed}")
        type_, wanted, subject = (
            self.given[self.number],
            self.wanted[self.number],
            Subject(values, self.number),
        )
        conversion = tuple(steps(type_, wanted) if are_used else ())
        use = InsertConversion(subject, conversion) if conversion else Set(subject.of("type"), "=", wanted)
        return use, SetDeclaredType(self.of, wanted, type_)


def compared(noun: str, of: str, actual: Sequence[Type], wanted: Sequence[Type]) -> Mismatch | None:
    """What is wrong with types that must be equal to those `of` something, None where nothing is."""
    if len(actual) != len(wanted):
        verb = "is" if len(actual) == 1 else "are"
        message = f"{plural(len(actual), noun)} {verb} given, but {of} has {len(wanted)}"
        return Mismatch(message, of, actual, wanted)
    for index, (one, other) in enumerate(zip(actual, wanted)):
        if one != other:
            message = f"{noun} {index} is of type {one}, but {of} has {other} there"
            return Mismatch(message, of, actual, wanted, index)
    return None


# --- func.func ---


def _declared(bindings: OpBindings) -> FunctionType | None:
    """Returns the type that a function declares."""
    declared = bindings.signature.properties.get("function_type")
    type_ = declared.value if isinstance(declared, TypeAttr) else None
    return type_ if isinstance(type_, FunctionType) else None


def is_function_type(bindings: OpBindings) -> Broken | None:
    """Judges whether `function_type` is the type of a function."""
    declared = bindings.signature.properties.get("function_type")
    if _declared(bindings) is not None or declared is None:
        return None
    message = f"function_type must be the type of a function, but is {declared}"
    return Broken(
        message,
        ("function_type",),
        (WriteAttribute("function_type", "(tensor<f32>) -> tensor<f32>", is_example=False),),
    )


def arguments_as_declared(bindings: OpBindings) -> Broken | None:
    """Judges whether the arguments of the body have the types that the function declares."""
    declared, body = _declared(bindings), bindings["body"]
    if declared is None or not isinstance(body, FunctionType):
        return None
    wrong = compared("argument of the body", "the function's type", body.inputs, declared.inputs)
    return wrong.broken("body") if wrong else None


def _attributes_for_each(name: str, things: str, types: str) -> Check:
    """Returns a check that an attribute has a valid dictionary for each argument or result of a function."""

    def check(bindings: OpBindings) -> Broken | None:
        declared, attributes = _declared(bindings), bindings.signature.properties.get(name)
        if declared is None or not isinstance(attributes, ArrayAttr):
            return None
        count = len(getattr(declared, types))
        if len(attributes) != count:
            message = f"{name} has {len(attributes)} entries, but the function has {count} {things}"
            return Broken(message, (name,), (Set(Subject(name).of("length"), "=", count),))
        dictionaries = (entry for entry in attributes if isinstance(entry, DictionaryAttr))
        keys = (key for entry in dictionaries for key, _ in entry.entries if "." not in key)
        if (key := next(keys, None)) is None:
            return None
        message = f"attributes of {things} are named after a dialect (dialect.name), but one is {key}"
        return Broken(message, (name,), (Replace(key, f"dialect.{key}"),))

    return check


def visibility_is_known(bindings: OpBindings) -> Broken | None:
    """Judges whether `sym_visibility` is a visibility that MLIR knows."""
    visibility = bindings.signature.attribute("sym_visibility")
    if not isinstance(visibility, StringAttr) or visibility.value in VISIBILITIES:
        return None
    close = nearest_name(visibility.value, VISIBILITIES) or "private"
    message = f'sym_visibility must be one of {", ".join(VISIBILITIES)}, but is "{visibility.value}"'
    return Broken(
        message,
        suggestions=(Replace(f'"{visibility.value}"', f'"{close}"', f'write sym_visibility = "{close}"'),),
    )


def declarations_are_hidden(bindings: OpBindings) -> Broken | None:
    """Judges whether a function without a body is not public."""
    visibility = bindings.signature.properties.get("sym_visibility")
    word = visibility.value if isinstance(visibility, StringAttr) else "public"
    around = bindings.around
    if word != "public" or around is None or any(region.blocks for region in around.operation.regions):
        return None
    message = "a function without a body must be private, but this one is public"
    return Broken(message, suggestions=advise("write func.func private, or give it a body"))


FUNCTION = (
    own("A1", "function_type is the type of a function", is_function_type, "function_type"),
    own("A2", "input_types(body) = input_types(function_type)", arguments_as_declared, "body"),
    own(
        "A3",
        "size(arg_attrs) = size(input_types(function_type))",
        _attributes_for_each("arg_attrs", "arguments", "inputs"),
        "arg_attrs",
    ),
    own(
        "A4",
        "size(res_attrs) = size(output_types(function_type))",
        _attributes_for_each("res_attrs", "results", "results"),
        "res_attrs",
    ),
    own("A5", "sym_visibility is public, private or nested", visibility_is_known, "sym_visibility"),
    own(
        "A6",
        "if it has no body then sym_visibility is not public",
        declarations_are_hidden,
        needs_context=True,
    ),
)
VISIBILITY = (
    own("A1", "sym_visibility is public, private or nested", visibility_is_known, "sym_visibility"),
)


# --- func.return, calls ---


def returns_as_declared(bindings: OpBindings) -> Broken | None:
    """Judges whether the returned values have the types that the function declares."""
    declared = function_type_of(bindings.around.container) if bindings.around else None
    if declared is None:
        return None
    wrong = compared("result", "the function's type", bindings.signature.operand_types, declared.results)
    return wrong.broken("operands", are_used=True) if wrong else None


def _callee(bindings: OpBindings, name: str) -> FunctionType | Broken | None:
    """Returns the type of the function that an attribute names, None where nothing can be said."""
    symbol = bindings.signature.properties.get(name)
    if bindings.around is None or not isinstance(symbol, SymbolRefAttr):
        return None
    return function_named(bindings, symbol)


def names_a_function(name: str) -> Check:
    """Returns the attribute names a function of the module."""

    def check(bindings: OpBindings) -> Broken | None:
        function = _callee(bindings, name)
        return replace(function, bindings=(name,)) if isinstance(function, Broken) else None

    return check


def _agrees_with_callee(name: str, values: str, *, are_results: bool) -> Check:
    """Returns a check that operands or results have the types of those of the function that `name` names."""

    def check(bindings: OpBindings) -> Broken | None:
        function, signature = _callee(bindings, name), bindings.signature
        if not isinstance(function, FunctionType):
            return None
        shown = str(signature.properties[name])
        if are_results:
            wrong = compared("result", shown, signature.result_types, function.results)
        else:
            wrong = compared("argument", shown, signature.operand_types, function.inputs)
        return wrong.broken(values, name, are_used=not are_results) if wrong else None

    return check


def value_has_type_of_function(bindings: OpBindings) -> Broken | None:
    """Judges whether the result has the type of the function that `value` names."""
    function = _callee(bindings, "value")
    actual: Any = bindings.signature.result_types[0]
    if not isinstance(function, FunctionType) or actual == function:
        return None
    shown = bindings.signature.properties["value"]
    message = f"the result is of type {actual}, but {shown} is of type {function}"
    return Broken(message, ("result",), (Set(Subject("result").of("type"), "=", function),))


def indirect_arguments(bindings: OpBindings) -> Broken | None:
    """Judges whether the arguments of an indirect call have the types of the callee's inputs."""
    callee, *actual = bindings.signature.operand_types
    if not isinstance(callee, FunctionType):
        return None
    wrong = compared("argument", "the function", actual, callee.inputs)
    return wrong.broken("callee_operands", are_used=True) if wrong else None


def indirect_results(bindings: OpBindings) -> Broken | None:
    """Judges whether the results of an indirect call have the types of the callee's results."""
    callee = bindings.signature.operand_types[0]
    if not isinstance(callee, FunctionType):
        return None
    wrong = compared("result", "the function", bindings.signature.result_types, callee.results)
    return wrong.broken("results") if wrong else None


RETURN = (
    own(
        "A1",
        "type(operands...) = output_types(function_type)",
        returns_as_declared,
        "operands",
        needs_context=True,
    ),
)


def calls(
    name: str, operands: str, results: str, labels: Sequence[str], **columns: Any
) -> tuple[Constraint, ...]:
    """Returns an attribute names a function, operands and results have its types; `columns` are those of
    `constraint`."""
    rules = (
        (f"{name} is a function of the module", names_a_function(name), name),
        (
            f"type({operands}...) = input_types({name})",
            _agrees_with_callee(name, operands, are_results=False),
            operands,
        ),
        (
            f"type({results}...) = output_types({name})",
            _agrees_with_callee(name, results, are_results=True),
            results,
        ),
    )
    return tuple(
        constraint(label, words, check=check, at=at, needs_context=True, **columns)
        for label, (words, check, at) in zip(labels, rules)
    )


CALL = calls("callee", "operands", "results", ("A1", "A2", "A3"))
CALL_INDIRECT = (
    own("A1", "type(callee_operands...) = input_types(callee)", indirect_arguments, "callee_operands"),
    own("A2", "type(results...) = output_types(callee)", indirect_results, "results"),
)
CONSTANT = (
    own("A1", "value is a function of the module", names_a_function("value"), "value", needs_context=True),
    own("A2", "type(result) = type(value)", value_has_type_of_function, "result", needs_context=True),
)
