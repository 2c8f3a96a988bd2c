"""The laws of play: listing, refusing, copying, showing and scoring."""

from __future__ import annotations

import re
from itertools import islice
from random import Random
from typing import TYPE_CHECKING, Any

from croupier.protocol import views
from croupier.protocol.sexp import parse, write
from croupier.server.games.game import BadOption, Dice, Option
from croupier.server.games.sheets import Sheet, Text, Typed
from croupier.server.laws.trial import LONG, MANY, Broken, atoms, demand, looks, refusal

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from croupier.protocol.sexp import Sexp
    from croupier.server.games.game import Game, Play
    from croupier.server.games.hands import Hand
    from croupier.server.laws.trial import Trial

SPOKEN = re.compile("[a-z][a-z0-9-]*")
TRIED = 200
"""How many of the listed plays are checked one by one."""
_THE_SHEETS_OWN = {"game", "options", "players", "clock", "bank", "legal"}
"""Fields of STATE that `show` does not state."""


def says_what_it_is(trial: Trial) -> None:
    """Every game says of itself what is so: name, options, plays, page and bounds of its score."""
    rules = trial.rules
    demand(SPOKEN.fullmatch(rules.NAME), f"NAME is a word of small letters, digits and hyphens, not {rules.NAME}")
    for name, option in rules.OPTIONS.items():
        demand(_takes(option, name), f"the option {name} does not take its own default, {option.default}")
    demand(isinstance(rules.PENALTY, int) and isinstance(rules.AWARD, int), "PENALTY and AWARD are whole numbers")
    page = views.page(rules.NAME)
    words = {form.strip("()").split()[0] for form in rules.PLAYS}
    for game, rng in trial.decisions(1, most=300):
        view = game.view(game.turn or 0)
        demand(
            type(view) is page and page.GAME == rules.NAME,
            f"its players see a {type(view).__name__}, a bot reads a {page.__name__} of {page.GAME or 'no game'}: name "
            "the page in the entry points croupier.pages",
        )
        said = game.sample(rng)[0]
        demand(said in words, f"({said} ...) is played and stands not in PLAYS")


def _takes(option: Option, name: str) -> bool:
    try:
        return option.read(name, option.default) == option.default
    except BadOption:
        return False


def ends(trial: Trial) -> None:
    """Every game played at random comes to an end and counts."""
    for seed in range(5):
        trial.at = f"in random game {seed}"
        rng = Random(seed)
        game = trial.finish(trial.begin(Dice(rng)), rng)
        demand(game.void is None, f"it counts for nobody: {game.void}")


def lists_what_is_legal(trial: Trial) -> None:
    """Every listed play passes check, can be played, is listed once, and is what the view lists."""
    for game, _ in trial.decisions(1):
        turn = game.turn or 0
        plays = list(islice(game.legal(), MANY))
        demand(plays, "no play is legal")
        twice = sorted({write(play) for play in plays if plays.count(play) > 1}) if len(set(plays)) < len(plays) else []
        demand(not twice, f"{twice[:1]} is listed twice")
        shown = list(islice(game.view(turn).legal_plays(), MANY))
        demand(shown == plays, f"the view lists {shown[:3]} ..., the game {plays[:3]} ...")
        for play in plays[:TRIED]:
            why = refusal(game, turn, play)
            demand(why is None, f"{write(play)} is listed and refused: {why}")
        for play in plays[:3]:
            game.copy().play(turn, play)


def refuses_what_is_not_listed(trial: Trial) -> None:
    """Whatever is sent, check raises nothing but IllegalPlay with a reason, and lets through only what is listed."""
    words: list[Sexp] = [0, -1, 10**17, "x", "table", *trial.players]
    for game, rng in trial.decisions(2):
        plays = list(islice(game.legal(), MANY))
        demand(plays, "no play is legal")
        words = list(dict.fromkeys([*words[-60:], *atoms(tuple(plays[:20]))]))
        for seat in range(trial.seats):
            for _ in range(6):
                play = mutate(rng.choice(plays), words, rng)
                why = refusal(game, seat, play)
                demand(why != "", f"{write(play)} is refused without a reason")
                if why is None:
                    after = game.copy()
                    after.play(seat, play)
                    known = len(plays) == MANY or seat != game.turn
                    demand(
                        known or _is_listed(game, play, plays, after), f"{write(play)} is not listed and may be played"
                    )


def _is_listed(game: Game, play: Play, plays: list[Play], after: Game) -> bool:
    """Return whether a play is listed, perhaps with its cards in another order, or acts like a listed one."""
    if sorted(map(write, play)) in [sorted(map(write, listed)) for listed in plays]:
        return True
    result, turn = looks(after), game.turn or 0
    for listed in plays:
        copy = game.copy()
        copy.play(turn, listed)
        if looks(copy) == result:
            return True
    return False


def mutate(play: Play, words: list[Sexp], rng: Random) -> Play:
    """Return a play that is slightly or completely wrong, or right by accident."""
    changed = list(play)
    place = rng.randrange(len(changed) + 1)
    match rng.randrange(6):
        case 0:
            changed.insert(place, rng.choice(words))
        case 1:
            changed[place : place + 1] = []
        case 2:
            changed[place : place + 1] = [rng.choice(words)]
        case 3:
            changed[place : place + 1] = [(*changed[place : place + 1], rng.choice(words))]
        case 4:
            rng.shuffle(changed)
        case 5:
            changed = [rng.choice(words) for _ in range(rng.randrange(5))]
    return tuple(changed)


def copies_go_their_own_way(trial: Trial) -> None:
    """Playing on in a copy changes nothing in the original, and the copy begins as its equal."""
    for game, rng in trial.decisions(3):
        before = looks(game)
        copy = game.copy()
        demand(looks(copy) == before, "a copy shows its players something else")
        for _ in range(4):
            if copy.turn is not None:
                copy.play(copy.turn, copy.sample(rng))
        demand(looks(game) == before, "playing on in a copy changes the original")


def views_read_back(trial: Trial) -> None:
    """Each STATE is read as a view with the same fields, which writes the same STATE."""
    for game, _ in trial.decisions(6):
        for seat in range(trial.seats):
            view = game.view(seat)
            again = views.read(parse(str(view)))
            demand(type(again) is type(view), f"STATE is read as {type(again).__name__}, not {type(view).__name__}")
            demand(str(again) == str(view), "STATE reads back as another STATE")
            keys = type(view).keys()
            for key in keys:
                name = key.replace("-", "_")
                was, now = getattr(view, name), getattr(again, name)
                demand(was == now, f"the field {key} is {was!r} and reads back as {now!r}")
            demand(view.players[0] == trial.players[seat], "players does not begin with the player himself")
            demand(view.options == game.options, "STATE does not show the options as they are")


def every_field_is_shown(trial: Trial) -> None:
    """Every field of the page is shown, None where there is nothing to see, and STATE says what the view shows."""
    own = [name for name in trial.rules.PAGE.NAMES if name not in _THE_SHEETS_OWN]
    sheets = [Text(trial.players, seat) for seat in range(trial.seats)]
    for game, _ in trial.decisions(9):
        for seat, sheet in enumerate(sheets):
            stated = Stated(trial.players, seat)
            game.show(seat, stated)
            demand(stated.names == own, f"show states {' '.join(stated.names)}, and the page has {' '.join(own)}")
            state, view, fresh = sheet.state(game), game.view(seat), Typed(trial.players, seat).state(game)
            demand(state == str(fresh), f"STATE is {state}, and the view shows {fresh}")
            demand(str(view) == str(fresh), f"who looked before sees {view}, who did not sees {fresh}")


class Stated(Sheet):
    """A sheet that notes which fields a game states."""

    def __init__(self, players: tuple[str, ...], seat: int) -> None:
        super().__init__(players, seat)
        self.names: list[str] = []

    def put(self, name: str, value: Any) -> None:
        """Note the field."""
        self.names.append(name)

    def cards(self, name: str, hand: Hand | None) -> None:
        """Note the field."""
        self.names.append(name)

    def around(self, name: str, values: Sequence[Any]) -> None:
        """Note the field."""
        self.names.append(name)

    def once(self, token: object, part: Callable[[int, Sheet], None]) -> None:
        """Note the fields that the part states."""
        part(self.seat, self)

    def table(self, hand: Hand, leader: int, trick: Sequence[str], tricks: Sequence[Any]) -> None:
        """Note all three fields."""
        self.names += ["hand", "trick", "tricks"]

    def offer(self, hand: Hand, beside: Sequence[Play] = ()) -> None:
        """Note nothing, because the legal plays are not a field of the page."""


def scores_and_ranks_agree(trial: Trial) -> None:
    """Everybody has a score, the best is first, partners share, nobody better ranks behind, and the end is the end."""
    for seed in range(3):
        for game, _ in trial.decisions(seed):
            turn, listed = game.turn or 0, next(iter(game.legal()), None)
        scores, ranks = game.scores(), game.ranks()
        better = min if game.LOW_WINS else max
        demand(len(scores) == len(ranks) == trial.seats, f"{trial.seats} players have scores {scores}, ranks {ranks}")
        demand(min(ranks) == 1, f"nobody is first: {ranks}")
        for mine, rank in zip(scores, ranks, strict=True):
            behind = [other for other, place in zip(scores, ranks, strict=True) if place <= rank and other != mine]
            demand(all(better(mine, other) == other for other in behind), f"scores {scores} rank as {ranks}")
        for seat, score in enumerate(scores):
            shared = {scores[partner] for partner in game.partners(seat)}
            demand(shared == {score}, f"partners have different scores: {scores}")
        demand(not list(game.legal()), "a play is legal after the end")
        still = listed is not None and refusal(game, turn, listed) is None
        demand(not still, f"{write(listed or ())} may be played after the end")


def luck_is_the_deals(trial: Trial) -> None:
    """Chance enters through the deal alone: equal shuffles and plays give equal views."""
    one = [looks(game) for game, _ in trial.decisions(7, most=LONG)]
    if one != [looks(game) for game, _ in trial.decisions(7, most=LONG)]:
        raise Broken("the same shuffles and plays show something else the second time")
