"""Bullring's own child processes: what kinds there are, how they are started, spoken with and ended.

`kinds` lists them all. A parent starts one as a `child.Child` if it may wait for it, and with `with_trio` or `with_asyncio` in the
loops of these libraries; the program of a child begins with `inside`. Both sides speak in `frames`, which are msgpack arrays behind
their length.

A child ends when its stdin ends. The kernel closes it whatever has ended the parent, so nothing outlives a command; a parent that
ends a child closes it, waits as long as its kind says, and then kills the process and reaps it by its id.

Strangers' programs are no children in this sense: `sandbox` starts bots, and what tries out the machine for it.
"""
