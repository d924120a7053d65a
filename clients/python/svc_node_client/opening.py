"""Decrypts deliveries and credentials with the caller's own key (docs/reference/markets.md#content): the node sees no secret."""

from __future__ import annotations

import base64
import json
import urllib.parse
from typing import Any

from .keys import Agreement
from .prepared import SigningError, sha256
from .sealing import decrypted, salt_of, unwrapped
from .shown_entry import Read

_ANOTHER_KEY = "the delivered key does not open the content of the listing: the order can be disputed"
_FOR_ANOTHER = "it was encrypted for another key: the order can be disputed"


def opened_delivery(read: Read, agreement: Agreement, order_id: str) -> dict[str, Any]:
    """The members of OpenedDelivery. Raises SigningError if the key opens nothing, or another content than the listing states."""
    record = read(f"/markets/info/orders/{_quoted(order_id)}/delivery")
    key, token, url = (
        unwrapped(record[name], agreement, _FOR_ANOTHER) if record.get(name) is not None else None
        for name in ("keyEnvelope", "accessTokenEnvelope", "accessUrlEnvelope")
    )
    listing_id, content_hash = record.get("listingId"), record.get("contentHash")
    is_salted = key is not None and record.get("hashAlgorithm") == "SHA-256-SALTED"
    salt = salt_of(key) if key is not None and is_salted else b""
    sold: dict[str, Any] = {}
    content = None
    if key is not None and content_hash is not None:
        sold = read(f"/markets/info/{_quoted(str(listing_id))}/content")
        if sold.get("ciphertextHex"):
            content = decrypted(key, sold, _ANOTHER_KEY)
            if sha256(salt + content) != content_hash:
                raise SigningError(_ANOTHER_KEY)
    return {
        "orderId": order_id,
        "listingId": listing_id,
        "contentHash": content_hash,
        "hashAlgorithm": record.get("hashAlgorithm"),
        "contentSaltHex": salt.hex() or None,
        "size": sold.get("size"),
        "encoding": sold.get("encoding"),
        "content": None if content is None else _text(content, sold.get("encoding")),
        "contentKeyHex": None if key is None else key.hex(),
        "accessToken": None if token is None else token.decode(),
        "accessUrl": None if url is None else url.decode(),
    }


def opened_lease(read: Read, agreement: Agreement, lease_id: str) -> dict[str, Any]:
    """The members of OpenedLease, for its lessor. Raises SigningError if the key opens none, or there are none."""
    envelope = read(f"/markets/capabilities/leases/{_quoted(lease_id)}").get("credentialsEnvelope")
    if envelope is None:
        raise SigningError(f"lease {lease_id} shows this key no credentials")
    opened = unwrapped(envelope, agreement, "the credentials were encrypted for another key")
    return {"leaseId": lease_id, "credentials": json.loads(opened)}


def _quoted(id: str) -> str:
    return urllib.parse.quote(id, safe="")


def _text(content: bytes, encoding: Any) -> str:
    if encoding == "base64":
        return base64.b64encode(content).decode()
    return content.hex() if encoding == "hex" else content.decode("utf-8", "replace")
