"""One policy of system calls, and its renderings: a program for the kernel, a profile for container engines."""
