"""What tests of builds share."""

from tests.support.engine import engine_socket as engine_socket
