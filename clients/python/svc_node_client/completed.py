"""What a node adds to a request with a key that it has, and a caller with a key makes: signatures inside the payload."""

from __future__ import annotations

import base64
import datetime
import secrets
import time
from collections.abc import Callable, Mapping
from typing import Any

from .keys import base58
from .prepared import SigningError, canonical, sha256

Sign = Callable[[str | bytes], str]

# What the node must not see, and what to send instead.
_SECRETS = {
    "contentKeyHex": "sealed",
    "accessToken": "sealed",
    "accessUrl": "sealed",
    "credentials": "credentialsEnvelope",
}


def refuse_secrets(body: Mapping[str, Any]) -> None:
    """Raises SigningError for what only its reader may see: this client encrypts nothing."""
    for name, instead in _SECRETS.items():
        if name in body:
            raise SigningError(f"the node must not see {name}: send {instead}")
    content = body.get("content")
    if isinstance(content, str) or isinstance(content, dict) and "data" in content:
        raise SigningError("the node must not see content.data: publish it with the TypeScript client, which encrypts it")


def with_hash(piece: Any) -> Any:
    """A piece of evidence as it is stored: with the given hash, or that of its content."""
    if isinstance(piece, str):
        return {"content": piece, "hash": sha256(piece)}
    return {"hash": sha256(canonical(piece)), **piece} if isinstance(piece, dict) else piece


def with_envelope(
    body: dict[str, Any], member: str, context_id: str, did: str, sign: Sign, place: Callable[[], str]
) -> dict[str, Any]:
    """With the envelope of this member completed and signed (docs/reference/markets.md#envelopes)."""
    delivery: Any = body.get(member)
    given = delivery.get("envelope") if isinstance(delivery, dict) else None
    if not isinstance(given, dict):
        return body
    unsigned = {
        "id": f"dlv-{base58(secrets.token_bytes(16))}",
        "createdAt": round(time.time() * 1000),
        **given,
        "contextId": context_id,
        "producer": did,
    }
    transport = given.get("transport")
    if isinstance(transport, dict) and isinstance(transport.get("data"), str):
        data = _bytes_of(transport["data"], transport.get("encoding", "utf8"))
        unsigned = {"contentHash": sha256(data), "size": len(data), **unsigned}
    digest = sha256(canonical(unsigned))
    envelope = {**unsigned, "digest": digest, "signature": sign(f"svc:deliverable:{place()}:{digest}")}
    whole = sha256(canonical(envelope))
    # A contract has the digest beside the delivery.
    if "/" in context_id:
        return {**body, member: {"envelope": envelope}, "envelopeDigest": whole}
    return {**body, member: {**delivery, "envelope": envelope, "envelopeDigest": whole}}


def _bytes_of(data: str, encoding: str) -> bytes:
    if encoding == "base64":
        return base64.b64decode(data)
    return bytes.fromhex(data) if encoding == "hex" else data.encode()


def proven(credential: Any, did: str, sign: Sign) -> Any:
    """With a Data Integrity proof eddsa-jcs-2022 by the holder's key, unless it has one."""
    if not isinstance(credential, dict) or "proof" in credential:
        return credential
    proof = {
        "type": "DataIntegrityProof",
        "cryptosuite": "eddsa-jcs-2022",
        "created": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "verificationMethod": f"{did}#{did.removeprefix('did:svc:')}",
        "proofPurpose": "assertionMethod",
        **({"@context": credential["@context"]} if "@context" in credential else {}),
    }
    signature = sign(bytes.fromhex(sha256(canonical(proof)) + sha256(canonical(credential))))
    return {**credential, "proof": {**proof, "proofValue": f"z{base58(base64.urlsafe_b64decode(f'{signature}=='))}"}}
