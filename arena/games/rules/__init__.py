"""The games: pure and synchronous, standard library only, without I/O, clocks or global randomness (law 1).

The caller passes in the cards (`Game.deal`) and the answers (`Game.apply`). A state is a value that never changes.

A game says only what is different in it. `rows.RowGame` plays a turn card by card, and a game of four rows overrides the step that
differs; 11 nimmt! shares none of that and is a `game.Game` by itself. A long turn is several small decisions: several cards on
several stacks as one answer would be a list of thousands of options. A deal without chance, such as a draft, is a deal of no cards.
"""
