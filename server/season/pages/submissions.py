"""Submissions: what an author has handed in, what became of it and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.server.pages.drawing import section, table, tag, text
from croupier.server.season.pages.history import day
from croupier.server.season.pages.rankings import linked
from croupier.server.table.faults import without_last_words
from croupier.server.terminal import escape
from croupier.server.texts import BadText, read_text

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from croupier.server.pages.drawing import Section
    from croupier.server.season.folder import Author, Submission
    from croupier.server.season.pages.gathered import Season

LONGEST = 6_000
"""The most characters that are shown of what the check or the build of a program said."""
SAID = {"txt": "the check", "build": "the build", "stderr": "its standard error"}


def submissions(season: Season, author: Author) -> Section:
    """Show each state that was handed in, the last one first, with all that its author is told."""
    about = (
        "Each state that was judged, the last one first. A program that passes the build and the check plays from then"
        " on. The last good one plays as long as nothing better comes."
    )
    shown = [_submission(season, author, each) for each in reversed(author.submissions)]
    gone = tag("p", "Nothing is handed in any more, so nothing plays.", class_="amendment") if author.gone else ""
    return section("submissions", "What was handed in", about, gone, *shown)


def _submission(season: Season, author: Author, each: Submission) -> str:
    head = tag("h3", text(f"{each.number}: {each.file}"), tag("small", day(each.at)))
    if each.refused:
        return head + tag("p", tag("span", "sent back", class_="bad"), f": {text(_plain(season, each.refused))}")
    parts = []
    for game, trial in each.trials.items():
        what = "entered" if trial.entered else tag("span", "sent back", class_="bad")
        why = f": {text(_plain(season, trial.reason))}" if trial.reason else ""
        said = "" if season.public else "".join(_feedback(season.folder.feedback(author.name, each.number), game))
        parts.append(tag("p", f"{text(game)}: {what}{why}") + said)
    return head + "".join(parts)


def _plain(season: Season, why: str) -> str:
    return without_last_words(why) if season.public else why


def _feedback(folder: Path, game: str) -> Iterator[str]:
    """Yield what an author is told, each file to be opened."""
    for ending, title in SAID.items():
        try:
            said = read_text(folder / f"{game}.{ending}", "utf-8")
        except (OSError, BadText):
            continue
        if said.strip():
            yield tag(
                "details", tag("summary", f"{text(game)}: what {title} said"), tag("pre", text(escape(said, LONGEST)))
            )


def sent_back(season: Season) -> Section | None:
    """List the authors whose last submission was sent back at a game, with the reason and what plays instead."""
    rows = []
    for author in season.ledger.authors:
        last = author.submissions[-1] if author.submissions else None
        if last is None or author.gone:
            continue
        reasons = {game: trial.reason for game, trial in last.trials.items() if not trial.entered}
        if last.refused:
            reasons = {"": last.refused}
        for game, reason in reasons.items():
            plays = author.in_play(game) if game else None
            instead = f"submission {plays.number}" if plays else "nothing"
            rows.append(
                [
                    linked(season, author.name),
                    text(game or "all"),
                    str(last.number),
                    instead,
                    text(_plain(season, reason)),
                ]
            )
    if not rows:
        return None
    about = "Whose last submission was sent back, and why. The page of each author has all that the check said."
    head = ["author", "game", "submission", "plays instead", "reason"]
    return section("sent-back", "Sent back", about, table(head, rows, "says cards"))
