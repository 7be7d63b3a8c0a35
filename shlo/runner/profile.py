"""Time of a run by kind of operation."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class Cost:
    """How often a kind of operation ran and how many seconds that took."""

    name: str
    count: int = 0
    seconds: float = 0.0


class Profile:
    """Adds up the costs of a run's operations; the interpreter calls `record`."""

    def __init__(self) -> None:
        self._costs: dict[str, Cost] = {}
        self.seconds = 0.0

    def record(self, name: str, seconds: float) -> None:
        """Adds one run of an operation."""
        cost = self._costs.get(name)
        if cost is None:
            cost = self._costs[name] = Cost(name)
        cost.count += 1
        cost.seconds += seconds
        self.seconds += seconds

    @property
    def costs(self) -> list[Cost]:
        """The costs by kind, the largest first."""
        return sorted(self._costs.values(), key=lambda cost: -cost.seconds)

    def table(self, total_seconds: float) -> str:
        """Returns a table for people: time, share, count and mean of each kind, then what the rest took."""
        lines = [f"{'time':>12}  {'share':>6}  {'count':>9}  {'mean':>12}  operation"]
        for cost in self.costs:
            mean = cost.seconds / cost.count
            lines.append(_line(cost.seconds, total_seconds, f"{cost.count}", mean, cost.name))
        rest = max(total_seconds - self.seconds, 0.0)
        lines.append(_line(rest, total_seconds, "", None, "(compiling the program, dispatch)"))
        lines.append(_line(total_seconds, total_seconds, "", None, "(all)"))
        return "\n".join(lines)


def _line(seconds: float, total: float, count: str, mean: float | None, name: str) -> str:
    share = 100 * seconds / total if total else 0.0
    mean_text = "" if mean is None else f"{mean * 1e6:.1f} us"
    return f"{seconds * 1e3:9.3f} ms  {share:5.1f}%  {count:>9}  {mean_text:>12}  {name}"
