"""What a client may set, as initialization options or as configuration; anything else is passed over."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from msgspec import Struct, field
from msgspec.structs import replace

from shlo.language.outline.outline import OutlineBy
from shlo.runner.child.launch import ChildLimits


class Settings(Struct, frozen=True):
    """`allow_run`: whether programs may run at all (initialization alone says so: a folder's configuration
    cannot grant it); `commands`: the client's own commands for what a lens offers (`debug`, `test`);
    `pulls_diagnostics`: whether the client says that it asks for findings, which then are not pushed;
    `inlay_hints`: whether types that are not written are shown; `strict`: whether operations of unknown
    dialects are findings; `unused`: whether results that nothing uses are hints; `outline`: how it groups
    operations; `limits`: of a run."""

    allow_run: bool = True
    commands: Mapping[str, str] = field(default_factory=dict[str, str])
    pulls_diagnostics: bool = False
    inlay_hints: bool = True
    strict: bool = False
    unused: bool = True
    outline: OutlineBy = "scopes"
    limits: ChildLimits = field(default_factory=ChildLimits)

    def initialized(self, options: Any) -> Settings:
        """Returns the settings with initialization options: `{"allowRun": false, "commands": {"debug":
        "editor.debug"}}` beside those of a configuration."""
        entries = json_object(options)
        commands = {
            name: command
            for name, command in json_object(entries.get("commands")).items()
            if isinstance(command, str)
        }
        allowed = entries.get("allowRun", self.allow_run) is True
        pulls = entries.get("diagnostics") == "pull"
        return replace(
            self.configured(entries), allow_run=allowed, commands=commands, pulls_diagnostics=pulls
        )

    def configured(self, options: Any) -> Settings:
        """Returns the settings with a configuration, as it is or under `shlo`: `{"strict": true,
        "inlayHints": false, "run": {"seconds": 5, "megabytes": 512}}`."""
        entries = json_object(options)
        entries = json_object(entries.get("shlo")) or entries
        hints, strict, unused, outline = map(entries.get, ("inlayHints", "strict", "unused", "outline"))
        return replace(
            self,
            inlay_hints=hints if isinstance(hints, bool) else self.inlay_hints,
            strict=strict if isinstance(strict, bool) else self.strict,
            unused=unused if isinstance(unused, bool) else self.unused,
            outline=outline if outline in ("scopes", "operations") else self.outline,
            limits=_limits(self.limits, json_object(entries.get("run"))),
        )

    def limits_with(self, options: Any) -> ChildLimits:
        """Returns the limits of one run that has some of its own, as the folder of its program may have."""
        return _limits(self.limits, json_object(options))


def _limits(before: ChildLimits, options: dict[str, Any]) -> ChildLimits:
    megabytes = _positive(options.get("megabytes"))
    return ChildLimits(
        _positive(options.get("seconds")) or before.seconds,
        int(megabytes * (1 << 20)) if megabytes else before.bytes,
    )


def _positive(value: Any) -> float | None:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return value if is_number and 0 < value < 1e9 else None


def json_object(value: Any) -> dict[str, Any]:
    """Returns a value from JSON where it is an object, else an empty one."""
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}
