"""Tests of `arena.hints`."""
