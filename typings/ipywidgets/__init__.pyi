"""The part of ipywidgets that shlo_kernel uses."""

from collections.abc import Callable, Sequence
from typing import Any

class Layout:
    display: str
    visibility: str
    border: str
    def __init__(self, **traits: str) -> None: ...

class ButtonStyle:
    button_color: str
    text_color: str
    font_weight: str

class Widget:
    layout: Layout
    def observe(self, handler: Callable[[Any], object], names: str) -> None: ...
    def close(self) -> None: ...
    def add_class(self, name: str) -> None: ...
    def _repr_mimebundle_(self) -> dict[str, Any] | None: ...

class Box(Widget):
    children: Sequence[Widget]
    def __init__(self, children: Sequence[Widget] = (), *, layout: Layout = ...) -> None: ...

class VBox(Box): ...
class HBox(Box): ...
class GridBox(Box): ...

class HTML(Widget):
    value: str
    def __init__(self, value: str = "", *, layout: Layout = ...) -> None: ...

class Output(Widget):
    outputs: tuple[dict[str, Any], ...]
    def __init__(self, *, outputs: tuple[dict[str, Any], ...] = ()) -> None: ...

class Button(Widget):
    description: str
    tooltip: str
    disabled: bool
    style: ButtonStyle
    def __init__(
        self, *, description: str = "", icon: str = "", tooltip: str = "", layout: Layout = ...
    ) -> None: ...
    def on_click(self, callback: Callable[[Button], object]) -> None: ...

class ToggleButton(Widget):
    value: bool
    def __init__(
        self,
        value: bool = False,
        *,
        description: str = "",
        icon: str = "",
        tooltip: str = "",
        layout: Layout = ...,
    ) -> None: ...

class Text(Widget):
    value: str
    def __init__(
        self, value: str = "", *, placeholder: str = "", continuous_update: bool = True, layout: Layout = ...
    ) -> None: ...

class BoundedIntText(Widget):
    value: int
    def __init__(
        self, value: int, min: int, max: int, *, description: str = "", layout: Layout = ...
    ) -> None: ...

class IntSlider(Widget):
    value: int
    max: int
    def __init__(
        self, value: int, min: int, max: int, *, description: str = "", layout: Layout = ...
    ) -> None: ...

class Select(Widget):
    """A list; `options` are pairs of a label and a value."""

    options: Sequence[tuple[str, Any]]
    label: str | None
    value: Any
    def __init__(
        self, *, description: str = "", style: dict[str, str] = ..., layout: Layout = ...
    ) -> None: ...

class Dropdown(Widget):
    """A drop-down list; `options` are pairs of a label and a value."""

    options: Sequence[tuple[str, Any]]
    value: Any
    def __init__(self, *, description: str = "", layout: Layout = ...) -> None: ...
