"""The ranking of a season as a table on a terminal, and what was found beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.server.commands.columns import print_columns
from croupier.server.pages.drawing import interval
from croupier.server.terminal import say

if TYPE_CHECKING:
    from croupier.server.season.pages.gathered import Season


def print_ranking(season: Season) -> None:
    """Print the ranking over all games with the scores of each, and the pairs with more than chance explains."""
    ranked = [line for line in season.ranking if line.score.mean is not None]
    if not ranked:
        say("No game has been played.")
        return
    columns = {
        "": [str(place) for place in range(1, len(ranked) + 1)],
        "author": [season.called(line.name) for line in ranked],
        "all games": [interval(line.score, 2, "+") for line in ranked],
    }
    for part in season.games:
        scores = [line.games.get(part.name) for line in ranked]
        columns[part.title] = ["" if score is None else interval(score, 2, "+") for score in scores]
    caption = "in standard deviations of a bot's mean score of one deal"
    print_columns(columns, season.title, caption, [part.title for part in season.games][::-1], left=2)
    for part in season.games:
        for gift in part.soft.found:
            what = " and ".join(gift.kinds)
            giver, taker = season.called(gift.giver), season.called(gift.taker)
            say(f"{part.title}: {giver} gave {taker} {what}: more than chance explains")
