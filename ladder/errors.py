"""What people can do wrong with a ladder, and what their machine can: one clear line each."""


class LadderError(Exception):
    """A mistake of the user, or a home that cannot be used. Says what is wrong and what to do."""


class StoreError(LadderError):
    """The home cannot be read or written: a full disk, a folder that is read-only, a file that is none of ours."""
