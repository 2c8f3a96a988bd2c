"""The laws of knowledge: what a seat may be told, and what it may imagine."""

from __future__ import annotations

from itertools import islice
from random import Random
from typing import TYPE_CHECKING, Any

from croupier.protocol.sexp import write
from croupier.server.games.tricks import TrickTaking
from croupier.server.games.world import world_of
from croupier.server.laws.trial import LONG, MANY, Broken, demand, looks, refusal, shorter
from croupier.server.laws.worlds import NoticedError, Past, difference, slots

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from croupier.server.games.game import Game, Label, Play
    from croupier.server.laws.trial import Trial
    from croupier.server.laws.worlds import Slot

    Places = Mapping[str, frozenset[Slot]]

GAMES = 3
MOMENTS = 75
"""How many decisions of a game are considered for imagining."""
SHARE = 0.15
"""The share of those decisions at which a seat imagines."""
SAMPLES = 2
"""How many deals are imagined in a position."""
WAYS = 12
"""How many histories of an imagined deal are tried."""
OFTEN = 10
"""A card that lies in one place this often is not there by chance: the probability is two in a million."""


def equal_knowledge_is_equal_bytes(trial: Trial) -> None:
    """Dealing again what a seat cannot see changes no byte of what it is told."""
    for game, rng in trial.decisions(4):
        for seat in range(trial.seats):
            now, imagined = str(game.view(seat)), str(world_of(game).determinize(seat, rng).game.view(seat))
            if now != imagined:
                raise Broken(f"{trial.players[seat]} would see {shorter(difference(now, imagined))}")


def secrets_stay_secret(trial: Trial) -> None:
    """Every play that others see only in part is told and shown alike to whom it is hidden, whatever it was."""
    for game, rng in trial.decisions(8):
        author = game.turn or 0
        plays = list(islice(game.legal(), MANY))
        for seat in {*range(trial.seats)} - {author}:
            other = world_of(game).determinize(seat, rng).game
            both = (play for play in rng.sample(plays, len(plays)) if refusal(other, author, play) is None)
            if (play := next(both, None)) is not None:
                _demand_equal_news(trial, game.copy(), other, seat, play)


def _demand_equal_news(trial: Trial, one: Game, other: Game, seat: int, play: Play) -> None:
    """Demand that a seat that cannot tell two deals apart hears and sees the same of a partly secret play."""
    author, phase, name = one.turn or 0, one.view(seat).phase, trial.players[seat]
    told, then = one.public(author, play), other.public(author, play)
    demand(told == then, f"{name} is told {write(told)} or {write(then)} of one play, by what he cannot see")
    news = (*one.play(author, play), *other.play(author, play))
    if told == play or news or one.view(seat).phase != phase:
        return  # now the secret may be handed on or shown
    was, now = str(one.view(seat)), str(other.view(seat))
    demand(was == now, f"after {write(told)} {name} sees {shorter(difference(was, now))}")


def equal_knowledge_imagines_alike(trial: Trial) -> None:
    """Two deals that a seat cannot tell apart make it imagine the same, chance being the same."""
    for step, (game, rng) in enumerate(trial.decisions(11)):
        if step % 7:
            continue
        for seat in range(trial.seats):
            other, chance = world_of(game).determinize(seat, rng).game, rng.random()
            here, there = (looks(world_of(table).determinize(seat, Random(chance)).game) for table in (game, other))
            for name, was, now in zip(trial.players, here, there, strict=True):
                if was != now:
                    raise Broken(
                        f"{trial.players[seat]} cannot tell two deals apart and imagines that {name} sees "
                        f"{shorter(difference(was, now))}"
                    )


def imagined_deals_are_played_out(trial: Trial) -> None:
    """Every imagined deal goes on to an end of its own, with no card in two hands, and leaves the game alone."""
    for step, (game, rng) in enumerate(trial.decisions(5)):
        if step % 15:
            continue
        before = looks(game)
        copy = world_of(game).determinize(step % trial.seats, rng).game
        for number in range(LONG):
            if copy.turn is None:
                break
            if number % 5 == 0:
                _no_card_twice(trial, copy)
            copy.play(copy.turn, copy.sample(rng))
        demand(copy.turn is None, f"after {LONG} more decisions an imagined deal has not ended")
        demand(len(copy.scores()) == trial.seats, "an imagined deal gives a score to not everybody")
        demand(looks(game) == before, "to imagine a deal changes the game")


def _no_card_twice(trial: Trial, game: Game) -> None:
    pack = getattr(game, "DEALT", ())
    if len(set(pack)) < len(pack):
        return
    held: dict[str, int] = {}
    for (seat, key), cards in slots(game).items():
        for card in cards & set(pack) if key == "hand" else ():
            other = held.setdefault(card, seat)
            demand(other == seat, f"an imagined deal gives {card} to {trial.players[other]} and {trial.players[seat]}")


def nobody_has_what_he_lacks(trial: Trial) -> None:
    """Nobody holds what the play is said to show him not to hold, and everybody holds what is said to be known."""
    for game, _ in trial.decisions(9):
        if not isinstance(game, TrickTaking):
            return
        world: Any = world_of(game)
        for seat, (hand, lack) in enumerate(zip(game.hands, world.lacks(), strict=True)):
            name = trial.players[seat]
            wrong = game.PACK.cards[hand & lack]
            demand(not wrong, f"lacks says that {name} cannot hold {' '.join(wrong)}, which {name} holds")
            for other in {*range(trial.seats)} - {seat}:
                known = game.PACK.faces(world.known_cards(other, seat)) - game.PACK.faces(hand)
                demand(not known, f"known says that {name} holds {' '.join(sorted(known))}, which is not so")


def imagined_deals_could_be(trial: Trial) -> None:
    """Every imagined deal could have led to all that the seat has seen, by the rules."""
    for past, observer in _positions(trial):
        for sample in range(SAMPLES):
            imagined = world_of(past.game).determinize(observer, Random(sample)).game
            truth, fancy = past.hidden_cards(past.game, observer), past.hidden_cards(imagined, observer)
            moved = {card for card in truth if truth[card] != fancy[card]}
            label = past.shuffle_with(moved)
            if label is not None:
                _could_be(past, observer, label, imagined, _ways(trial, observer, moved, truth, fancy))


def _ways(trial: Trial, observer: int, moved: set[str], truth: Places, fancy: Places) -> Iterator[Mapping[str, str]]:
    """List ways to swap cards so that all are where they are imagined."""
    groups: dict[frozenset[Slot], tuple[list[str], list[str]]] = {}
    for card in sorted(moved):
        groups.setdefault(truth[card], ([], []))[0].append(card)
        groups.setdefault(fancy[card], ([], []))[1].append(card)
    for place, (were, are) in groups.items():
        where = " and ".join(f"{trial.players[seat]}'s {key}" for seat, key in sorted(place)) or "nobody's sight"
        there, then = " ".join(are) or "nothing", " ".join(were) or "nothing"
        name = trial.players[observer]
        demand(len(were) == len(are), f"{name} imagines {there} in {where} for {then}: not as many cards")
    for way in range(WAYS if any(len(were) > 1 for were, _ in groups.values()) else 1):
        rng = Random(way)
        yield {
            card: other
            for were, are in groups.values()
            for card, other in zip(were, rng.sample(are, len(are)), strict=True)
        }


def _could_be(past: Past, observer: int, label: Label, imagined: Game, ways: Iterator[Mapping[str, str]]) -> None:
    names, why = past.trial.players, ""
    for swap in ways:
        try:
            world = past.retell(observer, label, swap)
        except NoticedError as noticed:
            why = str(noticed)
            continue
        for seat, (now, then) in enumerate(zip(looks(imagined), looks(world), strict=True)):
            if now != then:
                why = f"{names[seat]} would see {shorter(difference(then, now))}"
                break
        else:
            return
    past.require_repeatable(observer, label)
    raise Broken(f"{names[observer]} imagines a deal that cannot be: {why}")


def imagined_deals_betray_nothing(trial: Trial) -> None:
    """No imagined deal rests on what the seat cannot know: a card that may be elsewhere is imagined elsewhere."""
    for past, observer in _positions(trial):
        truth = past.hidden_cards(past.game, observer)
        cards = sorted(truth)
        for _ in range(SAMPLES):
            card, other = past.rng.sample(cards, 2) if len(cards) > 1 else ("", "")
            label = past.shuffle_with({card, other})
            if label is None or truth[card] == truth[other]:
                continue
            try:
                world = past.retell(observer, label, {card: other, other: card})
            except NoticedError:
                continue
            here, there = (_places_imagined(past, game, observer, card) for game in (past.game, world))
            demand(
                here & there,
                f"{trial.players[observer]} cannot tell {card} from {other}, and knows all the same where {card} is",
            )


def _places_imagined(past: Past, game: Game, observer: int, card: str) -> set[frozenset[Slot]]:
    """Return the places in which a card is imagined in several samples."""
    worlds = [world_of(game).determinize(observer, Random(often)) for often in range(OFTEN)]
    return {past.hidden_cards(world.game, observer)[card] for world in worlds}


def _positions(trial: Trial) -> Iterator[tuple[Past, int]]:
    """Play some random games; yield positions from them, each from the view of one seat."""
    for seed in range(GAMES):
        past, rng = Past(trial, seed), Random(seed)
        while past.game.turn is not None and len(past.moments) < MOMENTS and past.shuffle_with(set()) is not None:
            trial.at = f"in random game {seed}, after {len(past.moments)} decisions"
            if rng.random() < SHARE:
                yield past, rng.randrange(trial.seats)
            past.go_on()
