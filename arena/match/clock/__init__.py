"""Time limits, and the ruling on late seats. All times are whole microseconds.

Everything except `watch` is pure: callers pass in questions, limits, evidence and the current time, and get rulings.
"""
