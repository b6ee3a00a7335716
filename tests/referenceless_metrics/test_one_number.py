"""One number on every surface: the terminal, JSON, pages, Markdown and Python; each opens with one sentence."""

import html
import json

import pytest
from command_lines import as_json, done
from text_files import read

from referenceless_metrics import Fluency, compare
from referenceless_metrics.demo import write_example_files

SYSTEMS = "baseline.txt ours.txt"


def page_data(path):
    return json.loads(read(path).partition('id="page-data">')[2].partition("</script>")[0])


def test_people_have_one_mean_interval_and_sentence(folder):
    write_example_files(folder)
    told = as_json(f"human-score {SYSTEMS} --ratings ratings.csv")
    table = done(f"human-score {SYSTEMS} --ratings ratings.csv").stdout
    done(f"human-score {SYSTEMS} --ratings ratings.csv -o people.html")
    done(f"report {SYSTEMS} --ratings ratings.csv --metric fluency -o report.html")
    data, people, page = (
        page_data("report.html"),
        *(html.unescape(read(f"{name}.html")) for name in ("people", "report")),
    )
    assert data["people"] == told["rows"]
    assert data["headlines"][0] == told["headline"] == table.splitlines()[0]
    assert told["headline"] in people
    assert told["headline"] in page
    for row in told["rows"][:2]:
        assert f'{row["mean"]:.2f}</span> <span class="nowrap">[{row["low"]:.2f}, {row["high"]:.2f}]' in page
    for row in told["rows"]:
        figures = [f"{row[name]:.4f}" for name in ("mean", "low", "high")]
        assert all(figure in table and figure in people.replace("−", "-") for figure in figures)


def test_a_metric_has_one_mean_p_and_sentence(folder):
    write_example_files(folder)
    told = as_json(f"compare {SYSTEMS}")
    table, markdown = (done(f"compare {SYSTEMS}{more}").stdout for more in ("", " --format markdown"))
    done(f"report {SYSTEMS} -o page.html")
    page = html.unescape(read("page.html")).replace("−", "-")
    texts = {name: read(f"{name}.txt").splitlines() for name in ("baseline", "ours")}
    result = compare(texts, Fluency())
    assert told["headline"] in page
    assert table.startswith(told["headline"])
    assert "This says nothing about people." in told["headline"]
    shown = page_data("page.html")["rows"]
    for row, on_page, of_python in zip(told["rows"], shown, result.rows, strict=True):
        score, p = row["score"], row["p_value"]
        assert score == on_page["score"] == of_python.results["Fluency"].score
        assert score == pytest.approx(Fluency().score(texts[row["system"]]).mean)
        assert p == on_page["p_value"] == of_python.results["Fluency"].p_value
        for surface, digits in ((table, 4), (markdown, 4), (page, 3)):
            assert f"{score:.{digits}f}" in surface
            assert p is None or f"{p:.4f}" in surface
