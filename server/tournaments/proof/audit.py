"""Audit: whether a tournament's chain is intact, and all of the schedule was played, once, and nothing else."""

from __future__ import annotations

import hashlib
import json
from itertools import chain, groupby, islice, zip_longest
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from croupier.protocol.notifications import OWN
from croupier.server.deals import Key
from croupier.server.table.played_game import Names
from croupier.server.tournaments.config.settings import Settings
from croupier.server.tournaments.entering import founding
from croupier.server.tournaments.entering.manifest import facts, is_drawn_otherwise, published_files
from croupier.server.tournaments.entering.scheduling import StoredResults, schedule_for
from croupier.server.tournaments.formats.roster import Change, Roster
from croupier.server.tournaments.keeping import stderr_and_notes
from croupier.server.tournaments.keeping.chain import PUBLIC_FORM_SINCE, SETTINGS, BadEvent, sha256, written
from croupier.server.tournaments.keeping.folder import DATABASE
from croupier.server.tournaments.playing.withdrawals import Withdrawals, is_withdrawal
from croupier.server.tournaments.statistics.ending import ending

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from croupier.server.games.game import Game
    from croupier.server.table.played_game import PlayedGame
    from croupier.server.tournaments.formats.schedule import Batch
    from croupier.server.tournaments.keeping.chain import Link, Played, Tenure
    from croupier.server.tournaments.keeping.store import Store

Place = tuple[Names, int, Names]
"""A game by its pairing, deal and seating."""


MOST_MISSING = 100
"""At most this many problems of one kind in a schedule are reported."""
HELD_BACK = "all that was planned is played, and the key is not revealed: the same command, once more, reveals it"


class Problem(NamedTuple):
    """A problem, its file, and its game or other place if that is known."""

    file: str
    game: str | None
    why: str

    def __str__(self) -> str:
        return ": ".join(filter(None, self))


class Published(NamedTuple):
    """Published facts about a tournament, as far as they are known; anything else in the folder may be forged."""

    commitment: str | None = None
    public: str | None = None
    links: tuple[str, ...] = ()


def check_chain(store: Store, rules: type[Game], published: Published) -> Iterator[Problem]:
    """Compare what was published, and the facts of the store, with the chain, and the chain with itself."""
    links = store.chain()
    first = links[0].sha256 if links else None
    if published.commitment and published.commitment != first:
        yield Problem("manifest.json", None, f"the commitment is {first}, not the published {published.commitment}")
    for link in set(published.links) - {link.sha256 for link in links}:
        yield Problem(DATABASE, "the chain", f"there is no link {link}: what it was published for was changed")
    if not links:
        return
    yield from _check_links(links)
    yield from _check_events(store)
    state = store.chain_state()
    yield from _check_batches(store, state.batches)
    yield from _check_beside_records(store, state.batches)
    yield from _check_manifest_files(store)
    if state.tenures:
        yield from _check_facts(store, rules)
    public = state.manifest.get("public")
    if published.public is not None and published.public != public:
        yield Problem("manifest.json", None, f"the public text is {public!r}, not the published {published.public!r}")


def _check_links(links: Iterable[Link]) -> Iterator[Problem]:
    before = None
    for number, link in enumerate(links, 1):
        where = f"link {number} of the chain"
        if sha256(link.text) != link.sha256:
            yield Problem(DATABASE, where, "it was changed: its SHA-256 is another")
        if link.document.get("after") != before:
            yield Problem(
                DATABASE, where, "it does not follow the one before: some were taken out, put in or exchanged"
            )
        before = link.sha256


def _check_events(store: Store) -> Iterator[Problem]:
    """Fold the chain: each link may change only what its kind allows."""
    for number, (state, _, event) in enumerate(store.history(), 1):
        whys = [event.why] if isinstance(event, BadEvent) else state.objections(event)
        yield from (Problem(DATABASE, f"link {number} of the chain", why) for why in whys)


def _check_batches(store: Store, wanted: Collection[Played]) -> Iterator[Problem]:
    """Compare the batches of the chain with those in the store."""
    for number, (batch, kept) in enumerate(zip_longest(wanted, store.batches()), 1):
        there = None if batch is None else (batch.batch, batch.records)
        if there != kept:
            names = [one[0] if one else "none" for one in (there, kept)]
            same = "is another file of records" if names[0] == names[1] else f"is {names[0]}, in the store {names[1]}"
            yield Problem(DATABASE, f"batch {number}", f"in the chain it {same}")
    digests = {file: (games, found) for file, games, found in store.digests()}
    dealt = store.deals()
    for batch in wanted:
        if digests.get(batch.batch, (0, "")) != (batch.played, batch.games):
            yield Problem(DATABASE, batch.batch, "what the store says of its games was changed")
        if batch.deals is not None and batch.deals != dealt.get(batch.batch):
            yield Problem(DATABASE, batch.batch, f"the chain has other deals of it: {batch.deals}")


def _check_beside_records(store: Store, batches: Collection[Played]) -> Iterator[Problem]:
    """Compare the files beside the records, and the CPU time off turn, with the batches' links."""
    batches = [batch for batch in batches if batch.kept is not None]  # older versions bound neither
    spent: dict[str, float] = {}
    for name, seconds in chain.from_iterable((batch.burnt or {}).items() for batch in batches):
        spent[name] = spent.get(name, 0.0) + seconds
    if batches and spent != store.burnt():
        yield Problem(DATABASE, "burnt", "the CPU time while others were on turn is not what the batches say")
    said = {path: digest for batch in batches for path, digest in (batch.kept or {}).items()}
    here = {str(path.relative_to(store.folder)): path for path in stderr_and_notes.files(store.folder)}
    for path, digest in said.items():
        if path not in here:
            yield Problem(path, None, "it was kept beside the records, and is missing")
        elif hashlib.sha256(here[path].read_bytes()).hexdigest() != digest:
            yield Problem(path, None, "it was changed: its SHA-256 is not the one in the chain")
    files = {batch.batch for batch in batches}
    for path in sorted(here.keys() - said.keys()):
        if stderr_and_notes.batch_of(here[path]) in files:
            yield Problem(path, None, "it was put in: its batch has kept no such file")


def _check_manifest_files(store: Store) -> Iterator[Problem]:
    for path in sorted({*store.folder.glob("manifest*.json")} - {path for path, _ in published_files(store)}):
        yield Problem(path.name, None, "it was put in: the chain has no such manifest")
    for path, link in published_files(store):
        try:
            with path.open(encoding="utf-8") as file:
                same = file.read(len(link.text) + 1) == link.text
        except (OSError, ValueError) as problem:
            yield Problem(path.name, None, f"it cannot be read: {getattr(problem, 'strerror', None) or problem}")
        else:
            if not same:
                yield Problem(path.name, None, "it was changed: it is not what the tournament is bound to")


def _check_facts(store: Store, rules: type[Game]) -> Iterator[Problem]:
    """Compare all facts of the store with the tournament's last manifest."""
    here, state = _stored_facts(store, rules), store.chain_state()
    manifest = state.manifest
    said = {name: manifest.get(name) for name in here}
    said["bots"] = [_bot(bot) for bot in manifest["bots"]]
    said |= {"shadow": bool(said["shadow"]), "goes_on": bool(said["goes_on"])}
    if manifest["manifest"] < PUBLIC_FORM_SINCE:
        del here["public_form"]
    for name, value in here.items():
        if value != said[name]:
            yield Problem(DATABASE, name, f"the store has {value}, the manifest {said[name]}")
    # the settings of earlier runs, with the format's effects on them
    for name, value in (store.fact("settings") or {}).items():
        if name in manifest and value != manifest[name]:
            yield Problem(DATABASE, f"settings: {name}", f"the store has {value}, the manifest {manifest[name]}")
    seeds = {store.fact("seed"), None if (seed := founding.settings_of(store).seed) is None else str(seed)}
    for known in seeds - {None}:
        if Key.from_seed(str(known)).commitment != manifest["key"]:
            yield Problem(DATABASE, "seed", f"the key that the manifest binds is not that of the seed {known}")
    entered = {(bot["name"], bot["entry"], bot["sha256"]) for bot in state.programs.values()}
    for version in store.versions():
        if (version.name, version.entry, version.sha256) not in entered:
            yield Problem(DATABASE, version.name, "no manifest has entered this program")
    yield from _check_end(store)


def _stored_facts(store: Store, rules: type[Game]) -> dict[str, Any]:
    """Return the store's facts that a manifest binds and that the store contains."""
    settings = founding.settings_of(store)
    entry_of = {version.name: version.entry for version in store.versions()}
    bots = [_bot({**msgspec.to_builtins(bot), "entry": entry_of.get(bot.name, "")}) for bot in settings.bots]
    found = json.loads(written(facts(store, settings, rules)))
    unless_off = {"shadow": settings.shadow, "budget": settings.budget, "goes_on": settings.goes_on}
    return {**found, "shuffles": store.fact("shuffles"), **unless_off, "bots": bots}


def _bot(bot: Mapping[str, Any]) -> tuple[str, str, str, bool, str]:
    return bot["name"], bot["entry"], bot.get("title", ""), bot.get("network", False), bot.get("sight", OWN)


def _check_end(store: Store) -> Iterator[Problem]:
    """Compare the store's facts about the end with the chain."""
    state, revealed = store.chain_state(), store.fact("revealed")
    if state.over != bool(store.fact("finished")):
        yield Problem(DATABASE, "finished", f"the store says {'no' if state.over else 'yes'}, the chain the contrary")
    if state.secrets and revealed is None:
        yield Problem(DATABASE, "revealed", "the key was revealed, and has been taken out again")
    elif revealed is not None and revealed != state.secrets.get("1"):
        yield Problem(DATABASE, "revealed", "the store has another key than an end has revealed")


def check_plan(
    store: Store, rules: type[Game], key: Key, played: Mapping[Place, str], under: Mapping[Place, str]
) -> Iterator[Problem]:
    """Draw the schedule of each manifest again: each game must belong to its manifest's, and none may be missing.

    ``played`` has each game's file, ``under`` the manifest that its record names, as far as it can be read.
    """
    versions: dict[str, str] = {}
    shares: dict[str, float] = {}
    before: set[Place] = set()
    every = store.chain_state().tenures
    for tenure in every:
        files = {*tenure.files}
        before |= {place for place, file in played.items() if file in files}
        versions |= tenure.playing
        if is_drawn_otherwise(tenure.manifest):
            continue
        plan = _Plan(store, rules, key, tenure, dict(versions))
        left = {place for place, manifest in under.items() if manifest == tenure.link.sha256}
        for batch in plan.batches():
            left.difference_update((batch.pairing, deal, seating) for seating, deal in batch.games())
            if not left:
                break
        for pairing, deals in _by_pairing(left):
            yield Problem(DATABASE, f"{deals} of {' '.join(pairing)}", "the schedule has no such games")
        shares |= dict.fromkeys(files, plan.settings.max_fault_share)
        last = tenure is every[-1]
        if tenure.ended or (last and store.fact("finished")):
            yield from _first(plan.missing(before if tenure.ended else played))
        elif last and not (store.fact("revealed") or tenure.manifest.get("goes_on") or any(plan.missing(played))):
            yield Problem(DATABASE, "revealed", HELD_BACK)
    yield from _first(_check_withdrawals(store, shares))


def check_counts(store: Store, rules: type[Game], played: Collection[Place]) -> Iterator[Problem]:
    """Compare the numbers of games and the withdrawals, which does not need the key before it is revealed."""
    every = store.chain_state().tenures
    if is_drawn_otherwise(every[-1].manifest):
        return
    versions = {entry: name for tenure in every for entry, name in tenure.playing.items()}
    plan = _Plan(store, rules, Key(b""), every[-1], versions)
    if len(played) == plan.schedule.planned_games() and not every[-1].manifest.get("goes_on"):
        yield Problem(DATABASE, "revealed", HELD_BACK)
    files = (file for tenure in every for file in tenure.files)
    yield from _first(_check_withdrawals(store, dict.fromkeys(files, plan.settings.max_fault_share)))


def _check_withdrawals(store: Store, shares: Mapping[str, float]) -> Iterator[Problem]:
    """Count faults again in the order in which batches were kept: exactly those with too many must be withdrawn.

    ``shares`` has the allowed share of faulted games, for each file that is judged.
    """
    if not any(offenders for _, offenders, _ in store.offenders()):
        return
    batches = {batch.batch: batch for batch in store.chain_state().batches}
    gone = Withdrawals(max(shares.values(), default=1))
    counted: set[Place] = set()
    for file, kept in groupby(store.games(), key=lambda each: each.file):
        games = [each.game for each in kept]
        if file in shares and file in batches:
            gone.share = shares[file]
            pairing, part_of = games[0].pairing, batches[file].part_of
            known = store.games_on(pairing, range(part_of[0], part_of[1] + 1)) if part_of else {}
            before = {place: known[place] for place in known if (pairing, *place[::-1]) in counted}
            absent = gone.absent(pairing, before)
            for game in games:
                where = f"deal {game.deal}, {' '.join(game.seating)}"
                for name in sorted(_away(game) - absent.keys()):
                    why = f"{name} is said to have been withdrawn before it had committed faults enough"
                    yield Problem(DATABASE, where, why)
                # older versions did not bind of which batch these games are a part
                for name in sorted(absent.keys() - _away(game)) if part_of else ():
                    yield Problem(DATABASE, where, f"{name} should have been withdrawn: it had {absent[name]}")
        for game in games:
            gone.note(game.seating, game.offenders)
            counted.add((game.pairing, game.deal, game.seating))


def _away(game: PlayedGame) -> set[str]:
    """Return which players are recorded as withdrawn before a game."""
    return {game.seating[seat] for seat, fault in game.faults if is_withdrawal(fault.kind.value, fault.why)}


def _first(problems: Iterator[Problem]) -> Iterator[Problem]:
    """Yield the first items of many: a plan that nobody can finish is almost entirely missing."""
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
        tenure: Tenure,
        versions: dict[str, str],
    ) -> None:
        manifest, playing = tenure.manifest, tenure.playing
        bots = [{"name": bot["name"], "builtin": bot["entry"]} for bot in manifest["bots"]]
        self.settings = msgspec.convert(
            {name: manifest[name] for name in SETTINGS if name in manifest} | {"bots": bots}, Settings
        )
        roster = Roster(tuple(Change(*change) for change in manifest["roster"]), versions)
        self.store, self.rules, self.playing = store, rules, playing
        self.schedule = schedule_for(self.settings, rules, Key(key.secret, self.settings.public), roster)
        gone = set(manifest["retired"])
        self.results = StoredResults(store, self.schedule, playing, low_wins=rules.LOW_WINS, retired=gone)

    def batches(self) -> Iterator[Batch]:
        """Yield all batches, for the versions that played under this manifest."""
        for batches in self.schedule.rounds(self.results):
            for batch in batches:
                if self.schedule.adaptive:
                    yield batch.with_versions(tuple(self.playing[name] for name in batch.pairing))
                else:
                    yield batch

    def missing(self, played: Collection[Place]) -> Iterator[Problem]:
        """Return the missing games, given who is entered, to the end or until the results were clear."""
        here, asked = set(self.playing.values()), ending(self.rules, self.settings)
        for batches in self.schedule.rounds(self.results):
            for planned_batch in batches:
                batch = self.results.with_versions(planned_batch) if self.schedule.adaptive else planned_batch
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
    """Yield each pairing of some games with the number of them and their deals."""
    for pairing, found in groupby(sorted(places), key=lambda place: place[0]):
        deals = [deal for _, deal, _ in found]
        first, last = deals[0], deals[-1]
        which = f"deal {first}" if first == last else f"deals {first} to {last}"
        yield pairing, f"{len(deals)} game{'s' * (len(deals) > 1)} of {which}"
