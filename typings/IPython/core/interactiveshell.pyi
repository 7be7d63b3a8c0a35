from collections.abc import Callable, Coroutine
from typing import Any

class ExecutionResult:
    error_before_exec: BaseException | None
    error_in_exec: BaseException | None

class InteractiveShell:
    Completer: Any
    compile: Any
    display_formatter: Any
    display_pub_class: Any
    displayhook_class: Any
    events: Any
    execution_count: int
    input_transformer_manager: Any
    loop_runner: Callable[[Coroutine[Any, Any, Any]], Any]
    user_ns: dict[str, Any]
    user_global_ns: dict[str, Any]
    def __init__(self, *, user_ns: dict[str, Any] | None = None, **options: Any) -> None: ...
    @classmethod
    def _walk_mro(cls) -> Any: ...
    def object_inspect_mime(self, oname: str) -> dict[str, str]: ...
    def register_magics(self, *magics: object) -> None: ...
    def run_cell(self, raw_cell: str) -> ExecutionResult: ...
    def run_cell_magic(self, magic_name: str, line: str, cell: str) -> Any: ...
