"""The lines of a function in LLVM's language: values, variables, blocks, loops over elements."""

from __future__ import annotations

from collections.abc import Callable, Sequence


class Lines:
    """Collects instructions. Variables are memory of their own on the stack, which LLVM turns into
    registers."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.variables: list[tuple[str, str]] = []
        self.entry: list[str] = []
        """What begins the function, behind the variables."""
        self.functions: dict[str, str] = {}
        """Other functions that lines call, by name."""
        self._count = 0
        self._block = "begin"

    def name(self, prefix: str = "%t") -> str:
        """Returns a new name."""
        self._count += 1
        return f"{prefix}{self._count}"

    def line(self, text: str) -> None:
        """Adds an instruction without a result."""
        self.lines.append(f"  {text}")

    def value(self, text: str) -> str:
        """Adds an instruction; returns the name of its result."""
        name = self.name()
        self.lines.append(f"  {name} = {text}")
        return name

    def variable(self, type_: str) -> str:
        """Returns the name of a new variable."""
        name = self.name("%v")
        self.variables.append((name, type_))
        return name

    def scratch(self, type_: str) -> str:
        """Returns the name of memory on the stack that is no variable: it is not kept when the code
        pauses."""
        name = self.name("%s")
        self.entry.append(f"  {name} = alloca {type_}")
        return name

    def label(self) -> str:
        """Returns the name of a new block."""
        self._count += 1
        return f"b{self._count}"

    def begin(self, label: str) -> None:
        """Begins a block."""
        self.lines.append(f"{label}:")
        self._block = label

    def jump(self, label: str) -> None:
        """Ends a block by going to another."""
        self.line(f"br label %{label}")

    def branch(self, condition: str, then: str, otherwise: str) -> None:
        """Ends a block by going to one of two others."""
        self.line(f"br i1 {condition}, label %{then}, label %{otherwise}")

    def each(self, shape: Sequence[int], body: Callable[[list[str]], None]) -> None:
        """Writes loops over the indices of a shape, none of whose sizes is 0; `body` is given their names."""
        self._each(list(shape), [], body)

    def _each(self, shape: list[int], indices: list[str], body: Callable[[list[str]], None]) -> None:
        if not shape:
            body(indices)
            return
        size, *rest = shape
        if size == 1:
            self._each(rest, [*indices, "0"], body)
            return
        before, head, latch, after = self._block, self.label(), self.label(), self.label()
        index, following = self.name(), self.name()
        self.jump(head)
        self.begin(head)
        self.lines.append(f"  {index} = phi i64 [0, %{before}], [{following}, %{latch}]")
        self._each(rest, [*indices, index], body)
        self.jump(latch)
        self.begin(latch)
        self.lines.append(f"  {following} = add nuw nsw i64 {index}, 1")
        self.branch(self.value(f"icmp eq i64 {following}, {size}"), after, head)
        self.begin(after)

    def affine(self, offset: str, indices: Sequence[str], strides: Sequence[int]) -> str:
        """Returns offset + sum of indices times strides."""
        total = offset
        for index, stride in zip(indices, strides):
            if stride == 0 or index == "0":
                continue
            step = index if stride == 1 else self.value(f"mul nsw i64 {index}, {stride}")
            total = step if total == "0" else self.value(f"add nsw i64 {total}, {step}")
        return total


def loop_text(
    name: str, parameters: Sequence[str], body: Lines, before: Sequence[str] = (), after: Sequence[str] = ()
) -> str:
    """Returns a function that runs instructions for each element `%i` of `%n`, and others before and after
    all of them.
    """
    return "\n".join(
        [
            f"define internal void {name}({', '.join([*parameters, 'i64 %n'])}) noinline {{",
            "enter:",
            *before,
            "  br label %loop",
            "loop:",
            "  %i = phi i64 [0, %enter], [%next, %loop]",
            *body.lines,
            "  %next = add nuw nsw i64 %i, 1",
            "  %more = icmp slt i64 %next, %n",
            "  br i1 %more, label %loop, label %end",
            "end:",
            *after,
            "  ret void",
            "}",
        ]
    )
