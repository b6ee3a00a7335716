"""A local server that answers the requests of an upload as the Hub does, and fails if a test tells it to."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class Repo:
    """A Space: its files, and the requests that came."""

    private: bool | None
    sdk: str | None
    files: dict[str, bytes] = field(default_factory=dict)
    commits: list[str] = field(default_factory=list)


@dataclass
class Trouble:
    """A fault of requests whose path matches: a status, or (None) a connection that breaks."""

    path: str
    status: int | None


@dataclass
class HubStandIn:
    """The state of the server, to be set up and looked at by tests."""

    tokens: dict[str, str] = field(default_factory=lambda: {"hf_good": "write", "hf_reader": "read"})
    repos: dict[str, Repo] = field(default_factory=dict)
    troubles: list[Trouble] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    url: str = ""

    def __enter__(self):
        state = self

        class Handler(_Handler):
            hub = state

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    hub: HubStandIn

    def log_message(self, *_):
        pass

    def do_GET(self):
        self.body = self._read()
        path = self.path.split("?")[0]
        request = f"{self.command} {path}"
        self.hub.requests.append(request)
        if trouble := next((trouble for trouble in self.hub.troubles if re.search(trouble.path, request)), None):
            return self._fail(trouble)
        self._send(*self._answer(path))

    do_HEAD = do_POST = do_PUT = do_GET

    def _read(self):
        return self.rfile.read(int(self.headers.get("Content-Length", 0)))

    def _fail(self, trouble):
        if trouble.status is None:
            self.close_connection = True
            self.connection.close()
        else:
            self._send(trouble.status, "<html>a page of the proxy</html>")

    def _send(self, status, answer):
        if isinstance(answer, str):
            answer = answer.encode()
        content = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Type", "text/html" if isinstance(answer, bytes) else "application/json")
        self.send_header("ETag", f'"{_blob_hash(content)}"')
        self.send_header("X-Repo-Commit", "0" * 40)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def _answer(self, path):
        if path == "/api/validate-yaml":
            return self._validate_yaml()
        if found := re.fullmatch(r"/spaces/([\w.-]+/[\w.-]+)/resolve/([\w.]+)/([\w./-]+)", path):
            content = self.hub.repos[found[1]].files.get(found[3])
            is_there = content is not None and found[2] in ("main", "0" * 40)  # evaluate asks for its own version first
            return (200, content) if is_there else (404, {"error": "Entry not found"})
        role = self.hub.tokens.get(self.headers.get("Authorization", "").removeprefix("Bearer "))
        if role is None:
            return 401, {"error": "Invalid username or password."}
        if path == "/api/repos/create":
            return self._create(role)
        found = re.fullmatch(r"/api/spaces/([\w.-]+/[\w.-]+)(?:/(\w+)/main)?", path)
        if not found or found[1] not in self.hub.repos:
            return 404, {"error": "Repository not found"}
        repo = self.hub.repos[found[1]]
        if found[2] in (None, "revision"):
            sha = repo.commits[-1] if repo.commits else "0" * 40
            return 200, {"id": found[1], "sha": sha, "private": bool(repo.private), "tags": [], "siblings": []}
        return self._preupload(repo) if found[2] == "preupload" else self._commit(repo, found[1])

    def _validate_yaml(self):
        wrong = "colorTo: mauve" in json.loads(self.body)["content"]
        errors = [{"message": '"colorTo" must be one of [red, yellow, …]'}] if wrong else []
        return (400 if errors else 200), {"errors": errors, "warnings": []}

    def _create(self, role):
        request = json.loads(self.body)
        repo_id = f"{request['organization']}/{request['name']}"
        if role != "write":
            return 403, {"error": "you have no right to create a repository"}
        url = f"{self.hub.url}/spaces/{repo_id}"
        if repo_id in self.hub.repos:
            return 409, {"error": "You already created this space repo", "url": url}
        private = {"private": True, "public": False}.get(request.get("visibility"), request.get("private"))
        self.hub.repos[repo_id] = Repo(private, request["sdk"])
        return 200, {"url": url}

    def _preupload(self, repo):
        files = []
        for file in json.loads(self.body)["files"]:
            there = repo.files.get(file["path"])
            oid = None if there is None else _blob_hash(there)
            files.append({"path": file["path"], "uploadMode": "regular", "shouldIgnore": False, "oid": oid})
        return 200, {"files": files}

    def _commit(self, repo, repo_id):
        header, *operations = [json.loads(line) for line in self.body.splitlines()]
        for operation in operations:
            repo.files[operation["value"]["path"]] = base64.b64decode(operation["value"]["content"])
        oid = hashlib.sha1(f"{len(repo.commits)}".encode()).hexdigest()
        repo.commits.append(oid)
        url = f"{self.hub.url}/spaces/{repo_id}/commit/{oid}"
        return 200, {"success": True, "commitOid": oid, "commitUrl": url, "message": header["value"]["summary"]}


def _blob_hash(content):
    return hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()
