"""PPO in one file, after CleanRL: JAX learns on `bullring.train.vector_env`, and what it learned becomes a bot.

    pip install '.[fast,train]' jax         # in a checkout of Bullring
    python docs/recipes/ppo_jax.py policy.npz --seconds 300
    bullring new python mine --from-policy policy.npz

Four learners sit at each table, so it is self-play. With --league, two of them meet two seats of earlier policies instead.
"""

import argparse
import time
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

from bullring import train
from bullring.train.policy.network import Policy

TABLES, SEATS, TURNS = 256, 4, 10
RATE, CLIP, EPOCHS, BATCHES = 1e-3, 0.2, 3, 4
LAMBDA, CURIOSITY, HIDDEN = 0.95, 0.01, 64
SCALE = 0.2  # of rewards, which are heads
CHECKPOINTS, EVERY = 8, 20  # of the league, and the steps between two of them


def network(key, outputs, last):
    """The weights and biases of three layers."""
    sizes = [149, HIDDEN, HIDDEN, outputs]
    keys = jax.random.split(key, 3)
    scales = [1.0, 1.0, last]
    return [
        (scale * jax.random.normal(k, (a, b)) / a**0.5, jnp.zeros(b))
        for k, a, b, scale in zip(keys, sizes, sizes[1:], scales, strict=False)
    ]


def run(layers, x):
    *hidden, (weights, biases) = layers
    for w, b in hidden:
        x = jnp.tanh(x @ w + b)
    return x @ weights + biases


def logs_of(actor, seen, mask):
    """The logarithms of the probabilities of all places."""
    return jax.nn.log_softmax(jnp.where(mask > 0, run(actor, seen), -1e9))


@jax.jit
def act(both, seen, mask, key):
    """An action of each environment, the logarithm of its probability, and what the critic expects."""
    logs = logs_of(both[0], seen, mask)
    actions = jax.random.categorical(key, logs)
    return actions, jnp.take_along_axis(logs, actions[:, None], 1)[:, 0], run(both[1], seen)[:, 0]


def loss(both, batch):
    seen, mask, actions, old, advantage, target = batch
    logs = logs_of(both[0], seen, mask)
    ratio = jnp.exp(jnp.take_along_axis(logs, actions[:, None], 1)[:, 0] - old)
    gain = jnp.minimum(ratio * advantage, jnp.clip(ratio, 1 - CLIP, 1 + CLIP) * advantage).mean()
    entropy = -(jnp.exp(logs) * jnp.where(mask > 0, logs, 0)).sum(1).mean()
    return -gain - CURIOSITY * entropy + 0.5 * ((run(both[1], seen)[:, 0] - target) ** 2).mean()


@partial(jax.jit, donate_argnums=(0, 1))
def learn(both, adam, deal, key, rate):
    """All epochs over what was played, in batches, with Adam."""
    count = len(deal[0]) // BATCHES

    def step(carry, at):
        both, (mean, square, steps) = carry
        slopes = jax.grad(loss)(both, [array[at] for array in deal])
        steps += 1
        mean = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, mean, slopes)
        square = jax.tree.map(lambda s, g: 0.999 * s + 0.001 * g**2, square, slopes)
        size = rate * jnp.sqrt(1 - 0.999**steps) / (1 - 0.9**steps)
        both = jax.tree.map(lambda x, m, s: x - size * m / (jnp.sqrt(s) + 1e-5), both, mean, square)
        return (both, (mean, square, steps)), None

    keys = jax.random.split(key, EPOCHS)
    order = jnp.concatenate([jax.random.permutation(k, BATCHES * count).reshape(BATCHES, count) for k in keys])
    return jax.lax.scan(step, (both, adam), order)[0]


def play(env, seen, both, key):
    """A deal at every table. Returns what to learn from, and the first observation of the next deal."""
    steps = []
    for k in jax.random.split(key, TURNS):
        actions, logs, values = map(np.asarray, act(both, seen["observation"], seen["action_mask"], k))
        following, rewards, *_ = env.step(actions)
        steps.append((seen["observation"], seen["action_mask"], actions, logs, values, SCALE * rewards))
        seen = following
    shown, masks, actions, logs, values, rewards = map(np.stack, zip(*steps, strict=True))
    advantage, ahead = np.zeros_like(rewards), np.zeros_like(rewards[0])
    expected = np.concatenate([values[1:], np.zeros_like(values[:1])])  # nothing after the last turn
    for turn in reversed(range(TURNS)):
        ahead = rewards[turn] + expected[turn] - values[turn] + LAMBDA * ahead
        advantage[turn] = ahead
    target = advantage + values
    advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
    return [array.reshape(-1, *array.shape[2:]) for array in (shown, masks, actions, logs, advantage, target)], seen


def policy_of(actor):
    """A copy as the file of a policy has it."""
    weights, biases = ([np.array(part) for part in parts] for parts in zip(*actor, strict=True))
    return Policy("compact", weights, biases, "tanh", about={"name": "ppo", "made by": "docs/recipes/ppo_jax.py"})


def against_greedy(policy, tables=4096):
    """Heads a deal that the policy takes less than three greedy ones, and half of the 95 % interval."""
    env = train.vector_env("standard", SEATS, tables=tables, opponents=["greedy"] * (SEATS - 1))
    seen, _ = env.reset(seed=1)
    lead = np.zeros(tables)
    for left in range(TURNS, 0, -1):
        seen, rewards, *_ = env.step(policy.run(seen["observation"])[:, :left].argmax(1))
        lead += rewards
    return lead.mean(), 1.96 * lead.std() / tables**0.5


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("file")
    parser.add_argument("--seconds", type=float, default=300, help="of processor time")
    parser.add_argument("--league", action="store_true", help="meet earlier policies")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    key = jax.random.key(given.seed)
    key, one, other = jax.random.split(key, 3)
    both = network(one, 10, 0.01), network(other, 1, 1.0)
    zeros = jax.tree.map(jnp.zeros_like, both)
    adam = zeros, jax.tree.map(jnp.zeros_like, both), jnp.zeros(())
    league = [policy_of(both[0])]
    env = train.vector_env("standard", SEATS, tables=TABLES, opponents=[league, league] if given.league else [])
    seen, _ = env.reset(seed=given.seed)
    began, step, told = time.process_time(), 0, 0
    while (done := (time.process_time() - began) / given.seconds) < 1:
        key, one, other = jax.random.split(key, 3)
        deal, seen = play(env, seen, both, one)
        both, adam = learn(both, adam, deal, other, RATE * (1 - done))
        step += 1
        if given.league and step % EVERY == 0:
            league[:] = [*league, policy_of(both[0])][-CHECKPOINTS:]  # the environment draws from it in each deal
        if 10 * done >= told:
            told = int(10 * done) + 1
            lead, error = against_greedy(policy_of(both[0]))
            spent = time.process_time() - began
            print(
                f"{step * TABLES:8} deals, {spent:4.0f} s: {lead:+.2f} ± {error:.2f} heads a deal against greedy",
                flush=True,
            )
    policy = policy_of(both[0])
    policy.save(given.file)
    lead, error = against_greedy(policy, 20_000)
    print(f"{given.file}: {lead:+.2f} ± {error:.2f} heads a deal against greedy, where + is better")


if __name__ == "__main__":
    main()
