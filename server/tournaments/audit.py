"""Audit: whether a tournament's chain holds, and whether all that was planned was played, once, and nothing else."""

from __future__ import annotations

from itertools import groupby, islice, zip_longest
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from croupier.server.deals import Key
from croupier.server.table.played import Names
from croupier.server.tournaments import founding
from croupier.server.tournaments.chain import sha256
from croupier.server.tournaments.config import Settings
from croupier.server.tournaments.ending import ending
from croupier.server.tournaments.folder import DATABASE
from croupier.server.tournaments.formats import schedule_for
from croupier.server.tournaments.formats.roster import Change, Roster
from croupier.server.tournaments.manifest import SETTINGS, drawn_otherwise, manifests, published
from croupier.server.tournaments.results import StoredResults
from croupier.server.tournaments.withdrawals import Withdrawals, is_withdrawal

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from croupier.server.games.game import Game
    from croupier.server.tournaments.chain import Link
    from croupier.server.tournaments.formats.schedule import Batch
    from croupier.server.tournaments.store import Store

Place = tuple[Names, int, Names]
"""A game by its pairing, deal and seating."""


MOST_MISSING = 100
"""Of one kind of problem in a schedule, how many are named."""
HELD_BACK = "all that was planned is played, and the key is not revealed: the same command, once more, reveals it"


class Problem(NamedTuple):
    """What is wrong, in which file, and in which of its games or where else if that is known."""

    file: str
    game: str | None
    why: str

    def __str__(self) -> str:
        return ": ".join(filter(None, self))


class Published(NamedTuple):
    """What has been published of a tournament, as far as it is known: anything else in the folder may be forged."""

    commitment: str | None = None
    public: str | None = None
    links: tuple[str, ...] = ()


def bound(store: Store, published: Published) -> Iterator[Problem]:
    """Compare what was published, and the facts of the store, with the chain, and the chain with itself."""
    links = store.chain()
    first = links[0].sha256 if links else None
    if published.commitment and published.commitment != first:
        yield Problem("manifest.json", None, f"the commitment is {first}, not the published {published.commitment}")
    for link in set(published.links) - {link.sha256 for link in links}:
        yield Problem(DATABASE, "the chain", f"there is no link {link}: what it was published for was changed")
    if not links:
        return
    yield from _chained(links)
    yield from _kept(store, links)
    yield from _files(store)
    yield from _facts(store, links, manifests(store)[-1].document if "manifest" in links[0].document else {})
    public = manifests(store)[-1].document.get("public") if manifests(store) else None
    if published.public is not None and published.public != public:
        yield Problem("manifest.json", None, f"the public text is {public!r}, not the published {published.public!r}")


def _chained(links: Iterable[Link]) -> Iterator[Problem]:
    before = None
    for number, link in enumerate(links, 1):
        where = f"link {number} of the chain"
        if sha256(link.text) != link.sha256:
            yield Problem(DATABASE, where, "it was changed: its SHA-256 is another")
        if link.document.get("after") != before:
            yield Problem(
                DATABASE, where, "it does not follow the one before: some were taken out, put in or exchanged"
            )
        if number == 1 and "manifest" not in link.document:
            yield Problem(DATABASE, where, "the chain does not begin with a manifest")
        before = link.sha256


def _kept(store: Store, links: Iterable[Link]) -> Iterator[Problem]:
    """Compare the batches of the chain with those that the store has."""
    wanted = [link.document for link in links if "batch" in link.document]
    for number, (batch, kept) in enumerate(zip_longest(wanted, store.batches()), 1):
        there = None if batch is None else (batch["batch"], batch.get("records"))
        if there != kept:
            names = [one[0] if one else "none" for one in (there, kept)]
            same = "is another file of records" if names[0] == names[1] else f"is {names[0]}, in the store {names[1]}"
            yield Problem(DATABASE, f"batch {number}", f"in the chain it {same}")
    digests = {file: (games, found) for file, games, found in store.digests()}
    for batch in wanted:
        if digests.get(batch["batch"], (0, "")) != (batch.get("played"), batch.get("games")):
            yield Problem(DATABASE, batch["batch"], "what the store says of its games was changed")


def _files(store: Store) -> Iterator[Problem]:
    for path, link in published(store):
        try:
            with path.open(encoding="utf-8") as file:
                same = file.read(len(link.text) + 1) == link.text
        except (OSError, ValueError) as problem:
            yield Problem(path.name, None, f"it cannot be read: {getattr(problem, 'strerror', None) or problem}")
        else:
            if not same:
                yield Problem(path.name, None, "it was changed: it is not what the tournament is bound to")


def _facts(store: Store, links: list[Link], manifest: Mapping[str, Any]) -> Iterator[Problem]:
    """Compare what the store says of the tournament with its last manifest."""
    settings = founding.settings_of(store)
    plain = msgspec.json.decode(msgspec.json.encode(settings))
    here: dict[str, Any] = {name: plain[name] for name in SETTINGS}
    here |= {"shadow": True} if settings.shadow else {}
    here |= {"key": store.fact("commitment"), "roster": [list(change) for change in store.fact("roster") or ()]}
    here["retired"] = sorted(version.name for version in store.versions() if version.retired)
    said = {name: manifest.get(name) for name in here}
    here["bots"] = [(bot.name, bot.title) for bot in settings.bots]
    said["bots"] = [(bot["name"], bot.get("title", "")) for bot in manifest["bots"]]
    for name, value in here.items():
        if value != said[name]:
            yield Problem(DATABASE, name, f"the store has {value}, the manifest {said[name]}")
    entered = {bot["name"]: bot["sha256"] for link in manifests(store) for bot in link.document["bots"]}
    for version in store.versions():
        if entered.get(version.name) != version.sha256:
            yield Problem(DATABASE, version.name, "no manifest has entered this program")
    ended = "end" in links[-1].document
    if ended != bool(store.fact("finished")):
        yield Problem(DATABASE, "finished", f"the store says {'no' if ended else 'yes'}, the chain the contrary")
    if any("end" in link.document for link in links) and store.fact("revealed") is None:
        yield Problem(DATABASE, "revealed", "the key was revealed, and has been taken out again")


def planned(
    store: Store, rules: type[Game], key: Key, played: Collection[Place], under: Mapping[Place, str]
) -> Iterator[Problem]:
    """Draw the schedule of each manifest again: each game stands in the one it was played under, and none is missing.

    ``under`` says of each game which manifest its record names, as far as it can be read.
    """
    versions: dict[str, str] = {}
    bonds = manifests(store)
    for link in bonds:
        if drawn_otherwise(link.document):
            continue
        playing = {bot["entry"]: bot["name"] for bot in link.document["bots"]}
        versions |= playing
        plan = _Plan(store, rules, key, link.document, dict(versions), playing)
        left = {place for place, manifest in under.items() if manifest == link.sha256}
        for batch in plan.batches():
            left.difference_update((batch.pairing, deal, seating) for seating, deal in batch.games())
            if not left:
                break
        for pairing, deals in _by_pairing(left):
            yield Problem(DATABASE, f"{deals} of {' '.join(pairing)}", "the schedule has no such games")
        if len(bonds) == 1:  # in an amended plan the batches are others
            yield from _first(_withdrawn(store, plan.settings.max_fault_share))
        if link is bonds[-1] and store.fact("finished"):
            yield from _first(plan.missing(played))
        elif link is bonds[-1] and not store.fact("revealed") and next(plan.missing(played), None) is None:
            yield Problem(DATABASE, "revealed", HELD_BACK)


def counted(store: Store, rules: type[Game], played: Collection[Place]) -> Iterator[Problem]:
    """Compare the numbers of games, without the key: a tournament that is over reveals it."""
    bonds = manifests(store)
    if drawn_otherwise(bonds[-1].document):
        return
    versions = {bot["entry"]: bot["name"] for link in bonds for bot in link.document["bots"]}
    playing = {bot["entry"]: bot["name"] for bot in bonds[-1].document["bots"]}
    plan = _Plan(store, rules, Key(b""), bonds[-1].document, versions, playing)
    if len(played) == plan.schedule.planned():
        yield Problem(DATABASE, "revealed", HELD_BACK)


def _withdrawn(store: Store, share: float) -> Iterator[Problem]:
    """Count faults again in the order in which batches were kept, which is the schedule's, however long they were.

    Nobody was withdrawn who had not committed too many before.
    """
    said = next(store.games("WHERE faults LIKE ? OR whys LIKE ? ", ('%"withdrawn"%', '%"withdrawn%')), None)
    gone = Withdrawals(share)
    for _, kept in groupby(store.games() if said is not None else (), key=lambda each: each.file):
        games = [each.game for each in kept]
        absent = gone.absent(name for game in games for name in game.seating)
        for game in games:
            for seat, fault in game.faults:
                if is_withdrawal(fault.kind.value, fault.why) and game.seating[seat] not in absent:
                    why = f"{game.seating[seat]} is said to have been withdrawn before it had committed faults enough"
                    yield Problem(DATABASE, f"deal {game.deal}, {' '.join(game.seating)}", why)
        for game in games:
            gone.note(game.seating, game.offenders)


def _first(problems: Iterator[Problem]) -> Iterator[Problem]:
    """Yield the first of many: of a plan that nobody can play to its end, almost all is missing."""
    yield from islice(problems, MOST_MISSING)
    if next(problems, None) is not None:
        yield Problem(DATABASE, None, "and much more of the same")


class _Plan:
    """The schedule of a manifest."""

    def __init__(
        self,
        store: Store,
        rules: type[Game],
        key: Key,
        manifest: Mapping[str, Any],
        versions: dict[str, str],
        playing: dict[str, str],
    ) -> None:
        bots = [{"name": bot["name"], "builtin": bot["entry"]} for bot in manifest["bots"]]
        self.settings = msgspec.convert(
            {name: manifest[name] for name in SETTINGS if name in manifest} | {"bots": bots}, Settings
        )
        roster = Roster(tuple(Change(*change) for change in manifest["roster"]), versions)
        self.store, self.rules, self.playing = store, rules, playing
        self.schedule = schedule_for(self.settings, rules, Key(key.secret, self.settings.public), roster)
        self.results = StoredResults(store, self.schedule, playing, low_wins=rules.LOW_WINS)

    def batches(self) -> Iterator[Batch]:
        """Yield all batches, for the versions that played under this manifest."""
        for batches in self.schedule.rounds(self.results):
            for batch in batches:
                if self.schedule.adaptive:
                    yield batch.played_by(tuple(self.playing[name] for name in batch.pairing))
                else:
                    yield batch

    def missing(self, played: Collection[Place]) -> Iterator[Problem]:
        """Name what should have been played, by who is entered, to the end or until all was sure."""
        here, asked = set(self.playing.values()), ending(self.rules, self.settings)
        for batches in self.schedule.rounds(self.results):
            for planned_batch in batches:
                batch = self.results.seated(planned_batch) if self.schedule.adaptive else planned_batch
                if not asked.wants(batch.pairing):
                    continue
                if here.issuperset(batch.pairing) or self.schedule.adaptive:
                    wanted = {(batch.pairing, deal, seating) for seating, deal in batch.games()}
                    for pairing, deals in _by_pairing(wanted.difference(played)):
                        yield Problem(DATABASE, f"{deals} of {' '.join(pairing)}", "these were planned and are missing")
                if self.settings.ends_early:
                    asked.note(self.store.counting_of(batch.pairing, batch.deals))
            if asked.look():
                return


def _by_pairing(places: Iterable[Place]) -> Iterator[tuple[Names, str]]:
    """Yield each pairing of some games with how many there are, and of which deals."""
    for pairing, found in groupby(sorted(places), key=lambda place: place[0]):
        deals = [deal for _, deal, _ in found]
        first, last = deals[0], deals[-1]
        which = f"deal {first}" if first == last else f"deals {first} to {last}"
        yield pairing, f"{len(deals)} game{'s' * (len(deals) > 1)} of {which}"
