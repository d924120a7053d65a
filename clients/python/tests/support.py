"""A proxy that can lie, and callers whose signatures and outbox are watched."""

import base64
import io
import json
import threading
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from svc_node_client.keys import Key


class Proxy(BaseHTTPRequestHandler):
    """Passes requests on to the node at `target`. `lies` gets the path, the status and the JSON of each reply, and returns both."""

    # `withheld`, if it is a list: the first submission is refused and kept there; each later one is replaced by it.
    target, lies, withheld = "", None, None
    passed_headers = ("Content-Type", "Idempotency-Key", "Svc-Reader")

    def __init_subclass__(cls):
        # Submitted writes; all bodies; path and API key of each request; the homes that proofs of who reads are for.
        cls.submitted, cls.bodies, cls.seen, cls.readers = [], [], [], []

    def do_GET(self):
        self.pass_on(None)

    def do_POST(self):
        self.pass_on(self.rfile.read(int(self.headers["Content-Length"])))

    def pass_on(self, body):
        kind = type(self)
        if body:
            kind.bodies.append(body.decode())
        kind.seen.append((self.path, self.headers.get("X-Api-Key")))
        if self.path == "/api/v1/events":
            kind.submitted.append(json.loads(body))
        if proof := self.headers.get("Svc-Reader"):
            text = proof.split(".")[1]
            kind.readers.append(json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))["home"])
        is_withheld = kind.withheld == [] and self.path == "/api/v1/events"
        if kind.withheld is not None and self.path == "/api/v1/events":
            kind.withheld = kind.withheld or [body]
            body = kind.withheld[0]
        headers = {name: self.headers[name] for name in self.passed_headers if self.headers[name]}
        request = urllib.request.Request(f"{self.target}{self.path}", body, headers, method=self.command)
        try:
            if is_withheld:
                raise urllib.error.HTTPError(self.path, 409, "", None, io.BytesIO(b'{"code":"CONFLICT"}'))
            with urllib.request.urlopen(request) as reply:
                status, text = reply.status, reply.read()
        except urllib.error.HTTPError as error:
            status, text = error.code, error.read()
        told = json.loads(text)
        if kind.lies is not None:
            status, told = kind.lies(self.path, status, told)
        if status is None:
            self.close_connection = True
            return
        text = json.dumps(told).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        if status == 307:
            self.send_header("Location", f"{self.target}{self.path}")
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_):
        pass


def serving(handler):
    """Starts it on a free port. Returns its URL."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}"


class Watched(Key):
    """Notes what it signs, except who reads."""

    def __init__(self, seed=None):
        super().__init__(seed)
        self.signed = []

    def sign(self, text):
        if not (text if isinstance(text, bytes) else text.encode()).startswith(b"svc:reader:v1:"):
            self.signed.append(text)
        return super().sign(text)


class Kept:
    """An outbox in memory."""

    def __init__(self):
        self.writes = {}

    def put(self, write):
        self.writes[write["event"]["hash"]] = write

    def drop(self, write):
        del self.writes[write["event"]["hash"]]
