"""Bond: what a tournament is bound to, what was changed later, and the sandbox of its bots, for people to read."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from croupier.protocol.notifications import OWN
from croupier.server.entries import sight_lines
from croupier.server.tournaments.entering.manifest import is_drawn_otherwise
from croupier.server.tournaments.keeping.chain import FORMAT, OF_A_BOT, Bound, Ended, Renewed
from croupier.server.tournaments.keeping.rows import SHADOW

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from croupier.server.tournaments.keeping.chain import Played
    from croupier.server.tournaments.keeping.store import Store

SILENT = {"after", "files", "manifest", "roster", "bots", "retired"}


BOUND_SINCE_2 = (
    "the form of the public text", "sandbox level", "isolation", "CPU time off turn", "standard error", "notes",
)  # fmt: skip
BOUND_SINCE_3 = ("of which deals a batch is a part",)
UNBOUND = "an earlier croupier began this chain, which does not bind: "
NEVER_BOUND = "dates"
"""They are from events.jsonl, which is a log."""
OLDER = (
    "an earlier croupier drew the tables of this tournament by other rules, which cannot be repeated: whether all that"
    " was planned has been played is not checked"
)
WITHOUT = (
    "this tournament has no manifest, as an earlier croupier began it: nothing binds its bots, its number of deals or"
    " its rule for stopping, and whether all that was planned has been played cannot be checked"
)


TAKEN_OVER = (
    "were not played but taken over from others of their deals: whoever sits elsewhere in them was asked each decision,"
    " and answered the same"
)


class Amendment(NamedTuple):
    """A change after the commitment, and when it was made."""

    games: int
    """The number of games kept before."""
    commitment: str
    changes: tuple[str, ...]

    def document(self) -> dict[str, Any]:
        """Return the amendment in the form of ``standings --json``."""
        return {"games": self.games, "commitment": self.commitment, "changes": self.changes}

    def lines(self) -> list[str]:
        """Return the lines for a person."""
        return [f"after {self.games} games: {change}" for change in self.changes]


class Bond(NamedTuple):
    """What a tournament is bound to; one without a commitment was begun by a version without manifests."""

    commitment: str | None
    amendments: tuple[Amendment, ...]
    older: bool = False
    """Whether an older version drew its tables, by rules of its own."""
    shadowed: int = 0
    """How many games were copied, not played."""
    unbound: tuple[str, ...] = ()
    """What later manifests bind, and this one does not."""

    @classmethod
    def of(cls, store: Store) -> Bond:
        """Read it from the chain."""
        links, manifest = store.chain_state().manifests, store.chain_state().manifest
        older = bool(links) and is_drawn_otherwise(manifest)
        shadowed = sum(stored.game.shadow for stored in store.games("WHERE whys LIKE ? ", (f'%"{SHADOW}",""%',)))
        number = manifest.get("manifest", FORMAT)
        unbound = (*(BOUND_SINCE_2 if number < 2 else ()), *(BOUND_SINCE_3 if number < 3 else ()))
        return cls(links[0].sha256 if links else None, tuple(_amendments(store)), older, shadowed, unbound)

    def document(self) -> dict[str, Any]:
        """Return it in the form of ``standings --json``."""
        amended = [amendment.document() for amendment in self.amendments]
        shadowed = {"shadowed": self.shadowed} if self.shadowed else {}
        older = {"older": True} if self.older else {}
        unbound = [*self.unbound, NEVER_BOUND]
        return {"commitment": self.commitment, "amendments": amended, "not_bound": unbound, **older, **shadowed}

    def lines(self) -> list[str]:
        """Return the lines for a person."""
        if self.commitment is None:
            return [WITHOUT]
        lines = [line for amendment in self.amendments for line in amendment.lines()]
        taken = [f"{self.shadowed} games {TAKEN_OVER}"] if self.shadowed else []
        unbound = [f"{UNBOUND}{', '.join(self.unbound)}"] if self.unbound else []
        return [*lines, *([OLDER] if self.older else []), *unbound, *taken]


class Confinement(NamedTuple):
    """The sandbox of a tournament's bots, and which versions may do or know more than others."""

    levels: list[str]
    network: list[str]
    isolate: list[str]
    sights: Mapping[str, str] = MappingProxyType({})
    """What the versions are told that are told more than their own cards."""
    bound: bool = True
    """Whether the chain binds levels and isolation; older versions only logged the levels, or not even them."""

    @classmethod
    def of(cls, store: Store) -> Confinement:
        """Read it from the chain."""
        state = store.chain_state()
        named = [bot for tenure in state.tenures for bot in tenure.manifest["bots"]]
        network = sorted({bot["name"] for bot in named if bot.get("network")})
        sights = {bot["name"]: bot["sight"] for bot in named if bot.get("sight", OWN) != OWN}
        batches = state.batches
        levels, isolate = (_each(batches, how) for how in ("sandbox", "isolate"))
        if batches and not levels:
            return cls(store.fact("levels") or [], network, [], sights, bound=False)
        return cls(levels, network, isolate, sights)

    def document(self) -> dict[str, Any]:
        """Return it in the form of ``standings --json``."""
        sights = {"sights": dict(self.sights)} if self.sights else {}
        return {"sandbox": self.levels, "isolate": self.isolate, "network": self.network, **sights}

    def lines(self) -> list[str]:
        """Return the lines for a person."""
        noted = "" if self.bound else " (not bound)"
        shut_in = [f"sandbox: {', then '.join(self.levels)}{noted}"] if self.levels else []
        apart = [f"isolate: {', then '.join(self.isolate)}"] if "strict" in self.isolate else []
        network = [f"may use the network: {', '.join(self.network)}"] if self.network else []
        return [*shut_in, *apart, *network, *sight_lines(self.sights)]


def _each(batches: Iterable[Played], how: str) -> list[str]:
    """Return the batches' facts about how they were played, each different value once."""
    return list(dict.fromkeys(said for batch in batches if (said := getattr(batch, how)) is not None))


def _amendments(store: Store) -> Iterator[Amendment]:
    revealed = ""
    for state, link, event in store.history():
        if isinstance(event, Bound) and state.tenures:
            changes = tuple(f"{change}{revealed}" for change in differences(state.manifest, link.document))
            yield Amendment(state.games, link.sha256, changes or ("the manifest was written again",))
        elif isinstance(event, Renewed):
            yield Amendment(state.games, link.sha256, (f"deals from {event.first} on follow from a new key",))
        elif isinstance(event, Ended):
            revealed = ", after the key was revealed"


def differences(before: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    """Return what of a manifest has been changed."""
    for name in sorted({*before, *now} - SILENT):
        was, is_now = before.get(name), now.get(name)
        if was != is_now:
            yield _change(name, was, is_now)
    old = {bot["entry"]: bot["name"] for bot in before["bots"]}
    new = {bot["entry"]: bot["name"] for bot in now["bots"]}
    yield from (f"{name} came in" for name in new if name not in old)
    yield from (f"{name} left" for name in old if name not in new)
    yield from (
        f"{old[name]} was changed and plays as {new[name]}" for name in new if old.get(name, new[name]) != new[name]
    )
    yield from (f"{what} of {name} was changed under the same name" for name, what in _swaps(before, now))
    titles = [{bot["name"]: bot.get("title", "") for bot in each["bots"]} for each in (before, now)]
    yield from (
        f"the title of {name} was {titles[0][name] or 'not set'} and is {title or 'not set'}"
        for name, title in titles[1].items()
        if titles[0].get(name, title) != title
    )
    if list(old) != list(new) and set(old) == set(new):
        yield "the bots are listed in another order"
    yield from (f"what {name} has played counts no more" for name in now["retired"] if name not in before["retired"])
    yield from (f"what {name} has played counts again" for name in before["retired"] if name not in now["retired"])
    if now["roster"][: len(before["roster"])] != before["roster"]:
        yield "who came and left before was changed in the roster"


def _swaps(before: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield each version that has kept only its name, with what of it was changed."""
    known = {bot["name"]: bot for bot in before["bots"]}
    for bot in now["bots"]:
        old = known.get(bot["name"], bot)
        for fact in sorted({*old, *bot} - {"title"}):
            if old.get(fact) != bot.get(fact):
                yield bot["name"], OF_A_BOT.get(fact, fact)


def _change(name: str, was: object, is_now: object) -> str:
    if isinstance(was, bool) and isinstance(is_now, bool):
        return f"{name} was switched {'on' if is_now else 'off'}"
    if isinstance(was, int | float) and isinstance(is_now, int | float):
        return f"{name} was {'raised' if is_now > was else 'lowered'} from {was} to {is_now}"
    return f"{name} was {_plain(was)} and is {_plain(is_now)}"


def _plain(value: object) -> str:
    return "not set" if value is None or value == "" else str(value)
