"""What tests of cells share."""

from tests.support.engine import engine_socket as engine_socket
