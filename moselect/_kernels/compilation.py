"""How kernels are compiled, and where the machine code is kept between processes."""

from __future__ import annotations

import os
import stat
import tempfile
import warnings
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from pickle import UnpicklingError
from typing import Any, Literal

from numba import config, njit
from numba.core.caching import FunctionCache


def kernel(
    function: Callable[..., Any] | None = None, *, inline: Literal["never", "always"] = "never"
) -> Any:
    """Compile a loop over plain arrays on its first call; other threads run meanwhile.

    Machine code is kept where numba keeps it: beside the source, else in the user's own cache.
    Where neither can be written to (a read-only install without a home), it is kept in a folder for
    temporary files that belongs to the user alone; without such a folder, and where the disk is
    full, it is compiled anew in every process.
    """
    if function is None:
        return lambda later: kernel(later, inline=inline)
    compiled: Any = njit(nogil=True, inline=inline)(function)
    if not hasattr(compiled, "enable_caching"):
        return compiled  # the function itself, when NUMBA_DISABLE_JIT is set
    try:
        compiled._cache = _KernelCache(compiled.py_func)
    except RuntimeError:  # numba found no folder that it can write to
        folder = _temporary_folder()
        if folder is not None:
            settings: Any = config
            usual, settings.CACHE_DIR = settings.CACHE_DIR, str(folder)
            try:
                compiled._cache = _KernelCache(compiled.py_func)
            finally:
                settings.CACHE_DIR = usual
    return compiled


class _KernelCache(FunctionCache):
    """What numba keeps of a kernel; a kernel that cannot be read or kept is compiled anew."""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        try:
            return super().load_overload(sig, target_context)
        except OSError:
            return None
        except (EOFError, UnpicklingError):  # a machine that lost its power while it was written
            with suppress(OSError):
                self.flush()
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        try:
            super().save_overload(sig, data)
        except OSError as error:
            _warn_of_what_is_not_kept(error.strerror or str(error), self.cache_path)


@cache
def _warn_of_what_is_not_kept(reason: str, folder: str) -> None:
    warnings.warn(
        f"compiled kernels cannot be kept in '{folder}': {reason}; they are compiled anew every "
        "time: make room, or name another folder in NUMBA_CACHE_DIR",
        UserWarning,
        stacklevel=2,
    )


@cache
def _temporary_folder() -> Path | None:
    """Return a folder that only this user can write to; warns once, for kernels need one."""
    user = os.getuid() if hasattr(os, "getuid") else "user"
    try:
        folder = Path(tempfile.gettempdir()) / f"moselect-kernels-{user}"
        folder.mkdir(mode=0o700, exist_ok=True)
        usable = _is_own(folder.lstat())  # whoever can write there could have numba load their code
    except OSError:
        usable = False
    if not usable:
        warnings.warn(
            "no folder for compiled kernels can be written to: they are compiled anew every time; "
            "name a folder in NUMBA_CACHE_DIR",
            UserWarning,
            stacklevel=2,
        )
        return None
    warnings.warn(
        f"compiled kernels are kept in '{folder}', for neither the folder of moselect nor the home "
        "of this user can be written to; name another folder in NUMBA_CACHE_DIR",
        UserWarning,
        stacklevel=2,
    )
    return folder


def _is_own(found: os.stat_result) -> bool:
    if not hasattr(os, "getuid"):
        return stat.S_ISDIR(found.st_mode)  # Windows has a folder for temporary files for each user
    shared = found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and not shared
