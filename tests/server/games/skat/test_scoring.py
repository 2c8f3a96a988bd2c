"""What a hand writes on the list."""

from croupier.server.games.skat.value import classic, ramsch, seeger_fabian


def test_classic_writes_the_value_for_the_declarer():
    """Only the declarer scores."""
    assert classic(3, 1, -48) == [0, -48, 0]


def test_seeger_fabian_among_three():
    """A wins Grand 48, then B loses clubs 24: A 138, B -98, C 40."""
    first, second = seeger_fabian(3, 0, 48), seeger_fabian(3, 1, -48)
    assert [a + b for a, b in zip(first, second, strict=True)] == [138, -98, 40]


def test_seeger_fabian_among_four_pays_the_dealer_too():
    """A lost game pays each of the three others thirty."""
    assert seeger_fabian(4, 2, -36) == [30, 30, -86, 30]
    assert seeger_fabian(4, 2, 36) == [0, 0, 86, 0]


def test_ramsch_charges_the_most_points():
    """Each for himself; who has most card points loses them."""
    assert ramsch(3, {0: (70, 5), 1: (30, 3), 2: (20, 2)}) == [-70, 0, 0]


def test_ramsch_charges_all_who_share_the_most():
    """Equal most points are lost by each."""
    assert ramsch(3, {0: (50, 5), 1: (50, 3), 2: (20, 2)}) == [-50, -50, 0]


def test_a_player_without_a_trick_doubles_the_ramsch():
    """Jungfrau: the loser's points count twice."""
    assert ramsch(3, {0: (70, 6), 1: (50, 4), 2: (0, 0)}) == [-140, 0, 0]


def test_all_tricks_of_a_ramsch_win_it():
    """Durchmarsch: 120 for who takes all ten."""
    assert ramsch(4, {1: (120, 10), 2: (0, 0), 3: (0, 0)}) == [0, 120, 0, 0]
