"""Records of matches: writing, reading, replaying and verifying them. `writing` describes the format."""
