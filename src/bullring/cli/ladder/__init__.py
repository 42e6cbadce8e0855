"""The group `bullring ladder`: commands in modules by what they do; `chosen` and `runs` are shared. Also `bullring worker`."""
