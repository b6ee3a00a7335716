"""Findings as a page shows them: lines to read, and sentences to quote in a paper."""

from __future__ import annotations

from collections.abc import Sequence

FOR_THE_PAPER = "For the paper: "
"""Beginning of a sentence to quote."""

IF_A_RATER_LEFT = "For the paper, if no more answers come and nobody looked in order to stop: "
"""Beginning of a sentence to quote of a study that is not finished, with the condition under which it is right."""


def parted(findings: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the lines to read, and the sentences to quote, these without their beginning."""
    lines = [line for line in findings if not line.startswith(FOR_THE_PAPER)]
    quoted = [line.removeprefix(FOR_THE_PAPER) for line in findings if line.startswith(FOR_THE_PAPER)]
    return lines, quoted
