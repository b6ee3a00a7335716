"""The paper's tables and figures (Dušek, Novikova & Rieser 2017), published beside measured.

Figures that need no training are measured at once. Networks are trained on request, set-up by set-up; those that are
not come from the package's record, which names their training data.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from referenceless_metrics.core.support.validation import InputError, check_choice
from referenceless_papers.common.report import Report
from referenceless_papers.common.run import Part, measure_parts
from referenceless_papers.dusek import tables
from referenceless_papers.dusek.kernel import NAME, kernel_estimates
from referenceless_papers.dusek.measures import Values
from referenceless_papers.dusek.networks import FAMILIES, first_seed, setups_of, summaries, train_family
from referenceless_papers.dusek.published_network import network_settings, network_signature
from referenceless_papers.dusek.ratings import FOLDER, NLGRatings
from referenceless_papers.dusek.record import SIZES, Networks, read_networks
from referenceless_papers.dusek.training_sets import SETUPS, Corpus
from referenceless_papers.gru_estimator.inputs import GRUSettings


@dataclass(frozen=True)
class Measured:
    """Material of the parts: the rated outputs, networks of both sizes, and variants of the small one."""

    ratings: NLGRatings
    small: Networks
    large: Networks
    varied: Networks

    @property
    def estimates(self) -> dict[str, Values]:
        """The small networks' estimates of these ratings; recorded ones say nothing of other rows than theirs."""
        n = len(self.ratings)
        return {name: values for name, values in self.small.estimates.items() if len(values) == n}


PARTS = {
    "tables-1-2": Part(
        "Tables 1 and 2: what is rated and trained on", lambda data: tables.counts(data.ratings, data.small.summaries)
    ),
    "metrics": Part(
        "Tables 3 to 5: metrics with references, and a constant", lambda data: tables.metric_rows(data.ratings)
    ),
    "table-3": Part("Table 3: S1 to S6", lambda data: tables.small_rows(data.small, data.large)),
    "table-3-large": Part("Table 3: S1 to S6 with the paper's network", lambda data: tables.large_rows(data.large)),
    "tables-4-5": Part("Tables 4 and 5: S1 to S6", lambda data: tables.out_of_set_rows(data.small.summaries)),
    "references": Part("Tables 3 to 5: who has seen references", lambda data: tables.reference_use()),
    "williams": Part("Williams' tests", lambda data: tables.williams_part(data.ratings, data.estimates)),
    "grouped": Part(
        "Beyond the paper: equal outputs kept together", lambda data: tables.grouped_rows(data.small.summaries)
    ),
    "kernel": Part("Beyond the paper: the default estimator", lambda data: tables.kernel_rows(data.small.summaries)),
    "described": Part(
        "Beyond the paper: distortions as the text describes them",
        lambda data: tables.family_table(data.small.summaries, "described"),
    ),
    "lexicalised": Part(
        "Section 4.1: without delexicalisation", lambda data: tables.lexicalised_range(data.small.summaries)
    ),
    "variants": Part(
        "Beyond the paper: what it tried and dropped, and encoders that it names",
        lambda data: tables.variant_rows(data.varied),
    ),
    "figure-2": Part("Figure 2: two outputs", lambda data: tables.figure_2(data.ratings, data.estimates.get("S4"))),
    "text": Part("Text: the set-up", lambda data: tables.settings_rows(data.ratings)),
}
"""The parts by name."""


def open_corpora(data_dir: Path) -> dict[bool, Corpus]:
    """Return the texts, delexicalised and not.

    Raises:
        InputError: if the folder of ratings is missing.
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
        seeds: number of networks per fold.
        device: `cpu` or `cuda`.
        tell: takes a line on each set-up.

    Raises:
        ValueError: for an unknown family or set-up.
    """
    networks = Networks(
        f"{settings.layers} × {settings.units} units, learning rate {settings.learning_rate:g}, {settings.passes} "
        f"passes, of which {settings.synthetic_passes} over synthetic texts where there are any (more passes where 100 "
        f"texts are rated), on {device}"
    )
    for family in families:
        check_choice(family, "families", tuple(FAMILIES))
        corpus = corpora[FAMILIES[family].delexicalised]
        known = (*setups_of(family), *((NAME,) if family in tables.KERNEL_FAMILIES else ()))
        for setup in setups:
            check_choice(setup, "setups", (*SETUPS, NAME))
            if setup not in known:
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


def reproduce(
    corpora: dict[bool, Corpus],
    trained: Networks | None = None,
    *,
    network: str = "small",
    varied: Networks | None = None,
) -> Report:
    """Measure the paper's tables.

    Args:
        corpora: texts, delexicalised and not.
        trained: networks that were trained here; their set-ups take the place of the record's.
        network: their size, `small` or `published`.
        varied: variants that were trained here; they take the place of the record's.
    """
    check_choice(network, "network", SIZES)
    kept = {}
    for name in SIZES:
        recorded = read_networks(name)
        kept[name] = recorded or Networks("not trained for this record")
        if trained is not None and name == network:
            how = f"{trained.how}, trained now ({', '.join(trained.summaries)})"
            how += f"; all others recorded with the package, {recorded.how}" if recorded else ""
            kept[name] = kept[name].updated(trained, how)
    others = read_networks("variants") or Networks("not trained for this record")
    if varied is not None:
        others = others.updated(varied, varied.how)
    return Report(
        "Quality estimation, reproduced",
        "Dušek, Novikova & Rieser (2017), *Referenceless Quality Estimation for Natural Language Generation*, measured "
        "again on the same rated outputs. Written by `referenceless reproduce dusek --data-dir DIR -o out/`.",
        network_signature(network_settings(network)),
        measure_parts("dusek", PARTS, Measured(corpora[True].ratings, kept["small"], kept["published"], others)),
    )
