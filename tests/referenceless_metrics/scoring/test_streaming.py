"""Scoring block by block: the same bytes as at once, and as after kills at any moment."""

import json
import os
import random
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from command_lines import python
from text_files import write, write_table
from toy_metrics import Lengths

from referenceless_metrics.core.files import incremental_writer
from referenceless_metrics.core.files.formats import START
from referenceless_metrics.core.files.incremental_writer import IncrementalWriter
from referenceless_metrics.core.files.output import render
from referenceless_metrics.core.files.tables import BlockSize
from referenceless_metrics.core.files.text_io import read_text_blocks
from referenceless_metrics.core.support.validation import InputError
from referenceless_metrics.scoring import score as scoring
from referenceless_metrics.scoring.rows import Job, scored_rows, write_scores

N = 100


class Killed(BaseException):
    """An exception that stands for the end of the process."""


class Fragile(Lengths):
    """Dies after so many calls."""

    def __init__(self, calls: int) -> None:
        super().__init__(2.0, strict=True)
        self.calls = calls

    def predict(self, texts, **others):
        self.calls -= 1
        if self.calls < 0:
            raise Killed
        return super().predict(texts, **others)


@pytest.fixture(autouse=True)
def small_blocks(folder, monkeypatch):
    monkeypatch.setattr(incremental_writer, "SECONDS", 0.0)


def inputs(kind):
    source = random.Random(3)
    texts = ["".join(source.choices('ab ü"\n,\r\u2028=', k=source.randint(0, 9))) for _ in range(N)]
    rows = [{"id": i, "text": text, "note": f"=n{i}" * (i % 2)} for i, text in enumerate(texts)]
    path = Path(f"in.{kind}")
    if kind == "txt":
        path.write_text("".join(f"{text!a}\n" for text in texts), encoding="utf-8", newline="")
    elif kind in ("csv", "tsv"):
        write_table(path, rows[0], map(dict.values, rows), delimiter="\t" if kind == "tsv" else ",")
    elif kind == "jsonl":
        write(path, (json.dumps({**row, "tags": [1, 2], "more": {"a": None}}) for row in rows))
    else:
        pq.write_table(pa.Table.from_pylist(rows), path, row_group_size=33)
    return str(path)


def stream(source, format, *, metric=None, resume=None, **options):
    options = {"id_column": None, "progress": False, **options, "resume": resume}
    job = Job(source, metric or Lengths(2.0, strict=True), format, options)
    target = Path(f"out.{format}")
    read = partial(read_text_blocks, source, size=BlockSize(7, 200))
    summary = write_scores(job, read(start=START), lambda start: read(start=start), str(target))
    assert summary.n == N
    assert not list(Path().glob("out.*.*"))  # neither a journal nor a part is left
    return target.read_bytes()


def refused(message, source, format, **options):
    with pytest.raises(InputError, match=message):
        stream(source, format, **options)


def at_once(source, format, id_column=None):
    table, texts = scoring.at_once(read_text_blocks(source))
    rows = scored_rows(table, "lengths", Lengths(2.0, strict=True).predict(texts), id_column)
    return render(rows, {}, format).encode()


@pytest.mark.parametrize(
    ("kind", "format"),
    [("txt", "csv"), ("csv", "csv-safe"), ("tsv", "jsonl"), ("jsonl", "csv"), ("parquet", "jsonl")],
)
def test_blocks_give_the_bytes_of_the_whole(kind, format):
    source = inputs(kind)
    assert stream(source, format) == at_once(source, format)
    if kind != "txt":
        assert stream(source, format, id_column="id") == at_once(source, format, "id")


@pytest.mark.parametrize("kind, id_type", [("csv", pa.string()), ("jsonl", pa.int64()), ("parquet", pa.int64())])
def test_parquet_holds_the_same_rows_with_types(kind, id_type):
    source = inputs(kind)
    stream(source, "parquet")
    table = pq.read_table("out.parquet")
    expected = [json.loads(line) for line in at_once(source, "jsonl").decode().split("\n")[:-1]]
    assert table.to_pylist() == expected
    types = [table.schema.field(name).type for name in ("id", "lengths", "reason")]
    assert types == [id_type, pa.float64(), pa.string()]
    assert 0 < table["lengths"].null_count == table["lengths"].length() - table["reason"].null_count


@pytest.mark.parametrize(
    ("kind", "format"), [("txt", "csv"), ("csv", "csv-safe"), ("jsonl", "jsonl"), ("parquet", "parquet")]
)
def test_a_run_that_is_cut_off_goes_on(kind, format, capsys):
    source, target = inputs(kind), Path(f"out.{format}")
    expected = stream(source, format)
    target.unlink()
    journal, part = (Path(f"{target}.{suffix}") for suffix in ("journal", "partial"))
    for calls in (5, 1, 0, 3):
        with pytest.raises(Killed):
            stream(source, format, metric=Fragile(calls), resume=True)
        assert journal.exists()
        if format in ("csv", "jsonl") and part.exists():
            with part.open("a") as file:
                file.write("half a li")  # bytes written after the last record
    assert "--resume goes on" in capsys.readouterr().err
    refused("unfinished; give --resume to go on with it, or --no-resume", source, format)
    assert stream(source, format, resume=True) == expected


def test_only_the_same_run_goes_on():
    source = inputs("csv")
    with pytest.raises(Killed):
        stream(source, "csv", metric=Fragile(4))
    another = partial(refused, source=source, format="csv", resume=True)
    another(r"had another metric \(metric:lengths\|scale:2.0, now metric:lengths\|scale:3", metric=Lengths(3))
    another(r"another id column \(None, now id\)", id_column="id")
    another(r"another input format \(None, now txt\)", input_format="txt")
    journal = Path("out.csv.journal")
    told = journal.read_text()
    whole, status = Path(source).read_bytes(), Path(source).stat()
    Path(source).write_bytes(b"~" + whole[1:])
    another("had another input")
    Path(source).write_bytes(whole)
    os.utime(source, ns=(status.st_atime_ns, status.st_mtime_ns))
    for content in ("", "{}", "[]", told[:-1], "\0é"):
        journal.write_text(content)
        another("not a journal that this version wrote")
    journal.unlink()
    os.mkfifo(journal)
    another("journal: expected a file that an unfinished run left")
    journal.unlink()
    journal.write_text(told)
    os.truncate("out.csv.partial", 3)
    another(r"it has 3 bytes, fewer than the \d+ that were written")
    assert stream(source, "csv", resume=False) == at_once(source, "csv")


def test_an_end_between_the_last_steps(monkeypatch):
    source = inputs("csv")

    def die(*_):
        raise Killed

    with monkeypatch.context() as patch:
        rename = Path.replace
        patch.setattr(Path, "replace", lambda own, to: die() if own.suffix == ".partial" else rename(own, to))
        with pytest.raises(Killed):
            stream(source, "csv")
    assert not Path("out.csv").exists()
    assert stream(source, "csv", resume=True) == at_once(source, "csv")


@pytest.mark.parametrize("format", ["csv", "parquet"])
def test_two_runs_do_not_write_one_file(format):
    first = IncrementalWriter(Path(f"out.{format}"), format, {}, None, Path("in.csv"))
    refused("another run is writing it", inputs("csv"), format)
    first.abandon()


X = '{"text": "a", "x": %s}\n'


@pytest.mark.parametrize(
    "first, later, format, message, options",
    [
        ('{"lengths": 1, "text": "a"}\n', "", "csv", r"v\.jsonl: it has a column 'lengths' already", {}),
        ('{"text": "a"}\n' * 20, X % 1, "csv", r"v\.jsonl:21: the column 'x' comes too late", {}),
        (X % 1 * 20, X % '"b"', "parquet", "a value is not of the type that others of its column have", {}),
        (X % 1, X % 2, "csv", r"no column 'no' \(--id-column\); the columns are 'text', 'x'", {"id_column": "no"}),
    ],
)
def test_columns_that_cannot_be_written(first, later, format, message, options):
    write("v.jsonl", first + later * 80)
    refused(message, "v.jsonl", format, **options)


def test_a_column_may_come_late_in_json_lines():
    write("v.jsonl", '{"text": "a"}\n' * 20 + '{"text": "a", "late": 1}\n' * 80)
    assert stream("v.jsonl", "jsonl") == at_once("v.jsonl", "jsonl")


PROGRAM = """
import sys, time
sys.path[:0] = [{support!r}, {root!r}]
from toy_metrics import Lengths
from referenceless_metrics.scoring import score as scoring
from referenceless_metrics.core.files import incremental_writer
from referenceless_metrics.core.files.tables import BlockSize
from referenceless_metrics.cli import cli
class Slow(Lengths):
    def predict(self, texts, **others):
        print("scoring", flush=True)
        time.sleep(0.005)
        return super().predict(texts, **others)
incremental_writer.SECONDS = 0.001
scoring.BlockSize = lambda: BlockSize(7)
scoring.ChosenMetrics.make = lambda chosen, options: [Slow(2.0, strict=True)]
source, target = sys.argv[1:]
cli(["score", source, "-o", target, "--no-progress", "--resume"])
"""


@pytest.mark.long
@pytest.mark.parametrize("format, times", [("csv", 6), ("parquet", 4)])
def test_kills_at_random_moments_lose_nothing_and_repeat_nothing(folder, format, times):
    write("in.csv", ["id,text", *(f'{i},"text {i}\n{"x" * (i % 11)}"' for i in range(1500))])
    tests, whole, out = Path(__file__).parents[2], f"whole.{format}", f"out.{format}"
    program = PROGRAM.format(support=str(tests / "support"), root=str(tests.parent))
    python(program, "in.csv", whole)
    source, kills = random.Random(5), 0
    for _ in range(times):
        with subprocess.Popen([sys.executable, "-c", program, "in.csv", out], stdout=subprocess.PIPE) as process:
            process.stdout.readline()
            time.sleep(source.uniform(0, 0.12))
            kills += process.poll() is None
            process.kill()  # nothing, if it has ended
    assert kills
    python(program, "in.csv", out)
    assert Path(out).read_bytes() == Path(whole).read_bytes()
    assert {path.name for path in folder.iterdir()} == {"in.csv", out, whole}
