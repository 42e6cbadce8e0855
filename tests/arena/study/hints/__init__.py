"""Tests of `arena.study.hints`."""
