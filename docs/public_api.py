"""The public API: which names it consists of, and their signatures.

    python -m docs.public_api    # writes docs/api/current.txt, which a test compares with the code

`docs/api/released.txt` is what it was at the last release (before the first one: when the changelog of 0.1.0
was written). `python -m release.version` takes it over. The changelog's top section must name what differs
between the two.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, Final, NamedTuple

from msgspec import Struct

FOLDER: Final = Path(__file__).with_name("api")
CURRENT: Final = FOLDER / "current.txt"
RELEASED: Final = FOLDER / "released.txt"

PUBLIC: Final[dict[str, tuple[str, ...] | None]] = {
    "shlo": None,
    "shlo.syntax": (
        *(
            "attribute_text",
            "format_text",
            "module_text",
            "parse",
            "parse_attribute",
            "parse_type",
            "type_text",
        ),
    ),
    "shlo.transforms": None,
    "shlo.compare": None,
    "shlo.costs": None,
    "shlo.interpreter": (
        "Channels",
        "CustomCall",
        "GridError",
        "RunOptions",
        "WaitForGraph",
        "register_custom_call",
    ),
    "shlo.debugger": None,
    "shlo.pages": None,
    "shlo_bytecode": None,
}
"""Public modules, and which names of each are public: those of `__all__` where it does not say."""


class Member(NamedTuple):
    """A public method, property or field of a class."""

    name: str
    signature: str
    doc: str


class PublicName(NamedTuple):
    """A public name of a module: how it is called, its docstring, and what a class has."""

    module: str
    name: str
    signature: str
    doc: str
    members: tuple[Member, ...]

    @property
    def of_module(self) -> ModuleType:
        """The module whose name it is."""
        return import_module(self.module)

    @property
    def lines(self) -> list[str]:
        """What the snapshot holds of it."""
        full = f"{self.module}.{self.name}"
        return [
            f"{full}: {self.signature}",
            *(f"{full}.{each.name}: {each.signature}" for each in self.members),
        ]


def public_names() -> Iterator[PublicName]:
    """Yields all public names, module by module, in the order of the alphabet."""
    for module_name, names in PUBLIC.items():
        module = import_module(module_name)
        listed = set(module.__all__)
        chosen = listed if names is None else set(names)
        assert chosen <= listed, f"{module_name}: not in __all__: {chosen - listed}"
        for name in sorted(chosen):
            yield _public_name(module_name, name, getattr(module, name))


def snapshot() -> str:
    """Returns the names and signatures as text, a line for each."""
    return "".join(f"{line}\n" for name in public_names() for line in name.lines)


def untold_changes(before: str, after: str, section: str) -> list[str]:
    """Returns which names differ in two snapshots without an item of a changelog's section that tells so.

    An item tells of `shlo.run` by that name in backquotes, of `shlo.debugger.Session.goto` also by
    `debugger.Session.goto` or `Session.goto`; where parameters come or go, it names these, too, in
    backquotes. A class that comes or goes is told of with all that it has, a constructor by the fields that
    differ.
    """
    old, new = _lines_by_name(before), _lines_by_name(after)
    changed = [name for name in {**old, **new} if old.get(name) != new.get(name)]
    items = [_quoted_words(item) for item in re.split(r"^- ", section, flags=re.MULTILINE)]
    whole = {name for name in changed if (name in old) != (name in new)}
    return [
        name
        for name in changed
        if name.rpartition(".")[0] not in whole
        and not (name.endswith(".__init__") and _has_other_changes(name, changed))
        and not any(_tells(words, name, old.get(name, ""), new.get(name, "")) for words in items)
    ]


def _lines_by_name(text: str) -> dict[str, str]:
    return {name: signature for name, _, signature in (line.partition(": ") for line in text.splitlines())}


def _quoted_words(item: str) -> set[str]:
    return set(re.findall(r"[\w.]+", " ".join(re.findall(r"`([^`]+)`", item))))


def _has_other_changes(constructor: str, changed: list[str]) -> bool:
    owner = constructor.removesuffix("__init__")
    return any(name != constructor and name.startswith(owner) for name in changed)


def _tells(words: set[str], name: str, old: str, new: str) -> bool:
    parts = name.removesuffix(".__init__").split(".")
    forms = {".".join(parts[start:]) for start in range(len(parts) - 1)}
    parameters = _parameters(old) ^ _parameters(new) if old and new else set[str]()
    return not forms.isdisjoint(words) and parameters <= words


def _parameters(signature: str) -> set[str]:
    return set(re.findall(r"(\w+): ", signature.partition("(")[2]))


def class_doc(cls: type) -> str:
    """Returns a class's docstring, none that it inherits, or that dataclasses and named tuples are given."""
    doc = inspect.cleandoc(cls.__dict__.get("__doc__") or "")
    return "" if doc.startswith(f"{cls.__name__}(") else doc


def _public_name(module: str, name: str, value: Any) -> PublicName:
    if inspect.ismodule(value):
        return PublicName(module, name, f"module {value.__name__}", inspect.getdoc(value) or "", ())
    if inspect.isclass(value):
        bases = ", ".join(base.__name__ for base in value.__bases__ if base not in (object, Struct))
        head = f"class {name}({bases})" if bases else f"class {name}"
        return PublicName(module, name, head, class_doc(value), tuple(_members(value)))
    if inspect.isroutine(value):
        return PublicName(module, name, f"def {name}{_signature(value)}", inspect.getdoc(value) or "", ())
    return PublicName(module, name, f"{name}: {type(value).__name__}", "", ())


def _members(cls: type) -> Iterator[Member]:
    """Yields what a class and its bases within shlo define in public, and how it is made."""
    found: dict[str, Member] = {}
    for owner in reversed([base for base in cls.__mro__ if base.__module__.startswith("shlo")]):
        annotations = inspect.get_annotations(owner)
        for name, value in owner.__dict__.items():
            if name == "__init__" or (not name.startswith("_") and name not in annotations):
                member = _member(name, value)
                if member:
                    found[name] = member
        for name, annotation in annotations.items():
            if not name.startswith("_"):
                found[name] = Member(name, f"{name}: {_annotation(annotation)}", "")
    if issubclass(cls, Struct):
        found["__init__"] = Member("__init__", f"def __init__{_constructor(cls)}", "")
    yield from (found[name] for name in sorted(found))


def _member(name: str, value: Any) -> Member | None:
    function = value.__func__ if isinstance(value, (staticmethod, classmethod)) else value
    if isinstance(function, property):
        type_ = inspect.signature(function.fget).return_annotation if function.fget else ""
        return Member(name, f"property {name}: {_annotation(type_)}", inspect.getdoc(function) or "")
    if inspect.isfunction(function):
        if name == "__init__" and not function.__doc__ and function.__qualname__.startswith("__create"):
            return Member(name, f"def {name}{_signature(function)}", "")
        kind = {staticmethod: "static ", classmethod: "class "}.get(type(value), "")
        doc = inspect.cleandoc(function.__doc__ or "") if name == "__init__" else inspect.getdoc(function)
        return Member(name, f"{kind}def {name}{_signature(function)}", doc or "")
    return None


def _constructor(cls: type[Struct]) -> str:
    """Returns the signature of a record's constructor, with annotations as the source has them."""
    annotations = {name: each for base in cls.__mro__ for name, each in inspect.get_annotations(base).items()}
    signature = inspect.signature(cls)
    fields = [each.replace(annotation=annotations[each.name]) for each in signature.parameters.values()]
    this = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return _signature_text(signature.replace(parameters=[this, *fields], return_annotation="None"))


def _annotation(annotation: Any) -> str:
    return annotation if isinstance(annotation, str) else getattr(annotation, "__name__", str(annotation))


def _signature(value: Any) -> str:
    """Returns a signature as the source states it; defaults that are objects are shown as `...`."""
    try:
        return _signature_text(inspect.signature(value))
    except (TypeError, ValueError):
        return "(...)"


def _signature_text(signature: inspect.Signature) -> str:
    return re.sub(r"(: |-> )'([^']*)'", r"\1\2", re.sub(r"<[^<>]*>", "...", str(signature)))


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    CURRENT.write_text(snapshot(), encoding="utf-8", newline="\n")
    if not RELEASED.exists():
        RELEASED.write_text(snapshot(), encoding="utf-8", newline="\n")
