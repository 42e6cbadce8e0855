"""Who plays whom, and who sits where. Pure: what is known comes in, line-ups go out."""
