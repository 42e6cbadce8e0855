"""The browser for the tests of this folder."""

from tests.support.browser import browser_fixture

__all__ = ["browser_fixture"]
