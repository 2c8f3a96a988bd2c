"""Tournament documents: the types of the JSON documents of commands about tournaments."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import UNSET, UnsetType

from croupier.server.commands.json_documents import Counts, Document, Names, Part, Probe, Usage, Version, says


class Amendment(Part):
    """A change after the commitment."""

    games: Annotated[int, says("the number of games before it")]
    commitment: Annotated[str, says("the SHA-256 of the new manifest")]
    changes: Annotated[Names, says("each change in words")]


class Bound(Part, kw_only=True):
    """What a tournament is bound to."""

    commitment: Annotated[str | None, says("the SHA-256 of its manifest")]
    amendments: Annotated[list[Amendment], says("each change after the commitment")]
    not_bound: Annotated[Names, says("what nothing binds")]
    older: Annotated[bool | UnsetType, says("true if an older version drew its tables")] = UNSET
    shadowed: Annotated[int | UnsetType, says("the number of games that were copied from others")] = UNSET


class Cause(Part):
    """A cause of a bot's faults, with its first example."""

    kind: Annotated[str, says("the kind of fault")]
    why: Annotated[str, says("the reason in words")]
    asked: Annotated[str, says("the question")]
    received: Annotated[str, says("the answer")]
    hint: Annotated[str, says("the advice to its author")]
    show: Annotated[str, says("the command that shows the game")]
    deals: Annotated[list[int], says("the deals with this cause")]


class Spending(Part, kw_only=True):
    """The cost of a tournament so far."""

    seconds: Annotated[float, says("seconds by the clock on the wall")]
    calls: Annotated[int, says("calls of providers")]
    tokens: Annotated[int, says("tokens, in and out")]
    cost: Annotated[float | None, says("the cost by the prices that bots were given")]
    budget: Annotated[str | UnsetType, says("the budget")] = UNSET
    used_up: Annotated[bool | UnsetType, says("whether nothing of it is left")] = UNSET


class SeatMean(Part):
    """A bot's mean in a seat."""

    games: Annotated[int, says("its games in this seat")]
    mean: Annotated[float | None, says("its mean in this seat")]


class Station(Part):
    """A bot's mean after some of its sets."""

    sets: Annotated[int, says("the number of sets")]
    mean: Annotated[float | None, says("the mean after them")]
    low: Annotated[float | None, says("the lower bound")]
    high: Annotated[float | None, says("the upper bound")]


class Interval(Part):
    """A mean with its 95 % interval."""

    mean: Annotated[float | None, says("the mean")]
    low: Annotated[float | None, says("the lower bound")]
    high: Annotated[float | None, says("the upper bound")]


class Milliseconds(Part):
    """Thinking times of a bot."""

    median: Annotated[float | None, says("the median")]
    slowest: Annotated[float | None, says("the 99th percentile")]


class RankedLine(Interval, kw_only=True):
    """A line of the standings."""

    name: Annotated[str, says("its name")]
    title: Annotated[str, says("the title that people read instead, if it has one")]
    rank: Annotated[int, says("its place")]
    games: Annotated[int, says("its games")]
    wins: Annotated[int, says("games in which nobody was ranked above it, shared wins included")]
    shared: Annotated[int, says("how many wins it shared")]
    points: Annotated[float | None, says("what the format itself counts")]
    strength: Annotated[float | None, says("one number for all wins, ties and losses")]
    strength_low: Annotated[float | None, says("the lower bound of the strength")]
    strength_high: Annotated[float | None, says("the upper bound")]
    field: Annotated[float | None | UnsetType, says("the score against all others, also those it has not met")] = UNSET
    field_low: Annotated[float | None | UnsetType, says("its lower bound")] = UNSET
    field_high: Annotated[float | None | UnsetType, says("its upper bound")] = UNSET
    clean: Annotated[Interval, says("the mean of sets in which nobody committed a fault")]
    faults: Annotated[Counts, says("its faults by kind")]
    causes: Annotated[Counts, says("its faults by cause")]
    status: Annotated[str, says("`replaced` or `withdrawn`, empty if it plays")]
    milliseconds: Annotated[Milliseconds, says("its thinking times")]


class StandingsPlayer(RankedLine, kw_only=True):
    """A bot's line of the standings, with what the report shows of it."""

    examples: Annotated[list[Cause], says("its most frequent causes, each with an example")]
    thinking: Annotated[list[tuple[float, int]], says("milliseconds, and how many decisions took about that long")]
    burnt: Annotated[float | None, says("seconds of CPU time used while others were on turn, if that was much")]
    seats: Annotated[list[SeatMean], says("its mean in each seat, from the first to play")]
    scores: Annotated[Counts, says("how often it had each score")]
    convergence: Annotated[list[Station], says("its mean after some of its sets")]
    usage: Annotated[Usage | UnsetType, says("what it used, if it asks a provider")] = UNSET
    probe: Annotated[Probe | UnsetType, says("what a probe found of it")] = UNSET


class Difference(Interval, kw_only=True):
    """How much more one bot scored than another at the same table."""

    players: Annotated[Names, says("the one and the other")]
    sets: Annotated[int, says("the number of sets in which they met")]
    won: Annotated[float | None, says("how often the one ranked higher")]
    lost: Annotated[float | None, says("how often the other did")]
    tied: Annotated[float | None, says("how often neither did")]
    sure: Annotated[bool, says("whether it is significant although all pairs are compared")]
    elo: Annotated[float | None | UnsetType, says("at tables of two: the difference in strength")] = UNSET
    elo_low: Annotated[float | None | UnsetType, says("its lower bound")] = UNSET
    elo_high: Annotated[float | None | UnsetType, says("its upper bound")] = UNSET
    los: Annotated[float | None | UnsetType, says("the likelihood that the one is better")] = UNSET


class LaterSeating(Interval):
    """How much better a bot did in later seatings of a deal."""

    name: Annotated[str, says("its name")]
    sets: Annotated[int, says("the number of sets")]
    remembers: Annotated[bool, says("whether it is more than chance explains")]


class Gift(Part):
    """What one bot gave another, beyond what both give to and take from all others."""

    giver: Annotated[str, says("the bot that gave; versions of a bot count as one")]
    taker: Annotated[str, says("the bot that was given to")]
    points: Annotated[Interval, says("points a game that the taker has more with the giver at its table")]
    wins: Annotated[Interval, says("the share of comparisons that the taker wins more often")]
    deals: Annotated[int, says("the deals that they played together")]
    gave: Annotated[Names, says("which of the two is more than chance explains: `points`, `wins` or both")]


class WithoutLuck(Interval):
    """A mean, or the difference of two, corrected for luck."""

    players: Annotated[Names, says("the bot, or both")]
    removed: Annotated[float | None, says("the share of the variance due to luck")]


class Standings(Bound, kw_only=True):
    """``standings``, ``tournament``: the table of a tournament, and everything that its report shows."""

    schema: Version
    game: Annotated[str, says("the game")]
    options: Annotated[Names, says("its options, such as `pass=none`")]
    format: Annotated[str, says("the format")]
    games: Annotated[int, says("the games that count")]
    deals: Annotated[int, says("the deals that were played")]
    days: Annotated[Names, says("the days when it began and when something last happened")]
    finished: Annotated[bool, says("whether it is over")]
    key: Annotated[str | None, says("its key, once it is revealed")]
    low_wins: Annotated[bool, says("whether the low score wins")]
    ranked_by: Annotated[str, says("the number that ranks: `mean`, `field`, `strength` or `points`")]
    players: Annotated[list[StandingsPlayer], says("the bots, in the order of their rank")]
    differences: Annotated[list[Difference], says("each pair that met")]
    later_seatings: Annotated[list[LaterSeating], says("whether bots remember a deal")]
    soft_play: Annotated[list[Gift], says("pairs with more between them than chance explains")]
    without_luck: Annotated[list[WithoutLuck] | UnsetType, says("corrected for luck, if the game defines luck")] = UNSET
    sprt: Annotated[dict[str, Any] | UnsetType, says("the test of `--sprt`, as `improve` prints it")] = UNSET
    left_early: Annotated[int | UnsetType, says("how many tables ended early because they were clear")] = UNSET
    void: Annotated[Counts, says("games that do not count, by reason")]
    sandbox: Annotated[Names, says("the levels of the sandbox, in the order of the runs")]
    isolate: Annotated[Names, says("how games were kept apart")]
    network: Annotated[Names, says("the bots that may use the network")]
    sights: Annotated[dict[str, str] | UnsetType, says("what bots are told beyond their own cards, by name")] = UNSET
    spent: Annotated[Spending | UnsetType, says("the cost so far, if there is a budget or a bot reports one")] = UNSET


class Neighbors(Document):
    """``standings --neighbors``: how often each bot sat right after each other."""

    neighbors: Annotated[dict[str, Counts], says("by bot, then by the bot that plays right after it")]


class Commitment(Document):
    """``tournament --commit``: the commitment alone."""

    commitment: Annotated[str, says("the SHA-256 of the manifest")]


class Report(Document, kw_only=True):
    """``report``: the pages that were written."""

    report: Annotated[str, says("the report")]
    pages: Annotated[Names | UnsetType, says("with `--all`, every page")] = UNSET


class FolderProblem(Part):
    """A problem of a tournament's folder."""

    file: Annotated[str, says("the file")]
    game: Annotated[str | None, says("the game, or another place in the file")]
    why: Annotated[str, says("what is wrong")]


class OtherAnswer(Part):
    """The first decision that a bot answered differently."""

    file: Annotated[str, says("the file of records")]
    game: Annotated[int, says("the number of the game in it")]
    deal: Annotated[int, says("the deal's number")]
    player: Annotated[str, says("the player")]
    decision: Annotated[int, says("the number of the question")]
    recorded: Annotated[str, says("the play of the record")]
    now: Annotated[str, says("the play now")]
    look: Annotated[str, says("the command that prints what the bot was sent")]


class AskedBot(Part):
    """A bot that was asked again."""

    name: Annotated[str, says("its name")]
    verdict: Annotated[str, says("whether it answered as recorded")]
    why: Annotated[str | None, says("why it was not asked")]
    games: Annotated[int, says("the games in which it was asked")]
    decisions: Annotated[int, says("its decisions")]
    agreed: Annotated[int, says("how many were as recorded")]
    late: Annotated[int, says("how many others were late")]
    first: Annotated[OtherAnswer | None, says("the first that was different")]


class Verify(Bound, kw_only=True):
    """``verify``: the verdict on a tournament."""

    schema: Version
    valid: Annotated[bool, says("whether nothing is wrong")]
    finished: Annotated[bool, says("whether it is over")]
    files: Annotated[int, says("the files of records")]
    games: Annotated[int, says("the games")]
    key: Annotated[str, says("`revealed` or `withheld`")]
    public: Annotated[str, says("the public text in its key")]
    link: Annotated[str | None, says("the hash that binds everything")]
    luck_not_checked: Annotated[int, says("the games whose luck cannot be compared")]
    problems: Annotated[list[FolderProblem], says("everything that is wrong")]
    bots: Annotated[list[AskedBot] | UnsetType, says("with `--replay-bots`, each bot")] = UNSET


class Trial(Part, kw_only=True):
    """Whether a new version is better."""

    verdict: Annotated[str, says("the verdict in a word")]
    difference: Annotated[float | None, says("the new version's mean less the old one's")]
    low: Annotated[float | None, says("the lower bound")]
    high: Annotated[float | None, says("the upper bound")]
    sets: Annotated[int, says("the number of sets")]
    llr: Annotated[float | None | UnsetType, says("with `--sprt`, the log-likelihood ratio")] = UNSET
    llr_bounds: Annotated[list[float] | UnsetType, says("the bounds at which it is decided")] = UNSET
    skewness: Annotated[float | None | UnsetType, says("how lopsided the sets are")] = UNSET


class Improve(Trial, kw_only=True):
    """``improve``: whether the new version is better."""

    schema: Version
    games: Annotated[int, says("the number of games")]
    shadowed: Annotated[int, says("how many of them were copied from others")]
    spent: Annotated[Spending, says("the cost")]
    probe: Annotated[dict[str, Probe] | UnsetType, says("with `--probe`, what it found, by name")] = UNSET
