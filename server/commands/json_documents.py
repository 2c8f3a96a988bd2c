"""JSON documents: the type of each document that ``--json`` prints, field by field, for the manual and the tests.

`bench/reference.py` writes the page of the manual from these types, and a test holds the output of every command to
them. A field with the default ``UNSET`` is left out where it does not apply.
"""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import UNSET, Meta, Struct, UnsetType

from croupier.server.commands import SCHEMA

Names = list[str]
Counts = dict[str, int]


def says(meaning: str) -> Meta:
    """Return the meaning of a field, for its type."""
    return Meta(description=meaning)


class Part(Struct, forbid_unknown_fields=True):
    """An object inside a document."""


Version = Annotated[int, says(f"the version of all documents, {SCHEMA}")]


class Document(Part):
    """A whole document."""

    schema: Version


# Begin


class GameOption(Part):
    """An option of a game."""

    default: Annotated[int | str, says("its value if it is not set")]
    values: Annotated[str, says("the values it may have")]
    about: Annotated[str, says("what it decides")]


class ListedGame(Part, kw_only=True):
    """A game of the list, built in or of the library of RECYCLE programs."""

    game: Annotated[str, says("its name")]
    seats: Annotated[list[int], says("the numbers of players")]
    wins: Annotated[str, says("the score that wins: `high` or `low`")]
    partners: Annotated[list[list[int]], says("the seats of each partnership")]
    options: Annotated[dict[str, GameOption] | UnsetType, says("its options by name, if it is built in")] = UNSET
    presets: Annotated[dict[str, Names] | UnsetType, says("words that stand for several options")] = UNSET
    about: Annotated[str | UnsetType, says("what it is, if it is of the library")] = UNSET


class Games(Document):
    """``games``: the games."""

    games: Annotated[list[ListedGame], says("each game")]


class OneGame(Document):
    """``games GAME``: a built-in game."""

    game: Annotated[str, says("its name")]
    seats: Annotated[list[int], says("the numbers of players")]
    wins: Annotated[str, says("the score that wins: `high` or `low`")]
    partners: Annotated[list[list[int]], says("the seats of each partnership")]
    options: Annotated[dict[str, GameOption], says("its options by name")]
    presets: Annotated[dict[str, Names], says("words that stand for several options")]
    plays: Annotated[dict[str, str], says("each form of a play, with its meaning")]
    state: Annotated[Names, says("the keys of STATE, in order")]
    bidding: Annotated[Names, says("the phases before the cards")]


class Stage(Part):
    """A stage or a choice of a program."""

    depth: Annotated[int, says("how many stages it is in")]
    line: Annotated[int, says("its line in the file")]
    what: Annotated[str, says("what it is")]


class Sample(Part):
    """A few random games of a program."""

    games: Annotated[int, says("their number")]
    outcomes: Annotated[Counts, says("how many ended in each way")]
    choices_a_game: Annotated[float, says("choices per game")]
    options_a_choice: Annotated[float, says("options per choice")]
    most_options: Annotated[int, says("the most options of a choice")]
    single: Annotated[float, says("the share of choices with one option")]
    examples: Annotated[Names, says("options of each kind")]


class OneProgram(Document):
    """``games FILE``: a RECYCLE program."""

    program: Annotated[str, says("its name")]
    sha256: Annotated[str, says("the SHA-256 of its file")]
    about: Annotated[str, says("the comment at its beginning")]
    players: Annotated[int, says("the number of players")]
    teams: Annotated[list[list[int]], says("the seats of each team")]
    low_wins: Annotated[bool, says("whether the low score wins")]
    cards: Annotated[int, says("the number of cards")]
    backs: Annotated[Counts, says("the number of cards with each back")]
    pack: Annotated[dict[str, Names], says("the values of each key of the cards")]
    stages: Annotated[list[Stage], says("its stages and choices")]
    sample: Annotated[Sample, says("random games of it")]


class ListedBot(Part):
    """A bot that comes with the package."""

    name: Annotated[str, says("its name")]
    game: Annotated[str | None, says("the game it plays; missing if it plays every game")]
    about: Annotated[str, says("what it does")]


class Bots(Document):
    """``bots``: the bots that come with the package."""

    bots: Annotated[list[ListedBot], says("each bot")]


class NewBot(Document):
    """``new-bot``: the bot that was written."""

    name: Annotated[str, says("its name")]
    game: Annotated[str, says("its game")]
    files: Annotated[Names, says("the files that were written")]


class CheckStep(Part):
    """A step of the check of a bot."""

    name: Annotated[str, says("what is checked")]
    passed: Annotated[bool, says("whether it passed")]
    detail: Annotated[str, says("what happened; for a failure, everything that its author needs")]


class OneCheck(Document):
    """``check BOT``: the check of one bot."""

    passed: Annotated[bool, says("whether all steps passed")]
    steps: Annotated[list[CheckStep], says("the steps up to the first that failed")]


class BotCheck(Part):
    """The check of one of several bots."""

    bot: Annotated[str, says("its name")]
    passed: Annotated[bool, says("whether all steps passed")]
    steps: Annotated[list[CheckStep], says("the steps up to the first that failed")]


class Checks(Document):
    """``check BOT BOT ...``, ``check FILE.toml``: the check of several bots."""

    bots: Annotated[list[BotCheck], says("each bot")]


class PuzzleSolution(Part):
    """A bot's play in the position of a puzzle."""

    name: Annotated[str, says("the puzzle")]
    solved: Annotated[bool, says("whether the play is right, or not wrong")]
    play: Annotated[str | None, says("the play")]
    fault: Annotated[str | None, says("the fault in place of a play")]


class PuzzledBot(Part):
    """A bot that was asked for puzzles."""

    bot: Annotated[str, says("its name")]
    solved: Annotated[int, says("the number of puzzles it solved")]
    puzzles: Annotated[list[PuzzleSolution], says("each puzzle")]


class PuzzleCheck(Document):
    """``check --puzzles``: the bots' plays in the positions of puzzles."""

    bots: Annotated[list[PuzzledBot], says("each bot")]


class Usage(Part):
    """What a bot that asks a provider used."""

    decisions: Annotated[int, says("its decisions")]
    calls: Annotated[int, says("calls of the provider")]
    retries: Annotated[int, says("questions that were asked again")]
    tokens_in: Annotated[int, says("tokens of the questions")]
    cached: Annotated[int, says("how many of them were cached")]
    tokens_out: Annotated[int, says("tokens of the answers")]
    cost: Annotated[float | None, says("the cost by the prices that the bot was given")]


class Probe(Part):
    """What a probe found of a bot."""

    verdict: Annotated[str, says("the verdict in a word")]
    asked: Annotated[int, says("answers in other worlds, of which it was told the same")]
    changed: Annotated[int, says("how many of them changed")]
    again: Annotated[int, says("answers in the same world")]
    changed_again: Annotated[int, says("how many of them changed")]
    strayed: Annotated[int, says("answers that were different in the game, and the same each time it was asked again")]
    skipped: Annotated[int, says("decisions at which no other world could be imagined")]


class PlayedFault(Part):
    """A fault in a game."""

    player: Annotated[str, says("the player")]
    kind: Annotated[str, says("the kind of fault")]
    why: Annotated[str, says("the reason in words")]


class PlayedGame(Part, kw_only=True):
    """A game that was played now."""

    deal: Annotated[int, says("the deal's number")]
    seating: Annotated[Names, says("the players, by seat")]
    scores: Annotated[Counts | None, says("the scores by name; missing if the game does not count")]
    ranks: Annotated[Counts | None, says("the ranks by name; 1 is the best")]
    outcome: Annotated[str, says("`finished`, `forfeit`, `void` or `interrupted`")]
    void: Annotated[str | UnsetType, says("why it does not count")] = UNSET
    faults: Annotated[list[PlayedFault], says("the faults")]
    assisted: Annotated[Names, says("the players whose partner was replaced by a stand-in")]
    decisions: Annotated[int, says("the number of decisions")]
    burnt: Annotated[dict[str, float] | None, says("seconds of CPU time used while others were on turn, by name")]
    again: Annotated[dict[str, float] | UnsetType, says("seconds given back to replies, by name")] = UNSET
    seconds: Annotated[float, says("the duration in seconds")]
    record: Annotated[str | None, says("the file of its record")]


class Beside(Part):
    """A comparison with a bot that had the same seat in the same deals."""

    player: Annotated[str, says("the player")]
    beside: Annotated[str, says("the bot, or all of them")]
    deals: Annotated[int, says("the number of deals")]
    mean: Annotated[float, says("the player's mean")]
    theirs: Annotated[float, says("the bot's mean")]
    difference: Annotated[float | None, says("the player's mean less the bot's")]
    low: Annotated[float | None, says("the lower bound of its 95 % interval")]
    high: Annotated[float | None, says("the upper bound")]


class Play(Document, kw_only=True):
    """``play``: the games of a table."""

    game: Annotated[str, says("the game")]
    players: Annotated[Names, says("the players, by seat")]
    games: Annotated[list[PlayedGame], says("each game")]
    totals: Annotated[Counts, says("the sum of the scores by name")]
    network: Annotated[Names, says("the bots that may use the network")]
    usage: Annotated[dict[str, Usage] | UnsetType, says("what bots of a provider used, by name")] = UNSET
    sights: Annotated[dict[str, str] | UnsetType, says("what bots are told beyond their own cards, by name")] = UNSET
    probe: Annotated[dict[str, Probe] | UnsetType, says("with `--probe`, what it found, by name")] = UNSET
    beside: Annotated[list[Beside] | UnsetType, says("with `--deals-of`, comparisons with the tournament")] = UNSET


class ListedBridge(Part):
    """A bridge."""

    name: Annotated[str, says("its name")]
    about: Annotated[str, says("which player it asks")]
    extra: Annotated[str | None, says("the extra it needs")]


class Bridges(Document):
    """``bridge``: the bridges."""

    bridges: Annotated[list[ListedBridge], says("each bridge")]


class Address(Document):
    """``watch``, ``bridge jass-service``: the address at which something is served."""

    address: Annotated[str, says("the address")]


# Games that were played


class RecordVerdict(Part, kw_only=True):
    """The verdict on a record."""

    game: Annotated[str | UnsetType, says("with `--from`, the game's title")] = UNSET
    record: Annotated[str | UnsetType, says("the record, if its file has several")] = UNSET
    valid: Annotated[bool | None, says("whether it is a game by the rules; missing if it cannot be judged")]
    scores: Annotated[Counts | None | UnsetType, says("the scores by name, if it is valid")] = UNSET
    line: Annotated[int | None | UnsetType, says("the line at which it is not a game")] = UNSET
    why: Annotated[str | UnsetType, says("the reason in words")] = UNSET
    unreadable: Annotated[bool | UnsetType, says("true if no record can be read there")] = UNSET
    stopped: Annotated[str | UnsetType, says("how the game was ended early")] = UNSET
    winner: Annotated[str | UnsetType, says("the winner, if the file is a list of cards")] = UNSET
    points: Annotated[int | UnsetType, says("the winner's points")] = UNSET
    trick: Annotated[int | UnsetType, says("the trick at which it is not a game")] = UNSET
    player: Annotated[int | UnsetType, says("the player who played wrongly")] = UNSET


class Verdict(RecordVerdict, kw_only=True):
    """``replay RECORD``: the verdict on one record."""

    schema: Version


class Verdicts(Document):
    """``replay RECORD RECORD ...``, ``replay --from PROGRAM``: the verdict on each record."""

    records: Annotated[list[RecordVerdict], says("each record, in order")]


class World(Part):
    """A full deal."""

    players: Annotated[dict[str, dict[str, Any]], says("the STATE of each player, in the JSON dialect")]
    unseen: Annotated[list[Any], says("each pile that nobody sees, with its cards from the top")]


class Imagine(Document):
    """``imagine``: full deals that agree with a STATE."""

    worlds: Annotated[list[World], says("each deal")]


class FoundFault(Part):
    """A fault in a game that was found."""

    player: Annotated[str, says("the player")]
    kind: Annotated[str, says("the kind of fault")]


class FoundGame(Part):
    """A game that was found."""

    record: Annotated[str, says("its record, as `croupier replay` takes it")]
    game: Annotated[str, says("the game")]
    deal: Annotated[int, says("the deal's number, 0 if it has none")]
    seating: Annotated[Names, says("the players, by seat")]
    scores: Annotated[Counts | None, says("the scores by name")]
    ranks: Annotated[Counts | None, says("the ranks by name")]
    margin: Annotated[int | None, says("the points between the winner and the best of the others")]
    outcome: Annotated[str, says("`finished`, `forfeit`, `void` or `interrupted`")]
    faults: Annotated[list[FoundFault], says("the faults")]
    decisions: Annotated[int, says("the number of decisions")]
    thought: Annotated[dict[str, float | None] | None, says("milliseconds of the longest decision, by name")]


class Find(Document):
    """``find``: the games that were found."""

    games: Annotated[list[FoundGame], says("each game")]


class Export(Document):
    """``export``: the table that was written."""

    file: Annotated[str, says("the file")]
    table: Annotated[str, says("the name of the table")]
    rows: Annotated[int, says("the number of rows")]
    columns: Annotated[Names, says("the names of the [columns](columns.md)")]


# Games of your own


class ProgramProblem(Part):
    """A problem of a program."""

    line: Annotated[int, says("its line")]
    column: Annotated[int, says("its column")]
    message: Annotated[str, says("what is wrong, and what to do")]
    severity: Annotated[str, says("`error` or `warning`")]


class LawJudgement(Part):
    """The judgement of a law."""

    law: Annotated[str, says("the law")]
    passed: Annotated[bool | None, says("whether the game keeps it; missing if it could not be tried")]
    detail: Annotated[str | None, says("how it was broken, or why it could not be tried")]


class GameCheck(Part, kw_only=True):
    """The check of a game, or of a program."""

    game: Annotated[str | UnsetType, says("the game")] = UNSET
    program: Annotated[str | UnsetType, says("the program")] = UNSET
    passed: Annotated[bool, says("whether nothing is wrong")]
    laws: Annotated[list[LawJudgement] | UnsetType, says("each law, for a game")] = UNSET
    problems: Annotated[list[ProgramProblem] | UnsetType, says("each problem, for a program")] = UNSET


class OneGameCheck(GameCheck, kw_only=True):
    """``check-game GAME``: the check of one game."""

    schema: Version


class GameChecks(Document):
    """``check-game GAME GAME ...``: the check of several games."""

    games: Annotated[list[GameCheck], says("each game")]


class Measure(Part):
    """A number with its 95 % interval."""

    value: Annotated[float | None, says("the estimate")]
    low: Annotated[float | None, says("the lower bound")]
    high: Annotated[float | None, says("the upper bound")]


class Analysis(Part, kw_only=True):
    """The analysis of a game."""

    game: Annotated[str, says("the game")]
    options: Annotated[dict[str, Any], says("its options")]
    players: Annotated[int, says("the number of players")]
    seed: Annotated[str | int | None, says("the seed of the deals")]
    deals: Annotated[int, says("the number of deals")]
    thinking: Annotated[int, says("how many of them had players that thought")]
    worlds: Annotated[int, says("the worlds that these imagined for each option")]
    searching: Annotated[int, says("how many deals had a player that searched")]
    playouts: Annotated[int | UnsetType, says("its playouts per decision")] = UNSET
    ms: Annotated[int | UnsetType, says("or its milliseconds per decision")] = UNSET
    measures: Annotated[dict[str, Measure], says("each [measure](measures.md) by name")]
    tables: Annotated[dict[str, dict[str, Any]], says("by kind of table: games, lengths, options, scores by seat")]


class OneAnalysis(Analysis, kw_only=True):
    """``analyze GAME``: the measures of one game."""

    schema: Version


class TwoAnalyses(Document):
    """``analyze GAME GAME``: the measures of two games."""

    games: Annotated[list[Analysis], says("both games")]
    differences: Annotated[dict[str, Measure], says("each measure of the second less that of the first")]


# Help


class ListedPage(Part):
    """A page of the manual."""

    page: Annotated[str, says("its name")]
    title: Annotated[str, says("its title")]
    path: Annotated[str, says("its file")]


class Pages(Document):
    """``docs``: the pages of the manual."""

    pages: Annotated[list[ListedPage], says("each page")]


class OnePage(Document):
    """``docs PAGE``: a page of the manual."""

    page: Annotated[str, says("its name")]
    path: Annotated[str, says("its file")]
    text: Annotated[str, says("its text in Markdown")]


class DoctorFinding(Part):
    """The state of one thing on this machine."""

    what: Annotated[str, says("what was checked")]
    works: Annotated[bool, says("whether it works")]
    about: Annotated[str, says("its purpose")]
    why_not: Annotated[str | None, says("why it does not work")]


class Doctor(Document):
    """``doctor``: what works on this machine."""

    sandbox: Annotated[str, says("the strongest level that works")]
    findings: Annotated[list[DoctorFinding], says("everything that was checked")]
