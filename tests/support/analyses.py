"""Games as an analysis keeps them, made up by hand; and subjects that are played in a moment."""

from croupier.server import games
from croupier.server.analysis.basics import Facts, Sample
from croupier.server.analysis.subject import Sizes, Subject, fingerprint
from croupier.server.analysis.tables import AnalyzedGame, Moment, Setting

FOUR = Facts(4, (), low_wins=False)


def played(scores, *, options=(1,), moments=(), deal=1, place=-1, ranks=None, void=None):
    """Return a game that ended so: more is better, unless the ranks are named."""
    ranks = ranks or [1 + sum(other > score for other in scores) for score in scores]
    return AnalyzedGame(
        deal, place, (0,) * len(options), tuple(options), tuple(scores), tuple(ranks), tuple(moments), void
    )


def moment(*leads, seat=0, best=1.0, worst=1.0):
    """Return what was expected at a choice."""
    return Moment(0, seat, best, worst, leads)


def sample(games_, facts=FOUR):
    """Return games of a table."""
    return Sample(facts, games_)


def subject(game, *, side="1", deals=6, thinking=2, searching=0, worlds=1, seed="tests", options=None):
    """Return a game to be analyzed with few deals and little thought."""
    rules = games.find(game)
    chosen = rules.read_options(options or {})
    settled = Setting(game, fingerprint(rules), chosen, rules.SEATS[0], seed, worlds, 5)
    return Subject(side, rules, settled, Sizes(deals, thinking, searching))
