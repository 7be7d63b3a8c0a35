"""Shapes of program text that grow in one dimension each: `SHAPES[name](n)` is a text of size about n.

Every shape is a program that a generator, a compiler or an attacker may hand over. Work on each must grow
about linearly with n. `DEEP` names the shapes that only nest: beyond the limit of nesting they are refused.
"""

from __future__ import annotations

from collections.abc import Callable

Shape = Callable[[int], str]
SHAPES: dict[str, Shape] = {}
DEEP: set[str] = set()


def shape(build: Shape) -> Shape:
    """Registers a shape under the name of its function."""
    SHAPES[build.__name__] = build
    return build


def deep(build: Shape) -> Shape:
    """Registers a shape that nests n deep."""
    DEEP.add(build.__name__)
    return shape(build)


def function(body: str, arguments: str = "%x: tensor<4xf32>", results: str = "tensor<4xf32>") -> str:
    """Returns a function @main around operations, of which the last returns."""
    return f"func.func @main({arguments}) -> {results} {{\n{body}}}\n"


def repeated(line: str, n: int, separator: str = "") -> str:
    """Returns a line n times, `{i}` being the number, `{j}` the one before."""
    return separator.join([line.replace("{i}", str(i)).replace("{j}", str(i - 1)) for i in range(1, n + 1)])


def listed(item: str, n: int) -> str:
    """Items separated by commas."""
    return repeated(item, n, ", ")


UNIT = "() -> ()"
RETURN_X = "  return %x : tensor<4xf32>\n"


# -- many operations -----------------------------------------------------------------------------------------


@shape
def straight_line(n: int) -> str:
    chain = repeated("  %v{i} = stablehlo.add %v{j}, %x : tensor<4xf32>\n", n)
    zero = "  %v0 = stablehlo.abs %x : tensor<4xf32>\n"
    return function(zero + chain + f"  return %v{n} : tensor<4xf32>\n")


@shape
def different_lines(n: int) -> str:
    lines = repeated("  %c{i} = stablehlo.constant dense<{i}.0> : tensor<{i}xf32>\n", n)
    return function(lines + RETURN_X)


@shape
def one_line(n: int) -> str:
    return "func.func @main(%v0: tensor<f32>) -> tensor<f32> { " + (
        repeated("%v{i} = stablehlo.abs %v{j} : tensor<f32> ", n) + f"return %v{n} : tensor<f32> }}\n"
    )


@shape
def generic_lines(n: int) -> str:
    lines = repeated(
        '  %v{i} = "stablehlo.negate"(%x) {tag = {i} : i64} : (tensor<4xf32>) -> tensor<4xf32>\n', n
    )
    return function(lines + RETURN_X)


@shape
def unknown_operations(n: int) -> str:
    return function(repeated("  %v{i} = stablehlo.frobnicate{i} %x : tensor<4xf32>\n", n) + RETURN_X)


@shape
def wrong_types(n: int) -> str:
    return function(repeated("  %v{i} = stablehlo.add %x, %x : tensor<5xf32>\n", n) + RETURN_X)


@shape
def undeclared_values(n: int) -> str:
    return function(repeated("  %v{i} = stablehlo.abs %w{i} : tensor<4xf32>\n", n) + RETURN_X)


@shape
def redefinitions(n: int) -> str:
    return function(repeated("  %v = stablehlo.abs %x : tensor<4xf32>\n", n) + RETURN_X)


@shape
def forward_uses(n: int) -> str:
    uses = repeated('  "a.b"(%v{i}) : (tensor<4xf32>) -> ()\n', n)
    return uses + repeated('  %v{i} = "a.c"() : () -> tensor<4xf32>\n', n)


@shape
def garbage(n: int) -> str:
    return function(repeated("  ] } = %( stablehlo\n", n) + RETURN_X)


@shape
def opening_braces(n: int) -> str:
    return repeated("func.func @f{i}() {\n", n)


@shape
def opening_regions(n: int) -> str:
    return '"a.b"() ({\n' * 8 * n


@shape
def opening_modules(n: int) -> str:
    """Returns 8 n modules that do not end, beyond the limit of nesting."""
    return "module {\n" * (100 + 8 * n)


@shape
def closing_braces(n: int) -> str:
    return "}\n" * n


@shape
def comments(n: int) -> str:
    return function("  // a remark\n" * n + RETURN_X)


@shape
def functions(n: int) -> str:
    return repeated("func.func @f{i}(%x: tensor<4xf32>) -> tensor<4xf32> {\n" + RETURN_X + "}\n", n)


@shape
def calls(n: int) -> str:
    body = repeated("  %v{i} = call @f(%x) : (tensor<4xf32>) -> tensor<4xf32>\n", n) + RETURN_X
    return function(body) + "func.func private @f(tensor<4xf32>) -> tensor<4xf32>\n"


@shape
def call_chain(n: int) -> str:
    one = "func.func private @f{i}(%x: tensor<4xf32>) -> tensor<4xf32> {\n  %0 = call @f{j}(%x) : (tensor<4xf32>) -> tensor<4xf32>\n  return %0 : tensor<4xf32>\n}\n"
    zero = "func.func private @f0(%x: tensor<4xf32>) -> tensor<4xf32> {\n" + RETURN_X + "}\n"
    return zero + repeated(one, n)


@shape
def modules(n: int) -> str:
    return repeated("module @m{i} {\n}\n", n)


@shape
def splitters(n: int) -> str:
    return "// -----\n" * n


# -- many parts of one operation -----------------------------------------------------------------------------


@shape
def arguments(n: int) -> str:
    return function(f"  return %a{n} : tensor<f32>\n", listed("%a{i}: tensor<f32>", n), "tensor<f32>")


@shape
def operands(n: int) -> str:
    types = listed("tensor<4xf32>", n)
    return function(f"  %0 = stablehlo.tuple {listed('%x', n)} : tuple<{types}>\n" + RETURN_X)


@shape
def results(n: int) -> str:
    pack = f'  %p:{n} = "a.b"() : () -> ({listed("tensor<4xf32>", n)})\n'
    return function(pack + repeated('  "a.use"(%p#{j}) : (tensor<4xf32>) -> ()\n', n) + RETURN_X)


@shape
def concatenated(n: int) -> str:
    types = listed("tensor<4xf32>", n)
    result = f"tensor<{4 * n}xf32>"
    return function(
        f"  %0 = stablehlo.concatenate {listed('%x', n)}, dim = 0 : ({types}) -> {result}\n  return %0 : {result}\n",
        results=result,
    )


@shape
def rank(n: int) -> str:
    type_ = f"tensor<{'1x' * n}f32>"
    return function(f"  %0 = stablehlo.abs %x : {type_}\n  return %0 : {type_}\n", f"%x: {type_}", type_)


@shape
def reduced_dimensions(n: int) -> str:
    type_ = f"tensor<{'1x' * n}f32>"
    body = f"  %0 = stablehlo.reduce(%x init: %i) applies stablehlo.add across dimensions = [{listed('{j}', n)}] : ({type_}, tensor<f32>) -> tensor<f32>\n"
    return function(body + "  return %0 : tensor<f32>\n", f"%x: {type_}, %i: tensor<f32>", "tensor<f32>")


@shape
def transposed_dimensions(n: int) -> str:
    type_ = f"tensor<{'1x' * n}f32>"
    body = f"  %0 = stablehlo.transpose %x, dims = [{listed('0', n)}] : ({type_}) -> {type_}\n"
    return function(body + f"  return %0 : {type_}\n", f"%x: {type_}", type_)


@shape
def replica_groups(n: int) -> str:
    groups = ", ".join(f"[{2 * i}, {2 * i + 1}]" for i in range(n))
    body = f'  %0 = "stablehlo.all_gather"(%x) {{all_gather_dim = 0 : i64, replica_groups = dense<[{groups}]> : tensor<{n}x2xi64>}} : (tensor<4xf32>) -> tensor<8xf32>\n'
    return function(body + RETURN_X)


@shape
def permutation_pairs(n: int) -> str:
    pairs = ", ".join(f"[{i}, {i + 1}]" for i in range(n))
    body = f'  %0 = "stablehlo.collective_permute"(%x) {{source_target_pairs = dense<[{pairs}]> : tensor<{n}x2xi64>}} : (tensor<4xf32>) -> tensor<4xf32>\n'
    return function(body + RETURN_X)


@shape
def dense_elements(n: int) -> str:
    values = ", ".join(f"{i}.5" for i in range(n))
    return function(f"  %0 = stablehlo.constant dense<[{values}]> : tensor<{n}xf32>\n" + RETURN_X)


@shape
def array_elements(n: int) -> str:
    return f'"a.b"() {{x = array<i64: {listed("{i}", n)}>, y = [{listed("{i}", n)}]}} : () -> ()\n'


@shape
def attributes(n: int) -> str:
    return f'"a.b"() {{{listed("a{i} = {i} : i64", n)}}} : () -> ()\n'


@shape
def configuration(n: int) -> str:
    entries = listed('k{i} = "{i}"', n)
    body = f"  %0 = stablehlo.custom_call @f(%x) {{api_version = 4 : i32, backend_config = {{{entries}}}}} : (tensor<4xf32>) -> tensor<4xf32>\n"
    return function(body + RETURN_X)


@shape
def long_string(n: int) -> str:
    return f'"a.b"() {{x = "{"abc<[{" * n}"}} : () -> ()\n'


@shape
def affine_dimensions(n: int) -> str:
    names = listed("d{i}", n)
    return f'"a.b"() {{x = affine_map<({names}) -> ({names})>}} : () -> ()\n'


@shape
def affine_sum(n: int) -> str:
    return f'"a.b"() {{x = affine_map<(d0) -> (d0{" + d0" * n})>}} : () -> ()\n'


@shape
def type_parameters(n: int) -> str:
    return f'"a.b"() : () -> !d.t<{listed("[{i}]", n)}>\n'


@shape
def mesh_axes(n: int) -> str:
    axes = listed('"a{i}"=1', n)
    uses = listed('"a{i}"', n)
    sharding = f"#sdy.sharding<@mesh, [{{{uses}}}]>"
    return f"sdy.mesh @mesh = <[{axes}]>\n" + function(
        RETURN_X, f"%x: tensor<4xf32> {{sdy.sharding = {sharding}}}"
    )


@shape
def fused_location(n: int) -> str:
    return f'"a.b"() : () -> () loc(fused[{listed(chr(34) + "f" + chr(34) + ":{i}:1", n)}])\n'


# -- blocks and regions --------------------------------------------------------------------------------------


@shape
def blocks(n: int) -> str:
    body = "  cf.br ^b1\n" + repeated("^b{j}:\n  cf.br ^b{i}\n", n + 1).replace("^b0:\n  cf.br ^b1\n", "")
    return f"func.func @main() {{\n{body}^b{n + 1}:\n  return\n}}\n"


@shape
def block_arguments(n: int) -> str:
    body = "  cf.br ^b1(%x : tensor<4xf32>)\n" + repeated(
        "^b{i}(%a{i}: tensor<4xf32>):\n  cf.br ^b{i}(%a{i} : tensor<4xf32>)\n", n
    )
    return function(body)


@shape
def repeated_blocks(n: int) -> str:
    return f"func.func @main() {{\n  return\n{repeated('^b:' + chr(10) + '  return' + chr(10), n)}}}\n"


@shape
def missing_blocks(n: int) -> str:
    return f'func.func @main() {{\n  "a.b"()[{listed("^m{i}", n)}] : () -> ()\n}}\n'


@shape
def regions(n: int) -> str:
    return f'"a.b"() ({listed("{}", n)}) : () -> ()\n'


@shape
def while_loops(n: int) -> str:
    loop = "  %w{i} = stablehlo.while(%i{i} = %x) : tensor<i1>\n  cond {\n    stablehlo.return %i{i} : tensor<i1>\n  } do {\n    stablehlo.return %i{i} : tensor<i1>\n  }\n"
    return function(repeated(loop, n) + "  return %x : tensor<i1>\n", "%x: tensor<i1>", "tensor<i1>")


# -- aliases -------------------------------------------------------------------------------------------------


def used(aliases: str) -> str:
    """Definitions of the attribute aliases `#a0`, ..., and operations that use the last of them."""
    last = aliases.rstrip("\n").rpartition("\n")[2].partition(" ")[0]
    return f'{aliases}"a.b"() {{x = {last}}} : () -> ()\n"a.c"() {{y = {last}}} : () -> ()\n'


@shape
def alias_definitions(n: int) -> str:
    return used(repeated("#a{i} = [{i}]\n", n))


@shape
def location_chain(n: int) -> str:
    chain = repeated('#loc{i} = loc(callsite("f"("g.py":{i}:1) at #loc{j}))\n', n)
    return f'#loc0 = loc("f.py":1:1)\n{chain}"a.b"() : () -> () loc(#loc{n})\n'


@shape
def location_doubling(n: int) -> str:
    chain = repeated("#loc{i} = loc(callsite(#loc{j} at #loc{j}))\n", n)
    return f'#loc0 = loc("f.py":1:1)\n{chain}"a.b"() : () -> () loc(#loc{n})\n'


@deep
def array_aliases(n: int) -> str:
    return used("#a0 = [1]\n" + repeated("#a{i} = [#a{j}]\n", n))


@deep
def array_doubling(n: int) -> str:
    return used("#a0 = [1]\n" + repeated("#a{i} = [#a{j}, #a{j}]\n", n))


@deep
def dictionary_doubling(n: int) -> str:
    return used("#a0 = {x = 1}\n" + repeated("#a{i} = {x = #a{j}, y = #a{j}}\n", n))


@deep
def tuple_doubling(n: int) -> str:
    types = "!a0 = tuple<f32>\n" + repeated("!a{i} = tuple<!a{j}, !a{j}>\n", n)
    return f'{types}%0 = "a.b"() : () -> !a{n}\n"a.c"(%0) : (!a{n}) -> ()\n'


@deep
def function_type_doubling(n: int) -> str:
    types = "!a0 = () -> ()\n" + repeated("!a{i} = (!a{j}) -> !a{j}\n", n)
    return f'{types}%0 = "a.b"() : () -> (!a{n})\n"a.c"(%0) : (!a{n}) -> ()\n'


@deep
def fused_metadata_doubling(n: int) -> str:
    chain = "#a0 = [1]\n" + repeated("#a{i} = [#a{j}, loc(fused<#a{j}>[unknown])]\n", n)
    return f'{chain}"a.b"() : () -> () loc(fused<#a{n}>["f"])\n'


# -- nesting -------------------------------------------------------------------------------------------------


@deep
def nested_regions(n: int) -> str:
    return '"a.b"() ({\n' * n + f"}}) : {UNIT}\n" * n


@deep
def unclosed_regions(n: int) -> str:
    return '"a.b"() ({\n' * n


@deep
def nested_loops(n: int) -> str:
    head = "%w{i} = stablehlo.while(%i{i} = %x) : tensor<i1>\ncond {\nstablehlo.return %i{i} : tensor<i1>\n} do {\n"
    tail = "stablehlo.return %x : tensor<i1>\n}\n"
    loops = repeated(head, n) + tail * n
    return function(loops + "  return %x : tensor<i1>\n", "%x: tensor<i1>", "tensor<i1>")


@deep
def nested_modules(n: int) -> str:
    return "module {\n" * n + "}\n" * n


@deep
def nested_functions(n: int) -> str:
    return repeated("func.func @f{i}() {\n", n) + "%0 = stablehlo.abs %\n" + "}\n" * n


@deep
def nested_arrays(n: int) -> str:
    return f'"a.b"() {{x = {"[" * n}{"]" * n}}} : () -> ()\n'


@deep
def nested_dictionaries(n: int) -> str:
    return f'"a.b"() {{x = {"{y = " * n}1{"}" * n}}} : () -> ()\n'


@deep
def nested_tuples(n: int) -> str:
    return f'"a.b"() : () -> {"tuple<" * n}f32{">" * n}\n'


@deep
def nested_function_types(n: int) -> str:
    return f'"a.b"() {{x = {"(" * n}f32{") -> f32" * n}}} : () -> ()\n'


@deep
def nested_locations(n: int) -> str:
    return '"a.b"() : () -> () loc(' + '"n"(' * n + "unknown" + ")" * n + ")\n"


@deep
def nested_affine(n: int) -> str:
    return f'"a.b"() {{x = affine_map<(d0) -> ({"(" * n}d0{")" * n})>}} : () -> ()\n'


@deep
def nested_dense(n: int) -> str:
    return f'"a.b"() {{x = dense<{"[" * n}1{"]" * n}> : tensor<{"1x" * n}i32>}} : () -> ()\n'
