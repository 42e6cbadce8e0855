"""Makes memory that is not mapped in the kernel, and that keeps the machine from hibernating. Bound: one page."""

from hostile import play, refused, syscall

refused("secret memory", lambda: syscall("memfd_secret", 0))
play()
