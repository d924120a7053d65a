"""Entries as a node shows them: whether what they say was signed (docs/signing.md#what-is-signed)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from .keys import signed_by
from .prepared import SigningError, event_hash_and_message, published_hash

# The JSON at a path below /api/v1, with a query.
Read = Callable[..., dict[str, Any]]


def is_signed(event: Mapping[str, Any]) -> bool:
    """Whether its issuer has signed it."""
    hash, message = event_hash_and_message({name: event[name] for name in event.keys() - {"hash", "sig"}})
    return hash == event.get("hash") and signed_by(event["issuer"], message, event.get("sig"))


def created_input(read: Read, kind: str, id: str, by: str, place: str) -> dict[str, Any]:
    """The input of the event that created a resource; none unless the node shows it as its creator has signed it, for this home.

    Ids count at one home, and a home can give a new resource any id. A node shows no payload to callers that may not see it.
    """
    entries = read("/events", resource=f"{kind}/{id}", limit=1).get("events")
    try:
        [entry] = entries or [{}]
        event, payload = entry["event"], entry["payload"]
        said = [f"v2:{event['network']}:{event['home']}", event["issuer"]]
        said += [payload["kind"], payload["id"], payload["action"]]
        if said != [place, by, kind, id, "create"] or not is_signed(event):
            return {}
        given = [entry.get(name) for name in ("leaves", "confidential", "salt", "sealed")]
        hash = published_hash(payload, given[0] or {}, *given[1:])
        return dict(payload["input"]) if hash == event["payloadHash"] else {}
    except (KeyError, TypeError, ValueError, AttributeError, SigningError):
        return {}
