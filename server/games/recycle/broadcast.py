"""RecycleBroadcast: a game from a program told in words and drawn: its lists by owner and name, and what it counts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Self

from croupier.protocol.views.recycle import named_cards
from croupier.server.games.broadcast import Broadcast, Picture, Place, Role, Said, say
from croupier.server.games.recycle import phrases
from croupier.server.games.recycle.design import design_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from croupier.protocol.views.recycle import RecycleView
    from croupier.protocol.views.view import View
    from croupier.server.games.game import Game, Play

    ListName = tuple[Any, ...]
    """``(OWNER KIND NAME)``, followed by a number if there are several."""


_PLAIN = "DEFAULT"
"""The back of the cards in a program with only one."""
_UNSEEN = {"iloc", "hloc"}
"""Kinds of lists that nobody sees if they belong to the table."""


class Layout(NamedTuple):
    """The place of each card, and the value of each store by owner and name. Two layouts are compared for changes."""

    places: Mapping[int, ListName] = {}
    stores: Mapping[tuple[Any, str], Any] = {}

    @classmethod
    def of(cls, table: RecycleView) -> Layout:
        """Return the layout of a table that is seen as a whole."""
        places = {card: place for place, *cards in table.visible for card in cards if place[1] != "mem"}
        return cls(places, {(owner, name): value for owner, name, value in table.stores})

    def after(self, actions: Iterable[Any]) -> Layout:
        """Return the layout after these actions of a choice."""
        places, stores = dict(self.places), dict(self.stores)
        for action in actions:
            match action:
                case ("move", card, _, to, *_):
                    places[card] = to
                case ("set", owner, name, value):
                    stores[owner, name] = value
        return Layout(places, stores)

    def changes(self, before: Layout, verb: str, name: Callable[[int], str]) -> Iterator[str]:
        """Yield in words the cards that have come to each list since, and the stores that have changed."""
        come: dict[ListName, list[int]] = {}
        for card, place in self.places.items():
            if before.places.get(card) != place:
                come.setdefault(place, []).append(card)
        for place, cards in come.items():
            what = f"{len(cards)} cards" if is_unseen(place) else ", ".join(map(name, cards))
            yield f"{place_in_words(place)} {verb} {what}"
        changed = {key: value for key, value in self.stores.items() if before.stores.get(key, 0) != value}
        if changed:
            yield ", ".join(f"{_owner(owner)}{store} is {value}" for (owner, store), value in changed.items())


def is_unseen(place: ListName) -> bool:
    """Return whether nobody sees the cards of a list."""
    return place[0] == "table" and place[1] in _UNSEEN


def say_table(view: RecycleView) -> Iterator[str]:
    """Yield what a seat sees of a RECYCLE table, a line per list of cards or point map."""
    card = cards_of(view)
    yield from Layout.of(view).changes(Layout(), "holds", card)
    for place, *cards in view.visible or ():
        if place[1] == "mem":
            yield f"{place_in_words(place)} recalls {', '.join(map(card, cards))}"
    for place, many, back in view.hidden or ():
        yield f"{place_in_words(place)} holds {many} {'cards' if back == _PLAIN else back}"
    for owner, name, *awards in view.maps or ():
        said_of = [" ".join([*[str(value) for _, value in parts], str(points)]) for *parts, points in awards]
        yield f"{_owner(owner)}{name}: {', '.join(said_of)}"


def say_values(attributes: Mapping[str, str]) -> str:
    """Return a card's values in words."""
    return " ".join(map(str, attributes.values()))


def cards_of(view: RecycleView, name: Callable[[Mapping[str, str]], str] = say_values) -> Callable[[int], str]:
    """Return a function that describes the cards of a view."""
    return lambda card: name(view.card(card))


def say_option(view: Any, play: Play) -> str:
    """Describe a choice of the seat that has this view by what it does."""
    actions = next((actions for number, *actions in view.choices or () if ("choose", number) == play), None)
    return say(play) if actions is None else say_actions(actions, cards_of(view))


def say_choice(play: Play) -> str:
    """Describe a choice as all are told of it; it contains the values of its cards itself."""
    if not isinstance(play[-1], tuple):
        return say(play)
    cards = named_cards(play)
    actions = [action for action in play[1:] if isinstance(action, tuple) and action[0] != "cards"]
    return say_actions(actions, lambda card: say_values(cards.get(card, {})))


def say_actions(actions: Sequence[Any], card: Callable[[int], str]) -> str:
    """Describe what a choice does."""

    def say_action(action: Any) -> str:
        match action:
            case ("move", moved, source, to, *at):
                where = "".join([" (at the bottom)" if place == "bottom" else f" (at {place})" for place in at])
                return f"{what(moved)} from {what(source)} to {what(to)}{where}"
            case ("set", owner, name):
                return f"{_owner(owner)}{name} is changed"
            case ("set", owner, name, value):
                return f"{_owner(owner)}{name} is {value}"
            case ("remember" | "forget" | "swap" | "shuffle" as verb, *things):
                return " ".join([verb, *map(what, things)])
        return say(action)

    def what(thing: Any) -> str:
        if isinstance(thing, tuple):
            return place_in_words(thing)
        if isinstance(thing, int):
            return card(thing) or f"card {thing}"
        return "a card" if thing == _PLAIN else f"a {thing}"

    return ", ".join(map(say_action, actions)) or "nothing"


def place_in_words(place: Any) -> str:
    """Describe a list by its owner and its name."""
    owner, _, name, *number = place
    return " ".join([_owner(owner) + str(name), *map(str, number)])


def _owner(owner: Any) -> str:
    if owner == "table":
        return ""
    return f"{'/'.join(owner[1:])} " if isinstance(owner, tuple) else f"{owner} "


_SMALL = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_RANKS = {word: figure for figure, word in zip("23456789T", _SMALL, strict=True)}
_RANKS |= {"jack": "J", "queen": "Q", "king": "K", "ace": "A", "10": "T"}
_RANKS |= {rank.lower(): rank for rank in "23456789TJQKA"}
_SUITS = {f"{name}{end}": name[0] for name in ("club", "diamond", "heart", "spade") for end in ("", "s")}
_BESIDE_RANK_AND_SUIT = {"red", "black", "yes", "no"}
"""Values of a common card that it does not need: its color, and whether it is a face card."""
_PILES = {"hloc", "oloc"}
_HAND = ("iloc", "HAND")
"""The usual name of a player's hand in programs, which is not shown beside the player."""
_ROW = 13
"""At most this many open cards lie side by side; more are a pile."""


class RecycleBroadcast(Broadcast):
    """Describe and draw a game from a program in natural words, else as the program's own actions."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.design = design_of(self.game.compiled().tree)
        if self.design.tricks:
            self.together = "trick"
        self._laid: Layout | None = None
        self._taken: Any = None
        self._offered: View | None = None
        self._words: dict[Play, str] = {}
        self.winner: int | None = None
        """The winner of the complete trick on the table, if known."""
        self._swept = 0

    def before(self, seat: int, play: Play) -> str:
        """Remember the cards' places after the choice, and return it in words with each card that it names."""
        if self.drawn:
            self._taken = self.game.copy()
            self._taken.stand(play)
        full = self.game.in_full(play)
        self._laid = Layout.of(self.game.overview()).after(full[1:])
        return self.words_for_others(seat, full)

    def words_for_others(self, seat: int, seen: Play) -> str:
        """Return a choice in words, as everybody is told of it."""
        if not self.drawn or not isinstance(seen[-1], tuple):
            return say_choice(seen)
        cards = named_cards(seen)
        actions = [action for action in seen[1:] if isinstance(action, tuple) and action[0] != "cards"]
        return self._speaker(seat, lambda card: cards.get(card, {}), told=True).say(actions)

    def words_for_choice(self, view: View, play: Play) -> str:
        """Describe a choice by what it does; two with the same description are given as the program's own actions."""
        if not self.drawn:
            return say_option(view, play)
        # by identity: a new view is made for each choice, and comparing views would write both
        if self._offered is not view:
            self._offered, self._words = view, self._options(view, told=False)
            exact = {each: say_option(view, each) for each in self._words}
            meanings: dict[str, set[str]] = {}
            for each, words in self._words.items():
                meanings.setdefault(words, set()).add(exact[each])
            self._words = {each: w if len(meanings[w]) == 1 else exact[each] for each, w in self._words.items()}
        return self._words.get(play) or say(play)

    def chosen(self, view: View, play: Play) -> str:
        """Return a choice for its player as it was offered: by what it does."""
        return self._options(view, told=True).get(play) or say(play) if self.drawn else say_option(view, play)

    def question(self, view: View) -> str:
        """Ask for what all choices have in common, if they have anything in common."""
        verbs = {words.partition(" ")[0] for words in self._options(view, told=False).values()}
        if verbs == {"play"}:
            return "Which card do you play?"
        return f"What do you {verbs.pop()}?" if len(verbs) == 1 and verbs <= phrases.ASKED else "What do you do?"

    def _options(self, view: Any, *, told: bool) -> dict[Play, str]:
        speaker = self._speaker(self.game.players.index(view.me), _seen_on(view), told=told)
        return {("choose", number): speaker.say(actions) for number, *actions in view.choices or ()}

    def _speaker(self, seat: int, attributes: phrases.Attributes, *, told: bool) -> phrases.Speaker:
        def plain(action: Any) -> str:
            return say_actions([action], lambda card: face(attributes(card)))

        return phrases.Speaker(self.game.players[seat], self.design, face, attributes, plain, told)

    def endings(self) -> Iterator[Said]:
        """Yield the winner of the trick that the last choice completed, if the program determines it."""
        if self._taken is None or not self.design.tricks or not self._is_swept():
            return
        self._swept += 1
        self.winner = None
        if self.design.winner_leads:  # after the last trick nobody leads, but the program has named the next
            self.winner = self.game.table.seat if self.game.turn is not None else self._taken.copy().run_to_next()
        if self.winner is not None:
            yield Said(self.winner, f"takes {' '.join(self._trick(self._taken).cards)}")

    def _is_swept(self) -> bool:
        """Return whether the last choice completed a trick that has already been removed."""
        lay, lies = self._trick(self._taken), self._trick(self.game)
        return len(lay.cards) == len(self.game.players) and not lies.cards

    def automatic_moves(self) -> Iterator[Said]:
        """Yield what the program has done by itself since the last choice: cards moved to a list, values set."""
        view, verb = self.game.overview(), "holds" if self._laid is None else "gets"
        before, self._laid = self._laid or Layout(), Layout.of(view)
        if self.drawn:
            counted = {"TRICKS"} if self.winner is not None else set()  # the winner has just been told
            lines = phrases.changes(self.design, before, self._laid, cards_of(view, face), counted)
        else:
            lines = self._laid.changes(before, verb, cards_of(view))
        return (Said(None, line) for line in lines)

    def progress(self) -> tuple[int, object]:
        """Return a value that changes with each trick, or without tricks with the current player."""
        return 1, self._swept if self.design.tricks else self.game.table.seat

    def before_sweep(self) -> Self | None:
        """Return the table after the last choice, if the program has already removed what all have seen."""
        if self._taken is None or _open_to_all(self._taken) <= _open_to_all(self.game):
            return None
        swept = type(self)(self._taken)
        swept.winner = self.winner
        return swept

    def picture(self, seat: int | None) -> Picture:
        """Draw each list with its owner, visible cards or their number, the trick, and stores that matter to people."""
        view: RecycleView = self.game.overview() if seat is None else self.game.view(seat)
        seats = {name: number for number, name in enumerate(self.game.players)}
        places: dict[Any, Place] = {}
        for place, *cards in view.visible or ():
            faces = () if is_unseen(place) else tuple([face(view.card(card)) for card in cards])
            places[place] = _place(place, seats)._replace(cards=faces, hidden=len(cards) - len(faces))
        for place, many, _ in view.hidden or ():
            known = places.get(place, _place(place, seats))
            places[place] = known._replace(hidden=known.hidden + many)
        followed = phrases.stores_in_words(self.design, view.stores or ())
        beside = tuple([(followed[name],) if name in followed else () for name in seats])
        facts = tuple([phrases.owned(owner, words) for owner, words in followed.items() if owner not in seats])
        lying = [self._laid_out(place, drawn) for place, drawn in places.items() if not self._is_of_trick(place)]
        trick = [self._trick(self.game)] if self.design.tricks else []
        return Picture((*lying, *trick), beside, facts)

    def _is_of_trick(self, place: ListName) -> bool:
        return place[1] == "vloc" and place[2] in self.design.tricks and place[0] in self.game.players

    def _trick(self, game: Any) -> Place:
        """Return the trick on a table, in the order of play: clockwise."""
        view: RecycleView = game.overview()
        cards = {
            game.players.index(place[0]): face(view.card(card))
            for place, *held in view.visible
            for card in held
            if self._is_of_trick(place)
        }
        many, seat = len(game.players), game.table.seat
        first = seat + (seat in cards)
        order = sorted(cards, key=lambda each: (each - first) % many)
        winner = self.winner if len(order) == many else None
        return Place(
            "trick", None, Role.TRICK, tuple([cards[each] for each in order]), counts=tuple(order), winner=winner
        )

    def _laid_out(self, place: ListName, drawn: Place) -> Place:
        """Sort a hand; put cards on a pile that are used as one, are many, or are seen by nobody."""
        _, kind, name, *_ = place
        if kind == "iloc" and drawn.owner is not None:
            role = Role.HAND if self.design.tricks else Role.ROW
            return drawn._replace(role=role, cards=tuple(sorted(drawn.cards, key=_in_hand)))
        many = len(drawn.cards) + drawn.hidden
        piled = many > _ROW or (drawn.owner is None and drawn.hidden) or (name in self.design.piles and many > 1)
        return drawn._replace(role=Role.PILE) if piled else drawn


def _open_to_all(game: Any) -> set[tuple[Any, int]]:
    """Return where the cards are that every player sees."""
    seen = [
        {(place, card) for place, *cards in game.view(seat).visible or () if place[1] != "mem" for card in cards}
        for seat in range(len(game.players))
    ]
    return set.intersection(*seen)


def _place(place: Any, seats: Mapping[Any, int]) -> Place:
    """Return an empty place for a list; a team's has its name, a player's is drawn beside the player."""
    owner, kind, name, *number = place
    words = "" if owner in seats and (kind, name) == _HAND else " ".join(map(str, (str(name).lower(), *number)))
    said = phrases.owned(owner, words) if isinstance(owner, tuple) else words
    return Place(said + " (remembered)" * (kind == "mem"), seats.get(owner), Role.PILE if kind in _PILES else Role.ROW)


def _in_hand(card: str) -> tuple[int, int, str]:
    """Return a card's sort key in a hand: common cards by suit and rank, others by their values."""
    common = len(card) == 2 and card[0] in "cdhs"
    return ("cdhs".index(card[0]), "23456789TJQKA".index(card[1]), card) if common else (9, 0, card)


def _seen_on(view: RecycleView) -> phrases.Attributes:
    """Return a function that describes the cards of a view."""
    return lambda card: view.card(card) if isinstance(card, int) else {}


def face(attributes: Mapping[str, str]) -> str:
    """Return a card's face: that of a common card if it is one, else its values."""
    values = [value.lower() for value in attributes.values()]
    ranks = [_RANKS[value] for value in values if value in _RANKS]
    suits = [_SUITS[value] for value in values if value in _SUITS]
    if len(ranks) == len(suits) == 1 and len([value for value in values if value not in _BESIDE_RANK_AND_SUIT]) == 2:
        return suits[0] + ranks[0]
    return " ".join(attributes.values())
