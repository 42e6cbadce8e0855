"""The home of a ladder: copies of the bots (`add`), the store of results (`store`), and the records of all matches (`records`).

The store has one writer, which holds the lock of the home, and any number of readers, which write nothing. The records are the
truth: `rebuild` makes the results in the store anew from them, and `audit` compares the two. `backup` saves all of it.
"""
