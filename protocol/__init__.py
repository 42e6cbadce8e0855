"""The wire contract between referee and bot: messages, framing, faults. No game rules, no I/O; imports neither arena nor ladder."""
