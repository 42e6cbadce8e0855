"""A training environment: the games of the family for reinforcement learning.

>>> from bullring import train
>>> env = train.aec_env("standard", seats=3, options={"deals": 1})
>>> env.reset(seed=7)
>>> for agent in env.agent_iter():
...     observation, reward, terminated, truncated, info = env.last()
...     done = terminated or truncated
...     env.step(None if done else env.action_space(agent).sample(observation["action_mask"]))
>>> env.close()

============== ==========================================================================================================
`aec_env`      PettingZoo's AEC API: one seat acts after the other; every game
`parallel_env` PettingZoo's parallel API: all seats act at once, and those that are not asked wait; every game
`seat_env`     gymnasium's API: one learner, with opponents on all other seats
`vector_env`   gymnasium's vector API: thousands of deals side by side, with opponents inside; games whose rows grow to the right
`vector.Deals` the same as arrays, without gymnasium; the games that the simulator covers
`layout_of`    which number of an observation is what, and which action is which answer
`learning`     a course of self-play, which `bullring train` follows
`policy`       running trained networks; `policy.network` defines the file that makes a bot (`make_bot`)
============== ==========================================================================================================

docs/training.md leads from here to a bot on a ladder. Install what the first three need with ``pip install 'bullring[train]'``.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from bullring.errors import UsageError

if TYPE_CHECKING:
    from bullring.train.aec import aec_env
    from bullring.train.batch import vector_env
    from bullring.train.layout import layout_of
    from bullring.train.parallel import parallel_env
    from bullring.train.solo import seat_env

__all__ = ["aec_env", "layout_of", "parallel_env", "seat_env", "vector_env"]

_FROM = {"aec_env": "aec", "layout_of": "layout", "parallel_env": "parallel", "seat_env": "solo", "vector_env": "batch"}

_EXTRA = ("gymnasium", "pettingzoo")


def __getattr__(name: str) -> Any:
    if name not in _FROM:
        raise AttributeError(f"module 'bullring.train' has no attribute {name!r}")
    try:
        return getattr(import_module(f"bullring.train.{_FROM[name]}"), name)
    except ModuleNotFoundError as error:
        if error.name not in _EXTRA:
            raise
        raise UsageError(f"bullring.train.{name} needs {error.name}: pip install 'bullring[train]'") from None
