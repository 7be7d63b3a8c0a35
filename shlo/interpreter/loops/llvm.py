"""Prints functions in LLVM's language."""

from __future__ import annotations

import itertools
import struct
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

import numpy as np

from shlo.interpreter.kernels.numeric import Kind
from shlo.interpreter.loops.expressions import (
    ArrayMemory,
    ConstantExpr,
    Expr,
    LoadExpr,
    LoopVariable,
    NameExpr,
    OpExpr,
    is_unsigned,
)
from shlo.interpreter.loops.numbers import POINTER, Number
from shlo.interpreter.loops.statements import (
    CallCode,
    ElementPass,
    For,
    Let,
    LoopFunction,
    Pausing,
    Statement,
    Store,
    Switch,
    While,
)

_BINARY: Final = {
    "add": ("fadd", "add", "add"),
    "and": ("and", "and", "and"),
    "ashr": ("ashr", "ashr", "ashr"),
    "div": ("fdiv", "sdiv", "udiv"),
    "lshr": ("lshr", "lshr", "lshr"),
    "mul": ("fmul", "mul", "mul"),
    "or": ("or", "or", "or"),
    "rem": ("frem", "srem", "urem"),
    "shl": ("shl", "shl", "shl"),
    "sub": ("fsub", "sub", "sub"),
    "xor": ("xor", "xor", "xor"),
    "eq": ("fcmp oeq", "icmp eq", "icmp eq"),
    "ge": ("fcmp oge", "icmp sge", "icmp uge"),
    "gt": ("fcmp ogt", "icmp sgt", "icmp ugt"),
    "le": ("fcmp ole", "icmp sle", "icmp ule"),
    "lt": ("fcmp olt", "icmp slt", "icmp ult"),
    "ne": ("fcmp une", "icmp ne", "icmp ne"),
    "unordered": ("fcmp uno", "", ""),
}
"""Instructions of operations on two floats, signed integers, and unsigned integers or booleans."""
_OF_INDICES: Final = {"add": "add nsw", "mul": "mul nsw", "sub": "sub nsw", "div": "udiv", "rem": "urem"}
_INTRINSICS: Final = {
    "abs": ("fabs", "abs", ""),
    "ceil": ("ceil", "", ""),
    "copysign": ("copysign", "", ""),
    "ctlz": ("", "ctlz", "ctlz"),
    "ctpop": ("", "ctpop", "ctpop"),
    "floor": ("floor", "", ""),
    "max": ("maximum", "smax", "umax"),
    "min": ("minimum", "smin", "umin"),
    "rint": ("rint", "", ""),
    "sqrt": ("sqrt", "", ""),
    "trunc": ("trunc", "", ""),
}
"""The same for intrinsic functions."""
PASS: Final = "@pass"
"""How names of functions that are passes over elements begin."""
AROUND: Final = "attributes #0 = { noinline"
"""How the attributes begin of functions around passes and loops of their own."""


def print_functions(functions: Iterable[LoopFunction]) -> str:
    """Returns the text of functions."""
    names, texts = itertools.count(), list[str]()
    for function in functions:
        printer = _Printer(names)
        text = printer.function(function)
        texts += [*printer.passes, text]
    return "\n".join([*texts, f"{AROUND} }}", "!0 = !{i32 1}"])


def literal(number: Number, value: Any) -> str:
    """Returns a value of a type as LLVM writes it."""
    if number.lanes > 1:
        return f"<{', '.join(f'i32 {lane}' for lane in value)}>"
    if number == POINTER:
        return f"inttoptr (i64 {value} to ptr)"
    if number.kind is Kind.BOOLEAN:
        return "true" if value else "false"
    if value != value:  # a constant whose bits LLVM does not look at
        bits = int(np.asarray(value, number.dtype).view(f"u{number.size}"))
        return f"bitcast (i{number.bits} {bits} to {number.llvm})"
    if number.is_float:
        return f"0x{struct.unpack('<Q', struct.pack('<d', float(value)))[0]:016X}"
    return str(int(value))


def _suffix(number: Number) -> str:
    return {"float": "f32", "double": "f64"}.get(number.llvm, number.llvm)


def _column(row: Sequence[str], number: Number) -> str:
    return row[0] if number.is_float else row[2] if is_unsigned(number) else row[1]


def _assigned(statements: Iterable[Statement]) -> Iterator[str]:
    """Yields the names of variables that statements assign."""
    for statement in statements:
        match statement:
            case Store(targets):
                yield from (target.text for target, _, _ in targets if isinstance(target, LoopVariable))
            case For(body=body):
                yield from _assigned(body)
            case Switch(bodies=bodies):
                yield from _assigned(itertools.chain.from_iterable(bodies))
            case _:  # no loop that pauses is in a For, and behind any nothing is known
                pass


class _Printer:
    """Prints one function. Values of expressions are known within a statement, those of variables until
    something else may be assigned, or the function goes on after a pause: what no line loads is not kept.
    """

    def __init__(self, names: Iterator[int], outer: _Printer | None = None) -> None:
        self.passes: list[str] = []
        """Functions of passes, which this one calls."""
        self.parameters: dict[object, str] = {}
        """In a pass: the parameters for values of the function around it, each with its type, by what they
        are.
        """
        self.arguments: list[str] = []
        self.lines: list[str] = []
        self._names = names
        self._outer = outer
        self._own: set[str] = set()
        self._lets: dict[str, str] = {}
        self._texts: dict[Expr, str] = {}
        self._held: dict[str, str] = {}  # what variables hold
        self._loaded: set[str] = set()
        self._block = "begin"
        self._heads: list[str] = []

    # Functions

    def function(self, function: LoopFunction) -> str:
        """Returns a function's text."""
        head = [
            f"  {self.text(memory.pointer)} = alloca [{count} x {memory.number.memory}], align 64"
            for memory, count in function.stack
        ]
        if function.pausing is not None:
            head.append("  %paused = alloca i64")
            head += ["  %fuel = alloca i64", f"  store i64 {function.pausing.rounds}, ptr %fuel"]
        self.statements(function.entry)
        entry, self.lines = self.lines, []
        self.statements(function.body)
        self._line("ret void" if function.is_inner else "ret i64 0")
        variables = [variable for variable in function.variables if variable.text in self._loaded]
        unused = {f"%{variable.text}" for variable in function.variables if variable.text not in self._loaded}
        body, self.lines = [line for line in self.lines if line.rpartition(" ")[2] not in unused], []
        head = [f"  %{variable.text} = alloca {variable.number.llvm}" for variable in variables] + head
        pausing = () if function.pausing is None else self._pausing(variables, function.pausing)
        resuming, self.lines = self.lines, []
        kind, end = ("internal void", " noinline") if function.is_inner else ("i64", " #0")
        pointer = "ptr noalias" if function.is_inner else "ptr"
        types = {POINTER: pointer}
        parameters = ", ".join(
            f"{types.get(name.number, name.number.llvm)} %{name.text}" for name in function.parameters
        )
        return "\n".join(
            [
                f"define {kind} @{function.name}({parameters}){end} {{",
                "enter:",
                *head,
                *entry,
                *(resuming or ["  br label %begin"]),
                "begin:",
                *body,
                *pausing,
                "}",
            ]
        )

    def _pausing(self, variables: Sequence[LoopVariable], pausing: Pausing) -> list[str]:
        """Returns how the function pauses and goes on; the lines left are those that choose between."""
        saves, restores = ["pause:", "  %head = load i64, ptr %paused"], ["restore:"]
        for number, variable in enumerate(variables):
            name, type_ = f"%{variable.text}", variable.number.llvm
            offset = pausing.offset + 8 * number
            self._line(f"{name}.kept = getelementptr i8, ptr {self.text(pausing.frame)}, i64 {offset}")
            saves += [
                f"  {name}.now = load {type_}, ptr {name}",
                f"  store {type_} {name}.now, ptr {name}.kept",
            ]
            restores += [
                f"  {name}.old = load {type_}, ptr {name}.kept",
                f"  store {type_} {name}.old, ptr {name}",
            ]
        choices = " ".join(f"i64 {number}, label %{head}" for number, head in enumerate(self._heads, 1))
        resumed = self.text(pausing.resumed)
        self._line(f"%is.new = icmp eq i64 {resumed}, 0")
        self._line("br i1 %is.new, label %begin, label %restore")
        return [*saves, "  ret i64 %head", *restores, f"  switch i64 {resumed}, label %begin [{choices}]"]

    def _pass(self, statement: ElementPass) -> None:
        """Prints a pass as a function, and its call."""
        name = f"{PASS}{next(self._names)}"
        inner = _Printer(self._names, self)
        head = [f"  %{variable.text} = alloca {variable.number.llvm}" for variable in statement.variables]
        inner.own(statement)
        inner.statements(statement.before)
        before, inner.lines, inner._held = inner.lines, [], {}
        index = f"%{statement.index.text}"
        inner.statements(statement.body)
        body, inner.lines, inner._held = inner.lines, [], {}
        inner.statements(statement.after)
        parameters = ", ".join([*inner.parameters.values(), "i64 %n"])
        self.passes.append(
            "\n".join(
                [
                    f"define internal void {name}({parameters}) noinline {{",
                    "enter:",
                    *head,
                    *before,
                    "  br label %begin",
                    "begin:",
                    f"  {index} = phi i64 [0, %enter], [{index}.next, %{inner._block}]",
                    *body,
                    f"  {index}.next = add nuw nsw i64 {index}, 1",
                    f"  {index}.more = icmp slt i64 {index}.next, %n",
                    f"  br i1 {index}.more, label %begin, label %end",
                    "end:",
                    *inner.lines,
                    "  ret void",
                    "}",
                ]
            )
        )
        arguments = ", ".join([*inner.arguments, f"i64 {self.text(statement.count)}"])
        self._line(f"call void {name}({arguments})")

    def own(self, statement: ElementPass) -> None:
        """Notes which names belong to a pass itself."""
        self._own = {statement.index.text, *(variable.text for variable in statement.variables)}

    # Statements

    def statements(self, statements: Sequence[Statement]) -> None:
        """Prints statements."""
        for statement in statements:
            self._texts = {}
            self._statement(statement)

    def _inside(self, statements: Sequence[Statement]) -> None:
        """Prints statements that may run, once or again: what they assign is not known in them and after."""
        changed, heads = {*_assigned(statements)}, len(self._heads)
        held = {name: text for name, text in self._held.items() if name not in changed}
        self._held = {**held}
        self.statements(statements)
        self._held = held if len(self._heads) == heads else {}

    def _statement(self, statement: Statement) -> None:
        match statement:
            case Let(name, value):
                self._own.add(name.text)
                self._lets[name.text] = self.text(value)
            case Store(targets, bypasses_cache):
                self._store(targets, ", !nontemporal !0" if bypasses_cache else "")
            case For():
                self._for(statement)
            case Switch(selector, bodies):
                self._switch(selector, bodies)
            case While():
                self._while(statement)
            case ElementPass():
                self._pass(statement)
            case CallCode(target, arguments):
                self._call(target, arguments)

    def _store(self, targets: Sequence[tuple[ArrayMemory | LoopVariable, Expr, Expr]], hint: str) -> None:
        values = [(target, index, self.text(value)) for target, index, value in targets]
        for target, index, text in values:
            number = target.number
            if isinstance(target, LoopVariable):
                self._line(f"store {number.llvm} {text}, ptr %{target.text}")
                self._held[target.text] = text
                continue
            if number.memory != number.llvm:
                text = self._value(f"zext {number.llvm} {text} to {number.memory}")
            alignment = self._alignment(number, bool(hint))
            self._line(f"store {number.memory} {text}, ptr {self._address(target, index)}{alignment}{hint}")

    @staticmethod
    def _alignment(number: Number, is_line: bool = False) -> str:
        """Returns how vectors are aligned in memory: as their elements are, unless they fill lines of the
        cache.
        """
        return "" if number.lanes == 1 else f", align {number.size * (number.lanes if is_line else 1)}"

    def _for(self, statement: For) -> None:
        count, index = statement.count, f"%{statement.index.text}"
        if isinstance(count, ConstantExpr) and count.value == 0:
            return
        head, latch, after = self._label(), self._label(), self._label()
        end = self.text(count)
        if not isinstance(count, ConstantExpr):
            some = self._value(f"icmp sgt i64 {end}, 0")
            inside = self._label()
            self._branch(some, inside, after)
            self._begin(inside)
        before = self._block
        self._jump(head)
        self._begin(head)
        self._own.add(statement.index.text)
        self._line(f"{index} = phi i64 [0, %{before}], [{index}.next, %{latch}]")
        self._inside(statement.body)
        self._jump(latch)
        self._begin(latch)
        self._line(f"{index}.next = add nuw nsw i64 {index}, 1")
        self._line(f"{index}.more = icmp slt i64 {index}.next, {end}")
        self._branch(f"{index}.more", head, after)
        self._begin(after)

    def _switch(self, selector: Expr, bodies: Sequence[Sequence[Statement]]) -> None:
        chosen, after = self.text(selector), self._label()
        labels = [self._label() if body else after for body in bodies]
        if selector.number.kind is Kind.BOOLEAN:
            self._branch(chosen, labels[0], labels[-1])
        else:
            choices = " ".join(f"i32 {number}, label %{label}" for number, label in enumerate(labels))
            self._line(f"switch i32 {chosen}, label %{labels[-1]} [{choices}]")
        for label, body in zip(labels, bodies):
            if body:
                self._begin(label)
                self._inside(body)
                self._jump(after)
        self._begin(after)

    def _while(self, statement: While) -> None:
        head, inside, after, out_of_fuel, go_on = (self._label() for _ in range(5))
        self._heads.append(head)
        self._jump(head)
        self._begin(head)
        self._held = {}
        left = self._value("load i64, ptr %fuel")
        self._line(f"store i64 {self._value(f'sub i64 {left}, 1')}, ptr %fuel")
        self._branch(self._value(f"icmp sle i64 {left}, 0"), out_of_fuel, go_on)
        self._begin(out_of_fuel)
        self._line(f"store i64 {len(self._heads)}, ptr %paused")
        self._jump("pause")
        self._begin(go_on)
        self.statements(statement.condition)
        self._texts = {}
        self._branch(self.text(statement.goes_on), inside, after)
        held = {**self._held}
        self._begin(inside)
        self.statements(statement.body)
        self._held = held
        self._jump(head)
        self._begin(after)

    def _call(self, target: Expr | str, arguments: Sequence[Expr]) -> None:
        passed = ", ".join(f"{argument.number.llvm} {self.text(argument)}" for argument in arguments)
        if isinstance(target, Expr):
            self._line(f"call void {self.text(target)}({passed})")
        elif target == "llvm.memmove":
            self._line(f"call void @{target}.p0.p0.i64({passed}, i1 false)")
        elif target == "llvm.prefetch":
            self._line(f"call void @{target}.p0({passed}, i32 0, i32 3, i32 1)")
        else:
            self._line("fence seq_cst" if target == "fence" else f"call void @{target}({passed})")

    # Expressions

    def text(self, expression: Expr) -> str:
        """Returns the text of a value, after printing what computes it and is not known in this statement."""
        texts, waiting = self._texts, [expression]
        while waiting:
            last = waiting[-1]
            if last not in texts:
                needed = [operand for operand in self._operands(last) if operand not in texts]
                if needed:
                    waiting += reversed(needed)
                    continue
                texts[last] = self._written(last)
            waiting.pop()
        return texts[expression]

    def _operands(self, expression: Expr) -> Sequence[Expr]:
        if isinstance(expression, OpExpr):
            return expression.operands
        if isinstance(expression, LoadExpr) and isinstance(expression.place, ArrayMemory):
            return () if self._is_zero(expression.index) else (expression.index,)
        return ()

    def _written(self, expression: Expr) -> str:
        match expression:
            case ConstantExpr(number, value):
                return literal(number, value)
            case NameExpr(_, text):
                is_own = self._is_own(text)
                return self._lets.get(text, f"%{text}") if is_own else self._parameter(expression, text)
            case LoadExpr(_, LoopVariable(_, text), _) if text in self._held:
                return self._held[text]
            case LoadExpr(number, LoopVariable(_, text), _):
                if self._is_own(text):
                    self._loaded.add(text)
                    self._held[text] = self._value(f"load {number.llvm}, ptr %{text}")
                    return self._held[text]
                return self._parameter(expression, text)
            case LoadExpr(number, ArrayMemory() as memory, index):
                address, alignment = self._address(memory, index), self._alignment(number)
                loaded = self._value(f"load {number.memory}, ptr {address}{alignment}")
                return (
                    loaded
                    if number.memory == number.llvm
                    else self._value(f"icmp ne {number.memory} {loaded}, 0")
                )
            case OpExpr(number, name, operands):
                return self._operation(number, name, operands)
            case _:
                raise AssertionError(expression)

    def _operation(self, number: Number, name: str, operands: tuple[Expr, ...]) -> str:
        texts, first = [self._texts[operand] for operand in operands], operands[0].number
        if name == "select":
            return self._value(f"select i1 {texts[0]}, {number.llvm} {texts[1]}, {number.llvm} {texts[2]}")
        if name == "convert":
            return self._converted(first, number, texts[0])
        if name == "bitcast":
            return self._value(f"bitcast {first.llvm} {texts[0]} to {number.llvm}")
        if name == "shuffle":
            typed = ", ".join(f"{operand.number.llvm} {text}" for operand, text in zip(operands, texts))
            return self._value(f"shufflevector {typed}")
        if name == "bytes":
            return (
                texts[0]
                if texts[1] == "0"
                else self._value(f"getelementptr i8, ptr {texts[0]}, i64 {texts[1]}")
            )
        if name == "neg":
            return self._value(
                f"fneg {first.llvm} {texts[0]}" if first.is_float else f"sub {first.llvm} 0, {texts[0]}"
            )
        if name in _INTRINSICS:
            typed = ", ".join(f"{first.llvm} {text}" for text in texts)
            more = ", i1 false" if name == "ctlz" or (name == "abs" and not first.is_float) else ""
            intrinsic = _column(_INTRINSICS[name], first)
            return self._value(f"call {first.llvm} @llvm.{intrinsic}.{_suffix(first)}({typed}{more})")
        instruction = _OF_INDICES.get(name) if first.is_index else None
        instruction = instruction or _column(_BINARY[name], first)
        return self._value(f"{instruction} {first.llvm} {', '.join(texts)}")

    def _converted(self, source: Number, target: Number, text: str) -> str:
        if source.llvm == target.llvm:
            return text
        if source == POINTER:
            return self._value(f"ptrtoint ptr {text} to {target.llvm}")
        if target.kind is Kind.BOOLEAN:
            compare = "fcmp une" if source.is_float else "icmp ne"
            return self._value(f"{compare} {source.llvm} {text}, {literal(source, 0)}")
        if source.is_float and not target.is_float:
            sign = "u" if is_unsigned(target) else "s"
            saturated = f"@llvm.fpto{sign}i.sat.{_suffix(target)}.{_suffix(source)}"
            return self._value(f"call {target.llvm} {saturated}({source.llvm} {text})")
        is_signed = source.kind is Kind.SIGNED
        if source.is_float:
            instruction = "fpext" if target.bits > source.bits else "fptrunc"
        elif target.is_float:
            instruction = "sitofp" if is_signed else "uitofp"
        else:
            instruction = "trunc" if target.bits < source.bits else "sext" if is_signed else "zext"
        return self._value(f"{instruction} {source.llvm} {text} to {target.llvm}")

    def _address(self, memory: ArrayMemory, index: Expr) -> str:
        pointer = self._pointer(memory.pointer)
        if self._is_zero(index):
            return pointer
        return self._value(
            f"getelementptr inbounds {memory.number.memory}, ptr {pointer}, i64 {self.text(index)}"
        )

    def _pointer(self, pointer: Expr) -> str:
        """Returns an address; in a pass that of different memory for each."""
        if self._outer is None or (isinstance(pointer, NameExpr) and pointer.text in self._own):
            return self.text(pointer)
        key = pointer.text if isinstance(pointer, NameExpr) else pointer
        return self._parameter(pointer, key, " noalias")

    @staticmethod
    def _is_zero(index: Expr) -> bool:
        return isinstance(index, ConstantExpr) and index.value == 0

    def _is_own(self, text: str) -> bool:
        return self._outer is None or text in self._own

    def _parameter(self, value: Expr, key: object, attribute: str = "") -> str:
        """Returns the parameter of a pass for a value of the function around it."""
        assert self._outer is not None
        if key not in self.parameters:
            self.arguments.append(f"{value.number.llvm} {self._outer.text(value)}")
            self.parameters[key] = f"{value.number.llvm}{attribute} %p{len(self.parameters)}"
        return self.parameters[key].split()[-1]

    # Lines

    def _line(self, text: str) -> None:
        self.lines.append(f"  {text}")

    def _value(self, text: str) -> str:
        name = f"%x{next(self._names)}"
        self.lines.append(f"  {name} = {text}")
        return name

    def _label(self) -> str:
        return f"b{next(self._names)}"

    def _begin(self, label: str) -> None:
        self.lines.append(f"{label}:")
        self._block = label

    def _jump(self, label: str) -> None:
        self._line(f"br label %{label}")

    def _branch(self, condition: str, then: str, otherwise: str) -> None:
        self._line(f"br i1 {condition}, label %{then}, label %{otherwise}")
