"""Judgement documents: the types of the JSON documents of `verdict` and `review`."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, UnsetType

from croupier.server.commands.json_documents import Counts, Document, Names, Part, Version, says
from croupier.server.commands.tournament_documents import Difference, LaterSeating, RankedLine, Trial


class CountsVerdict(Trial, kw_only=True):
    """``verdict --counts``: whether the new version is better, from counts of games or pairs."""

    schema: Version


class Comparison(Trial, kw_only=True):
    """Whether one player of a table is better than another."""

    old: Annotated[str, says("the one")]
    new: Annotated[str, says("the other, which may be better")]


class ForeignVerdict(Document, kw_only=True):
    """``verdict FILE``: the standings of a table of results from elsewhere."""

    game: Annotated[str, says("the file")]
    games: Annotated[int, says("the number of games")]
    finished: Annotated[bool, says("always true")]
    players: Annotated[list[RankedLine], says("the players, in the order of their rank")]
    ranked_by: Annotated[str, says("the number that ranks: `mean`, `field` or `strength`")]
    void: Annotated[Counts, says("games that do not count, by reason: none")]
    differences: Annotated[list[Difference], says("each pair that met")]
    later_seatings: Annotated[list[LaterSeating], says("always empty")]
    deals: Annotated[int | None, says("the number of deals, if the table names them")]
    sets: Annotated[int, says("the number of sets")]
    uneven_sets: Annotated[int | None, says("sets in which somebody had a seat more often, if that is known")]
    comparison: Annotated[Comparison | UnsetType, says("with `--old` and `--new`, whether the new one is better")] = (
        UNSET
    )


class Lost(Part):
    """Points that were lost."""

    loss: Annotated[float, says("the points")]
    error: Annotated[float, says("their standard error")]


class KindLost(Lost):
    """Points that were lost by a kind of decision."""

    decisions: Annotated[int, says("its decisions")]


class SeatLost(Lost):
    """Points that were lost in a seat, per game."""

    seat: Annotated[int, says("the seat; the first is 1")]
    games: Annotated[int, says("the games in it")]


class OpponentLost(Lost, kw_only=True):
    """Points that were lost with another player at the table, per game."""

    games: Annotated[int, says("the games with it")]
    brought: Annotated[Lost | UnsetType, says("what the other one's losses brought, if they were judged")] = UNSET


class ReviewSummary(Lost, kw_only=True):
    """What a player lost in all games, per game."""

    name: Annotated[str, says("its name")]
    games: Annotated[int, says("its games")]
    decisions: Annotated[int, says("its decisions")]
    labels: Annotated[Counts, says("how many were `forced`, `best`, `equal`, an `inaccuracy` or a `mistake`")]
    kinds: Annotated[dict[str, KindLost], says("by kind of decision")]
    seats: Annotated[list[SeatLost], says("by seat")]
    opponents: Annotated[dict[str, OpponentLost], says("by the other players")]
    worth: Annotated[float | UnsetType, says("its result, if a game was played to its end")] = UNSET
    deal: Annotated[Lost | UnsetType, says("the part of it that the deal brought, if all were judged")] = UNSET
    others: Annotated[Lost | UnsetType, says("the part that mistakes of others brought, if all were judged")] = UNSET
    own: Annotated[Lost | UnsetType, says("the part that its own mistakes brought")] = UNSET


class ReviewPlayer(Part):
    """What a player lost in a game."""

    name: Annotated[str, says("its name")]
    decisions: Annotated[int, says("its decisions")]
    labels: Annotated[Counts, says("how many had each label")]
    loss: Annotated[Lost, says("the sum of its losses")]
    kinds: Annotated[dict[str, KindLost], says("by kind of decision")]
    worth: Annotated[float | None, says("its result, if the game was played to its end")]
    deal: Annotated[Lost | None, says("the part of it that the deal brought, if all were judged")]
    others: Annotated[Lost | None, says("the part that mistakes of others brought, if all were judged")]
    own: Annotated[Lost | None, says("the part that its own mistakes brought")]
    brought: Annotated[dict[str, Lost], says("what the losses of each other player brought it, if they were judged")]


class PlayWorth(Part):
    """The worth of a play."""

    play: Annotated[str, says("the play, as a record has it")]
    worth: Annotated[float, says("the expected result, by what the player could know")]
    error: Annotated[float, says("its standard error")]
    worth_open: Annotated[float, says("the expected result with all cards open")]
    error_open: Annotated[float, says("its standard error")]


class ReviewDecision(Lost, kw_only=True):
    """A decision."""

    moment: Annotated[int, says("its number on the page of the game")]
    line: Annotated[int, says("its line in the record")]
    question: Annotated[int, says("its number among the questions to the player, as `replay --sent` counts them")]
    player: Annotated[str, says("the player")]
    kind: Annotated[str, says("the kind of decision")]
    play: Annotated[str, says("the play")]
    label: Annotated[str, says("how good it was, in a word")]
    best: Annotated[str, says("the best play by what the player could know")]
    best_open: Annotated[str, says("the best play with all cards open")]
    loss_open: Annotated[float, says("the points that were lost against it")]
    error_open: Annotated[float, says("their standard error")]
    plays: Annotated[list[PlayWorth], says("each play, with what it was worth")]


class ReviewedGame(Part, rename={"for_": "for"}):
    """The review of a game."""

    record: Annotated[str, says("the record")]
    game: Annotated[str, says("the game")]
    budget: Annotated[dict[str, float], says("what each decision got: `ms`, or `iterations`")]
    for_: Annotated[Names, says("the players that were reviewed; all if it is empty")]
    players: Annotated[list[ReviewPlayer], says("each player")]
    decisions: Annotated[list[ReviewDecision], says("each decision, in order")]


class Reviews(Document):
    """``review``: what every decision was worth."""

    players: Annotated[list[ReviewSummary], says("each player, in the order of names")]
    games: Annotated[list[ReviewedGame], says("each game")]
