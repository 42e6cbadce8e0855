"""Commands that measure: analyses, duels, gauges."""
