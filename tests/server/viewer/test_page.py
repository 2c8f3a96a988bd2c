"""The page of a game: one file that needs nothing else, obeys nobody but its own script, and can be stepped through."""

import base64
import hashlib
import json
import re

import pytest
from browser import in_a_browser, judged_by_axe, looked_at
from click.testing import CliRunner
from games import record_of

from croupier.server.cli import cli
from croupier.server.records.replay import Replay
from croupier.server.viewer import film, page
from croupier.server.viewer.page import packed, unpacked

NAMES = ("ada", "bob", "cleo", "dan")
PWN = "document.title='pwned'"
CLOSERS = ("", "</pre>", "</script>", "</title>", "</style>", "-->", "]]>", '">', "'>")
LINKS = (f"javascript:{PWN}", f"JaVaScRiPt:{PWN}", f"data:text/html,<script>{PWN}</script>")
INJECTIONS = [
    *(f"{close}<script>{PWN}</script>" for close in CLOSERS),
    *(f"<img src=x {hook}={PWN}>" for hook in ("onerror", "onload", "onclick", "ONERROR", "onerror\n", "/onerror")),
    *(f"<{tag} onload={PWN}>" for tag in ("svg", "body", "iframe", "object", "embed", "video", "style", "link")),
    *(f"<svg><{tag}>{PWN}</{tag}></svg>" for tag in ("script", "animate", "set", "foreignObject", "use")),
    *(f"<a href='{link}'>x</a>" for link in LINKS),
    *(
        f"<iframe src=javascript:{PWN}>",
        f"<iframe srcdoc='<script>parent.{PWN}</script>'>",
        "<base href=//evil.example/>",
    ),
    *("<meta http-equiv=refresh content='0;url=//evil.example'>", f"<form action=javascript:{PWN}><input autofocus>"),
    *(f"<input autofocus onfocus={PWN}>", f"<details open ontoggle={PWN}>", f"<math><mi xlink:href=javascript:{PWN}>"),
    *("{{constructor.constructor('alert(1)')()}}", "${alert(1)}", "`-alert(1)-`", '";alert(1);//', "'-alert(1)-'"),
    *("__proto__", "constructor", "\\u003cscript\\u003e", "\u2028alert(1)\u2029", "\x00<script>", "<!--<script>"),
    *("%3Cscript%3E", "&lt;script&gt;alert(1)", "+ADw-script+AD4-", "\U0001f600<b onmouseover=alert(1)>"),
]


@pytest.fixture(scope="module")
def hearts():
    """Film a game of Hearts."""
    return film(Replay(record_of("hearts", ["duck"] * 4, names=NAMES)), "hearts.record")


def test_a_page_needs_nothing_from_anywhere(hearts):
    """Its one style and its one script are those that its policy names by their hashes; it is small."""
    text = page(hearts)
    [policy] = re.findall(r'Content-Security-Policy" content="([^"]+)"', text)
    for tag in ("style", "script"):
        [inside] = re.findall(rf"<{tag}>(.*?)</{tag}>", text, re.DOTALL)
        assert f"{tag}-src 'sha256-{base64.b64encode(hashlib.sha256(inside.encode()).digest()).decode()}'" in policy
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    assert not re.search(r"@import|url\(|innerHTML|outerHTML|insertAdjacent|eval\(|document\.write", text)
    assert set(re.findall(r"https?://[^\"' ]+", text)) == {"http://www.w3.org/2000/svg"}
    assert len(text) < 300_000


def test_a_page_holds_its_film(hearts):
    """What is packed is unpacked again."""
    [text] = re.findall(r'<pre id="film" hidden>([A-Za-z0-9+/=]+)</pre>', page(hearts))
    assert unpacked(text) == json.loads(json.dumps(hearts))


def injected(hearts):
    """Put the injections wherever words of strangers may stand."""
    said = [[None, words] for words in INJECTIONS]
    fault = [*INJECTIONS[:3], "".join(INJECTIONS)]
    evil = {"said": said, "note": "\n".join(INJECTIONS), "fault": fault, "facts": INJECTIONS, "legal": INJECTIONS}
    evil |= {"beside 0": INJECTIONS, "place 0 ": ["", 0, "hand", INJECTIONS, 0, [], None]}
    (first, *seats), *others = hearts["shots"]
    options = dict.fromkeys(INJECTIONS, INJECTIONS[0])
    return hearts | {"title": "".join(INJECTIONS), "options": options, "shots": [(first | evil, *seats), *others]}


def test_no_injection_is_markup(hearts):
    """A page is the same but for the title, which is escaped, and the film, which is letters and digits."""
    assert len(INJECTIONS) >= 50
    film_of = re.compile(r'(?<=<pre id="film" hidden>)[A-Za-z0-9+/=]+(?=</pre>)')
    title = re.compile(r"(?<=<title>)[^<>\"']*(?=</title>)")
    bare = [title.sub("", film_of.sub("", page(each))) for each in (hearts, injected(hearts))]
    assert bare[0] == bare[1]


STRANGE = """
  await until(() => doc.getElementById("where").textContent);
  const names = ["img", "iframe", "object", "embed", "form", "base", "math", "video"];
  const strange = names.flatMap((name) => [...doc.querySelectorAll(name)]);
  const attributes = [...doc.querySelectorAll("*")].flatMap((one) => [...one.attributes]);
  const handlers = attributes.filter((each) => each.name.startsWith("on"));
  const links = [...doc.querySelectorAll("a")].filter((one) => !one.getAttribute("href").startsWith("#"));
  return { strange: strange.length + handlers.length + links.length, pwned: doc.title === "pwned",
           scripts: doc.scripts.length, said: doc.getElementById("now").textContent };
"""


@in_a_browser
def test_no_injection_runs(hearts, tmp_path):
    """The page shows what strangers wrote as words: no element comes of it, nothing runs, nothing is fetched."""
    (tmp_path / "evil.html").write_text(page(injected(hearts)), encoding="utf-8", errors="surrogatepass")
    [found], errors = looked_at(tmp_path, [["evil.html#0,table", 1280]], STRANGE)
    assert errors == []
    assert (found["strange"], found["pwned"], found["scripts"]) == (0, False, 1)
    assert all(words.replace("\x00", "") in found["said"].replace("\x00", "") for words in INJECTIONS[:20])


STEPPED = """
  const table = doc.getElementById("table");
  const where = () => doc.getElementById("where").textContent.split(" ")[0];
  const press = (key) => {
    doc.dispatchEvent(new win.KeyboardEvent("keydown", { key, bubbles: true }));
    return where();
  };
  const swipe = (from, to) => {
    const touch = (x) => [new win.Touch({ identifier: 1, target: table, clientX: x, clientY: 50 })];
    table.dispatchEvent(new win.TouchEvent("touchstart", { touches: touch(from), changedTouches: touch(from) }));
    table.dispatchEvent(new win.TouchEvent("touchend", { changedTouches: touch(to) }));
    return where();
  };
  await until(where);
  const begun = where(), eyes = doc.getElementById("eyes").value;
  const steps = ["Home", "ArrowRight", "ArrowRight", "ArrowLeft", "ArrowDown", "ArrowDown", "ArrowUp", "End", "PageUp"];
  const keys = steps.map(press), swiped = [swipe(200, 100), swipe(100, 200)];
  press("Home");
  const early = doc.body.innerText;
  press("End");
  const late = doc.getElementById("now").textContent, link = win.location.hash;
  const wide = doc.documentElement.scrollWidth - doc.documentElement.clientWidth;
  const named = (one) => one.title?.length || one.textContent.trim() || one.getAttribute("aria-label") ||
    one.labels?.[0]?.textContent.trim();
  const unnamed = [...doc.querySelectorAll("button, select, input, svg[role=img]")].filter((one) => !named(one));
  return { begun, eyes, keys, swiped, early, late, link, wide, unnamed: unnamed.length };
"""


@in_a_browser
def test_a_page_is_stepped_through_by_keys_swipes_and_links(hearts, tmp_path):
    """Card by card, trick by trick, hand by hand; from a link to a moment and a seat; no scores before the end."""
    (tmp_path / "hearts.html").write_text(page(hearts), encoding="utf-8")
    found, errors = looked_at(tmp_path, [["hearts.html#17,cleo", 1280], ["hearts.html#17,cleo", 390]], STEPPED)
    assert errors == []
    last = str(len(hearts["moments"]) - 1)
    for each in found:
        assert (each["begun"], each["eyes"]) == ("17", "cleo")
        assert each["keys"] == ["0", "1", "2", "1", "4", "8", "4", last, "0"]
        assert each["swiped"] == ["1", "0"]
        assert "finished" not in each["early"]
        assert each["late"].startswith("finishedada ")
        assert each["link"] == f"#{last},cleo"
        assert each["wide"] <= 0
        assert each["unnamed"] == 0


def test_replay_writes_a_page_and_keeps_the_scores_to_itself(tmp_path):
    """--html says where the page is; --seat puts into it only what that player knew."""
    record = tmp_path / "game.record"
    record.write_text(record_of("hearts", ["duck"] * 4, names=NAMES))
    out = tmp_path / "game.html"
    done = CliRunner().invoke(cli, ["replay", str(record), "--html", str(out), "--seat", "bob"])
    assert (done.exit_code, done.output) == (0, f"{out}\n")
    [text] = re.findall(r'<pre id="film" hidden>(.+?)</pre>', out.read_text())
    assert unpacked(text)["eyes"] == ["bob"]


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (
            ["game.record", "--html", "x.html", "--seat", "zoe"],
            "nobody here is called zoe; the players: ada, bob, cleo, dan",
        ),
        (["game.record", "game.record", "--html", "x.html"], "a page shows one game; of 2 records name one"),
        (["game.record", "--html", "x.html", "--wire", "ada"], "--html shows a record by itself"),
        (["game.record", "--html", "x.html", "--show"], "--html shows a record by itself"),
        (["game.record", "--seat", "ada"], "--seat says who looks at the page of --html"),
        (["bad.record", "--html", "x.html"], "bad.record is no record to show: line 1: "),
        (["game.record", "--html", "no/x.html"], "no/x.html: No such file or directory"),
    ],
)
def test_wrong_calls_are_told_so(tmp_path, monkeypatch, words, problem):
    """One sentence, status 2, and no page."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "game.record").write_text(record_of("hearts", ["duck"] * 4, names=NAMES))
    (tmp_path / "bad.record").write_text("(nonsense)\n")
    done = CliRunner().invoke(cli, ["replay", *words])
    assert done.exit_code == 2
    assert problem in done.output
    assert not (tmp_path / "x.html").exists()


def test_packed_is_letters_and_digits():
    """Whatever is packed cannot end the element that it stands in."""
    assert re.fullmatch(r"[A-Za-z0-9+/=]+", packed({"title": "</pre><script>"}))


AXE = """
  await until(() => doc.getElementById("where").textContent);
  const found = [];
  for (const light of ["light", "dark"]) {
    doc.documentElement.dataset.light = light;
    const judged = await win.axe.run({ resultTypes: ["violations"] });
    if (judged.passes.length < 10) found.push("hardly anything was judged");
    for (const rule of judged.violations) found.push(`${light} ${rule.id} ${rule.nodes[0].html}`);
  }
  return found;
"""


@in_a_browser
def test_everybody_can_read_the_page(hearts, tmp_path):
    """Names, roles, contrast: axe-core finds nothing to say, on a desk and on a phone, in light and in the dark."""
    dominion = film(Replay(record_of("dominion", ["smithy"] * 2, names=NAMES[:2])), "dominion")
    for name, shown in (("hearts", hearts), ("dominion", dominion)):
        (tmp_path / f"{name}.html").write_text(judged_by_axe(page(shown)), encoding="utf-8")
    pages = [["hearts.html#12,table", 1280], ["dominion.html#40,ada", 390]]
    assert looked_at(tmp_path, pages, AXE) == ([[]] * 2, [])
