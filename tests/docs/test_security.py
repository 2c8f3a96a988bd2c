"""The pages on what a bot cannot do: each cell of its table is what a test shows, at that level."""

import importlib.util
import re
from functools import cache
from pathlib import Path

import pytest

from croupier.server.processes.sandbox import Level, groups

ROOT = Path(__file__).parents[2]
TESTS = ROOT / "tests" / "server"
PAGE = "".join((ROOT / "docs" / "trust" / f"{name}.md").read_text() for name in ("security", "sandbox", "leaks"))
NOT_CLAIMED = "not claimed"
SPY = "processes/sandbox/test_secrets.py::test_the_spy_finds_no_more_than_the_page_says"
CHANGES = "processes/sandbox/test_limits.py::test_a_bot_changes_nothing_outside_its_folder"
WRITES = "processes/sandbox/test_bwrap.py::test_a_bot_can_write_to_its_folder_and_little_else"
FILTER = "processes/sandbox/test_seccomp.py::test_a_bot_is_answered_each_call"
ABOUT = "processes/sandbox/test_limits.py::test_a_bot_changes_nothing_about_files_outside_its_folder"
DEVICES = "processes/sandbox/test_notes.py::test_devices_can_be_used_and_nothing_about_them_changed"
TERMINAL = "processes/sandbox/test_limits.py::test_the_organizers_terminal_is_neither_read_nor_switched_off"
NOTE = "processes/sandbox/test_notes.py::test_two_bots_that_run_at_the_same_time_can_pass_a_note"
STAYS = "processes/test_nothing_left.py::test_a_bot_that_stays_behind_is_ended_with_the_table"
MISDEEDS = "table/test_misdeeds.py::test_no_misdeed_hurts_the_table"
TAKES = "table/test_misdeeds.py::test_no_misdeed_takes_the_machine"
KEY = "processes/sandbox/test_secrets.py::test_a_bot_of_a_tournament_finds_neither_its_key_nor_who_else_plays"
CELLS = {
    "hangs the table": [MISDEEDS, MISDEEDS, MISDEEDS],
    "leaves a process behind": [STAYS, STAYS, STAYS],
    "gets the referee's environment": [SPY, SPY, SPY],
    "starts with files in its folder": [SPY, SPY, SPY],
    "is told of others' answers": [SPY, SPY, SPY],
    "fills memory, disk, process table": [NOT_CLAIMED, TAKES, TAKES],
    "reads another process's memory": [SPY, SPY, SPY],
    "ends or stops another process": [SPY, SPY, SPY],
    "slows another process": [CHANGES, CHANGES, FILTER],
    "sees that other processes exist": [SPY, SPY, SPY],
    "reads a tournament's key": [SPY, KEY, KEY],
    "reads your other files": [SPY, SPY, SPY],
    "writes your files": [CHANGES, CHANGES, WRITES],
    "changes modes": [ABOUT, ABOUT, DEVICES],
    "reads your terminal": [TERMINAL, TERMINAL, TERMINAL],
    "reaches the network": [SPY, SPY, SPY],
    "knocks at sockets that have a path": [SPY, SPY, SPY],
    "passes a note": [NOTE, NOTE, NOTE],
}
"""How a row begins, and by level the test that shows what its cell says."""
GROUPS = "processes/sandbox/test_groups.py"
PROTECTIONS = {
    "memory counted by the kernel": f"{GROUPS}::test_bytes_are_counted_wherever_they_lie",
    "processes counted by the kernel": f"{GROUPS}::test_a_group_holds_so_many_and_no_more",
    "CPU time shared between bots": f"{GROUPS}::test_who_has_twenty_processes_takes_no_time_from_who_has_one",
    "frozen and killed as one": f"{GROUPS}::test_a_frozen_group_stands_still_and_can_be_killed",
}
"""A row each of the table of control groups, and the test that shows it."""
OWN_WORD = "processes/sandbox/test_own_word.py"
BUILDS = "tournaments/entering/test_building.py"
IMPORTS = "tournaments/entering/test_imports.py"
CRAFTED = "tournaments/keeping/test_crafted.py"
STRANGERS = "tournaments/keeping/test_strangers.py"
REQUESTS = "web/test_raw_requests.py"
SECTIONS = {
    "In short": [SPY, KEY, WRITES, STAYS, MISDEEDS, NOTE],
    "Attackers": [],
    "Levels": [SPY],
    "Evidence": [],
    "What each level gives": [  # the tables have their own tests
        "processes/sandbox/test_hoards.py::test_unlinked_files_count",
        "processes/sandbox/test_hoards.py::test_descriptors_on_their_way_are_few",
        "processes/sandbox/test_hoards.py::test_what_lies_in_tcp_sockets_counts",
        "processes/sandbox/test_variables.py::test_a_library_that_is_preloaded_runs_inside_alone",
    ],
    "What a bot sees": [
        f"{OWN_WORD}::test_no_first_line_shows_what_is_not_everybodys_to_run",
        f"{OWN_WORD}::test_a_link_shows_nothing_of_where_it_leads",
        f"{OWN_WORD}::test_an_interpreter_is_seen_without_its_neighbors",
        f"{OWN_WORD}::test_a_program_of_the_organizers_path_may_be_a_link",
        f"{OWN_WORD}::test_a_rival_that_was_named_by_a_roundabout_path_stays_hidden",
        "tournaments/entering/test_fingerprint.py::test_what_croupier_writes_is_no_bots_to_name",
    ],
    "Builds": [
        f"{BUILDS}::test_a_build_has_the_bots_filter",
        f"{BUILDS}::test_a_build_is_bounded_in_memory",
        f"{BUILDS}::test_a_build_is_bounded_in_processes",
        f"{BUILDS}::test_a_build_is_bounded_in_what_it_writes",
        f"{BUILDS}::test_a_build_makes_a_program_at_every_level",
        f"{BUILDS}::test_a_build_has_neither_a_terminal_nor_our_session",
        f"{BUILDS}::test_a_build_in_a_terminal_cannot_reach_it",
        f"{BUILDS}::test_a_build_that_takes_too_long_is_ended",
        f"{BUILDS}::test_a_build_leaves_no_process",
        f"{BUILDS}::test_a_build_finds_and_changes_nothing_else",
        f"{BUILDS}::test_under_limits_a_build_changes_nothing_else",
        f"{BUILDS}::test_a_build_does_not_change_the_python_that_runs_its_bot",
        f"{BUILDS}::test_a_build_reaches_the_network_only_where_that_is_asked_for",
        f"{BUILDS}::test_without_a_sandbox_a_build_runs_as_whoever_runs_it",
    ],
    "One user for all": [
        "processes/sandbox/test_bwrap.py::test_what_the_kernel_lends_one_user_each_bot_has_for_itself"
    ],
    "What was tried where": [
        "processes/sandbox/test_seccomp.py::test_each_call_is_answered_on_each_architecture",
        "processes/test_control_group.py::test_what_a_group_of_cgroup_v2_is_ended_for",
    ],
    "Control groups": [
        "table/test_clock.py::test_the_start_up_allowance_ends_when_the_first_request_is_read",
        "processes/test_nothing_left.py::test_the_minder_ends_who_forks_too_much_without_a_control_group",
        "processes/sandbox/test_limits.py::test_forkers_end_where_no_group_counts_them",
    ],
    "When the machine is short": [
        "processes/sandbox/test_oom_score.py::test_no_bot_lowers_its_score",
        "processes/test_process_table.py::test_what_each_thread_has_waited_for_a_core_is_counted",
        "table/test_process_seat.py::test_a_shortage_of_ones_own_making_is_none",
        "table/test_clock.py::test_who_got_no_core_gets_its_time_again",
        "table/test_process_seat.py::test_what_the_machine_withholds_is_given_back_until_it_is_too_much",
        "table/test_blame.py::test_a_bot_that_thinks_in_other_threads_gets_its_time",
        "table/test_blame.py::test_a_machine_that_runs_out_of_memory",
        "table/test_blame.py::test_an_innocent_bot_commits_no_fault_beside_an_attack",
        "tournaments/playing/test_batch.py::test_what_a_batch_was_played_again_for_is_told",
        "processes/test_lent_keeper.py::test_a_minder_that_is_killed_is_nobodys_fault",
        "processes/test_temporary_folder.py::test_what_a_killed_process_has_left_is_removed_by_the_next",
    ],
    "Off turn": ["table/test_clock.py::test_who_spins_off_turn_is_reported_and_stopped_there_from_then_on"],
    "System calls": [
        FILTER,
        "processes/sandbox/test_seccomp.py::test_a_bot_has_a_handful_of_timers",
        "processes/sandbox/test_seccomp.py::test_the_answer_depends_on_what_is_named",
        "processes/sandbox/test_runtimes.py::test_a_lock_is_no_note_to_another_sandbox",
        "processes/sandbox/test_runtimes.py::test_a_program_may_do_this_to_itself",
        "processes/sandbox/test_notes.py::test_no_hint_stays_with_a_file_that_all_can_read",
        "processes/sandbox/test_limits.py::test_no_socket_of_the_internet_is_made",
        ABOUT,
    ],
    "Notes between bots": [
        DEVICES,
        NOTE,
        "processes/sandbox/test_notes.py::test_proc_counts_nothing_that_others_do",
        "processes/sandbox/test_notes.py::test_nothing_of_proc_is_changed",
        "processes/sandbox/test_notes.py::test_cores_and_memory_are_seen",
    ],
    "The network": [
        "processes/sandbox/test_runtimes.py::test_the_network_is_there_only_for_a_bot_to_which_it_is_granted",
        "tournaments/playing/test_network.py::test_the_table_the_report_and_the_manifest_name_who_may_use_the_network",
        "tournaments/playing/test_network.py::test_a_bot_with_the_network_is_not_run_again",
    ],
    "The deal": [
        "processes/sandbox/test_secrets.py::test_no_deal_follows_from_another",
        "processes/sandbox/test_secrets.py::test_no_other_user_can_read_the_deals",
        "processes/sandbox/test_secrets.py::test_no_name_hides_an_expression",
        "processes/sandbox/test_secrets.py::test_reading_a_file_leaves_no_note_in_it_under_bubblewrap",
        "tournaments/playing/test_pieces.py::test_between_two_seatings_of_a_deal_other_batches_come",
        "tournaments/statistics/test_remembering.py::test_a_cheat_that_writes_deals_down_is_found",
        KEY,
    ],
    "Folders and records of others": [
        f"{STRANGERS}::test_nothing_is_written_or_removed_through_a_link",
        f"{STRANGERS}::test_a_trigger_of_a_stranger_never_fires",
        f"{STRANGERS}::test_a_crafted_database_is_refused_in_one_sentence_without_control_characters",
        f"{STRANGERS}::test_what_unpacks_to_more_than_records_is_not_unpacked",
        f"{STRANGERS}::test_lists_in_lists_are_a_wrong_line",
        f"{CRAFTED}::test_no_text_of_a_database_drives_the_terminal",
        f"{CRAFTED}::test_no_file_of_a_folder_drives_the_terminal",
        f"{CRAFTED}::test_no_line_that_is_complained_about_looks_like_another_of_ours",
        f"{CRAFTED}::test_a_crafted_database_leads_to_no_traceback",
        f"{CRAFTED}::test_what_is_no_file_is_refused_and_not_waited_for",
        f"{CRAFTED}::test_a_pipe_in_a_tournament_is_refused",
        "tournaments/proof/test_rerun.py::test_a_folder_does_not_decide_that_its_programs_read_what_its_reader_can",
        f"{IMPORTS}::test_no_source_text_takes_long",
        f"{IMPORTS}::test_files_that_name_each_other_without_end_are_cut_off",
        f"{REQUESTS}::test_no_websocket_is_spoken",
        f"{REQUESTS}::test_what_is_no_play_is_refused",
        f"{REQUESTS}::test_a_wrong_length_is_refused",
        f"{REQUESTS}::test_a_connection_that_fails_ends_alone",
    ],
}
"""The sections of the pages, and the tests that show what their prose claims."""
OF_ONE_LEVEL = {"test_bwrap.py": Level.BWRAP}
"""Files whose tests are all at one level, without a parameter."""


def table():
    """Return the table's rows by their first cell, the other cells by level."""
    lines = PAGE.partition("| a bot ... |")[2].partition("\n\n")[0].splitlines()[2:]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return {row: dict(zip(Level, cells, strict=True)) for row, *cells in rows}


@cache
def module(file):
    """Import a file of tests without running them."""
    spec = importlib.util.spec_from_file_location(f"shown_by_{Path(file).stem}", TESTS / file)
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


def levels_of(test):
    """Return the levels at which a test is run here."""
    file, name = test.split("::")
    function = getattr(module(file), name)
    if of_one := OF_ONE_LEVEL.get(Path(file).name):
        return {of_one}
    given = [
        mark.args[1] for mark in function.pytestmark if mark.name == "parametrize" and "level" in str(mark.args[0])
    ]
    return {value for values in given for case in values for value in _values(case) if isinstance(value, Level)}


def _values(case):
    case = getattr(case, "values", case)
    return case if isinstance(case, tuple | list) else (case,)


def test_the_page_has_these_rows():
    """A new promise needs a test, and removing a test removes its promise."""
    for row, start in zip(table(), CELLS, strict=True):
        assert row.startswith(start)


@pytest.mark.parametrize("level", Level, ids=lambda level: level.name)
@pytest.mark.parametrize("row", CELLS)
def test_each_cell_of_the_levels_table_is_shown_by_a_test_at_its_level(row, level):
    """What no test shows is not claimed, and what is not claimed has no test."""
    said = next(cells[level] for start, cells in table().items() if start.startswith(row))
    test = CELLS[row][list(Level).index(level)]
    assert (said == NOT_CLAIMED) == (test == NOT_CLAIMED)
    assert test == NOT_CLAIMED or level in levels_of(test), test


def test_a_cell_without_a_test_at_its_level_is_found():
    """The test above is none for a level that is not among a test's parameters."""
    assert Level.NONE not in levels_of(TAKES)
    assert Level.LIMITS not in levels_of(WRITES)
    with pytest.raises(AttributeError):
        levels_of(f"{SPY}_or_so")


def test_what_the_page_refers_to_is_there():
    """Its files and tests."""
    for path in re.findall(r"`((?:tests|server)/[\w/.]+\.py)`", PAGE):
        assert (ROOT / path).exists(), path


def test_each_protection_of_control_groups_is_shown_by_a_test():
    """The page and `doctor` name the same ones."""
    rows = PAGE.partition("| protection |")[2].partition("\n\n")[0].splitlines()[2:]
    assert [row.split("|")[1].strip() for row in rows] == [*PROTECTIONS] == [*groups.problems()]
    for test in PROTECTIONS.values():
        assert callable(_named(test))


def test_what_the_sections_say_is_shown_by_tests():
    """A section that is added says by which tests."""
    assert re.findall("^## (.*)$", PAGE, re.MULTILINE) == [*SECTIONS]
    for test in (test for tests in SECTIONS.values() for test in tests):
        assert callable(_named(test))


def _named(test):
    file, name = test.split("::")
    return getattr(module(file), name)
