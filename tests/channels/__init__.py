"""Channels between cells, found by comparison: what a bot can read differs when a bot in another cell did something.

`probes/sender.py` changes all that a bot can change, one kind of thing (a *deed*) at a time; `probes/receiver.py` reads all that a
bot can read. `comparison` starts both in cells of a tier, lets coins decide in which trials the sender acts, and finds the readings
that tell the coin. `named` lists those that nobody promises to close: tests, documents and `python -m tests.channels` read it.
"""
