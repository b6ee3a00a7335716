"""How long a visitor waits for 5,000 texts in a file: from choosing it, in a real browser, until the answer shows.

pytest tests/benchmarks/test_upload_speed.py --benchmark-only -s
"""

from itertools import cycle, islice

import pytest
from web_pages import Page, open_browser, serve

from bleu_neighbors_metric.example import example_pool
from quality_estimation_metric.example import DEMO_SOURCES, DEMO_TEXTS
from slor_metric.example import example_texts

N_TEXTS = 5_000
BAR = 10.0
_TOLD = """
window.told = [];
new MutationObserver(() => window.told.push(document.querySelector('#notice').innerText))
  .observe(document.querySelector('#notice'), {subtree: true, childList: true, characterData: true});
"""


def rated_lines(n_rated):
    pool = example_pool()
    rated = zip(cycle(pool.texts), cycle(pool.ratings), range(n_rated), strict=False)
    return "\n".join(f"{text} {number}\t{rating}" for text, rating, number in rated)


#: For each page: the name of its box for texts, what they are made from, and what else is pasted.
PAGES = {
    "bleu_neighbors": ("texts", example_pool().texts, {"pool": rated_lines(300)}),
    "bleu_neighbors, 5,000 rated": ("texts", example_pool().texts, {"pool": rated_lines(5_000)}),
    "slor": ("texts", example_texts().texts, {}),
    "wpslor": ("texts", example_texts().texts, {}),
    "fluency": ("texts", example_texts().texts, {}),
    "quality_estimation": ("texts", DEMO_TEXTS, {"sources": DEMO_SOURCES[0]}),
}


@pytest.mark.parametrize("name", PAGES)
def test_a_file_of_5000_texts(benchmark, capsys, tmp_path, name):
    box, texts, pasted = PAGES[name]
    path = tmp_path / "outputs.txt"
    lines = (f"{text} {number}\n" for number, text in enumerate(islice(cycle(texts), N_TEXTS)))
    path.write_text("".join(lines), encoding="utf-8")
    with serve(name.split(",")[0], tmp_path) as served, open_browser(tmp_path / "profile") as browser:
        page = Page(browser, served.address)
        page.open()
        page.click("#example")  # compiles what is not yet, and loads the models
        page.until(lambda: page.all("#results h2"))
        page.open()
        for other, content in pasted.items():
            page.write(f"#{other}", content)
        page.script(_TOLD)

        def answered():
            page.upload(f"#{box}-file", path)
            page.until(lambda: "5,000" in page.text(f"#{box}-note"))
            page.click("#score")
            page.until(lambda: page.all("#results h2"))

        benchmark.pedantic(answered, rounds=1)
        told = page.script("return window.told")
        seconds = benchmark.stats.stats.max
        with capsys.disabled():
            print(f"\n    {name}: {seconds:.1f} s from the file to the answer (bar: {BAR:g} s)")
        assert any(f"of {N_TEXTS:,} texts" in text for text in told)  # it said how far it was
        assert page.complaints() == []
    assert seconds < BAR
