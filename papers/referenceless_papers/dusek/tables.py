"""The paper's tables from counts, metric scores and summaries of networks, published beside measured."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

import numpy as np

from referenceless_metrics.assessment.meta_evaluation import pearson
from referenceless_papers.common.cells import Cell, Figure, Missing, PartResult, Table
from referenceless_papers.common.published import published, published_figures
from referenceless_papers.dusek.figures import correlations_figure
from referenceless_papers.dusek.folds import IN_SET, N_PARTS, out_of_set_splits
from referenceless_papers.dusek.measures import (
    Values,
    levels,
    measures,
    measures_of_draws,
    pairs_of_ratings,
    williams_tables,
)
from referenceless_papers.dusek.networks import FAMILIES, SETS, VARIANTS, setups_of
from referenceless_papers.dusek.published_network import PUBLISHED
from referenceless_papers.dusek.ratings import METRIC_COLUMNS, NLGRatings
from referenceless_papers.dusek.record import Networks
from referenceless_papers.dusek.training_sets import SETUP_TITLES, SETUPS

CRITERION = "quality"
CONSTANT = 4.5
KERNEL_FAMILIES = ("pair", "text", "C1", "C2", "C3")
_MEASURES = ("pearson", "spearman", "mae", "rmse")
_SPLITS = ("C1", "C2", "C3")
_SEEDS = 5
_DRAWS = 1000
_METRIC_KEYS = {"bleu": "BLEU", "meteor": "METEOR", "rouge": "ROUGE-L", "cider": "CIDEr"}
_USES = "uses_references_of_test_instances"
_LARGE = ", 2 × 300 units"
_NO_LARGE = (
    "2 × 300 units, 82 steps a text: a pass over S1's rated texts takes 15 s of a CPU's core, 500 passes 2.1 hours, "
    "and 25 networks 52 hours; S2 to S6, Tables 4 and 5, Section 4.1 and variants more; `--network published --device "
    "cuda --train S1 --seeds 5` trains on a GPU"
)


def metric_levels(ratings: NLGRatings) -> dict[str, Values]:
    """Return each metric's level of each output as a rating, shape (n,)."""
    return {name: levels(scores, scale=name == "CIDEr") for name, scores in ratings.metrics.items()}


def counts(ratings: NLGRatings, summaries: Mapping[str, Any]) -> PartResult:
    """Tables 1 and 2: rated outputs by system and data set, and the number of training instances of S1 to S6."""
    result = PartResult()
    found = Counter(zip(ratings.systems.tolist(), ratings.datasets.tolist(), strict=True))
    for place, column in published_figures("dusek"):
        table, _, row = place.partition(", ")
        if table == "Table 1":
            of_cell = [
                number
                for (system, dataset), number in found.items()
                if row in (system, "Total") and column in (dataset, "Total")
            ]
            result.cells.append(Cell(place, column, sum(of_cell)))
    for setup, summary in _summaries(result, summaries, "2", "pair", "pair"):
        result.cells.append(Cell(f"Table 2, {setup}", "instances", float(np.mean(summary["instances"]))))
    result.notes += [
        "Table 2 is a mean over folds. S2 to S6 distort one of the three training parts, four versions and the text "
        "itself a source, as Table 2 says too; the networks that distort all three, as the text of the paper says, "
        "stand below with their own instances.",
        "In the order drawn here the parts hold 492 rows each; the paper's S2 has one instance more. The training "
        "parts of SFRest and SFHot hold 6,337 texts in the files at hand and 6,339 in the paper.",
    ]
    return result


def metric_rows(ratings: NLGRatings) -> PartResult:
    """Rows of Tables 3 to 5 that need no training: metrics with references, and a constant."""
    result = PartResult()
    truth = ratings.ratings[CRITERION]
    estimates = {"Constant": np.full(len(truth), CONSTANT), **metric_levels(ratings)}
    for name, values in estimates.items():
        result.cells += _cells("3", name, "", measures(values, truth)._asdict())
    rng = np.random.default_rng(0)
    for (title, table), inside in zip(
        SETS.items(), (ratings.datasets == "SFHot", ratings.systems == "LOLS"), strict=True
    ):
        test = out_of_set_splits(inside)["C1"].test
        within = np.flatnonzero(inside)
        draws = np.stack([rng.choice(within, size=len(test), replace=False) for _ in range(_DRAWS)])
        for name, values in estimates.items():
            ends = np.quantile(measures_of_draws(values[draws], truth[draws]), (0.025, 0.975), axis=0)
            measured = measures(values[test], truth[test])._asdict()
            for split in _SPLITS:
                result.cells += _cells(table, name, f"{split}.", measured, ends)
        result.notes.append(
            f"Table {table} tests on {len(test)} outputs of {title}, the rest after {2 * IN_SET} that C1 and C3 learn "
            "from. Which ones the paper drew is not known: intervals are the central 95% over "
            f"{_DRAWS:,} draws of as many outputs."
        )
    return result


def small_rows(small: Networks, large: Networks) -> PartResult:
    """S1 to S6 of Table 3 by the small networks, with the figure."""
    result = _network_rows(small, "The small network")
    titles = tuple({"set-up": setup, "trains on": title} for setup, title in SETUP_TITLES.items())
    result.tables.insert(0, Table("The set-ups", titles))
    result.figures.append(
        Figure(
            "pearson",
            "Pearson's r of S1 to S6: published, measured, and with equal delexicalised outputs kept together",
            lambda path: correlations_figure(small.summaries, large.summaries, path),
        )
    )
    return result


def large_rows(large: Networks) -> PartResult:
    """S1 to S6 of Table 3 by networks of the paper's size; those that were not trained stand beside the reason."""
    result = _network_rows(large, "The paper's network", _LARGE)
    absent = [setup for setup in SETUPS if f"pair/{setup}" not in large.summaries]
    for setup in absent:
        result.cells += _cells("3", setup, "", dict.fromkeys(_MEASURES, math.nan), suffix=_LARGE, why=_NO_LARGE)
    result.cells.sort(key=lambda cell: cell.table)
    result.missing = [Missing(f"{', '.join(absent)} with the paper's network", _NO_LARGE)] if absent else []
    return result


def _network_rows(networks: Networks, title: str, suffix: str = "") -> PartResult:
    """S1 to S6 of Table 3, published beside measured, and by fold, by seed and raw."""
    result = PartResult(notes=[f"{title}: {networks.how}."])
    rows = []
    for setup, summary in _summaries(result, networks.summaries, "3", "pair", "pair"):
        result.cells += _cells("3", setup, "", summary["rounded"]["pooled"], suffix=suffix)
        rows += _detail_rows(setup, summary)
    caption = "Pooled over folds and seeds, the mean of folds, and single seeds; r and ρ"
    result.tables.append(Table(caption, tuple(rows)))
    return result


def family_table(summaries: Mapping[str, Any], family: str) -> PartResult:
    """S1 to S6 of a family that the paper has no table for; set-ups that were not trained are missing."""
    title, result = FAMILIES[family].title, PartResult()
    trained = [setup for setup in setups_of(family) if f"{family}/{setup}" in summaries]
    if absent := [setup for setup in setups_of(family) if setup not in trained]:
        result.missing.append(Missing(f"{', '.join(absent)}, {title}", _untrained(" --train ".join(absent), family)))
    found = [(setup, summaries[f"{family}/{setup}"]) for setup in trained]
    rows = [
        {"set-up": setup, "instances": round(float(np.mean(summary["instances"]))), **_four(summary)}
        for setup, summary in found
    ]
    result.tables = [Table(f"Networks, {title}", tuple(rows))] if rows else []
    return result


def variant_rows(networks: Networks) -> PartResult:
    """Variants of the small network beside it: S1's folds, one seed."""
    result, rows = PartResult(), []
    for name, variant in VARIANTS.items():
        if (summary := networks.summaries.get(name)) is None:
            why = f"not in the record; `--train none --variant {name}` trains it, one to two minutes of a core alone"
            result.missing.append(Missing(variant.title, why))
            continue
        best = float(np.mean(summary["best_pass"]))
        rows.append(
            {"network": variant.title, **_four(summary), "best pass": best, "CPU s": networks.cpu_seconds[name]}
        )
    if rows:
        result.tables.append(Table("Variants of the small network, trained on what S1 is trained on", tuple(rows)))
        result.notes.append(
            f"{networks.how}. Folds, sizes and the choice of a pass are S1's; the first row is S1's kind of network, "
            "written and drawn anew, so its distance from S1 in Table 3 is chance, and so are differences as small "
            "between the rows. Classifiers estimate the expected rating. Word vectors: positive pointwise mutual "
            "information within four words of 100,000 lines of plain text, by an SVD; they are learned further. The "
            "last row sees the distorted texts of S3, and then rated texts alone. The paper gives no figure of them."
        )
    return result


def grouped_rows(summaries: Mapping[str, Any]) -> PartResult:
    """S1 to S6 with equal delexicalised outputs kept together."""
    result = family_table(summaries, "text")
    result.notes.append(
        "An output that recurs, names and addresses aside, is in training and in test when folds keep (MR, text) "
        "together, as published; here it is not. The fall from Table 3 is what repeated outputs carry."
    )
    return result


def out_of_set_rows(summaries: Mapping[str, Any]) -> PartResult:
    """S1 to S6 of Tables 4 and 5: a domain and a system with few or no ratings."""
    result = PartResult(notes=[f"{split} trains on {FAMILIES[split].title}." for split in _SPLITS])
    for (title, table), split in product(SETS.items(), _SPLITS):
        for setup, summary in _summaries(result, summaries, table, f"{title}.{split}", split):
            result.cells += _cells(table, setup, f"{split}.", summary["rounded"]["pooled"])
    result.cells.sort(key=lambda cell: cell.table)
    return result


def kernel_rows(summaries: Mapping[str, Any]) -> PartResult:
    """The default estimator on the paper's folds and splits, beside the best published row and a constant."""
    settings: list[tuple[str, str, float, float]] = []
    for family in KERNEL_FAMILIES:
        title = FAMILIES[family].title
        if FAMILIES[family].split is None:
            best = _best("3", "") if family == "pair" else math.nan
            settings.append((family, title, best, _published("3", "Constant", "rmse")))
            continue
        for name, table in SETS.items():
            constant = _published(table, "Constant", f"{family}.rmse")
            settings.append((f"{name}.{family}", f"{name}, {family}: {title}", _best(table, f"{family}."), constant))
    rows = [
        {"setting": title, **_four(summary), "best published r": best, "constant's RMSE": constant}
        for key, title, best, constant in settings
        if (summary := summaries.get(f"{key}/kernel")) is not None
    ]
    if not rows:
        return PartResult(missing=[Missing("The default estimator", "it was not fitted: `--train kernel`")])
    notes = [
        "Fitted to the ratings that S1 trains on and chooses its pass by; no references, no synthetic texts. The best "
        "published r of folds, S6, and of most splits is of networks that have seen references of the tested outputs. "
        "The constant is 4.5, as published."
    ]
    return PartResult(tables=[Table("Kernel ridge regression (`QualityEstimator()`)", tuple(rows))], notes=notes)


def lexicalised_range(summaries: Mapping[str, Any]) -> PartResult:
    """Section 4.1: the range of Pearson's r of S1 to S6 without delexicalisation."""
    result = family_table(summaries, "lexicalised")
    found = [setup for setup in SETUPS if f"lexicalised/{setup}" in summaries]
    values = [summaries[f"lexicalised/{setup}"]["rounded"]["pooled"]["pearson"] for setup in found]
    if found:
        ends = (("low", min(values)), ("high", max(values)))
        result.cells += [Cell("Section 4.1", f"lexicalised.S1-S6.pearson.{name}", value) for name, value in ends]
        result.notes.append("The small network, one seed.")
    return result


def settings_rows(ratings: NLGRatings) -> PartResult:
    """Set-up as the paper's text has it, beside that of this program."""
    network, truth = PUBLISHED, ratings.ratings[CRITERION]
    here: dict[str, float] = {
        "embedding_size": network.embedding,
        "learning_rate": network.learning_rate,
        "dropout": network.dropout,
        "fully_connected_layers": network.tanh_layers,
        "passes_real": network.passes,
        "passes_with_synthetic_first": network.synthetic_passes,
        "seeds": _SEEDS,
        "folds": N_PARTS,
        "rating_step": float(np.diff(np.unique(truth)).min()),
        "rating_min": float(truth.min()),
        "rating_max": float(truth.max()),
        "constant_baseline": CONSTANT,
        "in_set.train": IN_SET,
        "in_set.validation": IN_SET,
    }
    pairs = pairs_of_ratings(ratings.keys, truth)
    return PartResult(
        cells=[
            Cell(place, name, here[name])
            for place, name in published_figures("dusek")
            if place.startswith("Text, ") and name in here
        ],
        missing=[
            Missing(
                "Text, setup, icc (intra-class correlation, .45)",
                "needs the single judgements; the files hold medians alone",
            )
        ],
        notes=[
            f"What can be reached: {pairs.shape[1]} pairs of ratings are of the same meaning representation and text, "
            f"as outputs of two systems; in the file's order the two medians correlate at {pearson(*pairs):.2f}."
        ],
    )


def figure_2(ratings: NLGRatings, s4: Values | None) -> PartResult:
    """Figure 2: two outputs, their values by metrics, and the estimate of the first network of S4, rounded."""
    result = PartResult()
    truth = ratings.ratings[CRITERION]
    rows: dict[str, dict[str, float]] = {}
    for (place, column), each in published_figures("dusek").items():
        if place.startswith("Figure 2, "):
            rows.setdefault(place, {})[column] = float(each.value)
    for place, columns in rows.items():
        # the output with these scores and this rating
        distance = np.abs(truth - columns["human"])
        for key, name in _METRIC_KEYS.items():
            distance = distance + np.abs(ratings.metrics[name] - columns[f"{key}.raw"])
        found = int(np.argmin(distance))
        if distance[found] >= 0.01:
            result.missing.append(Missing(place, "no output with these scores"))
            continue
        result.cells.append(Cell(place, "human", float(truth[found])))
        for key, name in _METRIC_KEYS.items():
            score = float(ratings.metrics[name][found])
            level = 1 + 0.5 * math.floor(score / (1.0 if key == "cider" else 0.1) + 0.5)
            result.cells += [Cell(place, key, level), Cell(place, f"{key}.raw", score)]
        if s4 is None:
            result.missing.append(Missing(f"{place}, S4", _untrained("S4", "pair")))
        else:
            result.cells.append(Cell(place, "S4", float(s4[found])))
    result.notes.append(
        "The figure rounds metrics to the nearest level, 1 + 0.5 · ⌊x / 0.1 + 0.5⌋, where the rows of Tables 3 to 5 "
        "come out with 1 + 0.5 · ⌊x / 0.1⌋ alone."
    )
    return result


def williams_part(ratings: NLGRatings, estimates: Mapping[str, Values]) -> PartResult:
    """Williams' tests of S1 to S6, of the default estimator and of the metrics, one-tailed, every text once."""
    if not estimates:
        return PartResult()
    columns = {**metric_levels(ratings), **{name: estimates[name] for name in sorted(estimates)}}
    tables = []
    for method, firsts in williams_tables(columns, ratings.ratings[CRITERION]).items():
        rows = tuple(
            {"larger": first, **{f"than {second}": seconds.get(second, math.nan) for second in firsts}}
            for first, seconds in firsts.items()
        )
        tables.append(Table(f"p that the row's {method.capitalize()} is not larger than the column's", rows))
    notes = [
        "Rounded estimates of the first seed, 2,460 texts, each once. The paper pools five seeds, which counts every "
        "text five times and makes p smaller than it is."
    ]
    return PartResult(tables=tables, notes=notes)


def reference_use() -> PartResult:
    """Rows of Tables 3 to 5 that have seen references of the outputs that are tested."""
    seeing = {*METRIC_COLUMNS, *SETUPS[SETUPS.index("S5") :]}
    rows = [place for place, figure in published_figures("dusek") if figure == _USES]
    return PartResult(cells=[Cell(place, _USES, int(place.split(", ")[1] in seeing)) for place in rows])


def _summaries(
    result: PartResult, summaries: Mapping[str, Any], table: str, key: str, family: str
) -> Iterator[tuple[str, Any]]:
    """Yield the set-ups that were trained, with their summaries; of the others the row is missing."""
    for setup in SETUPS:
        summary = summaries.get(f"{key}/{setup}")
        if summary is None:
            row = f"Table {table}, {setup}" + (f", {family}" if key != family else "")
            result.missing.append(Missing(row, _untrained(setup, family)))
        else:
            yield setup, summary


def _untrained(setup: str, family: str) -> str:
    return f"not in the record; `--train {setup} --family {family}` trains these networks, 40 to 170 s of a core each"


def _published(table: str, row: str, figure: str) -> float:
    return float(published("dusek", f"Table {table}, {row}", figure) or 0.0)


def _best(table: str, prefix: str) -> float:
    return max(_published(table, setup, f"{prefix}pearson") for setup in SETUPS)


def _cells(
    table: str, row: str, prefix: str, measured: Mapping[str, float], ends: Any = None, suffix: str = "", why: str = ""
) -> list[Cell]:
    """Return the measures that the paper gives of a row, with the ends of their intervals, shape (2, 4), or why not."""
    place = f"Table {table}, {row}"
    return [
        Cell(
            f"{place}{suffix}",
            f"{prefix}{name}",
            measured[name],
            None if ends is None else (float(ends[0, number]), float(ends[1, number])),
            why,
            value,
        )
        for number, name in enumerate(_MEASURES)
        if (value := published("dusek", place, f"{prefix}{name}")) is not None
    ]


def _detail_rows(setup: str, summary: Mapping[str, Any]) -> list[dict[str, Any]]:
    rows = []
    for kind in ("rounded", "raw"):
        seeds = [each["pearson"] for each in summary[kind]["by_seed"]]
        pooled, by_fold = summary[kind]["pooled"], summary[kind]["by_fold"]
        rows.append(
            {
                "set-up": setup,
                "estimates": kind,
                "seeds": len(seeds),
                **dict(zip(("pooled r", "ρ", "MAE", "RMSE"), (pooled[name] for name in _MEASURES), strict=True)),
                "mean of folds r": by_fold["pearson"],
                "fold ρ": by_fold["spearman"],
                "lowest seed r": min(seeds),
                "highest seed r": max(seeds),
            }
        )
    return rows


def _four(summary: Mapping[str, Any]) -> dict[str, Any]:
    values = {f"{name} rounded": summary["rounded"]["pooled"][name] for name in _MEASURES}
    return {**values, "pearson raw": summary["raw"]["pooled"]["pearson"], "rmse raw": summary["raw"]["pooled"]["rmse"]}
