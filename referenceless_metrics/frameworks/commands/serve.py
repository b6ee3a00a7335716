"""The command `serve`: any metric as a service over HTTP."""

from __future__ import annotations

import contextlib
import ipaddress
import logging
import sys
from typing import TYPE_CHECKING, Any

import click

from referenceless_metrics.command_line.adding import adding
from referenceless_metrics.command_line.help import Rare
from referenceless_metrics.command_line.metric_command import ADVICE, ChosenMetrics, MetricCommand, metric_option
from referenceless_metrics.command_line.streams import Unblocked
from referenceless_metrics.core.metric import worth_of
from referenceless_metrics.core.support.validation import InputError
from referenceless_metrics.human_evaluation.commands.rating_options import bad_condition

if TYPE_CHECKING:
    from referenceless_metrics.human_evaluation.judges.limits import Bad

#: Seconds for which one thread may hold the interpreter, so that the thread that answers waits little for one that
#: scores.
_SWITCH_INTERVAL = 0.0005


@click.command(cls=MetricCommand, epilog="Example: referenceless serve --metric bleu_neighbors --pool pool.index")
@metric_option
@adding(ADVICE)
@click.option(
    "--host",
    default="127.0.0.1",
    help="Address to listen on (0.0.0.0 lets other machines in, which may ask by any name unless --allowed-host).",
)
@click.option("--port", type=click.IntRange(1, 65535), default=8080, help="Port to listen on.")
@click.option(
    "--allowed-host",
    "allowed_hosts",
    multiple=True,
    metavar="NAME",
    help="Name under which it may be asked, beside localhost and addresses (default: none, or every name if --host "
    "lets other machines in). Repeat it for several.",
)
@click.option(
    "--timeout",
    type=click.FloatRange(0, min_open=True),
    default=60,
    show_default=True,
    help="Seconds within which a request is answered; later it gets 503.",
)
@click.option(
    "--bad",
    type=bad_condition,
    metavar="CONDITION",
    help='Scores that count as bad, as "<-2": answers say it of each text.',
)
@click.option("--access-log", cls=Rare, is_flag=True, help="Write a line for each request to standard output.")
def serve(
    chosen: ChosenMetrics,
    host: str,
    port: int,
    allowed_hosts: tuple[str, ...],
    timeout: float,
    bad: Bad | None,
    access_log: bool,
    **options: Any,
) -> None:
    """Score texts over HTTP (extra `serve`).

    POST /score takes {"texts": [...]}, with references or sources for a metric that reads them; GET /health answers
    while it scores, with the number of waiting requests; GET /metrics counts requests and texts for Prometheus;
    GET /openapi.json describes all. The metric is loaded before the first request, which takes some seconds. Whoever
    reaches the address may use it: it asks for no password. A body has at most 4 MB and 10,000 texts of 100,000
    characters each, and 200 requests may wait.
    """
    from referenceless_metrics.core.support.installation import import_extra
    from referenceless_metrics.frameworks.service import build_service

    chosen.check(options)
    uvicorn = import_extra("uvicorn", "serve", "the service")
    names = allowed_hosts or (() if _is_loopback(host) else None)
    click.echo("Loading the metric.", err=True)
    metric = chosen.make(options)[0]
    worth = worth_of(metric)
    if worth is not None:
        click.echo(worth, err=True)
    condition = None if bad is None else str(bad)
    service = build_service(metric, allowed_hosts=names, timeout=timeout, bad=condition)
    logging.getLogger("uvicorn.error").addFilter(_is_no_upgrade)
    sys.setswitchinterval(_SWITCH_INTERVAL)
    with Unblocked.standard_streams():
        try:
            with contextlib.suppress(KeyboardInterrupt):
                _server(uvicorn, service, host, port, access_log=access_log).run()
        except SystemExit:  # uvicorn has written why
            raise InputError(f"cannot serve at {host}:{port}; name another --port or --host") from None


def _server(uvicorn: Any, service: Any, host: str, port: int, *, access_log: bool) -> Any:
    """Return a server of the service that prints its address as soon as it listens."""

    class Server(uvicorn.Server):  # type: ignore[misc]
        async def startup(self, sockets: Any = None) -> None:
            await super().startup(sockets)
            name = f"[{host}]" if ":" in host else host
            click.echo(f"http://{name}:{port} scores: POST /score; GET /health. Ctrl-C stops it.")

        async def shutdown(self, sockets: Any = None) -> None:
            await super().shutdown(sockets)
            for stream in (sys.stdout, sys.stderr):
                if isinstance(stream, Unblocked):
                    stream.drain()  # uvicorn ends the process by the signal that it got

    level = "info" if access_log else "warning"
    return Server(uvicorn.Config(service, host=host, port=port, log_level=level, access_log=access_log, ws="none"))


def _is_no_upgrade(record: logging.LogRecord) -> bool:
    """Return whether a line of the server's log is kept.

    Some clients, such as Java's, offer another protocol (h2c) with each request. The request is answered, so that
    neither the offer nor uvicorn's advice to install WebSockets is worth a line.
    """
    message = record.getMessage()
    return not message.startswith(("Unsupported upgrade request", "No supported WebSocket library"))


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
