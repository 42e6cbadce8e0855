"""The room of the ladder: schedules, ratings, its store. Empty so far; one match at a time is the arena's business.

May import `arena` and `protocol`; nothing there may import this.
"""
