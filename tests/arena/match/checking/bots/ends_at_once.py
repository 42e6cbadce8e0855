"""Step starts: a module that is not here."""

import a_module_of_my_home  # noqa: F401
