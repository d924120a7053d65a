"""Runs the samples of the API page: each sends the recorded request of its operation, which nothing answers."""

import json
import pathlib
import re
import sys

from svc_node_client import Node
from svc_node_client.node import _Counter

generated = pathlib.Path(sys.argv[1])
samples = json.loads((generated / "samples.json").read_text())
paths = json.loads((generated / "openapi.json").read_text())["paths"]
# Members that the signer adds, or that a sample leaves out; in a body may also stand what stands in the path.
added = {"did", "passphrase", "nonce", "prev", "ts", "resourcePrev"}


class Sent(Exception):
    pass


def request(self, sent):
    raise Sent(sent)


Node.request = request
_Counter.next = lambda self, read: 1
checked = 0
for path, methods in paths.items():
    for method, operation in methods.items():
        name = operation["operationId"]
        if name not in samples or name == "streamEvents":
            continue
        try:
            exec(compile(samples[name]["python"], name, "exec"), {})
            sys.exit(f"{name}: nothing was sent")
        except Sent as error:
            sent = error.args[0]
        places = set(re.findall(r"\{(\w+)\}", path))
        pattern = re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(path))
        if sent["method"] != method or not re.fullmatch(pattern, sent["url"]):
            sys.exit(f"{name}: {sent['method']} {sent['url']}")
        example = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("example", {})
        body = {name: value for name, value in sent.get("json", {}).items() if name not in added | places}
        expected = {name: value for name, value in example.items() if name not in added | places}
        if body != expected:
            sys.exit(f"{name}: {body} instead of {expected}")
        checked += 1
if checked + 1 != len(samples):
    sys.exit(f"{checked} of {len(samples)} samples were checked")
