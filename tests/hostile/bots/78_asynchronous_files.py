"""Takes the contexts for asynchronous files, of which the machine has a fixed number. Bound: 64 small ones."""

import ctypes

from hostile import escaped, held, name_of, play, syscall

made = []
try:
    while len(made) < 64:
        made.append(ctypes.c_ulong(0))
        syscall("io_setup", 1, ctypes.byref(made[-1]))
except OSError as error:
    (held if len(made) == 1 else escaped)(f"{len(made) - 1} contexts, then {name_of(error)}")
else:
    escaped(f"{len(made)} contexts")
play()
