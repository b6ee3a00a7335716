"""Limits for each visitor of a page, and the messages beyond them."""

from __future__ import annotations

import logging
import os
import warnings
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from referenceless_metrics.core.files.escaping import one_line
from referenceless_metrics.core.support.validation import InputError, lone_surrogate

MOST_CHARACTERS = 2_000_000
"""Most characters of all texts of a box or a file."""

MOST_LINES = 100_000
"""Most lines of a box, or lines or rows of a file, blank ones too."""

LONGEST_TEXT = 20_000
"""Most characters of one text, which is looked at character by character."""

MOST_BYTES = 48 * 2**20
"""Most bytes of a request: a paste of a file may be as large as an upload."""

MOST_AT_ONCE = 4
"""Most requests that are worked on at the same time."""

MOST_WAITING = 200
"""Most requests that may wait; further visitors are told to come again."""

_LOGGER = logging.getLogger(__name__)
_FAILED = "The page could not do that. Load it again and try once more, or give it other texts."
_NO_MEMORY = "There is not enough memory for that. Give the page fewer or shorter texts."


def check_pasted(pasted: str, what: str) -> str:
    """Return pasted text after checking that it is not too much, and whole.

    Args:
        pasted: a box's content.
        what: the page's word for its lines.

    Raises:
        InputError: for more than `MOST_CHARACTERS` or `MOST_LINES`, and for half a character, which no file can hold
            and no answer.
    """
    check_count(len(pasted), MOST_CHARACTERS, f"characters of {what}")
    check_count(pasted.count("\n"), MOST_LINES, f"lines of {what}")
    place = lone_surrogate(pasted)
    if place is not None:
        line = pasted.count("\n", 0, place) + 1
        raise InputError(
            f"The {what}, line {line}: expected valid Unicode, but got half a character (the lone surrogate "
            f"U+{ord(pasted[place]):04X}); delete it"
        )
    return pasted


def check_sizes(texts: Sequence[str], what: str) -> None:
    """Check that texts are not too long, each and all together.

    Raises:
        InputError: for more than `MOST_CHARACTERS`, or a text of more than `LONGEST_TEXT`; the message says which.
    """
    lengths = [len(text) for text in texts]
    check_count(sum(lengths), MOST_CHARACTERS, f"characters of {what}")
    longest = max(lengths, default=0)
    if longest > LONGEST_TEXT:
        raise InputError(
            f"This page takes texts of at most {LONGEST_TEXT:,} characters, but the {what} hold one of {longest:,}, "
            f"the {lengths.index(longest) + 1:,}. from the top; the command `referenceless score` takes any"
        )


def check_count(number: int, most: int, what: str, command: str = "`referenceless score`") -> None:
    """Check that a page is not asked for more than it should do while others wait.

    Raises:
        InputError: for more than `most`; the message names the command that takes any number.
    """
    if number > most:
        raise InputError(
            f"This page takes at most {most:,} {what}, but there are {number:,}; the command {command} takes any number"
        )


def check_file(path: str) -> None:
    """Check a file before it is read.

    Raises:
        InputError: for more than `MOST_LINES`, or rows of .json.
    """
    file = Path(path)
    end = b"{" if file.suffix.lower() == ".json" else b"\n"
    check_count(file.read_bytes().count(end), MOST_LINES, f"lines, blank ones too, in {file.name}")


@lru_cache(maxsize=1)
def page_class() -> Any:
    """Return gradio's `Blocks` with these limits: for many visitors, and without a traceback for any of them."""
    import gradio

    class Page(gradio.Blocks):  # type: ignore[misc]  # gradio is not among the type checker's imports
        """A page that works on a few requests at once, and answers each."""

        def __init__(self, *args: Any, **options: Any) -> None:
            super().__init__(*args, **options)
            # gradio's figures about its own speed, which no page of ours shows, take a twentieth of the processors
            os.environ.setdefault("GRADIO_ANALYTICS_CACHE_FREQUENCY", "1000")
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                self.queue(max_size=MOST_WAITING, default_concurrency_limit=MOST_AT_ONCE)

        async def process_api(self, block_fn: Any, inputs: list[Any], *args: Any, **options: Any) -> Any:
            """Run a handler; an error that it does not tell of itself becomes a message, and a line in the log."""
            try:
                return await super().process_api(block_fn, inputs, *args, **options)
            except gradio.Error as error:
                error.print_exception = False
                raise
            except MemoryError:
                raise gradio.Error(_NO_MEMORY, print_exception=False) from None
            except Exception as error:
                _LOGGER.error("%s", one_line(f"{type(error).__name__}: {error}")[:500])
                raise gradio.Error(_FAILED, print_exception=False) from None

    return Page


def with_security_headers(app: Any) -> Any:
    """Return an ASGI application that tells browsers to trust this server alone, and to show it in no other page.

    On a Hugging Face Space, which shows the page inside its own, frames are allowed.

    Args:
        app: answers the requests.
    """
    policy = "default-src 'self' data: blob: 'unsafe-inline' 'unsafe-eval'; object-src 'none'; base-uri 'self'"
    headers = [(b"x-content-type-options", b"nosniff")]
    if "SPACE_ID" not in os.environ:
        policy += "; frame-ancestors 'none'"
        headers.append((b"x-frame-options", b"DENY"))
    headers.append((b"content-security-policy", policy.encode()))

    async def answer(scope: Any, receive: Any, send: Any) -> None:
        async def with_headers(message: Any) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message.get("headers", ()), *headers]}
            await send(message)

        await app(scope, receive, with_headers)

    return answer


def with_body_limit(app: Any) -> Any:
    """Return an ASGI application that answers requests of more than `MOST_BYTES` with a message, before they are held.

    Args:
        app: answers the others.
    """
    from starlette.responses import JSONResponse

    detail = f"This page takes at most {MOST_BYTES // 2**20} MB at once. Give it fewer texts, or a file."
    refused = JSONResponse({"detail": detail}, 413, {"connection": "close"})

    async def answer(scope: Any, receive: Any, send: Any) -> None:
        taken = 0

        async def bounded() -> Any:
            nonlocal taken
            message = await receive()
            taken += len(message.get("body", b""))
            return message if taken <= MOST_BYTES else {"type": "http.disconnect"}

        declared = dict(scope.get("headers") or ()).get(b"content-length", b"0")
        too_large = scope["type"] == "http" and declared.isdigit() and int(declared) > MOST_BYTES
        await (refused if too_large else app)(scope, bounded, send)

    return answer
