"""Names of usual metrics, as columns and files are called, by what their values are; the one home of these lists.

Each is a regular expression for a whole word in small letters.
"""

from __future__ import annotations

import re

OF_OVERLAP = r"(?:sacre|code)?bleu(?!rt)[\w-]*|gleu\w*|chrf[\w-]*|rouge[\w-]*|meteor"
"""Metrics of what a text shares with its references: shares or percent, higher is better."""

OF_MODELS = r"x?comet[\w-]*|bleurt[\w-]*|bert_?score\w*|bart_?score\w*|mover_?score|unieval\w*|questeval|lens|parent"
"""Metrics that a model or an alignment gives: higher is better."""

OF_COUNTS = r"nist|cider\w*|spice|lepor|i?sari|fkre|fkbleu|samsa"
"""Further metrics of which higher is better."""

LOWER_IS_BETTER = r"metricx[\w-]*|h?ter|perplexity|ppl|nll|fkgl"
"""Metrics of which lower is better."""

OF_TASKS = (
    r"precision|recall|f1|f0_?5|f_?beta|f[-_]?(?:measure|score)|accuracy|acc(?:_norm)?|exact_match|em|pass(?:@|_at_)\d+"
)
"""Shares of right answers."""

OF_JUDGES_ALONE = r"relevancy|faithfulness"
"""Shares that harnesses let a judge give."""

OF_JUDGES_OR_PEOPLE = r"relevance|correctness|groundedness"
"""Such shares of which people have the like, too."""

OF_JUDGES = f"{OF_JUDGES_ALONE}|{OF_JUDGES_OR_PEOPLE}"
"""All shares that harnesses let a judge give."""

METRICS = f"{OF_OVERLAP}|{OF_MODELS}|{OF_COUNTS}|{LOWER_IS_BETTER}"
"""Metrics of texts."""

TOOLS = {
    r"rouge[\w-]*": "rouge-score",
    r"bert_?score\w*": "bert-score",
    r"x?comet\w*": "unbabel-comet",
    r"bleurt\w*|meteor|bart_?score\w*": "evaluate",
}
"""Packages that compute usual metrics which are not here, by the names of these."""


def names_metric(name: str) -> bool:
    """Say whether the name of a column is one of a metric of texts.

    >>> names_metric("rougeL"), names_metric("COMET-22"), names_metric("overall")
    (True, True, False)
    """
    return re.fullmatch(METRICS, name.rpartition(".")[2].lower()) is not None
