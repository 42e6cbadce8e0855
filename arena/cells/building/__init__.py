"""Building bots: once, in a cell, on a copy of their folder; the result is kept by what it was built from.

The ways in are `cache.built_here`, for bots that play from their folders, and `build.built`, for homes.

* In the cache of a user, the toolchain is part of the key: the same toolchain made the same, and after an update authors see what
  the new one makes. At a home it is not: an update must not change a bot that is rated. The distribution's version is part of
  both, because its libraries change with it.
* A home copies from the cache, and the cache from a home. Copies, not links: a home is whole by itself.
* In the cache, a build begins with what earlier ones of the same bot left (`stock`), at a home with nothing. A home takes builds of
  the cache all the same, with a note on their cards: an author who submits what was just checked gets exactly that.
"""
