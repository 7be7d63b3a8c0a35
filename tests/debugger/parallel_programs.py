"""Parallel programs made up by a seed, for walks of the debugger: collectives, messages, loops, branches,
calls, random numbers; some of them cannot end.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

SHAPES = ((2, 1), (1, 2), (2, 2), (3, 1), (1, 4), (2, 3))
"""Replicas and partitions."""

VALUE = "tensor<4xf32>"

SUM = """({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %both = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %both : tensor<f32>
})"""


@dataclass
class Maker:
    """Writes a program; every value in it is a tensor<4xf32>."""

    choice: random.Random
    replicas: int
    partitions: int
    is_broken: bool
    lines: list[str] = field(default_factory=list)
    functions: list[str] = field(default_factory=list)
    names: int = 0
    channels: int = 10

    def fresh(self) -> str:
        self.names += 1
        return f"%v{self.names}"

    def body(self, value: str, pieces: int, depth: int, may_meet: bool = True) -> str:
        """Some pieces one after the other; the value that the last one gives."""
        kinds: list[Callable[[str, int], str]] = [self.arithmetic, self.arithmetic, self.random, self.outfeed]
        if may_meet:
            kinds += [self.all_reduce, self.permute, self.gather, self.message, self.asynchronous]
        if depth:
            kinds += [self.branch, self.call] + ([self.loop] if may_meet else [])
        for _ in range(pieces):
            value = self.choice.choice(kinds)(value, depth)
        return value

    def write(self, text: str) -> None:
        self.lines.append(text)

    def arithmetic(self, value: str, depth: int) -> str:
        result = self.fresh()
        self.write(f"{result} = stablehlo.{self.choice.choice(['sine', 'negate', 'abs'])} {value} : {VALUE}")
        return result

    def random(self, value: str, depth: int) -> str:
        low, high, shape, made, result = (self.fresh() for _ in range(5))
        self.write(f"{low} = stablehlo.constant dense<0.0> : tensor<f32>")
        self.write(f"{high} = stablehlo.constant dense<1.0> : tensor<f32>")
        self.write(f"{shape} = stablehlo.constant dense<4> : tensor<1xi64>")
        self.write(
            f"{made} = stablehlo.rng {low}, {high}, {shape}, distribution = UNIFORM"
            f" : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> {VALUE}"
        )
        self.write(f"{result} = stablehlo.add {made}, {value} : {VALUE}")
        return result

    def outfeed(self, value: str, depth: int) -> str:
        token, sent = self.fresh(), self.fresh()
        self.write(f"{token} = stablehlo.create_token : !stablehlo.token")
        self.write(
            f'{sent} = "stablehlo.outfeed"({value}, {token}) : ({VALUE}, !stablehlo.token) -> !stablehlo.token'
        )
        return value

    def groups(self) -> str:
        rows = ", ".join(str(number) for number in range(self.replicas))
        return f"replica_groups = dense<[[{rows}]]> : tensor<1x{self.replicas}xi64>"

    def all_reduce(self, value: str, depth: int) -> str:
        result = self.fresh()
        self.write(
            f'{result} = "stablehlo.all_reduce"({value}) {SUM} {{{self.groups()}}} : ({VALUE}) -> {VALUE}'
        )
        return result

    def pairs(self) -> str:
        """Rings of the partitions or, where there is one of them, of the replicas."""
        size = self.partitions if self.partitions > 1 else self.replicas
        rows = ", ".join(f"[{number}, {(number + 1) % size}]" for number in range(size))
        return f"source_target_pairs = dense<[{rows}]> : tensor<{size}x2xi64>"

    def handle(self, kind: int = 1) -> str:
        self.channels += 1
        return f"channel_handle = #stablehlo.channel_handle<handle = {self.channels}, type = {kind}>"

    def permute(self, value: str, depth: int) -> str:
        result = self.fresh()
        channel = f", {self.handle()}" if self.partitions > 1 else ""
        self.write(
            f'{result} = "stablehlo.collective_permute"({value}) {{{self.pairs()}{channel}}}'
            f" : ({VALUE}) -> {VALUE}"
        )
        return result

    def gather(self, value: str, depth: int) -> str:
        whole, result = self.fresh(), self.fresh()
        size = 4 * self.replicas
        self.write(
            f'{whole} = "stablehlo.all_gather"({value}) {{all_gather_dim = 0 : i64, {self.groups()}}}'
            f" : ({VALUE}) -> tensor<{size}xf32>"
        )
        self.write(
            f"{result} = stablehlo.slice {whole} [{size - 4}:{size}] : (tensor<{size}xf32>) -> {VALUE}"
        )
        return result

    def message(self, value: str, depth: int) -> str:
        token, sent, got, after = (self.fresh() for _ in range(4))
        attributes = f"{self.handle()}, {self.pairs()}"
        self.write(f"{token} = stablehlo.create_token : !stablehlo.token")
        receive = f'{got}, {after} = "stablehlo.recv"({{}}) {{{{{attributes}}}}} : (!stablehlo.token) -> ({VALUE}, !stablehlo.token)'
        send = f'{sent} = "stablehlo.send"({value}, {{}}) {{{{{attributes}}}}} : ({VALUE}, !stablehlo.token) -> !stablehlo.token'
        if self.is_broken and self.choice.random() < 0.3:
            self.write(receive.format(token))
            self.write(send.format(after))
        else:
            self.write(send.format(token))
            self.write(receive.format(sent))
        return got

    def asynchronous(self, value: str, depth: int) -> str:
        future, beside, done, result = (self.fresh() for _ in range(4))
        self.write(
            f'{future} = "stablehlo.async_start"({value}) ({{\n^bb0(%inner: {VALUE}):\n'
            f'  %r = "stablehlo.all_reduce"(%inner) {SUM} {{{self.groups()}}} : ({VALUE}) -> {VALUE}\n'
            f"  stablehlo.return %r : {VALUE}\n}}) : ({VALUE}) -> !stablehlo.future<{VALUE}>"
        )
        self.write(f"{beside} = stablehlo.cosine {value} : {VALUE}")
        self.write(f'{done} = "stablehlo.async_done"({future}) : (!stablehlo.future<{VALUE}>) -> {VALUE}')
        self.write(f"{result} = stablehlo.add {beside}, {done} : {VALUE}")
        return result

    def loop(self, value: str, depth: int) -> str:
        start, end, i, carried, more, one, next_, result = (self.fresh() for _ in range(8))
        self.write(f"{start} = stablehlo.constant dense<0> : tensor<i32>")
        self.write(
            f"{result}:2 = stablehlo.while({i} = {start}, {carried} = {value}) : tensor<i32>, {VALUE}\ncond {{"
        )
        self.write(f"{end} = stablehlo.constant dense<{self.choice.randint(1, 4)}> : tensor<i32>")
        self.write(
            f"{more} = stablehlo.compare LT, {i}, {end} : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
            f"stablehlo.return {more} : tensor<i1>\n}} do {{"
        )
        inner = self.body(carried, self.choice.randint(1, 3), depth - 1)
        self.write(f"{one} = stablehlo.constant dense<1> : tensor<i32>")
        self.write(f"{next_} = stablehlo.add {i}, {one} : tensor<i32>")
        self.write(f"stablehlo.return {next_}, {inner} : tensor<i32>, {VALUE}\n}}")
        return f"{result}#1"

    def branch(self, value: str, depth: int) -> str:
        """Returns what is done depends on the process; where that meets others, not all of them come."""
        number, index, result = (self.fresh() for _ in range(3))
        what = "replica_id" if self.replicas > 1 else "partition_id"
        may_meet = self.is_broken and self.choice.random() < 0.3
        self.write(f"{number} = stablehlo.{what} : tensor<ui32>")
        self.write(f"{index} = stablehlo.convert {number} : (tensor<ui32>) -> tensor<i32>")
        self.write(f'{result} = "stablehlo.case"({index}) ({{')
        first = self.body(value, self.choice.randint(0, 2), depth - 1, may_meet)
        self.write(f"stablehlo.return {first} : {VALUE}\n}}, {{")
        second = self.body(value, self.choice.randint(0, 2), depth - 1, may_meet=False)
        self.write(f"stablehlo.return {second} : {VALUE}\n}}) : (tensor<i32>) -> {VALUE}")
        return result

    def call(self, value: str, depth: int) -> str:
        outer, self.lines = self.lines, []
        argument, result = self.fresh(), self.fresh()
        inner = self.body(argument, self.choice.randint(1, 2), depth - 1, may_meet=False)
        name = f"@f{len(self.functions)}"
        text = "\n".join(self.lines)
        self.functions.append(
            f"func.func private {name}({argument}: {VALUE}) -> {VALUE} {{\n{text}\nreturn {inner} : {VALUE}\n}}"
        )
        self.lines = outer
        self.write(f"{result} = func.call {name}({value}) : ({VALUE}) -> {VALUE}")
        return result


def parallel_program(seed: int) -> tuple[str, tuple[int, int]]:
    """Returns a program of one argument, a tensor<4xf32>, and the shape of the grid that it is for."""
    choice = random.Random(seed)
    shape = choice.choice(SHAPES)
    maker = Maker(choice, *shape, is_broken=choice.random() < 0.4)
    result = maker.body("%x", choice.randint(4, 8), 2)
    body = "\n".join(maker.lines)
    main = f"func.func @main(%x: {VALUE}) -> {VALUE} {{\n{body}\nreturn {result} : {VALUE}\n}}"
    return "\n".join([main, *maker.functions]) + "\n", shape
