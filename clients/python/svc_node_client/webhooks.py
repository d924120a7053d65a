"""Checks deliveries of webhooks (docs/webhooks.md)."""

from __future__ import annotations

import hashlib
import hmac
import re
import time
from collections.abc import Mapping

LONGEST_SECONDS = 300


def is_genuine(headers: Mapping[str, str], raw_body: bytes, secret: str, now: float | None = None) -> bool:
    """Whether the node that knows the secret sent this, within the last five minutes. Check before you parse."""
    given = {name.lower(): value for name, value in headers.items()}
    timestamp = given.get("svc-webhook-timestamp", "")
    moment = time.time() if now is None else now
    if not re.fullmatch("[0-9]{1,15}", timestamp) or abs(moment - int(timestamp)) > LONGEST_SECONDS:
        return False
    expected = hmac.new(secret.encode(), f"{timestamp}.".encode() + raw_body, hashlib.sha256).hexdigest()
    signatures = (each.strip().removeprefix("v1=") for each in given.get("svc-webhook-signature", "").split(","))
    return any(each.isascii() and hmac.compare_digest(each, expected) for each in signatures)
