"""Confinement of strangers' programs: the tiers, what each one promises, and the proof that this machine keeps the promise.

Everything that starts, caps, freezes and ends programs belongs here. Nothing here knows about games, messages or matches.

A resource of the whole machine that no cgroup charges to a bot (sockets of the internet, aio contexts, compiled filters) is
refused, not rationed: a cap can only be enforced by something that counts.
"""
