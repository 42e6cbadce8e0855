"""Records of matches: writing, reading, replaying and verifying them. `writer` describes the format."""
