"""Systems compared, reported on and rated: one number and one sentence in the terminal, JSON, pages and Python."""

import html
import json

import pandas as pd
import pytest
from command_lines import as_json, done
from refusals import refusals
from text_files import read
from toy_metrics import Lengths

import referenceless_metrics as rm
from referenceless_metrics.core.files.reading import InputNote
from referenceless_metrics.core.support.validation import InputError
from referenceless_metrics.demo import write_example_files

SYSTEMS = "baseline.txt ours.txt"


@pytest.fixture(autouse=True)
def files(folder):
    write_example_files(folder)


def texts():
    return {name: read(f"{name}.txt").splitlines() for name in ("baseline", "ours")}


def page_data(page):
    return json.loads(page.partition('id="page-data">')[2].partition("</script>")[0])


def test_people_have_one_mean_interval_and_sentence():
    told = as_json(f"human-score {SYSTEMS} --ratings ratings.csv")
    table = done(f"human-score {SYSTEMS} --ratings ratings.csv").stdout
    done(f"human-score {SYSTEMS} --ratings ratings.csv -o people.html")
    done(f"report {SYSTEMS} --ratings ratings.csv --metric wpslor -o report.html")
    people, page = (html.unescape(read(f"{name}.html")) for name in ("people", "report"))
    of_python = rm.report(texts(), rm.WPSLOR(), ratings="ratings.csv", path="python.html")
    assert read("python.html") == of_python
    for data in (page_data(read("report.html")), page_data(of_python)):
        assert data["people"] == told["rows"]
        assert data["headlines"][0] == told["headline"] == table.splitlines()[0]
    assert told["headline"] in people
    assert told["headline"] in page
    for row in told["rows"][:2]:
        assert f'{row["mean"]:.2f}</span> <span class="nowrap">[{row["low"]:.2f}, {row["high"]:.2f}]' in page
    for row in told["rows"]:
        figures = [f"{row[name]:.4f}" for name in ("mean", "low", "high")]
        assert all(figure in table and figure in people.replace("−", "-") for figure in figures)


def test_ratings_may_be_a_file_files_or_a_frame():
    rows = as_json("human-score --ratings ratings.csv --scale 1:6 --all-pairs")["rows"]
    frame = pd.read_csv("ratings.csv")
    renamed = frame.rename(columns={"rating": "score"})
    for ratings, columns in (("ratings.csv", {}), (["ratings.csv"], {}), (frame, {}), (renamed, {"rating": "score"})):
        result = rm.human_score(ratings, scale=(1, 6), comparisons="all", **columns)
        assert [row["mean"] for row in rows] == [one.mean.value for one in (*result.scores, *result.differences)]


def test_a_metric_has_one_mean_p_and_sentence():
    told = as_json(f"compare {SYSTEMS} --metric wpslor")
    table, markdown = (done(f"compare {SYSTEMS} --metric wpslor{more}").stdout for more in ("", " --format markdown"))
    markdown = markdown.replace("−", "-")
    done(f"report {SYSTEMS} --metric wpslor -o page.html")
    page = html.unescape(read("page.html")).replace("−", "-")
    result = rm.compare(texts(), rm.WPSLOR(), n_samples=100)
    assert told["headline"] in page
    assert table.startswith(told["headline"])
    assert "This says nothing about people." in told["headline"]
    shown = page_data(read("page.html"))["rows"]
    for row, on_page, of_python in zip(told["rows"], shown, result.rows, strict=True):
        score, p = row["score"], row["p_value"]
        assert score == on_page["score"] == of_python.results["WPSLOR"].score
        assert score == pytest.approx(rm.WPSLOR().predict(texts()[row["system"]]).mean)
        assert p == on_page["p_value"] == of_python.results["WPSLOR"].p_value
        for surface, digits in ((table, 4), (markdown, 4), (page, 3)):
            assert f"{score:.{digits}f}" in surface
            assert p is None or f"{p:.4f}" in surface


def test_a_metric_without_an_entry_is_compared():
    base, ours = rm.compare({"base": ["a", "bb"], "ours": ["ab", "bbb"]}, Lengths()).rows
    assert ours.results["lengths"].score > base.results["lengths"].score


test_bad_input = refusals(
    lambda call: call(),
    [
        (lambda: rm.compare([["a"]], rm.WPSLOR()), "`systems` to be a mapping", TypeError),
        (lambda: rm.compare({"ours": ["a"]}, rm.WPSLOR()), "at least two systems", InputError),
        (lambda: rm.report(texts(), rm.WPSLOR(), groups=["a"]), "`groups` to have one for each input", InputError),
        (lambda: rm.human_score(3), "`ratings` to be files or a data frame", TypeError),
        (lambda: rm.human_score("ratings.csv", colour="blue"), "columns out of .* but got colour", TypeError),
        (lambda: rm.human_score(pd.DataFrame({"item": [1]})), "no column 'rating'", InputError),
    ],
)


def test_human_score_on_slices():
    rows = [
        {"item": n, "system": system, "lang": lang, "rating": 1 + (n + (system == lang)) % 5}
        for lang in ("de", "en")
        for n in range(12)
        for system in ("base", "en")
    ]
    rows += [{"item": n, "system": s, "lang": "fr", "rating": 3} for n in range(3) for s in ("base", "en")]
    with pytest.warns(InputNote, match="slice 'fr' is left out"):
        result = rm.human_score(pd.DataFrame(rows), scale=(1, 5), slice="lang")
    assert result.scores[0].n_rated == 27
    assert list(result.slices) == ["de", "en"]
    of_en = [row["rating"] for row in rows if row["lang"] == row["system"] == "en"]
    assert result.slices["en"].scores[1].mean.value == pytest.approx(sum(of_en) / 12)
