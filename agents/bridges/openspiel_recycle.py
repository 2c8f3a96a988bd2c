"""Games of the library of RECYCLE programs at OpenSpiel: Gops, Kuhn poker and Leduc poker."""

from __future__ import annotations

from croupier.agents.bridges.openspiel_counterpart import Counterpart

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from croupier.agents.bridges.openspiel_counterpart import Views
    from croupier.agents.recycle import Option

_POKER = ("J", "Q", "K")
_PRIZES = ("A", "TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE", "TEN", *_POKER)
_FOLD, _CALL, _RAISE = range(3)


class Gops(Counterpart):
    """Bids at the same time, made into turns: the player to move sits in the first seat, and no bid is known there."""

    def name(self, view: Any) -> str:
        """Return the game, with the points as score."""
        return "turn_based_simultaneous_game(game=goofspiel(points_order=random,returns_type=total_points))"

    def history(self, views: Views) -> list[int]:
        """Return each prize with the bids for it, and the prize on the table."""
        view, *_ = views.values()
        bids = [view.pile(name, "USED") for name in view.players]
        rounds = zip(view.pile("table", "GONE"), *bids, strict=True)
        cards = [card for cards in rounds for card in cards] + [*view.pile("table", "PRIZE")]
        return [_PRIZES.index(view.card(card)["RANK"]) for card in cards]

    def action(self, view: Any, option: Option) -> int:
        """Return the rank of the card that is bid."""
        (card,) = option.moved()
        return _PRIZES.index(view.card(card)["RANK"])


class Kuhn(Counterpart):
    """Poker with three cards and one bet."""

    def name(self, view: Any) -> str:
        """Return the game."""
        return "kuhn_poker"

    def history(self, views: Views) -> list[int]:
        """Return the cards dealt, and a check, a bet, or a bet after a check."""
        view, *_ = views.values()
        bets = [0] * view.store("table", "CHECKS") + [1] * view.store("table", "BETS")
        return [*_hands(views), *bets]

    def action(self, view: Any, option: Option) -> int:
        """Return 1 for a bet and a call, 0 for a check and a fold."""
        return int(option.value("BETS") is not None or option.value("CALLED") is not None)


class Leduc(Counterpart):
    """Poker with six cards and two rounds of bets."""

    def name(self, view: Any) -> str:
        """Return the game."""
        return "leduc_poker"

    def history(self, views: Views) -> list[int]:
        """Return the cards dealt and the bets of each round.

        STATE does not say whether the first round began with a check. The chips are the same, so a history without it
        is taken.
        """
        view, *_ = views.values()
        acts, raises = view.store("table", "ACTS"), view.store("table", "RAISES")
        bets = [_CALL] * (acts - raises) + [_RAISE] * raises
        board = view.pile("table", "BOARD")
        if not board:
            return [*_hands(views), *bets]
        paid = -min(view.store(name, "CHIPS") for name in view.players)
        before = (paid - 1 - 4 * raises) // 2
        first_round = [_RAISE] * before + [_CALL] * (1 if before else 2)
        return [*_hands(views), *first_round, *(_poker_card(views, card) for card in board), *bets]

    def action(self, view: Any, option: Option) -> int:
        """Return whether the option folds, checks or calls, or bets or raises."""
        if option.value("FOLDED") is not None:
            return _FOLD
        return _CALL if option.value("RAISES") is None else _RAISE


def _in_order(view: Any) -> tuple[str, ...]:
    """Return the players of a RECYCLE game, beginning with the program's first."""
    first = view.players.index(view.at[1])
    names: tuple[str, ...] = view.players[first:] + view.players[:first]
    return names


def _values(views: Views, card: int) -> Mapping[str, str]:
    """Return what is on a card that some player sees."""
    return next(values for view in views.values() if (values := view.card(card)))


def _hands(views: Views) -> list[int]:
    """Return the one card of each hand."""
    view, *_ = views.values()
    return [_poker_card(views, card) for name in _in_order(view) for card in views[name].pile(name, "HAND")]


def _poker_card(views: Views, card: int) -> int:
    """Return the rank, or of a pack with two suits twice the rank, plus 1 for the second suit."""
    values = _values(views, card)
    rank = _POKER.index(values["RANK"])
    return 2 * rank + (values["SUIT"] == "SPADES") if "SUIT" in values else rank
