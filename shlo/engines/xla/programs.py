"""What XLA compiles of a program: one function as `@main`, in operations that XLA has, for a grid."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from shlo.dialects.stablehlo.custom_call_targets import SHARDING_CALLS
from shlo.engines.engine import EngineError
from shlo.interpreter.kernel_api import TOKEN
from shlo.interpreter.program.sync_points import call_target
from shlo.interpreter.runtime.values import is_static, tensor_type_of
from shlo.ir.attributes import ArrayAttr, Attribute, DictionaryAttr, StringAttr
from shlo.ir.operations import (
    SYMBOL_NAME,
    Block,
    Function,
    Module,
    Operation,
    Region,
    Signature,
    once_per_module,
)
from shlo.ir.symbols import free_symbol, with_renamed_symbols
from shlo.ir.types import QuantizedType, RankedTensorType, TokenType, Type, element_type_of
from shlo.syntax import parse
from shlo.transforms.rewriting.rebuild import remade

MAIN: Final = "main"
_PROCESS: Final = "shlo_process"
_TENSORS: Final = "shlo_tensors"
_MESH: Final = "shlo_partitions"

_SHARDING_ATTRIBUTES: Final = ("mhlo.sharding", "sdy.sharding", "sdy.sharding_per_value")
_DONATING: Final = ("tf.aliasing_output", "jax.buffer_donor")
"""Attributes of arguments that let results take their memory, which is the caller's."""


def executable_module(module: Module, entry: str, arguments: Sequence[Any], partitions: int) -> Module:
    """Returns the program that XLA compiles for a call of a function: its sizes are those of the arguments,
    its quantized tensors integers, the function is `@main`, takes and gives no tokens, and one that is for
    each of several partitions is marked as such.

    Raises EngineError where XLA has no way to run it, RefinementError and PassError.
    """
    from shlo.transforms import quantized_to_math, refine
    from shlo.transforms.rewriting.rebuild import reached_from

    function = module.functions[entry]
    module = reached_from(module, entry)
    _refuse(function)
    if has_tokens(function):
        module, entry = _with_tensors_alone(module, function), _TENSORS
        function = module.functions[entry]
    if not all(map(is_static, function.type.inputs)):
        module = refine(
            module, [_type_text(*pair) for pair in zip(function.type.inputs, arguments)], entry=entry
        )
    if _has_quantized(module):
        module = quantized_to_math(module)
    if partitions == 1:
        return _renamed(module, entry, MAIN, is_private=False)
    return _for_each_partition(_renamed(module, entry, _PROCESS, is_private=True), partitions)


@once_per_module
def whole_partitions(module: Module) -> int:
    """Returns for how many devices a program is that has sharded tensors: as many as its mesh, or the module,
    says; 1 for any other program.
    """
    from shlo.interpreter.program.code import program_of
    from shlo.interpreter.spmd.legacy import declared_partitions
    from shlo.interpreter.topology.mesh import meshes_of

    if not _is_sharded(module):
        return 1
    sizes = [mesh.size for mesh in meshes_of(program_of(module).symbols).values()]
    return max([declared_partitions(module) or 1, *sizes])


def _is_sharded(module: Module) -> bool:
    """Returns whether a program has tensors of which each device holds a part."""
    seen: set[int] = set()
    for operation, _ in module.walk():
        if operation.name == "sdy.manual_computation" or call_target(operation) in SHARDING_CALLS:
            return True
        signature = operation.signature
        if id(signature) not in seen:
            seen.add(id(signature))
            if any(signature.attribute(name) is not None for name in _SHARDING_ATTRIBUTES):
                return True
            entries = (signature.attribute(name) for name in ("arg_attrs", "res_attrs"))
            if any(name in str(entry) for entry in entries if entry for name in _SHARDING_ATTRIBUTES):
                return True
    return False


def _refuse(function: Function) -> None:
    """Raises EngineError for a function that XLA cannot run."""
    for type_ in (*function.type.inputs, *function.type.results):
        if not isinstance(tensor_type_of(type_), RankedTensorType | TokenType):
            raise EngineError(
                f"expected tensors as arguments and results of @{function.name} for XLA, got {type_}",
                "the interpreter takes tuples",
            )


def has_tokens(function: Function) -> bool:
    """Returns whether a function takes or gives tokens, as one of JAX with ordered effects does."""
    return any(isinstance(type_, TokenType) for type_ in (*function.type.inputs, *function.type.results))


def tensors_of(types: Sequence[Type], values: Sequence[Any]) -> list[Any]:
    """Returns those of the values that are no tokens."""
    return [value for type_, value in zip(types, values) if not isinstance(type_, TokenType)]


def with_tokens(types: Sequence[Type], tensors: Sequence[Any]) -> tuple[Any, ...]:
    """Returns values of these types, tokens among them, of which the others are given."""
    values = iter(tensors)
    return tuple([TOKEN if isinstance(type_, TokenType) else next(values) for type_ in types])


def _type_text(type_: Type, argument: Any) -> str | None:
    """Returns the declared type with the sizes of an argument, None where it has no unknown ones."""
    type_ = tensor_type_of(type_)
    if is_static(type_) or not isinstance(type_, RankedTensorType):
        return None
    return str(RankedTensorType(tuple(argument.shape), type_.element_type))


def _has_quantized(module: Module) -> bool:
    signatures = {id(op.signature): op.signature for op, _ in module.walk()}
    types = {
        type_
        for signature in signatures.values()
        for type_ in (*signature.operand_types, *signature.result_types)
    }
    inputs = (type_ for function in module.functions.values() for type_ in function.type.inputs)
    return any(isinstance(element_type_of(type_), QuantizedType) for type_ in (*types, *inputs))


def _renamed(module: Module, entry: str, name: str, is_private: bool) -> Module:
    """Returns the module with a function under another name; the one that has this name gets a free one."""
    names = set(module.symbols)
    new = {entry: name}
    if entry != name and name in names:
        new[name] = free_symbol(f"{name}_other", names)
    operation = with_renamed_symbols(module.operation, lambda symbol: new.get(symbol, symbol))
    (block,) = operation.regions[0].blocks
    operations = [_defined_as(op, new, entry, is_private) for op in block.operations]
    return _with_operations(Module(operation), operations)


def _defined_as(operation: Operation, new: dict[str, str], entry: str, is_private: bool) -> Operation:
    """Returns an operation that defines a symbol under its new name; the entry function without what says how
    the memory of its arguments may be used."""
    symbol = operation.symbol
    if symbol is None or symbol not in new:
        return operation
    old = operation.signature
    properties, attributes = dict(old.properties), dict(old.attributes)
    (properties if SYMBOL_NAME in properties else attributes)[SYMBOL_NAME] = StringAttr(new[symbol])
    if symbol == entry:
        for entries in (properties, attributes):
            entries.pop("sym_visibility", None)
            if "arg_attrs" in entries:
                entries["arg_attrs"] = _without_donation(entries["arg_attrs"])
        if is_private:
            properties["sym_visibility"] = StringAttr("private")
    signature = Signature(old.name, old.operand_types, old.result_types, properties, attributes)
    return remade(operation, signature)


def _without_donation(attribute: Attribute) -> Attribute:
    """Returns the attributes of arguments without those that let results take their memory."""
    if not isinstance(attribute, ArrayAttr):
        return attribute
    entries = [
        DictionaryAttr(tuple((key, value) for key, value in entry.as_dict().items() if key not in _DONATING))
        if isinstance(entry, DictionaryAttr)
        else entry
        for entry in attribute.values
    ]
    return ArrayAttr(tuple(entries))


def _with_operations(module: Module, operations: Sequence[Operation]) -> Module:
    """Returns a module with other operations in its block."""
    old = module.operation
    region = Region((Block(list(operations)),), old.regions[0].values)
    return Module(Operation(old.signature, regions=(region,)), resources=module.resources)


def _with_tensors_alone(module: Module, function: Function) -> Module:
    """Returns a module with the function `@shlo_tensors`, which calls another one with new tokens, and
    returns its tensors.
    """
    inputs, results = function.type.inputs, function.type.results
    names = with_tokens(inputs, [f"%a{at}" for at in range(len(inputs))])
    operands = ", ".join("%t" if name is TOKEN else name for name in names)
    takes = ", ".join(f"{name}: {type_}" for name, type_ in tensors_of(inputs, [*zip(names, inputs)]))
    all_results = [f"%r#{at}" if len(results) > 1 else "%r" for at in range(len(results))]
    returned, gives = (
        ", ".join(tensors_of(results, all_results)),
        ", ".join(map(str, tensors_of(results, results))),
    )
    target = f"%r{f':{len(results)}' if len(results) > 1 else ''} = " if results else ""
    types = f"({', '.join(map(str, inputs))}) -> ({', '.join(map(str, results))})"
    text = f"""
    func.func private @{MAIN}{types}
    func.func @{_TENSORS}({takes}) -> ({gives}) {{
      %t = stablehlo.create_token : !stablehlo.token
      {target}func.call @{MAIN}({operands}) : {types}
      return {returned}{" : " if returned else ""}{gives}
    }}
    """
    return _with_last_of(text, _renamed(module, function.name, MAIN, is_private=True))


def _for_each_partition(module: Module, partitions: int) -> Module:
    """Returns a module whose `@main` calls the function `@shlo_process` in each partition, on what that
    partition holds: a manual computation, of values that are said to be replicated, so that their types stay.
    """
    function = module.functions[_PROCESS]
    inputs, results = function.type.inputs, function.type.results
    takes = ", ".join(f"%a{index}: {type_}" for index, type_ in enumerate(inputs))
    inner = ", ".join(f"%b{index}: {type_}" for index, type_ in enumerate(inputs))
    operands = ", ".join(f"%a{index}" for index in range(len(inputs)))
    passed = ", ".join(f"%b{index}" for index in range(len(inputs)))
    types, gives = ", ".join(map(str, inputs)), ", ".join(map(str, results))
    named = f":{len(results)}" if len(results) > 1 else ""
    target, call = (f"%r{named} = ", f"%c{named} = ") if results else ("", "")
    returned = _references("%r", len(results)), _references("%c", len(results))
    text = f"""
    sdy.mesh @{_MESH} = <["shlo_p"={partitions}]>
    func.func private @{_PROCESS}({types}) -> ({gives})
    func.func @{MAIN}({takes}) -> ({gives}) {{
      {target}sdy.manual_computation({operands})
          in_shardings=[{_replicated(inputs)}] out_shardings=[{_replicated(results)}]
          manual_axes={{"shlo_p"}} ({inner}) {{
        {call}func.call @{_PROCESS}({passed}) : ({types}) -> ({gives})
        sdy.return {returned[1]}{" : " if results else ""}{gives}
      }} : ({types}) -> ({gives})
      return {returned[0]}{" : " if results else ""}{gives}
    }}
    """
    return _with_last_of(text, module)


def _with_last_of(text: str, module: Module) -> Module:
    """Returns a module with the last function of a text, which calls one of the module that the text
    declares before it, and with the symbols before that.
    """
    wrapper, diagnostics = parse(text)
    if any(diagnostic.severity == "error" for diagnostic in diagnostics):
        raise EngineError(f"expected a function that another can call, got {diagnostics[0].message}")
    *symbols, _, main = wrapper.body.blocks[0].operations
    return _with_operations(module, [*symbols, *module.body.blocks[0].operations, main])


def _replicated(types: Sequence[Type]) -> str:
    """Returns Shardy's text of the shardings of values that every partition holds whole."""
    return ", ".join(f"<@{_MESH}, [{', '.join(['{}'] * _rank(type_))}]>" for type_ in types)


def _rank(type_: Type) -> int:
    type_ = tensor_type_of(type_)
    return type_.rank if isinstance(type_, RankedTensorType) else 0


def _references(name: str, count: int) -> str:
    """Returns the references to the results of an operation."""
    return name if count == 1 else ", ".join(f"{name}#{index}" for index in range(count))
