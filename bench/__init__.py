"""Benchmarks, each measured beside its floor in the same run. No other package imports this one."""
