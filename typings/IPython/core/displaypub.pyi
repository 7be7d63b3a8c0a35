from typing import Any

from IPython.core.interactiveshell import InteractiveShell

class DisplayPublisher:
    shell: InteractiveShell
    def publish(self, data: Any, metadata: Any = None, **options: Any) -> None: ...
    def clear_output(self, wait: bool = False) -> None: ...
