"""How many examples a property of the storm tries, and which.

``MOSELECT_STORM=20 pytest tests/storm`` tries twenty times as many as by default, and with
``MOSELECT_STORM_SEED=7`` other ones; without it they are the same in every run.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from hypothesis import HealthCheck, seed, settings

FACTOR, SEED = "MOSELECT_STORM", "MOSELECT_STORM_SEED"


def storm(examples: int) -> Callable[[Any], Any]:
    """Return a decorator for a test that tries so many examples, times ``MOSELECT_STORM``."""
    chosen = settings(
        max_examples=max(1, round(examples * float(os.environ.get(FACTOR, "1")))),
        suppress_health_check=list(HealthCheck),
        print_blob=True,
    )

    def decorate(test: Any) -> Any:
        return chosen(seed(int(os.environ[SEED]))(test) if SEED in os.environ else test)

    return decorate
