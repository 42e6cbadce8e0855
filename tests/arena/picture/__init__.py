"""Tests of `arena.picture`."""
