"""Contracts: whether a hand of a recorded game was played with all the words that are asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.server.records.replay import Invalid, Replay

if TYPE_CHECKING:
    from collections.abc import Collection

    from croupier.server.finding.found_game import FoundGame
    from croupier.server.games.broadcast import Broadcast
    from croupier.server.games.game import Game


class Contracts:
    """Look for a contract in one game after another, and remember why some could not have it."""

    def __init__(self, words: Collection[str]) -> None:
        self.words = frozenset(words)
        self._without: set[str] = set()
        self._strange: dict[str, str] = {}
        self._sought = False

    def is_played(self, found: FoundGame) -> bool:
        """Return whether the contract was played; a record is replayed only where its text does not rule it out."""
        rules = found.rules
        if rules is None or not rules.BROADCAST.CONTRACTS:
            self._without.add(found.called)
            return False
        known = rules.BROADCAST.CONTRACTS
        if strange := self.words - known.keys():
            self._strange[found.called] = (
                f"{found.called} has no contract {min(strange)}; its words: {', '.join(known)}"
            )
            return False
        self._sought = True
        text = found.text()
        return all(known[word] in text for word in self.words) and self._is_played_in_replay(text, rules)

    def _is_played_in_replay(self, text: str, rules: type[Game]) -> bool:
        try:
            replay = Replay(text, lambda _: rules)
            broadcast: Broadcast = rules.BROADCAST(replay.game)
            return any(self.words <= set(broadcast.contract()) for _ in replay.steps())
        except Invalid:
            return False

    def problem(self) -> str:
        """Return why no game could have such a contract; empty if one could."""
        if self._sought or not (self._strange or self._without):
            return ""
        return next(iter(self._strange.values()), f"there are no contracts in {', '.join(sorted(self._without))}")
