"""A metric over HTTP: its own values, refusals in 4xx, and many clients at once."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from refusals import refused
from small_metrics import CANDIDATES, ESTIMATES, FITTED, LengthModel
from toy_metrics import Matches

pytest.importorskip("fastapi")
pytest.importorskip("httpx")

from fastapi.testclient import TestClient

from referenceless_metrics.frameworks import service
from referenceless_metrics.frameworks.service import build_service
from slor_metric.estimator import ROUGELM


@pytest.fixture(scope="module")
def client():
    with TestClient(build_service(FITTED)) as client:
        yield client


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
    }


@pytest.mark.parametrize(
    "body, status, told",
    [
        (b"no JSON", 422, "Invalid JSON"),
        (b"{}", 422, "texts: Field required"),
        (b'{"texts": "a bare string"}', 422, "texts: Input should be a valid array"),
        (b'{"texts": [1]}', 422, "texts.0: Input should be a valid string"),
        (b'{"texts": ["\\ud83d"]}', 422, ""),
        (b'{"texts": ["a"], "text": "b"}', 422, "text: Extra inputs are not permitted"),
        (b'{"texts": ["a"], "sources": []}', 422, "expected 1 sources, one a text, but got 0"),
        (b" " * (service.MOST_BYTES + 1), 413, "bytes: send fewer texts at once"),
    ],
)
def test_what_is_refused(client, body, status, told):
    found = client.post("/score", content=body)
    assert found.status_code == status
    assert told in found.json()["detail"]
    assert scored(client, CANDIDATES[:1]).status_code == 200


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
    with refused("statistics"):
        build_service(ROUGELM(LengthModel()))
