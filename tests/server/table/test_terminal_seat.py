"""A person at the terminal: what is shown, what may be typed, how it ends."""

import contextlib
import io
import os
import pty
import re
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
import trio

from croupier.agents import bundled
from croupier.protocol.notifications import Request
from croupier.server import games
from croupier.server.console import Console
from croupier.server.deals import Key
from croupier.server.games.game import Dice
from croupier.server.table.faults import Kind
from croupier.server.table.referee import Referee
from croupier.server.table.seat import LocalSeat
from croupier.server.table.spelling import find_play
from croupier.server.table.terminal_seat import FEW, TerminalSeat, TypedLine

PAGE = Path(__file__).parents[3].joinpath("docs", "how-to", "people.md").read_text()


def paper(encoding="utf-8", width=100, **how):
    """Return a console on which somebody writes."""
    return Console(file=io.TextIOWrapper(io.BytesIO(), encoding=encoding), width=width, highlight=False, **how)


def read(console):
    """Return what is written there."""
    console.file.flush()
    return console.file.buffer.getvalue().decode(console.file.encoding)


def asked(typed, name="hearts", console=None, *, holds=False, before=0):
    """Ask a person who enters these lines, after ``before`` plays; return the game, the output and the answer."""
    rules = games.find(name)
    game = rules(["ada", "bob", "cy", "di"], rules.read_options({}), Dice(Random(5)))
    for _ in range(before):
        game.play(game.turn, next(iter(game.legal())))
    console, lines = console or paper(), iter(typed)

    def hear(prompt):
        console.print(prompt)
        try:
            return next(lines)
        except StopIteration:
            raise EOFError from None

    seat = TerminalSeat("ada", console, hear)
    seat.holds = holds
    seat.follow(game, game.turn)
    answer = trio.run(seat.ask, Request(game.view(game.turn)), 10)
    return game, read(console), answer


def given(game):
    return game.PACK.cards[game.hands[0]][:3]


def test_many_plays_leave_the_hand_on_the_screen():
    """Of Hearts' 286 gifts some are listed, with how to type another; all of them where that is asked."""
    game, said, answer = asked(["1"])
    assert len(said.splitlines()) <= FEW + 15
    assert "... and 266 more: type all to see them, or the play itself, such as pass " in said
    assert answer.outcome == game.legal()[0]
    _, said, _ = asked(["all", "1"])
    assert "\n  286  pass " in said


@pytest.mark.parametrize(
    ("typed", "guess"),
    [("pass {0} {1} {2}x", "did you mean {2}?"), ("nonsense", "help says how to type a play.")],
)
def test_a_misspelt_play_is_guessed(typed, guess):
    """And asked for again; where no play is like it, help is named."""
    cards = given(asked(["1"])[0])
    _, said, _ = asked([typed.format(*cards), "1"], console=paper("ascii"))
    assert guess.format(*cards) in said


@pytest.mark.parametrize(
    ("name", "question"),
    [
        ("hearts", "Choose three cards to pass to the left."),
        ("skat", "Do you bid, hold or pass?"),
        ("dominion", "Play an action card, or go on to your treasures."),
        ("recycle:hearts", "Which card do you play?"),
        ("recycle:spades", "What do you bid?"),
        ("recycle:crazy-eights", "What do you do?"),
    ],
)
def test_a_person_is_asked_in_the_words_of_the_game(name, question):
    """What is wanted stands before what may be typed."""
    _, said, _ = asked(["1"], name)
    assert question in said.splitlines()


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
    _, said, answer = asked(["all", "choose 2"], "recycle:hearts")
    assert re.search(r"^ +2  play ", said, re.MULTILINE)
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
    _, said, _ = asked(["more", "1"], "recycle:hearts")
    assert "  hand" in said
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
    typed = TypedLine(read)
    assert [typed.line() for _ in range(3)] == ["1", "play h9", "last"]
    with pytest.raises(EOFError):
        typed.line()
    os.close(read)


def test_what_may_be_played_is_numbered_in_the_hand():
    """A card with a number is that play; others of the hand have none, and nothing else is listed."""
    game, said, _ = asked(["1"], before=6)
    hand = re.search(r"^  hand  (.*)$", said, re.MULTILINE)[1].split("  ")
    numbered = dict(part.split(":") for part in hand if ":" in part)
    plays = [
        card.replace("T", "10").translate(str.maketrans("cdhs", "\u2663\u2666\u2665\u2660")) for _, card in game.legal()
    ]
    assert [numbered[str(at)] for at in range(1, len(plays) + 1)] == plays
    assert len(hand) == len(game.view(game.turn).hand) > len(plays)
    assert "play " not in said.replace("your play", "")


def test_the_trick_says_who_led_and_the_one_before_who_took_it():
    """Both are there while a trick lies; last shows the earlier one again, where there is one."""
    _, said, _ = asked(["last", "1"], before=10)
    trick, last = (re.findall(rf"^{name} .*$", said, re.MULTILINE) for name in ("trick", "last"))
    assert len(trick) == 1
    assert len(last) == 2
    assert last[0] == last[1]
    assert last[0].count(" took it") == last[0].count(" led") == trick[0].count(" led") == 1
    assert "took it" not in trick[0]
    assert "no trick has been taken yet" in asked(["last", "1"])[1]


def test_a_play_is_sent_by_enter_and_taken_back_before():
    """At a terminal: another play takes its place, undo takes it back, sure sends from now on at once."""
    game, said, answer = asked(["1", "undo", "", "2", "3", "nonsense", ""], holds=True)
    assert answer.outcome == game.legal()[2]
    assert said.count("(Enter sends it, undo does not)") == 4
    assert said.count("none of them") == 2  # the empty line where nothing was held, and the nonsense
    assert asked(["5", "sure"], holds=True)[2].outcome == game.legal()[4]
    assert asked(["sure", "5"], holds=True)[2].outcome == game.legal()[4]


@pytest.mark.parametrize(
    ("how", "coloured", "symbols"),
    [
        ({"encoding": "utf-8", "force_terminal": True, "color_system": "standard"}, True, True),
        ({"encoding": "utf-8", "force_terminal": True, "no_color": True}, False, True),
        ({"encoding": "ascii", "force_terminal": True, "_environ": {"TERM": "dumb"}}, False, False),
        ({"encoding": "utf-8"}, False, True),
    ],
)
def test_whatever_the_terminal_can_show(how, coloured, symbols):
    """Red suits where there are colors; letters where there are no suits; numbers say everywhere what is legal."""
    _, said, answer = asked(["1"], console=paper(**how), before=6)
    assert bool(re.search(r"\x1b\[[\d;]*31m", said)) == coloured
    assert not re.search(r"\x1b\[[\d;]*36m[\d]*:?[\u2660\u2663]", said)  # a number's color is not its card's
    assert ("\u2665" in said) == symbols
    assert "1:" in said
    assert answer.outcome[0] == "play"


@pytest.mark.parametrize(("typed", "play"), [("\u266010", "sT"), ("10s", "sT"), ("s10", "sT"), ("\u2660t", "sT")])
def test_a_card_may_be_typed_as_it_is_shown(typed, play):
    """With its suit's sign, and 10 for T."""
    plays = [("play", "sT"), ("play", "s9"), ("play", "hT")]
    assert find_play(typed, plays, [()] * 3) == ("play", play)


DEALS = ["hearts", "skat", "doppelkopf", "jass", "sedma", "dominion", "recycle:whist", "recycle:golf"]


@pytest.mark.parametrize("name", DEALS)
def test_a_person_plays_a_whole_deal(name):
    """By nothing but the numbers that are on the screen, each of which is a play; the end is told with the scores."""
    rules, console, rng = games.find(name), paper(), Random(7)

    def hear(_):
        shown = read(console)
        console.file = paper().file
        assert "none of them" not in shown
        assert len(shown.splitlines()) < 60
        found = re.findall(r"(?<!\S)(\d+):|^ +(\d+)  \S", shown, re.MULTILINE)
        return rng.choice([one or other for one, other in found])

    bot = "smithy" if name == "dominion" else "random"
    others = [LocalSeat(name, bundled.make(bot)) for name in ("bob", "cy", "di")]
    seats = [TerminalSeat("ada", console, hear), *others][: min(set(rules.SEATS) & {2, 3, 4})]
    result = trio.run(Referee(rules, {}, seats, Key.from_seed("deal").deal(1)).play)
    assert not result.faults
    assert result.thinking[0]
    assert "The game is over: ada " in read(console)


def test_a_whole_deal_at_a_terminal(tmp_path):
    """The command itself at a pseudo-terminal: in color, a play taken back, then one after the other."""
    master, slave = pty.openpty()
    environ = {name: value for name, value in os.environ.items() if name != "NO_COLOR"} | {"TERM": "xterm-256color"}
    command = [sys.executable, "-m", "croupier", "play", "hearts", "human", "duck", "duck", "duck", "--seed", "pty"]
    process = subprocess.Popen(command, stdin=slave, stdout=slave, stderr=slave, env=environ)
    os.close(slave)
    said, at = bytearray(), 0

    def until(words):
        nonlocal at
        while (found := said.find(words, at)) < 0:
            said.extend(os.read(master, 4096))
        at = found + len(words)

    for wait, typed in ((b"quit): ", b"1"), (b"undo does not): ", b"undo"), (b"quit): ", b"2"), (b"not): ", b"sure")):
        until(wait)
        os.write(master, typed + b"\r")
    for _ in range(13):
        until(b"quit): ")
        os.write(master, b"1\r")
    until(b"The game is over: human ")
    with contextlib.suppress(OSError):  # the other end of the terminal is closed
        while more := os.read(master, 4096):
            said.extend(more)
    assert process.wait(60) == 0
    assert b"\x1b[" in said
    assert "\u2665".encode() in said
    os.close(master)
