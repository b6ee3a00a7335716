"""The web page of every metric: the answers of its handlers, and the command that serves it."""

import os
import socket

import numpy as np
import pytest
from command_lines import done, invoke
from lazily import lazily
from text_files import ROOT

from referenceless_metrics import BLEUNeighbors, example_pool
from referenceless_metrics.core.registry import metric_names
from referenceless_metrics.core.support.validation import InputError
from referenceless_metrics.pages.app.explainer import ORDERS, explainer
from referenceless_metrics.pages.app.page import Handlers, build_app

pytestmark = pytest.mark.long  # gradio takes seconds to import

lazily("gradio")

METRICS = ROOT / "metrics"
NAMES = sorted(set(metric_names()) & {path.name for path in METRICS.iterdir()})


@pytest.fixture(scope="module", params=NAMES)
def handlers(request):
    return Handlers(explainer(request.param))


def asked(handlers, **settings):
    """Return the page's questions to a new visitor beside the inputs, with some settings of the visitor's."""
    controls = [*handlers.part.settings, ORDERS[0], *handlers.part.choices]
    return [settings.get(one.name, one.options["value"]) if hasattr(one, "options") else one for one in controls]


def test_the_example_is_scored(handlers):
    part, told = handlers.part, []
    shown = handlers.score_example(*asked(handlers), report=lambda share, doing: told.append(doing))
    n_boxes = 2 * len(handlers.inputs)
    assert shown[:n_boxes:2] == ["\n".join(part.example()[given.name]) for given in handlers.inputs]
    assert shown[1:n_boxes:2] == [None] * len(handlers.inputs)
    notice, visible, scored, summary, table, file, charts, chosen, explanation = shown[n_boxes:]
    assert (notice, visible["visible"]) == ("", True)
    assert scored.texts == list(part.example()["texts"])
    assert ('id="mean-score"' in summary) == (part.spec.name != "rouge_lm")  # 0 by construction there
    assert table.count("<tr ") == len(scored.texts) + 1
    assert f"Save all {len(scored.texts)} as CSV" in file
    assert bool(charts) == part.takes_pool
    assert chosen["value"] == int(np.flatnonzero(scored.result.covered)[0])
    assert explanation == handlers.explain(scored, chosen["value"], *asked(handlers)[len(part.settings) + 1 :])
    assert explanation.startswith("<section")
    assert {"reading", "drawing"} <= set(told)
    order, again, update = handlers.turn(scored, chosen["value"], ORDERS[1])
    assert (order, again) == (ORDERS[1], part.table_html(scored, ORDERS[1]))
    assert [place for _, place in update["choices"]] == np.argsort(-scored.result.values, kind="stable").tolist()
    assert "value" not in update  # the explained text stays


def test_errors_become_messages(handlers):
    empty = [value for given in handlers.inputs for value in ("", *[None] * (1 + len(given.columns)))]
    notice, visible, scored, *rest = handlers.score(*asked(handlers), *empty)
    assert f"There are no {handlers.inputs[0].what} yet" in notice
    assert (visible["visible"], scored, rest[-1]) == (False, None, "")
    assert handlers.explain(None, 0) == ""
    assert handlers.turn(None, None, ORDERS[1])[1] == ""


BAD = [
    ("quality_estimation", ["inform(food='thai", None, None, "a text", None, None], {}, "That did not work"),
    ("quality_estimation", ["a\nb", None, None, "a", None, None], {}, "There are 1 texts, but 2 lines of meaning"),
    ("rouge_lm", ["a\nb", None, None, "a", None], {}, "There are 2 texts, but 1 lines of references"),
    ("bleu_neighbors", ["a text", None, None, "a text", None, None, None], {}, "rated texts, line 1: expected a text"),
    (
        "bleu_neighbors",
        ["a text", None, None, "a text,1", None, None, None],
        {"min_neighbors": 0},
        "&#96;min_neighbors&#96; to be a whole number of at least 1, but got 0",
    ),
]


@pytest.mark.parametrize(("name", "given", "settings", "expected"), BAD)
def test_inputs_and_settings_that_no_metric_takes(name, given, settings, expected):
    handlers = Handlers(explainer(name))
    notice, visible, scored, *_ = handlers.score(*asked(handlers, **settings), *given)
    assert expected in notice
    assert (visible["visible"], scored) == (False, None)


def test_a_page_reports_to_no_one_and_needs_no_environment():
    before = dict(os.environ)
    page = build_app("wpslor")
    assert page.analytics_enabled is False
    added = {name for name in os.environ if os.environ[name] != before.get(name)}
    # gradio turns its client's telemetry off itself; the interval of its analytics cache it reads nowhere else
    assert added <= {"HF_HUB_DISABLE_TELEMETRY", "GRADIO_ANALYTICS_CACHE_FREQUENCY"}


def test_a_metric_that_is_made_has_its_pool():
    pool = example_pool()
    page = build_app(BLEUNeighbors().fit(pool.texts, pool.ratings))
    ids = {block.elem_id for block in page.blocks.values()}
    assert "texts-file" in ids
    assert "pool-file" not in ids


@pytest.mark.long
def test_without_a_metric_each_has_a_page(monkeypatch):
    served = []
    monkeypatch.setattr("referenceless_metrics.pages.app.page.launch", lambda page, **_: served.append(page))
    done("app --no-open")
    assert {path for path, *_ in served[0].pages} == {"", *NAMES} - {"fluency"}  # which stands first


def test_a_port_that_is_taken_is_named():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        result = invoke(f"app --metric bleu_neighbors --port {port} --no-open")
    assert isinstance(result.exception, InputError)
    assert str(result.exception).startswith(f"cannot serve the page at 127.0.0.1:{port}: ")
