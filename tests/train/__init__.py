"""Tests of the training environment."""
