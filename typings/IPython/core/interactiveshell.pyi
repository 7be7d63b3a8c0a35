from typing import Any

class InteractiveShell:
    display_formatter: Any
    user_ns: dict[str, Any]
    user_global_ns: dict[str, Any]
    def register_magics(self, *magics: object) -> None: ...
