"""Compilation of kernels, and the cache of their machine code."""

import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

from numba import njit
from numba.core.caching import FunctionCache
from numba.core.runtime.nrt import rtsys


def kernel(function: Callable[..., Any], inline: str = "never") -> Any:
    """Compile a loop over plain arrays on its first call; other threads run meanwhile.

    Machine code is cached by numba beside the source, else in the user's cache. If
    neither is writable, every process compiles anew.
    """
    # No division checks and no C wrappers: they compile slowly and are not needed.
    compiled = partial(
        njit, nogil=True, error_model="numpy", no_cfunc_wrapper=True, inline=inline
    )
    try:
        cached: Any = compiled(cache=True)(function)
        if hasattr(cached, "enable_caching"):  # not where NUMBA_DISABLE_JIT is set
            cached._cache = _QuickCache(function)
        return cached
    except RuntimeError:
        warnings.warn(
            "compiled kernels are not kept, and compiled anew every time, for no folder takes "
            "them: name one in NUMBA_CACHE_DIR",
            stacklevel=1,  # one place of all kernels: shown once
        )
        return compiled()(function)


# For a part of other kernels: it is compiled within each of them, not once more by itself.
inlined = partial(kernel, inline="always")


class _QuickCache(FunctionCache):
    """Numba's cache, with loading of kernels that skips the setup of the compiler.

    This saves each process half a second before its first kernel.
    """

    def load_overload(self, sig: object, target_context: object) -> Any:
        rtsys.initialize(target_context)
        return self._load_overload(sig, target_context)
