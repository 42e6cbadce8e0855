"""One system call policy in two forms: a program for the kernel, and a profile for container engines."""
