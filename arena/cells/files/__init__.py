"""Files that strangers own: read, walked, hashed and removed so that nothing their owner does meanwhile can matter.

Everything is opened once, relative to the folder it is in, without following links and without waiting for the other end of a pipe;
what is opened is looked at, never a path that was looked at before. All sizes, counts and depths are bounded, and nothing recurses.
All functions raise `FilesError` if something is not as it must be, and `OSError` if the machine refuses.
"""
