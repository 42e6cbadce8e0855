"""The table at which a person plays: choices, hand and screen."""
