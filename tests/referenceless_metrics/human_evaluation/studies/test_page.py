"""The rating page in a real browser: whole studies by keyboard alone, read back to the systems."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from page_standards import all_findings, widest
from studies import ask
from web_pages import Page

from referenceless_metrics.human_evaluation.studies.criteria import Criterion, Scale
from referenceless_metrics.human_evaluation.studies.description import how_shown
from referenceless_metrics.human_evaluation.studies.design import Design
from referenceless_metrics.human_evaluation.studies.drawing import draw_study
from referenceless_metrics.human_evaluation.studies.reading import marked_outputs, read_study
from referenceless_metrics.human_evaluation.studies.server import rating_page, rating_server, rating_sheet
from referenceless_metrics.human_evaluation.studies.spans import SpanTask

TAB, ENTER, SHIFT, ARROW_LEFT, ARROW_RIGHT = "\ue004", "\ue007", "\ue008", "\ue012", "\ue014"  # as WebDriver has them


@pytest.mark.parametrize("scale", ["1-5", "preference"])
def test_nothing_tells_who_wrote_what(draw, scale):
    design = draw(scale)
    for shown in (rating_page(design, "rater_1"), rating_sheet(design, "rater_1")):
        assert "system_one" not in shown
        assert "system_two" not in shown
    data = json.loads(rating_page(design, "rater_1").split('id="data">')[1].split("</script>")[0])
    assert {frozenset(screen) for screen in data["screens"]} == {frozenset({"source", "texts", "outputs"})}
    assert all(len(set(screen["texts"])) == len(screen["texts"]) for screen in data["screens"])


def test_what_stands_over_a_source_is_what_the_study_calls_it(draw, tmp_path):
    usual = draw()
    systems = [("one", ["a text", "a word"]), ("two", ["the text", "the word"])]
    named = draw_study(systems, 2, ["ann"], sources=["hi", "ho"], source_label="The user's <turn>")
    assert '<h3 id="source-title">What the text was made from</h3>' in rating_page(usual, "rater_1")
    assert '<h3 id="source-title">The user&#39;s &lt;turn&gt;</h3>' in rating_page(named, "ann")
    assert how_shown(named).startswith(
        "All outputs of an item were shown on one screen, beside what they were made from (“The user's <turn>”), "
    )
    (tmp_path / "named").mkdir()
    named.write(tmp_path / "named")
    assert Design.read(tmp_path / "named").source_label == "The user's <turn>"


@pytest.mark.parametrize(
    "options, said",
    [
        ({"repeats": 0.0}, ""),
        ({"repeats": 0.1}, "Texts that you have seen may come again: please rate each anew."),
        ({"repeats": 0.1, "checks": 1}, "may come again, and some may be damaged: please rate each anew"),
        ({"repeats": 0.0, "checks": 1}, "Some texts may be damaged: please rate each as it stands."),
    ],
)
def test_raters_are_told_of_repeats_and_damaged_texts_if_there_are_any(draw, options, said):
    page = rating_page(draw(**options), "rater_1")
    assert said in page
    assert ("may be damaged" in page) == ("checks" in options)
    assert ("come again" in page) == (options["repeats"] > 0)


class Rater:
    """Rates by keys alone: fine texts high, others low."""

    def __init__(self, browser: Any, address: str, width: int = 1280) -> None:
        self.page = Page(browser, address)
        self.page.complaints()  # those of a test before this one, which shares the browser
        self.page.resize(width)
        browser.get(address)
        self.page.until(self.start_anew)

    def start_anew(self):
        """Forget an earlier test's ratings of the same study, and reload the page; return as `reload`."""
        self.page.script("localStorage.clear(); localStorage.setItem('here', '')")
        return self.reload()

    def reload(self):
        """Reload the page; return whether it has the stored ratings, which a busy browser may not show at once."""
        self.page.browser.refresh()
        return self.page.script("return localStorage.getItem('here') !== null")

    def press(self, *keys):
        from selenium.webdriver import ActionChains

        ActionChains(self.page.browser).send_keys(*keys).perform()

    def begin(self):
        self.press(TAB, ENTER)

    def rate_screen(self, look=lambda: None):
        look()
        texts = [one.text for one in self.page.all("fieldset q")]
        if self.page.all("input[value=tie]"):
            self.press("1" if "fine" in texts[0] else "3")
        elif self.page.all("input[type=range]"):
            for text in texts:
                self.press("8" if "fine" in text else "2", ARROW_RIGHT, ENTER)
        else:
            for text in texts:
                number = int(re.findall(r"\d+", text)[0])
                self.press(*([str(4 + number % 2)] if "fine" in text else [" ", ARROW_RIGHT, ENTER]))
        assert self.page.script("return document.activeElement.id") == "next"
        shown = self.page.text("#where")
        self.press(ENTER)
        self.page.until(lambda: self.at_the_end or self.page.text("#where") != shown)

    @property
    def at_the_end(self):
        return self.page.one("#end").is_displayed()


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize(
    "scale, apart, fine, bad",
    [("1-5", False, {4, 5}, {2}), ("0-100", True, {81}, {21}), ("preference", False, {1.0, 0.5}, {0.0})],
)
def test_a_study_by_keyboard(draw, browser, tmp_path, scale, apart, fine, bad, width):
    design = draw(scale, apart=apart)
    page = tmp_path / "page.html"
    folder = tmp_path / "study" / "ratings"
    browser.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(folder)})

    def look():
        assert all_findings(browser) == []
        assert widest(browser) <= width

    for rater in design.raters:
        page.write_text(rating_page(design, rater), encoding="utf-8")
        person = Rater(browser, page.as_uri(), width)
        look()
        person.begin()
        for place in range(len(design.raters[rater])):
            person.rate_screen(look if place == 0 else lambda: None)
            if place == 5:  # a page that is reloaded goes on from there
                person.page.until(person.reload)
                person.begin()
        assert person.at_the_end
        look()
        person.page.script("document.getElementById('download').focus()")
        person.press(ENTER)
        person.page.until((folder / f"{rater}.csv").exists)
        assert (folder / f"{rater}.csv").read_text() == person.page.one("#copyable").get_attribute("value")
        assert person.page.script("return window.hacked") is None
        assert person.page.complaints() == []
    rows = read_study(tmp_path / "study").table
    if scale == "preference":
        assert (rows["preference"] == (rows["item"] % 5 == 0) / 2).all()
    else:
        is_fine = rows["text"].str.contains("fine")
        assert set(rows["rating"][is_fine]) <= fine
        assert set(rows["rating"][~is_fine]) == bad


def serve(folder, port):
    """Start `rate` on a port, and return its process and its address."""
    command = [sys.executable, "-m", "referenceless_metrics", "rate", str(folder), "--port", port]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    return process, process.stdout.readline().split()[0]


def test_a_server_that_is_killed_loses_nothing(draw, browser, tmp_path):
    design = draw(items=6, raters=1)
    folder = tmp_path / "study"

    def asked(screens):
        return sum(map(len, map(design.outputs_on, screens)))

    def all_saved(n_screens):
        file = folder / "ratings" / "rater_1.csv"
        return file.exists() and file.read_text().count("\n") == 1 + asked(design.raters["rater_1"][:n_screens])

    process, address = serve(folder, "0")
    try:
        person = Rater(browser, f"{address}rater_1")
        person.begin()
        person.rate_screen()
        person.page.until(lambda: all_saved(1))
        process.kill()
        process.wait()
        person.rate_screen()
        person.page.until(lambda: "Not saved yet" in person.page.text("#status"))
        process, _ = serve(folder, address.rsplit(":")[-1].strip("/"))
        person.page.until(lambda: all_saved(2))
        browser.refresh()
        person.begin()
        while not person.at_the_end:
            person.rate_screen()
        person.page.until(lambda: not person.page.one("#export").is_displayed())
        assert all_findings(browser) == []
        browser.get(address)
        n_asked = asked(design.raters["rater_1"])
        assert f"{n_asked} of {n_asked} rated" in person.page.text("main")
        assert all_findings(browser) == []
    finally:
        process.kill()
        process.wait()
    assert read_study(folder).table["rating"].notna().all()


def test_an_answer_is_undone_declined_and_commented_on_and_the_end_has_the_code(draw, browser, tmp_path):
    design = draw(items=2, raters=1, repeats=0.0, completion_code="C0DE", examples=[("a bad <b>", "1")])
    (tmp_path / "page.html").write_text(rating_page(design, "rater_1"), encoding="utf-8")
    person = Rater(browser, (tmp_path / "page.html").as_uri())
    page = person.page
    assert "about 1 minute;" in page.text("#start")
    assert "1: a bad <b>" in page.text("#start")
    person.begin()
    person.press("4", "u")
    assert page.text("#count").startswith("0 of")
    assert page.script("return document.activeElement.type") == "radio"
    person.press(TAB, " ", TAB, *"=no, u 3", TAB)
    assert page.text("#count").startswith("1 of")
    # half an emoji, as in a text that is cut: no file can hold it
    page.script("const box = document.querySelector('[type=text]'); box.value += '\\ud83d';")
    page.script("document.querySelector('[type=text]').dispatchEvent(new Event('change'))")
    assert all_findings(browser) == []
    page.script("document.querySelectorAll('fieldset input[value=\"2\"]').forEach((e, i) => i && e.click())")
    page.script("document.getElementById('next').click()")
    page.script("document.querySelectorAll('fieldset input[value=\"2\"]').forEach(e => e.click())")
    assert not page.one("#completion").is_displayed()
    page.script("document.getElementById('next').click()")
    assert "C0DE" in page.text("#completion")
    (tmp_path / "study" / "ratings" / "rater_1.csv").write_text(page.one("#copyable").get_attribute("value"))
    declined, *others = sorted(read_study(tmp_path / "study").judgements)
    assert (declined.rating != declined.rating, declined.comment) == (True, "'=no, u 3")  # no formula in a spreadsheet
    assert {each.rating for each in others} == {2.0}


def test_what_another_browser_took_back_does_not_return_and_comments_stay(draw, browser, tmp_path):
    design = draw(items=2, raters=1, repeats=0.0)
    with rating_server(tmp_path / "study", 0) as server, ThreadPoolExecutor(1) as other:
        other.submit(server.serve_forever)
        try:
            person = Rater(browser, f"http://127.0.0.1:{server.server_port}/rater_1")
            page = person.page
            person.press(ENTER)  # which begins
            page.until(lambda: page.text("#where").startswith("Screen 1"))
            person.press("4")
            page.until(lambda: page.text("#status") == "Saved.")
            taken_back = {"study": design.study, "screen": 1, "output": "A", "rating": ""}
            assert ask(server.server_port, "POST", "/rater_1", taken_back)[0] == 200
            page.until(person.reload)
            person.press(ENTER)
            page.until(lambda: page.text("#count").startswith("0 of"))
            comment = "document.querySelector('[type=text]')"
            page.script(f"{comment}.value = 'half of it'; {comment}.dispatchEvent(new Event('change'))")
            page.until(lambda: page.text("#status") == "Saved.")
            assert page.text("#count").startswith("0 of")
            page.until(person.reload)
            person.press(ENTER)
            page.until(lambda: page.script(f"return {comment}.value") == "half of it")
        finally:
            server.shutdown()
    assert "half of it" in (tmp_path / "study" / "ratings" / "rater_1.csv").read_text()


TWO = (
    Criterion("fluency", Scale(1, 5), "How natural is it?", labels=((3, "readable"),)),
    Criterion("adequacy", Scale(0, 100), "Does it say all?"),
)


@pytest.mark.parametrize("width", [1280, 390])
def test_two_criteria_by_keys_alone_with_undo_reload_and_a_killed_server_lose_nothing(draw, browser, tmp_path, width):
    design = draw(None, items=24, criteria=TWO, repeats=0.0)
    folder = tmp_path / "study"
    rated = []

    def rate_step(person):
        """Rate the outputs on the screen by number keys, or by tenths of the slider, fine texts high, and go on."""
        page = person.page
        for row in page.all(".asked"):
            is_fine = "fine" in row.find_element("xpath", "..").find_element("tag name", "q").text
            assert page.script("return document.activeElement.closest('.asked')") == row, page.text("#form")
            if row.find_elements("css selector", "[type=range]"):
                person.press("8" if is_fine else "2", ENTER)
            else:
                person.press("5" if is_fine else "2")
            rated.append(row)
        assert page.script("return document.activeElement.id") == "next"
        shown = page.text("#where")
        person.press(ENTER)
        page.until(lambda: person.at_the_end or page.text("#where") != shown)

    def rate_all(rater, process):
        """Rate by keys alone; undo once, go on while the server is dead, and reload; return the server's process."""
        person = Rater(browser, f"{address}{rater}", width)
        page = person.page
        assert all_findings(browser) == []
        person.begin()
        rate_step(person)
        assert all_findings(browser) == []
        assert widest(browser) <= width
        n_rated = page.text("#count")
        person.press("1", "u")  # an answer too many is undone
        page.until(lambda: page.text("#count") == n_rated)
        process.kill()
        process.wait()
        rate_step(person)
        page.until(lambda: "Not saved yet" in page.text("#status"))
        process, _ = serve(folder, address.rsplit(":")[-1].strip("/"))
        page.until(lambda: n_saved(rater) == int(page.text("#count").split()[0]))
        page.until(person.reload)
        person.begin()
        while not person.at_the_end:
            rate_step(person)
        page.until(lambda: not page.one("#export").is_displayed())
        return process

    def n_saved(rater):
        return (folder / "ratings" / f"{rater}.csv").read_text().count("\n") - 1

    process, address = serve(folder, "0")
    try:
        for rater in design.raters:
            process = rate_all(rater, process)
    finally:
        process.kill()
        process.wait()
    study = read_study(folder)
    asked = sum(len(design.asked_on(screen)) for screens in design.raters.values() for screen in screens)
    assert len(study.judgements) == asked == len(rated)
    rows = study.table
    is_fine = rows["text"].str.contains("fine")
    by_fluency = rows["criterion"] == "fluency"
    assert set(rows["rating"][by_fluency & is_fine]) == {5}
    assert set(rows["rating"][by_fluency & ~is_fine]) == {2}
    assert set(rows["rating"][~by_fluency & is_fine]) == {80}
    assert set(rows["rating"][~by_fluency & ~is_fine]) == {20}


def test_a_page_from_disk_asks_for_one_criterion_after_the_other(draw, browser, tmp_path):
    design = draw(None, items=2, raters=1, criteria=TWO, criteria_apart=True, repeats=0.0)
    (tmp_path / "page.html").write_text(rating_page(design, "rater_1"), encoding="utf-8")
    person = Rater(browser, (tmp_path / "page.html").as_uri())
    page = person.page
    assert page.text("#start").count("one after the other") == 1
    person.begin()
    assert page.text("#where") == "Screen 1 of 4"
    assert page.text("#question") == "fluency: How natural is it?"
    assert "3 readable" in page.text("#form")
    page.script("document.querySelector('[type=checkbox]').click()")  # cannot judge the first text by fluency
    page.script("document.getElementById('next').click()")
    assert page.text("#question") == "adequacy: Does it say all?"
    page.until(person.reload)
    person.begin()
    while not person.at_the_end:
        for row in page.all(".asked"):
            page.script("arguments[0].querySelector('[type=radio], [type=range]').focus()", row)
            if not page.script("return arguments[0].querySelector('[type=checkbox]').checked", row):
                person.press("3", ENTER)
        page.script("document.getElementById('next').click()")
    (tmp_path / "study" / "ratings" / "rater_1.csv").write_text(page.one("#copyable").get_attribute("value"))
    declined = [each for each in read_study(tmp_path / "study").judgements if each.rating != each.rating]
    assert [(each.screen, each.output, each.criterion) for each in declined] == [(1, "A", "fluency")]
    answered = [each for each in read_study(tmp_path / "study").judgements if each.rating == each.rating]
    assert {(each.criterion, each.rating) for each in answered} == {("fluency", 3.0), ("adequacy", 30.0)}


def marks(page):
    """Return the errors that are listed below a text."""
    return [" ".join(each.text.split()) for each in page.all(".marks li")]


@pytest.mark.parametrize("width", [1280, 390])
def test_errors_are_marked_by_keys_mouse_and_touch_and_nothing_is_lost(draw, browser, tmp_path, width):
    from selenium.webdriver import ActionChains

    task = SpanTask(("Accuracy/Omission", "Style"))
    design = draw(None, items=3, raters=1, apart=True, spans=task, repeats=0.0)
    (tmp_path / "page.html").write_text(rating_page(design, "rater_1"), encoding="utf-8")
    person = Rater(browser, (tmp_path / "page.html").as_uri(), width)
    page = person.page
    assert all_findings(browser) == []
    person.begin()
    shown = page.text(".markable")
    words = shown.split()
    assert page.script("return document.activeElement.className") == "markable"
    # by keys: the second word is minor, the first two are major, which overlap
    person.press(ARROW_RIGHT, ARROW_RIGHT, "1")
    person.press(ARROW_LEFT)
    ActionChains(browser).key_down(SHIFT).send_keys(ARROW_RIGHT).key_up(SHIFT).perform()
    person.press("2")
    listed = marks(page)
    assert len(listed) == 2
    assert listed[0].startswith(f"major “{words[0]} {words[1]}”")
    assert listed[1].startswith(f"minor “{words[1]}”")
    assert page.all(".markable .twice")
    assert all_findings(browser) == []
    assert widest(browser) <= width
    person.press("u")
    assert [each.split()[0] for each in marks(page)] == ["minor"]
    page.until(person.reload)
    person.begin()
    assert [each.split()[0] for each in marks(page)] == ["minor"]
    # by mouse: a drag over a part of the first word
    pieces = page.all(".markable [data-start]")
    drag = ActionChains(browser).move_to_element_with_offset(pieces[0], -pieces[0].size["width"] // 2 + 1, 0)
    drag.click_and_hold().move_by_offset(pieces[0].size["width"] - 2, 0).release().perform()
    page.one("button.major").click()
    assert len(marks(page)) == 2
    # by taps on the first and the last word
    for word in (words[0], words[-1]):
        piece = next(each for each in page.all(".markable [data-start]") if each.text.strip() == word)
        page.script("arguments[0].click()", piece)
    page.one("button.minor").click()
    assert len(marks(page)) == 3
    assert any(each.startswith(f"minor “{shown}”") for each in marks(page))
    page.script("const s = document.querySelector('select'); s.value = 'Style'; s.dispatchEvent(new Event('change'))")
    page.one(".done").click()
    assert page.script("return document.activeElement.type") == "range"
    person.press("7", ENTER)
    person.press(ENTER)
    while not person.at_the_end:
        person.press(ENTER, "3", ENTER, ENTER)  # no errors, a score, the next text
    (tmp_path / "study" / "ratings" / "rater_1.csv").write_text(page.one("#copyable").get_attribute("value"))
    assert page.complaints() == []
    first, *others = marked_outputs(read_study(tmp_path / "study"))
    by_text = {each.text: each.spans for each in (first, *others)}
    spans = next(each for each in by_text.values() if each)
    assert sum(bool(each) for each in by_text.values()) == 1
    assert [span.severity for span in spans].count("major") == 1
    assert [span.category for span in spans].count("Style") == 1
    assert max(span.end for span in spans) == len(next(text for text, each in by_text.items() if each))
    rows = read_study(tmp_path / "study").table
    assert set(rows["rating"][rows["criterion"] == "score"]) == {30.0, 70.0}
