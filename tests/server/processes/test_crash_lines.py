"""What names the cause of a crash, in what the runtimes of many languages write to standard error."""

import pytest

from croupier.server.processes.crash_lines import last_words

# Each as its runtime writes it, made by a program that fails on purpose.
DYING = {
    "python": (
        "thinking\nTraceback (most recent call last):\n"
        '  File "/bots/low.py", line 9, in <module>\n    drive(Low())\n'
        '  File "/bots/low.py", line 7, in tryPlay\n    return state.legal[0] / 0\n           ~~~~~~~~~~~~~~~^~~\n'
        "TypeError: unsupported operand type(s) for /: 'tuple' and 'int'\n",
        "TypeError: unsupported operand type(s) for /: 'tuple' and 'int'",
    ),
    "python, in several lines": (
        'Traceback (most recent call last):\n  File "low.py", line 1, in <module>\n'
        "AssertionError: two reasons\nthe first\nthe second\n",
        "AssertionError: two reasons; the first; the second",
    ),
    "python, before it runs": (
        '  File "low.py", line 3\n    def tryPlay(self state):\n                     ^^^^^\n'
        "SyntaxError: invalid syntax. Perhaps you forgot a comma?\n",
        "SyntaxError: invalid syntax. Perhaps you forgot a comma?",
    ),
    "ghc": (
        "low: Prelude.head: empty list\nCallStack (from HasCallStack):\n"
        "  error, called at libraries/base/GHC/List.hs:1646:3 in base:GHC.List\n"
        "  errorEmptyList, called at libraries/base/GHC/List.hs:85:11 in base:GHC.List\n"
        "  badHead, called at libraries/base/GHC/List.hs:81:28 in base:GHC.List\n"
        "  head, called at low.hs:3:15 in main:Main\n",
        "low: Prelude.head: empty list",
    ),
    "racket": (
        "car: contract violation\n  expected: pair?\n  given: '()\n  context...:\n   /bots/low.rkt:4:0: choose\n"
        '   body of "/bots/low.rkt"\n',
        "car: contract violation; expected: pair?; given: '()",
    ),
    "racket, without a clause": (
        "match: no matching clause for '(update table (deal 1))\n  location...:\n   low.rkt:7:2\n  context...:\n"
        '   /bots/low.rkt:5:0: answer\n   body of "/bots/low.rkt"\n',
        "match: no matching clause for '(update table (deal 1))",
    ),
    "java": (
        'Exception in thread "main" java.lang.IllegalStateException: no card\n\tat Low.choose(Low.java:12)\n'
        "\tat Low.main(Low.java:5)\nCaused by: java.lang.NullPointerException: hand\n\tat Low.hand(Low.java:20)\n"
        "\t... 2 more\n",
        "Caused by: java.lang.NullPointerException: hand",
    ),
    "node": (
        '/bots/low.js:3\nthrow new Error("no card");\n^\n\nError: no card\n'
        "    at Object.<anonymous> (/bots/low.js:3:7)\n"
        "    at Module._compile (node:internal/modules/cjs/loader:1256:14)\n\nNode.js v18.19.0\n",
        "Error: no card",
    ),
    "go": (
        "panic: runtime error: index out of range [5] with length 0\n\ngoroutine 1 [running]:\n"
        "main.choose(...)\n\t/bots/low.go:9\nmain.main()\n\t/bots/low.go:5 +0x1d\nexit status 2\n",
        "panic: runtime error: index out of range [5] with length 0",
    ),
    "rust": (
        "thread 'main' panicked at src/main.rs:4:5:\nindex out of bounds: the len is 0 but the index is 5\n"
        "note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\n",
        "thread 'main' panicked at src/main.rs:4:5:; index out of bounds: the len is 0 but the index is 5",
    ),
    "ruby": (
        "low.rb:2:in `choose': undefined method `first' for nil:NilClass (NoMethodError)\n"
        "\tfrom low.rb:5:in `<main>'\n",
        "low.rb:2:in `choose': undefined method `first' for nil:NilClass (NoMethodError)",
    ),
    "ocaml": (
        'Fatal error: exception Failure("hd")\n'
        'Raised at Stdlib.failwith in file "stdlib.ml", line 29, characters 17-33\n'
        'Called from Low in file "low.ml", line 3, characters 8-20\n',
        'Fatal error: exception Failure("hd")',
    ),
    "perl": ("Can't locate Low.pm in @INC at low.pl line 2.\n", "Can't locate Low.pm in @INC at low.pl line 2."),
    "c": ("low: low.c:3: main: Assertion `0' failed.\n", "low: low.c:3: main: Assertion `0' failed."),
    ".net": (
        "Unhandled exception. System.InvalidOperationException: no card\n   at Low.Choose() in /bots/Low.cs:line 9\n"
        "   at Low.Main() in /bots/Low.cs:line 4\n",
        "Unhandled exception. System.InvalidOperationException: no card",
    ),
    "a shell": ("low.sh: line 3: nothere: command not found\n", "low.sh: line 3: nothere: command not found"),
    "a note to oneself": ("hand c2 c3\nmy last words\n", "my last words"),
    "nothing": ("", ""),
}


@pytest.mark.parametrize(("text", "cause"), DYING.values(), ids=DYING)
def test_the_line_that_names_the_cause_is_found(text, cause):
    """Not the position after it, nor what was said before it."""
    assert last_words(text) == cause


INNER = """Traceback (most recent call last):
  File "/home/mia/low.py", line 9, in <module>
    drive(Low())
  File "/home/mia/low.py", line 4, in tryPlay
    return pick(state)
  File "/home/mia/cards.py", line 2, in pick
    return max(state.cards)
  File "/home/mia/croupier/src/croupier/protocol/views/view.py", line 270, in __getattr__
    raise AttributeError(name)
AttributeError: HeartsView has no field cards
"""


@pytest.mark.parametrize(
    ("own", "place"),
    [("/home/mia/low.py", "low.py, line 4: "), ("/home/mia/start.py", "cards.py, line 2: "), ("/srv/low.py", "")],
)
def test_the_line_of_the_programs_own_file_is_named(own, place):
    """The innermost one of the file that was started, else of a file beside it; none of a library's."""
    assert last_words(INNER, {own}) == f"{place}AttributeError: HeartsView has no field cards"
    assert last_words(INNER) == "AttributeError: HeartsView has no field cards"


def test_five_lines_are_enough():
    """Of a message that goes on and on, and of lines without end; nothing in them steers a terminal."""
    text = "Traceback (most recent call last):\nValueError: " + "\n".join(["\x1b[2J" + "x" * 1000] * 9)
    words = last_words(text)
    assert words.isprintable()
    assert len(words) <= 5 * 202
    assert words.count("; ") == 4
