"""The wire contract between referee and bot: messages, framing, faults. No game rules, no I/O; imports neither arena nor ladder.

Begin with SPEC.md, then `messages.py` (the models of the messages) and `connection.py` (one session). Decoding, judging and
encoding are written by hand for speed; tests hold them equal to the models.
"""
