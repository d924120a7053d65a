"""Checks deliveries of webhooks with svc_node_client.webhooks: whatever the headers are, the answer is yes or no.

    python genuine.py
"""

import hashlib
import hmac
import importlib.util
from pathlib import Path

spec = importlib.util.spec_from_file_location("webhooks", Path(__file__).parents[1] / "svc_node_client" / "webhooks.py")
webhooks = importlib.util.module_from_spec(spec)
spec.loader.exec_module(webhooks)

BODY = b'{"id":"whk-1"}'
TIME = "1767225600"
SIGNATURE = hmac.new(b"secret", f"{TIME}.".encode() + BODY, hashlib.sha256).hexdigest()


def is_genuine(timestamp=TIME, signature=f"v1={SIGNATURE}", body=BODY, now=1767225700):
    return webhooks.is_genuine({"Svc-Webhook-Timestamp": timestamp, "Svc-Webhook-Signature": signature}, body, "secret", now=now)


assert is_genuine() and is_genuine(signature=f"v1=00,v1={SIGNATURE}")
assert not is_genuine(body=BODY + b" ")
assert not is_genuine(now=1767226000)
assert not webhooks.is_genuine({}, BODY, "secret")
for text in ("", "x", "-1", "1e9", "\u0661", "\u00b2", "9" * 5_000, "\ud800", "\0", TIME + "\n"):
    assert not is_genuine(timestamp=text), text[:20]
    assert not is_genuine(signature=f"v1={text}"), text[:20]
