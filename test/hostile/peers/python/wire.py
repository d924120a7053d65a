"""What peers of svc-node speak, by docs/reference/feeds.md, journal-format.md and identities.md alone.

Hashes, canonical JSON and signatures are those of examples/verifier, which was written from the same pages.
"""
import base64
import ctypes
import datetime
import hashlib
import os
import ssl
import sys
import tempfile

from cryptography import x509
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

sys.path.insert(0, os.path.join(os.path.dirname(__file__), *[".."] * 4, "examples", "verifier"))
from verifier import LETTERS, NO_HASH, Violation, is_signed, jcs, key_of, must, sha256  # noqa: E402, F401

RAW = (serialization.Encoding.Raw, serialization.PublicFormat.Raw)
KEY_USAGES = [
    "digital_signature", "content_commitment", "key_encipherment", "data_encipherment", "key_agreement", "key_cert_sign",
    "crl_sign", "encipher_only", "decipher_only",
]
MAX_LINE = 64 * 1024
# An Ed25519 key as libp2p writes it in a peer id: the identity multihash of its protobuf.
PEER_ID = bytes.fromhex("002408011220")


def base58(data):
    value, text = int.from_bytes(data, "big"), ""
    while value:
        value, digit = divmod(value, 58)
        text = LETTERS[digit] + text
    return "1" * (len(data) - len(data.lstrip(b"\0"))) + text


def did_of(key):
    return "did:svc:z" + base58(b"\xed\x01" + key)


def peer_id_of(did):
    return base58(PEER_ID + key_of(did))


class Signer:
    """A DID whose key follows from a name."""

    def __init__(self, name):
        self.private = Ed25519PrivateKey.from_private_bytes(hashlib.sha256(name.encode()).digest())
        self.public = self.private.public_key().public_bytes(*RAW)
        self.did = did_of(self.public)

    def sign(self, purpose, text):
        message = f"{purpose}:{sha256(text) if len(text.encode()) > 1024 else text}"
        return base64.urlsafe_b64encode(self.private.sign(message.encode())).decode().rstrip("=")

    def checkpoint(self, network, seq, chain_hash, time):
        stated = {"home": self.did, "network": network, "seq": seq, "chainHash": chain_hash, "time": time}
        return {**stated, "sig": self.sign("svc:checkpoint:v1", jcs(stated))}

    def certificate(self):
        """The file of the key and its self-signed certificate."""
        name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, peer_id_of(self.did))])
        usage = {kind: kind == "digital_signature" for kind in KEY_USAGES}
        purposes = [ExtendedKeyUsageOID.SERVER_AUTH, ExtendedKeyUsageOID.CLIENT_AUTH]
        built = (
            x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(self.private.public_key())
            .serial_number(1).not_valid_before(datetime.datetime(2000, 1, 1))
            .not_valid_after(datetime.datetime(9999, 12, 31, 23, 59, 59))
            .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
            .add_extension(x509.KeyUsage(**usage), critical=True)
            .add_extension(x509.ExtendedKeyUsage(purposes), critical=False).sign(self.private, None)
        )
        pem = serialization.Encoding.PEM
        key = self.private.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        return key + built.public_bytes(pem)


def tls(signer, is_server):
    """Both sides show a certificate, and judge the other's by its key alone."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER if is_server else ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    context.set_alpn_protocols(["http/1.1"])
    if is_server:
        context.num_tickets = 0
    with tempfile.NamedTemporaryFile() as file:
        file.write(signer.certificate())
        file.flush()
        context.load_cert_chain(file.name)
    if is_server:
        request_any_certificate(context)
    return context


# SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT
REQUIRE = 3
VERIFY = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int, ctypes.c_void_p)
accept_any = VERIFY(lambda _ok, _store: 1)


def request_any_certificate(context):
    """`ssl` can require a certificate only of an authority that it knows, so this asks OpenSSL itself (CPython)."""
    import _ssl

    library = ctypes.CDLL(_ssl.__file__)
    pointer = ctypes.c_void_p.from_address(id(context) + object.__basicsize__).value
    library.SSL_CTX_set_verify(ctypes.c_void_p(pointer), REQUIRE, accept_any)


def did_at(connection):
    """The DID that the other side of a connection has proven."""
    certificate = x509.load_der_x509_certificate(connection.getpeercert(True))
    return did_of(certificate.public_key().public_bytes(*RAW))


def parse_address(address):
    _, family, host, transport, port, p2p, peer_id = address.split("/")
    must(family in ("ip4", "ip6", "dns4", "dns6") and (transport, p2p) == ("tcp", "p2p"), f"{address} is no address")
    value = 0
    for letter in peer_id:
        value = value * 58 + LETTERS.index(letter)
    data = value.to_bytes(37, "big")
    must(b"\0" + data[:5] == PEER_ID, f"{peer_id} is no peer id of an Ed25519 key")
    return host, int(port), did_of(data[5:])
