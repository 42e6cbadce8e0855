"""The display of a ladder. It draws from facts and does not know the run or the referee."""
