"""The table at which a person plays. `deciding` says what keys mean, `choice` what can be chosen; `hand` and `screen` draw it."""
