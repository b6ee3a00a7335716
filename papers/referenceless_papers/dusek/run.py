"""The paper's tables and figures (Dušek, Novikova & Rieser 2017), published beside measured.

What needs no training is measured at once. Networks are trained on request, set-up by set-up; those that are not
come from the package's record, which names what they were trained on.
"""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from metric_commons.support.errors import InputError
from metric_commons.support.validation import check_choice
from quality_estimation_metric.gru_model.settings import GRUSettings
from referenceless_papers.dusek import published, tables
from referenceless_papers.dusek.figures import correlations_figure
from referenceless_papers.dusek.kernel import NAME, kernel_estimates
from referenceless_papers.dusek.measures import Values
from referenceless_papers.dusek.networks import FAMILIES, first_seed, summaries, train_family
from referenceless_papers.dusek.ratings import FOLDER
from referenceless_papers.dusek.record import pack_halves, read_record, unpack_halves
from referenceless_papers.dusek.training_sets import SETUPS, Corpus
from referenceless_papers.ethayarajh.cells import Cell, Figure, Missing, PartResult, Table

HEADING = (
    "# Quality estimation, reproduced",
    "",
    "Dušek, Novikova & Rieser (2017), *Referenceless Quality Estimation for Natural Language Generation*, measured "
    "again on the same rated outputs. Written by `referenceless reproduce dusek --data-dir DIR -o out/`.",
)

_NO_LARGE = (
    "2 × 300 units, 82 steps a text, 500 passes and 25 networks are days of a CPU's work; "
    "`--network published --device cuda --train S1 --seeds 5` trains them on a GPU"
)


@dataclass
class Networks:
    """Networks of one size, with their figures.

    Attributes:
        how: what they are and where they were trained.
        summaries: by key, such as `pair/S1` or `SFHot.C2/S4`.
        cpu_seconds: what training and estimating took, by family and set-up, such as `C2/S4`.
        estimates: of the published folds, by set-up: the first seed's, rounded, shape (n,).
    """

    how: str
    summaries: dict[str, Any] = field(default_factory=dict)
    cpu_seconds: dict[str, int] = field(default_factory=dict)
    estimates: dict[str, Values] = field(default_factory=dict)

    def as_record(self) -> dict[str, Any]:
        """Return what a record keeps of them."""
        return {
            "how": self.how,
            "cpu_seconds": self.cpu_seconds,
            "summaries": self.summaries,
            "estimates": {setup: pack_halves(values) for setup, values in self.estimates.items()},
        }


def open_corpora(data_dir: Path) -> dict[bool, Corpus]:
    """Return the texts, delexicalised and not.

    Raises:
        InputError: where the folder of ratings is missing.
    """
    folder = data_dir / FOLDER
    if not folder.is_dir():
        raise InputError(f"{data_dir}: it holds no {FOLDER}/")
    return {flag: Corpus(folder, delexicalised=flag) for flag in (True, False)}


def train_networks(
    corpora: dict[bool, Corpus],
    settings: GRUSettings,
    *,
    families: Sequence[str] = tuple(FAMILIES),
    setups: Sequence[str] = SETUPS,
    seeds: int = 2,
    device: str = "cpu",
    tell: Callable[[str], None] | None = None,
) -> Networks:
    """Train networks and summarise their estimates.

    Args:
        corpora: texts, delexicalised and not.
        settings: sizes and training.
        families: names in `FAMILIES`.
        setups: S1 to S6, and `kernel` for the default estimator.
        seeds: how many networks a fold.
        device: `cpu` or `cuda`.
        tell: takes a line on each set-up.

    Raises:
        ValueError: for an unknown family or set-up.
    """
    size = f"{settings.layers} × {settings.units} units"
    networks = Networks(
        f"{size}, learning rate {settings.learning_rate:g}, {settings.passes} passes, of which "
        f"{settings.synthetic_passes} over synthetic texts where there are any (more passes where 100 texts are "
        f"rated), on {device}"
    )
    for family in families:
        check_choice(family, "families", tuple(FAMILIES))
        corpus = corpora[FAMILIES[family].delexicalised]
        for setup in setups:
            check_choice(setup, "setups", (*SETUPS, NAME))
            if (family == "described" and setup == "S1") or (setup == NAME and family not in tables.KERNEL_FAMILIES):
                continue
            begin = time.process_time()
            if setup == NAME:
                found = kernel_estimates(corpus, family)
            else:
                found = train_family(corpus, family, setup, settings, seeds=range(seeds), device=device)
            networks.summaries |= summaries(corpus, family, setup, found)
            networks.cpu_seconds[f"{family}/{setup}"] = round(time.process_time() - begin)
            if family == "pair":
                networks.estimates[setup] = first_seed(found, len(corpus.ratings.texts))
            if tell is not None:
                tell(f"{setup}, {FAMILIES[family].title}: {time.process_time() - begin:.0f} CPU s")
    return networks


def recorded_networks(name: str, path: str | os.PathLike[str] | None = None) -> Networks:
    """Return the networks of a record, `small` or `published`; none where it has none of these."""
    content = read_record(path).get(name)
    if content is None:
        return Networks("none")
    estimates = {setup: unpack_halves(text) for setup, text in content.get("estimates", {}).items()}
    return Networks(content["how"], content["summaries"], content.get("cpu_seconds", {}), estimates)


def reproduce(
    corpora: dict[bool, Corpus], trained: Networks | None = None, *, network: str = "small"
) -> dict[str, PartResult]:
    """Return the parts of the reproduction by title.

    Args:
        corpora: texts, delexicalised and not.
        trained: networks that were trained here; their set-ups take the place of the record's.
        network: their size, `small` or `published`.
    """
    check_choice(network, "network", ("small", "published"))
    kept = {name: recorded_networks(name) for name in ("small", "published")}
    if trained is not None:
        kept[network] = _merged(kept[network], trained)
    small, large = kept["small"], kept["published"]
    ratings = corpora[True].ratings
    figures = small.summaries
    # row by row; recorded ones say nothing of other rows than those of the published file
    estimates = {name: values for name, values in small.estimates.items() if len(values) == len(ratings.texts)}
    parts = {
        "Tables 1 and 2: what is rated and trained on": tables.counts(ratings, figures),
        "Tables 3 to 5: metrics with references, and a constant": tables.metric_rows(ratings),
        "Table 3: S1 to S6": tables.network_rows(figures, "the small network"),
        "Table 3: S1 to S6 with the paper's network": tables.network_rows(large.summaries, "the paper's network"),
        "Tables 4 and 5: S1 to S6": tables.out_of_set_rows(figures),
        "Tables 3 to 5: who has seen references": tables.reference_use(),
        "Williams' tests": tables.williams_part(ratings, estimates),
        "Beyond the paper: equal outputs kept together": tables.family_table(figures, "text"),
        "Beyond the paper: the default estimator": tables.kernel_rows(figures),
        "Beyond the paper: distortions as the text describes them": tables.family_table(figures, "described"),
        "Section 4.1: without delexicalisation": tables.lexicalised_range(figures),
        "Figure 2: two outputs": tables.figure_2(ratings, estimates.get("S4")),
        "Text: the set-up": tables.settings_rows(ratings, 5),
    }
    parts["Table 3: S1 to S6"].tables.insert(0, Table("The set-ups", tables.setup_titles()))
    parts["Table 3: S1 to S6"].notes.append(f"The small network: {small.how}.")
    large_part = parts["Table 3: S1 to S6 with the paper's network"]
    if not large.summaries:
        large.how = "not trained for this record"
        large_part.missing[:] = [Missing("S1 to S6 with the paper's network", _NO_LARGE)]
    large_part.notes.append(f"The paper's network: {large.how}.")
    parts["Beyond the paper: equal outputs kept together"].notes.append(
        "An output that recurs, names and addresses aside, is in training and in test when folds keep (MR, text) "
        "together, as published; here it is not. The fall from Table 3 is what repeated outputs carry."
    )
    parts["Table 3: S1 to S6"].figures.append(
        Figure(
            "pearson",
            "Pearson's r of S1 to S6: published, measured, and with equal delexicalised outputs kept together",
            lambda path: correlations_figure(figures, large.summaries, path),
        )
    )
    return parts


def _merged(recorded: Networks, trained: Networks) -> Networks:
    """Put what was trained in the place of what was recorded."""
    how = f"{trained.how}, trained now ({', '.join(trained.summaries)})"
    if recorded.summaries:
        how += f"; all others recorded with the package, {recorded.how}"
    return Networks(
        how,
        {**recorded.summaries, **trained.summaries},
        {**recorded.cpu_seconds, **trained.cpu_seconds},
        {**recorded.estimates, **trained.estimates},
    )


def uncovered(parts: dict[str, PartResult]) -> list[published.PublishedCell]:
    """Return published cells that stand neither beside a measured value nor among what is explained."""
    named = {"text": "Text", "figure2": "Figure 2"}
    cells: set[tuple[str, str]] = {
        (cell.table, cell.figure) for part in parts.values() for cell in part.cells if _is_told(cell)
    }
    told = [str(each) for part in parts.values() for each in part.missing]
    lacking = []
    for cell in published.published_cells():
        table = f"{named.get(cell.table, f'Table {cell.table}')}, {cell.row}"
        if cell.column.startswith("lexicalised"):
            table = "Section 4.1"
        if (table, cell.column) not in cells and not any(_explains(line, table, cell.column) for line in told):
            lacking.append(cell)
    return lacking


def _explains(line: str, table: str, column: str) -> bool:
    """Whether a line is about a row's cell: it names the row alone, or what the column begins with, or Table 3."""
    if not line.startswith(table):
        return False
    rest = line[len(table) :]
    return (
        rest.startswith(":")
        or table.startswith("Table 3")
        or column.startswith(rest.strip(", ").split(":")[0].split(" ")[0])
    )


def _is_told(cell: Cell) -> bool:
    return not math.isnan(cell.measured)


def missing_of(parts: dict[str, PartResult]) -> list[Missing]:
    """Return all that could not be measured."""
    return [each for part in parts.values() for each in part.missing]
