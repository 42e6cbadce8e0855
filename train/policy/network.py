"""A small network as numpy arrays, and the file that holds it: an .npz without pickled objects, so reading a stranger's is safe.

===================== ================================================================================================
``about``             JSON: "format" (1), "reads" ("observation", "cards" or "compact"), "activation" ("relu" or "tanh"), "layout"
                      (`Layout.facts`, for "observation"), "name", and whatever else its author wants to tell
``weights_0``, ...    float32, (inputs, outputs) of each layer; the activation is between the layers
``biases_0``, ...     float32, (outputs,)
``scale``             float32, (inputs,), optional: observations are multiplied by it
===================== ================================================================================================

A network that reads "observation" has an output for each action of its layout, and the highest legal one is played. One that reads
"cards" has one output, the score of a card (`cards`), and one that reads "compact" an output for each place of a hand (`compact`).
"""

import json
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import cards, compact
from .layout import Layout

OBSERVATION, CARDS, COMPACT = "observation", "cards", "compact"
SHAPES = {CARDS: (cards.SIZE, 1), COMPACT: (compact.SIZE, compact.PLACES)}
"""The inputs and outputs of networks that fit several games and numbers of seats."""

FORMAT = 1

_ACTIVATIONS = {"relu": lambda x: np.maximum(x, 0, out=x), "tanh": lambda x: np.tanh(x, out=x)}


@dataclass
class Policy:
    """A network and what it reads."""

    reads: str
    """One of "observation", "cards" and "compact"."""
    weights: list[NDArray[np.float32]]
    biases: list[NDArray[np.float32]]
    activation: str = "relu"
    layout: Layout | None = None
    """For "observation"."""
    scale: NDArray[np.float32] | None = None
    about: dict[str, Any] = field(default_factory=dict)
    """Further facts from its author, such as "name"."""

    def __post_init__(self) -> None:
        """Check the parts. Raises `ValueError` if they do not fit together."""
        if self.reads not in (OBSERVATION, *SHAPES):
            raise ValueError(f'"reads" must be "{OBSERVATION}", "{CARDS}" or "{COMPACT}", not {self.reads!r:.40}')
        if self.activation not in _ACTIVATIONS:
            raise ValueError(f'"activation" must be "relu" or "tanh", not {self.activation!r:.40}')
        if self.reads != OBSERVATION:
            size, outputs = SHAPES[self.reads]
        elif self.layout is None:
            raise ValueError('a network that reads observations needs the "layout" that they have')
        else:
            size, outputs = self.layout.size, len(self.layout.actions)
        if not self.weights or len(self.weights) != len(self.biases):
            raise ValueError(f"there are {len(self.weights)} layers of weights and {len(self.biases)} of biases")
        if self.scale is not None and self.scale.shape != (size,):
            raise ValueError(f"scale must have the shape ({size},), not {self.scale.shape}")
        for number, (weights, biases) in enumerate(zip(self.weights, self.biases, strict=True)):
            if weights.ndim != 2 or weights.shape[0] != size or biases.shape != weights.shape[1:]:
                raise ValueError(
                    f"layer {number} must have weights ({size}, n) and biases (n,), not {weights.shape} and {biases.shape}"
                )
            size = weights.shape[1]
        if size != outputs:
            raise ValueError(f"the last layer must have {outputs} outputs, not {size}")

    def run(self, inputs: NDArray[Any]) -> NDArray[np.float32]:
        """The outputs for inputs of shape (..., inputs), as (..., outputs)."""
        values: NDArray[np.float32] = np.asarray(inputs, np.float32)
        if self.scale is not None:
            values = values * self.scale
        last = len(self.weights) - 1
        for number, (weights, biases) in enumerate(zip(self.weights, self.biases, strict=True)):
            values = values @ weights + biases
            if number < last:
                values = _ACTIVATIONS[self.activation](values)
        return values

    def save(self, path: str | Path, more: Mapping[str, NDArray[Any]] = MappingProxyType({})) -> None:
        """Write the file, with `more` arrays of other names, which `load` passes over. Raises `OSError`."""
        about = {**self.about, "format": FORMAT, "reads": self.reads, "activation": self.activation}
        if self.layout is not None:
            about["layout"] = self.layout.facts()
        arrays: dict[str, Any] = {"about": np.array(json.dumps(about))}
        arrays |= _numbered("weights", self.weights) | _numbered("biases", self.biases)
        if self.scale is not None:
            arrays["scale"] = self.scale
        arrays |= more
        with Path(path).open("wb") as file:  # savez would add .npz to a path
            np.savez(file, **arrays)

    @classmethod
    def load(cls, path: str | Path) -> "Policy":
        """Read a file. Raises `OSError`, or `ValueError` if it is not such a file."""
        with Path(path).open("rb") as file:
            if not zipfile.is_zipfile(file):
                raise ValueError("it is not an .npz file")
        try:
            with np.load(path, allow_pickle=False) as kept:
                arrays = {name: kept[name] for name in kept.files}
            about = json.loads(str(arrays["about"]))
            if about.pop("format") != FORMAT:
                raise ValueError(f"its format must be {FORMAT}")
            count = sum(name.startswith("weights_") for name in arrays)
            layout = about.pop("layout", None)
            scale = arrays.get("scale")
            return cls(
                about.pop("reads"),
                [arrays[f"weights_{number}"].astype(np.float32) for number in range(count)],
                [arrays[f"biases_{number}"].astype(np.float32) for number in range(count)],
                about.pop("activation"),
                None if layout is None else Layout.of(layout),
                None if scale is None else scale.astype(np.float32),
                about,
            )
        except (KeyError, TypeError, AttributeError, EOFError, zipfile.BadZipFile) as error:
            raise ValueError(f"it is an .npz file, but not of a policy: {error}") from None


def _numbered(name: str, arrays: Sequence[NDArray[Any]]) -> dict[str, NDArray[np.float32]]:
    return {f"{name}_{number}": np.asarray(array, np.float32) for number, array in enumerate(arrays)}
