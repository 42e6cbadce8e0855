"""The training of @quick, in a few rounds: what it needs of the training environment, and what it writes."""

import sys
from pathlib import Path

import numpy as np
import pytest

from tests.sample_bots.in_process import FOLDER

pytestmark = pytest.mark.slow


def test_training_writes_networks_that_the_bot_reads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(FOLDER / "python" / "quick"))
    for name in ("network", "train"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    import network

    import train

    once, again = (train.train((4,), 3, 1) for _ in range(2))
    assert all(np.array_equal(once.weights[name], again.weights[name]) for name in once.weights)
    kept = tmp_path / "weights.npz"
    network.save(kept, dict.fromkeys(range(2, 11), once))
    read = network.load(kept)
    assert set(read) == set(range(2, 11))
    assert np.allclose(read[10].weights["card"], once.weights["card"], atol=1e-2)
    elo, error = train.lead(read[4], 4, 200, 1)
    assert error > 0
    assert elo < 100  # three rounds are no training
    for name in ("network", "train"):
        del sys.modules[name]
