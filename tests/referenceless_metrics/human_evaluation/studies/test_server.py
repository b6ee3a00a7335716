"""The server that gathers ratings: killed again and again, and asked by others than its own pages."""

import http.client
import random
import subprocess
import sys
import threading
from types import SimpleNamespace

import pytest
from studies import ask

from referenceless_metrics.core.support.validation import InputError
from referenceless_metrics.human_evaluation.studies import server
from referenceless_metrics.human_evaluation.studies.design import Design
from referenceless_metrics.human_evaluation.studies.progress import Progress
from referenceless_metrics.human_evaluation.studies.reading import read_study
from referenceless_metrics.human_evaluation.studies.server import rating_server


@pytest.fixture
def rating(port, tmp_path):
    """The request of a page for one rating."""
    return {"study": Design.read(tmp_path / "study").study, "screen": 1, "output": "A", "rating": "4"}


@pytest.mark.parametrize("kills", [1, pytest.param(20, marks=pytest.mark.long)])
def test_killed_while_it_writes_it_loses_nothing(draw, tmp_path, kills):
    design = draw("0-100", items=40, raters=1)
    folder, generator, confirmed = tmp_path / "study", random.Random(0), {}
    asked = [
        (number, output)
        for number, screen in enumerate(design.raters["rater_1"], 1)
        for output in design.outputs_on(screen)
    ]
    for _ in range(kills):
        command = [sys.executable, "-m", "referenceless_metrics", "rate", str(folder), "--port", "0"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            port = int(process.stdout.readline().split("/")[2].split(":")[1])
            timer = threading.Timer(generator.uniform(0.01, 0.4), process.kill)
            timer.start()
            try:
                while True:
                    (screen, output), rating = generator.choice(asked), generator.randrange(101)
                    sent = {"study": design.study, "screen": screen, "output": output, "rating": str(rating)}
                    last = (screen, output, float(rating))
                    assert ask(port, "POST", "/rater_1", sent)[0] == 200
                    confirmed[screen, output] = rating
            except (OSError, http.client.HTTPException):
                timer.join()
        if confirmed:
            # A rating that was on its way when the kill came may have reached the disk, or not.
            found = {(each.screen, each.output): each.rating for each in read_study(folder).judgements}
            confirmed |= {last[:2]: last[2]} if found.get(last[:2]) == last[2] else {}
            assert found == confirmed
    assert len(confirmed) > kills


@pytest.fixture
def port(draw, tmp_path):
    draw()
    with rating_server(tmp_path / "study", 0) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield server.server_port
        server.shutdown()
        thread.join()


@pytest.mark.parametrize(
    "change, headers, status, told",
    [
        ({}, {}, 200, "saved"),
        ({"rating": "cannot judge", "comment": "two sentences"}, {}, 200, "saved"),
        ({"rating": "so-so"}, {}, 400, "as a rating, but got str 'so-so'"),
        ({"screen": 99}, {}, 400, "screen 99 is not in the study"),
        ({"more": 1}, {}, 400, "'more' is not known"),
        ({"comment": "\ud83d"}, {}, 400, "surrogates not allowed"),
        ({"comment": "a" * 10_000}, {}, 400, "expected one rating, as JSON"),
        ({}, {"Host": "rebound.example.org"}, 400, "only pages of this server"),
        ({}, {"Content-Type": "text/plain"}, 400, "expected one rating, as JSON"),
        ({}, {"Content-Length": "²"}, 400, "expected one rating, as JSON"),
    ],
)
def test_what_it_takes(port, rating, tmp_path, change, headers, status, told):
    found = ask(port, "POST", "/rater_1", rating | change, **headers)
    assert found[0] == status
    assert told in found[1]
    assert (tmp_path / "study" / "ratings" / "rater_1.csv").exists() == (status == 200)


def test_a_rater_who_is_left_out_is_said_to_be(port, rating, tmp_path):
    folder = tmp_path / "study"
    assert ask(port, "POST", "/rater_1", rating)[0] == 200
    assert "rater_1</a>: 1 of " in ask(port, "GET", "/")[1]
    (folder / "left_out").mkdir()
    (folder / "ratings" / "rater_1.csv").rename(folder / "left_out" / "rater_1.csv")
    assert "rater_1</a>: left out of the analysis" in ask(port, "GET", "/")[1]


def test_a_comment_is_no_formula_for_a_spreadsheet(port, rating, tmp_path):
    for output in "AB":
        assert ask(port, "POST", "/rater_1", rating | {"output": output, "comment": "=1+1"})[0] == 200
    assert [judgement.comment for judgement in read_study(tmp_path / "study").judgements] == ["'=1+1"] * 2


def test_what_could_not_be_written_was_not_given(port, rating, tmp_path):
    page = ask(port, "GET", "/rater_1")
    (tmp_path / "study" / "ratings" / "rater_1.csv").mkdir()
    status, told = ask(port, "POST", "/rater_1", rating)
    assert (status, "could not be written" in told) == (500, True)
    assert ask(port, "GET", "/rater_1") == page


def test_who_else_is_there(port, tmp_path):
    assert ask(port, "GET", "/nobody")[0] == ask(port, "POST", "/nobody", {})[0] == 400
    with pytest.raises(InputError, match="another server gathers its ratings"), rating_server(tmp_path / "study", 0):
        pass


def test_port_80_is_left_out_by_browsers(port):
    assert ask(port, "GET", "/", Host="127.0.0.1")[0] == 400
    request = {"PATH_INFO": "/", "CONTENT_LENGTH": "", "SERVER_PORT": "80", "REQUEST_METHOD": "GET"}
    statuses = []
    progress = Progress(0, 12, 0, (), (), "")
    for host in ("127.0.0.1", "localhost", "127.0.0.1:80", "rebound.example.org"):
        gathered = SimpleNamespace(design=SimpleNamespace(raters={}), n_rated=None, progress=lambda: progress)
        server._reply(gathered, request | {"HTTP_HOST": host}, lambda status, headers: statuses.append(status[:3]))
    assert statuses == ["200", "200", "200", "400"]


def test_an_edit_by_hand_is_kept(port, rating, tmp_path):
    file = tmp_path / "study" / "ratings" / "rater_1.csv"
    assert ask(port, "POST", "/rater_1", rating)[0] == 200
    file.write_text(file.read_text().replace(",4,", ",2,"))
    assert '"rating": "2"' in ask(port, "GET", "/rater_1")[1]
    assert ask(port, "POST", "/rater_1", rating | {"output": "B"})[0] == 200
    assert [each.rating for each in sorted(read_study(tmp_path / "study").judgements)] == [2.0, 4.0]


def test_an_edit_that_cannot_be_used_is_left_as_it_is(port, rating, tmp_path):
    file = tmp_path / "study" / "ratings" / "rater_1.csv"
    assert ask(port, "POST", "/rater_1", rating)[0] == 200
    file.write_text(file.read_text().replace(",4,", ",so-so,"))
    edited = file.read_text()
    status, told = ask(port, "POST", "/rater_1", rating | {"output": "B"})
    assert (status, "rater_1.csv" in told, "so-so" in told) == (400, True, True)
    assert file.read_text() == edited


def test_a_comment_on_what_is_not_rated_is_kept(port, rating, tmp_path):
    assert ask(port, "POST", "/rater_1", rating | {"rating": "", "comment": "half of it"})[0] == 200
    assert "half of it" in ask(port, "GET", "/rater_1")[1]
    assert "0 of" in ask(port, "GET", "/")[1]
    assert ask(port, "POST", "/rater_1", rating | {"comment": "all of it"})[0] == 200
    assert [each.comment for each in read_study(tmp_path / "study").judgements] == ["all of it"]
