"""The command `reproduce claims`: the figures of the documentation's page of claims."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from referenceless_papers.claims.domains import Domains
    from referenceless_papers.claims.lols_wen import Claims
    from referenceless_papers.claims.other_systems import OtherSystems

BEGIN, END = "<!-- claims: begin -->", "<!-- claims: end -->"
"""Marks between which `docs/claims.md` holds the result of `claims_markdown`."""


@click.command(epilog="Example: referenceless reproduce claims --data-dir data")
@click.option(
    "--data-dir",
    required=True,
    type=click.Path(),
    help="Folder that holds nlg-ratings/, webnlg-2020/, usr/ and fluency/.",
)
@click.option("--pools", type=click.IntRange(min=1), default=20, show_default=True, help="Random pools of ratings.")
@click.option("--draws", type=click.IntRange(min=100), default=2000, show_default=True, help="Draws of rated outputs.")
@click.option(
    "--format", type=click.Choice(("markdown", "json")), default="markdown", show_default=True, help="Output format."
)
def claims(data_dir: str, pools: int, draws: int, format: str) -> None:
    """Show on real ratings which claims estimates allow, and which they do not.

    Two systems that people rate alike (LOLS and WEN, restaurants) are compared by estimates from random pools of
    ratings, and by a few ratings of each one's outputs; sixteen systems are judged by the ratings of the others; and
    metrics of fluency are compared with ratings of dialogue and of meaning.
    """
    import json

    from referenceless_papers.claims.domains import domain_warnings
    from referenceless_papers.claims.lols_wen import lols_and_wen
    from referenceless_papers.claims.other_systems import from_other_systems

    systems, others = lols_and_wen(data_dir, n_pools=pools, n_draws=draws), from_other_systems(data_dir)
    domains = domain_warnings(data_dir)
    if format == "json":
        told = asdict(systems) | {"covered_by_ratings_of_others": others.covered} | asdict(domains)
        click.echo(json.dumps(told, indent=2))
    else:
        click.echo(claims_markdown(systems, others, domains))


def claims_markdown(systems: Claims, others: OtherSystems, domains: Domains) -> str:
    """Return the figures as the documentation shows them."""
    from referenceless_papers.claims.other_systems import N_RATED

    rows = [
        (
            "people, all ratings: quality (1 to 6) of WEN less that of LOLS",
            f"{_rho(systems.human_difference)} (p = {systems.human_p:.2f})",
        ),
        (
            f"pools of 300 LOLS ratings by whose estimates WEN is better, of {systems.n_pools}",
            f"{systems.wen_higher}; with p < .05 of the metric's mean: {systems.higher_below_5}",
        ),
        ("pools in which `compare` marks that as significant, in any format", str(systems.marked)),
        (
            "`human-score` with 50 ratings of each: nominal 95 % intervals that hold the difference",
            f"{systems.coverage:.0%}",
        ),
        ("`human-score`: reduction in interval width by the estimates", f"{systems.shrinkage:.1%}"),
        ("`human-score`: two halves of one system found different at 5 %", f"{systems.type_one:.1%}"),
        (
            f"{others.n_systems} systems of WebNLG 2020: nominal {100 * others.level:.0f} % intervals from {N_RATED} "
            f"ratings of the others that hold a system's mean ({', '.join(others.covered)})",
            ", ".join(f"{share:.0%}" for share in others.covered.values()),
        ),
        ("WPSLOR with the overall quality of dialogue responses (USR), ρ", _rho(domains.wpslor_of_dialogue)),
        (
            "how well simplifications keep the meaning (Simplicity-DA), ρ: ROUGE-L, ROUGE-LM",
            f"{_rho(domains.rouge_l_of_meaning)}, {_rho(domains.rouge_lm_of_meaning)}",
        ),
        (
            "fluency of its most fluent system (Dress-Ls), ρ: ROUGE-L, ROUGE-LM",
            f"{_rho(domains.rouge_l_of_fluent)}, {_rho(domains.rouge_lm_of_fluent)}",
        ),
    ]
    return "\n".join(
        ["| measured on public ratings | |", "|---|---|", *(f"| {name} | {value} |" for name, value in rows)]
    )


def _rho(value: float) -> str:
    return f"{value:.2f}".replace("-", "−")
