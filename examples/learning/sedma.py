"""Sedma learned by self-play: a network that forecasts what each card leads to, trained with JAX on many tables.

    python examples/learning/sedma.py learn sedma.npz      learns, and measures itself against the bundled bot
    croupier play sedma "net=python examples/learning/sedma.py play sedma.npz" sedma net sedma

The network plays all four seats: mostly the card with the best forecast, sometimes any other. When the hands are over,
the forecasts for the cards that were played move towards the results (Monte Carlo control). Suits mean nothing in
Sedma, so the network is told ranks, and has one forecast for each rank.
"""

import sys
from importlib.util import find_spec
from itertools import pairwise

import numpy as np

from croupier.agents import drive
from croupier.environments import PolicyAgent, tables

BOT = "sedma"
RANKS, SUITS, SEVEN, TEN, ACE = 8, 4, 0, 3, 7
"""The pack is c7, c8 to cA, then diamonds, hearts and spades: a card has 8 times its suit's number plus its rank's."""
DECISIONS = 32
"""All cards are played, and each is a decision."""
HIDDEN = 128
"""Units of each of the two hidden layers."""
GAMES, TABLES, DEALS = 102_400, 128, 1000
"""Games to learn from, tables that play at once, and deals of a measurement."""
CHANCE, RATE, BATCH, KEPT, TIMES = 0.05, 2e-3, 512, 8, 3
"""How often any card is played, the first step's size, and the decisions in a step. Then the rounds of games that are
kept to learn from, and how many times a decision is learned from."""


# What the network is told


def each_of(values, size):
    """Return ``size`` numbers for each value, all 0 but a 1 at its place; a value of -1 has none."""
    return values[..., None] == np.arange(size)


def at_least(counts):
    """Return four numbers for each count: whether it is 1 or more, 2 or more, and so on."""
    return (counts[..., None] > np.arange(SUITS)).reshape(len(counts), -1)


def ranks(cards):
    """Return the rank of each card, given by its number from 1; -1 where there is none."""
    return np.where(cards > 0, (cards.astype(int) - 1) % RANKS, -1)


def winners(leaders, cards):
    """Return which seat has each trick so far: that of the last card that matches the first."""
    matches = (cards >= 0) & ((cards == cards[..., :1]) | (cards == SEVEN))
    return (leaders + np.where(matches, np.arange(4), 0).max(-1)) % 4


def points(cards):
    """Return how many aces and tens each trick has."""
    return ((cards == ACE) | (cards == TEN)).sum(-1)


def features(seen):
    """Return what players know as numbers, shape (tables, features). Seat 0 is the player on turn, 2 the partner."""
    held = seen["hand"].reshape(-1, SUITS, RANKS).sum(1)
    trick, tricks = ranks(seen["trick"][:, 1:]), ranks(seen["tricks"][:, :, 1:])
    laid, is_over = (trick >= 0).sum(1), tricks[:, :, 0] >= 0
    is_ours = winners(seen["tricks"][:, :, 0].astype(int) - 1, tricks) % 2 == 0
    has_trick = (laid > 0) & (winners(seen["trick"][:, 0].astype(int) - 1, trick) % 2 == 0)
    gone = each_of(tricks, RANKS).sum((1, 2)) + each_of(trick, RANKS).sum(1)
    blocks = [at_least(held), at_least(held + gone), each_of(trick[:, :3], RANKS), each_of(laid, 4)]
    blocks += [each_of(is_over.sum(1), RANKS), has_trick, points(trick) / SUITS]
    for taken in (is_over & is_ours, is_over & ~is_ours):
        blocks += [taken.any(1), (points(tricks) * taken).sum(1) / RANKS]
    return np.concatenate([block.reshape(len(held), -1) for block in blocks], axis=1, dtype=np.float32)


# What it decides


def forecast(layers, rows, xp=np):
    """Return for each rank by how many points a player's side will be ahead after a card of it: (rows, ranks)."""
    *hidden, (weights, shift) = layers
    for each, moved in hidden:
        rows = xp.maximum(rows @ each + moved, 0)
    return rows @ weights + shift


def best(layers, seen):
    """Return the features, and the legal rank with the best forecast."""
    rows = features(seen)
    return rows, np.where(legal(seen).any(1), forecast(layers, rows), -np.inf).argmax(1)


def legal(seen):
    """Return which cards may be played, shape (tables, suits, ranks)."""
    return seen["action_mask"][:, : SUITS * RANKS].reshape(-1, SUITS, RANKS)


def card_of(seen, rank):
    """Return the action that plays the first card of each rank."""
    return legal(seen)[np.arange(len(rank)), :, rank].argmax(1) * RANKS + rank


def load(file):
    """Return the layers that were saved."""
    with np.load(file) as saved:
        arrays = list(saved.values())
    return list(zip(arrays[::2], arrays[1::2], strict=True))


def policy(layers):
    """Return a function of an observation and its mask that returns an action."""

    def choose(observation, _):
        seen = {name: array[None] for name, array in observation.items()}
        return card_of(seen, best(layers, seen)[1])[0]

    return choose


# How it learns


def self_play(table, seen, layers, rng):
    """Play a hand at each table. Return what is seen next, then features, ranks played and results of all decisions."""
    rows, played, sides = [], [], []
    for _ in range(DECISIONS):
        row, rank = best(layers, seen)
        anything = np.where(legal(seen).any(1), rng.random((len(rank), RANKS)), -1).argmax(1)
        rank = np.where(rng.random(len(rank)) < CHANCE, anything, rank)
        rows.append(row)
        played.append(rank)
        sides.append(table.turns % 2)
        seen, rewards, _ = table.step(card_of(seen, rank))
    ahead = rewards[:, 0] - rewards[:, 1]
    results = np.where(np.array(sides) == 0, ahead, -ahead)
    return seen, (np.concatenate(rows), np.concatenate(played), results.ravel())


def beginning(inputs, rng):
    """Return the layers of a network that has learned nothing."""
    sizes = [inputs, HIDDEN, HIDDEN, RANKS]
    return [
        (rng.normal(0, (2 / one) ** 0.5, (one, other)).astype(np.float32), np.zeros(other, np.float32))
        for one, other in pairwise(sizes)
    ]


def training(steps):
    """Return the optimizer, and a function that moves layers towards the results of many batches."""
    import jax  # noqa: PLC0415  only learning needs it, and a bot that is asked for plays starts without
    import optax  # noqa: PLC0415  the same
    from jax import numpy as jnp  # noqa: PLC0415  the same

    optimizer = optax.adam(optax.cosine_decay_schedule(RATE, steps))

    def error(layers, rows, played, results):
        told = forecast(layers, rows, jnp)[jnp.arange(len(played)), played]
        return jnp.mean((told - results) ** 2)

    def step(learned, batch):
        layers, state = learned
        changes, state = optimizer.update(jax.grad(error)(layers, *batch), state)
        return (optax.apply_updates(layers, changes), state), None

    return optimizer, jax.jit(lambda learned, batches: jax.lax.scan(step, learned, batches)[0])


def batches_of(rounds, rng):
    """Return a random choice of the decisions of some rounds of games, shape (batches, decisions, ...)."""
    count = len(rounds[0][1])
    chosen = rng.permutation(len(rounds) * count)[: TIMES * count]
    whole = [np.concatenate(arrays)[chosen] for arrays in zip(*rounds, strict=True)]
    return [array.reshape(-1, BATCH, *array.shape[1:]) for array in whole]


def learn(file, games, seed=1):
    """Learn from this many games, and save the layers; measure whenever the number of games has doubled."""
    rng = np.random.default_rng(seed)
    table = tables(BOT, TABLES)
    seen = table.reset(seed)
    layers = beginning(features(seen).shape[1], rng)
    number = -(-games // TABLES)
    optimizer, train = training(number * TABLES * DECISIONS * TIMES // BATCH)
    state, rounds = optimizer.init(layers), []
    reports = {number >> halves for halves in range(6)}
    print("| games | points ahead of the bot | hands won |\n|---|---|---|")
    for done in range(1, number + 1):
        seen, played = self_play(table, seen, [tuple(map(np.asarray, layer)) for layer in layers], rng)
        rounds = [*rounds, played][-KEPT:]
        layers, state = train((layers, state), batches_of(rounds, rng))
        if done in reports:
            np.savez(file, *[array for layer in layers for array in layer])
            print(f"| {done * TABLES:,} | {measured(load(file))} |", flush=True)


def measured(layers):
    """Return how the network does against the bundled bot, with 95 % intervals: each deal is played from both sides."""
    found = np.array([leads(layers, side) for side in (0, 1)])
    ahead, won = found.mean(0), (found > 0).mean(0)
    reach = 1.96 / DEALS**0.5
    return f"{ahead.mean():+.2f} ± {reach * ahead.std():.2f} | {won.mean():.1%} ± {reach * won.std():.1%}"


def leads(layers, side):
    """Return by how many points a side that plays by the network is ahead of two bots, deal by deal."""
    table = tables(BOT, DEALS, seats={1 - side: BOT, 3 - side: BOT})
    seen = table.reset("measure")
    for _ in range(DECISIONS // 2):
        seen, rewards, _ = table.step(card_of(seen, best(layers, seen)[1]))
    table.close()
    return rewards[:, side] - rewards[:, 1 - side]


def main():
    match sys.argv[1:]:
        case ["learn", _, *_] if not all(map(find_spec, ("jax", "optax"))):
            sys.exit("learning needs JAX and optax: pip install '.[learn]' in croupier's folder")
        case ["learn", file, *games] if len(games) < 2:
            learn(file, int(games[0]) if games else GAMES)
        case ["play", file]:
            drive(PolicyAgent(policy(load(file))))
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main()
