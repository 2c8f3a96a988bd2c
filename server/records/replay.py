"""Replay: plays a record again as the same game, or finds the line at which it is not one, and why."""

from __future__ import annotations

import hashlib
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from croupier.protocol import record as lines
from croupier.protocol.notifications import BLIND, CLASSIC, JSON, NATIVE, OPEN, OWN
from croupier.protocol.sexp import write
from croupier.server import games
from croupier.server.deals import Key, Listed, WrongShuffle
from croupier.server.games.game import BadOption, IllegalPlay
from croupier.server.table.faults import Kind, Outcome, settle

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from croupier.protocol.sexp import Atom
    from croupier.server.games.game import Attack, Game, News, Play


T = TypeVar("T")
NO_COMMITMENT = "0"
_HEAD = (
    lines.Version | lines.GameLine | lines.Program | lines.Source | lines.Players | lines.Classic | lines.Json
    | lines.Open | lines.Blind | lines.DealLine | lines.Manifest | lines.Shadow
)  # fmt: skip


class Invalid(Exception):
    """A record stops being a game at this line, for this reason."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(f"line {line}: {why}")
        self.line = line
        self.why = why


class NoProgram(Invalid):
    """A record of a program that is not available, so that it cannot be judged."""


class NoSuchPlayer(ValueError):
    """The record has no player of this name."""


class ReplayVerdict(NamedTuple):
    """The verdict on a record: valid with its scores (None without an end), invalid at a line, or undecided (None)."""

    valid: bool | None
    scores: dict[str, int] | None = None
    line: int | None = None
    why: str = ""

    def json(self) -> dict[str, object]:
        """Return the form that ``croupier replay --json`` prints."""
        if self.valid:
            return {"valid": True, "scores": self.scores}
        return {"valid": self.valid, "line": self.line, "why": self.why}


class ReplayedPlay(NamedTuple):
    """One decision of a replayed game, before it is applied."""

    line: int
    seat: int
    play: Play
    attack: Attack | None
    seen: Play


class ReplayedFault(NamedTuple):
    """A fault at its place in a replayed game, before the stand-in takes over."""

    line: int
    seat: int
    kind: str
    why: str = ""
    asked: str = ""
    received: str = ""


def judge(text: str, find: Callable[[str], type[Game]] = games.find) -> ReplayVerdict:
    """Replay a record and return the verdict on whether it is a game by the rules."""
    try:
        replay = Replay(text, find)
        for _ in replay.steps():
            pass
    except Invalid as problem:
        unknown = isinstance(problem, NoProgram)
        return ReplayVerdict(valid=None if unknown else False, line=problem.line, why=problem.why)
    return ReplayVerdict(valid=True, scores=replay.scores)


@dataclass
class Header:
    """The lines before the first shuffle: each at most once, except those of a program."""

    game: lines.GameLine
    players: lines.Players
    program: lines.Program | None = None
    deal: lines.DealLine | None = None
    manifest: lines.Manifest | None = None
    source: tuple[lines.Source, ...] = ()
    classic: lines.Classic | None = None
    json: lines.Json | None = None
    open: lines.Open | None = None
    blind: lines.Blind | None = None
    shadow: lines.Shadow | None = None


@dataclass
class Replay:
    """A record being played again.

    After construction ``game`` is before its first play; `steps` yields each decision just before it is applied, so
    that a caller can look at the state before and after. ``news`` is the result of the last decision.
    """

    text: str
    find: Callable[[str], type[Game]] = games.find
    news: Sequence[News] = ()
    scores: dict[str, int] | None = None
    outcome: Outcome | None = None
    deal: Listed = field(default_factory=Listed)
    offenders: set[int] = field(default_factory=set)
    standing_in: set[int] = field(default_factory=set)
    applied: int = 0
    """How many decisions were applied."""

    def __post_init__(self) -> None:
        try:
            self.entries = deque(lines.read(self.text))
        except lines.BadRecord as problem:
            raise Invalid(problem.line, problem.why) from None
        self.header = self._read_header()
        self.game = self._begin()

    def _read_header(self) -> Header:
        seen: dict[type, tuple[int, lines.Line]] = {}
        source: list[lines.Source] = []
        self._last = 1
        while self.entries and isinstance(self.entries[0][1], _HEAD):
            self._last, line = self.entries.popleft()
            if isinstance(line, lines.Source):
                source.append(line)
            elif type(line) in seen:
                raise Invalid(self._last, f"a second {str(line).split()[0]} line; a record is of one game")
            seen.setdefault(type(line), (self._last, line))
        number, version = seen.get(lines.Version, (1, None))
        if version != lines.Version(lines.VERSION):
            raise Invalid(number, f"a record begins with (record {lines.VERSION})")
        for needed, shape in ((lines.GameLine, "(game NAME ...)"), (lines.Players, "(players NAME ...)")):
            if needed not in seen:
                raise Invalid(
                    self.entries[0][0] if self.entries else self._last, f"{shape} is missing before this line"
                )
        self._at = {kind: number for kind, (number, _) in seen.items()}
        found: dict[type, Any] = {kind: line for kind, (_, line) in seen.items()}
        return Header(
            found[lines.GameLine],
            found[lines.Players],
            found.get(lines.Program),
            found.get(lines.DealLine),
            found.get(lines.Manifest),
            tuple(source),
            found.get(lines.Classic),
            found.get(lines.Json),
            found.get(lines.Open),
            found.get(lines.Blind),
            found.get(lines.Shadow),
        )

    def dialect_of(self, name: str) -> str:
        """Return the dialect in which a player was spoken to."""
        spoken = {CLASSIC: self.header.classic, JSON: self.header.json}
        return next((dialect for dialect, line in spoken.items() if line and name in line.names), NATIVE)

    def sight_of(self, name: str) -> str:
        """Return what a player was told of the others' cards."""
        told = {OPEN: self.header.open, BLIND: self.header.blind}
        return next((sight for sight, line in told.items() if line and name in line.names), OWN)

    def seat_of(self, name: str) -> int:
        """Return the seat of a player; raise NoSuchPlayer, listing the players."""
        players = self.game.players
        if name not in players:
            raise NoSuchPlayer(f"nobody here is called {name}; the players: {', '.join(players)}")
        return players.index(name)

    def _begin(self) -> Game:
        names = self.header.players.names
        if len(set(names)) < len(names):
            raise Invalid(self._at[lines.Players], "two players have the same name")
        for line in (self.header.classic, self.header.json, self.header.open, self.header.blind):
            if line and (strangers := set(line.names) - set(names)):
                raise Invalid(self._at[type(line)], f"nobody here is called {min(strangers)}")
        try:
            rules = self._rules()
            options = rules.read_options(self._given_options())
        except (BadOption, games.NoSuchGame, games.BadGame) as problem:
            raise Invalid(self._at[lines.GameLine], str(problem)) from None
        if len(names) not in rules.SEATS:
            wanted = " or ".join(map(str, rules.SEATS))
            raise Invalid(self._at[lines.Players], f"{rules.NAME} is played by {wanted}, not by {len(names)}")
        return self._with_shuffles(self._last, lambda: rules(names, options, self.deal))

    def _rules(self) -> type[Game]:
        """Find the game by its name, or the program by its SHA-256, else the program that the record carries."""
        program, source = self.header.program, self.header.source
        data = lines.Source.join(source)
        if source and (program is None or hashlib.sha256(data).hexdigest() != program.sha256.lower()):
            raise Invalid(self._at[lines.Source], "these lines are not those of the program with this record's SHA-256")
        if program is None:
            return self.find(self.header.game.name)
        try:
            return self.find(f"recycle:{program.sha256.lower()}")
        except games.NoSuchGame as problem:
            if source:
                return games.carried_game(source[0].name, data)
            raise NoProgram(self._at[lines.Program], str(problem)) from None

    def _given_options(self) -> dict[str, Atom]:
        options = self.header.game.options
        given = dict(options)
        if len(given) < len(options):
            raise BadOption("an option stands there twice")
        return given

    def _with_shuffles(self, line: int, act: Callable[[], T]) -> T:
        """Call an action that may shuffle; it must use up all shuffles that come next in the record."""
        numbers: deque[int] = deque()
        while self.entries and isinstance(self.entries[0][1], lines.Shuffled):
            number, shuffled = self.entries.popleft()
            assert isinstance(shuffled, lines.Shuffled)
            numbers.append(number)
            self.deal.orders.append(shuffled.cards)
        listed = len(numbers)
        try:
            result = act()
        except WrongShuffle as problem:
            used = listed - len(self.deal.orders)
            raise Invalid(numbers[used - 1] if used else line, str(problem)) from None
        if self.deal.orders:
            raise Invalid(numbers[-len(self.deal.orders)], "nothing is shuffled here")
        return result

    def steps(self) -> Iterator[ReplayedPlay | ReplayedFault]:
        """Yield each decision before it is applied, and each fault; raise Invalid where the rules are broken."""
        while self.entries:
            number, line = self.entries.popleft()
            match line:
                case lines.Played(name, play):
                    yield from self._decide(number, name, play, None)
                case lines.Attacked(attacker, defender):
                    yield from self._defend(number, attacker, defender)
                case lines.Faulted():
                    yield self._fault(number, line)
                case lines.StandIn(name):
                    self._stand_in(number, name)
                case lines.Score():
                    self._close(number, line)
                    return
                case lines.End():
                    self._end(number, line, None)
                    return
                case _:
                    raise Invalid(number, f"{str(line)[:60]} does not belong here")

    def _seat(self, number: int, name: str) -> int:
        if name not in self.game.players:
            raise Invalid(number, f"nobody here is called {name}; the players: {', '.join(self.game.players)}")
        return self.game.players.index(name)

    def _decide(self, number: int, name: str, play: Play, attack: Attack | None) -> Iterator[ReplayedPlay]:
        game, seat = self.game, self._seat(number, name)
        if game.turn is None:
            raise Invalid(number, f"the game is over: {name} cannot play {write(play)}")
        if attack is None and game.attack is not None:
            raise Invalid(number, f"{game.players[game.turn]} has to defend first, behind an (attack ...) line")
        try:
            game.admit(seat, play)
        except IllegalPlay as problem:
            raise Invalid(number, str(problem)) from None
        yield ReplayedPlay(number, seat, play, attack, game.public(seat, play))
        self.news = self._with_shuffles(number, lambda: game.play(seat, play))
        self.applied += 1

    def _defend(self, number: int, attacker: str, defender: str) -> Iterator[ReplayedPlay | ReplayedFault]:
        game = self.game
        if game.attack is None or game.turn is None:
            raise Invalid(number, f"{defender} is not attacked here")
        due = (game.players[game.attack.attacker], game.players[game.turn])
        if (attacker, defender) != due:
            raise Invalid(number, f"here {due[0]} attacks {due[1]}")
        while self.entries and isinstance(self.entries[0][1], lines.Faulted | lines.StandIn):
            yield from self._mark(*self.entries.popleft())
        if not self.entries or not isinstance(self.entries[0][1], lines.Defense):
            if not self.entries or isinstance(self.entries[0][1], lines.Score | lines.End):
                return
            raise Invalid(self.entries[0][0], f"the defense of {defender} is missing before this line")
        at, defense = self.entries.popleft()
        assert isinstance(defense, lines.Defense)
        if defense.name != defender:
            raise Invalid(at, f"{defender} is attacked, not {defense.name}")
        yield from self._decide(at, defender, defense.defense, game.attack)

    def _mark(self, number: int, line: lines.Line) -> Iterator[ReplayedFault]:
        if isinstance(line, lines.Faulted):
            yield self._fault(number, line)
        elif isinstance(line, lines.StandIn):
            self._stand_in(number, line.name)

    def _fault(self, number: int, line: lines.Faulted) -> ReplayedFault:
        kind = line.kind
        if kind not in {known.value for known in Kind}:
            raise Invalid(number, f"{kind} is no fault; the faults: {', '.join(known.value for known in Kind)}")
        seat = self._seat(number, line.name)
        self.offenders.add(seat)
        return ReplayedFault(number, seat, kind, line.why, line.request, line.received)

    def _stand_in(self, number: int, name: str) -> None:
        seat = self._seat(number, name)
        if seat not in self.offenders:
            raise Invalid(number, f"nobody stands in for {name}, who committed no fault")
        self.standing_in.add(seat)

    def _close(self, number: int, score: lines.Score) -> None:
        """Read the lines that may follow the scores."""
        if not self.entries or not isinstance(self.entries[0][1], lines.End):
            if self.game.turn is not None:
                raise Invalid(number, f"a score before the end: {self.game.players[self.game.turn]} has yet to play")
            if self.entries:
                raise Invalid(self.entries[0][0], "after the scores a record says how the game ended: (end finished)")
            self._compare(number, score, Outcome.FINISHED)
            self.scores = None
            return
        at, end = self.entries.popleft()
        assert isinstance(end, lines.End)
        self._end(at, end, (number, score))

    def _end(self, number: int, end: lines.End, scored: tuple[int, lines.Score] | None) -> None:
        game, outcome = self.game, Outcome(end.outcome)
        if outcome is Outcome.FINISHED and game.turn is not None:
            line = scored[0] if scored else number
            raise Invalid(line, f"the game is not over: {game.players[game.turn]} has yet to play")
        if outcome is Outcome.FORFEIT and not self.offenders:
            raise Invalid(number, "a game is forfeit only after a fault")
        if outcome in {Outcome.FINISHED, Outcome.FORFEIT}:
            self.scores = self._compare(*scored, outcome) if scored else self._settle(outcome)
        elif scored and outcome is Outcome.VOID:
            raise Invalid(scored[0], "a void game has no scores")
        elif scored and game.turn is not None:
            raise Invalid(scored[0], f"a score before the end: {game.players[game.turn]} has yet to play")
        elif scored:
            self._compare(*scored, Outcome.FINISHED)
        self.outcome = outcome
        self._check_tail()

    def _settle(self, outcome: Outcome) -> dict[str, int]:
        return dict(zip(self.game.players, settle(self.game, self.offenders, outcome)[0], strict=True))

    def _compare(self, number: int, score: lines.Score, outcome: Outcome) -> dict[str, int]:
        expected = self._settle(outcome)
        listed = dict(score.scores)
        if listed != expected or len(score.scores) != len(expected):
            raise Invalid(number, f"the scores come out as {write(('score', *expected.items()))}")
        return expected

    def _check_tail(self) -> None:
        for number, line in self.entries:
            if isinstance(line, lines.Time):
                self._seat(number, line.name)
            elif isinstance(line, lines.KeyLine):
                self._check_key(number, line.secret)
            else:
                raise Invalid(number, f"{str(line)[:60]} stands after the end")

    def _check_key(self, number: int, secret: str) -> None:
        deal = self.header.deal
        try:
            commitment = Key(bytes.fromhex(secret)).commitment
        except ValueError:
            raise Invalid(number, "a key is hexadecimal") from None
        if deal is not None and deal.commitment.lower() not in {NO_COMMITMENT, commitment}:
            raise Invalid(number, f"this is not the key that was committed to: its SHA-256 is {commitment}")
