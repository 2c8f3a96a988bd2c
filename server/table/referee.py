"""The referee: plays one game between seats. The only place where rules meet seats."""

from __future__ import annotations

import random
import time
import traceback
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import trio

from croupier.protocol import record as lines
from croupier.protocol.notifications import Update
from croupier.server.deals import RecordedDeal
from croupier.server.table import messages
from croupier.server.table.clock import Budget
from croupier.server.table.faults import Fault, Kind, Outcome, PlayerFault, Policy, settle
from croupier.server.table.luck_tally import LuckTally
from croupier.server.table.played_game import PlayedGame

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from croupier.protocol.notifications import Notification
    from croupier.protocol.sexp import Atom
    from croupier.server.deals import KeyedDeal
    from croupier.server.games.game import Game, Play
    from croupier.server.table.resumed_game import ResumedGame
    from croupier.server.table.seat import Seat


class Terms(NamedTuple):
    """The terms of a match: seconds per reply, in reserve and in total for a game; the policy about faults."""

    time: float = 10.0
    bank: float | None = None
    on_fault: Policy | None = None
    total: float | None = None
    """Default: what `Budget` grants."""
    manifest: str = ""
    """SHA-256 of the tournament's manifest, which goes into the records."""
    shadow: frozenset[int] | None = None
    """For a game that is copied by scripts from another of its deal: the seats whose players are asked as well."""

    @classmethod
    def of(cls, time: int, bank: int | None, total: int | None, on_fault: str | None, manifest: str = "") -> Terms:
        """Return the terms for milliseconds and a policy's word."""
        reserve, whole = (None if given is None else given / 1000 for given in (bank, total))
        return cls(time / 1000, reserve, None if on_fault is None else Policy(on_fault), whole, manifest)


class Hearers(NamedTuple):
    """The seats to tell something. Seats that only need the native line share one text, written once."""

    letterboxes: list[Callable[[str], None]]
    others: list[Seat]


_USED_UP = "more was not left of its time for the whole game"


class RefereeBug(Exception):
    """A failure of our own code during a game: ``what`` names it, ``record`` is the game so far."""

    def __init__(self, record: list[str], what: str) -> None:
        super().__init__(record, what)  # pickle restores the exception from these arguments
        self.record = record
        self.what = what

    def __str__(self) -> str:
        return f"{self.what} failed in the middle of a game, which is our bug"


def _culprit(bug: BaseException, rules: type[Game]) -> str:
    """Return what failed: the rules, if their code is in the traceback, else the last of our modules called."""
    modules = [str(frame.f_globals.get("__name__")) for frame, _ in traceback.walk_tb(bug.__traceback__)]
    if not {kind.__module__ for kind in rules.__mro__}.isdisjoint(modules):
        return f"the rules of {rules.NAME}"
    ours = [module for module in modules if module.startswith("croupier.")]
    return f"the referee ({ours[-1]})"


class Referee:
    """Play one game between seats and write its record."""

    def __init__(
        self,
        rules: type[Game],
        options: Mapping[str, Atom],
        seats: Sequence[Seat],
        deal: KeyedDeal,
        terms: Terms = Terms(),
        watch: Callable[[Game, int, Play], None] | None = None,
        begun: ResumedGame | None = None,
        *,
        beside_others: bool = False,
    ) -> None:
        """``beside_others`` yields to other tasks after each decision: a bot that answers at once never would."""
        self.seats = seats
        self._beside_others = beside_others
        self._begun = begun
        self.terms = terms
        self.policy = terms.on_fault or Policy.default(len(seats))
        self._keyed = deal
        self._luck = LuckTally(rules, len(seats))
        self._deal = RecordedDeal(deal, self._luck.watch if rules.LUCK else None)
        self._watch = watch
        self._lookers: list[Seat] = []
        self._hearers: dict[int | None, Hearers] = {}
        self._faults: list[PlayerFault] = []
        self._stand_ins: dict[int, random.Random] = {}
        self._thinking: list[list[float]] = [[] for _ in seats]
        self._again = [0.0] * len(seats)
        self._budgets = [Budget(terms.time, terms.bank, terms.total) for _ in seats]
        self._decisions = 0
        players = tuple(seat.name for seat in seats)
        self._sheets = [place.sheet(players, seat) for seat, place in enumerate(seats)]
        if begun is None:
            self.game = self._luck.game = rules(players, options, self._deal)
            self.record = self._header()
        else:
            self.game = self._luck.game = begun.go_on(self._deal)
            self.record = [*begun.record]
            self._faults += begun.faults
            self._stand_ins |= {seat: random.Random(deal.stand_in(seat)) for seat in begun.stand_ins}

    def _header(self) -> list[str]:
        game, deal = self.game, self._keyed
        spoken = [
            line(names)
            for how, line in (lines.SPOKEN | lines.SIGHTS).items()
            if (names := tuple(seat.name for seat in self.seats if how in {seat.dialect, seat.sight}))
        ]
        program, asked = getattr(game, "PROGRAM_SHA256", None), self.terms.shadow
        head: list[lines.Line] = [
            lines.Version(lines.VERSION),
            lines.GameLine(game.NAME, tuple(game.options.items())),
            *([lines.Program(program)] if program else []),
            lines.Players(game.players),
            *spoken,
            lines.DealLine(deal.number, deal.commitment),
            *([lines.Manifest(self.terms.manifest)] if self.terms.manifest else []),
            *([] if asked is None else [lines.Shadow(tuple(game.players[seat] for seat in sorted(asked)))]),
        ]
        return [str(line) for line in head]

    async def play(self) -> PlayedGame:
        """Play the game to its end, which comes whatever the bots do. Raise OSError if the machine fails."""
        began = time.perf_counter()
        try:
            outcome = await self._play()
        except Exception as bug:
            self.record.append(str(lines.End(Outcome.VOID.value)))
            if isinstance(bug, OSError):  # the machine's fault, not that of any rules
                raise
            raise RefereeBug(self.record, _culprit(bug, type(self.game))) from bug
        except BaseException:
            self.record.append(str(lines.End(Outcome.INTERRUPTED.value)))
            raise
        return self._close(outcome, time.perf_counter() - began)

    async def _play(self) -> Outcome:
        self._open()
        game, seats, budgets, stand_ins = self.game, self.seats, self._budgets, self._stand_ins
        sheets = self._sheets
        beside_others = self._beside_others
        while (seat := game.turn) is not None:
            if game.attack is not None:
                self.record.append(str(lines.Attacked(game.players[game.attack.attacker], game.players[seat])))
            self._decisions += 1
            if seat in stand_ins:
                play: Play | None = self._stand_in_play(seat)
            else:
                budget = budgets[seat]
                question = messages.question(game, budget.clock, sheets[seat])
                play = self._take(seat, await seats[seat].ask(question, budget.both))
            if beside_others:
                await trio.lowlevel.checkpoint()
            if play is None:
                return Outcome.FORFEIT
            self._apply(seat, play)
        return Outcome.VOID if game.void else Outcome.FINISHED

    def _open(self) -> None:
        self._keep_shuffles()
        opening = self.game if self._begun is None else self._begun.opening
        texts: dict[str, str] = {}
        for seat, place in enumerate(self.seats):
            if seat in self._stand_ins:
                continue
            place.sit(self.game.players)
            place.follow(self.game, seat)
            self._lookers += [place] if place.LOOKS else []
            # before anything is told, so that the processes of all seats start side by side
            place.ready()
            begins, dealt = messages.start(opening, seat, self._budgets[seat].clock, self._sheets[seat])
            place.tell(begins, {})
            place.tell(dealt, texts)
        for told, but in self._begun.told if self._begun is not None else ():
            self._post(told, but)

    def _take(self, seat: int, answer: messages.Answer) -> Play | None:
        """Return a legal play of this seat, by its stand-in if necessary; None if the game is forfeit.

        The time of the answer is subtracted from the seat's budget.
        """
        budget = self._budgets[seat]
        self._thinking[seat].append(answer.used)
        if answer.again:
            self._again[seat] += answer.again
        play = (answer := messages.judge(self.game, seat, answer)).outcome
        if not isinstance(play, Fault):
            budget.spend(answer.used)
            return play
        # before this reply is subtracted: the sentence is about the budget that it had
        if play.kind is Kind.TIMEOUT and budget.short:
            play = replace(play, why=f"{play.why}; {_USED_UP}")
        budget.spend(answer.used)
        return self._stand_in_play(seat) if self._punish(seat, play, answer) else None

    def _stand_in_play(self, seat: int) -> Play:
        return self.game.sample(self._stand_ins[seat])

    def _punish(self, seat: int, fault: Fault, answer: messages.Answer) -> bool:
        """Record the fault and apply the policy; return whether a stand-in plays on."""
        name, kind = self.game.players[seat], fault.kind.value
        self._faults.append(PlayerFault(seat, fault))
        self.record.append(
            str(lines.Faulted(name, kind, fault.description, answer.asked, answer.received.decode("latin-1")))
        )
        # before the news, which must not reach the process at fault
        self.seats[seat].retire()
        self._post(messages.fault(name, kind), but=seat)
        if self.policy is Policy.FORFEIT:
            return False
        self._stand_ins[seat] = random.Random(self._keyed.stand_in(seat))
        self._hearers.clear()
        self.record.append(str(lines.StandIn(name)))
        return True

    def _apply(self, seat: int, play: Play) -> None:
        game = self.game
        name, attack = game.players[seat], game.attack
        if self._watch is not None:
            self._watch(game, seat, play)
        # before the play is applied, because what others may see depends on the state before it
        seen = game.public(seat, play)
        self.record.append(lines.play_line(name, play) if attack is None else str(lines.Defense(name, play)))
        for place in self._lookers:
            place.before(seat, play, seen)
        news = game.play(seat, play)
        # after the line of the play, because a record has the shuffles that follow from a play below it
        if self._deal.fresh:
            self._keep_shuffles()
        if news or attack is not None:
            for note, but in messages.after(game, seat, seen, attack, news):
                self._post(note, but)
        else:
            self._post(Update(name, seen), but=seat)
        for place in self._lookers:
            place.after(seat, news)

    def _keep_shuffles(self) -> None:
        for label, cards in self._deal.new():
            self.record.append(str(lines.Shuffled(label.text(self.game.players), cards)))

    def _post(self, note: Notification, but: int | None = None) -> None:
        letterboxes, others = self._hearers.get(but) or self._listening(but)
        if letterboxes:
            line = note.write()
            for post in letterboxes:
                post(line)
        if others:
            texts: dict[str, str] = {}
            for place in others:
                place.tell(note, texts)

    def _listening(self, but: int | None) -> Hearers:
        """Return the seats to tell, all but one seat; valid until a stand-in takes over."""
        told = [place for seat, place in enumerate(self.seats) if seat != but and seat not in self._stand_ins]
        letterboxes = [post for place in told if (post := place.letterbox) is not None]
        others = [] if len(letterboxes) == len(told) else [place for place in told if place.letterbox is None]
        hearers = self._hearers[but] = Hearers(letterboxes, others)
        return hearers

    def _close(self, outcome: Outcome, seconds: float) -> PlayedGame:
        game = self.game
        offenders = {fault.seat for fault in self._faults}
        scores, ranks = ((), ()) if outcome is Outcome.VOID else settle(game, offenders, outcome)
        named = tuple(zip(game.players, scores, strict=False))
        self._post(messages.end(named))
        for seat, place in enumerate(self.seats):
            if seat not in offenders:
                place.finish()
        used = [round(sum(times) * 1e6) for times in self._thinking]
        self.record += [
            *([str(lines.Score(named))] if scores else []),
            str(lines.End(outcome.value)) + (f"  ; {ascii(game.void)[1:-1]}" if outcome is Outcome.VOID else ""),
            *map(_time_line, game.players, used, self._again),
        ]
        return PlayedGame(
            pairing=(),
            deal=self._keyed.number,
            seating=game.players,
            scores=scores,
            ranks=ranks,
            faults=tuple(self._faults),
            assisted=self._assisted_seats(offenders) if offenders else (),
            outcome=outcome,
            void=game.void or "" if outcome is Outcome.VOID else "",
            decisions=self._decisions,
            seconds=seconds,
            thinking=tuple([tuple(spent) if self._is_asked(seat) else () for seat, spent in enumerate(self._thinking)]),
            shadow=self.terms.shadow is not None,
            luck=self._luck.gains,
            burnt=tuple([place.burnt for place in self.seats]),
            again=tuple(self._again) if any(self._again) else (),
            record=tuple(self.record),
        )

    def _is_asked(self, seat: int) -> bool:
        if any(fault.seat == seat and fault.fault.kind is Kind.WITHDRAWN for fault in self._faults):
            return False
        return self.terms.shadow is None or seat in self.terms.shadow

    def _assisted_seats(self, offenders: set[int]) -> tuple[int, ...]:
        """List the seats whose partner was replaced by a stand-in."""
        return tuple(
            seat
            for seat in range(len(self.seats))
            if seat not in offenders and offenders.intersection(self.game.partners(seat))
        )


def _time_line(name: str, spent: int, again: float) -> str:
    """Return the record's line of a player's time, with the part that was given back."""
    return str(lines.Time(name, spent)) + (f"  ; {again:.3f} s again, withheld by this machine" if again else "")
