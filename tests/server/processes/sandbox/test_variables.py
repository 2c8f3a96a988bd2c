"""What a bot's variables cannot do: none has an effect on what starts it, outside of its sandbox."""

import os
import subprocess
import sys

import needs
import pytest
from tables import run_alone

from croupier.server import entries
from croupier.server.processes.sandbox import Level

LIBRARY = """
#include <fcntl.h>
#include <unistd.h>
__attribute__((constructor)) static void loaded(void) { close(open(TRACE, O_WRONLY | O_CREAT, 0600)); }
"""
LEVELS = needs.levels(Level.LIMITS, Level.BWRAP)


@needs.COMPILER
@pytest.mark.parametrize("level", LEVELS)
def test_a_library_that_is_preloaded_runs_inside_alone(level, tmp_path):
    """It would run in bubblewrap, with everything before it that the user has."""
    source, library, trace = tmp_path / "trace.c", tmp_path / "trace.so", tmp_path / "trace"
    source.write_text(LIBRARY)
    words = ["cc", f'-DTRACE="{trace}"', "-shared", "-fPIC", "-o", str(library), str(source)]
    subprocess.run(words, check=True, timeout=60)
    entry = entries.of_command([sys.executable, "-S", "-c", "print('ready')"], env={"LD_PRELOAD": str(library)})
    assert run_alone(entry, level, tmp_path)[0] == "ready\n"
    assert not trace.exists()


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", ["LD_DEBUG_OUTPUT", "LD_LIBRARY_PATH"])
def test_the_loader_of_what_starts_a_bot_reads_none_of_its_variables(name, level, tmp_path):
    """It would write a file outside, or take a library of the bot's."""
    traces = tmp_path / "traces"
    traces.mkdir()
    (traces / "libcap.so.2").touch()
    values = {
        "LD_DEBUG_OUTPUT": {"LD_DEBUG": "files", "LD_DEBUG_OUTPUT": str(traces / "trace")},
        "LD_LIBRARY_PATH": {"LD_LIBRARY_PATH": str(traces)},
    }
    entry = entries.of_command([sys.executable, "-S", "-c", "print('ready')"], env=values[name])
    assert "ready\n" in run_alone(entry, level, tmp_path)[0]  # the bot's own loader may talk
    assert [path.name for path in traces.iterdir()] == ["libcap.so.2"]


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("value", ["", "a\nb", "--", "\udcff", "x" * 60_000], ids=lambda value: ascii(value[:9]))
def test_a_bot_gets_its_variables_as_they_are(value, level, tmp_path):
    """Whatever is in them, and however long they are."""
    say = "import os; print(os.environb[b'MARK'].hex(), os.environ['--ro-bind'])"
    entry = entries.of_command([sys.executable, "-S", "-c", say], env={"MARK": value, "--ro-bind": "/"})
    assert run_alone(entry, level, tmp_path) == (f"{os.fsencode(value).hex()} /\n", "")


@needs.BUBBLEWRAP
def test_no_variable_stands_in_a_command_line(tmp_path):
    """All users of the machine can read that of bubblewrap."""
    entry = entries.of_command(
        [sys.executable, "-S", "-c", "print(open('/proc/1/cmdline').read())"], env={"MARK": "key"}
    )
    said, _ = run_alone(entry, Level.BWRAP, tmp_path)
    assert "bwrap" in said
    assert "MARK" not in said
