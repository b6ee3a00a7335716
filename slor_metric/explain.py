"""The SLOR family's part of the web page: texts in coloured tokens, each with its addition to the score."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any, ClassVar

import numpy as np

from referenceless_metrics.core.metric import Metric
from referenceless_metrics.core.registry import MetricSpec
from referenceless_metrics.core.support.validation import Booleans, Floats, PathName
from referenceless_metrics.pages.app.explainer import Column, Explainer, Scored, Token
from referenceless_metrics.pages.app.layout import Control
from referenceless_metrics.pages.drawing import picture
from referenceless_metrics.pages.rendering import shown
from slor_metric.contributions import token_contributions
from slor_metric.estimator import ROUGELM, SLOR, model_signature
from slor_metric.example import example_texts
from slor_metric.fluency.contributions import FluencyContributions
from slor_metric.fluency.faults import Fault, likeliest_faults
from slor_metric.fluency.metric import Fluency
from slor_metric.rouge.rouge_lm import z_score

BINS = (-2.0, -0.5, -0.05, 0.05, 1.0, 3.0)
"""Contributions at which a token changes its colour, in nats."""

BIN_LABELS = (
    "below −2",
    "−2 to −0.5",
    "−0.5 to −0.05",
    "about 0",
    "0.05 to 1",
    "1 to 3",
    "above 3: far likelier here than anywhere",
)

WORD_BINS = (-1.0, -0.4, -0.1)
"""Costs at which a word changes its colour, in units of the score."""

WORD_BIN_LABELS = ("takes more than 1", "0.4 to 1", "0.1 to 0.4", "next to nothing")

#: Least probability of a fault that is named in the table of words.
_LIKELY = 0.5

#: Most texts that are drawn, the least fluent first.
MOST_TEXTS = 12
#: Most characters on a line; a longer text goes on below.
_LINE = 78

_LONGEST_SPELT = 400  # tokens of a text that are shown one by one
_PACKAGED = {
    "word": "The model is a packaged one over **words** of English; a text is one sentence.",
    "wordpiece": "The model is a packaged one over **WordPieces** of English, to which hardly a word is unknown; a "
    "text is one sentence.",
}


class SLORExplainer(Explainer):
    """The page of SLOR, and of any metric like it."""

    metric: SLOR | Fluency
    unit = "nats a token"
    heading = "Token by token"
    credit = (
        "Kann, Rothe and Filippova (2018), *Sentence-Level Fluency Evaluation: References Help, But Can Be Spared!* "
        "Higher is better. The scores tell how acceptable a sentence is, not whether it is true."
    )
    templates = __package__
    statement: ClassVar[str] = """SLOR is how much likelier a language model finds
a text than its words alone would make it, per token: rare words do not count against it, wrong order does."""

    def introduction(self) -> str:
        """Return the beginning of the page, in Markdown."""
        question = "How fluent is a text, when there is no reference to compare it with? "
        return f"# {self.spec.title}\n\n{question}{self.statement}\n\n{self.model()}"

    def model(self) -> str:
        """Describe the language model."""
        metric = self.metric
        assert isinstance(metric, SLOR)
        name = metric.default_lm if metric.lm == "default" else metric.lm
        if isinstance(name, str) and name in _PACKAGED and metric.unigram is None and not metric.lm_options:
            return _PACKAGED[name]
        return f"The model is `{model_signature(metric.language_model)}`."

    def example(self) -> Mapping[str, Iterable[str]]:
        """Return the packaged sentences with their references."""
        example = example_texts()
        return {"texts": example.texts, "references": map("\t".join, example.references)}

    def columns(self, scored: Scored) -> list[Column]:
        """Return the columns of the score's parts."""
        result = scored.result
        return [
            Column("Tokens", result.n_tokens, 0),
            Column("ln p a token", result.nce, 2),
            Column("Perplexity", result.perplexity, 0),
        ]

    def summary_html(self, scored: Scored) -> str:
        """Return the figures about all texts."""
        return self.fragment("slor_summary.html.j2", scored, statistics=scored.result.details.get("statistics"))

    def explanation_html(self, scored: Scored, place: int, *choices: Any) -> str:
        """Return one text as coloured tokens with their numbers, and the sum of these."""
        assert isinstance(self.metric, SLOR)
        contributions = token_contributions(self.metric, [scored.texts[place]])[0]
        return self.fragment(
            "tokens.html.j2",
            scored,
            place=place,
            tokens=coloured(
                contributions.surfaces, contributions.contributions, BINS, {"unknown": contributions.unknown}
            ),
            found=contributions,
            legend=BIN_LABELS,
            fluency="SLOR" if self.spec.name == "slor" else "WPSLOR",
            **self.parts(scored, place),
        )

    def parts(self, scored: Scored, place: int) -> dict[str, Any]:
        """Return the further parts of a text's score beside SLOR: none."""
        return {"rouge_lm": None}


class WPSLORExplainer(SLORExplainer):
    """The page of WPSLOR."""

    unit = "nats a piece"
    statement = """WPSLOR is how much likelier a language model
finds a text than its pieces alone would make it, per piece: rare words do not count against it, wrong order does."""


class ROUGELMExplainer(WPSLORExplainer):
    """The page of ROUGE-LM."""

    metric: ROUGELM
    unit = "sum of two standard scores"

    def introduction(self) -> str:
        """Return the beginning of the page, in Markdown."""
        return f"""# ROUGE-LM

Does a text say what its references say, and is it fluent? ROUGE-LM adds two scores: **ROUGE-L**, the overlap with the
best of its references, and **WPSLOR**, what a language model thinks of it. Both are taken in standard deviations over
the texts that are scored together.

{self.model()}"""

    def columns(self, scored: Scored) -> list[Column]:
        """Return the columns of the score's parts."""
        parts = [Column("ROUGE-L", scored.result.rouge_l, 3), Column("WPSLOR", scored.result.wpslor, 3)]
        return [*parts, *super().columns(scored)]

    def parts(self, scored: Scored, place: int) -> dict[str, Any]:
        """Return both z-scores of a text, and its references."""
        result = scored.result
        parts = {name: float(getattr(result, name)[place]) for name in ("rouge_l", "wpslor")}
        # A part of a set that was scored together lies on the scale that its metric was given.
        statistics: Any = result.details.get("statistics") or self.metric.statistics
        scale = statistics.as_dict()
        z = {name: z_score(value, scale[f"{name}_mean"], scale[f"{name}_std"]) for name, value in parts.items()}
        return {"rouge_lm": parts, "z": z, "references": scored.given["references"][place]}


class FluencyExplainer(SLORExplainer):
    """The page of Fluency."""

    metric: Fluency
    unit = "standard deviations of edited prose, whose mean is 0"
    heading = "Word by word"
    choices = (Control("fault", "Checkbox", value=True, label="Name the likeliest fault"),)

    def __init__(self, spec: MetricSpec, metric: Metric | None) -> None:
        super().__init__(spec, metric)
        if getattr(metric, "models", None) is not None:
            self.unit = "a unit of its own, which depends on the models"

    def introduction(self) -> str:
        """Return the beginning of the page, in Markdown."""
        folder = self.metric.models
        models = "packaged ones of English" if folder is None else f"those of `{folder}`"
        return f"""# Fluency

How fluent is a sentence? Fluency starts from a sentence without a fault, and every word takes something away:
where its language models (n-grams of words, pieces and word classes; by default a small neural one too) find it
unlikely, where it is misspelt, and where it repeats what was said. 0 is the mean of edited prose, and the unit its
standard deviation: most good sentences have −1 and more, and one under −3 has a fault that everybody sees.

The models are {models}; a text is one sentence or several."""

    def columns(self, scored: Scored) -> list[Column]:
        """Return the columns beside the score."""
        result = scored.result
        return [
            Column("Tokens", result.n_tokens, 0),
            Column("Unknown", result.unknown_share, 2),
            Column("Log-odds per word", result.log_odds_per_word, 2),
            Column("Log-odds per piece", result.log_odds_per_piece, 2),
        ]

    def explanation_html(self, scored: Scored, place: int, *choices: Any) -> str:
        """Return one text as coloured words, each with its effect on the text's fluency."""
        return self._explanations(scored, [place], choices)[0]

    def explanations_html(self, scored: Scored, *choices: Any) -> list[str]:
        """Return the same of every text; all at once takes half the time."""
        return self._explanations(scored, range(len(scored.texts)), choices)

    def _explanations(self, scored: Scored, places: Sequence[int], choices: Sequence[Any]) -> list[str]:
        texts = [scored.texts[place] for place in places]
        faults: list[Fault | None] = [None] * len(texts)
        explained = self.metric.explained(texts)
        if any(choices):
            faults = likeliest_faults(self.metric, texts, explained=explained)
        return [
            self._words_html(scored, place, contributions, fault)
            for place, contributions, fault in zip(places, explained[1], faults, strict=True)
        ]

    def _words_html(self, scored: Scored, place: int, found: FluencyContributions, fault: Fault | None) -> str:
        marks = {
            "among the worst": found.worst,
            "looks misspelt": found.misspellings,
            "said again": found.repetitions,
            **{kind: _of_kind(found, kind) for kind in dict.fromkeys(found.fault_kinds)},
        }
        tokens = coloured(found.words, found.contributions, WORD_BINS, marks)
        shown_parts = {"tokens": tokens, "found": found, "legend": WORD_BIN_LABELS, "fault": fault}
        return self.fragment("words.html.j2", scored, place=place, **shown_parts)


def _of_kind(found: FluencyContributions, kind: str) -> Booleans:
    """Return True for words at which a fault of a kind is more probable than none."""
    of_kind: Booleans = np.array(found.fault_kinds) == kind
    return of_kind & (found.fault_chances > _LIKELY)


def coloured(
    texts: Sequence[str],
    contributions: Floats,
    bins: Sequence[float],
    marks: Mapping[str, Booleans],
) -> list[Token]:
    """Return tokens as the page shows them, as many as it shows.

    Args:
        texts: n tokens.
        contributions: addition of each token to the score, shape (n,).
        bins: contributions at which the colour changes.
        marks: masks of the tokens that bear a mark, by the mark's words, shape (n,) each.
    """
    colours = np.digitize(contributions, bins)
    return [
        Token(texts[i], float(contributions[i]), int(colours[i]), tuple(name for name in marks if marks[name][i]))
        for i in range(min(len(texts), _LONGEST_SPELT))
    ]


def plot_tokens(metric: SLOR | Fluency, texts: Sequence[str], path: PathName) -> None:
    """Draw texts token by token, on the colours of the page; the lowest token of each text is framed.

    Args:
        metric: `SLOR`, `WPSLOR` or `Fluency`.
        texts: n texts; the `MOST_TEXTS` with the lowest scores are drawn, those without a score are not.
        path: the picture to write.

    Raises:
        ImportError: if a picture of this kind takes an extra.
        ValueError: if no text has a score.
        OSError: if the file cannot be written.
    """
    result = metric.predict(texts)
    order = np.argsort(result.values, kind="stable")[: min(result.n_covered, MOST_TEXTS)].tolist()  # NaN comes last
    if not order:
        raise ValueError("Expected argument `texts` to hold a text with a score, but no text has one")
    of_words = isinstance(metric, Fluency)
    contributions: Any = metric.contributions if isinstance(metric, Fluency) else partial(token_contributions, metric)
    rows = []
    for place, found in zip(order, contributions([texts[i] for i in order]), strict=True):
        names = found.words if of_words else found.surfaces
        tokens = coloured([shown(name, 60) for name in names], found.contributions, WORD_BINS if of_words else BINS, {})
        lines = _lines(tokens, int(np.argmin(found.contributions)))
        rows += [(result.values[place] if line is lines[0] else None, line) for line in lines]
    legend = list(enumerate(WORD_BIN_LABELS if of_words else BIN_LABELS))
    lowest = f"the lowest, {result.values[order[0]]:.2f}: {texts[order[0]]}"
    described = f"Tokens of {len(order)} texts by {metric.name}; {lowest}"
    picture("tokens.svg.j2", described, __package__, name=metric.name, rows=rows, width=_LINE, legend=legend).save(path)


def _lines(tokens: Sequence[Token], lowest: int) -> list[list[tuple[Token, int, bool]]]:
    """Return lines of tokens, each with its first column and whether it is the lowest, a column apart."""
    lines: list[list[tuple[Token, int, bool]]] = [[]]
    column = 0
    for place, token in enumerate(tokens):
        if column and column + len(token.text) > _LINE:
            lines.append([])
            column = 0
        lines[-1].append((token, column, place == lowest))
        column += len(token.text) + 1
    return lines
