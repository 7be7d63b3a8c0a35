from typing import Literal

class TransformerManager:
    def check_complete(
        self, cell: str
    ) -> tuple[Literal["complete", "incomplete", "invalid"], int | None]: ...

def leading_empty_lines(lines: list[str]) -> list[str]: ...
