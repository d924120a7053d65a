"""Ed25519 keys that a node doesn't keep: DIDs, and the texts that the signers of an escrow's rules sign.

The class `Key` needs the extra `keys` (`pip install svc-node-client[keys]`).
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import unicodedata
from collections.abc import Mapping
from typing import Any, Protocol

_ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
_ED25519 = b"\xed\x01"
_PRIME = 2**255 - 19


def base58(data: bytes) -> str:
    number, text = int.from_bytes(data, "big"), ""
    while number > 0:
        number, rest = divmod(number, 58)
        text = _ALPHABET[rest] + text
    return "1" * (len(data) - len(data.lstrip(b"\0"))) + text


def did_of(public_key: bytes) -> str:
    """The DID of an Ed25519 public key (32 bytes)."""
    if len(public_key) != 32:
        raise ValueError("an Ed25519 public key has 32 bytes")
    return f"did:svc:z{base58(_ED25519 + public_key)}"


def public_key_of(did: str) -> bytes:
    """The Ed25519 public key in a DID, 32 bytes."""
    number = 0
    for letter in did.removeprefix("did:svc:z"):
        number = number * 58 + _ALPHABET.index(letter)
    key = number.to_bytes(34, "big")[2:]
    if did_of(key) != did:
        raise ValueError(f"{did} is not the DID of a key")
    return key


def signed_by(did: str, text: str, signature: object) -> bool:
    """Whether this is the signature of the text by the key of the DID."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    if not isinstance(signature, str) or not re.fullmatch("[A-Za-z0-9_-]{86}", signature):
        return False
    data = base64.urlsafe_b64decode(f"{signature}==")
    try:
        Ed25519PublicKey.from_public_bytes(public_key_of(did)).verify(data, text.encode())
    except InvalidSignature:
        return False
    return base64url(data) == signature


def base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def release_text(network: str, home: str, escrow_id: str, resource_prev: str, amount: int) -> str:
    """What a signer of a release rule signs; `home` and `network` are in `GET /node`."""
    return f"svc:escrow-release:v2:{network}:{home}:{escrow_id}:{resource_prev}:{amount}"


def refund_text(network: str, home: str, escrow_id: str, resource_prev: str, amount: int) -> str:
    """What a signer of a refund rule signs."""
    return f"svc:escrow-refund:v2:{network}:{home}:{escrow_id}:{resource_prev}:{amount}"


def agreement_key_of(did: str) -> str:
    """The X25519 public key of a DID, hex: u = (1 + y) / (1 - y) (RFC 7748, 4.1)."""
    y = int.from_bytes(public_key_of(did), "little") % 2**255
    return ((1 + y) * pow(1 - y, -1, _PRIME) % _PRIME).to_bytes(32, "little").hex()


class Agreement(Protocol):
    """An X25519 key that never leaves its holder."""

    public_key_hex: str

    def agree(self, public_key: bytes) -> bytes:
        """The 32 bytes that this key and another's public key agree on. Raises ValueError for one that keeps no secret."""


class HeldKey(Protocol):
    """A key that never leaves its holder: `Key`, or one in hardware or in a key service.

    It may have `agreement`, an `Agreement`: without one it opens nothing.
    """

    did: str

    def sign(self, text: str | bytes) -> str:
        """The Ed25519 signature, base64url without padding. Texts have at most about 1 KiB."""


def agreement_in(key: HeldKey) -> Agreement | None:
    return getattr(key, "agreement", None)


class _SeedAgreement:
    """The X25519 key of a seed."""

    def __init__(self, seed: bytes) -> None:
        from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

        self._key = X25519PrivateKey.from_private_bytes(hashlib.sha512(seed).digest()[:32])
        self.public_key_hex = self._key.public_key().public_bytes_raw().hex()

    def agree(self, public_key: bytes) -> bytes:
        from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PublicKey

        return self._key.exchange(X25519PublicKey.from_public_bytes(public_key))


class Key:
    """An Ed25519 key of your own, and the X25519 key of the same seed as `agreement`."""

    def __init__(self, seed: bytes | None = None) -> None:
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        self._key = Ed25519PrivateKey.generate() if seed is None else Ed25519PrivateKey.from_private_bytes(seed)
        self.did = did_of(self._key.public_key().public_bytes_raw())
        self.agreement: Agreement = _SeedAgreement(self._key.private_bytes_raw())

    @classmethod
    def from_file(cls, file: Mapping[str, Any], passphrase: str) -> Key:
        """The key of a file that `svc-node key create` or `identity export` has written: its JSON. Raises ValueError.

        >>> ada = Key.from_file(json.loads(Path("ada.json").read_text()), passphrase)
        """
        from cryptography.exceptions import InvalidTag
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM
        from cryptography.hazmat.primitives.kdf.argon2 import Argon2id

        kdf, header = file.get("kdf", {}), {name: value for name, value in file.items() if name not in ("ciphertext", "tag")}
        costs = [(kdf.get(name), most) for name, most in (("memoryKiB", 262_144), ("passes", 10), ("lanes", 4))]
        names = (file.get("v"), file.get("cipher"), kdf.get("algorithm"))
        if names != (1, "aes-256-gcm", "argon2id") or not all(type(cost) is int and cost <= most for cost, most in costs):
            raise ValueError("it is no key file of svc-node, or one of another version")
        [memory, passes, lanes] = (cost for cost, _ in costs)
        derive = Argon2id(salt=bytes.fromhex(kdf["salt"]), length=32, iterations=passes, lanes=lanes, memory_cost=memory)
        cipher = AESGCM(derive.derive(unicodedata.normalize("NFKC", passphrase).encode()))
        # RFC 8785 for members such as these.
        text = json.dumps(header, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
        try:
            seed = cipher.decrypt(bytes.fromhex(file["nonce"]), bytes.fromhex(file["ciphertext"] + file["tag"]), text)
        except InvalidTag:
            raise ValueError(f"the passphrase does not open the key file of {file.get('did')}") from None
        key = cls(seed)
        if key.did != file["did"]:
            raise ValueError(f"the key in the file is that of {key.did}, not of {file['did']}")
        return key

    def sign(self, text: str | bytes) -> str:
        """The signature, base64url without padding."""
        return base64url(self._key.sign(text if isinstance(text, bytes) else text.encode()))

    def evidence(self, text: str) -> dict[str, str]:
        """An element of `evidence.signatures`."""
        return {"did": self.did, "signature": self.sign(text)}
