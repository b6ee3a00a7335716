"""What one visitor may ask of a page: limits with a message, no traceback, and others that go on."""

from __future__ import annotations

import threading
import urllib.error
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from page_visitors import Visitor
from refusals import refused
from web_pages import serve

from bleu_neighbors_metric.example import example_candidates, example_pool
from metric_commons.app.inputs import pool_input, texts_input
from metric_commons.app.limits import (
    LARGE,
    LONGEST_TEXT,
    MOST_BYTES,
    MOST_CHARACTERS,
    MOST_LINES,
    size_of,
    with_security_headers,
)
from metric_commons.app.page import KEPT, build_app
from metric_commons.support.validation import InputError

LONE = "\ud83d"


@pytest.mark.parametrize("given", [texts_input(), pool_input()], ids=["texts", "pool"])
def test_pastes_have_a_size(given):
    with refused(r"at most 2,000,000 characters of .*texts, but there are 2,000,001", InputError):
        given.read("a" * (MOST_CHARACTERS + 1), None)
    with refused(r"at most 20,000 characters, but the .*texts hold one of 20,001, the 2. from", InputError):
        given.read(f"one,1\n{'a' * (LONGEST_TEXT - 1)},2", None)
    assert len(given.read("\n".join(["a" * 9_000 + ",1"] * 9), None)) == 9


def test_lines_are_counted_before_anything_is_read(tmp_path):
    blank, rows = tmp_path / "blank.txt", tmp_path / "rows.parquet"
    blank.write_bytes(b"\n" * 19 * 2**20)
    pq.write_table(pa.table({"text": ["a"] * (MOST_LINES + 1)}), rows)
    for path, named in ((blank, "19,922,944"), (rows, "100,001")):
        with refused(rf"at most 100,000 .* in {path.name}, but there are {named}", InputError):
            texts_input().read(None, str(path))
    with refused("at most 100,000 lines of texts, but there are 1,000,001", InputError):
        texts_input().read("a" + "\n" * 1_000_001, None)


@pytest.mark.parametrize("on_space", [False, True])
def test_browsers_are_told_what_a_page_may_load_and_who_may_frame_it(monkeypatch, on_space):
    testclient = pytest.importorskip("starlette.testclient")
    from starlette.responses import PlainTextResponse

    if on_space:
        monkeypatch.setenv("SPACE_ID", "someone/page")
    headers = testclient.TestClient(with_security_headers(PlainTextResponse("page"))).get("/").headers
    assert headers["x-content-type-options"] == "nosniff"
    assert ("x-frame-options" in headers, "frame-ancestors 'none'" in headers["content-security-policy"]) == (
        (not on_space,) * 2
    )


def test_what_a_visitor_scored_is_forgotten_as_the_page_is_left():
    pytest.importorskip("gradio")
    page = build_app("wpslor")
    assert [block.time_to_live for block in page.blocks.values() if type(block).__name__ == "State"] == [KEPT]
    (leave,) = (each.fn for each in page.fns.values() if [target[1] for target in each.targets] == ["unload"])
    page.state_holder.session_data |= {"here": 1, "there": 2}
    for name in ("here", "never seen"):
        leave(SimpleNamespace(session_hash=name))
    assert dict(page.state_holder.session_data) == {"there": 2}


@pytest.mark.parametrize("given", [texts_input(), pool_input()], ids=["texts", "pool"])
def test_half_a_character_is_named_with_its_line(given):
    with refused(r"The .*texts, line 2: .* half a character \(the lone surrogate U\+D83D\)", InputError):
        given.read(f"whole,1\nha{LONE}lf,2", None)


def test_names_of_columns_are_whole(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"text": "a", "\\ud83d": 1}\n')
    with refused(r"a\.jsonl: expected valid Unicode in the names of columns", InputError):
        texts_input().table(str(path))


def test_a_small_file_of_very_large_texts_is_not_unpacked(tmp_path):
    path = tmp_path / "bomb.parquet"
    words = pa.DictionaryArray.from_arrays(pa.array(np.zeros(50_000, np.int32)), pa.array(["x" * 100_000]))
    pq.write_table(pa.table({"text": words}), path, compression="zstd")
    assert path.stat().st_size < 100_000  # for 5 GB
    with refused(r"bomb\.parquet: it holds [\d,]+ MB of values, and this page reads at most 200", InputError):
        texts_input().read(None, str(path))


def test_sizes_of_requests():
    here = {"path": __file__, "meta": {}}
    assert size_of(["abc", None, 5, ["de"], {"path": "/nowhere"}, here]) == 5 + Path(__file__).stat().st_size


# --- a page that is served --------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    with serve("bleu_neighbors", tmp_path_factory.mktemp("limits")) as found:
        yield found


def pool_lines(times=1):
    pool = example_pool()
    lines = [
        f"{text} {n}\t{rating}" for n in range(times) for text, rating in zip(pool.texts, pool.ratings, strict=True)
    ]
    return "\n".join(lines)


def visitor(served):
    found = Visitor(served.address)
    found.fill("texts", "\n".join(example_candidates()))
    found.fill("pool", pool_lines())
    return found


def notice(one, answer):
    assert answer["success"], answer
    return str(one.shown(answer, "notice", "score"))


def calm(served):
    """Check that the server wrote no traceback, and still answers."""
    assert "Traceback" not in served.log.read_text()
    one = visitor(served)
    answer = one.act("score")
    assert notice(one, answer) == ""
    assert "mean-score" in str(one.shown(answer, "results", "score"))


@pytest.mark.parametrize("box", ["texts", "pool"])
def test_a_paste_that_no_page_takes_gets_a_message(served, box):
    pasted = {
        f"a text,1\nha{LONE}lf,2\n": "half a character",
        "some text,1\n" * 200_000: "at most 2,000,000 characters",
    }
    for text, expected in pasted.items():
        one = visitor(served)
        one.fill(box, text)
        assert expected in notice(one, one.act("score"))
    calm(served)


def test_a_request_beyond_all_bounds_gets_a_message_too(served):
    one = visitor(served)
    one.fill("texts", "a" * (MOST_BYTES + 1))
    with pytest.raises((urllib.error.HTTPError, urllib.error.URLError)) as told:  # the server hangs up meanwhile
        one.act("score")
    if isinstance(told.value, urllib.error.HTTPError):
        assert told.value.code == 413
        assert "at most 48 MB at once" in told.value.read().decode()
    calm(served)


def test_values_that_no_page_sends_get_a_message(served):
    one = visitor(served)
    for number, component in one.components.items():
        if component["type"] in ("slider", "dropdown", "number", "radio"):
            one.values[number] = {"no": ["such", "value"]}
    answer = one.act("score")
    assert not answer["success"]
    assert answer["output"]["error"]
    calm(served)


def test_large_requests_wait_for_one_another_and_nobody_for_them(served):
    large = [visitor(served) for _ in range(6)]
    for one in large:
        one.fill("texts", "\n".join(example_candidates() * (LARGE // 500 + 1)))
    answers: list[dict[str, Any]] = []
    threads = [threading.Thread(target=lambda one=one: answers.append(one.act("score"))) for one in large]
    for thread in threads:
        thread.start()
    calm(served)  # not after all of them
    for thread in threads:
        thread.join()
    assert len(answers) == 6
    told = [answer["output"]["error"] for answer in answers if not answer["success"]]
    assert all("busy with other large requests" in one for one in told)
    assert len(told) < 6
    calm(served)
