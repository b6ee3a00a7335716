"""Commands that take any metric: `--metric NAME` adds the options of that metric's parameters."""

from __future__ import annotations

import shlex
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import click
from click.core import ParameterSource

from referenceless_metrics.command_line.adding import adding
from referenceless_metrics.command_line.baselines import NAMES, not_computed
from referenceless_metrics.command_line.help import BROUGHT, Rare, ShortHelp
from referenceless_metrics.command_line.metric_options import MetricOptions, options_for
from referenceless_metrics.core.files.reading import tell
from referenceless_metrics.core.metric import Metric
from referenceless_metrics.core.registry import MetricSpec, default_metric, metric_names, metric_spec
from referenceless_metrics.core.support.validation import Options, Record, did_you_mean

_BROUGHT, _NAMED = f"{__name__}.brought", f"{__name__}.named"
"""Keys of a click context for the options of its metrics, and for whether they were named."""

_POOL = "--pool"


@dataclass(frozen=True)
class ChosenMetrics:
    """The metrics of a command line, each with its options.

    Attributes:
        brought: the options of each metric, in order.
        is_named: whether the command line names a metric.
        is_asked_for: whether it names a metric, or gives an option of one.
        of_corpus: metrics of sacrebleu, such as bleu, by their place among the named ones.
    """

    brought: tuple[MetricOptions, ...]
    is_named: bool
    is_asked_for: bool
    of_corpus: Mapping[int, str] = field(default_factory=dict)

    @property
    def spec(self) -> MetricSpec:
        """The entry of the first metric."""
        return self.brought[0].spec

    @property
    def specs(self) -> list[MetricSpec]:
        """The entries of all metrics."""
        return [brought.spec for brought in self.brought]

    def check(self, options: Options) -> None:
        """Check the metrics' options before any file is read.

        Args:
            options: all options of the command line.

        Raises:
            click.UsageError: naming the options.
        """
        for brought in self.brought:
            brought.check(_own_values(brought, options))

    def make(self, options: Options) -> list[Metric]:
        """Return the metrics, made from their options among all options of the command line."""
        data_dir = options["reading"].data_dir if "reading" in options else None
        return [brought.make(_own_values(brought, options), data_dir) for brought in self.brought]


def _own_values(brought: MetricOptions, options: Options) -> Record:
    """Return the values of a metric's options among all of a command."""
    return {str(option.name): options[str(option.name)] for option in brought.shown}


class MetricCommand(ShortHelp):
    """A command with `--metric`. Its options are its own and those of the named metric.

    The callback gets the metrics as `chosen`, and their options among its keyword arguments.

    Attributes:
        several: whether several metrics may be named.
        takes_corpus_metrics: whether metrics of sacrebleu may be named, too.
        is_metric_optional: whether the command takes no metric unless one is asked for.
    """

    several = False
    takes_corpus_metrics = False
    is_metric_optional = False

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Find the metric before the other arguments are parsed: its options are among them."""
        advised = _advised(args, ctx) if ADVICE in self.params else []
        ctx.meta[BROUGHT] = len(advised)
        args = [*advised, *args]
        names = list(dict.fromkeys(values_of(args, "--metric")))
        if len(names) > 1 and not self.several:
            told = f"{self.name} takes one metric, but got {', '.join(names)}: {self.instead_of_several(names)}"
            raise click.UsageError(told, ctx)
        of_corpus: dict[int, str] = {}
        if self.takes_corpus_metrics:
            of_corpus = {place: name.lower() for place, name in enumerate(names) if name.lower() in NAMES}
        own = [name for place, name in enumerate(names) if place not in of_corpus]
        known = (*metric_names(), *NAMES) if self.takes_corpus_metrics else metric_names()
        specs = [chosen_spec(known, name, ctx) for name in own]
        specs = specs if names else [self._implied(args)]
        brought = tuple(options_for(spec, self) for spec in specs)
        ctx.meta[_BROUGHT] = brought
        ctx.meta[_NAMED] = bool(names)
        without_pool = _without_pool(brought, args)  # parsing takes the arguments out of their list
        try:
            rest = super().parse_args(ctx, args)
        except (click.NoSuchOption, click.BadParameter) as error:
            unknown = error.option_name if isinstance(error, click.NoSuchOption) else ""
            of_pool = pool_option(unknown)
            if unknown and any(of_pool in option.opts for option in self.get_params(ctx)):
                message = f"No such option: {unknown}; did you mean {of_pool}?"
                raise click.UsageError(message, error.ctx) from error
            fitted = next((spec for spec in specs if unknown == _POOL and spec.fit and spec.implied_by), None)
            if fitted is not None:
                pool = next(iter(values_of(args, _POOL)), "rated.csv")
                raise click.UsageError(_in_place_of_pool(fitted, pool), error.ctx) from error
            if names or getattr(error, "param", None) in self.params:  # an option that every metric lacks
                raise
            from referenceless_metrics.command_line.unknown_options import unknown_option  # for errors alone

            chosen_so = f"{self._without_name(specs[0])} For options of a metric add --metric NAME."
            told = unknown_option(error) if isinstance(error, click.NoSuchOption) else error.format_message()
            raise click.UsageError(f"{told} {chosen_so}", error.ctx) from error
        tell(without_pool)
        sources = [ctx.get_parameter_source(str(option.name)) for each in brought for option in each.shown]
        is_asked_for = bool(names) or ParameterSource.COMMANDLINE in sources
        ctx.params["chosen"] = ChosenMetrics(brought, bool(names), is_asked_for, of_corpus)
        return rest

    def instead_of_several(self, names: Sequence[str]) -> str:
        """Return what to do with several metrics, of a command that takes one."""
        return "give each a run of its own"

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """Return the command's parameters, those of its metrics before `--help`."""
        *options, help_all, help = super().get_params(ctx)
        brought = {option.name: option for metric in reversed(_brought_by(ctx)) for option in metric.shown}
        return [*options, *brought.values(), help_all, help]

    def _implied(self, args: Sequence[str]) -> MetricSpec:
        """Return the metric of a command line that names none: the one with the given options, or the default."""
        options = {argument.partition("=")[0] for argument in args}
        names_references = not options.isdisjoint(("--references", "--reference-columns"))
        by_references = self.name == "score" and "--with" not in options and names_references
        for spec in map(metric_spec, metric_names()):  # one by one, since each import takes time
            if by_references and spec.needs_references:
                return spec
            if not by_references and not options.isdisjoint(spec.implied_by):
                return spec
        return default_metric()

    def _without_name(self, spec: MetricSpec) -> str:
        """Say which metric is taken if none is named."""
        if self.is_metric_optional:
            return "Without --metric there is no metric."
        return f"Without --metric the metric is {spec.name}."

    def sections(self, ctx: click.Context) -> dict[str, list[click.Parameter]]:
        """Return the command's own options, and those of a metric that is named."""
        sections: dict[str, list[click.Parameter]] = {"Options": super().get_params(ctx)}
        brought = _brought_by(ctx)
        if brought and (self.name == "score" or ctx.meta.get(_NAMED)):
            sections[f"Options of {brought[0].spec.name}"] = brought[0].shown
        return sections

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, each with its metrics unless a heading names them."""
        if len(self.sections(ctx)) == 1 and _brought_by(ctx):
            formatter.write_paragraph()
            named = self._without_name(_brought_by(ctx)[0].spec)
            shown = f"{named} --metric NAME --help shows a metric's options."
            if self.takes_corpus_metrics:
                shown += (
                    f" Outputs in any language: --metric {', '.join(NAMES[:-1])} or {NAMES[-1]} with --references FILE "
                    "compares by these alone, as --with sets them beside another metric."
                )
            formatter.write_text(shown)
        super().format_epilog(ctx, formatter)


def _without_pool(brought: Sequence[MetricOptions], args: Sequence[str]) -> list[str]:
    """Return a note on metrics that do not learn from --pool, which stands beside them for others; none without."""
    if not values_of(args, _POOL):
        return []
    named = {argument.partition("=")[0] for argument in args}
    fitted = [
        metric.spec
        for metric in brought
        if metric.spec.fit and metric.spec.implied_by and named.isdisjoint(metric.spec.implied_by)
        if not any(_POOL in option.opts for option in metric.shown)
    ]
    return [
        f"{spec.name} does not learn from {_POOL}, and has its packaged model ({spec.implied_by[0]} FILE takes one "
        f"that `referenceless fit --metric {spec.name}` wrote)"
        for spec in fitted
    ]


def _in_place_of_pool(spec: MetricSpec, pool: str) -> str:
    """Return the message for --pool with a metric that is fitted once: what is given in place of it.

    Args:
        spec: the metric's entry.
        pool: the file that the command line names.
    """
    from referenceless_metrics.core.files.archive import is_archive

    file, option = shlex.quote(pool), spec.implied_by[0]
    if is_archive(pool):
        return f"No such option: {_POOL}; {pool} holds a fitted model: `{option} {file}` in place of {_POOL}"
    return (
        f"No such option: {_POOL}; {spec.name} learns from ratings once, and a file keeps it: `referenceless fit "
        f"{file} --metric {spec.name} -o fitted.model`, then `{option} fitted.model` in place of {_POOL}"
    )


METRIC = click.Option(
    ["--metric"], metavar="NAME", expose_value=False, help="The metric, one of `referenceless hub metrics`."
)
#: `--metric`, which `MetricCommand` reads.
metric_option = adding(METRIC)
#: The same of commands that also take sacrebleu's metrics.
any_metric_option = adding(
    click.Option(
        ["--metric"],
        metavar="NAME",
        expose_value=False,
        help=f"One of `hub metrics`, or {', '.join(NAMES)} alone.",
    )
)
ADVICE = Rare(["--advice"], metavar="FOLDER", expose_value=False, help="What `advise -o` wrote: its metric is taken.")


def _advised(args: Sequence[str], ctx: click.Context) -> list[str]:
    """Return the options of the metric that `--advice` names.

    Raises:
        click.UsageError: for a folder that `advise` did not write.
    """
    options: list[str] = []
    for place in values_of(args, "--advice"):
        from referenceless_metrics.pages.embedded import read_page

        page = read_page(place)
        *named, file = page["options"] or [""]
        if not named:
            raise click.UsageError(f"{place} names no metric: it is no page of `advise`", ctx)
        options += [*named, str(Path(page["place"]).parent / file)]
    return options


_OF_OTHERS = "; scores that another tool gave are compared by `referenceless compare --scores FILE --scores OTHER`"
"""The end of a message on a metric that is not here."""


def chosen_spec(names: Collection[str], name: str, ctx: click.Context | None) -> MetricSpec:
    """Return the metric of this name.

    Raises:
        click.BadParameter: for an unknown metric, or one that no command takes.
    """
    if name not in names:
        near = _with_references(name, ctx) or not_computed(name) or did_you_mean(name, names) or _OF_OTHERS
        raise click.BadParameter(f"{name!r} is not one of {', '.join(map(repr, names))}{near or '.'}", ctx, METRIC)
    return metric_spec(name)


def _with_references(name: str, ctx: click.Context | None) -> str:
    """Return the end of a message on one of sacrebleu's metrics, which `--with` takes; "" for another name."""
    if name.lower() not in NAMES:
        return ""
    if ctx is not None and ctx.command.name == "cite":
        return "; `referenceless cite --methods` prints BibTeX of BLEU, chrF and TER, and `compare` their signatures"
    is_here = ctx is not None and any("--with" in option.opts for option in ctx.command.params)
    where = "" if is_here else " of `referenceless compare` and `score`, which tell its signature, too"
    alone = f"`referenceless compare --metric {name.lower()} --references FILE` compares outputs by it alone"
    return f"; did you mean `--with {name.lower()}`{where}? That stands beside another metric; {alone}, in any language"


def _brought_by(ctx: click.Context) -> tuple[MetricOptions, ...]:
    """Return the options of each metric of a command line in order; before parsing, those of the default metric."""
    brought: tuple[MetricOptions, ...] | None = ctx.meta.get(_BROUGHT)
    return (options_for(default_metric(), ctx.command),) if brought is None else brought


def pool_option(option: str) -> str:
    """Return the name of the option of the pool that corresponds to an option of the texts.

    >>> pool_option("--text-column")
    '--pool-text-column'
    """
    return f"--pool{option[1:]}"


def values_of(args: Sequence[str], option: str) -> list[str]:
    """Return the values of an option among arguments that are not parsed yet.

    >>> values_of(["--metric", "slor", "a.txt", "--metric=fluency", "--", "--metric"], "--metric")
    ['slor', 'fluency']
    """
    values, before = [], ""
    for argument in args:
        if before == option:
            values.append(argument)
        elif argument == "--":
            break
        elif argument.startswith(f"{option}="):
            values.append(argument.partition("=")[2])
        before = "" if before == option else argument
    return values
