"""What whoever plays Hearts looks at in the play."""

from __future__ import annotations

from croupier.protocol.views.hearts import HeartsView
from croupier.server.games.glance import Glance


class HeartsGlance(Glance, HeartsView):
    """A `HeartsView` at a glance."""
