"""The tier `docker`: each bot in a container of Docker or Podman."""
