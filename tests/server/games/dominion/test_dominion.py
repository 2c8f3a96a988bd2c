"""Dominion's rules, card by card, and what differs between the official and the classic ones."""

import pytest
from tests.support.dominion_table import NAMES, Unmixed, do, refused, table

from croupier.protocol.dominion import PILES, START, supply
from croupier.server.games.dominion.game import Dominion
from croupier.server.games.game import BadOption, IllegalPlay, Label, Told

# Beginning


@pytest.mark.parametrize(("players", "copper", "victories"), [(2, 46, 8), (3, 39, 12), (4, 32, 12)])
def test_the_supply_depends_on_the_number_of_players(players, copper, victories):
    """Seven coppers a player leave the supply; two players share eight of each victory card, more have twelve."""
    piles = supply(players)
    assert list(piles) == list(PILES)
    assert [piles[card] for card in PILES] == [copper, 40, 30, victories, victories, victories, *[10] * 10]


def test_everybody_begins_with_the_first_five_cards_of_a_shuffled_ten():
    """One shuffle a player, labelled with his seat; the first card drawn is the last of the hand."""
    deal = Unmixed()
    game = Dominion(NAMES[:3], {}, deal)
    assert deal.labels == [Label("deal", 0), Label("deal", 1), Label("deal", 2)]
    for side in game.sides:
        assert (side.hand, side.deck[::-1]) == (["copper"] * 5, list(START[5:]))
    assert [side.turns for side in game.sides] == [1, 0, 0]


def test_options_are_checked():
    """Rules and turn cap take their values and no others."""
    for wrong in ({"rules": "house"}, {"turns": 0}, {"turns": "many"}, {"piles": 3}):
        with pytest.raises(BadOption):
            Dominion(NAMES[:2], wrong, Unmixed())
    for seats in (1, 5):
        with pytest.raises(BadOption):
            Dominion([f"p{seat}" for seat in range(seats)], {}, Unmixed())


# The cards


@pytest.mark.parametrize(
    ("card", "drawn", "actions", "buys", "coins"),
    [
        ("market", 1, 1, 2, 1),
        ("smithy", 3, 0, 1, 0),
        ("village", 1, 2, 1, 0),
        ("woodcutter", 0, 0, 2, 2),
        ("moat", 2, 0, 1, 0),
    ],
)
def test_plain_actions_give_what_they_say(card, drawn, actions, buys, coins):
    """Cards drawn go in front of the hand one by one, the card played in front of those in play."""
    game = table(f"estate {card} copper", deck="gold silver duchy province")
    do(game, f"act {card}")
    side = game.sides[0]
    assert side.hand == [*["duchy", "silver", "gold"][3 - drawn :], "estate", "copper"]
    assert side.plays == [card]
    assert (game.actions, game.buys, game.coins) == (actions, buys, coins)


def test_a_cellar_discards_and_then_draws_as_many():
    """The cards named lie in front of the discards, the first named first, and may be drawn again."""
    game = table("estate cellar copper estate duchy", deck="gold", discards="silver")
    do(game, "act cellar duchy estate")
    side = game.sides[0]
    assert game.actions == 1
    assert side.hand == ["duchy", "gold", "copper", "estate"]
    assert (side.deck[::-1], side.discards) == (["estate", "silver"], [])


def test_a_cellar_may_discard_nothing_and_not_itself():
    """Nothing discarded is nothing drawn, even from an empty deck; the cellar in play has left the hand."""
    game = table("cellar copper", discards="gold")
    refused(game, "act cellar cellar")
    refused(game, "act cellar copper copper")
    do(game, "act cellar")
    assert (game.sides[0].hand, game.sides[0].discards, game.deal.labels[2:]) == (["copper"], ["gold"], [])
    do(table("cellar cellar"), "act cellar cellar")


def test_a_mine_puts_a_better_treasure_into_the_hand():
    """The treasure named is trashed, another that costs up to three more comes in front of the hand."""
    game = table("estate mine copper silver")
    assert "6" in refused(game, "act mine copper gold")
    refused(game, "act mine gold gold")
    do(game, "act mine copper silver")
    assert game.sides[0].hand == ["silver", "estate", "silver"]
    assert (game.trash, game.supply["silver"], game.sides[0].discards) == (["copper"], 39, [])


def test_a_mine_needs_a_treasure():
    """Without a legal target it cannot be played."""
    game = table("mine estate")
    assert not [play for play in game.legal() if play[0] == "act"]
    game = table("mine gold")
    game.supply = game.supply.__class__(dict.fromkeys(PILES, 0))
    refused(game, "act mine gold gold")


def test_a_remodel_turns_one_card_into_a_dearer_one():
    """Up to two more in cost, onto the discards; the remodel in play is no longer in the hand."""
    game = table("gold remodel estate", discards="copper")
    refused(game, "act remodel remodel gold")
    assert "5" in refused(game, "act remodel estate market")
    do(game, "act remodel gold province")
    side = game.sides[0]
    assert (side.hand, side.plays, side.discards) == (["estate"], ["remodel"], ["province", "copper"])
    assert (game.trash, game.supply["province"]) == (["gold"], 7)


@pytest.mark.parametrize("rules", ["official", "classic"])
def test_a_remodel_may_trash_a_second_remodel(rules):
    """With two in hand one trashes the other, and no card is ever doubled."""
    game = table("remodel remodel", rules=rules)
    do(game, "act remodel remodel gold")
    assert (game.sides[0].hand, game.trash, game.sides[0].owns["remodel"]) == ([], ["remodel"], 1)
    assert not [play for play in table("remodel", rules=rules).legal() if play[0] == "act"]


def test_a_workshop_builds_up_to_four():
    """The card gained lies on the discards; buys and coins stay as they were."""
    game = table("workshop")
    refused(game, "act workshop duchy")
    do(game, "act workshop smithy")
    assert (game.sides[0].discards, game.buys, game.coins, game.supply["smithy"]) == (["smithy"], 1, 0, 9)


def test_an_empty_pile_gives_nothing():
    """What is gone cannot be bought, built or made."""
    game = table("workshop estate remodel mine silver")
    game.supply = game.supply.__class__({**game.supply, "smithy": 0, "gold": 0, "copper": 0})
    for play in ("act workshop smithy", "act remodel estate smithy", "act mine silver gold", "buy copper"):
        assert "left in the supply" in refused(game, play)


# Short decks


def test_a_short_deck_gives_what_it_has_before_the_discards_are_shuffled():
    """The rest of the deck is drawn first, then the reshuffled discards."""
    game = table("smithy", deck="gold", discards="estate duchy silver")
    do(game, "act smithy")
    assert game.deal.labels[2:] == [Label("reshuffle", 0, 1)]
    assert (game.sides[0].hand, game.sides[0].deck, game.sides[0].discards) == (
        ["duchy", "estate", "gold"],
        ["silver"],
        [],
    )


def test_a_deck_that_is_just_long_enough_is_not_shuffled():
    """A shuffle happens when a card is needed, not before."""
    game = table("smithy", deck="gold silver copper", discards="estate")
    do(game, "act smithy")
    assert (game.sides[0].deck, game.sides[0].discards, game.deal.labels[2:]) == ([], ["estate"], [])


def test_whoever_owns_too_little_draws_what_there_is():
    """With deck and discards empty the hand stays short."""
    game = table("smithy", deck="gold", discards="estate")
    do(game, "act smithy")
    assert game.sides[0].hand == ["estate", "gold"]
    game = table("smithy")
    do(game, "act smithy", "clean")
    assert game.sides[0].hand == ["smithy"]


# A turn


def test_adding_or_buying_ends_the_actions():
    """The first treasure or buy sets the actions to nothing."""
    game = table("village copper copper", deck="smithy")
    do(game, "add copper")
    assert (game.actions, game.coins, game.phase) == (0, 1, "buy")
    assert refused(game, "act village") == "no action is left"
    game = table("village")
    do(game, "buy copper")
    refused(game, "act village")


def test_a_buy_costs_coins_and_one_buy():
    """What is bought lies on the discards; without a buy or the coins there is none."""
    game = table("silver gold copper", discards="estate")
    do(game, "add silver", "add gold")
    assert "8" in refused(game, "buy province")
    do(game, "buy market")
    assert (game.coins, game.buys, game.sides[0].discards) == (0, 0, ["market", "estate"])
    assert refused(game, "buy copper") == "no buy is left"
    refused(game, "add copper")


def test_officially_no_treasure_follows_a_buy():
    """Once something is bought no treasure is played; the classic rules allow it while a buy remains."""
    official, classic = table("woodcutter gold"), table("woodcutter gold", rules="classic")
    for game in (official, classic):
        do(game, "act woodcutter", "buy moat")
    assert "before the first buy" in refused(official, "add gold")
    do(classic, "add gold", "buy silver")
    assert classic.coins == 0


def test_cleaning_up_shows_a_card_unless_the_hand_is_empty():
    """Hand, cards in play and old discards become the discards in this order; the card shown does not move."""
    game = table("copper estate silver", deck="gold " * 6, discards="duchy")
    assert "show one" in refused(game, "clean")
    refused(game, "clean gold")
    do(game, "add silver", "clean estate")
    side = game.sides[0]
    assert side.discards == ["copper", "estate", "silver", "duchy"]
    assert (side.hand, len(side.deck), side.plays) == (["gold"] * 5, 1, [])
    assert (game.turn, game.actions, game.buys, game.coins) == (1, 1, 1, 0)
    assert game.view(1).others["alice"].top == "estate"
    do(table(""), "clean")


# The end


def bought_out(*piles, **options):
    """Leave one copper of the supply's copper pile and none of the piles named."""
    game = table("copper", "copper", **options)
    game.supply = game.supply.__class__({**game.supply, **dict.fromkeys(piles, 0)})
    return game


def test_the_game_ends_at_the_end_of_the_turn_in_which_the_provinces_run_out():
    """The turn is finished first; then the scores are told."""
    game = bought_out("province")
    assert game.turn == 0
    do(game, "add copper")
    assert do(game, "clean") == [Told(("score", ("alice", 0), ("bob", 0)))]
    assert game.turn is None
    with pytest.raises(IllegalPlay):
        game.check(1, ("clean", "copper"))


def test_three_empty_piles_end_the_game_officially_only():
    """Two are not enough, and the classic rules look at the provinces alone."""
    for piles, rules, over in (
        (("moat", "cellar", "duchy"), "official", True),
        (("moat", "cellar"), "official", False),
        (("moat", "cellar", "duchy", "estate"), "classic", False),
    ):
        game = bought_out(*piles, rules=rules)
        do(game, "clean copper")
        assert (game.turn is None) == over


def test_the_turn_cap_ends_the_game_after_a_whole_round():
    """Everybody has finished as many turns as the option says, and the scores stand."""
    game = Dominion(NAMES[:3], {"turns": 2}, Unmixed())
    for turn in range(6):
        assert game.turn == turn % 3
        do(game, f"clean {game.sides[game.turn].hand[0]}")
    assert game.turn is None
    assert (game.scores(), game.ranks()) == ((3, 3, 3), (1, 1, 1))


def test_victory_points_count_wherever_the_cards_are():
    """Estates one, duchies three, provinces six: in hand, deck, discards and in play."""
    game = table("estate province", "gold", deck="duchy", discards="province province gold")
    assert game.scores() == (22, 0)


def test_fewer_turns_break_a_tie_officially():
    """The player who reached the same score in fewer turns wins; the classic rules share the place."""
    for rules, ranks in (("official", (3, 1, 2)), ("classic", (2, 1, 2))):
        game = Dominion(NAMES[:3], {"rules": rules}, Unmixed())
        for _ in range(4):
            do(game, f"clean {game.sides[game.turn].hand[0]}")
        game.sides[1].owns = {**game.sides[1].owns, "duchy": 1}
        assert [side.turns for side in game.sides] == [2, 2, 1]
        assert game.ranks() == ranks
        assert game.ranks((5, 5, 5)) == ((2, 2, 1) if rules == "official" else (1, 1, 1))


def test_a_fault_costs_all_points_and_a_forfeit_pays_the_best_score():
    """Nobody has fewer than no points; who is left over never gets less than stood on the table."""
    game = table("copper", "province " * 6)
    assert game.penalty() == 0
    assert (game.award(), table("copper", "estate").award()) == (36, 27)
