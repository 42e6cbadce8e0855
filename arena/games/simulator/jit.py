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
    from numba.core.types.misc import unliteral
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
    """Compile `function` at its first call by Python. It runs without the interpreter's lock.

    Kernels and helpers make no arrays but views, so no references are counted: that would take up to five times as long.
    """
    if not COMPILED:
        return function
    compiled = _compiled(function)
    if _FOLDER is not None:
        compiled._cache = _Cache(function)
    return cast("F", compiled)


def helper(function: F) -> F:
    """Compile `function` into kernels only. For Python it stays as it is: what Python needs for a call takes long to compile."""
    return _part(function) if COMPILED else function


def inlined(function: F) -> F:
    """Inline a helper into its callers: for short ones that are called in each turn of a deal."""
    return _part(function, forceinline=True) if COMPILED else function


def _part(function: F, **how: bool) -> F:
    compiled = _compiled(function, no_cpython_wrapper=True, **how)
    compiled._insert = lambda *_: None  # so a call by Python finds nothing compiled, and asks for what to call
    compiled._compile_for_args = lambda *_, **__: function
    return cast("F", compiled)


def _compiled(function: F, **how: bool) -> Any:
    compiled = numba.njit(nogil=True, error_model="numpy", _nrt=False, no_cfunc_wrapper=True, **how)(function)
    template = compiled.get_call_template

    def of_any_number(args: Any, kws: Any) -> Any:
        return template([unliteral(arg) for arg in args], kws)

    compiled.get_call_template = of_any_number  # else it is compiled again for each constant among the arguments
    return compiled
