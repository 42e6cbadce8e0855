"""The tables of a store that may have to be made anew when it is brought up to date."""

BOTS = """\
CREATE TABLE bots (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, source TEXT NOT NULL, added TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('active', 'benched', 'retired', 'removed')), reason TEXT NOT NULL DEFAULT '',
    judged_from INTEGER NOT NULL DEFAULT 0,
    hash TEXT NOT NULL DEFAULT '', whole INTEGER NOT NULL DEFAULT 0, image TEXT NOT NULL DEFAULT '', built TEXT NOT NULL DEFAULT '',
    bot TEXT NOT NULL, version INTEGER NOT NULL DEFAULT 1, language TEXT NOT NULL DEFAULT '',
    size INTEGER NOT NULL DEFAULT 0, files INTEGER NOT NULL DEFAULT 0, place TEXT NOT NULL DEFAULT '', UNIQUE (bot, version)
)"""
"""Each row is a version of a bot."""

MATCHES = """\
CREATE TABLE matches (
    number INTEGER PRIMARY KEY, id INTEGER NOT NULL UNIQUE,
    list INTEGER NOT NULL REFERENCES lists, format TEXT NOT NULL, grp INTEGER,
    seed TEXT NOT NULL, nonce TEXT NOT NULL, began TEXT NOT NULL, ended TEXT NOT NULL, void TEXT, counted INTEGER NOT NULL,
    deals INTEGER NOT NULL, faults INTEGER NOT NULL, seal BLOB NOT NULL,
    bots BLOB NOT NULL, ranks BLOB NOT NULL, heads BLOB NOT NULL, seats BLOB NOT NULL
);
CREATE INDEX matches_of_list ON matches (list, id);
CREATE INDEX faulty_matches ON matches (list, id) WHERE faults;
CREATE TABLE played (bot INTEGER NOT NULL REFERENCES bots, match INTEGER NOT NULL, PRIMARY KEY (bot, match)) WITHOUT ROWID"""
"""A match is one row (`packing`). Their numbers are the order in which they were stored, which is not that of their ids."""

COLUMNS = (
    "id, list, format, grp, seed, nonce, began, ended, void, counted, deals, faults, seal, bots, ranks, heads, seats"
)
"""Those of a match, as in `packing.PackedRow`."""
