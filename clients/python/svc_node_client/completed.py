"""What a node adds to a request with a key that it has, and a caller with a key makes: encrypted contents and secrets, signatures
inside the payload.
"""

from __future__ import annotations

import base64
import datetime
import secrets
import time
import urllib.parse
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from .keys import HeldKey, agreement_in, agreement_key_of, base58
from .prepared import SigningError, canonical, sha256
from .sealing import packaged, unwrapped, wrapped
from .shown_entry import Read, created_input


@dataclass(frozen=True)
class Completing:
    # A row of signed_actions.py.
    action: Mapping[str, Any]
    # Of the path.
    parameters: Mapping[str, str]
    body: dict[str, Any]
    key: HeldKey
    # Version, network and home, which signed texts name.
    place: Callable[[], str]
    # Reads as the DID of the key.
    read: Read


@dataclass(frozen=True)
class Completed:
    members: dict[str, Any]
    contents: list[dict[str, str]] = field(default_factory=list)
    # What only the caller knows of it; added to the reply.
    kept: dict[str, str] = field(default_factory=dict)
    # The text that is signed inside the payload, if the action has one.
    signature_over: str | None = None


def completed(what: Completing) -> Completed:
    """The body with what only the holder of the key can make."""
    body, parameters = what.body, what.parameters
    match f"{what.action['kind']}.{what.action['action']}":
        case "info-listing.create":
            return _publishing(what)
        case "info-order.create":
            agreement = agreement_in(what.key)
            return Completed(body if agreement is None else {"buyerPublicKeyHex": agreement.public_key_hex, **body})
        case "info-order.deliver":
            return Completed(_delivering(what))
        case "task-order.deliver":
            return Completed(_with_envelope(what, body, "delivery", _order_id(what)))
        case "contract.submit":
            context = f"{parameters['contractId']}/{body.get('milestoneId', parameters.get('milestoneId'))}"
            return Completed(_with_envelope(what, body, "delivery", context))
        case "lease.create":
            return Completed(_with_credentials(what))
        case "identity.register":
            return Completed({**body, "credential": _proven(what, body.get("credential"))})
        case "contract.sign":
            if not isinstance(body.get("termsHash"), str):
                raise SigningError("state termsHash: it is what your key signs")
            text = f"svc:contract:{what.place()}:{parameters['contractId']}:{body['termsHash']}"
            return Completed(body, signature_over=text)
    if isinstance(body.get("evidence"), list):
        return Completed({**body, "evidence": [_with_hash(piece) for piece in body["evidence"]]})
    return Completed(body)


def _with_hash(piece: Any) -> Any:
    """A piece of evidence as it is stored: with the given hash, or that of its content."""
    if isinstance(piece, str):
        return {"content": piece, "hash": sha256(piece)}
    return {"hash": sha256(canonical(piece)), **piece} if isinstance(piece, dict) else piece


def _publishing(what: Completing) -> Completed:
    given = what.body.get("content")
    content = {"data": given} if isinstance(given, str) else given
    if not isinstance(content, dict) or "data" not in content:
        return Completed(what.body)
    encoding, agreement = str(content.get("encoding", "utf8")), agreement_in(what.key)
    own = agreement_key_of(what.key.did) if agreement is None else agreement.public_key_hex
    made = packaged(_bytes_of(str(content["data"]), encoding), encoding, own)
    shown = {name: value for name, value in content.items() if name != "data"}
    stated = {"encoding": encoding, "size": made.package["size"], "hash": made.package["contentHash"]}
    return Completed(
        {**what.body, "content": {**shown, **stated}, "package": made.package},
        contents=[{"dataBase64": base64.b64encode(made.ciphertext).decode()}],
        kept={"contentKeyHex": made.content_key.hex()},
    )


def _delivering(what: Completing) -> dict[str, Any]:
    order_id = _order_id(what)
    rest = {name: value for name, value in what.body.items() if name not in ("contentKeyHex", "accessToken", "accessUrl")}
    given = {name: str(what.body[name]) for name in what.body.keys() - rest.keys() if what.body[name]}
    found: dict[str, bytes | None] = {
        "keyEnvelope": bytes.fromhex(given["contentKeyHex"]) if "contentKeyHex" in given else _kept_key(what),
        **{f"{name}Envelope": given[name].encode() for name in ("accessToken", "accessUrl") if name in given},
    }
    secret = {name: value for name, value in found.items() if value}
    receiver = _buyers_key(what, order_id) if secret else ""
    sealed = {name: wrapped(value, receiver) for name, value in secret.items()}
    return {**_with_envelope(what, rest, "deliveryData", order_id), "orderId": order_id, "sealed": sealed}


def _kept_key(what: Completing) -> bytes | None:
    """The key of the listing's content, which its seller has encrypted for their own key when they published it."""
    agreement, listing = agreement_in(what.key), what.parameters["listingId"]
    package = created_input(what.read, "info-listing", listing, what.key.did, what.place()).get("package") or {}
    if agreement is None or "keptKey" not in package:
        return None
    return unwrapped(package["keptKey"], agreement, f"the key of {listing} was kept for another key: state content_key_hex")


def _buyers_key(what: Completing, order_id: str) -> str:
    """The X25519 key that an order is delivered for: that of the buyer's DID, or one that the buyer has signed for."""
    order = what.read(f"/orders/{urllib.parse.quote(order_id, safe='')}")
    buyer, named = str(order.get("buyer")), order.get("buyerPublicKeyHex")
    if named != agreement_key_of(buyer):
        purchase = created_input(what.read, "info-order", order_id, buyer, what.place())
        if named is None or purchase.get("buyerPublicKeyHex") != named:
            raise SigningError(f"the node does not show that the buyer of {order_id} has named this key")
    return str(named)


def _order_id(what: Completing) -> str:
    """The order of the request: stated, or in its path."""
    id = what.body.get("orderId", what.parameters.get("orderId"))
    if not isinstance(id, str):
        raise SigningError("state orderId: what a key signs names its order")
    return id


def _with_envelope(what: Completing, body: dict[str, Any], member: str, context_id: str) -> dict[str, Any]:
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
        "producer": what.key.did,
    }
    transport = given.get("transport")
    if isinstance(transport, dict) and isinstance(transport.get("data"), str):
        data = _bytes_of(transport["data"], transport.get("encoding", "utf8"))
        unsigned = {"contentHash": sha256(data), "size": len(data), **unsigned}
    digest = sha256(canonical(unsigned))
    envelope = {**unsigned, "digest": digest, "signature": what.key.sign(f"svc:deliverable:{what.place()}:{digest}")}
    whole = sha256(canonical(envelope))
    # A contract has the digest beside the delivery.
    if "/" in context_id:
        return {**body, member: {"envelope": envelope}, "envelopeDigest": whole}
    return {**body, member: {**delivery, "envelope": envelope, "envelopeDigest": whole}}


def _bytes_of(data: str, encoding: str) -> bytes:
    if encoding == "base64":
        return base64.b64decode(data)
    return bytes.fromhex(data) if encoding == "hex" else data.encode()


def _with_credentials(what: Completing) -> dict[str, Any]:
    if "credentials" not in what.body:
        return what.body
    rest = {name: value for name, value in what.body.items() if name != "credentials"}
    listing = what.read(f"/markets/capabilities/{urllib.parse.quote(what.parameters['listingId'], safe='')}")
    receiver = agreement_key_of(str(listing.get("seller")))
    return {**rest, "credentialsEnvelope": wrapped(canonical(what.body["credentials"]), receiver)}


def _proven(what: Completing, credential: Any) -> Any:
    """With a Data Integrity proof eddsa-jcs-2022 by the holder's key, unless it has one."""
    if not isinstance(credential, dict) or "proof" in credential:
        return credential
    did = what.key.did
    proof = {
        "type": "DataIntegrityProof",
        "cryptosuite": "eddsa-jcs-2022",
        "created": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "verificationMethod": f"{did}#{did.removeprefix('did:svc:')}",
        "proofPurpose": "assertionMethod",
        **({"@context": credential["@context"]} if "@context" in credential else {}),
    }
    signature = what.key.sign(bytes.fromhex(sha256(canonical(proof)) + sha256(canonical(credential))))
    return {**credential, "proof": {**proof, "proofValue": f"z{base58(base64.urlsafe_b64decode(f'{signature}=='))}"}}
