"""The published cells of Dušek, Novikova & Rieser (2017): Tables 1 to 5, Figure 2 and the figures in the text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

MEASURES = ("pearson", "spearman", "mae", "rmse")
SPLITS = ("C1", "C2", "C3")

Four = tuple[float | None, float | None, float, float]

#: Rated outputs by system and data set.
TABLE_1 = {
    "LOLS": {"BAGEL": 202, "SFRest": 581, "SFHot": 398, "Total": 1181},
    "RNNLG": {"BAGEL": 0, "SFRest": 600, "SFHot": 477, "Total": 1077},
    "TGen": {"BAGEL": 202, "SFRest": 0, "SFHot": 0, "Total": 202},
    "Total": {"BAGEL": 404, "SFRest": 1181, "SFHot": 875, "Total": 2460},
}

#: Instances that a network trains on, synthetic ones among them.
TABLE_2 = {"S1": 1476, "S2": 3937, "S3": 13442, "S4": 45137, "S5": 57372, "S6": 80522}

#: Pearson, Spearman, MAE and RMSE over all outputs, estimates rounded to halves.
TABLE_3: dict[str, Four] = {
    "Constant": (None, None, 1.013, 1.233),
    "BLEU": (0.074, 0.061, 2.264, 2.731),
    "METEOR": (0.095, 0.099, 1.820, 2.129),
    "ROUGE-L": (0.079, 0.072, 1.312, 1.674),
    "CIDEr": (0.061, 0.058, 2.606, 2.935),
    "S1": (0.273, 0.260, 0.948, 1.258),
    "S2": (0.283, 0.268, 0.948, 1.273),
    "S3": (0.278, 0.261, 0.930, 1.257),
    "S4": (0.330, 0.274, 0.914, 1.226),
    "S5": (0.331, 0.265, 0.937, 1.245),
    "S6": (0.354, 0.287, 0.909, 1.208),
}

#: The same for SFHot, of which nothing or little was in training (Section 4.2).
TABLE_4: dict[str, dict[str, Four]] = {
    "Constant": {
        "C1": (None, None, 0.994, 1.224),
        "C2": (None, None, 0.994, 1.224),
        "C3": (None, None, 0.994, 1.224),
    },
    "BLEU": {
        "C1": (0.033, 0.016, 2.235, 2.710),
        "C2": (0.033, 0.016, 2.235, 2.710),
        "C3": (0.033, 0.016, 2.235, 2.710),
    },
    "METEOR": {
        "C1": (0.076, 0.074, 1.719, 2.034),
        "C2": (0.076, 0.074, 1.719, 2.034),
        "C3": (0.076, 0.074, 1.719, 2.034),
    },
    "ROUGE-L": {
        "C1": (0.064, 0.049, 1.255, 1.620),
        "C2": (0.064, 0.049, 1.255, 1.620),
        "C3": (0.064, 0.049, 1.255, 1.620),
    },
    "CIDEr": {
        "C1": (0.048, 0.043, 2.590, 2.921),
        "C2": (0.048, 0.043, 2.590, 2.921),
        "C3": (0.048, 0.043, 2.590, 2.921),
    },
    "S1": {
        "C1": (0.147, 0.136, 1.086, 1.416),
        "C2": (0.162, 0.152, 0.985, 1.281),
        "C3": (0.170, 0.166, 1.003, 1.315),
    },
    "S2": {
        "C1": (0.196, 0.176, 1.059, 1.364),
        "C2": (0.197, 0.189, 1.003, 1.311),
        "C3": (0.219, 0.218, 0.988, 1.296),
    },
    "S3": {
        "C1": (0.176, 0.163, 1.093, 1.420),
        "C2": (0.147, 0.134, 1.037, 1.366),
        "C3": (0.219, 0.216, 0.979, 1.302),
    },
    "S4": {
        "C1": (0.264, 0.218, 0.983, 1.307),
        "C2": (0.162, 0.138, 1.084, 1.448),
        "C3": (0.247, 0.211, 0.983, 1.306),
    },
    "S5": {
        "C1": (0.280, 0.221, 1.009, 1.341),
        "C2": (0.173, 0.145, 1.077, 1.438),
        "C3": (0.210, 0.162, 1.095, 1.442),
    },
    "S6": {
        "C1": (0.271, 0.202, 0.991, 1.331),
        "C2": (0.188, 0.178, 1.037, 1.392),
        "C3": (0.224, 0.210, 1.002, 1.339),
    },
}

#: The same for outputs of LOLS.
TABLE_5: dict[str, dict[str, Four]] = {
    "Constant": {
        "C1": (None, None, 1.060, 1.301),
        "C2": (None, None, 1.060, 1.301),
        "C3": (None, None, 1.060, 1.301),
    },
    "BLEU": {
        "C1": (0.079, 0.043, 2.514, 2.971),
        "C2": (0.079, 0.043, 2.514, 2.971),
        "C3": (0.079, 0.043, 2.514, 2.971),
    },
    "METEOR": {
        "C1": (0.141, 0.122, 1.929, 2.238),
        "C2": (0.141, 0.122, 1.929, 2.238),
        "C3": (0.141, 0.122, 1.929, 2.238),
    },
    "ROUGE-L": {
        "C1": (0.064, 0.048, 1.449, 1.802),
        "C2": (0.064, 0.048, 1.449, 1.802),
        "C3": (0.064, 0.048, 1.449, 1.802),
    },
    "CIDEr": {
        "C1": (0.127, 0.106, 2.801, 3.112),
        "C2": (0.127, 0.106, 2.801, 3.112),
        "C3": (0.127, 0.106, 2.801, 3.112),
    },
    "S1": {
        "C1": (0.341, 0.334, 1.054, 1.405),
        "C2": (0.097, 0.117, 1.052, 1.336),
        "C3": (0.174, 0.179, 1.114, 1.455),
    },
    "S2": {
        "C1": (0.358, 0.345, 1.007, 1.342),
        "C2": (0.115, 0.119, 1.057, 1.355),
        "C3": (0.203, 0.222, 1.253, 1.613),
    },
    "S3": {
        "C1": (0.378, 0.365, 0.971, 1.326),
        "C2": (0.112, 0.094, 1.059, 1.387),
        "C3": (0.404, 0.377, 0.968, 1.277),
    },
    "S4": {
        "C1": (0.390, 0.360, 0.981, 1.311),
        "C2": (0.247, 0.189, 1.011, 1.338),
        "C3": (0.370, 0.346, 0.997, 1.312),
    },
    "S5": {
        "C1": (0.398, 0.364, 1.043, 1.393),
        "C2": (0.229, 0.174, 1.025, 1.328),
        "C3": (0.386, 0.356, 0.975, 1.301),
    },
    "S6": {
        "C1": (0.390, 0.353, 1.036, 1.389),
        "C2": (0.332, 0.262, 0.969, 1.280),
        "C3": (0.374, 0.330, 0.979, 1.298),
    },
}

#: Rows whose metric or network has seen references of the outputs that are tested.
USE_TEST_REFERENCES = ("BLEU", "METEOR", "ROUGE-L", "CIDEr", "S5", "S6")

#: Figures of the text: the set-up, Section 4.1 and Section 4.2.
TEXT = {
    ("setup", "embedding_size"): 300,
    ("setup", "learning_rate"): 0.0001,
    ("setup", "dropout"): 0.5,
    ("setup", "fully_connected_layers"): 2,
    ("setup", "passes_real"): 500,
    ("setup", "passes_with_synthetic_first"): 20,
    ("setup", "seeds"): 5,
    ("setup", "folds"): 5,
    ("setup", "rating_step"): 0.5,
    ("setup", "rating_min"): 1,
    ("setup", "rating_max"): 6,
    ("setup", "icc"): 0.45,
    ("setup", "constant_baseline"): 4.5,
    ("sec4.1", "lexicalised.S1-S6.pearson.low"): 0.264,
    ("sec4.1", "lexicalised.S1-S6.pearson.high"): 0.359,
    ("sec4.2", "in_set.train"): 100,
    ("sec4.2", "in_set.validation"): 100,
}

#: Figure 2: two outputs with their human rating, and what metrics and S4 say.
FIGURE_2 = {
    "fig2.example1": {
        "human": 5.5,
        "bleu": 1,
        "bleu.raw": 0.0,
        "meteor": 3,
        "meteor.raw": 0.371,
        "rouge": 3.5,
        "rouge.raw": 0.542,
        "cider": 2,
        "cider.raw": 2.117,
        "S4": 4.5,
    },
    "fig2.example2": {
        "human": 2,
        "bleu": 4.5,
        "bleu.raw": 0.707,
        "meteor": 3,
        "meteor.raw": 0.433,
        "rouge": 5.5,
        "rouge.raw": 0.875,
        "cider": 2,
        "cider.raw": 2.318,
        "S4": 5,
    },
}


class PublishedCell(NamedTuple):
    """A published figure.

    Attributes:
        table: 1 to 5, `text` or `figure2`.
        row: as the table names it.
        column: as the table names it; with the split before the measure in Tables 4 and 5 (`C1.pearson`).
        value: the figure.
    """

    table: str
    row: str
    column: str
    value: float


def published_cells() -> Iterator[PublishedCell]:
    """Yield every published figure."""
    for row, counts in TABLE_1.items():
        for column, count in counts.items():
            yield PublishedCell("1", row, column, count)
    for row, count in TABLE_2.items():
        yield PublishedCell("2", row, "instances", count)
    for row, values in TABLE_3.items():
        yield PublishedCell("3", row, "uses_references_of_test_instances", float(row in USE_TEST_REFERENCES))
        yield from _measures("3", row, "", values)
    for table, rows in (("4", TABLE_4), ("5", TABLE_5)):
        for row, splits in rows.items():
            yield PublishedCell(table, row, "uses_references_of_test_instances", float(row in USE_TEST_REFERENCES))
            for split, values in splits.items():
                yield from _measures(table, row, f"{split}.", values)
    for (row, column), value in TEXT.items():
        yield PublishedCell("text", row, column, value)
    for row, columns in FIGURE_2.items():
        for column, value in columns.items():
            yield PublishedCell("figure2", row, column, value)


def _measures(table: str, row: str, prefix: str, values: Four) -> Iterator[PublishedCell]:
    for measure, value in zip(MEASURES, values, strict=True):
        if value is not None:
            yield PublishedCell(table, row, f"{prefix}{measure}", value)
