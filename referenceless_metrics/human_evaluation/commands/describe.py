"""The command `study describe`: a study in a paragraph, and in the answers of a data sheet."""

from __future__ import annotations

import json
from shlex import quote
from typing import TYPE_CHECKING, Any

import click

from referenceless_metrics.command_line.adding import adding
from referenceless_metrics.command_line.help import ShortHelp
from referenceless_metrics.core.files.atomic import atomic_write
from referenceless_metrics.core.files.escaping import escaped
from referenceless_metrics.core.files.reading import tell
from referenceless_metrics.human_evaluation.commands.look_options import look_options, looks_of_study
from referenceless_metrics.human_evaluation.inference.estimated_means import LEVEL

if TYPE_CHECKING:
    from referenceless_metrics.human_evaluation.studies.datasheet import SheetRow


def _further(_: click.Context, __: click.Parameter, texts: tuple[str, ...]) -> dict[str, str]:
    """Return answers by the number of their question, from NUMBER=ANSWER."""
    answers = {}
    for text in texts:
        number, equals, answer = text.partition("=")
        if not equals or not answer.strip():
            raise click.BadParameter(f'expected NUMBER=ANSWER, such as "3.2.3=by email to students", but got {text!r}')
        number, slash, criterion = (part.strip() for part in number.partition("/"))
        answers[f"{number}{slash}{criterion}"] = answer.strip()
    return answers


@click.command(cls=ShortHelp, epilog='Example: referenceless study describe study --payment "12 euros an hour"')
@click.argument("studies", metavar="STUDY", nargs=-1, required=True, type=click.Path(exists=True, file_okay=False))
@adding(
    click.Option(["--payment"], metavar="TEXT", help="Payment of raters, as `paid TEXT` has it; none if unpaid."),
    click.Option(
        ["--answer", "further"],
        multiple=True,
        callback=_further,
        metavar="NUMBER[/CRITERION]=ANSWER",
        help="Answer to a question of HEDS 3.0, of all criteria or of one; may be repeated.",
    ),
    click.Option(["--all-pairs"], is_flag=True, help="Describe the analysis of human-score --all-pairs."),
    click.Option(["-f", "--format"], type=click.Choice(["markdown", "json"]), default="markdown", show_default=True),
    click.Option(["-o", "--output"], type=click.Path(), help="File to write  [default: the terminal]"),
)
@look_options
def describe(
    studies: tuple[str, ...],
    payment: str | None,
    further: dict[str, str],
    all_pairs: bool,
    format: str,
    output: str | None,
    **options: Any,
) -> None:
    """Describe a study for a paper: a paragraph for its methods, and a data sheet.

    STUDY is a folder that `sample` wrote, with ratings or before the first one. The data sheet has the questions of
    HEDS 3.0 (arXiv 2412.07940) by number: those that the study's files answer, and those that are left to you. The
    analysis is that of `human-score STUDY`, of all rated outputs. Say by --every-look that you looked at the findings
    while ratings came in: then it is that of `human-score STUDY --every-look`, of complete items.
    """
    from referenceless_metrics.human_evaluation.studies.datasheet import datasheet
    from referenceless_metrics.human_evaluation.studies.description import methods_paragraph, study_facts
    from referenceless_metrics.human_evaluation.studies.design import Design, named_estimates
    from referenceless_metrics.human_evaluation.wording.next_steps import described_analysis

    study, *further_studies = studies
    if further_studies:
        raise click.UsageError(
            f"one study is described at a time, and these are {len(studies)}: run `referenceless study describe "
            f"{quote(study)}`, and so for each. The findings of all together are told by "
            f"`referenceless human-score {' '.join(map(quote, studies))}`"
        )
    design = Design.read(study)
    if options["every_look"] and design.are_preferences:
        raise click.UsageError("these are preferences: --every-look is for ratings")
    facts = study_facts(study, looks_of_study({**options, "level": LEVEL}, len(design.items)))
    if facts.is_unfinished:
        which = {"of_looks": facts.looks is not None, "preferences": design.are_preferences, "all_pairs": all_pairs}
        tell([described_analysis(study, **which)])
    _, options_of_estimates = named_estimates(design.metric, design.estimates_column)
    if options_of_estimates:
        pairs = " --all-pairs" if all_pairs else ""
        call = f"referenceless human-score OUTPUTS --ratings {quote(study)} {options_of_estimates}{pairs}"
        tell([f"the analysis with the estimates that the study names is `{call}`"])
    paragraph = methods_paragraph(facts, payment or "", all_pairs=all_pairs)
    rows = datasheet(facts, payment or "", further)
    if format == "json":
        sheet = [row._asdict() for row in rows]
        text = json.dumps({"paragraph": paragraph, "heds": "3.0", "answers": sheet}, ensure_ascii=False, indent=1)
    else:
        text = _markdown(paragraph, rows)
    if output is None:
        click.echo(text)
        return
    with atomic_write(output, "w") as file:
        file.write(f"{text}\n")
    click.echo(output)


def _markdown(paragraph: str, rows: list[SheetRow]) -> str:
    """Return the paragraph, the answers as a table, and the open questions as a list."""
    lines = [paragraph, "", "## Human evaluation data sheet (HEDS 3.0)", "", "| question | | answer |", "|---|---|---|"]
    for row in rows:
        if row.answer:
            lines.append(f"| {row.number} | {escaped(_named(row))} | {escaped(row.answer)} |")
    still_open = [row for row in rows if not row.answer]
    lines += ["", f"## Left open: {len(still_open)}", ""]
    of_one = next((f"{row.number}/{row.criterion}" for row in still_open if row.criterion), "")
    if still_open:
        for_one = f'; of one criterion: --answer "{of_one}=ANSWER"' if of_one else ""
        lines += [escaped(f'To answer: --answer "{still_open[0].number}=ANSWER"{for_one}.'), ""]
    lines += [f"- {row.number} {escaped(_named(row))}" for row in still_open]
    return "\n".join(lines)


def _named(row: SheetRow) -> str:
    return f"{row.name} ({row.criterion})" if row.criterion else row.name
