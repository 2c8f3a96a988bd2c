"""Games that break a law, one a law: each is caught by its law, and by a sentence that says where."""

import broken_games
import pytest

from croupier.server.games.hearts import Hearts
from croupier.server.games.jass import Jass
from croupier.server.games.sedma import Sedma
from croupier.server.laws import (
    LAWS,
    Trial,
    Untried,
    arrays,
    dialects,
    examine,
    fairness,
    judge,
    knowledge,
    play,
    telling,
)

NO_GIFTS = {"pass": "none"}
LEFT = {"pass": "left"}
WEIS = {"weis": "yes"}
BROKEN = [
    (play.says_what_it_is, broken_games.Boastful, {}, "Shown"),
    (play.says_what_it_is, broken_games.Stubborn, {}, "its own default, red"),
    (play.says_what_it_is, broken_games.Speechless, {}, "(play ...) is played"),
    (play.ends, broken_games.Endless, {}, "has not ended"),
    (play.ends, broken_games.Void, {}, "nobody counts"),
    (play.lists_what_is_legal, broken_games.Twice, NO_GIFTS, "listed twice"),
    (play.lists_what_is_legal, broken_games.Promising, NO_GIFTS, "is listed and refused"),
    (play.refuses_what_is_not_listed, broken_games.Lax, NO_GIFTS, "is not listed and may be played"),
    (play.refuses_what_is_not_listed, broken_games.Wordless, {}, "without a reason"),
    (play.refuses_what_is_not_listed, broken_games.Fragile, {}, "was raised at broken_games.py"),
    (play.copies_go_their_own_way, broken_games.Shared, {}, "changes the original"),
    (play.views_read_back, broken_games.Forgetful, {}, "broken"),
    (play.lists_what_is_legal, broken_games.Partial, NO_GIFTS, "the view lists"),
    (play.every_field_is_shown, broken_games.Outdated, NO_GIFTS, "(passing after-"),
    (play.every_field_is_shown, broken_games.Unsaid, NO_GIFTS, "show states tally phase"),
    (play.every_field_is_shown, broken_games.Backwards, NO_GIFTS, "show states passing tally"),
    (
        play.says_what_it_is,
        broken_games.Strange,
        NO_GIFTS,
        "show states mood, which HeartsView does not have: add it to FIELDS",
    ),
    (
        dialects.both_dialects_say_the_same,
        broken_games.Muddled,
        NO_GIFTS,
        "sees passing as 'none', in JSON as ['none']",
    ),
    (play.scores_and_ranks_agree, broken_games.Divided, {}, "partners"),
    (play.scores_and_ranks_agree, broken_games.Upside, {}, "rank"),
    (play.scores_and_ranks_agree, broken_games.Tireless, {}, "after the end"),
    (play.luck_is_the_deals, broken_games.Lucky, {}, "the second time"),
    (knowledge.equal_knowledge_is_equal_bytes, broken_games.Gossip, {}, "taken"),
    (arrays.arrays_keep_their_shapes, broken_games.Renamed, NO_GIFTS, "not among the page's WORDS"),
    (arrays.equal_knowledge_is_equal_arrays, broken_games.Gossip, {}, "another taken"),
    (knowledge.secrets_stay_secret, broken_games.Loud, LEFT, "of one play"),
    (knowledge.secrets_stay_secret, broken_games.Careless, LEFT, "after (give)"),
    (knowledge.imagined_deals_are_played_out, broken_games.Doubling, {}, "an imagined deal gives"),
    (knowledge.imagined_deals_are_played_out, broken_games.Meddling, {}, "changes the game"),
    (knowledge.nobody_has_what_he_lacks, broken_games.Suspicious, NO_GIFTS, "cannot hold"),
    (knowledge.nobody_has_what_he_lacks, broken_games.Inventing, {}, "sQ, which is not so"),
    (knowledge.imagined_deals_could_be, broken_games.Trusting, NO_GIFTS, "can follow suit"),
    (knowledge.imagined_deals_could_be, broken_games.Hasty, NO_GIFTS, "can follow suit"),
    (knowledge.imagined_deals_could_be, broken_games.Absent, LEFT, "not as many cards"),
    (knowledge.imagined_deals_could_be, broken_games.Unshown, WEIS, ""),
    (knowledge.equal_knowledge_imagines_alike, broken_games.Peeking, NO_GIFTS, "imagines that"),
    (knowledge.imagined_deals_betray_nothing, broken_games.Fixed, {}, "cannot tell"),
    (knowledge.imagined_deals_betray_nothing, broken_games.Seeing, {}, "cannot tell"),
    (fairness.imagined_deals_come_equally_often, broken_games.Leaning, NO_GIFTS, "more often"),
    (fairness.imagined_deals_come_equally_often, broken_games.Blind, NO_GIFTS, "never imagines"),
    (fairness.imagined_deals_come_equally_often, broken_games.Trusting, NO_GIFTS, "cannot be"),
    (telling.views_tell_the_game, broken_games.Forgotten, LEFT, "told again"),
]


@pytest.mark.parametrize(("law", "rules", "options", "why"), BROKEN, ids=lambda what: getattr(what, "__name__", ""))
def test_a_broken_game_is_caught_by_its_law(law, rules, options, why):
    """The law that it breaks says how, at which table and at which decision."""
    trial = Trial(rules, 4, options)
    said = judge(law, trial)
    assert said is not None
    assert why in said
    assert f"({trial}; " in said


def test_every_law_has_a_game_that_breaks_it():
    """No law is there that nothing can fail."""
    assert {law for law, *_ in BROKEN} == set(LAWS)


def test_the_games_are_whole_but_for_what_is_broken():
    """The sound games of which the broken ones are made keep every law: what is caught is the fault."""
    for rules, options in ((Hearts, NO_GIFTS), (Hearts, LEFT), (Jass, WEIS), (Sedma, {})):
        assert [judge(law, Trial(rules, 4, options)) for law in LAWS] == [None] * len(LAWS)


@pytest.mark.parametrize(
    "rules",
    [
        broken_games.Silent,
        broken_games.Scoreless,
        broken_games.Over,
        broken_games.Unshuffled,
        broken_games.Angry,
        broken_games.Lucky,
    ],
    ids=lambda rules: rules.__name__,
)
def test_whatever_is_broken_each_law_has_a_sentence(rules):
    """No law fails but by a verdict of one line, which quotes no code."""
    for judgement in examine(rules, NO_GIFTS):
        detail = judgement.why or judgement.untried or ""
        assert detail.isprintable()
        assert "Traceback" not in detail
        assert "division" not in detail


def test_a_game_without_a_decision_is_not_tried():
    """Laws about decisions are not kept where there is none."""
    untried = [judgement.untried for judgement in examine(broken_games.Over, NO_GIFTS) if judgement.holds is None]
    assert len(untried) > len(LAWS) / 2
    assert all("over before the first decision" in why for why in untried)


def test_a_game_without_a_table_breaks_the_first_law():
    """Nothing is kept where nothing can be tried."""
    (judgement,) = examine(broken_games.Seatless, {})
    assert judgement.holds is False
    assert "SEATS is empty" in judgement.why


@pytest.mark.parametrize("law", [fairness.imagined_deals_come_equally_often, knowledge.imagined_deals_could_be])
def test_what_does_not_happen_again_cannot_be_tried(law):
    """Where something else than the deal decides, a law that tells a game again is neither kept nor broken."""
    with pytest.raises(Untried, match="does not happen again with the same shuffles"):
        judge(law, Trial(broken_games.Lucky, 4, NO_GIFTS))
    judgement = next(each for each in examine(broken_games.Lucky, NO_GIFTS) if each.law == law)
    assert judgement.holds is None
    assert "4 players pass=none; in random game 0" in judgement.untried
