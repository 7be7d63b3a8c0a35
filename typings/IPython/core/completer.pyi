from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from typing import Any, NotRequired, TypedDict, TypeVar

_Matcher = TypeVar("_Matcher", bound=Callable[..., Any])

class Completion:
    text: str
    start: int
    end: int

class SimpleCompletion:
    def __init__(self, text: str, *, type: str | None = None) -> None: ...

class SimpleMatcherResult(TypedDict):
    completions: Iterable[SimpleCompletion]
    matched_fragment: NotRequired[str]
    suppress: NotRequired[bool]

class CompletionContext:
    full_text: str
    cursor_line: int
    cursor_position: int

def context_matcher() -> Callable[[_Matcher], _Matcher]: ...
def provisionalcompleter() -> AbstractContextManager[None]: ...
def rectify_completions(text: str, completions: Iterable[Completion]) -> Iterator[Completion]: ...
