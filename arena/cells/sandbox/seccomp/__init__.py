"""One system call policy in two forms: a program for the kernel, and a profile for container engines.

libseccomp does not write the program. It cannot refuse all calls above a number, by which calls newer than our tables do not exist
for a bot, and it would be one more library that a machine may lack, reached through ctypes at the start of every match.
"""
