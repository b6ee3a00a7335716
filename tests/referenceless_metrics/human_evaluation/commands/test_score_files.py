"""`compare --scores`, as it is typed."""

import json

import pytest
from command_lines import done, left
from text_files import write


@pytest.fixture
def scores(tmp_path):
    rows = [
        {"item": item, "system": system, "score": item % 3 + shift * (1 + item % 2), "doc": item // 2}
        for system, shift in (("base", 0), ("ours", 0.5))
        for item in range(20)
    ]
    write(tmp_path / "scores.jsonl", map(json.dumps, rows))
    return str(tmp_path / "scores.jsonl")


def test_findings_are_told_in_every_format(scores, tmp_path):
    told = done("compare --cluster-column doc --margin 1 --scores", scores).stdout
    assert "score: ours scores higher than base at 95 %: difference +0.75" in told.replace("\n", " ")
    found = json.loads(done("compare --baseline ours -f json --scores", scores).stdout)
    assert (found["baseline"], found["rows"][0]["difference"]) == ("ours", -0.75)
    assert found["findings"][0].startswith("score: base scores lower than ours")
    for suffix in ("csv", "parquet"):
        done("compare --scores", scores, "-o", tmp_path / f"findings.{suffix}")
        assert (tmp_path / f"findings.{suffix}").stat().st_size > 100


def test_a_page_and_a_picture_show_means_and_differences(scores, tmp_path):
    done("compare --slice-column doc --scores", scores, "-o", tmp_path / "page.html", "--plot", tmp_path / "p.svg")
    page, picture = ((tmp_path / name).read_text() for name in ("page.html", "p.svg"))
    assert "score: ours scores higher than base" in page
    assert "ours less base, 3" in page
    for shown in (page, picture):
        assert "base (20 items) 0.950" in shown
        assert "ours less base 0.750" in shown


@pytest.mark.parametrize(
    "arguments, message",
    [
        ([], "give the outputs of systems, or --scores FILE"),
        (["a.txt", "--scores", "FILE"], "and not both"),
        (["--scores", "FILE", "-f", "latex"], "and not as latex"),
    ],
)
def test_bad_command_lines_are_refused(scores, arguments, message):
    status, _, told = left(["compare", *(scores if argument == "FILE" else argument for argument in arguments)])
    assert status
    assert message in " ".join(told.split())
