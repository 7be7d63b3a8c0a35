from typing import Any

class DisplayFormatter:
    def format(self, obj: object) -> tuple[dict[str, Any], dict[str, Any]]: ...
