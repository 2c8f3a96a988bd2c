"""Overview: the page about the reviews of many games: the worst decisions, and what each player lost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from croupier.server.names import game_title
from croupier.server.pages.drawing import number, section, table, tag, text
from croupier.server.pages.html_page import report_page
from croupier.server.records.files import sent_command
from croupier.server.reviewing import summary
from croupier.server.reviewing.reviewed_page import budget_in_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from croupier.server.pages.drawing import Section

    Document = dict[str, Any]


def ask_again(decision: Document) -> str:
    """Return the command that prints what the player was sent up to this decision, for its bot to read again."""
    return sent_command(decision["record"], None, decision["player"], decision["question"])


def overview_page(reviews: Sequence[Document], pages: Mapping[str, str]) -> str:
    """Write the page; ``pages`` are the files of the games' own pages, by record."""
    players = summary.summarize(reviews)
    called = ", ".join(sorted({game_title(each["game"]) for each in reviews}))
    title = f"{called}: where points were lost"
    budget = budget_in_words(reviews[0]["budget"])
    header = tag("header", tag("h1", text(title)), tag("p", f"{len(reviews)} games, {text(budget)}", class_="facts"))
    sections = (_worst(summary.worst(reviews), pages), _commonest(reviews), _players(players), *_totals(players))
    return report_page(title, header, sections, tag("footer", tag("p", "croupier review")))


def _worst(decisions: Sequence[Document], pages: Mapping[str, str]) -> Section:
    about = (
        "Each opens its game at that moment. The command prints what the player was sent until then; a bot that reads"
        " it is asked again."
    )
    rows = [
        [
            tag("a", f"{text(each['player'])} at {each['moment']}", href=_address(each, pages)),
            text(each["kind"]),
            tag("code", text(each["play"])),
            tag("code", text(each["best"])),
            _amount(each),
            tag("code", text(ask_again(each))),
        ]
        for each in decisions
    ]
    head = ["decision", "kind", "play", "best", "loss", "ask again"]
    return section("worst", "The worst decisions", about, table(head, rows, "cards"))


def _address(decision: Document, pages: Mapping[str, str]) -> str:
    return f"{quote(pages[decision['record']])}#{decision['moment']}"


def _commonest(reviews: Sequence[Document]) -> Section:
    rows = [
        [text(each["player"]), text(each["kind"]), str(each["decisions"]), number(each["loss"])]
        for each in summary.commonest(reviews)
    ]
    about = "The kinds of decisions by which most points were lost in all games together."
    return section("kinds", "What cost most", about, table(["player", "kind", "losses", "points"], rows, "cards"))


def _players(players: Iterable[Document]) -> Section:
    about = (
        "Points a game \N{PLUS-MINUS SIGN} two standard errors. The deal, others' losses and its own make the result."
    )
    rows = [
        [text(each["name"]), str(each["decisions"]), _amount(each)]
        + [_amount(each.get(part)) for part in ("deal", "others", "own")]
        for each in players
    ]
    head = ["player", "decisions", "loss", "the deal", "others' losses", "its own"]
    return section("players", "What each player lost", about, table(head, rows, "cards"))


def _totals(players: Sequence[Document]) -> tuple[Section, Section]:
    seats = [
        [text(player["name"]), str(each["seat"]), str(each["games"]), _amount(each)]
        for player in players
        for each in player["seats"]
    ]
    others = [
        [text(player["name"]), text(name), str(each["games"]), _amount(each), _amount(each.get("brought"))]
        for player in players
        for name, each in player["opponents"].items()
    ]
    return (
        section("seats", "By seat", "Points a game.", table(["player", "seat", "games", "loss"], seats, "cards")),
        section(
            "opponents",
            "By opponent",
            "Points a game that a player lost with another at the table, and what that one's losses brought it.",
            table(["player", "with", "games", "loss", "brought"], others, "cards"),
        ),
    )


def _amount(loss: Document | None) -> str:
    if loss is None:
        return ""
    return f"{number(loss['loss'])}\N{NO-BREAK SPACE}\N{PLUS-MINUS SIGN}\N{NO-BREAK SPACE}{number(2 * loss['error'])}"
