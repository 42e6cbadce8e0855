"""Tests of `arena.watching.picture`."""
