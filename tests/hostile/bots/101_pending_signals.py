"""Lets signals pile up: the kernel queues a limited number for each user. Bound: 500 signals, which are ignored in the end."""

import ctypes
import os
import signal

from hostile import checked, escaped, held, libc, name_of, play

SIGNAL = signal.SIGRTMIN + 3
signal.pthread_sigmask(signal.SIG_BLOCK, [SIGNAL])
sent = 0
try:
    while sent < 500:
        checked(libc().sigqueue(os.getpid(), int(SIGNAL), ctypes.c_void_p(0)))
        sent += 1
except OSError as error:
    (held if sent <= 64 else escaped)(f"{sent} signals, then {name_of(error)}")
else:
    escaped(f"{sent} signals are pending")
signal.signal(SIGNAL, signal.SIG_IGN)
play()
