"""A local server that answers the requests of an upload as the Hub does, and fails where a test tells it to."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import yaml

_COLORS = set("red yellow green blue indigo purple pink gray".split())
_PREFIXES = {"space": "spaces/", "dataset": "datasets/", "model": ""}


@dataclass
class Repo:
    """A repository: its files, and what was asked of it."""

    private: bool | None
    sdk: str | None
    files: dict[str, bytes] = field(default_factory=dict)
    lfs_files: set[str] = field(default_factory=set)
    commits: list[str] = field(default_factory=list)


@dataclass
class Trouble:
    """What goes wrong with the next requests whose path matches: a status, or (None) a connection that breaks."""

    path: str
    status: int | None
    times: int = 1
    after: bool = False  # whether the request is carried out before its answer is lost


@dataclass
class HubStandIn:
    """The state of the server, to be set up and looked at by tests."""

    tokens: dict[str, str] = field(default_factory=lambda: {"hf_good": "write", "hf_reader": "read"})
    repos: dict[str, Repo] = field(default_factory=dict)
    objects: dict[str, bytes] = field(default_factory=dict)
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

    def count(self, pattern):
        """Return how many requests matched."""
        return sum(re.search(pattern, request) is not None for request in self.requests)

    def next_trouble(self, path):
        for trouble in self.troubles:
            if trouble.times and re.search(trouble.path, path):
                trouble.times -= 1
                return trouble
        return None


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    hub: HubStandIn

    def log_message(self, *_):
        pass

    def do_GET(self):
        self.body = self._read()
        path = self.path.split("?")[0]
        self.hub.requests.append(f"{self.command} {path}")
        trouble = self.hub.next_trouble(f"{self.command} {path}")
        if trouble is not None and not trouble.after:
            return self._fail(trouble)
        status, answer = self._answer(path)
        if trouble is not None:
            return self._fail(trouble)
        self._send(status, answer)

    do_HEAD = do_POST = do_PUT = do_GET

    def _read(self):
        if self.headers.get("Transfer-Encoding") == "chunked":
            parts = []
            while size := int(self.rfile.readline().split(b";")[0], 16):
                parts.append(self.rfile.read(size))
                self.rfile.readline()
            self.rfile.readline()
            return b"".join(parts)
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
            content = self.hub.repos[f"space {found[1]}"].files.get(found[3])
            is_there = content is not None and found[2] in ("main", "0" * 40)  # evaluate asks for its own version first
            return (200, content) if is_there else (404, {"error": "Entry not found"})
        if path.startswith("/lfs/"):
            oid = path.removeprefix("/lfs/")
            if hashlib.sha256(self.body).hexdigest() != oid:
                return 400, {"error": "content of another hash"}
            self.hub.objects[oid] = self.body
            return 200, {}
        role = self.hub.tokens.get(self.headers.get("Authorization", "").removeprefix("Bearer "))
        if role is None:
            return 401, {"error": "Invalid username or password."}
        if path == "/api/repos/create":
            return self._create(role)
        if found := re.fullmatch(r"/(?:spaces/|datasets/)?([\w.-]+/[\w.-]+)\.git/info/lfs/objects/batch", path):
            return self._lfs_batch()
        found = re.fullmatch(r"/api/(space|dataset|model)s/([\w.-]+/[\w.-]+)(?:/(\w+)/main)?", path)
        if not found or (key := f"{found[1]} {found[2]}") not in self.hub.repos:
            return 404, {"error": "Repository not found"}
        repo = self.hub.repos[key]
        if found[3] in (None, "revision"):
            sha = repo.commits[-1] if repo.commits else "0" * 40
            return 200, {"id": found[2], "sha": sha, "private": bool(repo.private), "tags": [], "siblings": []}
        if role != "write":
            return 403, {"error": "you have no right to write here"}
        return self._preupload(repo) if found[3] == "preupload" else self._commit(repo, found[1], found[2])

    def _validate_yaml(self):
        request = json.loads(self.body)
        errors = []
        try:
            metadata = yaml.safe_load(request["content"].split("---\n", 2)[1])
        except (IndexError, yaml.YAMLError) as error:
            return 400, {"errors": [{"message": str(error)}], "warnings": []}
        if request["repoType"] == "space":
            for key in ("colorFrom", "colorTo"):
                if metadata.get(key) not in _COLORS:
                    errors.append({"message": f'"{key}" must be one of {sorted(_COLORS)}'})
            if metadata.get("sdk") not in ("gradio", "docker", "static"):
                errors.append({"message": '"sdk" must be one of [gradio, docker, static]'})
        if self.headers.get("Accept") == "text/plain":
            return (400 if errors else 200), "".join(f"- {error['message']}\n" for error in errors)
        return (400 if errors else 200), {"errors": errors, "warnings": []}

    def _create(self, role):
        request = json.loads(self.body)
        kind, repo_id = request.get("type", "model"), f"{request['organization']}/{request['name']}"
        if role != "write":
            return 403, {"error": "you have no right to create a repository"}
        url = f"{self.hub.url}/{_PREFIXES[kind]}{repo_id}"
        if f"{kind} {repo_id}" in self.hub.repos:
            return 409, {"error": f"You already created this {kind} repo", "url": url}
        private = {"private": True, "public": False}.get(request.get("visibility"), request.get("private"))
        self.hub.repos[f"{kind} {repo_id}"] = Repo(private, request.get("sdk"))
        return 200, {"url": url}

    def _preupload(self, repo):
        files = []
        for file in json.loads(self.body)["files"]:
            path = file["path"]
            lfs = path.endswith(".fitted")
            there = repo.files.get(path)
            oid = None
            if there is not None:
                oid = hashlib.sha256(there).hexdigest() if lfs else _blob_hash(there)
            mode = "lfs" if lfs else "regular"
            files.append({"path": path, "uploadMode": mode, "shouldIgnore": False, "oid": oid})
        return 200, {"files": files}

    def _lfs_batch(self):
        objects = []
        for wanted in json.loads(self.body)["objects"]:
            answer = dict(wanted)
            if wanted["oid"] not in self.hub.objects:
                answer["actions"] = {"upload": {"href": f"{self.hub.url}/lfs/{wanted['oid']}"}}
            objects.append(answer)
        return 200, {"transfer": "basic", "objects": objects}

    def _commit(self, repo, kind, repo_id):
        header, *operations = [json.loads(line) for line in self.body.splitlines()]
        files = dict(repo.files)
        for operation in operations:
            value = operation["value"]
            if operation["key"] == "file":
                files[value["path"]] = base64.b64decode(value["content"])
            elif operation["key"] == "lfsFile":
                if value["oid"] not in self.hub.objects:
                    return 400, {"error": f"{value['path']} was never uploaded"}
                files[value["path"]] = self.hub.objects[value["oid"]]
                repo.lfs_files.add(value["path"])
            else:
                return 400, {"error": f"unexpected operation {operation['key']}"}
        repo.files = files
        oid = hashlib.sha1(f"{len(repo.commits)}".encode()).hexdigest()
        repo.commits.append(oid)
        url = f"{self.hub.url}/{_PREFIXES[kind]}{repo_id}/commit/{oid}"
        return 200, {"success": True, "commitOid": oid, "commitUrl": url, "message": header["value"]["summary"]}


def _blob_hash(content):
    return hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()
