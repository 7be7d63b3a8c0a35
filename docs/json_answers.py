"""What commands print with `--format json`, as types: docs/generate_json.py writes the page and the schema
from them, and tests/docs/test_json_page.py reads with them what the commands print.
"""

from __future__ import annotations

from typing import Any, Final

from msgspec import UNSET, Struct, UnsetType


class Part(Struct, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """A part of an answer; fields with UNSET may be missing."""


class Answer(Part):
    """What one command prints; each line is one where the command says so.

    Args:
        version: of the form, 1.
    """

    version: int


# --- places ---


class PythonLine(Part):
    """A line of Python that an operation came from.

    Args:
        file: as the program's locations name it.
        line: from 1.
        function: that the line is in.
    """

    file: str
    line: int
    function: str


class AtOperation(Part):
    """Something at an operation.

    Args:
        operation: the operation's name.
        place: its `file:line:column`.
        python: the line it came from.
    """

    operation: str
    place: str | None
    python: PythonLine | None


class Position(Part):
    """A place in a text.

    Args:
        line: from 1.
        column: from 1, in code points.
    """

    line: int
    column: int


class Range(Part):
    """A stretch of a text.

    Args:
        start: its first character.
        end: the one after its last.
    """

    start: Position
    end: Position


# --- check ---


class Edit(Part):
    """A change of a text.

    Args:
        range: what is replaced.
        replacement: by what.
    """

    range: Range
    replacement: str


class Fix(Part):
    """What mends a finding.

    Args:
        title: what it does.
        applicability: how sure that is.
        edits: its changes.
    """

    title: str
    applicability: str
    edits: list[Edit]


class OwnFix(Edit):
    """The fix that a message holds itself, one change.

    Args:
        title: what it does.
        applicability: how sure that is.
    """

    title: str
    applicability: str


class Related(Part):
    """Another place that a finding is about.

    Args:
        message: why.
        range: where.
    """

    message: str
    range: Range


class Finding(Part):
    """What is wrong in a program.

    Args:
        severity: `error`, `warning`, `note` or `hint`.
        code: the label of a constraint, or the kind of mistake.
        message: expected what, got what.
        range: where.
        related: other places.
        fix: the fix that the message holds.
        help: what to do.
        suggestions: what mends it, as data: each has its `kind`, its `text`, and the fields of its kind.
        fixes: changes of the text, each tried on it.
    """

    severity: str
    code: str
    message: str
    range: Range
    related: list[Related]
    fix: OwnFix | None
    help: str | None
    suggestions: list[dict[str, Any]]
    fixes: list[Fix]


class CheckedFile(Part):
    """A file that was checked.

    Args:
        file: its name.
        findings: what is wrong in it.
    """

    file: str
    findings: list[Finding]


class Check(Answer):
    """The findings of each file.

    Args:
        files: in the order of the arguments.
    """

    files: list[CheckedFile]


# --- run ---


class Result(Part):
    """A result of a program.

    Args:
        type: of StableHLO.
        name: its path in Python, where the program tells it.
        value: numbers in lists as deep as its rank; `"NaN"`, `"Infinity"` and `"-Infinity"` are texts, a
            complex number is a list of two.
    """

    type: str
    name: str | None
    value: Any


class Process(Part):
    """What a process of a grid returned.

    Args:
        replica: its number in the first dimension of the grid.
        partition: in the second.
        results: what it returned.
        outfeed: what it sent to the outfeed, the parts of each item.
    """

    replica: int
    partition: int
    results: list[Result]
    outfeed: list[list[Any]] | UnsetType = UNSET


class OperationTime(Part):
    """How long an operation took, with `--time`.

    Args:
        operation: its name.
        count: how often it was executed.
        seconds: in all.
    """

    operation: str
    count: int
    seconds: float


class BadElement(Part):
    """An element that a check of the sanitizer objects to.

    Args:
        index: where it is in the result.
        values: by the name of what it is.
    """

    index: list[int]
    values: dict[str, str]


class SanitizerFinding(AtOperation):
    """What a check of the sanitizer found at an operation.

    Args:
        name: the check's name.
        sentence: what it found.
        path: the calls and iterations that lead there, outermost first.
        process: the number of the process.
        executions: in how many executions.
        elements: in how many elements.
        worst: some of them.
    """

    name: str
    sentence: str
    path: list[str]
    process: int | None
    executions: int
    elements: int
    worst: list[BadElement]


class Sanitizer(Part):
    """What `--sanitize` adds.

    Args:
        looked_at: how many executions of operations were looked at.
        left_out: how many findings were not kept.
        findings: what was found.
    """

    looked_at: int
    left_out: int
    findings: list[SanitizerFinding]


class ShadowedElement(Part):
    """An element in the type of the program, and in f64.

    Args:
        name: of the value, empty for one without.
        index: of the element.
        value: what the program has.
        shadow: what it is in f64.
    """

    name: str
    index: list[int]
    value: str
    shadow: str


class OperationLoss(AtOperation):
    """An operation that loses digits.

    Args:
        path: the calls and iterations that lead there, outermost first.
        here: the relative error that it adds.
        overall: of its result.
        total: as a share of the largest element.
        digits: how many decimal digits are left.
        cause: in words.
        executions: how often it was executed.
        elements: how many elements lose digits.
        worst: the worst of them.
        operands: what it was computed from.
        terms: how large the largest term of a sum is beside it.
    """

    path: list[str]
    here: float
    overall: float
    total: float
    digits: float
    cause: str
    executions: int
    elements: int
    worst: ShadowedElement
    operands: list[ShadowedElement]
    terms: float | str | None


class CarriedLoss(Part):
    """A value that a loop carries and that loses digits.

    Args:
        name: the value's name.
        digits: how many decimal digits are left.
        first: the error in the first iteration.
        worst: the largest.
        iteration: in which.
        passed: in which the error first passed the limit.
    """

    name: str
    digits: float
    first: float
    worst: float
    iteration: int
    passed: int | None


class LoopLoss(AtOperation):
    """A loop in which errors grow.

    Args:
        path: the calls and iterations that lead there, outermost first.
        carried: what it carries.
    """

    path: list[str]
    carried: list[CarriedLoss]


class ResultLoss(Part):
    """How exact a result is.

    Args:
        number: from 0.
        total: its error as a share of the largest element.
        digits: how many decimal digits are right.
        worst: the worst element.
    """

    number: int
    total: float
    digits: float
    worst: ShadowedElement


class WidenedOperation(AtOperation):
    """An operation that was computed in f64 although its type is narrower, and what that changes.

    Args:
        narrow: its error in its own type.
        narrow_digits: the digits that are right then.
        total: the error of the results with it in f64.
        digits: the digits that are right then.
    """

    narrow: float
    narrow_digits: float
    total: float
    digits: float


class Shadow(Part):
    """What `--shadow f64` adds.

    Args:
        precision: `f64`.
        looked_at: how many executions of operations were looked at.
        left_out: how many operations were not kept.
        operations: those that lose digits, the worst first.
        loops: those in which errors grow.
        results: how exact the results are.
        widened: what single operations in f64 would change.
        without_shadow: operations that have none, and how often they were executed.
    """

    precision: str
    looked_at: int
    left_out: int
    operations: list[OperationLoss]
    loops: list[LoopLoss]
    results: list[ResultLoss]
    widened: list[WidenedOperation]
    without_shadow: dict[str, int]


class Run(Answer):
    """Results, on one line.

    Args:
        results: of a program without `--grid`.
        replicas: with `--grid`: its first size.
        partitions: its second.
        processes: what each process returned.
        seconds: how long the run took.
        outfeed: what was sent to the outfeed, the parts of each item.
        time: with `--time`: what operations took.
        sanitizer: with `--sanitize`: what it found.
        shadow: with `--shadow`: what it found.
    """

    seconds: float
    results: list[Result] | UnsetType = UNSET
    replicas: int | UnsetType = UNSET
    partitions: int | UnsetType = UNSET
    processes: list[Process] | UnsetType = UNSET
    outfeed: list[list[Any]] | UnsetType = UNSET
    time: list[OperationTime] | UnsetType = UNSET
    sanitizer: Sanitizer | UnsetType = UNSET
    shadow: Shadow | UnsetType = UNSET


# --- test ---


class ListedTest(Answer):
    """With `--list`, a line for each test.

    Args:
        name: `file::function`; `file#2::function` in the second program of a file.
        file: its file.
        function: its function.
        line: of the function.
        column: of the function.
        checks: whether it holds a check.
    """

    name: str
    file: str
    function: str
    line: int
    column: int
    checks: bool


class TestOutcome(Answer):
    """A line for each test.

    Args:
        name: `file::function`.
        verdict: `passed`, `failed` or `error`.
        seconds: how long it took.
        message: what went wrong.
        place: where, as `file:line:column`.
    """

    name: str
    verdict: str
    seconds: float
    message: str
    place: str | None


class CoveredFile(Answer):
    """With `--coverage`, a line for each file behind its tests.

    Args:
        file: its name.
        coverage: line, column and number of executions of each operation.
    """

    file: str
    coverage: list[tuple[int, int, int]]


# --- why ---


class Cause(Part):
    """Elements that what happened came from.

    Args:
        value: the value's name, in Python where that is known.
        elements: which of it.
        numbers: what they are.
    """

    value: str
    elements: str
    numbers: list[str]


class Remedy(Part):
    """What helps.

    Args:
        text: in a sentence.
        link: a page about it.
    """

    text: str
    link: str


class Card(Part):
    """What happened at an operation.

    Args:
        kind: `nan`, `infinity`, the name of a check, ...
        subject: what did it: a function of Python, or an operation.
        deed: what it did.
        operation: the operation's name.
        mlir_line: its line in the program's text.
        python: the line it came from.
        code: the text of that line.
        causes: its operands' elements.
        sources: arguments' elements that those came from.
        notes: more about it.
        remedy: what helps.
        text: all of it as the terminal shows it.
    """

    kind: str
    subject: str
    deed: str
    operation: str
    mlir_line: int | None
    python: PythonLine | None
    code: str
    causes: list[Cause]
    sources: list[Cause]
    notes: list[str]
    remedy: Remedy | None
    text: str


class Why(Answer):
    """Causes of what goes wrong.

    Args:
        causes: the likeliest first.
        looked_at: what was looked at.
        not_looked_at: what was not, and why.
    """

    causes: list[Card]
    looked_at: list[str]
    not_looked_at: list[str]


# --- diff ---


class ComparedElement(Part):
    """An element that differs.

    Args:
        index: of the element.
        reference: what the first side has.
        engine: what the other has.
    """

    index: list[int]
    reference: str
    engine: str


class Judgement(Part):
    """With `--judge`, what exact values say of the worst elements.

    Args:
        by: who computed them.
        exact: the values.
        distances: how far both sides are from them at most.
        nearer: the side that is nearer; empty where none is.
        note: why there are none, or that they are zero in exact arithmetic.
    """

    by: str
    exact: list[str]
    distances: tuple[float, float]
    nearer: str
    note: str | None


class RunFinding(Part):
    """Results that are further apart than allowed.

    Args:
        operation: the operation's name; null for a result of the program.
        place: its `file:line:column`.
        counterpart: the operation of the other program.
        path: the calls and iterations that lead there, outermost first.
        process: the number of the process.
        position: steps before it, the debugger's position.
        debug: a command that opens the debugger there.
        result: the number of the result.
        types: of both sides where they are different.
        differing: how many elements differ.
        size: how many there are.
        ulps: the largest difference, in units of the last place.
        allowed: how far the worst element might have been.
        reason: why so far.
        known: why the difference is a known one of the engine.
        judgement: what exact values say.
        worst: the worst elements.
        count: how often the operation differs, in `alone`.
    """

    operation: str | None
    place: str | None
    counterpart: str | None
    path: list[str]
    process: int | None
    position: int | None
    debug: str | None
    result: int
    types: list[str] | None
    differing: int | None
    size: int | None
    ulps: int | float | str | None
    allowed: float
    reason: str
    known: str | None
    judgement: Judgement | None
    worst: list[ComparedElement]
    count: int | UnsetType = UNSET


class Bisected(Part):
    """The first wrong operation of a whole program, by extra results.

    Args:
        runs: how often the engine ran.
        finding: the operation.
        between: the last right operation, and the first wrong one.
        note: why none is named.
    """

    runs: int
    finding: RunFinding | None
    between: list[str] | None
    note: str | None


class LargestDifference(Part):
    """The difference that is nearest to what is allowed, or farthest beyond it.

    Args:
        distance: of its elements.
        allowed: how far they might have been.
        reason: why so far.
        operation: the operation's name; empty for a result of the program.
        place: its `file:line:column`.
    """

    distance: float
    allowed: float
    reason: str
    operation: str
    place: str | None


class Passes(Part):
    """The passes of XLA without which the results are right.

    Args:
        passes: their names; none where that is not so for any.
        candidates: passes that change the program, in their order.
        runs: how many programs were compiled and run.
        refused: why XLA did not run the program without some passes, by the passes.
    """

    passes: list[str]
    candidates: list[str]
    runs: int
    refused: dict[str, str]


class ChaoticLoop(Part):
    """A loop in which a change of the last bit grows.

    Args:
        title: its place and operation.
        iterations: how many there were.
        first: how far apart values are as the first one ends, as a share of the largest element.
        last: at most later.
        epsilon: that of the least precise type.
        growth: by how much it grows in an iteration.
    """

    title: str
    iterations: int
    first: float
    last: float
    epsilon: float
    growth: float


class ErrorGrowth(Part):
    """How errors grow over the program.

    Args:
        operation: the operation's name.
        place: its `file:line:column`.
        error: the largest relative error of its result.
    """

    operation: str
    place: str | None
    error: float


class Diff(Answer):
    """How two engines, or two programs run, differ.

    Args:
        reference: the first side.
        engine: the other.
        processes: how many each has.
        compared: whether anything was compared.
        operations: how many operations were.
        whole: how many results of whole programs were.
        largest: the largest difference that was seen.
        alone: operations that differ on equal operands.
        together: the first operation that differs as the program runs.
        results: results of the program that differ.
        bisection: with a search in the whole program.
        chaotic: loops in which a change of the last bit grows.
        passes: with `--bisect-passes`, the pass of XLA.
        parted: where the two took different branches.
        growth: how errors grow.
        not_compared: why operations were not compared.
        not_alone: why not on equal operands.
    """

    reference: str
    engine: str
    processes: int
    compared: bool
    operations: int
    whole: int
    largest: LargestDifference | None
    alone: list[RunFinding]
    together: RunFinding | None
    results: list[RunFinding]
    bisection: Bisected | None
    chaotic: list[ChaoticLoop]
    passes: Passes | None
    parted: str | None
    growth: list[ErrorGrowth]
    not_compared: dict[str, Any]
    not_alone: dict[str, Any]


class OperationDifference(Part):
    """An operation that two texts do not share.

    Args:
        kind: `changed`, `removed` or `added`.
        before: its text in the first.
        after: in the second.
        scope: of JAX.
        place: its `file:line:column`.
        details: what differs.
        inner: what differs in its regions.
    """

    kind: str
    before: str | None
    after: str | None
    scope: str
    place: str | None
    details: list[str]
    inner: list[OperationDifference]


class FunctionDifference(Part):
    """A function that two programs do not share.

    Args:
        before: its name in the first.
        after: in the second.
        operations: how many were compared.
        details: what differs besides operations.
        differences: operations that differ.
    """

    before: str | None
    after: str | None
    operations: int
    details: list[str]
    differences: list[OperationDifference]


class TextDifference(Part):
    """How two programs differ as texts.

    Args:
        differs: whether they do.
        compared: whether anything was compared.
        operations: how many were.
        module: what differs in the modules' attributes.
        functions: what differs in functions.
    """

    differs: bool
    compared: bool
    operations: int
    module: list[str]
    functions: list[FunctionDifference]


class DiffText(TextDifference):
    """How two programs differ as texts.

    Args:
        version: of the form, 1.
    """

    version: int


class DiffFolders(Answer):
    """How the programs of two folders differ as texts.

    Args:
        programs: those of both, by name, `NAME#2` the second of a name.
        only_in: the folder of each that one folder has.
    """

    programs: dict[str, TextDifference]
    only_in: dict[str, str]


class LeafDifference(Part):
    """How two arrays of one name differ.

    Args:
        leaf: the name.
        mismatch: why their elements are not compared.
        elements: how many are.
        differing: how many of them differ.
        largest: the largest distance of finite ones.
        relative: that as a part of the largest element.
        ulps: the largest distance in units in the last place, of two floating-point arrays of one type.
        index: of the element that is farthest apart.
        values: the two there.
    """

    leaf: str
    mismatch: str | None
    elements: int
    differing: int
    largest: float | None
    relative: float | None
    ulps: int | None
    index: list[int]
    values: list[str]


class DiffArrays(Answer):
    """How the arrays of two files differ.

    Args:
        compared: whether all were compared.
        leaves: how many arrays there are.
        elements: how many elements were compared.
        differing: the arrays that differ, or were not compared, the worst first.
    """

    compared: bool
    leaves: int
    elements: int
    differing: list[LeafDifference]


# --- inspect, convert ---


class Section(Part):
    """A section of a bytecode file.

    Args:
        name: what it holds.
        offset: where its content starts.
        size: bytes of it.
        alignment: that the file asks for.
    """

    name: str
    offset: int
    size: int
    alignment: int


class InspectedConstant(Part):
    """A constant or resource.

    Args:
        what: its type or key.
        offset: where its entry starts.
        size: its bytes.
    """

    what: str
    offset: int
    size: int


class DialectCounts(Part):
    """What a file has of a dialect.

    Args:
        operations: kinds of operations.
        attributes: attributes.
        types: types.
    """

    operations: int
    attributes: int
    types: int


class StoredText(Part):
    """An attribute or type that a file stores as text.

    Args:
        dialect: whose it is.
        text: as the file has it.
        count: how often.
    """

    dialect: str
    text: str
    count: int


class Damage(Part):
    """What ended the reading.

    Args:
        offset: the byte.
        message: what is wrong there.
    """

    offset: int
    message: str


class TraceStep(Part):
    """With `--trace`, an attribute or type that was read.

    Args:
        kind: `attribute` or `type`.
        number: its number.
        dialect: whose it is.
        start: its first byte.
        end: the one after its last.
        is_binary: whether it is stored in the dialect's own form, not as text.
        what: it.
    """

    kind: str
    number: int
    dialect: str
    start: int
    end: int
    is_binary: bool
    what: str


class Inspect(Answer):
    """What is in a bytecode file or artifact.

    Args:
        size: bytes of it.
        bytecode_version: the format's version.
        producer: what the file says of who wrote it.
        artifact: the StableHLO version of a portable artifact.
        sections: of the file.
        dialects: what it has of each.
        dialect_versions: those that it states.
        strings: how many.
        operations: how many of each name.
        functions: their names.
        constants: constants and resources.
        texts: what is stored as text.
        has_use_lists: whether it keeps the order of uses.
        damage: what ended the reading; all else is what was read before.
        trace: with `--trace`, what was read, in order.
        export: of a file of `jax.export`, what it says of its function.
    """

    size: int
    bytecode_version: int
    producer: str
    artifact: str | None
    sections: list[Section]
    dialects: dict[str, DialectCounts]
    dialect_versions: dict[str, str]
    strings: int
    operations: dict[str, int]
    functions: list[str]
    constants: list[InspectedConstant]
    texts: list[StoredText]
    has_use_lists: bool
    damage: Damage | None
    trace: list[TraceStep] | UnsetType = UNSET
    export: dict[str, Any] | UnsetType = UNSET


class Piece(Part):
    """Bytes of a file.

    Args:
        start: the first.
        end: the one after the last.
        what: they are.
    """

    start: int
    end: int
    what: str


class InspectHex(Answer):
    """With `--hex`, all bytes of a file.

    Args:
        pieces: one after the other.
    """

    pieces: list[Piece]


class DevicePart(Part):
    """What a device holds.

    Args:
        device: its number.
        index: `[start, end]` for each dimension.
    """

    device: int
    index: list[tuple[int, int]]


class ShardedValue(Part):
    """A value that has a sharding.

    Args:
        function: that it is in.
        role: `argument`, `result` or `value`.
        name: of a value.
        number: of an argument or result.
        type: of the whole.
        sharding: as the program has it.
        problem: why its parts are not known.
        parts: what each device holds.
    """

    function: str
    role: str
    name: str | None
    number: int | None
    type: str
    sharding: str
    problem: str | None
    parts: list[DevicePart] | None


class InspectShardings(Answer):
    """With `--shardings`, values and what devices hold of them.

    Args:
        values: those that have one.
    """

    values: list[ShardedValue]


class Obstacle(Part):
    """What keeps a program out of a version.

    Args:
        operation: the operation's name.
        reason: what is wrong with it.
        first: the first version that could hold it.
        place: its `file:line:column`.
    """

    operation: str
    reason: str
    first: str | None
    place: str


class InspectWhy(Answer):
    """With `--why VERSION`, what keeps a program out of it.

    Args:
        target: the version.
        obstacles: none where it fits.
        first: the first version that can hold the program.
    """

    target: str
    obstacles: list[Obstacle]
    first: str | None


# --- cost ---


class Work(Part):
    """What operations do.

    Args:
        flops: floating-point operations.
        transcendentals: functions such as exp.
        read_bytes: of operands.
        written_bytes: of results.
    """

    flops: int
    transcendentals: int
    read_bytes: int
    written_bytes: int


class CostGroup(Work):
    """The costs of operations together.

    Args:
        name: a kind of operation, a scope, or a line of Python.
        operations: how many the program has.
        times: how often they are executed.
    """

    name: str
    operations: int
    times: int


class OperationCost(Work):
    """The costs of an operation.

    Args:
        operation: its name.
        types: its function type.
        function: that it is in.
        line: of the text.
        scope: of JAX.
        python: `file:line` that it came from.
        times: how often it is executed.
        live_bytes: what lives while it runs.
        not_counted: why it is not counted.
    """

    operation: str
    types: str
    function: str
    line: int | None
    scope: str
    python: str | None
    times: int
    live_bytes: int
    not_counted: str | None


class CostNote(Part):
    """What the figures leave open.

    Args:
        text: what.
        function: where.
        line: of the text.
        count: how often.
    """

    text: str
    function: str
    line: int | None
    count: int


class Roofline(Part):
    """With `--roofline`, how long a device takes at best.

    Args:
        flops_per_second: of the device.
        bytes_per_second: of its memory.
        seconds: at best.
    """

    flops_per_second: float
    bytes_per_second: float
    seconds: float


class Cost(Work):
    """What a program costs.

    Args:
        version: of the form, 1.
        entry: the function.
        rules: how work is counted.
        intensity: floating-point operations for each byte.
        peak_bytes: the most that lives at once.
        peak_at: the operation at that time.
        argument_bytes: of the arguments.
        result_bytes: of the results.
        kinds: by kind of operation.
        scopes: by scope.
        lines: by line of Python.
        operations: each.
        notes: what the figures leave open.
        roofline: how long a device takes at best.
    """

    version: int
    entry: str
    rules: str
    intensity: float | None
    peak_bytes: int
    peak_at: OperationCost | None
    argument_bytes: int
    result_bytes: int
    kinds: list[CostGroup]
    scopes: list[CostGroup]
    lines: list[CostGroup]
    operations: list[OperationCost]
    notes: list[CostNote]
    roofline: Roofline | UnsetType = UNSET


# --- conform, split, fuzz, reduce ---


class Conform(Answer):
    """A scorecard.

    Args:
        suite: the version of the suite.
        engine: its name.
        stablehlo: the version of StableHLO.
        counts: cases by verdict.
        compared: how many results were compared.
        cases: each.
    """

    suite: int
    engine: str
    stablehlo: str
    counts: dict[str, int]
    compared: int
    cases: list[ConformCase]


class ReducedCase(Part):
    """A smaller program that is wrong in the same way.

    Args:
        program: its text.
        arguments: as `shlo run` takes them.
        detail: what is wrong.
    """

    program: str
    arguments: list[str]
    detail: str


class ConformCase(Part):
    """A case of a suite.

    Args:
        name: of the case.
        op: the operation.
        type: of elements.
        verdict: `pass`, `waived`, `wrong`, `refused`, `crashed` or `timeout`.
        detail: what is wrong.
        judge: who computed what is right.
        seconds: how long the engine took.
        allowed: how far results may be apart, and why.
        tests: the sentence or constraint that it tests.
        link: where to read it.
        aspects: of the operation, where it is wrong.
        elements: kinds of numbers, where they are wrong.
        waiver: why it may differ.
        reduced: with `--reduce`, a smaller case.
        not_reduced: why there is none.
    """

    name: str
    op: str
    type: str
    verdict: str
    detail: str
    judge: str
    seconds: float
    allowed: Any
    tests: str
    link: str
    aspects: list[str] | UnsetType = UNSET
    elements: list[str] | UnsetType = UNSET
    waiver: dict[str, Any] | UnsetType = UNSET
    reduced: ReducedCase | UnsetType = UNSET
    not_reduced: str | UnsetType = UNSET


class Unit(Part):
    """A program of its own that a program was split into.

    Args:
        name: its folder.
        subject: the operation, function or scope.
        type: its function type.
        place: the first `file:line:column` that it covers.
        path: the calls and iterations that lead there, outermost first.
        allowed: how far results may be apart.
        count: how many operations of the program it covers.
        executions: how often those were executed.
    """

    name: str
    subject: str
    type: str
    place: str | None
    path: list[str]
    allowed: dict[str, Any]
    count: int
    executions: int


class LeftOut(Part):
    """What is in no unit.

    Args:
        subject: an operation or function.
        count: how many of it.
        reason: why.
    """

    subject: str
    count: int
    reason: str


class Split(Answer):
    """The units of a program.

    Args:
        units: each.
        left_out: what is in none.
    """

    units: list[Unit]
    left_out: list[LeftOut]


class FuzzDifference(Part):
    """A difference that random programs show.

    Args:
        what: differs.
        key: what is the same in all that count as this one.
        count: how many programs show it.
        program: the number of the first.
        text: of the first.
        path: where it was written.
        operations: how many it has, reduced.
    """

    what: str
    key: str
    count: int
    program: int
    text: str
    path: str | None
    operations: int | None


class Fuzz(Answer):
    """What random programs showed.

    Args:
        programs: how many were compared.
        operations: how many those have.
        seconds: how long that took.
        interrupted: whether it was ended before all.
        differences: what differs.
        known: known differences of the engine, by reason.
        refused: what the engine did not run, by reason.
        compared: whether all were compared.
        counts: how many of each operation were written.
    """

    programs: int
    operations: int
    seconds: float
    interrupted: bool
    differences: list[FuzzDifference]
    known: dict[str, int]
    refused: dict[str, int]
    compared: bool
    counts: dict[str, int]


class FuzzList(Answer):
    """With `--list`, what random programs hold.

    Args:
        written: operations that are written.
        not_written: why others are not.
    """

    written: list[str]
    not_written: dict[str, str]


class Reduce(Answer):
    """How far a program was reduced.

    Args:
        operations_before: how many it had.
        operations: how many it has.
        checks: how often it was looked at.
        invalid: how many programs were not valid.
        seconds: how long that took.
        complete: whether nothing smaller shows the fault.
        compared: whether the engine could be asked.
        trouble: why not.
        program: the file.
        arguments: the file of the arguments.
    """

    operations_before: int
    operations: int
    checks: int
    invalid: int
    seconds: float
    complete: bool
    compared: bool
    trouble: Any
    program: str
    arguments: str | None


# --- ops, opt, list, doctor, graph ---


class OpSummary(Part):
    """An operation.

    Args:
        name: with its dialect.
        summary: what it does.
    """

    name: str
    summary: str


class Ops(Answer):
    """The operations that shlo knows.

    Args:
        operations: each.
    """

    operations: list[OpSummary]


class OperandSpec(Part):
    """An operand or result of a definition.

    Args:
        name: of the specification.
        type: the types that it takes.
        arity: `one`, `optional` or `variadic`.
    """

    name: str
    type: str
    arity: str


class Op(Answer):
    """An operation's definition.

    Args:
        name: with its dialect.
        summary: what it does.
        operands: each.
        attributes: each.
        regions: each.
        results: each.
        format: its form in a text, in MLIR's words.
        traits: that it has.
        section: of the specification.
        result_names: what its results are called in texts.
        successors: of a terminator.
        default_dialect: of operations in its regions that name none.
        constraints: with label, formula and severity.
        inputs: what its constraints call its operands and attributes.
        runs: whether the interpreter runs it.
        url: of the specification.
    """

    name: str
    summary: str
    operands: list[OperandSpec]
    attributes: list[dict[str, Any]]
    regions: list[dict[str, Any]]
    results: list[OperandSpec]
    format: str | None
    traits: list[str]
    section: str | None
    result_names: Any
    successors: Any
    default_dialect: str | None
    constraints: list[dict[str, Any]]
    inputs: Any
    runs: bool
    url: str | None


class OpPlace(Part):
    """A line of shlo that names an operation.

    Args:
        subject: what the line says of it.
        path: the file.
        line: from 1.
    """

    subject: str
    path: str
    line: int


class OpPlaces(Answer):
    """With `--where`, where shlo names an operation.

    Args:
        name: the operation.
        places: each line.
    """

    name: str
    places: list[OpPlace]


class PassOption(Part):
    """An option of a pass.

    Args:
        name: of the option.
        kind: of its value.
        summary: what it does.
    """

    name: str
    kind: str
    summary: str


class Pass(Part):
    """A pass.

    Args:
        name: of the pass.
        summary: what it does.
        options: that it takes.
    """

    name: str
    summary: str
    options: list[PassOption]


class OptList(Answer):
    """With `--list`, the passes.

    Args:
        passes: by name.
    """

    passes: list[Pass]


class FolderProgram(Part):
    """A program of a folder.

    Args:
        number: in the order in which they were compiled.
        name: `NAME#2` the second of a name.
        file: its path.
        operations: how many it has.
        type: of `main`.
        error: why it cannot be read.
    """

    number: int
    name: str
    file: str
    operations: int | UnsetType = UNSET
    type: str | UnsetType = UNSET
    error: str | UnsetType = UNSET


class ListPrograms(Answer):
    """The programs of a folder.

    Args:
        programs: in the order in which they were compiled.
    """

    programs: list[FolderProgram]


class Match(Part):
    """A line that was searched.

    Args:
        program: its name.
        file: its path.
        line: from 1.
        text: of the line.
    """

    program: str
    file: str
    line: int
    text: str


class ListMatches(Answer):
    """With `--search`, lines of programs.

    Args:
        matches: each.
    """

    matches: list[Match]


class InstallationCheck(Part):
    """A part of the installation.

    Args:
        part: what it belongs to.
        name: what was looked at.
        state: `ok`, `missing`, `broken` or `old`.
        detail: what was found.
        advice: what to do.
    """

    part: str
    name: str
    state: str
    detail: str
    advice: str


class Doctor(Answer):
    """How the installation is.

    Args:
        checks: each.
    """

    checks: list[InstallationCheck]


class Graph(Answer):
    """A program as a graph: lists with an entry for each node; numbers in place of texts count in `strings`.

    Args:
        title: of the program.
        parent: the node that holds it, -1 for none.
        line: of the text, 0 for none.
        kind: of node.
        label: what is shown.
        name: of the value.
        type: of its results.
        text: of the operation.
        sharding: of its first result.
        value: what a run gave.
        nonfinite: NaN and infinities of it.
        edges: source, target and type of each, one after the other.
        measures: by name, pairs of node and figure.
        strings: all texts.
    """

    title: str
    parent: list[int]
    line: list[int]
    kind: list[int]
    label: list[int]
    name: list[int]
    type: list[int]
    text: list[int]
    sharding: list[int]
    value: list[int]
    nonfinite: list[int]
    edges: list[int]
    measures: dict[str, list[tuple[int, float]]]
    strings: list[str]


ANSWERS: Final[dict[str, type[Part]]] = {
    "check": Check,
    "conform": Conform,
    "cost": Cost,
    "diff": Diff,
    "diff ARRAYS ARRAYS": DiffArrays,
    "diff --text": DiffText,
    "diff --text FOLDER FOLDER": DiffFolders,
    "doctor": Doctor,
    "fuzz": Fuzz,
    "fuzz --list": FuzzList,
    "graph": Graph,
    "inspect": Inspect,
    "inspect --hex": InspectHex,
    "inspect --shardings": InspectShardings,
    "inspect --why VERSION": InspectWhy,
    "list": ListPrograms,
    "list --search": ListMatches,
    "ops": Ops,
    "ops NAME": Op,
    "ops NAME --where": OpPlaces,
    "opt --list": OptList,
    "reduce": Reduce,
    "run": Run,
    "split": Split,
    "test": TestOutcome,
    "test --coverage": CoveredFile,
    "test --list": ListedTest,
    "why": Why,
}
"""The type of what each prints: `shlo ... --format json`."""
