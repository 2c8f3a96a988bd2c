"""Tree: information-set MCTS, one tree over all sampled worlds, to be measured against the bundled `search`.

    python -m bench.strength --against tree --ms 50

It has the same worlds, weighing, luck, playouts and solved endings as `search`, so that only the tree differs. A node
is what was played since the decision, as everybody saw it. The player on turn there chooses for himself, by UCB,
weighted by the share of the worlds in which a play was legal. This is the algorithm published by Cowling, Powley and
Whitehouse.
"""

from __future__ import annotations

from math import inf, log, sqrt
from typing import TYPE_CHECKING, Any

from croupier.agents.search.candidates import MOST, candidates
from croupier.agents.search.common_chance import CommonChance
from croupier.agents.search.endgame import Endgame
from croupier.agents.search.world import worth
from croupier.server.thinking import Thinker

if TYPE_CHECKING:
    from croupier.agents.search.budget import Stopwatch
    from croupier.agents.search.sampling import Sampling
    from croupier.agents.search.world import World
    from croupier.protocol.views.view import Play

    Path = tuple[Play, ...]

C = 0.7
"""The constant of exploration, as a share of the distance from the worst to the best result so far."""


class Branch:
    """A play at a node: in how many worlds it was legal, how often it was tried, and its results for its player."""

    __slots__ = ("legal", "total", "tries")

    def __init__(self) -> None:
        self.legal = self.tries = 0
        self.total = 0.0


class Growth:
    """The tree of one decision."""

    def __init__(self, sampling: Sampling) -> None:
        self.sampling = sampling
        self.playout = sampling.playout
        self.rng = sampling.rng
        self.nodes: dict[Path, dict[Play, Branch]] = {}
        self.low, self.high = inf, -inf

    def grow(self) -> None:
        """Sample a world, go down the known tree, add a play, and play out the rest."""
        world: Any = self.sampling.likely()
        world.deal_by(CommonChance(self.rng))
        path: Path = ()
        walked: list[tuple[int, Branch]] = []
        while (turn := world.game.turn) is not None:
            play, new = self.choose(world, path)
            walked.append((turn, self.nodes[path][play]))
            path = (*path, world.game.public(turn, play))
            world.game.play(turn, play)
            world.advance()
            if new:
                break
        self.playout.finish(world, self.sampling.seat, self.rng)
        worths = [worth(world, seat) for seat in range(len(world.game.players))]
        self.low, self.high = min(self.low, *worths), max(self.high, *worths)
        for seat, branch in walked:
            branch.tries += 1
            branch.total += worths[seat]

    def choose(self, world: World, path: Path) -> tuple[Play, bool]:
        """Return the next play, and whether it was never tried: the own bot's first, then by UCB."""
        proposed = [play for play, _ in self.playout.proposals(world)]
        plays = proposed if self.playout.advice.alone else candidates(world, proposed, self.rng, MOST)
        known = self.nodes.setdefault(path, {})
        branches = [known.setdefault(play, Branch()) for play in plays]
        for branch in branches:
            branch.legal += 1
        untried = [play for play, branch in zip(plays, branches, strict=True) if not branch.tries]
        if untried:
            return next((play for play in proposed if play in untried), self.rng.choice(untried)), True
        return max(zip(plays, branches, strict=True), key=lambda each: self.bound(each[1]))[0], False

    def bound(self, branch: Branch) -> float:
        """Return an upper bound of a play's value."""
        width = max(self.high - self.low, 1e-9)
        return branch.total / branch.tries + C * width * sqrt(log(branch.legal) / branch.tries)


class Tree(Thinker):
    """The searching bot with one tree instead of separate worlds; solved endings are left to `search`."""

    def best(self, sampling: Sampling, watch: Stopwatch) -> Play:
        """Return the play that was tried most."""
        if Endgame.of(sampling.world):
            return super().best(sampling, watch)
        growth = Growth(sampling)
        while not watch.over:
            growth.grow()
            watch.spend()
        root = growth.nodes.get((), {})
        return max(root, key=lambda play: root[play].tries) if root else sampling.plays[0]
