"""A page in a headless browser: a script beside it looks at it, presses its keys, and says what it found."""

import json
import re
import shutil
import subprocess
from html import unescape
from importlib import resources

import pytest

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
in_a_browser = pytest.mark.skipif(BROWSER is None, reason="no browser is installed")

_HARNESS = """<!DOCTYPE html><meta charset="utf-8"><body><script>
const errors = [], found = [];
const frames = %s.map(([page, width]) => {
  const frame = document.createElement("iframe");
  Object.assign(frame, { src: page, width, height: 900 });
  document.body.append(frame);
  return frame;
});
// Timers would run ahead of what the browser unpacks beside them: its time is virtual. Messages do not.
const tick = () => new Promise((go) => {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => { port1.close(); go(); };
  port2.postMessage(0);
});
const until = async (ready) => {
  while (!ready()) {
    if (errors.length) throw new Error("the page does not get ready");
    await tick();
  }
};
onload = async () => {
  for (const frame of frames) {
    const win = frame.contentWindow, doc = win.document;
    win.addEventListener("error", (event) => errors.push(String(event.message)));
    win.addEventListener("unhandledrejection", (event) => errors.push(String(event.reason)));
    doc.addEventListener("securitypolicyviolation", (event) => errors.push(event.violatedDirective));
    try { found.push(await (async (win, doc) => { %s })(win, doc)); } catch (error) { errors.push(String(error)); }
  }
  const said = document.createElement("pre");
  said.textContent = "\\u00ab" + JSON.stringify({ found, errors }) + "\\u00bb";
  document.body.replaceChildren(said);
};
</script>"""


def looked_at(folder, pages, script):
    """Run a script in each of the pages ``(file and fragment, width)``; return what it found, and all errors."""
    (folder / "harness.html").write_text(_HARNESS % (json.dumps(pages), script), encoding="utf-8")
    program = [BROWSER, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--window-size=1400,900"]
    program += ["--disable-background-networking", f"--user-data-dir={folder / 'profile'}", "--enable-logging=stderr"]
    words = ["--allow-file-access-from-files", "--virtual-time-budget=60000", "--dump-dom"]
    address = f"file://{folder}/harness.html"
    done = subprocess.run([*program, *words, address], capture_output=True, text=True, timeout=120, check=True)
    said = json.loads(unescape(done.stdout).partition("\u00ab")[2].partition("\u00bb")[0])
    console = [line for line in done.stderr.splitlines() if "CONSOLE" in line]
    return said["found"], said["errors"] + console


def judged_by_axe(page):
    """Return a page with axe-core in it, which its policy would forbid, to be run as ``win.axe.run()``."""
    axe = resources.files("axe_core_python").joinpath("axe.min.js").read_text("utf-8")
    bare = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", page)
    return bare.replace("</body>", f"<script>{axe}</script></body>")
