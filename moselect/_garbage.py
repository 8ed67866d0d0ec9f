"""Garbage collection of processes that import much and end soon."""

import atexit
import gc


def collect_seldom() -> None:
    """Collect no garbage while modules are imported, nor at the end of the process."""
    gc.set_threshold(500_000)  # imports create half as many objects
    atexit.register(gc.freeze)
