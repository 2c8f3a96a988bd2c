"""The bundled bot for Doppelkopf."""

from __future__ import annotations

from random import Random

from doppelkopf_table import all_healthy, do, table

from croupier.agents.doppelkopf import Doko
from croupier.server.deals import Key
from croupier.server.games.doppelkopf.game import Doppelkopf


def asked(game: Doppelkopf) -> tuple:
    """Return what the bot does on turn."""
    bot, state = Doko(), game.view(game.turn)
    play = bot.tryPlay(state) if state.phase == "play" else bot.tryBid(state)
    game.check(game.turn, play)
    return play


def test_it_plays_any_table_to_the_end():
    """Whatever is agreed upon, all it does is legal."""
    everything = {"poverty": "yes", "schweinchen": "yes", "nines": "no", "duty-solo": "yes", "list": 8}
    for options in ({}, everything, {"dulle": "second", "solo-leads": "yes"}):
        for number in range(4):
            game = Doppelkopf("abcd", options, Key.from_seed("bot").deal(number))
            while game.turn is not None:
                game.play(game.turn, asked(game))


def test_it_gives_points_to_its_partner():
    """A trick that a known partner wins for certain gets the ten, not the nine."""
    game = all_healthy(table("cQ hT", "cQ d9 dT", "d9", "dK"))
    do(game, "alice announce re", "bob announce no90", "hT")
    assert asked(game) == ("play", "dT")
    game = all_healthy(table("hT", "cQ d9 dT", "cQ", "dK"))
    do(game, "bob announce re", "alice announce kontra", "hT")
    assert asked(game) != ("play", "dT")


def test_it_announces_when_strong_and_marries():
    """A hand full of high trumps says Re, an ordinary one nothing; two queens of clubs seek a partner."""
    assert asked(all_healthy(table("hT hT cQ sQ sQ hQ dQ cJ cJ cA sA hA"))) == ("announce", "re")
    assert asked(all_healthy(table("cQ dQ sJ dJ cK")))[0] == "play"
    assert asked(table("cQ cQ")) == ("wedding",)


def test_it_plays_alone_what_cannot_be_lost():
    """Nearly all trumps of a suit are a solo; in a poverty it helps with a strong hand."""
    assert asked(table("hT hT cQ sQ sQ hQ dQ cJ cA cA cT cK"))[0] == "solo"
    game = table("dJ d9 d9 c9 c9 s9 s9 h9 h9 cK cK sK", "hT hT cQ sQ sQ cA sA dQ cJ cJ", poverty="yes")
    do(game, "poverty", "healthy", "healthy", "healthy")
    assert asked(game) == ("take",)
    game.play(1, ("take",))
    assert asked(game)[0] == "exchange"


def test_it_beats_chance():
    """Against three that play at random its mean is clearly above theirs."""
    rng, total = Random(1), 0
    for number in range(60):
        game = Doppelkopf("abcd", {}, Key.from_seed("chance").deal(number))
        me = number % 4
        while game.turn is not None:
            game.play(game.turn, asked(game) if game.turn == me else game.sample(rng))
        total += game.scores()[me]
    assert total > 60
