"""Records of matches: written by the referee, read again, replayed, verified. The format is described in `writing`."""
