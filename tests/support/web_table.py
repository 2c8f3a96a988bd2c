"""A table in this process with a person in a browser, served while a test looks at it from another thread."""

import queue
import threading
from contextlib import contextmanager, suppress

import trio

from croupier.agents import bundled
from croupier.server import games
from croupier.server.deals import Key
from croupier.server.table.referee import Referee, Terms
from croupier.server.table.seat import LocalSeat
from croupier.server.web.protected_site import ProtectedSite
from croupier.server.web.serving import serve_pages
from croupier.server.web.web_seat import WebSeat


class WebTable:
    """Games between ``ada``, who is in a browser, and bots."""

    def __init__(self, game, bots, deals=1, *, endless=False):
        self.rules = games.find(game)
        self.failed = []
        self.person = WebSeat("ada", ProtectedSite(self.failed.append))
        self.seats = [self.person, *(LocalSeat(f"bot-{at}", bundled.make(bot)) for at, bot in enumerate(bots))]
        self.deals = deals
        self.endless = endless
        self.results = []

    async def play(self):
        """Play the deals; if it is endless, others as long as the person wants them."""
        number, wanted = 1, True
        while wanted:
            deal = Key.from_seed("web").deal(number)
            self.results.append(await Referee(self.rules, {}, self.seats, deal, Terms()).play())
            number, wanted = number + 1, number < self.deals
            if self.endless:
                self.person.keep(self.results[-1], self.rules)
                wanted = await self.person.decide_on_another(possible=True)
        await self.person.leave()


@contextmanager
def at_web_table(game, bots, deals=1, **how):
    """Serve such a table until the block ends; yield its address and the table."""
    table = WebTable(game, bots, deals, **how)
    with served_meanwhile(table.person.site, table.play) as address:
        yield address, table
    assert not table.failed


@contextmanager
def served_meanwhile(site, work):
    """Serve a site and do that work, until the block ends; yield the address."""
    addresses, scope = queue.Queue(), trio.CancelScope()
    token = []

    async def serve():
        token.append(trio.lowlevel.current_trio_token())
        with scope:
            async with serve_pages(site) as address, trio.open_nursery() as nursery:
                addresses.put(address)
                nursery.start_soon(work)
                await trio.sleep_forever()

    thread = threading.Thread(target=trio.run, args=[serve])
    thread.start()
    try:
        yield addresses.get(timeout=300)
    finally:
        with suppress(trio.RunFinishedError):  # it has failed by itself
            token[0].run_sync_soon(scope.cancel)
        thread.join(60)
