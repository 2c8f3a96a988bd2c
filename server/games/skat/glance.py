"""What whoever plays Skat looks at in the play."""

from __future__ import annotations

from croupier.protocol.views.skat import SkatView
from croupier.server.games.glance import Glance


class SkatGlance(Glance, SkatView):
    """A `SkatView` at a glance."""
