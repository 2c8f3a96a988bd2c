"""What may be played at Dominion, and why not."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING

from croupier.protocol.dominion import (
    COST,
    MILITIA_LEAVES,
    MINE_ADDS,
    MOAT,
    REMODEL_ADDS,
    WORKSHOP_BUILDS,
    count_parts,
    defenses,
    turn_plays,
    without,
)
from croupier.server.games.dominion.plays import CELLAR, listing, nth_part, require, words
from croupier.server.games.game import IllegalPlay

if TYPE_CHECKING:
    from collections.abc import Iterable
    from random import Random

    from croupier.server.games.dominion.game import Dominion
    from croupier.server.games.game import Play


def plays(game: Dominion) -> Iterable[Play]:
    """List the legal plays; those of a Cellar lazily, for they may be millions."""
    if game.turn is None:
        return ()
    hand = game.sides[game.turn].hand
    if game.attack is not None:
        return defenses(hand)
    late = game.bought and game.official
    counters = game.actions, game.buys, game.coins
    game.listed = listing(hand, game.supply, *counters, adding=not late)
    return game.listed.plays or turn_plays(hand, game.supply, *counters, adding=not late)


def sample(game: Dominion, rng: Random) -> Play:
    """Return one legal play, each equally likely, without listing all that a Cellar may discard."""
    few = list(takewhile(lambda play: play[:2] != CELLAR, plays(game)))
    hand = game.sides[game.active].hand
    if game.attack is not None or not game.actions or "cellar" not in hand:
        return rng.choice(few)
    rest = sorted(without(hand, "cellar"))
    index = rng.randrange(len(few) + count_parts(rest))
    return few[index] if index < len(few) else (*CELLAR, *nth_part(rest, index - len(few)))


def check(game: Dominion, seat: int, play: Play) -> None:
    """Raise UnknownPlay or IllegalPlay if ``seat`` may not play this now; what has just been listed he may."""
    if seat == game.turn and play in game.listed.allowed:
        return
    word, *cards = words(play)
    game.check_turn(seat)
    hand = game.sides[seat].hand
    match word:
        case "moat" | "discard":
            _check_defense(game, hand, word, *cards)
        case _ if game.attack is not None:
            raise IllegalPlay("an attack is met with (moat) or (discard CARD ...)")
        case "act":
            _check_act(game, hand, *cards)
        case "add":
            _check_add(game, hand, *cards)
        case "buy":
            _check_buy(game, *cards)
        case "clean":
            _check_clean(hand, *cards)


def _check_act(game: Dominion, hand: list[str], card: str, *named: str) -> None:
    """Check an action card and the cards named with it."""
    if not game.actions:
        raise IllegalPlay("no action is left")
    require(hand, card)
    rest = without(hand, card)
    if card == "cellar":
        for discarded in named:
            require(rest, discarded)
            rest.remove(discarded)
    elif card == "workshop":
        _check_gain(game, named[0], WORKSHOP_BUILDS)
    elif named:
        trashed, gained = named
        require(rest, trashed)
        _check_gain(game, gained, COST[trashed] + (MINE_ADDS if card == "mine" else REMODEL_ADDS))


def _check_gain(game: Dominion, card: str, most: int) -> None:
    """Check that a card may be had for at most so much."""
    if COST[card] > most:
        raise IllegalPlay(f"{card} costs {COST[card]}, more than the {most} allowed")
    if not game.supply[card]:
        raise IllegalPlay(f"no {card} is left in the supply")


def _check_add(game: Dominion, hand: list[str], card: str) -> None:
    """Check a treasure; officially all are played before the first buy."""
    require(hand, card)
    if not game.buys:
        raise IllegalPlay("no buy is left to add a treasure for")
    if game.bought and game.official:
        raise IllegalPlay("treasures are played before the first buy")


def _check_buy(game: Dominion, card: str) -> None:
    """Check a buy."""
    if not game.buys:
        raise IllegalPlay("no buy is left")
    _check_gain(game, card, game.coins)


def _check_clean(hand: list[str], *shown: str) -> None:
    """Check the end of a turn."""
    if hand and not shown:
        raise IllegalPlay("the hand is not empty: show one of its cards, (clean CARD)")
    for card in shown:
        require(hand, card)


def _check_defense(game: Dominion, hand: list[str], word: str, *cards: str) -> None:
    """Check how an attack is met."""
    if game.attack is None:
        raise IllegalPlay("there is no attack to defend against")
    surplus = max(len(hand) - MILITIA_LEAVES, 0)
    if word == "discard" and len(cards) != surplus:
        raise IllegalPlay(f"discard {surplus} of {len(hand)} cards, not {len(cards)}")
    rest = list(hand)
    for card in cards if word == "discard" else MOAT:
        require(rest, card)
        rest.remove(card)
