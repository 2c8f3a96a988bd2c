"""A person at the terminal: what is shown, what may be typed, how it ends."""

import os
import re
from pathlib import Path
from random import Random

import pytest
import trio

from croupier.protocol.notifications import Request
from croupier.server import games
from croupier.server.games.game import Dice
from croupier.server.table.faults import Kind
from croupier.server.table.terminal_seat import FEW, TerminalSeat, Typed

PAGE = Path(__file__).parents[3].joinpath("docs", "people.md").read_text()


def asked(typed, name="hearts", seats=4, **options):
    """Ask a person who types these lines; return the game, what was said and the answer."""
    rules = games.find(name)
    game = rules(["ada", "bob", "cy", "di"][:seats], rules.read_options(options), Dice(Random(5)))
    said, lines = [], iter(typed)

    def hear(_):
        try:
            return next(lines)
        except StopIteration:
            raise EOFError from None

    seat = TerminalSeat("ada", said.append, hear)
    answer = trio.run(seat.ask, Request(game.view(game.turn)), 10)
    return game, "\n".join(said), answer


def given(game):
    return game.PACK.cards[game.hands[0]][:3]


def test_many_plays_leave_the_hand_on_the_screen():
    """Of Hearts' 286 gifts some are listed, with how to type another; all of them where that is asked."""
    game, said, answer = asked(["1"])
    assert len(said.splitlines()) <= FEW + 15
    assert "... and 266 more: type all to see them, or the play itself, such as give " in said
    assert answer.outcome == game.legal()[0]
    _, said, _ = asked(["all", "1"])
    assert "\n  286  give " in said


def test_a_number_beyond_those_listed_counts_too():
    """All plays are numbered, listed or not."""
    game, _, answer = asked(["286"])
    assert answer.outcome == game.legal()[285]


@pytest.mark.parametrize("form", ["give {0} {1} {2}", "(give {2} {0} {1})", "{0} {1} {2}", "GIVE {1} {0} {2}"])
@pytest.mark.parametrize("turned", [False, True])
def test_cards_are_named_in_either_order(form, turned):
    """9h is h9, in any order of the cards, with or without the word before them."""
    game, _, _ = asked(["1"])
    cards = given(game)
    _, said, answer = asked([form.format(*[card[::-1] if turned else card for card in cards])])
    assert answer.outcome == ("give", *cards)
    assert "none of them" not in said


def test_what_is_no_play_is_asked_again():
    """A card that is not held, an unknown word, an empty line and a number too high are none of them."""
    game, said, answer = asked(["give 9z 9y 9x", "hello", "", "0", "287", "(((", "1"])
    assert said.count("That is none of them; help says how to type a play.") == 6
    assert answer.outcome == game.legal()[0]


def test_help_says_how_to_type_a_play():
    """It is no answer: the person is asked again."""
    _, said, answer = asked(["help", "1"])
    assert "9h" in said
    assert "quit" in said
    assert answer.outcome[0] == "give"


def test_quit_is_an_interruption():
    """As Ctrl-C is, and no fault of the person."""
    with pytest.raises(KeyboardInterrupt):
        asked(["quit"])


def test_the_end_of_the_input_is_a_fault():
    """Nobody types there any more."""
    _, _, answer = asked([])
    assert answer.outcome.kind is Kind.CRASHED


def test_choices_are_listed_in_words():
    """In a RECYCLE program the person reads what a choice does."""
    _, said, answer = asked(["choose 2"], "recycle:hearts")
    assert " from ada HAND to ada TRICK" in said
    assert answer.outcome == ("choose", 2)


def test_a_choice_is_found_by_words_that_stand_in_it_alone():
    """A card by its name in either order; what stands in several choices is none of them."""
    game, said, _ = asked(["HAND", "1"], "recycle:hearts")
    assert "none of them" in said
    view = game.view(0)
    card = view.card(view.choices[2][-1][1])
    for words in (f"{card['RANK']} {card['SUIT']}", f"{card['SUIT']} {card['RANK']}".lower()):
        assert asked([words], "recycle:hearts")[2].outcome == ("choose", 3)


def test_a_recycle_table_is_shown_in_words():
    """No card stands there by its number."""
    _, said, _ = asked(["1"], "recycle:hearts")
    assert "ada HAND holds " in said
    assert "iloc" not in said


def test_what_the_page_says_may_be_typed():
    """Every way to give three cards on it gives those three."""
    game, _, _ = asked(["1"])
    cards = dict(zip(("h9", "s2", "cK"), given(game), strict=True))
    either = cards | {card[::-1]: held[::-1] for card, held in cards.items()}
    either |= {card.upper(): held.upper() for card, held in either.items()}
    ways = re.findall(r"`([^`]*(?i:h9|9h)[^`]*)`", PAGE)
    assert len(ways) == 5
    for way in ways:
        typed = re.sub(r"\w+", lambda word: either.get(word[0], word[0]), way)
        assert asked([typed])[2].outcome == ("give", *cards.values())


def test_lines_are_read_as_they_come():
    """Several lines in one read are several answers; the last may end without a newline."""
    read, write = os.pipe()
    os.write(write, b"1\nplay h9\nlast")
    os.close(write)
    typed = Typed(read)
    assert [typed.line() for _ in range(3)] == ["1", "play h9", "last"]
    with pytest.raises(EOFError):
        typed.line()
    os.close(read)
