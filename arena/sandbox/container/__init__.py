"""The tier `docker`: bots in containers of Docker or Podman."""
