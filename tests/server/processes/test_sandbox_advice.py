"""What to do about errors that a sandbox leads to, in the words of several runtimes."""

import pytest

from croupier.server.processes import crash_lines

SAID = {
    crash_lines._SHARED_MEMORY: [
        '  File "/usr/lib/python3.11/multiprocessing/synchronize.py", line 57, in __init__\n    sl = self._semlock = '
        "_multiprocessing.SemLock(\nPermissionError: [Errno 13] Permission denied",
        "PermissionError: [Errno 13] Permission denied: '/psm_ab12'",
        "shm_open: Permission denied",
    ],
    crash_lines._TASKS: [
        "RuntimeError: can't start new thread",
        "    pid = os.fork()\nBlockingIOError: [Errno 11] Resource temporarily unavailable",
        "java.lang.OutOfMemoryError: unable to create native thread: possibly out of memory or process limits reached",
        "runtime: failed to create new OS thread (have 1021 already; errno=11)",
        "sh: 1: Cannot fork",
    ],
    crash_lines._DESCRIPTORS: [
        "OSError: [Errno 24] Too many open files: 'x'",
        "Error: EMFILE: too many open files, open 'x'",
    ],
    crash_lines._NETWORK: [
        "OSError: [Errno 101] Network is unreachable",
        "socket.gaierror: [Errno -3] Temporary failure in name resolution",
        '    sock.connect(("127.0.0.1", 80))\nPermissionError: [Errno 13] Permission denied',
        "Error: connect EACCES 127.0.0.1:80\n  syscall: 'connect'",
        "java.net.UnknownHostException: example.org",
        "dial tcp: lookup example.org: Temporary failure in name resolution",
        "dial tcp 127.0.0.1:80: connect: permission denied",
        "curl: (6) Could not resolve host: example.org",
    ],
    crash_lines._MEMORY: [
        "MemoryError",
        "it used more than the 64 MiB of memory that it may use",
        "terminate called after throwing an instance of 'std::bad_alloc'",
        "FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory",
    ],
    crash_lines._SIZE: ["OSError: [Errno 27] File too large", "fwrite: No space left on device"],
    crash_lines._WRITING: [
        "OSError: [Errno 30] Read-only file system: '/bots/log.txt'",
        "PermissionError: [Errno 13] Permission denied: '/tmp/log.txt'",
        "Error: EROFS: read-only file system, open '/bots/log.txt'",
        "java.nio.file.AccessDeniedException: /bots/log.txt",
    ],
    crash_lines._MISSING: [
        "ModuleNotFoundError: No module named 'util'",
        "FileNotFoundError: [Errno 2] No such file or directory: '/bots/lib/book.txt'",
        "Error: Cannot find module '../lib/util.js'",
        "<internal:kernel>:37:in `require': cannot load such file -- /bots/lib/util (LoadError)",
        "Can't locate Util.pm in @INC (you may need to install the Util module)",
        "lua5.4: bot.lua:1: module 'util' not found:",
        "./bot: error while loading shared libraries: libutil.so: cannot open shared object file",
    ],
    crash_lines._OTHER_PYTHON: ["ModuleNotFoundError: No module named 'croupier'"],
    crash_lines._SHADOWED: [
        "AttributeError: partially initialized module 'random' has no attribute 'choice' (most likely due to a circular"
        " import)",
    ],
    crash_lines._CLASSES: [
        'Exception in thread "main" java.lang.NoClassDefFoundError: lib/Util',
        "Error: Could not find or load main class Bot\nCaused by: java.lang.ClassNotFoundException: Bot",
    ],
    crash_lines._CALLS: [
        "PermissionError: [Errno 1] Operation not permitted",
        "inotify_init: Operation not permitted",
    ],
    "": ["IndexError: list index out of range", "panic: runtime error: index out of range [3] with length 2"],
}


@pytest.mark.parametrize(("what", "said"), [(what, said) for what, each in SAID.items() for said in each])
def test_an_error_that_a_sandbox_leads_to_has_a_cure(what, said):
    """By the words of its runtime; an error of the bot's own has none."""
    assert crash_lines.cure(said) == what
