"""Which level bots are under where not every one works."""

import contests
import needs
import pytest
from tables import misfit

from croupier.server.games.dominion.game import Dominion
from croupier.server.processes import sandbox
from croupier.server.processes.sandbox import House, Level, NoSuchLevel, bwrap, launch, levels, seccomp
from croupier.server.table.referee import Terms
from croupier.server.table.table import Table


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


@pytest.mark.skipif(not seccomp.program(), reason="no filter for this architecture")
@pytest.mark.parametrize("level", [Level.LIMITS, Level.BWRAP])
def test_a_level_whose_filter_the_kernel_cannot_have_is_not_offered(level, monkeypatch):
    """Neither asked for nor as the best one; `doctor` says what it finds here."""
    monkeypatch.setattr(levels, "problem", levels.problem.__wrapped__)
    monkeypatch.setattr(levels, "read", lambda path: b"Name:\tpython")
    assert "takes no seccomp filter" in levels.problem(level)
    assert levels.best() is Level.NONE
    with pytest.raises(NoSuchLevel, match="takes no seccomp filter"):
        levels.chosen(House(level.value))


@pytest.mark.skipif(not seccomp.program(), reason="no filter for this architecture")
async def test_where_the_fence_is_refused_no_bot_is_started(key, tmp_path, monkeypatch):
    """The kernel takes no such filter: nobody is at fault, and nobody plays without it."""
    assert not sandbox.problem(Level.LIMITS)
    monkeypatch.setattr(launch.seccomp, "program", lambda: bytes(8))
    async with Table([misfit("fair"), misfit("fair")], tmp_path, house=House("limits")) as table:
        with pytest.raises(OSError, match="seccomp cannot be set up here, and under limits no bot is started without"):
            await table.play(Dominion, {"turns": 1}, key.deal(1), Terms(time=20))


@needs.BUBBLEWRAP
def test_bubblewrap_is_tried_with_the_filter(monkeypatch):
    """What it cannot have it does not run without."""
    monkeypatch.setattr(bwrap.seccomp, "program", lambda: bytes(8))
    assert "PR_SET_SECCOMP" in bwrap.refusal.__wrapped__(bwrap.isolation())
