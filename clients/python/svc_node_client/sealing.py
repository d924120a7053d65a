"""Encrypts for a DID, and opens what was encrypted for one (docs/reference/markets.md#content). Needs the extra `keys`."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from .keys import Agreement
from .prepared import SigningError, sha256

Draw = Callable[[int], bytes]

_TAG_BYTES = 16
_WRAPPING = b"svc:key-envelope:v1"


@dataclass(frozen=True)
class Sealed:
    """A content that was encrypted under a new key, which is wrapped for its seller."""

    content_key: bytes
    ciphertext: bytes
    # `package` of a listing.
    package: dict[str, Any]


def _derived(secret: bytes, info: bytes) -> bytes:
    return HKDF(algorithm=SHA256(), length=32, salt=None, info=info).derive(secret)


def _encrypted(key: bytes, plain: bytes, draw: Draw) -> tuple[str, bytes, str]:
    nonce = draw(12)
    sealed = AESGCM(key).encrypt(nonce, plain, None)
    return nonce.hex(), sealed[:-_TAG_BYTES], sealed[-_TAG_BYTES:].hex()


def decrypted(key: bytes, members: Mapping[str, Any], why: str) -> bytes:
    """What these members have as `ciphertextHex`. Raises SigningError with `why` if the key does not open it."""
    try:
        sealed = bytes.fromhex(members["ciphertextHex"] + members["tagHex"])
        return AESGCM(key).decrypt(bytes.fromhex(members["nonceHex"]), sealed, None)
    except (InvalidTag, KeyError, TypeError, ValueError):
        raise SigningError(why) from None


def salt_of(key: bytes) -> bytes:
    """Of the content's hash: without the key it is not possible to test guesses of the content."""
    return _derived(key, b"svc:content-salt:v1")


def wrapped(secret: bytes, receiver_hex: str, draw: Draw = secrets.token_bytes) -> dict[str, str]:
    """A secret, encrypted for this X25519 key."""
    pair = X25519PrivateKey.from_private_bytes(draw(32))
    try:
        agreed = pair.exchange(X25519PublicKey.from_public_bytes(bytes.fromhex(receiver_hex)))
    except ValueError:
        raise SigningError(f"{receiver_hex} is no key that keeps a secret") from None
    nonce, ciphertext, tag = _encrypted(_derived(agreed, _WRAPPING), secret, draw)
    return {
        "algorithm": "X25519-HKDF-SHA256-AES-256-GCM",
        "senderPublicKeyHex": pair.public_key().public_bytes_raw().hex(),
        "nonceHex": nonce,
        "ciphertextHex": ciphertext.hex(),
        "tagHex": tag,
    }


def unwrapped(envelope: Mapping[str, Any], agreement: Agreement, why: str) -> bytes:
    """Raises SigningError with `why` if it was encrypted for another key, or changed."""
    try:
        agreed = agreement.agree(bytes.fromhex(envelope["senderPublicKeyHex"]))
    except (KeyError, TypeError, ValueError):
        raise SigningError(why) from None
    return decrypted(_derived(agreed, _WRAPPING), envelope, why)


def packaged(content: bytes, encoding: str, receiver_hex: str, draw: Draw = secrets.token_bytes) -> Sealed:
    key = draw(32)
    nonce, ciphertext, tag = _encrypted(key, content, draw)
    package = {
        "algorithm": "AES-256-GCM",
        "contentHash": sha256(salt_of(key) + content),
        "hashAlgorithm": "SHA-256-SALTED",
        "size": len(content),
        "encoding": encoding,
        "nonceHex": nonce,
        "tagHex": tag,
        "ciphertextHash": sha256(ciphertext),
        "keptKey": wrapped(key, receiver_hex, draw),
    }
    return Sealed(key, ciphertext, package)
