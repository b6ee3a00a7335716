"""The command `serve`: any metric as a service over HTTP."""

from __future__ import annotations

from typing import Any

import click

from referenceless_metrics.command_line.metric_command import ChosenMetrics, MetricCommand, metric_option
from referenceless_metrics.core.support.validation import InputError


@click.command(cls=MetricCommand, epilog="Example: referenceless serve --metric bleu_neighbors --pool pool.index")
@metric_option
@click.option("--host", default="127.0.0.1", help="Address to listen on; 0.0.0.0 lets other machines in.")
@click.option("--port", type=click.IntRange(1, 65535), default=8080, help="Port to listen on.")
def serve(chosen: ChosenMetrics, host: str, port: int, **options: Any) -> None:
    """Score texts over HTTP (extra `serve`).

    POST /score takes {"texts": [...]}, with references or sources for a metric that reads them; GET /health says that
    it scores. The metric is loaded before the first request. Whoever reaches the address may use it: it asks for no
    password.
    """
    from referenceless_metrics.core.support.installation import import_extra
    from referenceless_metrics.frameworks.service import build_service

    chosen.check(options)
    uvicorn = import_extra("uvicorn", "serve", "the service")
    try:
        uvicorn.run(build_service(chosen.make(options)[0]), host=host, port=port, log_level="warning")
    except SystemExit:  # uvicorn has written why
        raise InputError(f"cannot serve at {host}:{port}; name another --port or --host") from None
