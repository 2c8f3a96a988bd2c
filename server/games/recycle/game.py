"""A game from a RECYCLE program: one more Game, whose plays are ``(choose N)``, and where its program is found."""

from __future__ import annotations

import re
from contextlib import suppress
from functools import cache, lru_cache
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar, Self

from croupier.protocol.views.recycle import RecycleView
from croupier.server.games import LIBRARY, PROGRAM_ENDINGS, BadGame, NoSuchGame, library
from croupier.server.games.game import Dice, Game, IllegalPlay, Option, Told, UnknownPlay, switch
from croupier.server.games.recycle.broadcast import RecycleBroadcast
from croupier.server.games.recycle.card_table import point
from croupier.server.games.recycle.choices import entries_of
from croupier.server.games.recycle.program import CompiledProgram, Stuck, digest
from croupier.server.games.recycle.reader import MAX_BYTES, BadProgram, Broken, decode
from croupier.server.games.recycle.sight import ALL_SEEING, Sight
from croupier.server.games.recycle.world import RecycleWorld
from croupier.server.suggestions import did_you_mean
from croupier.server.texts import open_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from croupier.protocol.sexp import Atom
    from croupier.server.games.game import Deal, News, Play
    from croupier.server.games.recycle.card_table import CardTable, Entry
    from croupier.server.games.recycle.choices import Choice, Way
    from croupier.server.games.recycle.reader import Node
    from croupier.server.games.recycle.sight import Form
    from croupier.server.games.sheets import Sheet


PENALTY_GAMES = 12
NO_OPTION = "there is nothing to choose from"


class RecycleGame(Game):
    """One game of a program. `load` makes a subclass per program."""

    NAME = "recycle"
    PAGE = RecycleView
    OPTIONS: ClassVar[Mapping[str, Option]] = {
        "single": Option(
            "ask", ("ask", "auto"), "what is done with a choice of one: the player is asked, or it is made"
        ),
        "max-choices": Option(
            500, range(1, 1_000_001), "a game of more choices than this is over and counts for nobody"
        ),
        "compat": switch("no", "options in the order of the original engine, to follow its recorded games"),
    }
    PLAYS: ClassVar[Mapping[str, str]] = {
        "(choose N)": "take option N of choices; the others see (choose ACTION ... (cards (ID (KEY VALUE) ...) ...)), "
        "hidden cards by their backs",
    }
    BROADCAST = RecycleBroadcast
    WORLD = RecycleWorld
    PENALTY = 0
    AWARD = 0

    PROGRAM: ClassVar[str]
    PROGRAM_SHA256: ClassVar[str]
    PROGRAM_BYTES: ClassVar[bytes]
    TEXT: ClassVar[str]
    PROGRAMS: ClassVar[dict[str, CompiledProgram]]

    outcome = "finished"
    """How it ended: finished; stuck, when the program loops without asking; max-choices; broken, see ``void``."""

    def __init__(self, players: Sequence[str], options: Mapping[str, Atom], deal: Deal) -> None:
        self.sit(players, options, deal)
        assert self.program.start is not None
        self.lay(self.program.start.copy())
        self._go_on()

    def sit(self, players: Sequence[str], options: Mapping[str, Atom], deal: Deal) -> None:
        """Read the options, and compile the program accordingly."""
        super().__init__(players, options, deal)
        self.program = self.compiled(compat=self.options["compat"] == "yes")
        self.auto = self.options["single"] == "auto"
        self.max_choices = int(self.options["max-choices"])

    def lay(self, table: CardTable) -> None:
        """Begin at a table."""
        self.table = table
        self.sight = Sight(table, self.players)
        table.deal = self.deal
        self.ended_at: Node | None = None
        self.why: str | None = None
        self.choice: Choice | None = None
        self._ways: list[Way] | None = None
        self._known: tuple[Form, ...] | None = None
        self._before: CardTable | None = None

    def go_on_from(self, table: CardTable, options: int) -> bool:
        """Ask the player who has to choose at this point of the program.

        Return whether there are ``options`` options.
        """
        self.lay(table)
        self.turn = table.seat
        choice = self.program.code[table.pc].choice
        assert choice is not None
        try:
            self._offer(choice)
        except Broken:
            return False
        return len(self.ways) == options

    @classmethod
    def compiled(cls, *, compat: bool = False) -> CompiledProgram:
        """Return the compiled program; one with the original's order of options is compiled on demand."""
        which = "compat" if compat else "plain"
        if which not in cls.PROGRAMS:
            cls.PROGRAMS[which] = CompiledProgram(cls.TEXT, compat=compat)
        return cls.PROGRAMS[which]

    # The machine runs from choice to choice.

    def _go_on(self) -> None:
        """Run the program to the next choice that a player has to make, or to its end."""
        table = self.table
        try:
            while (choice := self.program.run(table)) is not None:
                if table.choices >= self.max_choices:
                    self._end("max-choices", f"more than {self.max_choices} choices")
                    self.ended_at = self.program.code[table.pc].at
                    return
                table.choices += 1
                self._offer(choice)
                if not (self.auto and len(self.ways) == 1):
                    self.turn = table.seat
                    return
                self._take(0)
        except Stuck as stuck:
            self._end("stuck", f"{self.program.stuck_after} steps of the program without a choice")
            self.ended_at = stuck.at
        except Broken as broken:
            self._break(broken)
        else:
            self._end("finished")

    def _offer(self, choice: Choice) -> None:
        """List the options; raise Broken if there are none."""
        self.choice = choice
        self._drawn = dict(self.table.drawn)
        self._known = None
        self._ways = choice.listing(self.table) if choice.listing is not None else self._list_ways()
        if not self._ways:
            raise Broken(NO_OPTION, choice.node)

    def _list_ways(self) -> list[Way]:
        """List the options; if that may reorder the lists, keep a copy of the table as it was."""
        assert self.choice is not None
        self._before = self.table.copy() if self.choice.reorders else None
        return self.choice.options(self.sight)

    @property
    def ways(self) -> list[Way]:
        """The options of the current choice; in a copy they are listed again, with the same random numbers."""
        if self._ways is None:
            self.table.drawn = dict(self._drawn)
            self._ways = self._list_ways()
        return self._ways

    def _take(self, number: int) -> None:
        way = (self._ways or self.ways)[number]
        table = self.table
        if table.memory:
            table.memory.clear()
        self._ways = None
        table.log = None
        way[0](table, way[1])
        table.pc += 1

    def _end(self, outcome: str, void: str | None = None) -> None:
        self.turn = None
        self.outcome = outcome
        self.void = self.why = void

    def _break(self, broken: Broken) -> None:
        self._end("broken", str(broken))
        self.ended_at, self.why = broken.at, broken.message

    # Playing

    def legal(self) -> Sequence[Play]:
        """List one play for each option, counted from 1."""
        return () if self.turn is None else _plays(len(self.ways))

    def check(self, seat: int, play: Play) -> None:
        """Raise IllegalPlay unless the seat is on turn and there is such an option."""
        if len(play) != 2 or play[0] != "choose" or not isinstance(play[1], int):
            raise UnknownPlay("a play is (choose N), with the number of one of the choices")
        self.check_turn(seat)
        if not 1 <= play[1] <= len(self.ways):
            raise IllegalPlay(f"there is no choice {play[1]}; they are 1 to {len(self.ways)}")

    def play(self, seat: int, play: Play) -> Sequence[News]:
        """Perform the option and run the program on."""
        number: Any = play[1]
        try:
            self._take(number - 1)
        except Broken as broken:
            self._break(broken)
        else:
            self._go_on()
        return () if self.turn is not None else self._ended()

    def stand(self, play: Play) -> None:
        """Perform an option without running the program on; in a copy, this is the table before that happens."""
        number: Any = play[1]
        with suppress(Broken):
            self._take(number - 1)
        self.turn = None

    def run_to_next(self) -> int | None:
        """Run the program on, in a copy that may be spoiled; return the last player whom it makes the next, if any."""
        log: list[Entry] = []
        self.table.log, self.table.deal = log, Dice(Random(0))
        with suppress(Broken, Stuck):
            self.program.run(self.table)
        return next((given[1] for act, given, *_ in reversed(log) if act is point and given[0] == "queued"), None)

    def _ended(self) -> Sequence[News]:
        score = Told(("score", *zip(self.players, self.scores(), strict=True)))
        return (score,) if self.outcome == "finished" else (Told((self.outcome,)), score)

    def sample(self, rng: Random) -> Play:
        """Return one legal play, each equally likely."""
        return ("choose", int(rng.random() * len(self._ways or self.ways)) + 1)

    def public(self, seat: int, play: Play) -> Play:
        """Return what the option does and the values of cards that all see before or after; its number tells more."""
        return ("choose", *self.sight.public(self._entries(play)))

    def _entries(self, play: Play) -> tuple[Entry, ...]:
        number: Any = play[1]
        return entries_of(self.table, self.ways[number - 1])

    # Seeing

    def overview(self) -> RecycleView:
        """Return the table with all cards open, for an observer who is not a player."""
        return RecycleView(game=self.NAME, players=self.players, **self.sight.fields(ALL_SEEING))

    def in_full(self, play: Play) -> Play:
        """Return what an option does and the values of each card that it names, hidden or not."""
        return ("choose", *self.sight.actions(self._entries(play), frozenset()))

    def show(self, seat: int, to: Sheet) -> None:
        """State the lists that the seat may see, the sizes of the others, the stores, and its choices."""
        if self.turn is not None and self.choice is not None and self.choice.reorders:
            _ = self.ways  # listing them comes first: it may change the order of what is seen
        sight, asked = self.sight, seat == self.turn
        to.once(type(self), self.show_program)
        to.put("phase", "over" if self.turn is None else "choose")
        to.put("teams", sight.teams())
        to.put("current", self.players[self.table.seat])
        to.put("at", sight.at(self.program.code[self.table.pc].around) if asked else None)
        for name, value in sight.fields(seat).items():
            to.put(name, value)
        to.put("choices", self._description() if asked else None)

    def show_program(self, seat: int, to: Sheet) -> None:
        """State the program's hash, and whether high or low scores win."""
        to.put("program", self.PROGRAM)
        to.put("wins", "low" if self.LOW_WINS else "high")

    def _description(self) -> tuple[Form, ...]:
        """Return what the chooser may know of the options.

        Kept until the next choice, because every view asks for it.
        """
        if self._known is None:
            assert self.choice is not None
            self._known = self.choice.describe(self.sight, self.ways)
        return self._known

    def table_at_choice(self) -> CardTable:
        """Return a copy of the table at the time when the current options were listed, to list them again."""
        twin = self.table.copy()
        twin.drawn = dict(self._drawn)
        return twin

    # Scores

    def scores(self) -> tuple[int, ...]:
        """Return each seat's current score by the program's scoring; 0 where it gives none."""
        try:
            return self.program.scores(self.table)
        except Broken:
            return (0,) * len(self.players)

    @classmethod
    def by_chance(cls, number: int) -> Iterator[Self]:
        """Play random game ``number``, reproducibly; yield it at each choice and at its end."""
        rng = Random(number)
        game = cls([f"p{seat}" for seat in range(cls.SEATS[0])], {}, Dice(rng))
        while game.turn is not None:
            yield game
            game.play(game.turn, game.sample(rng))
        yield game

    def penalty(self) -> int:
        """Return the worst score of any seat in a few random games."""
        scores = self._sample_scores()
        return max(map(max, scores)) if self.LOW_WINS else min(map(min, scores))

    def award(self) -> int:
        """Return the lowest winning score of a few random games."""
        scores = self._sample_scores()
        return max(map(min, scores)) if self.LOW_WINS else min(map(max, scores))

    @classmethod
    @cache
    def _sample_scores(cls) -> list[tuple[int, ...]]:
        """Return the scores of a few random games. Cached, because playing them takes long."""
        return [list(cls.by_chance(number))[-1].scores() for number in range(PENALTY_GAMES)]

    # Copies

    def copy(self) -> Self:
        """Return an independent copy; its options are listed when they are needed."""
        twin = super().copy()
        table = self.table if self._before is None or self.turn is None else self._before
        twin.table, twin._ways, twin._known = table.copy(), None, None  # noqa: SLF001  # of its own kind
        twin.table.memory = dict(self.table.memory)
        twin.sight = Sight(twin.table, self.players)
        return twin


# cached because a choice with as many options has the same plays, and every view lists them
@lru_cache(maxsize=256)
def _plays(options: int) -> tuple[Play, ...]:
    """Return one play for each of ``number`` options."""
    return tuple([("choose", number) for number in range(1, options + 1)])


_loaded: dict[tuple[str, str], type[RecycleGame]] = {}


def load(file: str, near: Iterable[Path] = ()) -> type[Game]:
    """Return the game of a program: a file, else a game of the library by name, else either by its SHA-256.

    Raise NoSuchGame or BadProgram.
    """
    path = find(file, near)
    return of_bytes(path.stem, read_bytes(path))


def of_bytes(name: str, data: bytes) -> type[Game]:
    """Return the game of a program's bytes. Cached, so that a program is compiled once."""
    key = (name, digest(data))
    if key not in _loaded:
        _loaded[key] = game_of(name, data)
    return _loaded[key]


def find(file: str, near: Iterable[Path] = ()) -> Path:
    """Return a program's path, or raise NoSuchGame."""
    path, is_kept = Path(file), file.lower() in library()
    if path.exists() and not (is_kept and path.is_dir()):
        return path
    if is_kept:
        return LIBRARY / f"{file.lower()}.gdl"
    if re.fullmatch(r"[0-9a-f]{64}", file):
        return _find_by_digest(file, near)
    meant = did_you_mean(file, library())
    raise NoSuchGame(f"there is no file {file}, and no game of that name in the library{meant}")


def _find_by_digest(wanted: str, near: Iterable[Path]) -> Path:
    """Find the program of a record by its hash: in the library, in the current folder, else in these places."""
    for place in (LIBRARY, Path(), *near):
        for path in _programs(place):
            if path.stat().st_size <= MAX_BYTES and digest(read_bytes(path)) == wanted:
                return path
    raise NoSuchGame(f"no program here has the SHA-256 {wanted}: name its file, --program FILE")


def _programs(place: Path) -> list[Path]:
    """List the programs of a folder, or the file itself."""
    if not place.is_dir():
        return [place]
    return [path for suffix in PROGRAM_ENDINGS for path in sorted(place.glob(f"*{suffix}")) if path.is_file()]


def read_bytes(path: Path) -> bytes:
    """Return a program's bytes, or raise BadProgram; an endless file is read only until it is too long."""
    try:
        with open_file(path) as file:
            return file.read(MAX_BYTES + 1)
    except OSError as problem:
        raise BadGame(f"{path} cannot be read: {problem.strerror}") from None


def game_of(name: str, data: bytes, program: CompiledProgram | None = None) -> type[RecycleGame]:
    """Return the Game of a program's bytes, or raise BadProgram with all its problems."""
    try:
        text = decode(data)
        program = program or CompiledProgram(text)
    except BadProgram as bad:
        raise BadProgram(bad.problems, name) from None
    if errors := program.errors():
        raise BadProgram(errors, name)
    called = re.sub(r"[^A-Za-z0-9_-]+", "-", name).strip("-") or "program"
    attributes = {
        "__doc__": f"The game of {name.encode(errors='replace').decode()}, from a file.",
        "SEATS": (program.players,),
        "LOW_WINS": program.low_wins,
        "PARTNERS": partners(program),
        "PROGRAM": called,
        "PROGRAM_SHA256": digest(data),
        "PROGRAM_BYTES": data,
        "TEXT": text,
        "PROGRAMS": {"plain": program},
    }
    return type(called, (RecycleGame,), attributes)


def partners(program: CompiledProgram) -> tuple[tuple[int, ...], ...]:
    """Return the teams with several members if the scoring depends on a player only through the team."""
    assert program.start is not None
    scoring = str(program.tree.items[-1])
    if "(current player)" in scoring.replace("(team (current player))", ""):
        return ()
    return tuple(tuple(team) for team in program.start.teams if len(team) > 1)
