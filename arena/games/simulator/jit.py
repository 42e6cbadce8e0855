"""The compiling of kernels, by numba where it is installed, and the place where they are kept.

Kernels are Python functions of numbers and arrays. Without numba, or with BULLRING_COMPILE=0, they run as they are, a few hundred
times slower and with the same results.

numba keeps compiled functions by the path and the time of their source, so a copy of this folder would be compiled again. Here they
are kept by its content: in the folder named by BULLRING_KERNELS, else in the user's cache. A program that carries a copy of this
folder into a place where nothing may be written compiles once before (``python -m <package>.simulator``, with BULLRING_KERNELS set)
and finds the kernels again wherever that folder lies later. A cache that cannot be written is not used.
"""

import hashlib
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar, cast

try:
    import numba
    from numba.core import caching
except ImportError:
    numba = None

COMPILED: bool = numba is not None and os.environ.get("BULLRING_COMPILE") != "0"
"""Whether kernels are compiled."""

F = TypeVar("F", bound=Callable[..., Any])


def _stamp() -> str:
    """A digest of the sources of this folder, the name they are imported by, and the compiler."""
    found = hashlib.sha256(f"{__package__} {numba.__version__}".encode())
    for source in sorted(Path(__file__).parent.glob("*.py")):
        found.update(b"%b %d " % (source.name.encode(), source.stat().st_size) + source.read_bytes())
    return found.hexdigest()[:16]


def _kept() -> Path:
    """The folder for compiled functions."""
    if named := os.environ.get("BULLRING_KERNELS"):
        return Path(named)
    home = os.environ.get("XDG_CACHE_HOME")
    return (Path(home) if home else Path("~/.cache").expanduser()) / "bullring" / "kernels"


if COMPILED:
    _FOLDER: Path | None = None
    with suppress(OSError, RuntimeError):  # sources that cannot be read, or a user without a home
        _FOLDER = _kept() / _stamp()

    class _Locator(caching._CacheLocator):  # type: ignore[misc]
        """Finds compiled functions by the content of this folder."""

        def __init__(self, name: str) -> None:
            self.name = name

        def get_cache_path(self) -> str:
            return str(_FOLDER)

        def get_source_stamp(self) -> str:
            return "same"  # the name of the folder tells

        def get_disambiguator(self) -> str:
            return self.name

        @classmethod
        def from_function(cls, py_func: Callable[..., Any], py_file: str) -> "_Locator":
            return cls(Path(py_file).stem)

    class _Impl(caching.CompileResultCacheImpl):  # type: ignore[misc]
        _locator_classes = (_Locator,)

    class _Cache(caching.FunctionCache):  # type: ignore[misc]
        """A cache that ignores failures to read and write."""

        _impl_class = _Impl

        def load_overload(self, sig: Any, target_context: Any) -> Any:
            try:
                return super().load_overload(sig, target_context)
            except OSError:
                return None

        def save_overload(self, sig: Any, data: Any) -> None:
            try:
                super().save_overload(sig, data)
            except OSError:
                self.disable()


def kernel(function: F) -> F:
    """Compile `function` at its first call, without the interpreter's lock, if that is possible."""
    return _compiled(function, runtime=True) if COMPILED else function


def lean(function: F) -> F:
    """Like `kernel`, for functions that make no arrays but views: without counting references, up to five times as fast."""
    return _compiled(function, runtime=False) if COMPILED else function


def inlined(function: F) -> F:
    """Inline a lean function into its callers: for short ones that are called in each turn of a deal."""
    return _compiled(function, runtime=False, inline=True) if COMPILED else function


def plain(function: F) -> F:
    """`function` as Python, for the few calls that no kernel makes: an inlined one is not kept, and so compiled each time."""
    return cast("F", getattr(function, "py_func", function))


def _compiled(function: F, runtime: bool, inline: bool = False) -> F:
    compiled = numba.njit(nogil=True, error_model="numpy", _nrt=runtime, forceinline=inline)(function)
    if _FOLDER is not None and not inline:
        compiled._cache = _Cache(function)
    return cast("F", compiled)
