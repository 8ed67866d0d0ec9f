"""How kernels are compiled, and how their machine code is kept between processes."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, partial
from pickle import UnpicklingError
from typing import Any, Literal

from numba import njit
from numba.core import event
from numba.core.caching import FunctionCache
from numba.core.runtime.nrt import rtsys


def kernel(
    function: Callable[..., Any] | None = None,
    *,
    inline: Literal["never", "always"] = "never",
) -> Any:
    """Compile a loop over plain arrays on its first call; other threads run meanwhile.

    Machine code is kept where numba keeps it: beside the source, else in the user's own
    cache. Where it cannot be, it is compiled anew in every process.
    """
    if function is None:
        return partial(kernel, inline=inline)
    # No checks of divisors and no wrappers for C: they take long to compile, and nobody needs them.
    options: Any = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}
    compiled: Any = njit(inline=inline, **options)(function)
    if hasattr(
        compiled, "enable_caching"
    ):  # not the function itself, as with NUMBA_DISABLE_JIT
        try:
            compiled._cache = _KernelCache(compiled.py_func)
        except RuntimeError:
            _warn("no folder for them can be written to")
    return compiled


class _KernelCache(FunctionCache):
    """Numba's own cache; what cannot be read from it or written to it is compiled anew."""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        # numba's own way also loads what only compiling needs, which takes longer than the rest.
        rtsys.initialize(target_context)
        try:
            return self._load_overload(sig, target_context)
        except (
            OSError,
            EOFError,
            UnpicklingError,
            ImportError,
        ):  # cut off, or of other sources
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        try:
            super().save_overload(sig, data)
        except (OSError, EOFError, UnpicklingError) as error:
            _warn(
                f"'{self.cache_path}' cannot be used: {error or 'a file in it is damaged'}"
            )


@contextmanager
def watch_compiling(tell: Callable[[int], None]) -> Iterator[None]:
    """Tell how many kernels have been compiled in this process, as each one begins."""

    class Listener(event.Listener):
        n_ended = 0

        def on_start(self, event: Any) -> None:
            tell(self.n_ended)

        def on_end(self, event: Any) -> None:
            self.n_ended += 1

    with event.install_listener("numba:compile", Listener()):
        yield


@cache
def _warn(reason: str) -> None:
    warnings.warn(
        f"compiled kernels are not kept, and compiled anew every time, for {reason}: "
        "name another folder in NUMBA_CACHE_DIR",
        UserWarning,
        stacklevel=2,
    )
