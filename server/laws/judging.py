"""Judging: which laws there are, at which tables they are tried, and what is found."""

from __future__ import annotations

import traceback
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from croupier.server.laws import fairness, knowledge, play, telling
from croupier.server.laws.trial import Broken, Trial

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from croupier.protocol.sexp import Atom
    from croupier.server.games.game import Game

    Law = Callable[[Trial], None]

LAWS: tuple[Law, ...] = (
    play.says_what_it_is,
    play.ends,
    play.lists_what_is_legal,
    play.refuses_what_is_not_listed,
    play.copies_go_their_own_way,
    play.views_read_back,
    play.what_moves_is_written_as_shown,
    play.scores_and_ranks_agree,
    play.luck_is_the_deals,
    knowledge.equal_knowledge_is_equal_bytes,
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
    """What came of a law; ``why`` is how it was broken, and where."""

    law: Law
    why: str | None

    @property
    def kept(self) -> bool:
        """Whether the game keeps the law, as far as it was tried."""
        return self.why is None


def said(law: Law) -> str:
    """Return what a law says."""
    return (law.__doc__ or "").splitlines()[0].rstrip(".")


def tables(rules: type[Game], given: Mapping[str, Atom]) -> list[Trial]:
    """Return the tables to try: what is given, at each size; without that, each listed value too, one by one."""
    found = [Trial(rules, seats, given) for seats in rules.SEATS]
    if not given:
        for name, option in rules.OPTIONS.items():
            values = () if isinstance(option.values, range) else option.values
            found += [Trial(rules, rules.SEATS[-1], {name: value}) for value in values if value != option.default]
    return found


def examine(rules: type[Game], given: Mapping[str, Atom]) -> Iterator[Judgement]:
    """Try every law at every table, each law until a table breaks it."""
    trials = tables(rules, given)
    for law in LAWS:
        whys = (judge(law, trial) for trial in trials)
        yield Judgement(law, next((why for why in whys if why is not None), None))


def judge(law: Law, trial: Trial) -> str | None:
    """Return how a game breaks a law at a table, None if it was kept."""
    trial.at = "at the beginning"
    try:
        _try(law, trial)
    except Broken as broken:
        return f"{broken} ({trial}; {trial.at})"
    return None


def _try(law: Law, trial: Trial) -> None:
    try:
        law(trial)
    except Broken:
        raise
    except Exception as problem:
        last = traceback.extract_tb(problem.__traceback__)[-1]
        raise Broken(f"{problem!r} was raised at {Path(last.filename).name}:{last.lineno}") from problem
