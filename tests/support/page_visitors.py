"""Visitors of a page without a browser: what one sends when a visitor acts, and what comes back."""

from __future__ import annotations

import json
import secrets
import urllib.error
import urllib.request


class Visitor:
    """One visitor of a page, with a session of its own.

    Args:
        address: the page's, with a slash at its end.
        timeout: seconds to wait for an answer.
    """

    def __init__(self, address: str, timeout: float = 120) -> None:
        self.address = address
        self.session = secrets.token_hex(6)
        self.timeout = timeout
        with urllib.request.urlopen(f"{address}config", timeout=timeout) as answer:
            config = json.load(answer)
        self.components = {one["id"]: one for one in config["components"]}
        self.ids = {one["props"].get("elem_id"): number for number, one in self.components.items()}
        self.dependencies = config["dependencies"]
        self.values = {number: one["props"].get("value") for number, one in self.components.items()}

    def fill(self, elem_id, value):
        """Write into a box."""
        self.values[self.ids[elem_id]] = value

    def act(self, elem_id, event="click"):
        """Click a button, or change a box; return the answer as the server sends it."""
        which = next(
            one
            for one in self.dependencies
            if [self.ids[elem_id], event] in [list(target) for target in one["targets"]]
        )
        data = [None if self.components[i]["type"] == "state" else self.values[i] for i in which["inputs"]]
        body = {"data": data, "fn_index": which["id"], "session_hash": self.session, "trigger_id": self.ids[elem_id]}
        request = urllib.request.Request(
            f"{self.address}gradio_api/queue/join",
            json.dumps(body).encode(),  # escapes lone surrogates, as a browser's JSON.stringify does
            {"Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=self.timeout) as answer:
            event_id = json.load(answer)["event_id"]
        url = f"{self.address}gradio_api/queue/data?session_hash={self.session}"
        with urllib.request.urlopen(url, timeout=self.timeout) as stream:
            for line in stream:
                if not line.startswith(b"data:"):
                    continue
                message = json.loads(line[5:])
                if message["msg"] == "process_completed" and message["event_id"] == event_id:
                    return dict(message)
        raise AssertionError("the stream ended without an answer")

    def shown(self, answer, elem_id, event_of, event="click"):
        """Return what an answer puts into a box."""
        which = next(
            one
            for one in self.dependencies
            if [self.ids[event_of], event] in [list(target) for target in one["targets"]]
        )
        return answer["output"]["data"][which["outputs"].index(self.ids[elem_id])]
