"""The web pages in a real browser, served as a Space runs them."""

import pytest
from page_standards import NASTY, check_standards, focus_rings
from text_files import write, write_table
from web_pages import Page, serve

from bleu_neighbors_metric.example import example_candidates, example_pool
from referenceless_metrics.pages.app.explainer import explainer

POOL = example_pool()
NASTY_INPUTS = {
    "texts": f"{NASTY}\nthe cat sat on the mat .",
    "references": f"{NASTY}\nthe cat sat .",
    "sources": f"name[{NASTY}]",
    "pool": "\n".join(f"{NASTY} {i}\t0.{i}" for i in range(1, 9)),
}


def visit(browser, served):
    yield Page(browser, served.address)
    browser.get("about:blank")  # a page whose server is gone complains
    browser.get_log("browser")


@pytest.fixture(scope="module", params=["bleu_neighbors", "slor", "rouge_lm", "fluency", "quality_estimation"])
def served(request, tmp_path_factory):
    with serve(request.param, tmp_path_factory.mktemp("served")) as found:
        yield request.param, found


@pytest.fixture(scope="module")
def page(served, browser):
    yield from visit(browser, served[1])


def expected(name):
    """Score a page's example as its settings begin."""
    part = explainer(name)
    given = {one.name: one.read("\n".join(part.example()[one.name]), None) for one in part.inputs()}
    return part.score(given, {control.name: control.options["value"] for control in part.settings})


def score_example(page, width=1280, scheme="light"):
    page.open(width, scheme)
    page.click("#example")
    page.until(lambda: page.all("#coverage"))
    page.until(lambda: page.all("#explanation li"))


def test_the_example_is_scored_with_one_click(page, served):
    scored = expected(served[0])
    part = explainer(served[0])
    score_example(page)
    assert page.browser.title == part.spec.title
    if served[0] != "rouge_lm":  # whose mean is 0 by construction
        mean = float(page.text("#mean-score").split()[0].replace("−", "-"))
        assert mean == pytest.approx(scored.result.mean, abs=0.006)
    shown = [cell.get_attribute("innerText").replace("−", "-") for cell in page.all("#table td strong")]
    values = [float(value) if value != "–" else None for value in shown]
    assert values == [round(v, part.digits(scored)) if v == v else None for v in scored.result.values.tolist()]
    assert {given.name for given in part.inputs() if page.all(f"#{given.name} textarea")} == {
        given.name for given in part.inputs()
    }
    assert page.foreign_addresses() == []
    assert page.complaints() == []
    assert served[1].hosts == []


def test_another_text_is_chosen_by_keyboard_alone(page, served):
    from selenium.webdriver.common.keys import Keys

    score_example(page)
    third = list(explainer(served[0]).example()["texts"])[2]
    box = page.one("#chosen input")
    page.script("arguments[0].scrollIntoView({block: 'center'}); arguments[0].focus()", box)

    def narrowed():  # the page puts the old value back where its answer comes late: then a person types again
        if box.get_attribute("value") != third[:30]:
            box.send_keys(Keys.CONTROL, "a")
            box.send_keys(third[:30])
        return len(page.all("[role=option]")) == 1

    page.until(narrowed)
    box.send_keys(Keys.ENTER)
    page.until(lambda: page.text("#explanation h3").split()[1] == "3")
    assert page.one("#chosen input").get_attribute("value").startswith("3 · ")


def test_no_text_becomes_part_of_the_page(page, served):
    page.open()
    for given in explainer(served[0]).inputs():
        page.write(f"#{given.name}", NASTY_INPUTS[given.name])
    page.click("#score")
    page.until(lambda: page.all("#explanation li"))
    assert page.script("return window.hacked") is None
    assert NASTY in page.text("#table")
    assert page.complaints() == []


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
def test_the_answer_stands_on_the_first_screen(page, width, scheme):
    score_example(page, width, scheme)
    check_standards(page, width, "#results h2", "#coverage")


# --- behaviour of all pages, on one of them
# ----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def pool_served(tmp_path_factory):
    with serve("bleu_neighbors", tmp_path_factory.mktemp("served")) as found:
        yield found


@pytest.fixture(scope="module")
def pool_page(pool_served, browser):
    yield from visit(browser, pool_served)


def test_everything_is_reached_with_the_tab_key_and_ringed(pool_page):
    score_example(pool_page)
    rings = focus_rings(pool_page.browser, 60)
    # the heading is given the focus when the answer comes; no key stops there
    assert {html: width for html, width in rings.items() if width < 3 and 'tabindex="-1"' not in html} == {}
    reached = " ".join(rings)
    for part in (
        'id="example"',
        'id="score"',
        "data:text/csv",
        "pool-paste-button",
        "pool-upload-button",
        "<textarea",
    ):
        assert part in reached, part


def test_a_broken_upload_gives_a_message_and_the_page_goes_on(pool_page, tmp_path):
    page = pool_page
    score_example(page)
    write(tmp_path / "ratings.csv", "text,rating\nfine,0.5\nnot fine,very\n")
    page.upload("#pool-file", tmp_path / "ratings.csv")
    told = "That did not work. ratings.csv:3: expected a finite number in column 'rating', but got str 'very'"
    page.until(lambda: page.text("#notice").startswith(told))
    page.until(lambda: page.in_view("#notice .message"))
    page.click("#score")
    page.until(lambda: page.script("return !document.querySelector('#mean-score')?.offsetParent"))  # hidden or gone
    assert len(page.all(".message.error")) == 1
    for secret in ("Traceback", str(tmp_path), "/uploads/"):
        assert secret not in page.text("body")
    page.click("#example")  # takes the file away
    page.until(lambda: page.all("#mean-score") and page.one("#mean-score").is_displayed())
    assert not page.all("#notice .message")


def test_a_file_of_200_mb_is_refused_and_the_page_goes_on(pool_page, tmp_path):
    with (tmp_path / "large.csv").open("wb") as file:
        file.truncate(200 * 2**20)
    pool_page.open()
    pool_page.upload("#pool-file", tmp_path / "large.csv")
    pool_page.until(lambda: "20 MB" in pool_page.text("#notice"))
    pool_page.until(lambda: pool_page.in_view("#notice .message"))
    score_example(pool_page)


def test_upload_tables_with_columns_of_other_names(pool_page, tmp_path):
    page = pool_page
    rows = zip(range(96), POOL.texts, POOL.ratings, strict=True)
    write_table(tmp_path / "pool.tsv", ["id", "sentence", "fluency"], rows, delimiter="\t")
    write(tmp_path / "outputs.txt", example_candidates())
    page.open()
    page.upload("#texts-file", tmp_path / "outputs.txt")
    page.upload("#pool-file", tmp_path / "pool.tsv")
    page.until(lambda: "12 candidates in the file" in page.text("#texts-note"))
    page.until(lambda: "96 rated texts, rated 0 to 1 in the file" in page.text("#pool-note"))
    assert page.one("#pool-column-1 input").get_attribute("value") == "fluency"
    page.choose("#pool-column-1", "sentence")
    page.click("#score")
    page.until(lambda: "expected a finite number in column 'sentence'" in page.text("#notice"))
    page.choose("#pool-column-1", "fluency")
    page.click("#score")
    page.until(lambda: page.text("#mean-score") == "0.6308")


def test_many_texts_are_scored_and_the_page_says_so(pool_page, tmp_path):
    page = pool_page
    write(tmp_path / "outputs.txt", "".join(f"{POOL.texts[i % 96]} {i}\n" for i in range(5000)))
    page.open()
    page.write("#pool", "\n".join(f"{text}\t{rating}" for text, rating in zip(POOL.texts, POOL.ratings, strict=True)))
    page.upload("#texts-file", tmp_path / "outputs.txt")
    page.until(lambda: "5,000 candidates in the file" in page.text("#texts-note"))
    page.script(
        "window.told = []; new MutationObserver(() => window.told.push(document.querySelector('#notice').innerText))"
        ".observe(document.querySelector('#notice'), {subtree: true, childList: true, characterData: true})"
    )
    page.click("#score")
    page.until(lambda: page.all("#coverage"))
    assert "of 5000" in page.text("#coverage")
    assert any("5,000 texts" in told for told in page.script("return window.told"))
    assert "1 to 50 of 5,000 candidates" in page.text("#table")
    page.click("#table [data-page='1']")
    page.until(lambda: "51 to 100 of 5,000 candidates" in page.text("#table"))
    page.click("#table th:nth-child(3) button")
    page.until(lambda: page.one("#order input").get_attribute("value") == "highest first")
    row = page.one("#table tr:nth-child(5)")
    line, text = row.get_attribute("data-place"), row.find_element("css selector", "q").text
    page.click("#table tr:nth-child(5) td.wide")
    page.until(lambda: page.one("#chosen input").get_attribute("value").startswith(f"{int(line) + 1} · "))
    page.until(lambda: text in page.text("#explanation"))


def test_the_command_serves_all_metrics_between_which_a_visitor_chooses(browser, tmp_path):
    with serve(None, tmp_path) as served:
        page = Page(browser, served.address)
        score_example(page)
        page.script("[...document.querySelectorAll('a')].find(e => e.innerText.trim() === 'WPSLOR').click()")
        page.until(lambda: page.all("h1") and page.text("h1") == "WPSLOR")
        page.click("#example")
        page.until(lambda: page.all("#mean-score"))
        assert page.text("#mean-score").startswith(f"{expected('wpslor').result.mean:.2f}")
        check_standards(page, 1280, "#results h2")
        browser.get("about:blank")
