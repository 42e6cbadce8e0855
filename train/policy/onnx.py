"""A network in an ONNX file, run by onnxruntime, which the bot brings. It takes the place of a `Policy`.

Beside NAME.onnx is NAME.json: "name", "reads" ("observation", "cards" or "compact"), "layout" (`Layout.facts`, for "observation"),
and the names of the "input" and the "output".
"""

import json
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .layout import Layout


class Model:
    """A network and what it reads."""

    def __init__(self, path: Path) -> None:
        """Load a file and the one beside it. Raises what onnxruntime raises."""
        facts = json.loads(path.with_suffix(".json").read_text("utf-8"))
        runtime: Any = import_module("onnxruntime")
        options = runtime.SessionOptions()
        # For small networks, more threads only take time.
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        self._session = runtime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        self._input, self._output = facts["input"], facts["output"]
        self.name: str = facts["name"]
        self.reads: str = facts["reads"]
        self.layout = Layout.of(facts["layout"]) if facts["layout"] else None

    def run(self, inputs: NDArray[Any]) -> NDArray[np.float32]:
        """The outputs for inputs of shape (..., inputs), as (..., outputs). One by one: a model may take no more at once."""
        rows = np.asarray(inputs, np.float32).reshape(-1, inputs.shape[-1])
        outputs = [self._session.run([self._output], {self._input: rows[at : at + 1]})[0] for at in range(len(rows))]
        found: NDArray[np.float32] = np.concatenate(outputs).reshape(*inputs.shape[:-1], -1)
        return found
