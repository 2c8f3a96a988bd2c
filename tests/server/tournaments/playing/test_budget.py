"""Budgets: what a text states, where a run ends, what counts, and that a larger budget continues."""

from collections import Counter
from contextlib import closing

import pytest
from command_line import croupier
from contests import FOUR, Here, bot, contest, document, pretend, settings

from croupier.agents.bridges.usage import OF_GAME, Usage
from croupier.server.tournaments.config.budget import Budget
from croupier.server.tournaments.config.tournament_file import BadConfig
from croupier.server.tournaments.keeping.spent import Spent
from croupier.server.tournaments.keeping.store import RunFailed, Store
from croupier.server.tournaments.playing import spending
from croupier.server.tournaments.proof.bond import Bond

A_GAME = Usage(decisions=13, calls=14, retries=1, tokens_in=900, tokens_out=100, cost=0.25)
SET = 4
"""Games of a set at a table of four."""


@pytest.mark.parametrize(
    ("text", "kind", "amount"),
    [
        ("90s", "time", 90),
        ("10m", "time", 600),
        ("10 min", "time", 600),
        ("1.5 hours", "time", 5400),
        ("1M tokens", "tokens", 1_000_000),
        ("1Mtokens", "tokens", 1_000_000),
        ("2.5k tokens", "tokens", 2500),
        ("700 tokens", "tokens", 700),
        ("5 dollars", "money", 5),
        ("0.05 euros", "money", 0.05),
    ],
)
def test_a_budget_is_an_amount_and_a_unit(text, kind, amount):
    assert Budget.parse(text) == (kind, amount)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("10", "has no unit: write a time such as 90s"),
        ("1M", "has no unit: 1m is minutes, 1M tokens are tokens"),
        ("5 dollers", "no unit dollers (did you mean dollars?)"),
        ("1M Tokens", "no unit Tokens (did you mean tokens?)"),
        ("10ms", "no unit ms"),
        ("3k dollars", "k goes with tokens"),
        ("0 dollars", "more than nothing"),
        ("$5", "or money such as 5 dollars"),
        ("-1 tokens", "write a time"),
        ("10m 30s", "write a time"),
        ("1e9 tokens", "write a time"),
        ("٣ tokens", "write a time"),
        ("", "write a time"),
    ],
)
def test_any_other_text_is_refused_with_what_to_write(text, why):
    """As a setting it is refused in the words of the file."""
    with pytest.raises(ValueError, match=r"^budget ") as refused:
        Budget.parse(text)
    assert why in str(refused.value)
    with pytest.raises(BadConfig, match=r"^the command line: budget "):
        settings(budget=text)


def test_a_wrong_budget_is_one_sentence_of_either_command():
    for words in (("improve", "hearts", "duck", "random"), ("tournament", "hearts", "duck", "random", "--out", "no")):
        _, errors = croupier(*words, "--budget", "5 dollers", code=2)
        assert "did you mean dollars?" in errors
        assert len(errors.splitlines()) == 1


def test_tokens_are_not_counted_in_shadow_play():
    """Only the questions of played games are in their cost."""
    with pytest.raises(BadConfig, match="goes without shadow"):
        settings(format="paired", shadow=True, budget="1M tokens")
    settings(format="paired", shadow=True, budget="10m")


class Clock:
    """A clock that goes on by a second per game."""

    def __init__(self, monkeypatch):
        self.seconds = 0.0
        monkeypatch.setattr(spending, "monotonic", lambda: self.seconds)

    def player(self, **how):
        """Return a player of batches that takes that time."""
        play = pretend(**how)

        def playing(job, stopped):
            self.seconds += len(job.games)
            return play(job, stopped)

        return playing


def reporting(*names):
    """Return what bots write: these report their usage."""
    return lambda name: f"{OF_GAME}{A_GAME}\n" if name in names else ""


def crew(number=1, **how):
    """Return a crew of pretending workers."""
    here = Here(pretend(**how))
    here.number = number
    return here


def sets(folder):
    """Count the games of each set, by the players of its table and its deal."""
    with closing(Store(folder, new=False)) as store:
        return Counter((stored.game.pairing, stored.game.deal) for stored in store.games())


def spent(folder):
    """Return the cost of a tournament according to its folder."""
    with closing(Store(folder, new=False)) as store:
        return Spent.read(store)


def test_a_run_ends_with_the_set_in_which_its_time_is_used_and_a_larger_budget_continues(tmp_path, monkeypatch):
    """What was used before counts. The sets are those of a run without a budget, and each is complete."""
    clock = Clock(monkeypatch)
    run = contest(tmp_path / "cup", settings(deals=50, budget="10s"), Here(clock.player()))
    assert (run.complete, run.used_up, spent(tmp_path / "cup").seconds) == (False, True, 12)
    assert [*sets(tmp_path / "cup").values()] == [SET] * 3
    idle = Here(clock.player())
    assert contest(tmp_path / "cup", settings(deals=50, budget="10s"), idle).used_up
    assert not idle.jobs
    run = contest(tmp_path / "cup", settings(deals=50, budget="1m"), Here(clock.player()))
    assert (run.used_up, spent(tmp_path / "cup").seconds) == (True, 60)
    assert sorted(deal for _, deal in sets(tmp_path / "cup")) == [*range(1, 16)]
    assert contest(tmp_path / "cup", settings(deals=50), Here(clock.player())).complete
    contest(tmp_path / "whole", settings(deals=50), Here(pretend()))
    assert document(tmp_path / "cup") == document(tmp_path / "whole")


def test_time_between_two_runs_does_not_count(tmp_path, monkeypatch):
    """Only that in which a run is at work."""
    clock = Clock(monkeypatch)
    contest(tmp_path, settings(deals=50, budget="10s"), Here(clock.player()))
    clock.seconds += 1e6
    contest(tmp_path, settings(deals=50, budget="20s"), Here(clock.player()))
    assert spent(tmp_path).seconds == 20


@pytest.mark.parametrize("number", [1, 4])
@pytest.mark.parametrize("budget", ["24k tokens", "6 dollars"])
def test_no_set_begins_that_those_in_play_will_leave_nothing_for(tmp_path, number, budget):
    """However many workers there are: a set costs 4,000 tokens or 1 dollar, as the first one shows."""
    run = contest(tmp_path, settings(deals=50, budget=budget), crew(number, wrote=reporting("ann")))
    assert run.used_up
    assert [*sets(tmp_path).values()] == [SET] * 6
    used = spent(tmp_path)
    assert [*used.usage] == ["ann"]
    assert (used.total.tokens, used.total.cost, used.total.calls) == (24_000, 6, 24 * 14)


def test_a_budget_that_its_last_set_uses_leaves_a_complete_tournament(tmp_path):
    """Nothing is missing then."""
    run = contest(tmp_path, settings(deals=6, budget="24k tokens"), crew(wrote=reporting("ann")))
    assert (run.complete, run.used_up) == (True, False)


@pytest.mark.parametrize("deals", [3, 5])
def test_all_tables_play_a_deal_before_any_plays_the_next(tmp_path, deals):
    """After the trials of two tables, which have three deals, the others catch up. A set costs 16,000 tokens."""
    five = [*FOUR, bot("eve")]
    asked = settings(five, deals=50, budget=f"{16 * 5 * deals}k tokens")
    contest(tmp_path, asked, crew(2, wrote=reporting(*(each["name"] for each in five))))
    assert [*Counter(pairing for pairing, _ in sets(tmp_path)).values()] == [deals] * 5


def test_a_budget_changes_no_result_that_ends_a_tournament_early(tmp_path):
    """Batches become smaller, and the looks at the results stay."""
    scores = {"score": lambda name, deal: {"a": 1, "b": 3, "c": 5, "d": 7}[name[0]] + (deal * ord(name[0])) % 11}
    asked = {"deals": 2000, "until_sure": True}
    with_budget = contest(tmp_path / "a", settings(**asked, budget="1M tokens"), crew(wrote=reporting("ann"), **scores))
    contest(tmp_path / "b", settings(**asked), crew(**scores))
    assert with_budget.complete
    assert document(tmp_path / "a") == document(tmp_path / "b")


def test_batches_grow_as_long_as_they_use_little_of_the_budget(tmp_path, monkeypatch):
    """Starting bots costs time too."""
    here = Here(Clock(monkeypatch).player())
    contest(tmp_path, settings(deals=1000, budget="2h"), here)
    assert max(len({deal for _, deal in job.games}) for job in here.jobs) == 25


@pytest.mark.parametrize(
    ("budget", "wrote", "why"),
    [
        ("1k tokens", None, "no bot has reported tokens"),
        ("5 dollars", None, "no bot has reported a cost"),
        ("5 dollars", f"{OF_GAME}{A_GAME._replace(cost=None)}\n", "--price-in and --price-out"),
        ("1k tokens", f"{OF_GAME}{A_GAME._replace(tokens_in=0, tokens_out=0)}\n", "no bot has reported tokens"),
    ],
)
def test_a_budget_that_nothing_counts_towards_ends_the_run_after_its_first_set(tmp_path, budget, wrote, why):
    """Otherwise it would play, and pay, to the last deal."""
    with pytest.raises(RunFailed, match=why):
        contest(tmp_path, settings(deals=50, budget=budget), crew(wrote=wrote and (lambda name: wrote)))
    assert [*sets(tmp_path).values()] == [SET]


def test_a_change_of_the_budget_is_an_amendment_that_the_table_shows(tmp_path):
    """Spending more after a look at the results can be seen."""
    for budget in ("8k tokens", "16k tokens"):
        contest(tmp_path, settings(deals=50, budget=budget), crew(wrote=reporting("ann")))
    with closing(Store(tmp_path, new=False)) as store:
        assert Bond.of(store).lines() == ["after 8 games: budget was 8k tokens and is 16k tokens"]


def test_standings_and_report_state_the_cost(tmp_path):
    """In words, in JSON and on the page; a tournament without cost or budget says nothing of it."""
    contest(tmp_path / "cup", settings(deals=50, budget="8k tokens"), crew(wrote=reporting("ann")))
    out, _ = croupier("standings", "cup", cwd=tmp_path)
    assert "112 calls, 8,000 tokens, cost 2.0000, of a budget of 8k tokens" in out
    out, _ = croupier("standings", "cup", "--json", cwd=tmp_path)
    for part in ('"calls": 112', '"tokens": 8000', '"cost": 2.0', '"budget": "8k tokens"', '"used_up": true'):
        assert part in out
    croupier("report", "cup", cwd=tmp_path)
    assert "112 calls, 8,000 tokens" in (tmp_path / "cup" / "report.html").read_text()
    contest(tmp_path / "plain", settings(), Here(pretend()))
    assert "spent" not in "".join(croupier("standings", "plain", "--json", cwd=tmp_path))


def test_the_command_ends_well_when_its_budget_is_used(tmp_path):
    """With the status of success, and it says how to continue."""
    words = ("tournament", "hearts", "duck", "random", "random", "random", "--deals", "100000", "--workers", "1")
    out, errors = croupier(*words, "--out", "cup", "--budget", "1s", cwd=tmp_path)
    assert "of a budget of 1s" in out
    assert "the budget of 1s is used; the same command with a larger one continues" in errors


def test_improve_says_what_its_verdict_cost():
    """In words and in JSON; without an answer it is undecided, and what shadow play took is in the time."""
    words = ("improve", "hearts", "duck", "duck", "--deals", "100000", "--workers", "1", "--budget", "1s")
    out, _ = croupier(*words, code=1)
    assert out.startswith("undecided: ")
    assert "; the budget of 1s is used\nspent: " in out
    out, _ = croupier(*words, "--json", code=1)
    assert '"budget": "1s",\n    "used_up": true' in out
