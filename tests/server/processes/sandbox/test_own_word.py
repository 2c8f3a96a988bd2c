"""What a bot's own files say, by a first line or as a link, shows it one program that everybody may run at most."""

import subprocess
from pathlib import Path

import needs
import pytest

from croupier.server import entries
from croupier.server.processes.sandbox import Level, SandboxSettings, bwrap, launch

pytestmark = needs.BUBBLEWRAP
FILES = {
    "home/.ssh/id_rsa": 0o600,
    "home/.ssh/known_hosts": 0o644,
    "home/letters/python3-notes/love": 0o644,
    "home/tools/tool": 0o755,
    "home/tools/secret": 0o644,
    "home/tools/locked": 0o750,
    "cup/key": 0o600,
    "cup/hook": 0o755,
    "cup/records/1.record": 0o644,
    "bots/rival.py": 0o644,
}
SHOWS_NOTHING = {
    "a first line that no kernel reads": ("home/tools/tool", 0o644),
    "a key": ("home/.ssh/id_rsa", 0o755),
    "a file that is no program": ("home/.ssh/known_hosts", 0o755),
    "a program that not everybody may run": ("home/tools/locked", 0o755),
    "the tournament's key": ("cup/key", 0o755),
    "a program in a hidden folder": ("cup/hook", 0o755),
    "a program of another": ("bots/rival.py", 0o755),
}
"""What a first line names, and the mode of the file that has it."""


@pytest.fixture
def place(tmp_path, monkeypatch):
    """Make a home with secrets, a tournament, and a stranger's folder among the bots."""
    for name, mode in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("#!/bin/sh\n")
        (tmp_path / name).chmod(mode)
    for name in ("bots/mallory/versions", "own"):
        (tmp_path / name).mkdir(parents=True)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    bwrap._too_much.cache_clear()
    yield tmp_path
    bwrap._too_much.cache_clear()


def seen(place, *words):
    """Start a program with these arguments; return which of the files it sees, by their paths or under a link."""
    program = place / "bots" / "mallory" / "look"
    links = [path for path in program.parent.glob("**/*") if path.is_symlink()]
    looks = [*(place / name for name in FILES), *links, *(link / "love" for link in links)]
    program.write_text(
        f"#!/bin/sh\nfor each in {' '.join(map(str, looks))}; do test -e $each && echo $each; done; true\n"
    )
    program.chmod(0o755)
    lines = run(place, entries.of_command([str(program), *map(str, words)]))
    return {str(Path(line).relative_to(place)) for line in lines}


def run(place, entry, *rivals):
    """Run an entry beside rivals, the tournament's folder hidden; return the lines that it printed."""
    hidden = [place / "cup", place / "bots" / "rival.py", *entry.files, *rivals]
    done = subprocess.run(
        bwrap.command(entry, place / "own", hidden),
        env=launch.environment(entry, place / "own"),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.stderr == ""
    return done.stdout.splitlines()


@pytest.mark.parametrize("name", FILES)
def test_a_script_that_an_interpreter_is_given_names_no_interpreter(name, place):
    """The kernel does not read the first line of bot.py in `python bot.py`, so it shows nothing."""
    script = place / "bots" / "mallory" / "bot.py"
    script.write_text(f"#!{place / name}\n")
    script.chmod(0o755)
    assert seen(place, script) == set()


@pytest.mark.parametrize("what", SHOWS_NOTHING)
def test_no_first_line_shows_what_is_not_everybodys_to_run(what, place):
    """Of a program that the kernel starts."""
    name, mode = SHOWS_NOTHING[what]
    program = place / "bots" / "mallory" / "run"
    program.write_text(f"#!{place / name}\n")
    program.chmod(mode)
    entry = entries.Entry("mallory", (str(program),), files=(program,))
    words = bwrap.command(entry, place / "own", [place / "cup", place / "bots" / "rival.py", program])
    assert str(program.parent) in words
    assert {str(place / name), str((place / name).parent)}.isdisjoint(words)


def test_an_interpreter_is_seen_without_its_neighbors(place):
    """Also one that is a script itself, whose interpreter the kernel starts."""
    first, second, program = place / "home" / "tools" / "tool", place / "home" / "second", place / "bots/mallory/run"
    second.write_text(f"#!/bin/sh\nls {first.parent} {second.parent}\n")
    first.write_text(f"#!{second}\n")
    program.write_text(f"#!{first}\n")
    for path in (second, program):
        path.chmod(0o755)
    listed = run(place, entries.of_command([str(program)]))
    assert [line for line in listed if line and not line.endswith(":")] == ["second", "tools", "tool"]


def test_under_limits_a_link_to_the_key_opens_no_part_of_the_tournaments_folder(place):
    """As a program that lies there itself does."""
    link = place / "bots" / "mallory" / "bot.py"
    link.symlink_to(place / "cup" / "key")
    sandboxing = SandboxSettings("limits", vault=place / "cup")
    for path, hidden in {
        link: [place / "cup"],
        place / "cup" / "hook": [place / "cup/key", place / "cup/records"],
    }.items():
        order = launch.launch_order(entries.of_command(["/bin/sh", str(path)]), place / "own", sandboxing, Level.LIMITS)
        assert sorted(order["hidden"]) == [str(each) for each in hidden]


@pytest.mark.parametrize("name", [*FILES, "home/letters", "home/.ssh", "cup", "cup/records"])
def test_a_link_shows_nothing_of_where_it_leads(name, place):
    """Neither the file or folder nor what lies beside it; a program that everybody may run it does show."""
    link = place / "bots" / "mallory" / "data"
    link.symlink_to(place / name)
    shown = {"home/tools/tool", "bots/mallory/data"} if name == "home/tools/tool" else set()
    assert seen(place, link) <= shown


def test_a_link_whose_steps_are_not_those_of_its_text_shows_nothing(place):
    """The kernel takes `..` from where a link leads, and finds a program; by its text the path is a key's."""
    folder = place / "home" / "tools" / "deep" / "er"
    folder.mkdir(parents=True)
    program = folder.parent / ".ssh" / "id_rsa"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    mallory = place / "bots" / "mallory"
    (place / "home" / "link").symlink_to(folder)
    (mallory / "data").symlink_to(place / "home" / "link" / ".." / ".ssh" / "id_rsa")
    assert (mallory / "data").resolve() == program
    assert seen(place, mallory / "data") <= {"bots/mallory/data"}


def test_what_calls_itself_a_virtual_environment_shows_no_more(place):
    """Nor do its parts that lead elsewhere."""
    home = place / "bots" / "mallory" / "venv"
    (home / "bin").mkdir(parents=True)
    for name, target in {
        "pyvenv.cfg": "home/.ssh/id_rsa",
        "lib": "home/letters",
        "bin/python": "home/tools/tool",
    }.items():
        (home / name).symlink_to(place / target)
    assert seen(place, home / "bin" / "python") <= {"home/tools/tool", "bots/mallory/venv/bin/python"}


def test_a_rival_that_was_named_by_a_roundabout_path_stays_hidden(place):
    """Its path begins in a folder of the system's programs, which bots share."""
    rival = Path("/usr/bin", *[".."] * 2, *(place / "bots" / "mallory" / "rival.py").parts[1:])
    rival.touch()
    program = place / "bots" / "mallory" / "run"
    program.write_text(f"#!/bin/sh\nls {program.parent}\n")
    program.chmod(0o755)
    assert run(place, entries.of_command([str(program)]), rival) == ["run", "versions"]


@pytest.mark.parametrize("how", ["a first line", "a link"])
def test_a_rivals_virtual_environment_is_not_seen(how, place):
    """What the rival has installed there may be its strategy."""
    rival = place / "bots" / "rival"
    for name in ("bin/python", "lib/python3.99/site-packages/strategy.py", "pyvenv.cfg", "run"):
        (rival / name).parent.mkdir(parents=True, exist_ok=True)
        (rival / name).write_text("#!/bin/sh\n")
        (rival / name).chmod(0o755)
    program = place / "bots" / "mallory" / "run"
    if how == "a link":
        program.symlink_to(rival / "bin" / "python")
    else:
        program.write_text(f"#!{rival}/bin/python\n")
        program.chmod(0o755)
    entry = entries.Entry("mallory", (str(program),), files=(program,))
    for others, shown in ([], True), ([rival / "run"], False):
        words = bwrap.command(entry, place / "own", [program, *others])
        assert any(word.startswith(str(rival / "lib")) for word in words) == shown


def test_a_link_within_its_own_folder_leads_on(place):
    """So a version is chosen by a link."""
    mallory = place / "bots" / "mallory"
    (mallory / "versions" / "3.sh").write_text("echo ready\n")
    (mallory / "bot.sh").symlink_to("versions/3.sh")
    assert run(place, entries.of_command(["/bin/sh", str(mallory / "bot.sh")])) == ["ready"]


def test_a_program_of_the_organizers_path_may_be_a_link(place, monkeypatch):
    """What lies beside the program that it leads to is seen then, as installers link what they install."""
    monkeypatch.setenv("PATH", f"{place / 'home' / 'bin'}:/usr/bin:/bin")
    program = place / "home" / "tools" / "tool"
    program.write_text(f"#!/bin/sh\nls {program.parent}\n")
    (place / "home" / "bin").mkdir()
    (place / "home" / "bin" / "tool").symlink_to("../tools/tool")
    assert run(place, entries.of_command(["tool"])) == ["locked", "secret", "tool"]


def test_a_program_in_a_hidden_folder_sees_itself_and_nothing_of_the_folder(place):
    """Whatever else its command names there by a folder."""
    program = place / "cup" / "bots" / "run"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\ncd {place}/cup; ls . records 2> /dev/null; true\n")
    program.chmod(0o755)
    assert run(place, entries.of_command([str(program), str(place / "cup" / "records")])) == [".:", "bots"]
