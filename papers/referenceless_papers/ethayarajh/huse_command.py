"""The command `huse`."""

from __future__ import annotations

from typing import Any

import click

from referenceless_metrics.command_line.help import ShortHelp
from referenceless_metrics.command_line.output_options import output_options
from referenceless_metrics.command_line.text_options import input_options
from referenceless_metrics.core.files.output import write_rows
from referenceless_metrics.core.files.text_io import read_text_blocks


@click.command(cls=ShortHelp, epilog="Example: referenceless huse outputs.csv human.csv --pool pool.csv --lm wordpiece")
@click.argument("outputs")
@click.argument("human")
@click.option("--pool", help="Rated texts, for estimates of quality by BLEU Neighbors; without: the column rating.")
@click.option("--lm", help="Language model, by name or path, for log-probabilities; without: the column logprob.")
@input_options
@output_options
def huse(outputs: str, human: str, output: str | None, format: str, **options: Any) -> None:
    """Measure how well a system's outputs can be told from people's texts, by quality and diversity: HUSE.

    OUTPUTS and HUMAN are files of texts, as many in each. HUSE (Hashimoto et al. 2019) is 1 if nobody can tell them
    apart by their quality and their log-probability, and 0 if one always can. HUSE-Q is the same by quality alone;
    HUSE-D is the remaining part, for diversity.

    Log-probabilities, each a text's sum over its number of tokens, are meant to be those of the model that wrote the
    outputs; those of another stand in for them.
    """
    from referenceless_metrics.huse.score import HUSE

    reading = {"text_column": options["text_column"], "reading": options["reading"]}
    own, theirs = (next(read_text_blocks(file, **reading)) for file in (outputs, human))
    quality, logprobs = (
        options[source] or [table.numbers(column, f"without --{source}") for table, _ in (own, theirs)]
        for source, column in (("pool", "rating"), ("lm", "logprob"))
    )
    found = HUSE(quality, logprobs).compute(own[1], theirs[1])
    intervals = found["intervals"].items()
    rows = [{"figure": name, "value": found[name], "low": low, "high": high} for name, (low, high) in intervals]
    write_rows(rows, found, format, output, lines=[f"coverage: {found['coverage']:.3g}"])
