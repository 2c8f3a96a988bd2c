"""Agent: a bot's decisions, as hooks that may each leave the decision to the next."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from croupier.protocol.views.view import Play


class Agent:
    """A player. Every hook returns a play such as ``("play", "h9")``, or None to leave the decision to the next.

    The views in `croupier.protocol.views` say in which phases of their game `tryBid` is called; in all others `tryPlay`
    is. ``state`` is the view of the game that is played; an agent for one game names its type.
    """

    def __init_subclass__(cls) -> None:
        """Raise TypeError if a hook is misspelled: the driver would never call it."""
        super().__init_subclass__()
        hooks = {_plain(name): name for base in cls.__mro__[1:] for name in vars(base) if _is_hook(name)}
        for name in vars(cls):
            hook = hooks.get(_plain(name), name)
            if hook != name and not name.startswith("_"):
                raise TypeError(f"{cls.__name__} defines {name}; did you mean {hook}?")

    def tryBid(self, state: Any) -> Play | None:
        """Decide before the cards are played: what to give, bid, declare or announce as trump."""
        return None

    def tryPlay(self, state: Any) -> Play | None:
        """Decide what to play."""
        return None

    def tryDefend(self, attack: Play, attacker: str, state: Any) -> Play | None:
        """Decide how to meet another player's attack."""
        return None

    def choose(self, state: Any) -> Play:
        """Decide after all hooks have passed: the first legal play."""
        return next(iter(state.legal_plays()))

    def heard(self, name: str, play: Play) -> None:
        """Hear what another player did; ``name`` is ``table`` for the referee's news."""

    def heardDefense(self, name: str, defense: Play) -> None:
        """Hear how another player met an attack."""

    def opened(self, deal: Any) -> None:
        """Look at all hands, before each question; only a bot that is seated as open is shown them."""

    def started(self, state: Any) -> None:
        """Hear that a game begins."""

    def ended(self, scores: dict[str, int]) -> None:
        """Hear the score of every player, by name, at the end of a game."""


def first(*hooks: Callable[..., Play | None]) -> Callable[..., Play | None]:
    """Chain hooks into one that returns the first play that any of them finds, asked from left to right.

    A hook is what ``Agent.tryPlay`` is: a function of the agent and the arguments of its question.
    """

    def chain(*asked: Any) -> Play | None:
        for hook in hooks:
            play = hook(*asked)
            if play is not None:
                return play
        return None

    return chain


def _is_hook(name: str) -> bool:
    """Return whether the driver calls an attribute, or a hook that chooses among those of one game does."""
    return name.startswith("try") or (name in vars(Agent) and not name.startswith("_"))


def _plain(name: str) -> str:
    """Return a name without what is easily misspelled: capitals and underscores."""
    return name.replace("_", "").lower()
