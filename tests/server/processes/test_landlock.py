"""Landlock knows only what is allowed: of a folder in which something is hidden, each part is allowed by itself."""

import pytest

from croupier.server.processes.landlock import _parts_without


@pytest.fixture
def tree(tmp_path):
    """Return a folder: two cups with two bots each, a file, and a link."""
    for bot in ("one/a", "one/b", "two/a", "two/b"):
        (tmp_path / bot).mkdir(parents=True)
    (tmp_path / "notes").touch()
    (tmp_path / "link").symlink_to("one")
    return tmp_path


@pytest.mark.parametrize(
    ("hidden", "parts"),
    [
        (["one"], {"two", "notes", "link"}),
        (["one/a"], {"one/b", "two", "notes", "link"}),
        (["one/a", "two/b/"], {"one/b", "two/a", "notes", "link"}),
        (["one", "one/a"], {"two", "notes", "link"}),
        (["notes/in", "on"], {"one", "two", "link"}),
    ],
)
def test_all_is_allowed_but_what_is_hidden(tree, hidden, parts):
    """In the largest parts there are; a name that begins like another is another."""
    found = set(_parts_without([f"{tree}/{path}" for path in hidden]))
    assert {path for path in found if path.startswith(f"{tree}/")} == {f"{tree}/{part}" for part in parts}
    assert not any(tree.is_relative_to(path) for path in found)


def test_with_nothing_hidden_all_is_one_part_and_with_all_hidden_there_is_none():
    """The root is a folder like any other."""
    assert list(_parts_without([])) == ["/"]
    assert list(_parts_without(["/"])) == []
