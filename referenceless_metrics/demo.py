"""The command `demo`: metrics on packaged examples, an abstention, a refused claim, and the commands to run next.

The texts and ratings are made up for demonstration and are no human data.
"""

from __future__ import annotations

import random
import textwrap
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import click
import numpy as np

from referenceless_metrics.core.files.atomic import atomic_write
from referenceless_metrics.core.files.output import fitted_table, render, shorten
from referenceless_metrics.core.files.paper_tables import UNDEFINED
from referenceless_metrics.core.results import MetricResult

_WIDTH = 58
#: Indices of the example texts that are shown: pairs of prose and its salad, and one text on which a metric abstains.
_SHOWN = (0, 1, 4, 5, 6, 7)
_CANDIDATES = (0, 2, 3, 4, 5, 6, 10)
_RUSSIAN = ("Мама читает книгу .", "Папа читает газету .", "Мама мыла раму .", "Книгу читает папа .")
_NO_PROSE = "12 + 34 = 46 ; 17 : 00"
_RATED = 12

HEADING = "Referenceless metrics on packaged examples. Texts and ratings are made up; they are no human data."
NEXT = """Next
  referenceless demo --files .         the files of the commands below; --all shows SLOR, WPSLOR and ROUGE-LM, too
  referenceless score outputs.txt      fluency, from outputs alone
  referenceless advise pool.csv        what can your ratings carry, and which metric?
  referenceless sample baseline.txt ours.txt -n 12 --raters 3 -o study      ask people which system is better
"""


class Section(NamedTuple):
    """One part of the demonstration.

    Attributes:
        title: its heading.
        says: its content, in a line or two.
        body: the table or the message.
    """

    title: str
    says: str
    body: str

    def printed(self) -> str:
        """Return the part as the command prints it."""
        return f"{self.title}\n{self.says}\n\n{self.body.rstrip()}\n"


@click.command("demo", epilog="Example: referenceless demo --files example/")
@click.option("--files", type=click.Path(), help="Folder to write the example files to, for commands of your own.")
@click.option("--all", "every", is_flag=True, help="Also SLOR, WPSLOR and ROUGE-LM.")
def demo(files: str | None, every: bool) -> None:
    """Show metrics on packaged examples. Needs no network and no data.

    Three tables, abstentions with their reasons, a claim that is refused and why, and what to run next. With --files
    the example files are written, and nothing else is shown.
    """
    if files is not None:
        click.echo(f"Example files: {', '.join(map(str, write_example_files(files)))}")
        return
    click.echo(f"{HEADING}\n")
    for section in sections(every=every):
        click.echo(section.printed())
    click.echo(NEXT.rstrip())


def sections(*, every: bool = False) -> Iterator[Section]:
    """Yield the parts one by one, each computed when it is asked for.

    Args:
        every: whether SLOR, WPSLOR and ROUGE-LM are shown too.
    """
    yield _fluency()
    yield _bleu_neighbors()
    yield _quality_estimation()
    if every:
        yield from _published_fluency()
    yield _refused_claim()


def _fluency() -> Section:
    from slor_metric import Fluency
    from slor_metric.example import example_texts

    texts = [*(example_texts().texts[i] for i in _SHOWN), _NO_PROSE]
    says = (
        "How acceptable sentences are, from outputs alone: 0 is the mean of edited prose. It abstains if there is no\n"
        'prose to judge. It errs, too: "The committee will publish its next." lacks its end, and has a score above 0.'
    )
    return Section("Fluency", says, _table("fluency", texts, Fluency().predict(texts)))


def _published_fluency() -> Iterator[Section]:
    from slor_metric import ROUGELM, SLOR, WPSLOR
    from slor_metric.example import example_texts

    sentences = example_texts()
    texts = [sentences.texts[i] for i in _SHOWN]
    references = [list(sentences.references[i]) for i in _SHOWN]
    says = "Fluency from a packaged language model: nats a token, higher is better. Needs outputs alone."
    yield Section("WPSLOR", says, _table("wpslor", texts, WPSLOR().predict(texts)))
    says = "The same over words, for text whose words the model knows."
    yield Section("SLOR", says, _table("slor", texts, SLOR().predict(texts)))
    says = "Overlap with references and fluency in one score, z(ROUGE-L) + z(WPSLOR). Needs references."
    yield Section("ROUGE-LM", says, _table("rouge_lm", texts, ROUGELM().predict(texts, references=references)))


def _bleu_neighbors() -> Section:
    from bleu_neighbors_metric import BLEUNeighbors
    from bleu_neighbors_metric.example import example_candidates, example_pool

    pool, candidates = example_pool(), example_candidates()
    texts = [candidates[place] for place in _CANDIDATES]
    result = BLEUNeighbors().fit(pool.texts, pool.ratings).predict(texts)
    says = (
        f"The mean rating of the rated texts that resemble a text; here {len(pool)} of them, rated from 0 to 1.\n"
        "It abstains where too few do: nobody rated anything like the last text."
    )
    return Section("BLEU Neighbors", says, _table("bleu_neighbors", texts, result, ("n_neighbors",)))


def _quality_estimation() -> Section:
    from quality_estimation_metric import QualityEstimator
    from quality_estimation_metric.example import RATINGS, SOURCES, TEXTS

    source = "inform(name='Loch Fyne';food=thai;area='old harbour')"
    texts = [
        "Loch Fyne is a nice thai restaurant in old harbour.",
        "Loch Fyne is a nice restaurant.",
        "Loch Fyne in in the old harbour serves food food.",
        "thai thai Loch Fyne area is serves.",
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # four short texts, two of them salad, need not look like English
        estimator = QualityEstimator().fit(TEXTS, RATINGS, sources=SOURCES)
        result = estimator.predict(texts, sources=[source] * len(texts))
    says = (
        f"Learned from {len(TEXTS)} texts rated from {min(RATINGS):g} to {max(RATINGS):g}, each with what it "
        "should say. An interval for each:\n"
        f"source {source}"
    )
    return Section("Quality estimation", says, _table("quality_estimation", texts, result, ("lower", "upper")))


def _refused_claim() -> Section:
    from referenceless_metrics.core.support.validation import InputError
    from referenceless_metrics.human_evaluation.inference.human_score import human_scores
    from referenceless_metrics.human_evaluation.inference.output_ratings import SystemRatings

    generator = np.random.default_rng(0)
    rated = np.round(generator.uniform(1, 6, _RATED) * 2) / 2
    systems = [
        SystemRatings("baseline", rated, generator.uniform(1, 6, _RATED)),
        SystemRatings("ours", np.full(_RATED, np.nan), generator.uniform(3, 6, _RATED)),
    ]
    try:
        human_scores(systems)
    except InputError as error:
        reason = textwrap.fill(str(error), 96)
    says = '"People like our system better than the baseline": the estimates say so, but only the baseline was rated.'
    return Section("A claim that is refused", says, f"Refused: {reason}")


def write_example_files(folder: str | Path) -> list[Path]:
    """Write the packaged examples as files to try the commands on, and return them.

    - `pool.csv`: texts with their ratings.
    - `outputs.txt`, `outputs.parquet`: texts to judge.
    - `baseline.txt`, `ours.txt`: outputs of two systems; `sources.txt`, `references.txt`: their sources, and texts that
      a person would have written; `ratings.csv`: ratings of a part of them.
    - `rated_outputs.csv`: other outputs with their sources and ratings.
    - `russian.txt.xz`: sentences to train a language model on.

    Raises:
        FileExistsError: if one of these names is a file of other content; nothing is written then.
        OSError: if the folder cannot be made or written.
    """
    import lzma
    from io import BytesIO

    import pyarrow as pa
    import pyarrow.parquet as pq

    from bleu_neighbors_metric.example import example_candidates, example_pool
    from quality_estimation_metric import example

    pool, outputs = example_pool(), example_candidates()
    items = sorted(random.Random(0).sample(range(len(example.SYSTEM_SOURCES)), 20))  # drawn at random
    rated = list(zip(pool.texts, pool.ratings.tolist(), strict=True))
    of_systems = [
        (f"{system}.txt", texts[item], example.SYSTEM_RATINGS[system][item])
        for system, texts in example.SYSTEM_OUTPUTS.items()
        for item in items
    ]
    with_sources = zip(example.TEXTS, example.RATINGS, example.SOURCES, strict=True)
    contents = {
        "pool.csv": _csv("text rating", rated),
        "outputs.txt": _lines(outputs),
        **{f"{system}.txt": _lines(texts) for system, texts in example.SYSTEM_OUTPUTS.items()},
        "sources.txt": _lines(example.SYSTEM_SOURCES),
        "references.txt": _lines(example.SYSTEM_REFERENCES),
        "ratings.csv": _csv("system text rating", of_systems),
        "rated_outputs.csv": _csv("text rating source", with_sources),
    }
    files = {name: text.encode() for name, text in contents.items()}
    parquet = BytesIO()
    pq.write_table(pa.table({"text": outputs}), parquet)
    files |= {"outputs.parquet": parquet.getvalue(), "russian.txt.xz": lzma.compress(_lines(_RUSSIAN * 30).encode())}
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    places = {target / name: data for name, data in files.items()}
    others = [path.name for path, data in places.items() if path.exists() and not _holds(path, data)]
    if others:
        raise FileExistsError(
            f"Expected {target} to have no files of the examples' names with other content, but got "
            f"{', '.join(others)}; nothing was written: name another folder"
        )
    for path, data in places.items():
        with atomic_write(path) as file:
            file.write(data)
    return list(places)


def _holds(path: Path, data: bytes) -> bool:
    return path.is_file() and path.read_bytes() == data


def _table(name: str, texts: Sequence[str], result: MetricResult, columns: Sequence[str] = ()) -> str:
    """Return one row per text, the highest value first, and abstentions last with their reasons."""
    order = np.argsort(-result.values, kind="stable").tolist()
    cells = {
        name: [_number(result.values[i]) for i in order],
        **{each.replace("n_", ""): [_number(result.columns[each][i]) for i in order] for each in columns},
        "text": [shorten(texts[i], _WIDTH) for i in order],
    }
    if not result.covered.all():
        cells["reason"] = [result.reasons[i] or "" for i in order]
    return fitted_table(cells, {name: "left" if name in ("text", "reason") else "right" for name in cells}, None)


def _number(value: Any) -> str:
    if value != value:
        return UNDEFINED
    return f"{value:.2f}" if isinstance(value, float) else str(value)


def _lines(texts: Sequence[str]) -> str:
    return "".join(f"{text}\n" for text in texts)


def _csv(header: str, rows: Any) -> str:
    return render([dict(zip(header.split(), row, strict=True)) for row in rows], {}, "csv")
