"""Every value that `--help` offers works: formats, kernels, tokenisers, rules; on tiny data."""

import json
import re

import click
import pytest
from command_lines import commands, invoke
from text_files import write, write_table

from quality_estimation_metric.example import RATINGS, SOURCES, TEXTS
from referenceless_metrics.command_line.metric_options import options_for
from referenceless_metrics.core.registry import metric_specs

pytestmark = pytest.mark.long  # each value once, some hundreds

#: A line of each command that ends well, to which an option is added.
LINES = {
    "score": "score texts.txt",
    "score bleu_neighbors": "score texts.txt --metric bleu_neighbors --pool pool.csv",
    "score quality_estimation": "score pool.csv --metric quality_estimation --source-column source",
    "score rouge_lm": "score texts.txt --metric rouge_lm --references texts.txt",
    "score slor": "score texts.txt --metric slor",
    "score wpslor": "score texts.txt --metric wpslor",
    "score fluency": "score texts.txt --metric fluency",
    "score fluency_ngram": "score texts.txt --metric fluency_ngram",
    "compare": "compare texts.txt pool.csv --metric slor --n-samples 20 -o out",
    "rerank": "rerank lists.jsonl -o out",
    "calibrate": "calibrate pool.csv",
    "advise": "advise pool.csv",
    "fit bleu_neighbors": "fit pool.csv --metric bleu_neighbors -o out",
    "fit quality_estimation": "fit pool.csv --metric quality_estimation --source-column source -o out",
    "evaluate quality_estimation": "evaluate pool.csv --metric quality_estimation --source-column source --folds 2",
    "agreement": "agreement judgements.csv",
    "human-score": "human-score --ratings judgements.csv",
    "filter": "filter texts.txt --keep 'fluency_ngram > -9' -o out",
    "look": "look pool.csv",
    "train ngram": "train ngram texts.txt --order 2 -o lm",
    "train measure": "train measure pool.csv -o out",
}
#: The commands of papers/ and of the page have tests of their own; a format to read is the same for every command.
ELSEWHERE = r"reproduce|huse|train (lstm|small|fluency)|app|cite|report|sample|study|rate|compile"
READ_ONCE = {"--input-format": "score", "--pool-format": "score bleu_neighbors"}
"""One command for an option that many have."""


def choices():
    """Every command, option and value, an option of a metric with `score` alone."""
    of_metrics = {option for spec in metric_specs() for one in options_for(spec).shown for option in one.opts[:1]}
    names = {" ".join(words): command for words, command in commands() if not isinstance(command, click.Group)}
    offered = [
        (name, one)
        for name, command in names.items()
        if not re.match(ELSEWHERE, name)
        for one in command.get_params(click.Context(command))
        if one.opts[0] not in of_metrics
    ]
    for spec in metric_specs():
        offered += [(f"score {spec.name}", one) for one in options_for(spec).shown]
        for part in ("fit", "evaluate"):
            bring = getattr(spec, part)
            own = () if bring is None else bring().params
            offered += [(f"{part} {spec.name}", one) for one in own if one.opts[0] not in of_metrics]
    for command, one in offered:
        if isinstance(one.type, click.Choice) and READ_ONCE.get(one.opts[0], command) == command:
            yield from ((command, one.opts[0], value) for value in one.type.choices)


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    import openpyxl
    import pyarrow.parquet

    folder = tmp_path_factory.mktemp("choices")
    rows = [*zip(TEXTS, RATINGS, SOURCES, strict=True)]
    table = {"text": list(TEXTS), "rating": list(RATINGS), "source": list(SOURCES)}
    write(folder / "texts.txt", TEXTS)
    write_table(folder / "pool.csv", table, rows)
    write(folder / "rated.txt", TEXTS)
    write_table(folder / "rated.csv", table, rows)
    write_table(folder / "rated.tsv", table, rows, delimiter="\t")
    records = [dict(zip(table, row, strict=True)) for row in rows]
    write(folder / "rated.jsonl", map(json.dumps, records))
    write(folder / "rated.json", json.dumps(records))
    pyarrow.parquet.write_table(pyarrow.table(table), folder / "rated.parquet")
    book = openpyxl.Workbook()
    for row in [list(table), *rows]:
        book.active.append(row)
    book.save(folder / "rated.xlsx")
    segments = "".join(f'<seg id="{n}">{text}</seg>' for n, text in enumerate(TEXTS))
    write(folder / "rated.xml", f'<dataset><doc><hyp system="ours"><p>{segments}</p></hyp></doc></dataset>')
    write(folder / "lists.jsonl", [json.dumps({"candidates": [*TEXTS[:3]]})] * 2)
    judged = [
        (item, system, rater, (item + len(rater) + shift) % 5)
        for item in range(12)
        for shift, system in enumerate(("ours", "base"))
        for rater in ("ann", "bert")
    ]
    write_table(folder / "judgements.csv", ("item", "system", "rater", "rating"), judged)
    return folder


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("command, option, value", sorted(set(choices())))
def test_a_value_that_help_offers(files, monkeypatch, tmp_path, command, option, value):
    monkeypatch.chdir(files)
    line = LINES[command]
    if option == "--input-format":
        line = f"score rated.{value}"
    elif option == "--pool-format":
        line = line.replace("pool.csv", f"rated.{value}")
    if value == "parquet" and option == "--format" and "-o" not in line:
        line += " -o out"
    found = invoke(f"{line} {option} {value}".replace("-o out", f"-o {tmp_path / 'out'}"))
    said = f"{found.output} {found.exception}"
    if re.search(r"pip install|kernel_options=|a .txt file holds no ratings", said):  # it names its requirement
        pytest.skip(said)
    assert found.exit_code == 0, f"{line} {option} {value}: {found.output[-500:]} {found.exception!r}"
