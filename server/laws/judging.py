"""Judging: the list of laws, the tables at which they are tried, and the findings."""

from __future__ import annotations

import sysconfig
import traceback
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from croupier.server.laws import arrays, dialects, fairness, knowledge, play, telling
from croupier.server.laws.trial import Broken, Trial, Untried, shorter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from croupier.protocol.sexp import Atom
    from croupier.server.games.game import Game

    Law = Callable[[Trial], None]
    Result = TypeVar("Result")

LAWS: tuple[Law, ...] = (
    play.says_what_it_is,
    play.ends,
    play.lists_what_is_legal,
    play.refuses_what_is_not_listed,
    play.copies_go_their_own_way,
    play.views_read_back,
    play.every_field_is_shown,
    dialects.both_dialects_say_the_same,
    play.scores_and_ranks_agree,
    play.luck_is_the_deals,
    arrays.arrays_keep_their_shapes,
    knowledge.equal_knowledge_is_equal_bytes,
    arrays.equal_knowledge_is_equal_arrays,
    knowledge.secrets_stay_secret,
    knowledge.equal_knowledge_imagines_alike,
    knowledge.imagined_deals_are_played_out,
    knowledge.nobody_has_what_he_lacks,
    knowledge.imagined_deals_could_be,
    knowledge.imagined_deals_betray_nothing,
    fairness.imagined_deals_come_equally_often,
    telling.views_tell_the_game,
)


class Judgement(NamedTuple):
    """The result for a law: how and where it was broken, or why it could not be tried; neither if it was kept."""

    law: Law
    why: str | None
    untried: str | None = None

    @property
    def holds(self) -> bool | None:
        """Return whether the game keeps the law, as far as it was tried; None if it could not be tried."""
        return None if self.untried else self.why is None


def sentence(law: Law) -> str:
    """Return a law's text."""
    return (law.__doc__ or "").splitlines()[0].rstrip(".")


def tables(rules: type[Game], given: Mapping[str, Atom]) -> list[Trial]:
    """Return the tables to try: the given options at each size; without options, each listed value too, one by one."""
    found = [Trial(rules, seats, given) for seats in rules.SEATS]
    if not found:
        raise Broken("SEATS is empty: it says for how many players there is a table")
    if not given:
        for name, option in rules.OPTIONS.items():
            values = () if isinstance(option.values, range) else option.values
            found += [Trial(rules, rules.SEATS[-1], {name: value}) for value in values if value != option.default]
    return found


def examine(rules: type[Game], given: Mapping[str, Atom]) -> Iterator[Judgement]:
    """Try every law at every table until one breaks it; if there is no table, the first law counts as broken."""
    try:
        trials = _guard(partial(tables, rules, given))
    except Broken as broken:
        yield Judgement(LAWS[0], str(broken))
        return
    for law in LAWS:
        yield _judgement(law, trials)


def _judgement(law: Law, trials: Sequence[Trial]) -> Judgement:
    untried = None
    for trial in trials:
        try:
            if (why := judge(law, trial)) is not None:
                return Judgement(law, why)
        except Untried as problem:
            untried = untried or f"{problem} ({trial}; {trial.at})"
    return Judgement(law, None, untried)


def judge(law: Law, trial: Trial) -> str | None:
    """Return how a game breaks a law at a table, None if it keeps it; raise Untried if it cannot be tried there."""
    trial.at = "at the beginning"
    try:
        _guard(partial(law, trial))
    except Broken as broken:
        return f"{broken} ({trial}; {trial.at})"
    return None


def _guard(do: Callable[[], Result]) -> Result:
    """Return a function's result; raise Broken with a sentence for anything that it raises."""
    try:
        return do()
    except (Broken, Untried):
        raise
    except Exception as problem:
        raise Broken(_sentence(problem)) from problem


def _sentence(problem: Exception) -> str:
    """Return what was raised, and where in the game's own code, if it was there."""
    frames = traceback.extract_tb(problem.__traceback__)
    own = [frame for frame in frames if not _is_elsewhere(frame.filename)]
    at, what = (own or frames)[-1], shorter(" ".join(str(problem).split()))
    where = f"{Path(at.filename).name}:{at.lineno}"
    return f"{type(problem).__name__} was raised at {where}{f': {what}' if what else ''}"


def _is_elsewhere(file: str) -> bool:
    """Return whether code belongs to the laws or to Python itself, and not to a game."""
    ours = Path(file).parent == Path(__file__).parent
    return ours or (file.startswith(sysconfig.get_path("stdlib")) and "-packages" not in file)
