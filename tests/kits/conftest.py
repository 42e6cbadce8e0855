"""What the tests of kits need of the machine."""

from tests.hostile.conftest import docker as docker
from tests.support.engine import engine_socket as engine_socket
