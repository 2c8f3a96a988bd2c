"""Season documents: the type of the JSON document of ``season``, and the document itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from msgspec import UNSET, UnsetType

from croupier.server.commands.json_documents import Document, Names, Part, says
from croupier.server.commands.tournament_documents import Interval

if TYPE_CHECKING:
    from collections.abc import Sequence

    from croupier.server.season.folder import Author, Night
    from croupier.server.season.pages.gathered import Season as Gathered


class PlayedNight(Part):
    """A night of a season."""

    number: Annotated[int, says("its number, from 1")]
    ended: Annotated[bool, says("false if it was stopped, so that the next run continues it")]
    games: Annotated[dict[str, int], says("how many games each tournament has")]
    unfinished: Annotated[Names, says("the games of which not all deals were played")]
    problems: Annotated[Names, says("why a game could not be played")]


class SeasonPlace(Interval, kw_only=True):
    """A line of the ranking over all games, in standard deviations of a bot's mean score of one deal."""

    name: Annotated[str, says("the author, or the season's own bot")]
    games: Annotated[dict[str, Interval], says("its score in each game that it plays")]


class JudgedGame(Part, kw_only=True):
    """What became of a submission at a game."""

    entered: Annotated[bool, says("whether it plays")]
    reason: Annotated[str | UnsetType, says("why it was sent back")] = UNSET


class LastSubmission(Part, kw_only=True):
    """An author's last submission."""

    author: Annotated[str, says("the author")]
    number: Annotated[int, says("its number, from 1")]
    file: Annotated[str, says("its folder or archive")]
    gone: Annotated[bool, says("whether its author has taken it away")]
    refused: Annotated[str | UnsetType, says("why it was sent back as a whole")] = UNSET
    games: Annotated[dict[str, JudgedGame], says("what became of it at each game")]


class SoftPlay(Part):
    """A pair of bots with more between them than chance explains."""

    game: Annotated[str, says("the game")]
    giver: Annotated[str, says("the bot that gave")]
    taker: Annotated[str, says("the bot that was given to")]
    gave: Annotated[Names, says("`points`, `wins` or both")]


class Season(Document):
    """``season``: a night of a season, and the ranking after it."""

    title: Annotated[str, says("the season's title")]
    night: Annotated[PlayedNight, says("the night")]
    ranking: Annotated[list[SeasonPlace], says("the ranking over all games, the best first")]
    submissions: Annotated[list[LastSubmission], says("each author's last submission")]
    soft_play: Annotated[list[SoftPlay], says("pairs with more than chance explains")]
    page: Annotated[str, says("the page with the ranking")]


def document(season: Gathered, night: Night, problems: Sequence[str], page: str) -> dict[str, Any]:
    """Return the document of a night of a season."""
    return {
        "title": season.title,
        "night": {
            "number": night.number,
            "ended": night.ended is not None,
            "games": night.games,
            "unfinished": night.unfinished,
            "problems": problems,
        },
        "ranking": [
            {
                "name": line.name,
                **line.score.document(),
                "games": {name: score.document() for name, score in line.games.items()},
            }
            for line in season.ranking
        ],
        "submissions": [_last(author) for author in season.ledger.authors if author.submissions],
        "soft_play": [
            {"game": part.name, "giver": gift.giver, "taker": gift.taker, "gave": gift.kinds}
            for part in season.games
            for gift in part.soft.found
        ],
        "page": page,
    }


def _last(author: Author) -> dict[str, Any]:
    last = author.submissions[-1]
    games = {
        name: {"entered": trial.entered} | ({"reason": trial.reason} if trial.reason else {})
        for name, trial in last.trials.items()
    }
    refused = {"refused": last.refused} if last.refused else {}
    who = {"author": author.name, "number": last.number, "file": last.file, "gone": author.gone}
    return who | refused | {"games": games}
