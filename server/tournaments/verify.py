"""Verify: every shuffle from the revealed key, every game by the rules, every score by counting it again.

Needs nothing but the tournament's folder, and no bot.
"""

from __future__ import annotations

import hashlib
import random
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from croupier.server import entries
from croupier.server.deals import Key, Listed, Proven
from croupier.server.entries import Entry
from croupier.server.records.files import BadFile, read_records
from croupier.server.records.replay import Invalid, Replay, ReplayedFault
from croupier.server.table.faults import Outcome, settle
from croupier.server.tournaments.folder import RECORDS
from croupier.server.tournaments.founding import rules_of, settings_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from croupier.protocol.sexp import Atom
    from croupier.server.games.game import Game
    from croupier.server.records.files import RecordText
    from croupier.server.tournaments.store import Store, Stored


class Problem(NamedTuple):
    """What is wrong, in which file, and in which of its games if that is known."""

    file: str
    game: str | None
    why: str

    def __str__(self) -> str:
        return ": ".join(filter(None, self))


@dataclass
class Verification:
    """What became of a tournament's records."""

    files: int = 0
    games: int = 0
    revealed: bool = False
    finished: bool = False
    problems: list[Problem] = field(default_factory=list)

    @property
    def valid(self) -> bool:
        """Whether nothing is wrong."""
        return not self.problems

    def document(self) -> dict[str, object]:
        """Return what ``verify --json`` prints."""
        return {
            "valid": self.valid,
            "finished": self.finished,
            "files": self.files,
            "games": self.games,
            "key": "revealed" if self.revealed else "withheld",
            "problems": [problem._asdict() for problem in self.problems],
        }


class Wrong(Exception):
    """A game that is not what its record or the store says; the message says why."""


@dataclass(frozen=True)
class Claim:
    """What a tournament says of all its games."""

    rules: type[Game]
    options: dict[str, Atom]
    commitment: str
    key: Key | None


def verify(store: Store, tell: Callable[[int], None] = lambda games: None) -> Verification:
    """Check a tournament; ``tell`` is called with the number of games after each file."""
    claim = _claim(store)
    verdict = Verification(revealed=claim.key is not None, finished=bool(store.fact("finished")))
    if claim.key is not None and claim.key.commitment != claim.commitment:
        why = f"the revealed key is not the one committed to: its SHA-256 is {claim.key.commitment}"
        verdict.problems.append(Problem("tournament.db", None, why))
    promised = dict(store.batches())
    for file, stored in groupby(store.games(), key=lambda game: game.file):
        games_here = list(stored)
        verdict.problems += _file(store, file, promised.pop(file), games_here, claim)
        verdict.files += 1
        verdict.games += len(games_here)
        tell(verdict.games)
    verdict.problems += [Problem(file, None, "the store has no games of it") for file in promised]
    return verdict


def _claim(store: Store) -> Claim:
    settings = settings_of(store)
    rules = rules_of(store, settings)
    secret = store.fact("revealed")
    key = Key(bytes.fromhex(secret), settings.public) if secret else None
    return Claim(rules, rules.read_options(settings.options), store.fact("commitment"), key)


def _file(store: Store, file: str, sha256: str, stored: Sequence[Stored], claim: Claim) -> Iterator[Problem]:
    """Check a file of records against its checksum and the store's games."""
    path = store.folder / RECORDS / file
    try:
        changed = hashlib.sha256(path.read_bytes()).hexdigest() != sha256
        recorded = read_records(path)
    except OSError as problem:
        yield Problem(file, None, f"the file cannot be read: {problem.strerror}")
        return
    except BadFile as problem:
        yield Problem(file, None, f"the file was changed: {problem}")
        return
    if changed:
        yield Problem(file, None, "the file was changed: its SHA-256 is not the one in the store")
    if len(recorded) != len(stored):
        yield Problem(file, None, f"it has {len(recorded)} records where the store has {len(stored)} games")
    for game, piece in zip(stored, recorded, strict=False):
        try:
            check(piece, game, claim)
        except Wrong as problem:
            yield Problem(file, f"game {game.place + 1}, deal {game.game.deal}", str(problem))


def check(recorded: RecordText, stored: Stored, claim: Claim) -> None:
    """Play a game again; raise Wrong if it is not what the store and the key say."""
    game = stored.game
    deal = Proven(claim.key.deal(game.deal)) if claim.key else Listed()
    try:
        replay = Replay(recorded.text, lambda _: claim.rules, deal=deal)
        _check_header(replay, stored, claim)
        kinds = dict(_followed(replay, deal))
    except Invalid as problem:
        raise Wrong(f"line {problem.line + recorded.line - 1}: {problem.why}") from None
    seats = range(len(game.seating))
    outcome = replay.outcome or Outcome.INTERRUPTED
    scores, ranks = ((), ()) if outcome is Outcome.VOID else settle(replay.game, replay.offenders, outcome)
    assisted = tuple(
        seat
        for seat in seats
        if seat not in replay.offenders and not replay.offenders.isdisjoint(replay.game.partners(seat))
    )
    known = {seat: fault.kind.value for seat, fault in game.faults}
    _same("outcome", game.outcome.value, outcome.value)
    _same("scores", game.scores, scores)
    _same("ranks", game.ranks, ranks)
    _same("faults", tuple(known.get(seat, "") for seat in seats), tuple(kinds.get(seat, "") for seat in seats))
    _same("assisted seats", game.assisted, assisted)


def _check_header(replay: Replay, stored: Stored, claim: Claim) -> None:
    header, game = replay.header, stored.game
    names = tuple(entry.name for entry in entries.distinct(Entry(name, ()) for name in game.seating))
    program = None if header.program is None else header.program.sha256
    _same("game", claim.rules.NAME, header.game.name)
    _same("options", claim.options, replay.game.options)
    _same("program", getattr(replay.game, "PROGRAM_SHA256", None), program)
    _same("players", names, header.players.names)
    _same("deal", game.deal, header.deal and header.deal.number)
    _same("commitment", claim.commitment, header.deal and header.deal.commitment)


def _followed(replay: Replay, deal: Listed) -> Iterator[tuple[int, str]]:
    """Play to the end, with stand-ins playing as the key has them play; yield each fault."""
    chance: dict[int, random.Random] = {}
    for step in replay.steps():
        if isinstance(step, ReplayedFault):
            yield step.seat, step.kind
        elif isinstance(deal, Proven) and step.seat in replay.standing_in:
            dice = chance.setdefault(step.seat, random.Random(deal.keyed.stand_in(step.seat)))
            if replay.game.sample(dice) != step.play:
                raise Invalid(step.line, "this is not what the stand-in plays by the key")


def _same(what: str, stored: object, found: object) -> None:
    if stored != found:
        raise Wrong(f"the store has the {what} {_plain(stored)}, the record {_plain(found)}")


def _plain(value: object) -> str:
    return " ".join(str(part) or "-" for part in value) if isinstance(value, tuple) else str(value)
