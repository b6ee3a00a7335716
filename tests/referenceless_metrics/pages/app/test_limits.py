"""Limits for one visitor of a page: messages, no traceback, and others that go on."""

import asyncio
import json
from types import SimpleNamespace

import pytest
from refusals import refused

from referenceless_metrics.core.support.validation import InputError
from referenceless_metrics.pages.app.inputs import MOST_COLUMNS, pool_input, texts_input
from referenceless_metrics.pages.app.limits import (
    LONGEST_TEXT,
    MOST_BYTES,
    MOST_CHARACTERS,
    MOST_LINES,
    page_class,
    with_body_limit,
    with_security_headers,
)
from referenceless_metrics.pages.app.page import KEPT, build_app, launch

pytestmark = pytest.mark.long  # gradio takes seconds to import


@pytest.mark.parametrize("given", [texts_input(), pool_input()], ids=["texts", "pool"])
def test_pastes_have_a_size_and_hold_whole_characters(given):
    for pasted, message in (
        ("a" * (MOST_CHARACTERS + 1), r"at most 2,000,000 characters of .*texts, but there are 2,000,001"),
        (
            f"one,1\n{'a' * (LONGEST_TEXT - 1)},2",
            r"at most 20,000 characters, but the .*texts hold one of 20,001, the 2.",
        ),
        ("a" + "\n" * 1_000_001, "at most 100,000 lines of .*texts, but there are 1,000,001"),
        ("one,1\nha\ud83dlf,2", r"The .*texts, line 2: .* half a character \(the lone surrogate U\+D83D\)"),
    ):
        with refused(message, InputError):
            given.read(pasted, None)
    assert len(given.read("\n".join(["a" * 9_000 + ",1"] * 9), None)) == 9


def test_files_are_measured_before_anything_is_read(tmp_path):
    blank, rows, half, wide, long = (
        tmp_path / name for name in ("blank.txt", "rows.json", "a.jsonl", "wide.csv", "long.csv")
    )
    blank.write_bytes(b"\n" * 19 * 2**20)
    rows.write_text(json.dumps([{"text": "a"}] * (MOST_LINES + 1)))
    half.write_text('{"ha\\ud83dlf": 1, "text": "a"}\n')
    wide.write_text("\n".join([",".join(map(str, range(5000)))] * 2))
    long.write_text("text\n" + "x" * 100_000)
    for path, message in (
        (blank, "at most 100,000 .* in blank.txt, but there are 19,922,944"),
        (rows, "at most 100,000 .* in rows.json, but there are 100,001"),
        (half, r"a\.jsonl: expected valid Unicode in the names of columns"),
        (wide, f"at most {MOST_COLUMNS} columns, but there are 5,000"),
        (long, "at most 20,000 characters, but the long.csv hold one of 100,000"),
    ):
        with refused(message, InputError):
            texts_input().read(None, str(path))


def visitor(limit):
    """Return a client of a page behind a limit."""
    testclient = pytest.importorskip("starlette.testclient")
    from starlette.responses import PlainTextResponse

    return testclient.TestClient(limit(PlainTextResponse("page")))


@pytest.mark.parametrize("on_space", [False, True])
def test_browsers_are_told_what_a_page_may_load_and_who_may_frame_it(monkeypatch, on_space):
    if on_space:
        monkeypatch.setenv("SPACE_ID", "someone/page")
    headers = visitor(with_security_headers).get("/").headers
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


@pytest.fixture(scope="module")
def served():
    """Return the application behind a page that is served as all are."""
    gradio = pytest.importorskip("gradio")
    page = page_class()(analytics_enabled=False)
    with page:
        gradio.File()
    app, _, _ = launch(page, prevent_thread_lock=True, quiet=True)
    yield app
    page.close(verbose=False)


def test_a_file_has_a_size(served):
    client = pytest.importorskip("starlette.testclient").TestClient(served)
    for n_bytes, status in ((20 * 2**20, 200), (20 * 2**20 + 1, 413)):
        sent = client.post("/gradio_api/upload", files={"files": ("a.csv", b"a" * n_bytes)})
        assert sent.status_code == status, sent.text


def test_the_oldest_of_more_than_a_hundred_visitors_is_forgotten(served):
    sessions = served.state_holder
    for n in range(102):
        assert sessions[f"visitor {n}"]
    assert list(sessions.session_data) == [f"visitor {n}" for n in range(2, 102)]


def test_a_request_beyond_all_bounds_gets_a_message():
    client = visitor(with_body_limit)
    assert client.post("/", content=b"a").text == "page"
    refused_one = client.post("/", content=b"a" * (MOST_BYTES + 1))
    assert (refused_one.status_code, "at most 48 MB at once" in refused_one.text) == (413, True)


def test_values_that_no_page_sends_get_a_message_without_a_traceback(caplog):
    gradio = pytest.importorskip("gradio")
    from gradio.state_holder import SessionState

    page = build_app("wpslor")
    score = next(each for each in page.fns.values() if each.outputs and len(each.outputs) == 9)
    with pytest.raises(gradio.Error) as told:
        asyncio.run(page.process_api(score, [{"no": ["such"]}] * len(score.inputs), state=SessionState(page)))
    assert told.value.print_exception is False
    assert "Traceback" not in caplog.text
