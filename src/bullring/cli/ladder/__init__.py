"""The group `bullring ladder`: one module per command; they share `chosen` and `playing`. Also `bullring worker`."""
