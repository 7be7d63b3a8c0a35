"""`dataclass` with the meaning of the standard library's, quicker to define.

A program that starts defines some hundred of these, and most it never compares, prints or hashes. Here the
methods for that are compiled when they are first called. `dataclasses.field`, `fields`, `replace` and
`asdict` work on the classes as usual. Annotations must be strings (`from __future__ import annotations`).
"""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, Field, FrozenInstanceError
from reprlib import recursive_repr
from types import MemberDescriptorType, SimpleNamespace
from typing import TYPE_CHECKING, Any, Final, cast

Class = Any  # a class to which attributes are added


@dataclasses.dataclass
class _Example:
    field: int


_KIND: Final = "_field_type"
_ORDINARY: Final[object] = getattr(dataclasses.fields(_Example)[0], _KIND)
"""What the standard library writes into the fields of a class to tell them from pseudo-fields."""


class _Factory:
    def __repr__(self) -> str:
        return "<factory>"


_FACTORY: Final = _Factory()
"""Default of a parameter whose field has a `default_factory`."""


def _dataclass(
    cls: Class | None = None,
    /,
    *,
    repr: bool = True,
    eq: bool = True,
    frozen: bool = False,
    kw_only: bool = False,
    slots: bool = False,
    weakref_slot: bool = False,
) -> Any:
    """Returns a class with the methods of a dataclass, or a decorator that does, by options as in
    `dataclasses.dataclass`."""

    def wrap(cls: Class) -> Class:
        own = _own_fields(cls, kw_only)
        fields = {**_inherited(cls), **own}
        for field in own.values():
            if field.default is not MISSING:
                setattr(cls, field.name, field.default)
            elif field.name in _content(cls):
                delattr(cls, field.name)
        if slots:
            cls = _with_slots(cls, own, weakref_slot)
        cls.__dataclass_fields__ = fields
        cls.__dataclass_params__ = SimpleNamespace(
            init=True, repr=repr, eq=eq, order=False, unsafe_hash=False, frozen=frozen
        )
        if "__match_args__" not in _content(cls):
            cls.__match_args__ = tuple(
                each.name for each in fields.values() if each.init and not each.kw_only
            )
        _add_methods(cls, fields, repr, eq, frozen)
        if frozen:
            _freeze(cls, frozenset(fields), slots)
        return cls

    return wrap if cls is None else wrap(cls)


if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:
    dataclass = _dataclass


def _content(cls: Class) -> Mapping[str, Any]:
    return cls.__dict__


def _inherited(cls: Class) -> dict[str, Field[Any]]:
    found: dict[str, Field[Any]] = {}
    for base in cls.__mro__[-1:0:-1]:
        found.update(_content(base).get("__dataclass_fields__", {}))
    return found


def _own_fields(cls: Class, kw_only: bool) -> dict[str, Field[Any]]:
    found: dict[str, Field[Any]] = {}
    for name, annotation in _content(cls).get("__annotations__", {}).items():
        if annotation == "KW_ONLY":
            kw_only = True
            continue
        default = _content(cls).get(name, MISSING)
        if isinstance(default, MemberDescriptorType):  # the slot of a base class
            default = MISSING
        field = cast(
            "Field[Any]", default if isinstance(default, Field) else dataclasses.field(default=default)
        )
        field.name, field.type = name, annotation
        field.kw_only = kw_only if field.kw_only is MISSING else field.kw_only
        setattr(field, _KIND, _ORDINARY)
        found[name] = field
    return found


def _with_slots(cls: Class, own: Iterable[str], weakref_slot: bool) -> Class:
    """Returns the class anew with slots for its own fields; slots cannot be added to a class."""
    content = dict(_content(cls))
    inherited = {name for base in cls.__mro__[1:-1] for name in _content(base).get("__slots__", ())}
    content["__slots__"] = tuple(
        name for name in (*own, *(["__weakref__"] if weakref_slot else [])) if name not in inherited
    )
    for name in (*own, "__dict__", "__weakref__"):
        content.pop(name, None)
    result = type(cls)(cls.__name__, cls.__bases__, content)
    result.__qualname__ = cls.__qualname__
    return result


# --- methods -----------------------------------------------------------------------------------------------


def _add_methods(cls: Class, fields: Mapping[str, Field[Any]], repr: bool, eq: bool, frozen: bool) -> None:
    present = _content(cls)
    if "__init__" not in present:
        cls.__init__ = _initializer(cls, fields.values(), frozen)
    if repr and "__repr__" not in present:
        cls.__repr__ = _representation([each.name for each in fields.values() if each.repr])
    if not eq:
        return
    explicit_hash = "__hash__" in present and not (present["__hash__"] is None and "__eq__" in present)
    if "__eq__" not in present:
        names = [each.name for each in fields.values() if each.compare]
        equal = f"{_tuple_of('self', names)} == {_tuple_of('other', names)}"
        result = f"{equal} if other.__class__ is self.__class__ else NotImplemented"
        _compile_late(cls, "__eq__", "self, other", result)
    if explicit_hash:
        return
    if frozen:
        hashed = [each.name for each in fields.values() if (each.compare if each.hash is None else each.hash)]
        _compile_late(cls, "__hash__", "self", f"hash({_tuple_of('self', hashed)})")
    else:
        cls.__hash__ = None


def _tuple_of(value: str, names: Iterable[str]) -> str:
    return "(" + "".join(f"{value}.{name}, " for name in names) + ")"


def _compile_late(cls: Class, name: str, parameters: str, result: str) -> None:
    """Adds a method that returns an expression, which is compiled when the method is first called."""

    def method(*arguments: Any) -> Any:
        compiled = _compiled(cls, name, parameters, [f"return {result}"], {})
        setattr(cls, name, compiled)
        return compiled(*arguments)

    method.__name__, method.__qualname__ = name, f"{cls.__qualname__}.{name}"
    setattr(cls, name, method)


def _compiled(
    cls: Class, name: str, parameters: str, body: Iterable[str], names: Mapping[str, Any]
) -> Callable[..., Any]:
    """Returns a function of source code, with `names` and those of the module of the class in scope."""
    lines = "".join(f"\n  {line}" for line in body)
    source = f"def make({', '.join(names)}):\n def {name}({parameters}):{lines}\n return {name}"
    found: dict[str, Any] = {}
    module = sys.modules.get(cls.__module__)
    exec(source, {} if module is None else vars(module), found)
    function = found["make"](**names)
    function.__qualname__ = f"{cls.__qualname__}.{name}"
    return function


def _initializer(cls: Class, fields: Iterable[Field[Any]], frozen: bool) -> Callable[..., None]:
    positional, by_name, body = ["self"], list[str](), list[str]()
    names: dict[str, Any] = {"_factory": _FACTORY, "_set": object.__setattr__}
    annotations: dict[str, Any] = {}
    for field in fields:
        name, value, parameter = field.name, field.name, field.name
        if field.default_factory is not MISSING:
            names[f"_make_{name}"] = field.default_factory
            parameter = f"{name}=_factory"
            value = f"_make_{name}() if {name} is _factory else {name}" if field.init else f"_make_{name}()"
        elif field.default is not MISSING:
            names[f"_default_{name}"] = field.default
            parameter = f"{name}=_default_{name}"
        if field.init:
            (by_name if field.kw_only else positional).append(parameter)
            annotations[name] = field.type
        elif field.default is not MISSING:
            value = f"_default_{name}"
        elif field.default_factory is MISSING:
            continue  # __post_init__ sets it
        if frozen and isinstance(slot := getattr(cls, name, None), MemberDescriptorType):
            names[f"_set_{name}"] = slot.__set__  # quicker than looking the name up
            body.append(f"_set_{name}(self, {value})")
        else:
            body.append(f"_set(self, {name!r}, {value})" if frozen else f"self.{name} = {value}")
    if hasattr(cls, "__post_init__"):
        body.append("self.__post_init__()")
    parameters = ", ".join([*positional, *(["*", *by_name] if by_name else [])])
    initializer = _compiled(cls, "__init__", parameters, body or ["pass"], names)
    initializer.__annotations__ = {**annotations, "return": None}
    return initializer


def _representation(names: list[str]) -> Callable[[Any], str]:
    @recursive_repr()
    def __repr__(self: Any) -> str:
        values = ", ".join(f"{name}={getattr(self, name)!r}" for name in names)
        return f"{self.__class__.__qualname__}({values})"

    return __repr__


def _freeze(cls: Class, names: frozenset[str], slots: bool) -> None:
    def __setattr__(self: Any, name: str, value: Any) -> None:
        if type(self) is cls or name in names:
            raise FrozenInstanceError(f"cannot assign to field {name!r}")
        cast("Any", super(cls, self)).__setattr__(name, value)

    def __delattr__(self: Any, name: str) -> None:
        if type(self) is cls or name in names:
            raise FrozenInstanceError(f"cannot delete field {name!r}")
        cast("Any", super(cls, self)).__delattr__(name)

    cls.__setattr__, cls.__delattr__ = __setattr__, __delattr__
    if slots and "__getstate__" not in _content(cls):
        cls.__getstate__, cls.__setstate__ = _state, _restore


def _state(self: Any) -> list[Any]:
    return [getattr(self, field.name) for field in dataclasses.fields(self)]


def _restore(self: Any, state: Iterable[Any]) -> None:
    for field, value in zip(dataclasses.fields(self), state):
        object.__setattr__(self, field.name, value)
