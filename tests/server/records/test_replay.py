"""A record is the same game again; change anything in it and replay says which line and why."""

import random

import pytest
from games import record_of

from croupier.server.deals import Key
from croupier.server.records.files import read_records
from croupier.server.records.replay import Replay, ReplayedFault, judge

RECORD = record_of("dominion", ["miner", "smithy", "miner"], seed="attacks and reshuffles")
LINES = RECORD.splitlines()


def changed(number, text):
    """Return the record with line ``number`` (from 1) replaced."""
    return "\n".join([*LINES[: number - 1], *text, *LINES[number:]]) + "\n"


def numbered(head):
    return [number for number, line in enumerate(LINES, 1) if line.startswith(f"({head} ")]


def test_a_record_replays_to_its_scores():
    """Replaying a referee's record gives the scores it ends with."""
    verdict = judge(RECORD)
    assert verdict.valid, verdict
    assert f"(score {' '.join(f'({name} {score})' for name, score in verdict.scores.items())})" in RECORD


def test_the_record_has_what_the_other_tests_change():
    """The sample game has attacks, defenses and reshuffles."""
    assert numbered("attack")
    assert numbered("defense")
    assert len(numbered("shuffle")) > 3


@pytest.mark.parametrize("share", range(40))
def test_one_play_changed_is_found_at_its_line_or_later(share):
    """Another play in a play's place is refused there, or where it first matters; never passed over."""
    number = random.Random(share).choice(numbered("play"))
    play = LINES[number - 1]
    other = play.replace("(add ", "(buy ") if "(add " in play else play.replace("(clean", "(act militia")
    if other == play:
        other = f"{play.rpartition(' (')[0]} (buy province))"
    verdict = judge(changed(number, [other]))
    assert not verdict.valid
    assert verdict.line >= number
    assert verdict.why


def test_an_illegal_play_is_refused_at_its_own_line():
    """A card that is not in hand, a card that nobody can pay."""
    number = numbered("play")[0]
    name = LINES[number - 1].split()[1]
    assert judge(changed(number, [f"(play {name} (buy province))"])).line == number
    assert judge(changed(number, [f"(play {name} (frobnicate))"])).line == number


def test_a_play_out_of_turn_is_refused():
    """A player who is not on turn cannot play."""
    number = numbered("play")[0]
    name = LINES[number - 1].split()[1]
    other = next(player for player in LINES[2][9:-1].split() if player != name)
    verdict = judge(changed(number, [LINES[number - 1].replace(name, other, 1)]))
    assert (verdict.valid, verdict.line) == (False, number)


def test_a_changed_score_is_refused_with_the_right_one():
    """The verdict says what the scores come out as."""
    (number,) = numbered("score")
    name = LINES[2][9:-1].split()[0]
    wrong = LINES[number - 1].replace(f"({name} ", f"({name} 1")
    verdict = judge(changed(number, [wrong]))
    assert (verdict.valid, verdict.line) == (False, number)
    assert LINES[number - 1] in verdict.why


@pytest.mark.parametrize("place", [0, 2, 5, -1])
def test_a_changed_shuffle_is_refused(place):
    """A shuffle must be exactly the pile that is shuffled."""
    number = numbered("shuffle")[place]
    line = LINES[number - 1]
    assert judge(changed(number, [line.replace(" copper", " gold", 1)])).line == number
    assert judge(changed(number, [line.replace(" copper", "", 1)])).line == number
    assert judge(changed(number, [line[:-1] + " copper)"])).line == number


def test_a_missing_shuffle_is_missed():
    """Without its shuffle a play cannot be played."""
    number = numbered("shuffle")[-1]
    verdict = judge(changed(number, []))
    assert (verdict.valid, verdict.line) == (False, number - 1)
    assert "missing" in verdict.why


def test_a_shuffle_too_many_is_refused():
    """Nothing is shuffled where the rules shuffle nothing."""
    number = numbered("play")[0]
    verdict = judge(changed(number, [LINES[number - 1], "(shuffle deal copper)"]))
    assert (verdict.valid, verdict.line) == (False, number + 1)


@pytest.mark.parametrize("head", ["attack", "defense"])
def test_a_missing_attack_or_defense_is_missed(head):
    """Every defender is attacked and answers."""
    number = numbered(head)[0]
    verdict = judge(changed(number, []))
    assert not verdict.valid
    assert verdict.line in {number, number - 1}


def test_play_after_the_end_is_refused():
    """A score or a play where the game is over, or not yet over."""
    (score,) = numbered("score")
    player = LINES[2][9:-1].split()[0]
    assert judge(changed(score, [f"(play {player} (clean))", LINES[score - 1]])).line == score
    half = numbered("play")[10]
    assert judge("\n".join([*LINES[:half], LINES[score - 1]])).line == half + 1
    assert judge(RECORD + f"(play {player} (clean))\n").line == len(LINES) + 1


def test_without_an_end_each_line_counts_and_the_scores_are_null():
    """An interrupted record is valid as far as it goes."""
    half = numbered("play")[10]
    for tail in ([], ["(end interrupted)"]):
        verdict = judge("\n".join([*LINES[:half], *tail]))
        assert verdict.valid
        assert verdict.scores is None


def test_comments_and_blank_lines_count_as_lines():
    """Lines count physically, whatever stands on them."""
    assert judge("; a comment\n\n" + RECORD.replace("(play ", "   (play ", 3)).valid
    number = numbered("play")[0]
    spoilt = "; one\n\n" + changed(number, ["(play nobody (clean))"])
    assert judge(spoilt).line == number + 2


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "begins with"),
        ("(record 2)\n", "begins with"),
        ("(record 1)\n(game chess)\n(players a b)\n", "no game chess"),
        ("(record 1)\n(game dominion (rules sandboxing))\n(players a b)\n", "rules is one of"),
        ("(record 1)\n(game dominion)\n(players a)\n", "played by"),
        ("(record 1)\n(game dominion)\n(players a a)\n", "same name"),
        ("(record 1)\n(game dominion)\n", "players"),
        ("(record 1)\n(record 1)\n", "second"),
        ("(record 1)\n(game dominion\n", "parenthes"),
        ("(record 1)\n(gaem dominion)\n", "no line of a record"),
        ("(record 1)\n(players (a))\n", "should look like"),
        ("\x00\xff", "ASCII"),
    ],
)
def test_what_is_no_record_is_said_to_be_none(text, why):
    """Bad input gets a line and a reason, never a traceback."""
    verdict = judge(text)
    assert not verdict.valid
    assert why in verdict.why
    assert verdict.line >= 1


def test_the_key_must_be_the_one_that_was_committed_to():
    """A record with its key added is checked against its commitment."""
    key = Key.from_seed("attacks and reshuffles")
    assert judge(RECORD + f"(key {key.secret.hex()})\n").valid
    assert judge(RECORD + f"(key {'00' * 32})\n").line == len(LINES) + 1


def test_a_forfeit_replays_with_the_scores_that_the_faults_make():
    """The offender has the penalty, the other at least an award."""
    opening = "\n".join(record_of("dominion", ["big-money", "big-money"], names=["ann", "bob"]).splitlines()[:6])
    record = (
        opening
        + '\n(fault ann illegal "no such \\"card\\"" "(request)" "\\xff")\n(score (ann 0) (bob 27))\n(end forfeit)\n'
    )
    assert judge(record).scores == {"ann": 0, "bob": 27}
    assert not judge(record.replace("(ann 0)", "(ann 3)")).valid
    assert not judge(record.replace('(fault ann illegal "no such \\"card\\"" "(request)" "\\xff")\n', "")).valid


def test_steps_show_faults_and_plays_in_their_order():
    """An observer of a replay sees each fault where it happened."""
    opening = "\n".join(record_of("dominion", ["big-money", "big-money"], names=["ann", "bob"]).splitlines()[:6])
    replayed = Replay(opening + '\n(fault ann timeout "late" "" "")\n(stand-in ann)\n(play ann (add copper))\n')
    failed, step = replayed.steps()
    assert failed == ReplayedFault(7, 0, "timeout", "late")
    assert (step.line, step.seat, step.play) == (9, 0, ("add", "copper"))


def test_a_key_and_a_commitment_may_have_no_letter_among_their_digits():
    """Hexadecimal is read as written, also where it looks like a decimal number; 0 is no commitment."""
    uncommitted = changed(4, ["(deal 1 0)"])
    assert judge(uncommitted + f"(key {'00' * 32})\n").valid
    assert judge(changed(4, [f"(deal 1 {'12' * 32})"])).valid
    assert judge(changed(4, [f"(deal 1 {'12' * 32})"]) + f"(key {'00' * 32})\n").line == len(LINES) + 1


def test_a_score_before_the_end_is_wrong_also_where_the_game_was_interrupted():
    """An interrupted record has no scores unless its game had come to its end, and then they are right."""
    plays, scored = LINES[: numbered("play")[-1]], next(line for line in LINES if line.startswith("(score "))
    cut, end = plays[:-2], "(end interrupted)"
    assert judge("\n".join([*cut, scored, end])).line == len(cut) + 1
    shuffles = LINES[len(plays) : numbered("score")[0] - 1]
    whole = [*plays, *shuffles]
    assert judge("\n".join([*whole, scored, end])) == (True, None, None, "")
    assert judge("\n".join([*whole, scored.replace("(score (", "(score (x"), end])).line == len(whole) + 1


def test_an_option_stands_once():
    """Of two values for one option neither is passed over."""
    assert judge(changed(2, ["(game dominion (rules official) (turns 200) (rules classic))"])).line == 2


def test_a_record_file_has_one_game(tmp_path):
    """A second beginning in a ``.record`` is a wrong line of it; only files of several games are cut."""
    twice = f"{RECORD}{RECORD}"
    (tmp_path / "one.record").write_text(twice, encoding="ascii")
    (tmp_path / "many.records").write_text(twice, encoding="ascii")
    (one,) = read_records(tmp_path / "one.record")
    assert judge(one.text).line == len(LINES) + 1
    assert len(read_records(tmp_path / "many.records")) == 2
