"""Files of preferences, which hold no scores: told here, so that a message names the command that reads them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from referenceless_metrics.human_evaluation.exports.sighting import header_of
from referenceless_metrics.human_evaluation.forms import Form, Sighting


def _has(*names: str) -> Callable[[Sighting], bool]:
    return lambda sighting: set(names) <= set(header_of(sighting))


def _of_alpaca_eval(sighting: Sighting) -> Sequence[str]:
    pairs = ("--system-a-column", "generator_1", "--system-b-column", "generator_2", "--item-column", "instruction")
    rater = ("--rater-column", "annotator") if _has("annotator")(sighting) else ()
    return (*pairs, *rater, "--scale", "1-2", "--a-is", "low")


PREFERENCE_FORMS = (
    Form(
        "votes of an arena",
        "`model_a`, `model_b`, and `winner` or `winner_model_a`",
        "preferences",
        "github.com/lm-sys/FastChat, fastchat/serve/monitor",
        lambda sighting: _has("model_a", "model_b", "winner")(sighting) or _has("model_a", "winner_model_a")(sighting),
    ),
    Form(
        "MT-Bench pairwise judgments",
        "`model_1`, `model_2`, `g1_winner` and `g2_winner`",
        "preferences",
        "github.com/lm-sys/FastChat, fastchat/llm_judge/common.py",
        _has("model_1", "model_2", "g1_winner", "g2_winner"),
    ),
    Form(
        "AlpacaEval annotations",
        "`instruction`, `generator_1`, `generator_2` and `preference` from 1 to 2",
        "preferences",
        "github.com/tatsu-lab/alpaca_eval, annotations.json",
        _has("instruction", "generator_1", "generator_2", "preference"),
        _of_alpaca_eval,
    ),
)
"""The forms of files with preferences, with the options of `human-score` that read them."""


def reading_command(path: str, form: Form, sighting: Sighting) -> str:
    """Return the command that reads a file of preferences.

    >>> from pathlib import Path
    >>> reading_command("votes.csv", PREFERENCE_FORMS[0], Sighting(Path("votes.csv")))
    'referenceless human-score --ratings votes.csv'
    """
    return " ".join(["referenceless human-score --ratings", path, *form.options(sighting)])
