"""Whatever people see of a ladder: tables and live pictures, full screens, and a static site.

It draws from facts of the store and the standings, and knows neither run nor referee.
"""
