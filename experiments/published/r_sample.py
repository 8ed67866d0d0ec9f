"""Samples that R draws, for splits that are printed as a seed of R."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


class RSampler:
    """R's ``set.seed(seed)`` and ``sample(items, size)`` without replacement, since R 3.6.

    Numbers are those of the Mersenne twister, whose state is scrambled by a congruential
    generator, and indices are drawn by rejection, 16 bits at a time.
    """

    def __init__(self, seed: int) -> None:
        scrambled = []
        for _ in range(50 + 625):
            seed = (69069 * seed + 1) % 2**32
            scrambled.append(seed)
        self._twister = np.random.MT19937()
        state = self._twister.state
        # R stores the position before the state, and begins at its end.
        state["state"] = {"key": np.array(scrambled[51:], dtype=np.uint32), "pos": 624}
        self._twister.state = state

    def sample(self, items: Sequence[int], size: int) -> list[int]:
        """Draw some of the items."""
        left = list(items)
        drawn = []
        for _ in range(size):
            place = self._index(len(left))
            drawn.append(left[place])
            left[place] = left[-1]
            left.pop()
        return drawn

    def _index(self, n: int) -> int:
        """Draw an index below n."""
        bits = (n - 1).bit_length()
        while True:
            index = 0
            for _ in range(0, bits + 1, 16):
                index = index * 2**16 + (int(self._twister.random_raw()) >> 16)
            index %= 2**bits
            if index < n:
                return index
