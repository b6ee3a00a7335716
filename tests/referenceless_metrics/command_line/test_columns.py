"""Every option that names a column: an error about the column names the one option that mends it, which then does."""

import json
import random
import re

import click
import pandas as pd
import pytest
from command_lines import done, invoke
from refusals import refused

from referenceless_metrics.cli import cli
from referenceless_metrics.command_line.metric_options import options_for
from referenceless_metrics.command_line.per_metric_commands import PerMetricCommand
from referenceless_metrics.core.files.tables import ColumnName
from referenceless_metrics.core.registry import metric_spec, metric_specs

WORDS = "cheap good thai the food near serves place a nice park is by"
BLEU = "--pool all.csv --pool-text-column output --pool-rating-column fluency"
RATED = "--text-column output --rating-column fluency"
RIGHT = {
    "score": f"all.csv -f csv --text-column output --id-column nr --metric bleu_neighbors {BLEU}",
    "score references": "all.csv --metric rouge_lm --text-column output --reference-columns human",
    "score sources": "all.csv --metric quality_estimation --text-column output --source-column mr",
    "compare": f"all.csv other.csv --text-column output --metric bleu_neighbors {BLEU}",
    "compare scores": "--scores all.csv --scores other.csv --score-column fluency --item-column nr"
    " --cluster-column kind --slice-column kind --run-column who",
    "report": f"all.csv other.csv -o OUT.html --text-column output {BLEU} --pool-system-column model",
    "rerank": "all.csv --metric fluency --candidates-column list --id-column nr",
    "advise": f"all.csv {RATED} --group-column kind --system-column model --no-quality-estimator",
    "calibrate": f"all.csv {RATED} --group-column kind --system-column model",
    "fit": f"all.csv {RATED} -o OUT.index",
    "fit estimator": f"all.csv --metric quality_estimation {RATED} --source-column mr --group-column kind -o OUT.npz",
    "fit preferences": "all.csv --metric quality_estimation --text-column output --worse-column human -o OUT.npz",
    "sample": "all.csv other.csv --text-column output -n 10 --raters 2 -o OUT",
    "agreement": "all.csv --item-column nr --system-column model --rater-column who --rating-column fluency",
    "human-score": "all.csv --text-column output --ratings all.csv --ratings-text-column output --rating-column fluency"
    " --system-column model --estimates-column guess --cluster-column kind",
    "human-score raters": "--ratings all.csv --system-column model --rating-column fluency --item-column nr"
    " --rater-column who",
    "human-score criteria": "--ratings all.csv --system-column model --rating-column fluency --item-column nr"
    " --rater-column who --criterion-column asked",
    "compare metrics": "--scores all.csv --scores other.csv --score-column fluency --item-column nr"
    " --metric-column model",
    "compare answers": "--scores all.csv --scores other.csv --score-column asked --gold-column kind --item-column nr",
    "human-score preferences": "--ratings preferences.csv --item-column nr --system-a-column left"
    " --system-b-column right --preference-column choice --rater-column who",
    "train measure": f"all.csv {RATED} -o OUT.npz --metric wpslor",
}
OPTIONAL = {("agreement", "--system-column"), ("human-score", "--system-column")}  # files without it are read too
#: Without the option another reading is tried, and its message names other columns or options.
READ_WITHOUT = {
    ("human-score", "--ratings-text-column"),
    ("compare scores", "--item-column"),
    ("compare metrics", "--item-column"),
    ("compare answers", "--item-column"),
    ("agreement", "--item-column"),
    ("agreement", "--rater-column"),
    ("human-score criteria", "--item-column"),
    ("human-score criteria", "--rater-column"),
    ("human-score preferences", "--item-column"),
    ("human-score preferences", "--rater-column"),
}
NAMES_A_COLUMN = re.compile(r"--\S*-columns?$")
CASES = [
    (command, option)
    for command, arguments in RIGHT.items()
    for option in filter(NAMES_A_COLUMN.match, arguments.split())
    if (command, option) not in OPTIONAL
]


@pytest.fixture(autouse=True, scope="module")
def folder(tmp_path_factory):
    """Two tables whose columns all have names that nothing takes by itself."""
    folder, draw = tmp_path_factory.mktemp("columns"), random.Random(1)
    for name in ("all", "other"):
        rows = []
        for number in range(60):
            text = f"{number} {' '.join(draw.choices(WORDS.split(), k=8))}".replace("0", "zero ")
            rows.append({
                "output": text, "fluency": draw.randint(1, 6), "kind": f"g{number // 6}", "nr": number,
                "mr": "inform(name='Loch Fyne';food=thai)", "human": text + " too", "model": "all.csv",
                "who": f"r{number % 3}", "list": json.dumps([text, "a b"]), "guess": draw.random(),
                "asked": ("ease", "sense")[number % 2],
            })  # fmt: skip
        pd.DataFrame(rows).to_csv(folder / f"{name}.csv", index=False)
    preferences = [
        {
            "output": "text",
            "nr": number // 3,
            "left": "a",
            "right": "b",
            "choice": "ab"[number % 2],
            "who": f"r{number % 3}",
        }
        for number in range(60)
    ]
    pd.DataFrame(preferences).to_csv(folder / "preferences.csv", index=False)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        yield folder


def typed(command, arguments, tmp_path):
    name = command if command == "train measure" else command.split()[0]
    return f"{name} {arguments}".replace("OUT", f"{tmp_path}/out")


@pytest.mark.parametrize("command", RIGHT)
def test_the_right_columns_are_read(tmp_path, command):
    done(typed(command, RIGHT[command], tmp_path))


@pytest.mark.parametrize("command, option", CASES)
def test_a_wrong_column_names_the_option_that_mends_it(tmp_path, command, option):
    """With a name that the file lacks, and, if an option has a default, with the option left out."""
    named = rf"{option} \S+"
    tried = [re.sub(named, f"{option} absent", RIGHT[command])]
    if (
        option.endswith(("text-column", "rating-column", "item-column", "rater-column"))
        and command != "human-score raters"
        and (command, option) not in READ_WITHOUT
    ):
        tried.append(re.sub(named, "", RIGHT[command]))
    for wrong in tried:
        told = str(invoke(typed(command, wrong, tmp_path)).exception)
        assert re.findall(r"--[a-z-]+", told) == [option], told
        assert "'output'" in told or "'fluency' (1 to 6)" in told or option == "--ratings-text-column"
    if option.endswith("rating-column"):
        assert "'nr' (0 to 59), 'guess'" in told.replace("'fluency' (1 to 6), ", "")
        assert "'output'" not in told


def column_options(command):
    """Yield the options of a command, and of those below it and of each metric that it takes, that name a column."""
    if isinstance(command, click.Group):
        for name in command.list_commands(click.Context(command)):
            yield from column_options(command.get_command(click.Context(command), name))
        return
    if str(getattr(command.callback, "__module__", "")).startswith("referenceless_papers"):  # another distribution's
        return
    shown = [*command.params]
    for spec in metric_specs():
        if isinstance(command, PerMetricCommand):
            bring = getattr(spec, str(command.name))
            shown += [] if bring is None else bring().params
        else:
            shown += options_for(spec).shown
    for one in shown:
        if isinstance(one, click.Option) and NAMES_A_COLUMN.match(one.opts[0]):
            assert isinstance(one.type.convert("x", one, None), ColumnName), one.opts
            yield one.opts[0]


def test_every_option_that_names_a_column_is_tried():
    assert set(column_options(cli)) == {option for _, option in (*CASES, *OPTIONAL)}


def test_python_is_told_the_argument():
    from bleu_neighbors_metric.pool_source import bleu_neighbors

    with refused(r"no column 'text' \(pool_text_column\)"):
        bleu_neighbors(pool="all.csv")
    with refused(r"no column 'rating' \(pool_rating_column\); the columns of numbers are 'flu"):
        bleu_neighbors(pool="all.csv", pool_text_column="output")


def test_what_takes_one_column_file_or_name_is_given_once(folder):
    """Click would take the last one without a word."""
    (folder / "a.txt").write_text("The cat sat.\n")
    for twice in ("--pool a.csv --pool b.csv", "--metric bleu_neighbors --pool-text-column a --pool-text-column b"):
        option = twice.split()[-2]
        assert f"{option} takes one value here, and is given 2 times" in invoke(f"score a.txt {twice}").output
    assert invoke("score a.txt --metric fluency_ngram -f csv -f json").output.startswith("{")


@pytest.mark.parametrize("metric", ["bleu_neighbors", "quality_estimation"])
def test_several_rating_columns_of_a_pool_are_raters(folder, metric):
    shuffled = random.Random(0)
    texts = [" ".join(shuffled.sample(WORDS.split(), 8)) for _ in range(24)]
    frame = pd.DataFrame({"text": texts, "ann": [1 + n % 5 for n in range(24)], "bob": [1 + n % 3 for n in range(24)]})
    frame.to_csv("pool.csv", index=False)
    melted = frame.melt("text", ["ann", "bob"], "rater", "rating")
    made = metric_spec(metric).maker()
    expected = made(melted["text"].tolist(), melted["rating"].tolist()).predict(texts)
    assert made(pool="pool.csv", pool_rating_column=["ann", "bob"]).predict(texts) == pytest.approx(expected)
    assert made(pool="pool.csv", pool_rating_column="bob").predict(texts) != pytest.approx(expected)
    if metric == "bleu_neighbors":
        frame["text"].to_csv("a.txt", index=False, header=False)
        raters = "--pool-rating-column ann --pool-rating-column bob"
        told = done(f"score a.txt --metric {metric} --pool pool.csv {raters} -f json").stdout
        assert json.loads(told)["mean"] == pytest.approx(expected.mean)
