"""Walks a module and judges every operation, once for all that are alike."""

from __future__ import annotations

from collections.abc import Iterator

from shlo.dialects import find_op_def
from shlo.dialects.findings import Finding, Judged
from shlo.dialects.formula import advised
from shlo.dialects.op_bindings import OpBindings, Origin
from shlo.dialects.signature_findings import constraint_findings, kind_findings, nested_findings
from shlo.ir.diagnostics import Diagnostic
from shlo.ir.operations import BROKEN, Module, Operation, Region, Signature
from shlo.ir.recursion import recursive
from shlo.ir.types import FunctionType, UnknownType
from shlo.text.suggest import NameSuggester
from shlo.verifier.blocks import structure_findings
from shlo.verifier.dominance import declared, definitions, walk_dominators
from shlo.verifier.finding_spans import own_text, placed
from shlo.verifier.header_spans import OwnText
from shlo.verifier.help import Advice
from shlo.verifier.op_context import CLEAN, context_of, judged_around, judged_in_context, region_type
from shlo.verifier.op_cursor import Site
from shlo.verifier.references import has_references, reference_findings
from shlo.verifier.suppression import Echoes
from shlo.verifier.symbols import duplicates


class Verdicts:
    """What is known of signatures: kept from one verification to the next, it makes the next one quick."""

    def __init__(self) -> None:
        self._known: dict[Signature, Judged] = {}
        self._with_regions: dict[tuple[Signature, tuple[FunctionType | None, ...]], Judged] = {}

    def of(self, signature: Signature) -> Judged:
        """What is wrong with a signature alone."""
        known = self._known.get(signature)
        if known is None:
            known = self._known[signature] = _judged(signature)
        return known

    def at(self, site: Site) -> Judged:
        """What is wrong with an operation where it stands, with its regions and what its operands are."""
        op_def = find_op_def(site.operation.name)
        if op_def is None:
            return CLEAN
        context, regions = context_of(op_def), tuple(map(region_type, site.operation.regions))
        if context.around and not (context.constants or context.regions):
            return judged_around(op_def, site, self.of(site.operation.signature))
        if context.constants or context.around:
            return judged_in_context(op_def, site, regions)
        key = site.operation.signature, regions
        known = self._with_regions.get(key)
        if known is None:
            known = self.of(key[0])
            if context.regions:
                known = self._with_regions[key] = judged_in_context(op_def, site, regions)
        return known


@recursive
def verify(module: Module, verdicts: Verdicts | None = None) -> list[Diagnostic]:
    """What is wrong with a module that could be read, in the order of its text."""
    return list(iter_findings(module, verdicts or Verdicts()))


def iter_findings(module: Module, verdicts: Verdicts) -> Iterator[Diagnostic]:
    """What is wrong with a module, one finding after another."""
    return _Walk(module, verdicts).module()


class _Walk:
    """`seen` is what the operation that comes next sees of the values in its region's table."""

    def __init__(self, module: Module, verdicts: Verdicts) -> None:
        self._module = module
        self._verdicts = verdicts
        self._echoes = Echoes()
        self._advice = Advice()
        self._nearest = NameSuggester()
        self._declared: dict[int, set[int]] = {}
        self._inside: dict[int, set[int]] = {}
        self._clean: set[tuple[Signature, tuple[Region, ...]]] = set()

    def module(self) -> Iterator[Diagnostic]:
        root = Site.root(self._module)
        yield from self._operation(root, self._verdicts.of(root.operation.signature), set())

    def _operation(self, site: Site, judged: Judged, seen: set[int]) -> Iterator[Diagnostic]:
        """The findings about an operation, and then those in its regions."""
        found = [*structure_findings(site, find_op_def(site.operation.name)), *reference_findings(site)]
        if judged is not CLEAN and not any(
            finding.severity == "error" for finding in (*found, *judged.findings)
        ):
            judged = self._verdicts.at(site)
        own: OwnText | None = None
        for finding in (*found, *judged.findings):
            if not self._echoes.holds(finding, site, judged.members):
                own = own or own_text(site, self._module)
                yield placed(finding, site, judged.members, self._module, self._advice, own)
        is_clean = not found and judged is CLEAN
        for number in range(len(site.operation.regions)):
            for finding in self._region(site, number, seen):
                is_clean = False
                yield finding
        if is_clean and _stands_alone(site):
            self._clean.add((site.operation.signature, site.operation.regions))

    def _region(self, parent: Site, number: int, outer: set[int]) -> Iterator[Diagnostic]:
        region = parent.operation.regions[number]
        shares = parent.region is not None and parent.region.values is region.values
        seen = outer if shares and not _is_closed(parent) else set[int]()
        if parent.operation.name == BROKEN:
            seen = set(range(len(region.values.types)))
        yield from self._symbols(parent)
        if len(region.blocks) == 1:
            if not _has_order(parent.operation):
                seen.update(definitions(region.blocks[0]))
            yield from self._block(parent, region, 0, seen)
            if shares:
                seen.difference_update(definitions(region.blocks[0]))
        elif region.blocks:
            yield from self._blocks(parent, region, seen)

    def _blocks(self, parent: Site, region: Region, seen: set[int]) -> Iterator[Diagnostic]:
        """The findings of several blocks in their order. A block sees the values of those that dominate it;
        where no way leads to it, every value counts as seen, as nothing is wrong there."""
        found: dict[int, list[Diagnostic]] = {}
        for number, leaves in walk_dominators(region):
            if leaves:
                seen.difference_update(definitions(region.blocks[number]))
            else:
                found[number] = list(self._block(parent, region, number, seen))
        everything = set(range(len(region.values.types)))
        for number in range(len(region.blocks)):
            yield from found[number] if number in found else self._block(parent, region, number, everything)

    def _block(self, parent: Site, region: Region, number: int, seen: set[int]) -> Iterator[Diagnostic]:
        """The findings of a block's operations."""
        block, of = region.blocks[number], self._verdicts.of
        seen.update(block.arguments)
        for index, operation in enumerate(block.operations):
            if not seen.issuperset(operation.operands):
                yield from self._unseen(parent.inner(region, number, index), seen)
            judged = of(operation.signature)
            regions = operation.regions
            if (judged is not CLEAN or regions or operation.successors) and (
                not regions or (operation.signature, regions) not in self._clean
            ):
                yield from self._operation(parent.inner(region, number, index), judged, seen)
            seen.update(operation.results)

    def _unseen(self, site: Site, seen: set[int]) -> Iterator[Diagnostic]:
        """Operands that are defined too late or elsewhere; those that the parser could not find are its
        business."""
        operation, region = site.operation, site.region
        assert region is not None
        for number, value in enumerate(operation.operands):
            if value in seen or isinstance(operation.operand_types[number], UnknownType):
                continue
            if not self._module.diagnostics or value in self._declared_in(region):
                name = region.values.names[value]
                shown = f"%{name}" if name else f"operand {number}"
                closed = self._closed_around(site, value)
                if closed:
                    message = f"{shown} is defined outside of {closed}, which sees only its own values"
                    remedies = advised("pass it as an operand, and use the argument of the region")
                else:
                    message = f"{shown} is not defined where {operation.name} uses it"
                    remedies = advised(self._definition(name, region, seen))
                origin = Origin("operand", number)
                finding = Finding("use-before-definition", message, origin=origin, remedies=remedies)
                yield placed(finding, site, None, self._module, self._advice)

    def _definition(self, name: str, region: Region, seen: set[int]) -> str:
        """What to do about a value that is used before it is defined."""
        names = region.values.names
        among = (names[value] for value in seen if value < len(names))
        close = self._nearest(name, among) if name else None
        move = f"move the operation that defines {f'%{name}' if name else 'it'} up, before this one"
        return f"{move}, or did you mean %{close}?" if close else move

    def _closed_around(self, site: Site, value: int) -> str | None:
        """The operation that keeps a value out of its regions; None where the value is defined in them, or
        nowhere."""
        closed = next((each.operation for each in site.around() if _is_closed(each)), None)
        if closed is None or site.region is None or site.origin(value) is None:
            return None
        inside = self._inside.get(id(closed))
        if inside is None:
            table = site.region.values
            inside = {each for region in closed.regions for each in declared(region, table)}
            self._inside[id(closed)] = inside
        return None if value in inside else closed.name

    def _declared_in(self, region: Region) -> set[int]:
        """The values that a function's regions define somewhere; the parser has reported all others."""
        table = region.values
        if id(table) not in self._declared:
            self._declared[id(table)] = set(declared(self._module.body, table))
        return self._declared[id(table)]

    def _symbols(self, parent: Site) -> Iterator[Diagnostic]:
        """Names that stand for two operations of one module."""
        if parent.operation.name != "builtin.module":
            return
        for number, block, index, name in duplicates(parent.operation):
            site = parent.inner(parent.operation.regions[number], block, index)
            message = f"there is another @{name} in the module"
            remedies = advised(f"rename this one, as to @{name}_2")
            finding = Finding("duplicate-symbol", message, ("sym_name",), remedies=remedies)
            yield placed(finding, site, None, self._module, self._advice)


def _stands_alone(site: Site) -> bool:
    """Whether all that is to be said of an operation depends on its signature and its regions, which other
    operations may have as well."""
    operation, op_def = site.operation, find_op_def(site.operation.name)
    return (
        op_def is not None
        and bool(operation.regions)
        and not (context_of(op_def).constants or context_of(op_def).around)
        and not operation.successors
        and all(site.region and each.values is not site.region.values for each in operation.regions)
    )


def _is_closed(site: Site) -> bool:
    """Whether the regions of an operation see no value from outside, though they share a table with those."""
    op_def = find_op_def(site.operation.name)
    return op_def is not None and op_def.has("closed")


def _has_order(operation: Operation) -> bool:
    """Whether an operation's regions are run from top to bottom, as far as we know."""
    op_def = find_op_def(operation.name)
    return op_def is not None and not op_def.has("graph_region") and operation.name != BROKEN


def _judged(signature: Signature) -> Judged:
    op_def = find_op_def(signature.name)
    if signature.name == BROKEN:
        return CLEAN
    if op_def is None:
        findings = tuple(nested_findings(signature.name, signature))
        return Judged(findings) if findings or has_references(signature) else CLEAN
    members = OpBindings(op_def, signature, (None,) * len(op_def.regions))
    findings = tuple(kind_findings(members)) or tuple(constraint_findings(members, op_def.constraints))
    has_context = any(context_of(op_def)) or has_references(signature)
    return Judged(findings, members) if findings or has_context else CLEAN
