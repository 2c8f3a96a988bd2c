"""Scheduling: the schedule that a tournament's settings ask for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.server.tournaments.formats import FORMATS, default_format
from croupier.server.tournaments.formats.schedule import A_LOOK, MOST, Asks, Layout, ScheduleError

if TYPE_CHECKING:
    from croupier.server.deals import Key
    from croupier.server.games.game import Game
    from croupier.server.tournaments.config import Settings
    from croupier.server.tournaments.formats.roster import Roster
    from croupier.server.tournaments.formats.schedule import Schedule

PAIR = 2


def schedule_for(settings: Settings, game: type[Game], key: Key, roster: Roster | None = None) -> Schedule:
    """Make the schedule that a tournament's settings ask for."""
    entries = [bot.name for bot in settings.bots]
    kind = FORMATS[settings.format or default_format(len(entries))]
    table = table_for(settings, game, kind)
    if settings.sprt is not None:
        _check_meeting(settings, kind)
    if kind.adaptive and roster is not None:  # what it draws by, points and rungs, an entry's next version takes over
        entries = roster.entries(entries)
    most = settings.batch or MOST
    most = min(most, A_LOOK) if settings.ends_early else most
    return kind(entries, table, settings.deals, key, settings.rounds, roster, most)


def _check_meeting(settings: Settings, kind: type[Schedule]) -> None:
    """Refuse to decide between two bounds where the first two bots do not play the same deals, or do not meet."""
    if not kind.same_deals:
        able = ", ".join(name for name, each in FORMATS.items() if each.same_deals)
        raise ScheduleError(f"sprt compares the first two bots on equal deals, which they play in: {able}")
    if settings.sprt_in == "strength" and kind.asks is Asks.FIRST_TWO and len(settings.bots) > PAIR:
        raise ScheduleError(
            "sprt_in strength compares two who meet: in the format paired they do so only without others"
        )


def table_for(settings: Settings, game: type[Game], kind: type[Schedule]) -> Layout:
    """Return the game's table: the smallest unless one is asked for; partners differ where there are bots enough."""
    seats = settings.seats or min(game.SEATS)
    if seats not in game.SEATS:
        raise ScheduleError(f"{settings.game} is played by {' or '.join(map(str, game.SEATS))}, not by {seats}")
    alone = not kind.copies and len(settings.bots) >= seats and settings.teams != "copies"
    return Layout(seats, game.PARTNERS, copies=not alone, every=settings.seatings == "all")
