"""Every option that names a column: an error about the column names the one option that mends it, which then does."""

import json
import random
import re

import click
import pytest
from click.testing import CliRunner

from metric_commons.cli.metric_options import options_for
from metric_commons.cli.per_metric_commands import PerMetricCommand
from metric_commons.files.tables import ColumnName
from metric_commons.registry import metric_specs
from referenceless_metrics.cli import cli

WORDS = ("cheap", "good", "thai", "the", "food", "near", "serves", "place", "a", "nice", "park", "is", "by")
COLUMNS = {
    "text": "output", "rating": "fluency", "group": "kind", "source": "mr", "reference": "human", "item": "nr",
    "system": "model", "rater": "who", "candidates": "list", "estimates": "guess",
}  # fmt: skip
RATED = ("--text-column", "output", "--rating-column", "fluency")
BLEU = ("--metric", "bleu_neighbors", "--pool", "all.csv", "--pool-text-column", "output", "--pool-rating-column",
        "fluency")  # fmt: skip
RIGHT = {
    "score": ("all.csv", "-f", "csv", "--text-column", "output", "--id-column", "nr", *BLEU),
    "score references": ("all.csv", "--metric", "rouge_lm", "--text-column", "output", "--reference-columns", "human"),
    "score sources": ("all.csv", "--metric", "quality_estimation", "--text-column", "output", "--source-column", "mr"),
    "compare": ("all.csv", "other.csv", "--text-column", "output", *BLEU),
    "report": ("all.csv", "other.csv", "-o", "OUT.html", "--text-column", "output", *BLEU[2:]),
    "rerank": ("all.csv", "--metric", "fluency", "--input-column", "kind", "--text-column", "output"),
    "rerank lists": ("all.csv", "--metric", "fluency", "--candidates-column", "list"),
    "advise": ("all.csv", *RATED, "--group-column", "kind", "--no-quality-estimator"),
    "calibrate": ("all.csv", *RATED, "--group-column", "kind"),
    "fit": ("all.csv", *RATED, "-o", "OUT.index"),
    "fit estimator": (
        "all.csv",
        "--metric",
        "quality_estimation",
        *RATED,
        "--source-column",
        "mr",
        "--group-by",
        "kind",
        "--reference-columns",
        "human",
        "-o",
        "OUT.npz",
    ),
    "sample": ("all.csv", "other.csv", "--text-column", "output", "-n", "4", "--raters", "2", "-o", "OUT"),
    "agreement": (
        "all.csv",
        "--item-column",
        "nr",
        "--system-column",
        "model",
        "--rater-column",
        "who",
        "--rating-column",
        "fluency",
    ),
    "human-score": (
        "all.csv",
        "--text-column",
        "output",
        "--ratings",
        "all.csv",
        "--ratings-text-column",
        "output",
        "--rating-column",
        "fluency",
        "--system-column",
        "model",
        "--estimates-column",
        "guess",
        "--cluster-column",
        "kind",
    ),
    "human-score raters": (
        "--ratings",
        "all.csv",
        "--system-column",
        "model",
        "--rating-column",
        "fluency",
        "--item-column",
        "nr",
        "--rater-column",
        "who",
    ),
    "train measure": ("all.csv", *RATED, "-o", "OUT.npz", "--metric", "wpslor"),
}
NOT_READ = {"--model-rating-column"}  # which of a model's files
OPTIONAL = {("agreement", "--system-column"), ("human-score", "--system-column")}  # files without it are read too
CASES = [
    (command, place)
    for command, arguments in RIGHT.items()
    for place, argument in enumerate(arguments)
    if re.search(r"-columns?$|^--group-by$", argument) and (command, argument) not in OPTIONAL
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Two tables whose columns all have names that nothing takes by itself."""
    folder, draw = tmp_path_factory.mktemp("columns"), random.Random(1)
    for name in ("all", "other"):
        rows = []
        for number in range(60):
            text = f"{number} {' '.join(draw.choices(WORDS, k=8))}".replace("0", "zero ")
            rows.append({
                "output": text, "fluency": str(draw.randint(1, 6)), "kind": f"g{number // 6}", "nr": str(number),
                "mr": "inform(name='Loch Fyne';food=thai)", "human": text + " too", "model": "all.csv",
                "who": f"r{number % 3}", "list": json.dumps([text, "a b"]), "guess": str(draw.random()),
            })  # fmt: skip
        lines = [",".join('"' + str(cell).replace('"', '""') + '"' for cell in row.values()) for row in rows]
        (folder / f"{name}.csv").write_text("\n".join([",".join(rows[0]), *lines]) + "\n", encoding="utf-8")
    return folder


def run(folder, tmp_path, command, arguments):
    name = (command,) if command == "train measure" else (command.split()[0],)
    files = [
        str(folder / one) if (folder / one).exists() else one.replace("OUT", f"{tmp_path}/out") for one in arguments
    ]
    return CliRunner().invoke(cli, [*" ".join(name).split(), *files])


@pytest.mark.parametrize("command", RIGHT)
def test_the_right_columns_are_read(folder, tmp_path, command):
    result = run(folder, tmp_path, command, RIGHT[command])
    assert result.exit_code == 0, (result.output, result.exception)


@pytest.mark.parametrize(("command", "place"), CASES, ids=[f"{name} {RIGHT[name][place]}" for name, place in CASES])
def test_a_wrong_column_names_the_option_that_mends_it(folder, tmp_path, command, place):
    """With a name that the file lacks, and, where an option has a default, with the option left out."""
    arguments = RIGHT[command]
    option = arguments[place]
    tried = [(*arguments[: place + 1], "absent", *arguments[place + 2 :])]
    if (
        option.endswith(("text-column", "rating-column", "item-column", "rater-column"))
        and command != "human-score raters"
    ):
        tried.append((*arguments[:place], *arguments[place + 2 :]))
    for wrong in tried:
        told = str(run(folder, tmp_path, command, wrong).exception)
        assert re.findall(r"--[a-z-]+", told) == [option], told
        assert "'output'" in told or "'fluency' (1 to 6)" in told or option == "--ratings-text-column"
    if option.endswith("rating-column"):
        assert "'nr' (0 to 59), 'guess'" in told.replace("'fluency' (1 to 6), ", "")
        assert "'output'" not in told


def column_options(command):
    """Yield the options of a command, and of those below it and of each metric that it takes, that name a column."""
    if isinstance(command, click.Group):
        for name in command.list_commands(click.Context(command)):
            found = command.get_command(click.Context(command), name)
            assert found is not None
            yield from column_options(found)
        return
    if str(getattr(command.callback, "__module__", "")).startswith("referenceless_papers"):  # another distribution's
        return
    shown = [*command.params]
    for spec in metric_specs():
        if isinstance(command, PerMetricCommand):
            shown += spec.load(str(command.name)).params if getattr(spec, str(command.name)) else []
        else:
            shown += options_for(spec).shown
    for one in shown:
        if isinstance(one, click.Option) and re.search(r"-columns?$|^--group-by$", one.opts[0]):
            assert isinstance(one.type.convert("x", one, None), ColumnName) or one.opts[0] in NOT_READ, one.opts
            yield one.opts[0]


def test_every_option_that_names_a_column_is_tried():
    tried = {RIGHT[command][place] for command, place in CASES} | {option for _, option in OPTIONAL} | NOT_READ
    assert set(column_options(cli)) == tried


def test_python_is_told_the_argument(folder):
    from bleu_neighbors_metric.pool_source import bleu_neighbors

    with pytest.raises(ValueError, match=r"no column 'text' \(pool_text_column\)"):
        bleu_neighbors(pool=str(folder / "all.csv"))
    with pytest.raises(ValueError, match=r"no column 'rating' \(pool_rating_column\); the columns of numbers are 'flu"):
        bleu_neighbors(pool=str(folder / "all.csv"), pool_text_column="output")
