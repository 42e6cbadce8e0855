"""The command of a bot in a container image, as the image itself says it."""

from functools import partial

from bullring.errors import BotError, EngineRefusal

LABEL = "bullring.run"
"""The label of an image that holds the command of the bot in it, as in a shell."""


async def command_of(image: str) -> str:
    """What the label of an image says; empty if it has none. Raises `BotError`, and `HostError` if there is no engine."""
    from bullring.arena.cells.sandbox.container.engine import open_engine  # takes half a second to import

    async with open_engine() as engine:
        try:
            facts = await engine.call("look for an image", partial(engine.client.inspect_image, image))
        except LookupError:
            raise BotError(
                f"there is no image {image} on this machine, and none is pulled; pull or build it first"
            ) from None
        except EngineRefusal as error:
            raise BotError(str(error)) from None
    labels = (facts.get("Config") or {}).get("Labels") or {}
    return str(labels.get(LABEL, ""))
