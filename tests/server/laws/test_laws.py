"""The laws that every game keeps, whatever its rules; a new game or option is one more row."""

import pytest

from croupier.server import games
from croupier.server.games.world import world_of
from croupier.server.laws import LAWS, Trial, judge, sentence, tables
from croupier.server.laws.trial import choose_varied, looks, refusal

REVEALING = ("sedma", "doppelkopf")
"""Games in which a play reveals more than itself: cards from the stock, the party of the announcer."""

ROWS = [
    ("dominion", 2, {"turns": 60}),
    ("dominion", 3, {"turns": 30, "rules": "classic"}),
    ("dominion", 4, {"turns": 40}),
    ("hearts", 4, {}),
    ("hearts", 4, {"variant": "seed", "score-to": 30}),
    ("hearts", 4, {"pass": "across", "queen-breaks": "yes", "jack": 10, "score-to": 40}),
    ("jass", 4, {}),
    ("jass", 4, {"weis": "yes", "stoeck": "yes", "factors": "schieber"}),
    ("jass", 4, {"trump": "u", "undertrump": "free-with-only-trumps", "score-to": 300}),
    ("jass", 4, {"trump": "h", "undertrump": "lower-of-two"}),
    ("sedma", 4, {}),
    ("sedma", 4, {"rounds": "many", "score-to": 4}),
    ("skat", 3, {}),
    ("skat", 4, {"list": 3, "scoring": "seeger-fabian"}),
    ("skat", 3, {"contra": "yes", "all-pass": "ramsch", "impossible-null": "lose", "list": 3}),
    ("doppelkopf", 4, {}),
    ("doppelkopf", 4, {"poverty": "yes", "schweinchen": "yes", "nines": "no", "solo-leads": "yes", "list": 3}),
    ("doppelkopf", 4, {"dulle": "second-but-last-trick", "duty-solo": "yes", "list": 2}),
    ("doppelkopf", 4, {"dulle": "second", "duty-solo": "yes", "poverty": "yes", "list": 5}),
]


TRIALS = [Trial(games.find(name), seats, options) for name, seats, options in ROWS]
every_game = pytest.mark.parametrize("trial", TRIALS, ids=lambda trial: f"{trial.rules.NAME} {trial}")


@every_game
@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_every_game_keeps_every_law(trial, law):
    """What `croupier check-game` tries, with the options that matter together."""
    assert judge(law, trial) is None


@every_game
def test_a_play_shows_nothing_but_itself(trial):
    """One play from two hands that a seat cannot tell apart leaves it the same view, where no rule shows more."""
    for game, rng in trial.decisions(8):
        author, play = game.turn, choose_varied(game, rng)
        for seat in set(range(trial.seats)) - {author} if trial.rules.NAME not in REVEALING else ():
            one, other = game.copy(), world_of(game).determinize(seat, rng).game
            if refusal(other, author, play) is not None or one.play(author, play) or other.play(author, play):
                continue
            if one.view(seat).phase == game.view(seat).phase:  # else gifts are handed on, or a hand is laid open
                assert looks(one)[seat] == looks(other)[seat]


def test_what_a_law_says_is_a_sentence():
    """The output says what was tried; no two laws say the same."""
    assert all(sentence(law)[0].isupper() and len(sentence(law)) > 20 for law in LAWS)
    assert len({sentence(law) for law in LAWS}) == len(LAWS)


def test_the_tables_to_try_are_all_sizes_and_all_listed_values():
    """Without options each value that an option lists is tried beside the defaults; with options, those alone."""
    kind = games.find("dominion")
    assert [str(trial) for trial in tables(kind, {})] == [
        "2 players", "3 players", "4 players", "4 players rules=classic",
    ]  # fmt: skip
    assert [str(trial) for trial in tables(kind, {"turns": 9})] == [f"{n} players turns=9" for n in (2, 3, 4)]
