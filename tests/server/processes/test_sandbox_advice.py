"""What to do about errors that a sandbox leads to, in the words of several runtimes."""

import pytest

from croupier.server.processes import sandbox_advice

SAID = {
    sandbox_advice._SHARED_MEMORY: [
        '  File "/usr/lib/python3.11/multiprocessing/synchronize.py", line 57, in __init__\n    sl = self._semlock = '
        "_multiprocessing.SemLock(\nPermissionError: [Errno 13] Permission denied",
        "PermissionError: [Errno 13] Permission denied: '/psm_ab12'",
        "shm_open: Permission denied",
    ],
    sandbox_advice._TASKS: [
        "RuntimeError: can't start new thread",
        "    pid = os.fork()\nBlockingIOError: [Errno 11] Resource temporarily unavailable",
        "java.lang.OutOfMemoryError: unable to create native thread: possibly out of memory or process limits reached",
        "runtime: failed to create new OS thread (have 1021 already; errno=11)",
        "sh: 1: Cannot fork",
    ],
    sandbox_advice._DESCRIPTORS: [
        "OSError: [Errno 24] Too many open files: 'x'",
        "Error: EMFILE: too many open files, open 'x'",
    ],
    sandbox_advice._NETWORK: [
        "OSError: [Errno 101] Network is unreachable",
        "socket.gaierror: [Errno -3] Temporary failure in name resolution",
        '    sock.connect(("127.0.0.1", 80))\nPermissionError: [Errno 13] Permission denied',
        "Error: connect EACCES 127.0.0.1:80\n  syscall: 'connect'",
        "java.net.UnknownHostException: example.org",
        "dial tcp: lookup example.org: Temporary failure in name resolution",
        "dial tcp 127.0.0.1:80: connect: permission denied",
        "curl: (6) Could not resolve host: example.org",
    ],
    sandbox_advice._MEMORY: [
        "MemoryError",
        "it used more than the 64 MiB of memory that it may use",
        "terminate called after throwing an instance of 'std::bad_alloc'",
        "FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory",
    ],
    sandbox_advice._SIZE: ["OSError: [Errno 27] File too large", "fwrite: No space left on device"],
    sandbox_advice._WRITING: [
        "OSError: [Errno 30] Read-only file system: '/bots/log.txt'",
        "PermissionError: [Errno 13] Permission denied: '/tmp/log.txt'",
        "Error: EROFS: read-only file system, open '/bots/log.txt'",
        "java.nio.file.AccessDeniedException: /bots/log.txt",
    ],
    sandbox_advice._MISSING: [
        "ModuleNotFoundError: No module named 'util'",
        "FileNotFoundError: [Errno 2] No such file or directory: '/bots/lib/book.txt'",
        "Error: Cannot find module '../lib/util.js'",
        "<internal:kernel>:37:in `require': cannot load such file -- /bots/lib/util (LoadError)",
        "Can't locate Util.pm in @INC (you may need to install the Util module)",
        "lua5.4: bot.lua:1: module 'util' not found:",
        "./bot: error while loading shared libraries: libutil.so: cannot open shared object file",
    ],
    sandbox_advice._OTHER_PYTHON: ["ModuleNotFoundError: No module named 'croupier'"],
    sandbox_advice._SHADOWED: [
        "AttributeError: partially initialized module 'random' has no attribute 'choice' (most likely due to a circular"
        " import)",
    ],
    sandbox_advice._CLASSES: [
        'Exception in thread "main" java.lang.NoClassDefFoundError: lib/Util',
        "Error: Could not find or load main class Bot\nCaused by: java.lang.ClassNotFoundException: Bot",
    ],
    sandbox_advice._CALLS: [
        "PermissionError: [Errno 1] Operation not permitted",
        "inotify_init: Operation not permitted",
    ],
    "": ["IndexError: list index out of range", "panic: runtime error: index out of range [3] with length 2"],
}


@pytest.mark.parametrize(("what", "said"), [(what, said) for what, each in SAID.items() for said in each])
def test_an_error_that_a_sandbox_leads_to_has_a_cure(what, said):
    """By the words of its runtime; an error of the bot's own has none."""
    assert sandbox_advice.cure(said) == what
