"""A metric over HTTP: its own values, refusals in 4xx, and many clients at once."""

import asyncio
import contextlib
import gzip
import http.client
import io
import json
import re
import shlex
import signal
import socket
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from refusals import refused
from small_metrics import CANDIDATES, ESTIMATES, FITTED, LengthModel
from text_files import ROOT, read
from toy_metrics import Lengths, Matches

pytest.importorskip("fastapi")
pytest.importorskip("httpx")

import httpx
from fastapi import FastAPI
from fastapi.testclient import TestClient

from bleu_neighbors_metric.example import example_pool
from bleu_neighbors_metric.pool_source import bleu_neighbors
from referenceless_metrics.command_line.streams import Unblocked
from referenceless_metrics.frameworks import service
from referenceless_metrics.frameworks.commands.serve import _server
from referenceless_metrics.frameworks.fair_queue import _CHARACTERS_AT_ONCE, _TEXTS_AT_ONCE, FairQueue, _Job
from referenceless_metrics.frameworks.service import build_service
from slor_metric.estimator import ROUGELM
from slor_metric.fluency.metric import FluencyNgram
from slor_metric.pieces import in_pieces


@pytest.fixture(scope="module")
def client():
    with TestClient(build_service(FITTED)) as client:
        yield client


JSON = {"Content-Type": "application/json"}


def scored(client, texts, **others):
    return client.post("/score", json={"texts": texts, **others})


def test_values_reasons_and_columns(client):
    found = scored(client, CANDIDATES).json()
    plain = ESTIMATES.as_plain()
    assert found["values"] == plain["values"]
    assert (found["reasons"], found["n_neighbors"]) == (plain["reasons"], plain["n_neighbors"])
    assert (found["mean"], found["coverage"]) == (pytest.approx(ESTIMATES.mean), ESTIMATES.coverage)
    assert found["signature"] == FITTED.signature
    assert scored(client, []).json()["mean"] is None


def test_health(client):
    assert client.get("/health").json() == {
        "status": "ok",
        "metric": "bleu_neighbors",
        "signature": FITTED.signature,
        "waiting": 0,
        "most_waiting": service.MOST_WAITING,
        **FITTED.verdict_.details,
    }


@pytest.mark.parametrize(
    "body, status, told",
    [
        (b"no JSON", 422, "Invalid JSON"),
        (b"{}", 422, "texts: Field required"),
        (b'{"texts": "a bare string"}', 422, "texts: Input should be a valid array"),
        (b'{"texts": [1]}', 422, "texts.0: Input should be a valid string"),
        (b'{"texts": ["a", "b \\ud83d"]}', 422, "texts.1: expected valid Unicode, but got a lone surrogate in str 'b"),
        (b'{"texts": ["a"], "text": "b"}', 422, "text: Extra inputs are not permitted"),
        (b'{"texts": ["a"], "sources": []}', 422, "sources: bleu_neighbors reads no sources"),
        (b'{"texts": ["a"], "references": ["b"]}', 422, "references: bleu_neighbors reads no references"),
        (b'{"texts": ["' + b"a" * (service.MOST_CHARACTERS + 1) + b'"]}', 422, "texts.0: a text takes at most"),
        (b'{"texts": [' + b'"a",' * 10_000 + b'"a"]}', 422, "texts: List should have at most 10000 items"),
        (b" " * (service.MOST_BYTES + 1), 413, "bytes: send fewer texts at once"),
    ],
)
def test_what_is_refused(client, body, status, told):
    found = client.post("/score", content=body, headers=JSON)
    assert found.status_code == status
    assert told in found.json()["detail"]
    assert scored(client, CANDIDATES[:1]).status_code == 200


def test_a_null_is_an_empty_text(client):
    found, empty = (scored(client, [CANDIDATES[0], text]).json() for text in (None, ""))
    assert found == empty
    assert found["reasons"] == [None, "empty text"]
    body = json.dumps({"texts": [CANDIDATES[0], float("nan")]}).encode()  # a missing text of a table
    assert client.post("/score", content=body, headers=JSON).json() == empty


def test_requests_and_texts_are_counted_for_prometheus():
    with TestClient(build_service(FITTED, allowed_hosts=("testserver",))) as client:
        scored(client, [CANDIDATES[0], "", ""])
        client.post("/score", content=b"no JSON", headers=JSON)
        client.get("/nowhere")
        client.get("/health", headers={"Host": "evil.example"})
        found = client.get("/metrics")
    assert found.headers["content-type"].startswith("text/plain; version=0.0.4")
    figures = dict(line.rsplit(" ", 1) for line in found.text.splitlines() if not line.startswith("#"))
    counted = {name: int(n) for name, n in figures.items() if name.startswith("referenceless_requests_total")}
    assert counted == {
        'referenceless_requests_total{path="/score",status="200"}': 1,
        'referenceless_requests_total{path="/score",status="422"}': 1,
        'referenceless_requests_total{path="other",status="404"}': 1,
        'referenceless_requests_total{path="/health",status="400"}': 1,
    }
    assert (figures["referenceless_texts_total"], figures["referenceless_texts_without_score_total"]) == ("3", "2")
    assert (
        figures["referenceless_score_seconds_count"] == figures['referenceless_score_seconds_bucket{le="+Inf"}'] == "2"
    )
    assert 0 < float(figures["referenceless_score_seconds_sum"]) < 60
    assert figures["referenceless_waiting"] == "0"
    assert "referenceless_texts_bad_total" not in figures


@pytest.mark.parametrize(("bad", "n"), [("<100", 2), (">100", 0)])
def test_bad_texts_are_counted_for_prometheus_if_a_limit_says_what_is_bad(bad, n):
    with TestClient(build_service(FITTED, bad=bad)) as client:
        scored(client, [CANDIDATES[0], CANDIDATES[0], ""])
        found = client.get("/metrics").text
    assert f"\nreferenceless_texts_bad_total {n}\n" in found


def test_sources_reach_the_metric_and_are_asked_for():
    with TestClient(build_service(Matches(references=False, sources=True))) as client:
        assert scored(client, ["a", "b"], sources=["a", "a"]).json()["values"] == [1.0, 0.0]
        found = scored(client, ["a"])
        assert (found.status_code, found.json()["detail"]) == (422, "matches needs sources, one a text")


def test_many_clients_get_their_own_values(client):
    with ThreadPoolExecutor(8) as clients:
        found = list(clients.map(lambda text: scored(client, [text]).json()["values"], CANDIDATES * 8))
    assert found == [[value] for value in ESTIMATES.as_plain()["values"]] * 8


def test_a_metric_of_sets_is_refused():
    with refused("statistics.*to a command, each of them by `--statistic NAME=VALUE`"):
        build_service(ROUGELM(LengthModel()))


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", ""])
def test_another_type_than_json_is_refused(client, kind):
    found = client.post("/score", content=b'{"texts": ["a"]}', headers={"Content-Type": kind})
    assert (found.status_code, "application/json" in found.json()["detail"]) == (415, True)
    as_charset = {"Content-Type": "application/json; charset=utf-8"}
    assert client.post("/score", content=b'{"texts": []}', headers=as_charset).status_code == 200


def test_a_packed_body_is_refused(client):
    body = gzip.compress(b'{"texts": ["a"]}')
    found = client.post("/score", content=body, headers={**JSON, "Content-Encoding": "gzip"})
    assert (found.status_code, found.headers["accept-encoding"]) == (415, "identity")
    assert "not packed, but got Content-Encoding: gzip" in found.json()["detail"]


@pytest.mark.parametrize(
    "host, status",
    [
        ("localhost:8080", 200),
        ("LOCALHOST", 200),
        ("127.0.0.1:8080", 200),
        ("10.0.0.7", 200),
        ("[::1]:8080", 200),
        ("scores.example.org", 200),
        ("rebound.example.org", 400),
        ("127.0.0.1.example.org", 400),
        ("[", 400),
    ],
)
def test_names_that_were_not_allowed_are_refused(host, status):
    with TestClient(build_service(FITTED, allowed_hosts=["scores.example.org"])) as client:
        assert client.get("/health", headers={"Host": host}).status_code == status


def test_any_name_is_answered_where_none_is_told(client):
    assert client.get("/health", headers={"Host": "scores"}).status_code == 200


class Slow(Lengths):
    """Takes its time for each text, and counts them."""

    n_scored = 0

    def predict(self, texts, **others):
        time.sleep(0.05 * len(texts))
        self.n_scored += len(texts)
        return super().predict(texts, **others)


def test_a_request_that_took_too_long_is_sent_again_when_those_beside_it_are_answered():
    with TestClient(build_service(Slow(), timeout=1.1)) as client:
        found = scored(client, ["a" * 15_000] * 40)
        assert (found.status_code, found.headers["retry-after"]) == (503, "2")


def test_a_request_that_takes_too_long_is_given_up_between_two_texts():
    metric = Slow()
    with TestClient(build_service(metric, timeout=0.3)) as client:
        found = scored(client, ["a" * 15_000] * 40)
        assert (found.status_code, "within 0.3 seconds" in found.json()["detail"]) == (503, True)
        assert found.headers["retry-after"] == "1"
        time.sleep(0.2)
        n_scored = metric.n_scored
        assert scored(client, ["abc"]).json()["values"] == [3.0]
        time.sleep(0.2)
    assert metric.n_scored == n_scored + 1 < 20


def test_a_long_request_is_scored_part_by_part_and_answered_whole():
    texts = ["a" * (n % 977) for n in range(3000)]
    with TestClient(build_service(Lengths())) as client:
        assert scored(client, texts).json()["values"] == list(map(len, texts))


def test_a_short_request_does_not_wait_for_a_long_one():
    with TestClient(build_service(Slow())) as client, ThreadPoolExecutor(1) as other:
        long = other.submit(scored, client, ["a" * 15_000] * 40)
        time.sleep(0.2)
        assert client.get("/health").json()["waiting"] == 1
        begin = time.monotonic()
        assert scored(client, ["abc"]).json()["values"] == [3.0]
        assert time.monotonic() - begin < 1 < 2 < 40 * 0.05 + 1
        assert not long.done()
        assert long.result().status_code == 200


def test_a_long_request_gives_way_to_short_ones_and_is_answered_beside_them():
    """A queue that is never without a short request, as a stream of sentences is."""

    async def turns_of_long(metric):
        queue = FairQueue(metric, 10)
        running = asyncio.create_task(queue.run())
        long = asyncio.create_task(queue.score(["a" * 5_000] * 20, None, None))
        n_short = 0
        while not long.done():
            short = [asyncio.create_task(queue.score(["abc"], None, None)) for _ in range(2)]
            await short[0]
            n_short += 1
            await short[1]
        running.cancel()
        return n_short, len(await long)

    n_short, n_long = asyncio.run(turns_of_long(Lengths()))
    assert n_long == 20
    assert n_short > 20  # a short request takes about a millisecond, and the long one gives way ten times


def test_no_turn_is_divided_over_threads():
    job = _Job(["a" * 100] * 500, None, None, None)
    texts = job.texts[job.next_texts(_CHARACTERS_AT_ONCE, _TEXTS_AT_ONCE)]
    assert sum(map(len, texts)) == _CHARACTERS_AT_ONCE
    assert len(in_pieces(texts, n_jobs=8)) == 1


def test_answers_say_which_scores_are_bad():
    with TestClient(build_service(Lengths(strict=True), bad="<=3")) as client:
        assert scored(client, ["abc", "abcd", ""]).json()["bad"] == [True, False, None]
        assert client.get("/health").json()["bad"] == "<= 3"
    with pytest.raises(ValueError, match="expected what counts as bad"):
        build_service(Lengths(), bad="low")


def test_a_load_balancer_asks_for_the_head_of_health(client):
    assert client.head("/health").status_code == 200
    assert client.head("/score").status_code == 405


def test_it_scores_inside_another_application_whose_server_tells_it_of_no_start():
    outer = FastAPI()
    outer.mount("/quality", build_service(Lengths()))
    with TestClient(outer) as client:
        assert client.get("/quality/health").json()["status"] == "ok"
        assert client.post("/quality/score", json={"texts": ["abc"]}).json()["values"] == [3.0]
        assert 'path="/score",status="200"} 1' in client.get("/quality/metrics").text
        answer = client.get("/quality/openapi.json").json()["components"]["schemas"]["ScoreAnswer"]["properties"]
    assert "values" in answer
    client = TestClient(build_service(Lengths()))  # answers each request in an event loop of its own
    assert [scored(client, [text]).json()["values"] for text in ("a", "ab")] == [[1.0], [2.0]]


class Held(Lengths):
    """Scores nothing while it is held."""

    def __init__(self):
        super().__init__()
        self.go = threading.Event()
        self.go.set()

    def predict(self, texts, **others):
        assert self.go.wait(60)
        return super().predict(texts, **others)


def test_a_request_beside_two_hundred_others_is_refused():
    metric = Held()
    app = build_service(metric, timeout=10)

    async def ask_many():
        async with app.router.lifespan_context(app):
            metric.go.clear()
            others = [asyncio.ensure_future(app.state.queue.score(["ab"], None, None)) for _ in range(200)]
            await asyncio.sleep(0)
            async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://localhost") as client:
                beside_them = await client.post("/score", json={"texts": ["abc"]})
                metric.go.set()
                results = await asyncio.gather(*others)
                after_them = await client.post("/score", json={"texts": ["abc"]})
        return beside_them, results, after_them

    beside_them, results, after_them = asyncio.run(ask_many())
    assert (beside_them.status_code, beside_them.json()["detail"][:25]) == (503, "200 requests wait already")
    assert beside_them.headers["retry-after"] == "1"
    assert [result.values.tolist() for result in results] == [[2.0]] * 200
    assert after_them.json()["values"] == [3.0]


SERVE = [sys.executable, "-m", "referenceless_metrics", "serve", "--metric", "fluency_ngram"]


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


@pytest.fixture
def served(tmp_path, request):
    """A service in a process of its own, whose standard error nobody reads: its port.

    With options, which a test may give, nobody reads its standard output either.
    """
    options = getattr(request, "param", ())
    port = free_port()
    streams = {"stderr": subprocess.PIPE, **({"stdout": subprocess.PIPE} if options else {})}
    with subprocess.Popen([*SERVE, "--port", str(port), *options], **streams) as process:
        for _ in range(600):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
                break
            time.sleep(0.1)
        yield port, process
        process.kill()


def ask(port, body, connection=None, headers=JSON):
    connection = connection or http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("POST", "/score", json.dumps(body), headers)
    reply = connection.getresponse()
    return reply.status, json.loads(reply.read())


def leave_in_mid_body(port):
    with socket.create_connection(("127.0.0.1", port)) as leaving:
        leaving.sendall(b"POST /score HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n")
        leaving.sendall(b"Content-Length: 1000\r\n\r\n{")


def test_it_says_where_it_listens(capfd, served):
    port, _ = served
    ask(port, {"texts": ["A cat."]})
    assert f"http://127.0.0.1:{port} scores" in capfd.readouterr().out


def test_lines_that_wait_are_written_before_a_signal_ends_the_process(monkeypatch):
    class SlowStream(io.StringIO):
        def write(self, text):
            time.sleep(0.02)
            return super().write(text)

    written = SlowStream()
    monkeypatch.setattr(sys, "stdout", Unblocked(written))
    uvicorn = pytest.importorskip("uvicorn")
    server = _server(uvicorn, build_service(Lengths()), "127.0.0.1", free_port(), access_log=False)
    server.should_exit = True
    for _ in range(10):
        print("a request", flush=True)
    asyncio.run(server.serve())
    assert written.getvalue().count("a request\n") == 10
    assert "Ctrl-C stops it" in written.getvalue()


@pytest.mark.long
def test_a_client_that_leaves_costs_one_line_and_another_protocol_none(served):
    port, process = served
    leave_in_mid_body(port)
    offer = {**JSON, "Connection": "Upgrade, HTTP2-Settings", "Upgrade": "h2c", "HTTP2-Settings": "AAEAAEAAAAIAAAAA"}
    assert ask(port, {"texts": ["A cat."]}, headers=offer)[0] == 200  # as Java's client asks
    time.sleep(0.5)
    process.terminate()
    assert process.wait(30) == -signal.SIGTERM
    begun, *lines = process.stderr.read().decode().splitlines()
    assert begun == "Loading the metric."
    assert len(lines) == 1
    assert "a client left" in lines[0]


@pytest.mark.long
def test_a_full_standard_error_never_stops_answers(served):
    port, _ = served
    for _ in range(3000):  # a pipe holds 64 KB
        leave_in_mid_body(port)
    assert ask(port, {"texts": ["A cat."]})[0] == 200


@pytest.mark.long
@pytest.mark.parametrize("served", [("--access-log",)], indirect=True)
def test_a_full_standard_output_never_stops_answers(served):
    port, _ = served
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    for _ in range(2000):  # a pipe holds 64 KB
        connection.request("GET", "/health")
        assert connection.getresponse().read()
    assert ask(port, {"texts": ["A cat."]}, connection)[0] == 200


@pytest.mark.long
def test_a_sentence_is_answered_soon_beside_large_bodies(served):
    port, _ = served
    sentence = {"texts": ["The cat sat on the mat, and nobody said a word about it."]}
    large = {"texts": ["The old bridge was closed for repairs, and no one knew for how long. " * 6] * 9000}
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)

    def p95(seconds):
        taken = []
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            begin = time.perf_counter()
            assert ask(port, sentence, connection)[0] == 200
            taken.append(time.perf_counter() - begin)
        return float(np.quantile(taken, 0.95)), len(taken)

    p95(2)
    idle, _ = p95(5)
    stop = threading.Event()

    def send_large():
        while not stop.is_set():
            assert ask(port, large)[0] in (200, 503)

    with ThreadPoolExecutor(1) as other:
        sending = other.submit(send_large)
        time.sleep(1)
        busy, n = p95(15)
        stop.set()
        sending.result()
    print(f"p95 idle {idle * 1e3:.1f} ms, beside bodies of 4 MB {busy * 1e3:.1f} ms, {n} requests")
    assert n > 50
    assert busy <= 3 * idle


def test_the_command_in_the_guide_is_answered(client):
    guide = ROOT / "docs" / "guides" / "service.md"
    if not guide.is_file():
        pytest.skip("needs the project's documentation")
    (line,) = re.findall(r"^curl .*$", read(guide), re.MULTILINE)
    _, _, header, _, body, address = shlex.split(line)
    name, _, value = header.partition(": ")
    answer = client.post(httpx.URL(address).path, content=body, headers={name: value})
    assert answer.status_code == 200
    assert len(answer.json()["values"]) == 1


def described(metric):
    """The description of a service and one answer of it."""
    with TestClient(build_service(metric)) as client:
        return client.get("/openapi.json").json(), scored(client, ["The cat sat on the mat.", ""]).json()


def test_openapi_tells_body_answer_and_refusals():
    description, answer = described(FluencyNgram())
    score = description["paths"]["/score"]["post"]
    body = score["requestBody"]["content"]["application/json"]["schema"]
    assert (list(body["properties"]), body["required"]) == (["texts"], ["texts"])
    assert set(score["responses"]) == {"200", "413", "415", "422", "503"}
    schema = score["responses"]["200"]["content"]["application/json"]["schema"]
    of_answer = description["components"]["schemas"][schema["$ref"].rpartition("/")[2]]["properties"]
    assert set(answer) <= set(of_answer)
    own = set(answer) - {"values", "reasons", "mean", "coverage", "signature"}
    assert {name for name in own if of_answer[name].get("description")} == own
    assert of_answer["looks_english"]["items"] == {"type": "boolean"}


def test_openapi_asks_for_what_the_metric_reads():
    description, _ = described(Matches(references=False, sources=True))
    body = description["paths"]["/score"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    assert (sorted(body["properties"]), body["required"]) == (["sources", "texts"], ["texts", "sources"])


def test_openapi_is_valid():
    validator = pytest.importorskip("openapi_spec_validator")
    validator.validate(described(FITTED)[0])


def test_the_table_of_fields_is_that_of_the_answer():
    guide = ROOT / "docs" / "guides" / "service.md"
    if not guide.is_file():
        pytest.skip("needs the project's documentation")
    _, answer = described(FluencyNgram())
    rows = re.findall(r"^\| (`[^|]*) \|", read(guide), re.MULTILINE)
    told = {name for row in rows for name in re.findall(r"`(\w+)`", row)}
    assert told - {"verdict", "expected_spearman", "lower", "upper", "level", "bad"} == set(answer)


def test_the_verdict_and_the_level_are_in_the_answer():
    pool = example_pool()
    texts = list(pool.texts)
    calibrated = bleu_neighbors(texts, pool.ratings, calibrated=True)
    with TestClient(build_service(calibrated)) as client:
        found = scored(client, texts[:2]).json()
        verdict = calibrated.verdict_.details
        assert verdict.items() <= found.items()
        assert verdict.items() <= client.get("/health").json().items()
        assert (found["level"], len(found["lower"])) == (0.9, 2)


@pytest.mark.parametrize("references", [False, True])
@pytest.mark.parametrize("sources", [False, True])
def test_the_body_that_the_root_shows_is_taken(references, sources):
    with TestClient(build_service(Matches(references=references, sources=sources))) as client:
        body, _, kind = client.get("/").json()["POST /score"].rpartition(", of the type ")
        assert client.post("/score", content=body, headers={"content-type": kind}).status_code == 200


def test_the_root_names_the_addresses_and_no_page_loads_scripts_from_elsewhere(client):
    assert {"POST /score", "GET /health", "GET /openapi.json"} < set(client.get("/").json())
    assert {client.get(page).status_code for page in ("/docs", "/redoc")} == {404}
