from typing import Any, TextIO

class OutStream(TextIO):
    def set_parent(self, parent: dict[str, Any]) -> None: ...
