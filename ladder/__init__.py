"""The room of the ladder: who plays whom, what came of it, and how strong that shows them to be.

May import `arena` and `protocol`; nothing there may import this.
"""
