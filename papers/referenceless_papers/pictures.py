"""The pictures of README, documentation and cards: `referenceless reproduce pictures` makes them in a checkout.

Each PNG keeps the product's output of when it was drawn, as `Description` in its metadata; that of the demonstration is
text itself. So `stale` finds the pictures that no longer show the product's output.
"""

from __future__ import annotations

import io
import math
import re
import socket
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ElementTree
from base64 import b64decode
from collections.abc import Iterator
from contextlib import chdir, contextmanager, redirect_stdout
from html import unescape
from pathlib import Path
from typing import Any

import click

from referenceless_papers.recording import demo_output, record_demo

DEMO = "docs/pictures/demo.svg"
PLOTS = {
    "docs/pictures/calibrate.png": "calibrate huse:summarization --no-progress",
    "docs/pictures/compare.png": "compare baseline.txt ours.txt",
    "docs/pictures/tokens.png": "score sentences.txt",
}
"""Commands that draw each plot, in a folder of `example_files`."""

REPORT = "docs/pictures/report.png"
"""The beginning of a report on the demonstration's two systems, with its finding."""

_REPORTED = "baseline.txt ours.txt --ratings ratings.csv --scale 1-6 --metric fluency"

PAGES = {
    f"hub_cards/figures/app_{metric}.png": metric
    for metric in ("bleu_neighbors", "fluency", "quality_estimation", "rouge_lm", "slor", "wpslor")
}
"""The metric whose page each picture shows, with the answer to its example."""

NEIGHBOURS = "hub_cards/figures/app_neighbours.png"
"""Explanation of one text on the page of BLEU Neighbors."""

WIDTH, HEIGHT = 1200, 1000
"""Most pixels of a page in a picture."""


def example_files(folder: Path) -> None:
    """Write the files that the commands read: the demonstration's, and sentences with and without faults."""
    from referenceless_metrics.demo import write_example_files
    from slor_metric.example import example_texts

    write_example_files(folder)
    (folder / "sentences.txt").write_text("\n".join(example_texts().texts) + "\n", encoding="utf-8")


def said_by_command(command: str, data_dir: Path | None, *more: str) -> str:
    """Return a command's output, without the signature's version."""
    from referenceless_metrics.cli import cli

    words = [*command.split(), *more]
    if "huse" in command:
        words += ["--data-dir", f"{data_dir}/huse"]
    with redirect_stdout(io.StringIO()) as printed:
        cli.main(words, standalone_mode=False)
    return re.sub(r"\|version:\S+", "", printed.getvalue())


def said_by_page(metric: str) -> str:
    """Return the words of a page's answer to its example: the figures, and why the first text has its value."""
    from referenceless_metrics.pages.app.explainer import ORDERS, explainer, places

    part = explainer(metric)
    example = part.example()
    given = {one.name: one.read("\n".join(example[one.name]), None) for one in part.inputs()}
    scored = part.score(given, {control.name: control.options["value"] for control in part.settings})
    first = next(place for place in places(scored.result, ORDERS[0]) if scored.result.covered[place])
    choices = [control.options["value"] for control in part.choices]
    html = part.summary_html(scored) + part.explanation_html(scored, first, *choices)
    words = " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())
    return re.sub(r"\|version:\S+", "", words)


def said(picture: str, data_dir: Path | None) -> str:
    """Return the product's output today for a picture."""
    if picture in PLOTS:
        with tempfile.TemporaryDirectory() as folder, chdir(folder):
            example_files(Path(folder))
            return said_by_command(PLOTS[picture], data_dir)
    if picture == REPORT:
        from referenceless_metrics.demo import write_example_files

        with tempfile.TemporaryDirectory() as folder, chdir(folder):
            write_example_files(folder)
            return said_by_command(f"human-score {_REPORTED}", data_dir)
    if picture == DEMO:
        return "\n".join(text for _, text in demo_output())
    return said_by_page(PAGES.get(picture, "bleu_neighbors"))


def shown(path: Path) -> str:
    """Return the product's output of when a picture was made."""
    if path.suffix == ".svg":
        lines = ElementTree.parse(path).iter("{http://www.w3.org/2000/svg}text")
        return "\n".join("".join(line.itertext()) for line in lines).partition("\n")[2]  # without the command
    from PIL import Image

    with Image.open(path) as image:
        return str(image.info.get("Description", ""))


def stale(root: Path, data_dir: Path | None) -> list[str]:
    """Return a checkout's pictures that show other words than the product gives, or figures further off than .02.

    Those of data are looked at only with a folder of data.
    """
    pictures = [DEMO, REPORT, *PLOTS, *PAGES, NEIGHBOURS]
    looked_at = [one for one in pictures if data_dir is not None or "huse" not in PLOTS.get(one, "")]
    return [one for one in looked_at if not _same(shown(root / one), said(one, data_dir))]


def _same(one: str, other: str) -> bool:
    def near(a: str, b: str) -> bool:
        try:
            return math.isclose(*(float(word.strip("(),;%").replace("−", "-")) for word in (a, b)), abs_tol=0.02)
        except ValueError:
            return a == b

    words = [text.split() for text in (one, other)]
    return len(words[0]) == len(words[1]) and all(map(near, *words))


def describe(path: Path, told: str) -> None:
    """Write the description of a picture into its metadata."""
    from PIL import Image, PngImagePlugin

    told_in_file = PngImagePlugin.PngInfo()
    told_in_file.add_itxt("Description", told)
    with Image.open(path) as image:
        image.save(path, pnginfo=told_in_file, optimize=True)


def _photograph(browser: Any, address: str, begin: str, path: Path) -> None:
    """Save a page's answer to its example, from an element on."""
    from selenium.webdriver.support.wait import WebDriverWait

    browser.get(address)
    WebDriverWait(browser, 60).until(lambda _: browser.find_elements("id", "example"))[0].click()
    WebDriverWait(browser, 60).until(lambda _: browser.find_elements("css selector", "#explanation section"))
    time.sleep(1)  # the page moves to its answer
    box = browser.execute_script(
        "const box = document.querySelector(arguments[0]).getBoundingClientRect();"
        "return {x: box.x + scrollX - 12, y: box.y + scrollY - 12, width: box.width + 24}",
        begin,
    )
    clip = {**box, "height": HEIGHT, "scale": 1}
    taken = browser.execute_cdp_cmd("Page.captureScreenshot", {"clip": clip, "captureBeyondViewport": True})
    path.write_bytes(b64decode(taken["data"]))


def _photograph_report(browser: Any, path: Path) -> None:
    """Save the beginning of a report: its findings, the systems with their intervals, and the table."""
    from referenceless_metrics.demo import write_example_files

    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        write_example_files(folder)
        said_by_command(f"report {_REPORTED} -o report.html", None)
        browser.get(f"file://{folder}/report.html")
        bottom = "return document.querySelector('table.cards').getBoundingClientRect().bottom + 2"
        clip = {"x": 0, "y": 0, "width": WIDTH, "height": browser.execute_script(bottom), "scale": 1}
        taken = browser.execute_cdp_cmd("Page.captureScreenshot", {"clip": clip, "captureBeyondViewport": True})
    path.write_bytes(b64decode(taken["data"]))


@contextmanager
def _served() -> Iterator[str]:
    """Serve the page of every metric, and yield the address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "referenceless_metrics", "app", "--no-open", "--port", str(port)]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        next((line for line in server.stdout if "Running on" in line), None)
        yield f"http://127.0.0.1:{port}/"
    finally:
        server.terminate()
        server.wait()


@contextmanager
def _browser() -> Iterator[Any]:
    """Start Chromium without a screen."""
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    for flag in ("headless", "no-sandbox", "hide-scrollbars", f"window-size={WIDTH},{HEIGHT}"):
        options.add_argument(f"--{flag}")
    browser = webdriver.Chrome(options=options)
    try:
        yield browser
    finally:
        browser.quit()


@click.command(epilog="Example: referenceless reproduce pictures --data-dir data")
@click.option("--data-dir", required=True, type=click.Path(path_type=Path), help="Folder that holds huse/.")
@click.option("--root", type=click.Path(path_type=Path), default=".", show_default=True, help="A checkout.")
def pictures(data_dir: Path, root: Path) -> None:
    """Make the pictures of README, documentation and cards anew (Chromium, selenium)."""
    data_dir, root = data_dir.resolve(), root.resolve()
    record_demo(root / DEMO)
    for picture, command in PLOTS.items():
        with tempfile.TemporaryDirectory() as folder, chdir(folder):
            example_files(Path(folder))
            said_by_command(command, data_dir, "--plot", str(root / picture))
    with _served() as address, _browser() as browser:
        _photograph_report(browser, root / REPORT)
        for picture, metric in PAGES.items():
            place = address if metric == "fluency" else f"{address}{metric}"  # the page that stands first
            _photograph(browser, place, "#results", root / picture)
            if metric == "bleu_neighbors":
                _photograph(browser, place, "#explanation", root / NEIGHBOURS)
    for picture in (REPORT, *PLOTS, *PAGES, NEIGHBOURS):
        describe(root / picture, said(picture, data_dir))
