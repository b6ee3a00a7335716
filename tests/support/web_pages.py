"""A headless browser, and the metrics' web pages served as a Space runs them, by a process of their own."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from text_files import ROOT

from referenceless_metrics.frameworks.hub.publish import assemble

_FLAGS = (
    "headless",
    "no-sandbox",
    "disable-gpu",
    "no-first-run",
    "disable-background-networking",
    "disable-component-update",
    "disable-sync",
    "disable-quic",
)
# Runs in the server's process before anything else and notes every address outside this machine that is asked for.
_WATCH = """
import os, sys

def _watch(event, arguments):
    if event == "socket.getaddrinfo":
        host = arguments[0]
    elif event == "socket.connect" and isinstance(arguments[1], tuple):
        host = arguments[1][0]
    else:
        return
    host = host.decode() if isinstance(host, bytes) else str(host)
    if host not in ("None", "localhost", "127.0.0.1", "::1", "0.0.0.0", "::", ""):
        with open(os.environ["WATCH_FILE"], "a") as file:
            file.write(f"{event} {host}\\n")

sys.addaudithook(_watch)
"""


@dataclass(frozen=True)
class Served:
    """A page's address, the file that lists the hosts its server asked for beyond this machine, and its log."""

    address: str
    watch_file: Path
    log: Path

    @property
    def hosts(self):
        """The hosts that were asked for, one a line."""
        return self.watch_file.read_text().splitlines() if self.watch_file.exists() else []


@contextmanager
def open_browser(profile):
    """Start Chromium without a screen; skips if it or selenium is missing."""
    webdriver = pytest.importorskip("selenium.webdriver")
    chromium = shutil.which("chromium") or shutil.which("google-chrome") or shutil.which("chromium-browser")
    driver = shutil.which("chromedriver")
    if chromium is None or driver is None:
        pytest.skip("needs chromium and chromedriver")
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for flag in (*_FLAGS, f"user-data-dir={profile}"):
        options.add_argument(f"--{flag}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    found = webdriver.Chrome(options=options, service=webdriver.ChromeService(executable_path=driver))
    try:
        yield found
    finally:
        found.quit()


@contextmanager
def serve(metric, folder):
    """Run the `app.py` that a Space of the metric gets, from another folder, or the command that serves all metrics."""
    pytest.importorskip("gradio", minversion="6", reason="needs gradio 6")
    (folder / "site").mkdir()
    (folder / "site" / "sitecustomize.py").write_text(_WATCH)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    watch_file = folder / "hosts.txt"
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("GRADIO_")},
        "GRADIO_SERVER_PORT": str(port),
        "GRADIO_TEMP_DIR": str(folder / "uploads"),
        "HF_HOME": str(folder / "hf"),
        "PYTHONPATH": os.pathsep.join([str(folder / "site"), str(ROOT)]),
        "WATCH_FILE": str(watch_file),
    }
    command = ["-m", "referenceless_metrics", "app", "--no-open"]
    if metric is not None:
        command = [str(assemble(metric, f"someone/{metric}", folder / "space") / "app.py")]
    log = folder / "server.log"
    with log.open("w") as output:
        process = subprocess.Popen(
            [sys.executable, *command],
            cwd=folder,
            env=environment,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        try:
            address = f"http://127.0.0.1:{port}/"
            _await_answer(address, process, log)
            yield Served(address, watch_file, log)
        finally:
            process.terminate()
            process.wait(30)


def _await_answer(address, process, log):
    deadline = time.monotonic() + 120
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise RuntimeError(f"the page's server ended with {process.returncode}: {log.read_text()}")
        try:
            with opener.open(address, timeout=5):
                return
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            time.sleep(0.2)
    raise RuntimeError(f"the page's server did not answer: {log.read_text()}")


def resize(browser, width):
    """Make a browser's window as wide as this; below 600 pixels it is that of a telephone."""
    size = {"width": width, "height": 844, "deviceScaleFactor": 1, "mobile": width < 600}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)


def show(browser, address, width, scheme="light", media=""):
    """Load a page in a window of some width, light or dark, on a screen or as it is printed."""
    resize(browser, width)
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": media, "features": features})
    browser.get(address)


class Page:
    """A page in a browser, with the few gestures that the tests need.

    Args:
        browser: selenium's driver.
        address: address of the page.
    """

    def __init__(self, browser: Any, address: str) -> None:
        self.browser = browser
        self.address = address
        self._heard: list[str] = []

    def open(self, width=1280, scheme="light"):
        """Load the page anew in a window of some width."""
        self._heard += self._messages()
        self.browser.get("about:blank")
        self._messages()  # a page that is left closes its streams, and gradio says so as of an error
        show(self.browser, self.address, width, scheme)
        self.until(lambda: self.all("#score"))

    def resize(self, width):
        """Make the window as wide as this; below 600 pixels it is that of a telephone."""
        resize(self.browser, width)

    def all(self, selector):
        """Return the elements that a CSS selector finds."""
        return list(self.browser.find_elements("css selector", selector))

    def one(self, selector):
        """Return the first element that a CSS selector finds, once there is one."""
        return self.until(lambda: self.all(selector))[0]

    def text(self, selector):
        """Return an element's text, shown or scrolled out of sight; anew if the page renews it meanwhile."""
        return str(
            self.until(
                lambda: self.script("const e = document.querySelector(arguments[0]); return e && e.innerText", selector)
            )
        )

    def script(self, code, *arguments):
        """Run a script in the page."""
        return self.browser.execute_script(code, *arguments)

    def until(self, condition, seconds=60):
        """Wait until a condition holds and return its value."""
        deadline = time.monotonic() + seconds
        while not (value := condition()):
            if time.monotonic() > deadline:
                raise TimeoutError(f"the page did not get there; it shows: {self.text('body')[:2000]}")
            time.sleep(0.1)
        return value

    def click(self, selector):
        """Click an element, wherever on the page it is, once nothing lies over it: the page while it loads, say."""
        self.script("arguments[0].scrollIntoView({block: 'center'})", self.one(selector))
        self.until(
            lambda: self.script(
                "const e = arguments[0], box = e.getBoundingClientRect();"
                "return e.contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2))",
                self.one(selector),
            )
        )
        self.one(selector).click()

    def in_view(self, selector):
        """Return whether an element stands on the screen as it is scrolled, from its top to its bottom."""
        return bool(
            self.script(
                "const e = document.querySelector(arguments[0]); if (!e || !e.offsetParent) return false;"
                "const box = e.getBoundingClientRect(); return box.top >= 0 && box.bottom <= window.innerHeight",
                selector,
            )
        )

    def write(self, selector, text):
        """Put a text into a box as pasting does, whatever its characters."""
        box = self.one(f"{selector} textarea")
        self.script(
            "const [box, text] = arguments;"
            "Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value').set.call(box, text);"
            "box.dispatchEvent(new Event('input', {bubbles: true}))",
            box,
            text,
        )

    def upload(self, selector, path):
        """Choose a file, in the tab that takes files."""
        self.script("arguments[0].click()", self.one(selector.removesuffix("-file") + "-upload-button"))
        self.one(f"{selector} input[type=file]").send_keys(str(path))

    def choose(self, selector, option):
        """Choose an option of a list by its text, with the pointer."""
        from selenium.common.exceptions import StaleElementReferenceException

        def open_list():
            self.script("arguments[0].blur()", self.one(f"{selector} input"))  # a list opens as its box gets the focus
            self.click(f"{selector} input")

        def picked():
            try:
                options = self.all("[role=option]")
                for each in options:
                    if each.get_attribute("innerText").strip("✓ \n") == option:
                        each.click()
                        return True
            except StaleElementReferenceException:
                options = []
            if not options:  # the page closed the list, or drew it anew
                open_list()
            return False

        open_list()
        self.until(picked)

    def complaints(self):
        """Return the messages of the browser's console since the last call, but for gradio's own warnings."""
        own = ("favicon", "Method not implemented.")  # the latter when it closes the stream of an upload
        messages, self._heard = self._heard + self._messages(), []
        return [message for message in messages if not any(part in message for part in own)]

    def _messages(self):
        return [entry["message"] for entry in self.browser.get_log("browser")]

    def foreign_addresses(self):
        """Return the addresses that the page loaded from elsewhere than its own server."""
        loaded = self.script("return performance.getEntriesByType('resource').map(e => e.name)")
        return [name for name in loaded if not name.startswith((self.address, "data:", "blob:"))]
