"""What the machine was doing while something was measured, and the words for the figures."""

import os
import platform
from collections.abc import Sequence


def machine_state() -> str:
    """Cores, load and interpreter, in one line."""
    load = ", ".join(f"{value:.2f}" for value in os.getloadavg())
    return f"{os.cpu_count()} cores, load average {load}, Python {platform.python_version()}, {platform.machine()}"


def percentile(values: Sequence[float], share: float) -> float:
    """The value that `share` (0-1) of all values do not exceed."""
    ranked = sorted(values)
    return ranked[min(len(ranked) - 1, int(share * len(ranked)))]


def spread(values: Sequence[float]) -> str:
    """p50 and p95, in milliseconds."""
    return f"p50 {percentile(values, 0.5):.1f} ms, p95 {percentile(values, 0.95):.1f} ms"
