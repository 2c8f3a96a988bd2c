"""Verify: every shuffle from the key, every game by the rules, every score counted again, every set of the schedule.

Needs only the tournament's folder, no bots.
"""

from __future__ import annotations

import hashlib
import random
import re
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from croupier.protocol.record import MAX_STRING, quote
from croupier.server.deals import Listed, Proven
from croupier.server.entries import distinct_names
from croupier.server.records.answers import course
from croupier.server.records.files import BadFile, read_records
from croupier.server.records.replay import Invalid, Replay, ReplayedFault
from croupier.server.table.faults import Outcome, Policy, settle
from croupier.server.table.luck_tally import LuckTally
from croupier.server.tournaments.entering import founding
from croupier.server.tournaments.entering.fingerprint import source
from croupier.server.tournaments.formats.schedule import ScheduleError
from croupier.server.tournaments.keeping.folder import RECORDS
from croupier.server.tournaments.proof.audit import Problem, Published, check_chain, check_counts, check_plan
from croupier.server.tournaments.proof.bond import Bond

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from croupier.protocol.sexp import Atom
    from croupier.server.deals import Key
    from croupier.server.games.game import Game
    from croupier.server.records.files import RecordText
    from croupier.server.tournaments.keeping.chain import Link
    from croupier.server.tournaments.keeping.store import Store, Stored
    from croupier.server.tournaments.proof.audit import Place


@dataclass
class Verification:
    """The verdict on a tournament's records."""

    files: int = 0
    games: int = 0
    revealed: bool = False
    known: bool = False
    """Whether the key is known here, even before it is revealed."""
    finished: bool = False
    bond: Bond = field(default_factory=lambda: Bond(None, ()))
    public: str = ""
    link: str | None = None
    problems: list[Problem] = field(default_factory=list)
    unweighed: int = 0
    """Games whose manifest has another table of luck, so that their luck cannot be compared."""

    @property
    def valid(self) -> bool:
        """Return whether nothing is wrong."""
        return not self.problems

    def document(self) -> dict[str, object]:
        """Return it in the form of ``verify --json``."""
        return {
            "valid": self.valid,
            "finished": self.finished,
            "files": self.files,
            "games": self.games,
            "key": "revealed" if self.revealed else "withheld",
            **self.bond.document(),
            "public": self.public,
            "link": self.link,
            "luck_not_checked": self.unweighed,
            "problems": [problem._asdict() for problem in self.problems],
        }


NOTHING = Published()
_UNWRITTEN = re.compile("(?:[^ -~]|[?])+")
"""Text that a record writes as bytes, and the store shows as question marks."""


class Taken(NamedTuple):
    """A game that is said to be a copy: its place and its course."""

    file: str
    game: str
    course: tuple[int, int]


class Wrong(Exception):
    """A game that is not what its record or the store says; the message says why."""


@dataclass(frozen=True)
class Claim:
    """What a tournament claims about all its games."""

    rules: type[Game]
    options: dict[str, Atom]
    commitments: dict[int, str]
    """Each key's commitment, by its first deal."""
    key: Key | None
    policy: str | None
    manifests: frozenset[str] = frozenset()
    shadow: bool = False
    """Whether games may have been copied from others."""
    in_force: Mapping[str, str] = field(default_factory=dict)
    """The manifest under which each file of records was played, by the chain."""
    played: dict[Place, str] = field(default_factory=dict)
    """The file of each game."""
    under: dict[Place, str] = field(default_factory=dict)
    """The manifest that each game's record names."""
    lucky: frozenset[str] = frozenset()
    """The manifests whose definition of luck is that of the rules here."""
    taken: list[Taken] = field(default_factory=list)
    """The copied games."""
    courses: set[tuple[int, int]] = field(default_factory=set)
    """The courses of the other games: their deals, and the hash of their plays."""


def verify(
    store: Store, published: Published = NOTHING, tell: Callable[[int], None] = lambda games: None
) -> Verification:
    """Check a tournament; ``tell`` is called with the number of games after each file."""
    claim = _claim(store)
    revealed = store.fact("revealed") is not None
    verdict = Verification(revealed=revealed, finished=bool(store.fact("finished")), bond=Bond.of(store))
    verdict.known = claim.key is not None
    verdict.public, verdict.link = founding.settings_of(store).public, store.last_link()
    verdict.problems += check_chain(store, claim.rules, published)
    for first, commitment in claim.commitments.items():
        if claim.key is not None and (found := claim.key.of(first).commitment) != commitment:
            why = f"the revealed key is not the one committed to: its SHA-256 is {found}"
            verdict.problems.append(Problem("tournament.db", None, why))
    promised = dict(store.batches())
    for file, stored in groupby(store.games(), key=lambda game: game.file):
        games_here = list(stored)
        claim.played.update(dict.fromkeys(map(_place, games_here), file))
        verdict.problems += _file(store, file, promised.pop(file), games_here, claim)
        verdict.files += 1
        verdict.games += len(games_here)
        tell(verdict.games)
    verdict.problems += [Problem(file, None, "the store has no games of it") for file in promised]
    verdict.problems += (
        Problem(taken.file, taken.game, "it was taken over, and of the games of its deal that were played none goes so")
        for taken in claim.taken
        if taken.course not in claim.courses
    )
    if claim.manifests:
        verdict.problems += _check_schedule(store, claim)
    verdict.unweighed = sum(bool(claim.rules.LUCK) and under not in claim.lucky for under in claim.under.values())
    return verdict


def _place(stored: Stored) -> Place:
    return stored.game.pairing, stored.game.deal, stored.game.seating


def _check_schedule(store: Store, claim: Claim) -> list[Problem]:
    """Check the games against the schedule; a stranger's manifest may describe none."""
    try:
        if claim.key is None:
            return list(check_counts(store, claim.rules, claim.played))
        return list(check_plan(store, claim.rules, claim.key, claim.played, claim.under))
    except (msgspec.MsgspecError, ScheduleError, LookupError) as problem:
        return [Problem("manifest.json", None, f"no schedule can be drawn by it: {problem}")]


def _claim(store: Store) -> Claim:
    settings = founding.settings_of(store)
    rules = founding.rules_of(store, settings)
    links = store.chain_state().manifests
    return Claim(
        rules,
        rules.read_options(settings.options),
        founding.commitments(store),
        founding.known_key(store, settings.public),
        settings.on_fault,
        frozenset(link.sha256 for link in links),
        in_force={file: tenure.link.sha256 for tenure in store.chain_state().tenures for file in tenure.files},
        lucky=frozenset(link.sha256 for link in links if _says_the_same_of_luck(link, rules)),
        shadow=any(link.document.get("shadow") for link in links),
    )


def _says_the_same_of_luck(link: Link, rules: type[Game]) -> bool:
    return bool(rules.LUCK) and link.document.get("luck") == source(rules.LUCK)


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
        _note_course(game, piece, claim)
        try:
            check(piece, game, claim)
        except Wrong as problem:
            yield Problem(file, f"game {game.place + 1}, deal {game.game.deal}", str(problem))


def _note_course(stored: Stored, recorded: RecordText, claim: Claim) -> None:
    """Note the course of a game, if games may be copied from others."""
    if not claim.shadow:
        return
    game = stored.game
    went = game.deal, hash(course(recorded.text))
    if game.shadow:
        claim.taken.append(Taken(stored.file, f"game {stored.place + 1}, deal {game.deal}", went))
    else:
        claim.courses.add(went)


def check(recorded: RecordText, stored: Stored, claim: Claim) -> None:
    """Replay a game; raise Wrong if it is not what the store and the key say."""
    game = stored.game
    lucky = LuckTally(claim.rules, len(game.seating))
    deal = Proven(claim.key.deal(game.deal), lucky.watch) if claim.key else Listed(lucky.watch)
    try:
        replay = Replay(recorded.text, lambda _: claim.rules, deal=deal)
        lucky.game = replay.game
        _check_header(replay, stored, claim)
        faults = {fault.seat: fault for fault in _play_out(replay, deal)}
    except Invalid as problem:
        raise Wrong(f"line {problem.line + recorded.line - 1}: {problem.why}") from None
    seats = range(len(game.seating))
    outcome = replay.outcome or Outcome.INTERRUPTED
    _check_end(replay, outcome, claim)
    scores, ranks = ((), ()) if outcome is Outcome.VOID else settle(replay.game, replay.offenders, outcome)
    assisted = tuple(
        seat
        for seat in seats
        if seat not in replay.offenders and not replay.offenders.isdisjoint(replay.game.partners(seat))
    )
    known = {seat: fault.kind.value for seat, fault in game.faults}
    causes = {seat: fault.why for seat, fault in game.faults}
    _same("outcome", game.outcome.value, outcome.value)
    _same("scores", game.scores, scores)
    _same("ranks", game.ranks, ranks)
    _same("faults", tuple(known.get(seat, "") for seat in seats), _kinds(faults, seats))
    for seat, fault in faults.items():
        if not _tells(fault.why, causes[seat]):
            raise Wrong(f"the store has the cause of a fault {causes[seat]!r}, the record {fault.why!r}")
    _same("assisted seats", game.assisted, assisted)
    if replay.header.manifest is not None and replay.header.manifest.sha256 in claim.lucky:
        _same("luck of the shuffles", game.luck, lucky.gains)


def _check_header(replay: Replay, stored: Stored, claim: Claim) -> None:
    header, game = replay.header, stored.game
    names = distinct_names(game.seating)
    program = None if header.program is None else header.program.sha256
    _same("game", claim.rules.NAME, header.game.name)
    _same("options", claim.options, replay.game.options)
    _same("program", getattr(replay.game, "PROGRAM_SHA256", None), program)
    _same("players", names, header.players.names)
    _same("deal", game.deal, header.deal and header.deal.number)
    commitment = claim.commitments[max(first for first in claim.commitments if first <= game.deal)]
    _same("commitment", commitment, header.deal and header.deal.commitment)
    _same("mark of a game that nobody played", game.shadow, header.shadow is not None)
    if game.shadow and not claim.shadow:
        raise Wrong("nobody has played it, and no manifest allows that")
    if claim.manifests:
        under = header.manifest.sha256 if header.manifest else "none"
        if under not in claim.manifests or under != claim.in_force.get(stored.file, under):
            raise Wrong(f"the record is bound to another manifest: {under}")
        claim.under[_place(stored)] = under


def _check_end(replay: Replay, outcome: Outcome, claim: Claim) -> None:
    """Raise Wrong if a game ended in a way that neither the rules nor its faults explain."""
    forfeits = (claim.policy or Policy.default(len(replay.game.players)).value) == Policy.FORFEIT.value
    if outcome is Outcome.INTERRUPTED:
        raise Wrong("the game was cut off: a tournament keeps none that was interrupted")
    if outcome is Outcome.VOID and not replay.game.void:
        raise Wrong("the game was declared void: by the rules it is not")
    if (outcome is Outcome.FORFEIT and not forfeits) or (replay.standing_in and forfeits):
        raise Wrong("what followed a fault is not what the manifest says")


def _kinds(faults: Mapping[int, ReplayedFault], seats: Iterable[int]) -> tuple[str, ...]:
    return tuple(faults[seat].kind if seat in faults else "" for seat in seats)


def _tells(recorded: str, why: str) -> bool:
    """Return whether a record's fault has this cause; measurements may follow, and a long one is truncated."""
    told, cause = (_UNWRITTEN.sub("?", text) for text in (recorded, why))
    return f"{told}; ".startswith(f"{cause}; ") or (len(quote(recorded)) > MAX_STRING - 8 and cause.startswith(told))


def _play_out(replay: Replay, deal: Listed) -> Iterator[ReplayedFault]:
    """Play to the end, with stand-ins playing as the key decides; yield each fault."""
    chance: dict[int, random.Random] = {}
    for step in replay.steps():
        if isinstance(step, ReplayedFault):
            yield step
        elif isinstance(deal, Proven) and step.seat in replay.standing_in:
            dice = chance.setdefault(step.seat, random.Random(deal.keyed.stand_in(step.seat)))
            if replay.game.sample(dice) != step.play:
                raise Invalid(step.line, "this is not what the stand-in plays by the key")


def _same(what: str, stored: object, found: object) -> None:
    if stored != found:
        raise Wrong(f"the store has the {what} {_plain(stored)}, the record {_plain(found)}")


def _plain(value: object) -> str:
    return " ".join(str(part) or "-" for part in value) if isinstance(value, tuple) else str(value)
