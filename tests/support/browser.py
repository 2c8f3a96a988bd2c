"""A headless Chromium of the distribution, driven by Selenium: looks at a page, presses its keys, hears its console."""

from __future__ import annotations

import json
import shutil
from contextlib import contextmanager
from functools import cache
from importlib import resources
from importlib.util import find_spec

DESK, PHONE = 1280, 390
PATIENCE = 60
"""Seconds for something to come on a busy machine."""
_BROWSERS = ("chromium", "chromium-browser", "google-chrome")
_AXE = """
const done = arguments[arguments.length - 1];
axe.run({ resultTypes: ["violations"] }).then((judged) => done({
  passes: judged.passes.length,
  violations: judged.violations.map((rule) => `${rule.id}: ${rule.nodes.map((node) => node.html).join(" ")}`),
}));
"""
MOST_BYTES = 400_000
"""The size of a page beside the record in it."""
_SIZE = """
const loaded = performance.getEntriesByType("resource").filter((one) => !one.name.endsWith("/events"));
return [...performance.getEntriesByType("navigation"), ...loaded].reduce((sum, one) => sum + one.decodedBodySize, 0);
"""
_UNNAMED = """
const named = (one) => one.title?.length || one.textContent.trim() || one.getAttribute("aria-label") ||
  one.labels?.[0]?.textContent.trim();
return [...document.querySelectorAll("button, select, input, svg[role=img]")].filter((one) => !named(one)).length;
"""


def lacking():
    """List what a browser test needs and this machine has not."""
    there = {"chromium": _program(*_BROWSERS), "chromedriver": _program("chromedriver"), "selenium": _installed()}
    return [name for name, found in there.items() if not found]


@contextmanager
def started():
    """Start the browser, and end it."""
    from selenium import webdriver  # noqa: PLC0415  an extra

    options = webdriver.ChromeOptions()
    options.binary_location = _program(*_BROWSERS)
    for word in ("headless=new", "no-sandbox", "disable-gpu", "no-first-run", "disable-background-networking"):
        options.add_argument(f"--{word}")
    options.add_argument("--disable-dev-shm-usage")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    service = webdriver.ChromeService(executable_path=_program("chromedriver"))
    driver = webdriver.Chrome(options=options, service=service)
    try:
        driver.set_script_timeout(PATIENCE)
        driver.set_page_load_timeout(PATIENCE)
        yield Browser(driver)
    finally:
        driver.quit()


class Browser:
    """One tab, emptied for each page."""

    def __init__(self, driver):
        self.driver = driver

    def open(self, address, width=DESK, *, light=None):
        """Open a page, on a desk or a phone, in the light or in the dark."""
        how = {"width": width, "height": 844, "deviceScaleFactor": 1, "mobile": width < 600}
        self.driver.get("about:blank")
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", how)
        scheme = [{"name": "prefers-color-scheme", "value": light or ""}]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": scheme})
        self.errors(), self.requests()
        self.driver.get(address)

    def run(self, script, *words):
        """Run a script in the page and return what it returns."""
        return self.driver.execute_script(script, *words)

    def until(self, condition, *words):
        """Wait for an expression to be true there; return it."""
        from selenium.webdriver.support.wait import WebDriverWait  # noqa: PLC0415  an extra

        waiting = WebDriverWait(self.driver, PATIENCE, poll_frequency=0.02)
        return waiting.until(lambda _: self.run(f"return {condition}", *words), f"never: {condition}")

    def text(self, selector):
        """Return what is to be read there."""
        return self.run("return document.querySelector(arguments[0]).innerText", selector)

    def press(self, *keys):
        """Press keys, called as Selenium's ``Keys`` are, or letters."""
        from selenium.webdriver import ActionChains, Keys  # noqa: PLC0415  an extra

        ActionChains(self.driver, duration=0).send_keys(*(getattr(Keys, key, key) for key in keys)).perform()

    def click(self, selector):
        """Click what is there, as a person's mouse does: it must be seen and not be covered."""
        self.driver.find_element("css selector", selector).click()

    def swipe(self, selector, by):
        """Draw a finger over something, to the right by this many pixels."""
        box = self.run("return document.querySelector(arguments[0]).getBoundingClientRect()", selector)
        x, y = box["x"] + box["width"] / 2, min(box["y"] + 60, 700)
        for kind, at in (("touchStart", [x]), ("touchMove", [x + by / 2]), ("touchMove", [x + by]), ("touchEnd", [])):
            points = [{"x": each, "y": y} for each in at]
            self.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    def errors(self):
        """Return what the console has said since this was last asked: errors, warnings, breaches of the policy."""
        return [f"{line['level']}: {line['message']}" for line in self.driver.get_log("browser")]

    def requests(self):
        """Return every address that was asked for since this was last asked."""
        messages = [json.loads(line["message"])["message"] for line in self.driver.get_log("performance")]
        asked = (one["params"]["request"]["url"] for one in messages if one["method"] == "Network.requestWillBeSent")
        return [address.partition("#")[0] for address in asked if not address.startswith("data:")]

    def size(self):
        """Return how many bytes the page has loaded, itself included and its endless stream of events left out."""
        return self.run(_SIZE)

    def too_wide(self):
        """Return by how many pixels the page is wider than its window."""
        return self.run("return document.documentElement.scrollWidth - document.documentElement.clientWidth")

    def unnamed(self):
        """Count the buttons, fields and drawings that tell a screen reader nothing."""
        return self.run(_UNNAMED)

    def judged(self):
        """Return what axe-core finds that not everybody can read or use."""
        self.run(_axe())
        judged = self.driver.execute_async_script(_AXE)
        return judged["violations"] + ([] if judged["passes"] > 10 else ["hardly anything was judged"])


@cache
def _axe():
    return resources.files("axe_core_python").joinpath("axe.min.js").read_text("utf-8")


def _program(*names):
    return next(filter(None, map(shutil.which, names)), None)


def _installed():
    return find_spec("selenium") and find_spec("axe_core_python")
