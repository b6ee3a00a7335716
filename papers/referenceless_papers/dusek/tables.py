"""The paper's tables from counts, metric scores and summaries of networks, published beside measured."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np

from quality_estimation_metric.evaluation import duplicates_ceiling
from quality_estimation_metric.gru_model.settings import GRUSettings
from referenceless_papers.dusek import published
from referenceless_papers.dusek.folds import IN_SET, N_PARTS, out_of_set_splits
from referenceless_papers.dusek.measures import Values, levels, measures, measures_of_draws, williams_tables
from referenceless_papers.dusek.networks import FAMILIES, SETS
from referenceless_papers.dusek.ratings import METRIC_COLUMNS, NLGRatings
from referenceless_papers.dusek.training_sets import SETUP_TITLES, SETUPS
from referenceless_papers.ethayarajh.cells import Cell, Missing, PartResult, Table

CRITERION = "quality"
CONSTANT = 4.5
KERNEL_FAMILIES = ("pair", "text", "C1", "C2", "C3")
_DRAWS = 1000
_METRIC_KEYS = {"bleu": "BLEU", "meteor": "METEOR", "rouge": "ROUGE-L", "cider": "CIDEr"}
_USES = "uses_references_of_test_instances"


def metric_levels(ratings: NLGRatings) -> dict[str, Values]:
    """Return what each metric says of each output as a rating, shape (n,)."""
    return {name: levels(scores, scale=name == "CIDEr") for name, scores in ratings.metrics.items()}


def counts(ratings: NLGRatings, summaries: Mapping[str, Any]) -> PartResult:
    """Tables 1 and 2: rated outputs by system and data set, and how much S1 to S6 train on."""
    result = PartResult()
    found = Counter(zip(ratings.systems.tolist(), ratings.datasets.tolist(), strict=True))
    for row, columns in published.TABLE_1.items():
        for column, value in columns.items():
            total = sum(
                number
                for (system, dataset), number in found.items()
                if row in (system, "Total") and column in (dataset, "Total")
            )
            result.cells.append(Cell(f"Table 1, {row}", column, value, total))
    for row, value in published.TABLE_2.items():
        summary = summaries.get(f"pair/{row}")
        if summary is None:
            result.missing.append(Missing(f"Table 2, {row}", _untrained(row, "pair")))
            continue
        result.cells.append(Cell(f"Table 2, {row}", "instances", value, float(np.mean(summary["instances"]))))
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
        _cells(result, "3", name, "", measures(values, truth)._asdict(), published.TABLE_3[name])
    rng = np.random.default_rng(0)
    for (title, table), inside in zip(
        SETS.items(), (ratings.datasets == "SFHot", ratings.systems == "LOLS"), strict=True
    ):
        rows = published.TABLE_4 if table == "4" else published.TABLE_5
        test = out_of_set_splits(inside)["C1"].test
        within = np.flatnonzero(inside)
        draws = np.stack([rng.choice(within, size=len(test), replace=False) for _ in range(_DRAWS)])
        for name, values in estimates.items():
            ends = np.quantile(measures_of_draws(values[draws], truth[draws]), (0.025, 0.975), axis=0)
            measured = measures(values[test], truth[test])._asdict()
            for split in published.SPLITS:
                _cells(result, table, name, f"{split}.", measured, rows[name][split], ends)
        result.notes.append(
            f"Table {table} tests on {len(test)} outputs of {title}, the rest after {2 * IN_SET} that C1 and C3 learn "
            "from. Which ones the paper drew is not known: intervals are the central 95% over "
            f"{_DRAWS:,} draws of as many outputs."
        )
    return result


def network_rows(summaries: Mapping[str, Any], source: str, family: str = "pair") -> PartResult:
    """S1 to S6 of Table 3: a family of networks, published beside measured, and by fold, by seed and raw."""
    result = PartResult()
    rows = []
    for setup in SETUPS:
        summary = summaries.get(f"{family}/{setup}")
        if summary is None:
            result.missing.append(Missing(f"Table 3, {setup}, {source}", _untrained(setup, family)))
            continue
        _cells(result, "3", setup, "", summary["rounded"]["pooled"], published.TABLE_3[setup])
        rows += _detail_rows(setup, summary)
    result.tables.append(
        Table("Pooled over folds and seeds, the mean of folds, and single seeds; r and ρ", tuple(rows))
    )
    return result


def family_table(summaries: Mapping[str, Any], family: str) -> PartResult:
    """S1 to S6 of a family that the paper has no table for."""
    rows = []
    for setup in SETUPS:
        summary = summaries.get(f"{family}/{setup}")
        if summary is not None:
            rows.append({"set-up": setup, "instances": round(float(np.mean(summary["instances"]))), **_four(summary)})
    missing = [] if rows else [Missing(f"S1 to S6, {FAMILIES[family].title}", _untrained("all", family))]
    tables = [Table(f"Networks with {FAMILIES[family].title}", tuple(rows))] if rows else []
    return PartResult(tables=tables, missing=missing)


def out_of_set_rows(summaries: Mapping[str, Any]) -> PartResult:
    """S1 to S6 of Tables 4 and 5: a domain and a system of which nothing or little is rated."""
    result = PartResult()
    for title, table in SETS.items():
        rows = published.TABLE_4 if table == "4" else published.TABLE_5
        for setup in SETUPS:
            for split in published.SPLITS:
                summary = summaries.get(f"{title}.{split}/{setup}")
                if summary is None:
                    result.missing.append(Missing(f"Table {table}, {setup}, {split}", _untrained(setup, split)))
                    continue
                _cells(result, table, setup, f"{split}.", summary["rounded"]["pooled"], rows[setup][split])
    for split in published.SPLITS:
        result.notes.append(f"{split} trains on {FAMILIES[split].title}.")
    return result


def kernel_rows(summaries: Mapping[str, Any]) -> PartResult:
    """The default estimator on the paper's folds and splits, beside the best published row and a constant."""
    rows = []
    for family in KERNEL_FAMILIES:
        for key, title, best, constant in _kernel_settings(family):
            summary = summaries.get(f"{key}/kernel")
            if summary is not None:
                rows.append({"setting": title, **_four(summary), "best published r": best, "constant's RMSE": constant})
    if not rows:
        return PartResult(missing=[Missing("The default estimator", "it was not fitted: `--train kernel`")])
    notes = [
        "Fitted to the ratings that S1 trains on and chooses its pass by; no references, no synthetic texts. The best "
        "published r of folds, S6, and of most splits is of networks that have seen references of the tested outputs. "
        "The constant is 4.5, as published."
    ]
    return PartResult(tables=[Table("Kernel ridge regression (`QualityEstimator()`)", tuple(rows))], notes=notes)


def _kernel_settings(family: str) -> list[tuple[str, str, float, float]]:
    title = FAMILIES[family].title
    if FAMILIES[family].split is None:
        best = max(published.TABLE_3[setup][0] or 0.0 for setup in SETUPS) if family == "pair" else float("nan")
        return [(family, title, best, published.TABLE_3["Constant"][3])]
    out = []
    for name, table in SETS.items():
        rows = published.TABLE_4 if table == "4" else published.TABLE_5
        best = max(rows[setup][family][0] or 0.0 for setup in SETUPS)
        out.append((f"{name}.{family}", f"{name}, {family}: {title}", best, rows["Constant"][family][3]))
    return out


def lexicalised_range(summaries: Mapping[str, Any]) -> PartResult:
    """Section 4.1: the range of Pearson's r of S1 to S6 without delexicalisation."""
    found = [setup for setup in SETUPS if f"lexicalised/{setup}" in summaries]
    result = family_table(summaries, "lexicalised")
    values = [summaries[f"lexicalised/{setup}"]["rounded"]["pooled"]["pearson"] for setup in found]
    for column, end in (("low", min), ("high", max)):
        name = f"lexicalised.S1-S6.pearson.{column}"
        if found:
            result.cells.append(Cell("Section 4.1", name, published.TEXT["sec4.1", name], end(values)))
        else:
            result.missing.append(Missing(f"Section 4.1, {name}", _untrained("all", "lexicalised")))
    if found and len(found) < len(SETUPS):
        result.notes.append(f"Measured on {', '.join(found)} alone.")
    return result


def settings_rows(ratings: NLGRatings, seeds: int) -> PartResult:
    """What the text says of the set-up, beside what runs here."""
    network, truth = GRUSettings.published(), ratings.ratings[CRITERION]
    here: dict[str, float] = {
        "embedding_size": network.embedding,
        "learning_rate": network.learning_rate,
        "dropout": network.dropout,
        "fully_connected_layers": network.tanh_layers,
        "passes_real": network.passes,
        "passes_with_synthetic_first": network.synthetic_passes,
        "seeds": seeds,
        "folds": N_PARTS,
        "rating_step": float(np.diff(np.unique(truth)).min()),
        "rating_min": float(truth.min()),
        "rating_max": float(truth.max()),
        "constant_baseline": CONSTANT,
        "in_set.train": IN_SET,
        "in_set.validation": IN_SET,
    }
    result = PartResult()
    for (section, name), value in published.TEXT.items():
        if name in here:
            result.cells.append(Cell(f"Text, {section}", name, value, here[name]))
    ceiling = duplicates_ceiling(ratings.keys, truth)
    result.missing.append(
        Missing(
            "Text, setup, icc (intra-class correlation, .45)",
            "needs the single judgements; the files hold medians alone",
        )
    )
    result.notes.append(
        f"What can be reached: {ceiling.n_pairs} pairs of ratings are of the same meaning representation and text, as "
        f"outputs of two systems; in the file's order the two medians correlate at {ceiling.pearson:.2f}."
    )
    return result


def figure_2_rows(ratings: NLGRatings) -> dict[str, int | None]:
    """Return the output of each example of Figure 2: the one with its scores and rating; None where there is none."""
    found: dict[str, int | None] = {}
    for row, cells in published.FIGURE_2.items():
        distance = np.abs(ratings.ratings[CRITERION] - cells["human"])
        for key, name in _METRIC_KEYS.items():
            distance = distance + np.abs(ratings.metrics[name] - cells[f"{key}.raw"])
        place = int(np.argmin(distance))
        found[row] = place if distance[place] < 0.01 else None
    return found


def figure_2(ratings: NLGRatings, s4: Values | None) -> PartResult:
    """Figure 2: two outputs, what metrics say of them, and what the first network of S4 says, rounded."""
    result = PartResult()
    truth = ratings.ratings[CRITERION]
    for row, place in figure_2_rows(ratings).items():
        if place is None:
            result.missing.append(Missing(f"Figure 2, {row}", "no output with these scores"))
            continue
        for column, value in published.FIGURE_2[row].items():
            key, _, raw = column.partition(".")
            if key == "human":
                measured = float(truth[place])
            elif key == "S4":
                measured = float("nan") if s4 is None else float(s4[place])
                if s4 is None:
                    result.missing.append(Missing(f"Figure 2, {row}, S4", _untrained("S4", "pair")))
            else:
                score = float(ratings.metrics[_METRIC_KEYS[key]][place])
                level = 1 + 0.5 * math.floor(score / (1.0 if key == "cider" else 0.1) + 0.5)
                measured = score if raw else level
            result.cells.append(Cell(f"Figure 2, {row}", column, value, measured))
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
            {"larger": first, **{f"than {second}": seconds.get(second, float("nan")) for second in firsts}}
            for first, seconds in firsts.items()
        )
        tables.append(Table(f"p that the row's {method.capitalize()} is not larger than the column's", rows))
    notes = [
        "Rounded estimates of the first seed, 2,460 texts, each once. The paper pools five seeds, which counts every "
        "text five times and makes p smaller than it is."
    ]
    return PartResult(tables=tables, notes=notes)


def setup_titles() -> tuple[dict[str, str], ...]:
    """Return what S1 to S6 are, a row each."""
    return tuple({"set-up": setup, "trains on": title} for setup, title in SETUP_TITLES.items())


def reference_use() -> PartResult:
    """Which rows of Tables 3 to 5 have seen references of the outputs that are tested."""
    seeing = {*METRIC_COLUMNS, *SETUPS[SETUPS.index("S5") :]}
    rows: dict[str, Mapping[str, object]] = {"3": published.TABLE_3, "4": published.TABLE_4, "5": published.TABLE_5}
    return PartResult(
        cells=[
            Cell(f"Table {table}, {row}", _USES, float(row in published.USE_TEST_REFERENCES), float(row in seeing))
            for table, named in rows.items()
            for row in named
        ]
    )


def _untrained(setup: str, family: str) -> str:
    return f"not in the record; `--train {setup} --family {family}` trains these networks, minutes of a CPU each"


def _cells(
    result: PartResult,
    table: str,
    row: str,
    prefix: str,
    measured: Mapping[str, float],
    wanted: published.Four,
    ends: Any = None,
) -> None:
    for place, (name, value) in enumerate(zip(published.MEASURES, wanted, strict=True)):
        if value is not None:
            interval = None if ends is None else (float(ends[0, place]), float(ends[1, place]))
            result.cells.append(Cell(f"Table {table}, {row}", f"{prefix}{name}", value, measured[name], interval))


def _detail_rows(setup: str, summary: Mapping[str, Any]) -> list[dict[str, Any]]:
    rows = []
    for kind in ("rounded", "raw"):
        seeds = np.array([[each[name] for name in published.MEASURES] for each in summary[kind]["by_seed"]])
        rows.append(
            {
                "set-up": setup,
                "estimates": kind,
                "seeds": len(seeds),
                "pooled r": summary[kind]["pooled"]["pearson"],
                "ρ": summary[kind]["pooled"]["spearman"],
                "MAE": summary[kind]["pooled"]["mae"],
                "RMSE": summary[kind]["pooled"]["rmse"],
                "mean of folds r": summary[kind]["by_fold"]["pearson"],
                "fold ρ": summary[kind]["by_fold"]["spearman"],
                "lowest seed r": float(seeds[:, 0].min()),
                "highest seed r": float(seeds[:, 0].max()),
            }
        )
    return rows


def _four(summary: Mapping[str, Any]) -> dict[str, Any]:
    values = {f"{name} rounded": summary["rounded"]["pooled"][name] for name in published.MEASURES}
    return {**values, "pearson raw": summary["raw"]["pooled"]["pearson"], "rmse raw": summary["raw"]["pooled"]["rmse"]}
