"""How many examples a property of the storm tries."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from hypothesis import HealthCheck, settings


def storm(examples: int) -> Callable[[Any], Any]:
    """Return the settings of a test that tries so many examples, times ``MOSELECT_STORM``."""
    factor = float(os.environ.get("MOSELECT_STORM", "1"))
    return settings(
        max_examples=max(1, round(examples * factor)),
        suppress_health_check=list(HealthCheck),
        print_blob=True,
    )
