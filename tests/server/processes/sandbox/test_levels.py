"""Which level bots are under where not every one works."""

import contests
import pytest

from croupier.server.processes.sandbox import House, Level, NoSuchLevel, levels


@pytest.fixture
def no_bwrap(monkeypatch):
    """A machine on which bubblewrap does not work."""
    monkeypatch.setattr(levels, "problem", lambda level: "bwrap is not there" if level is Level.BWRAP else "")


@pytest.mark.usefixtures("no_bwrap")
def test_strangers_never_fall_silently_below_bubblewrap():
    """Who wants less for them says so; for bundled bots ``auto`` is the best that works."""
    with pytest.raises(NoSuchLevel, match=r"bwrap is not there; .* --set sandbox=limits"):
        levels.chosen(House(strangers=True))
    assert levels.chosen(House("limits", strangers=True)) is levels.chosen(House()) is Level.LIMITS


@pytest.mark.usefixtures("no_bwrap")
@pytest.mark.parametrize("bots", [contests.FOUR, [{"name": name, "builtin": "random"} for name in "abcd"]])
def test_a_tournament_of_strangers_asks_for_the_level(bots, tmp_path):
    """Its own bots it plays anywhere."""
    asked = contests.settings(bots, sandbox="auto", deals=1)
    if "builtin" in bots[0]:
        assert contests.contest(tmp_path, asked, contests.Here(contests.pretend())).complete
    else:
        with pytest.raises(NoSuchLevel):
            contests.contest(tmp_path, asked)
