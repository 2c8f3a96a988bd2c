"""A search for an early end ends, in the formats in which not everybody meets everybody too."""

from __future__ import annotations

from random import Random

import pytest
from contests import Here, bot, contest, pretend, settings

from croupier.server.tournaments import config
from croupier.server.tournaments.ending import pairs
from croupier.server.tournaments.store import Store
from croupier.server.tournaments.verify import verify

GAIN = {"ann": 9, "ben": 4, "cat": 6, "dan": 7}


FORMS = [
    {"format": "gauntlet"},
    {"format": "round-robin"},
    {"format": "paired"},
    {"format": "paired", "sprt": (0, 3)},
]


@pytest.mark.parametrize("keys", FORMS)
def test_it_ends_when_all_that_is_asked_is_known_and_verify_says_the_plan_was_kept(tmp_path, keys):
    """No game after that is played, and none of those before is missed."""
    luck, said = Random(1), []
    asked = settings([bot(name) for name in GAIN], deals=900, until_sure=True, **keys)
    score = pretend(lambda name, deal: GAIN[name] + luck.randrange(3))
    run = contest(tmp_path, asked, Here(score), say=said.extend)
    assert said[-1].startswith("sure: ")
    assert run.complete
    assert 0 < Store(tmp_path).counts()[0] < run.schedule.planned() / 2
    assert not [each for each in verify(Store(tmp_path)).problems if "planned" in each.why]


def test_a_gauntlet_asks_for_the_pairs_of_its_first():
    """The others are not what it is played for; elsewhere all pairs are."""
    assert pairs(["cat", "ann", "dan"], "gauntlet") == [("ann", "cat"), ("cat", "dan")]
    assert pairs(["cat", "ann", "dan"], "swiss") == [("ann", "cat"), ("ann", "dan"), ("cat", "dan")]


@pytest.mark.parametrize("keys", [{"sprt": [0, 3]}, {"format": "paired", "sprt": [3, 0]}])
def test_bounds_are_two_of_a_pair_the_lower_first(keys):
    """Anything else is told with its key."""
    with pytest.raises(config.BadConfig, match="sprt has two bounds, the lower first"):
        settings(**keys)
