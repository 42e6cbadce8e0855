"""What commands do about errors that come out of nurseries."""


def first_error(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """What went wrong: it comes out of nurseries wrapped, or not, as it happens."""
    error: BaseException = group
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error
