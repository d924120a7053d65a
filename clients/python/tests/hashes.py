"""Checks what svc_node_client hashes and signs against docs/generated/journal-vectors.json. Needs the extra `keys`."""

import datetime
import json
import struct
from pathlib import Path
from types import SimpleNamespace

from svc_node_client import completed
from svc_node_client.keys import Key, agreement_key_of, signed_by
from svc_node_client.opening import opened_delivery, opened_lease
from svc_node_client.prepared import (
    Asked,
    SigningError,
    UnexpectedPayload,
    canonical,
    check_payload,
    event_hash_and_message,
    number_of,
    payload_hash,
    published_hash,
    sha256,
)
from svc_node_client.sealing import packaged, unwrapped, wrapped
from svc_node_client.shown_entry import created_input
from svc_node_client.signed_actions import ACTIONS

file = Path(__file__).parents[3] / "docs" / "generated" / "journal-vectors.json"
vectors = json.loads(file.read_text(encoding="utf-8"))
for each in vectors["numbers"]["vectors"]:
    [number] = struct.unpack(">d", bytes.fromhex(each["bits"]))
    assert canonical(number).decode() == each["text"], each
    assert canonical(json.loads(each["text"], parse_int=number_of)).decode() == each["text"], each
for each in vectors["values"]:
    assert canonical(json.loads(each["json"], parse_int=number_of)).decode() == each["canonical"], each["source"]
for each in vectors["refusedSignatures"]:
    did = Key(bytes.fromhex(vectors["keys"][2]["seed"])).did
    assert not signed_by(did, each["message"], each["signature"]), each["why"]


def hash_with(input, leaves=None, confidential=None, salt=None):
    return payload_hash({"input": input}, leaves or {}, confidential, salt)


for each in vectors["leaves"]:
    reference, value = {"leaf": each["leaf"], "size": each["size"]}, each["value"]
    leaf = {**reference, "salt": each["salt"]}
    assert hash_with({"a/b": [value]}, {"/a~1b/0": leaf}) == hash_with({"a/b": [reference]}), value
    try:
        hash_with({"text": f"{value}?"}, {"/text": leaf})
        raise AssertionError("another text")
    except UnexpectedPayload as error:
        assert error.paths == ["leaves/text"]
for each in vectors["sealed"]:
    members, salt = each["members"], each["salt"]
    if each["part"] == "payload":
        expected = sha256(canonical({"public": {"input": {"to": "x"}}, "sealed": each["sealed"]}))
        assert hash_with({**members, "to": "x"}, confidential=[*members], salt=salt) == expected
events = 0
for each in vectors["journal"]:
    if "eventText" not in each:
        continue
    body = json.loads(each["eventText"])
    signed = json.loads(each["stored"]["coreText"])["event"]
    hash, message = event_hash_and_message(body)
    assert hash == signed["hash"] and signed_by(body["issuer"], message, signed["sig"]), body["type"]
    assert {**body, "hash": hash, "sig": signed["sig"]} == signed, body["type"]
    kept = json.loads(each["stored"]["payloadText"])
    confidential = kept.get("confidential", {})
    payload = {**kept["public"], "input": {**kept["public"]["input"], **confidential}}
    assert payload_hash(payload, {}, [*confidential] or None, kept.get("salt")) == body["payloadHash"], body["type"]
    events += 1
assert events >= 5 and len(vectors["leaves"]) >= 5
signing, actions = vectors["signing"], {f"{each['kind']}.{each['action']}": each for row in ACTIONS.values() for each in row}
ada = Key(bytes.fromhex(vectors["keys"][2]["seed"]))
place = f"v2:{signing['network']}:{signing['home']}"
then = datetime.datetime.fromtimestamp(signing["now"] / 1000, datetime.timezone.utc)
completed.datetime = SimpleNamespace(datetime=SimpleNamespace(now=lambda zone: then), timezone=datetime.timezone)
for each in signing["writes"]:
    prepared, write, body = each["prepared"], each["write"], each["request"]["body"]
    payload = prepared["payload"]
    name = f"{payload['kind']}.{payload['action']}"
    parameters = {"contractId": "ctr-1"} if name == "contract.sign" else {}
    made = completed.completed(completed.Completing(actions[name], parameters, body, ada, lambda: place, dict))
    check_payload(payload, prepared.get("leaves"), Asked(actions[name], parameters, made.members, ada.did, None))
    assert made.signature_over == each.get("inner"), each["name"]
    if name == "contract.sign":
        payload = {**payload, "input": {**payload["input"], "signature": ada.sign(each["inner"])}}
    assert payload == write["payload"], each["name"]
    hashed = payload_hash(payload, prepared.get("leaves", {}), prepared.get("confidential"), prepared.get("salt"))
    text = {**prepared["event"], "payloadHash": hashed}
    hash, message = event_hash_and_message(text)
    assert message == each["message"], each["name"]
    assert {**text, "hash": hash, "sig": ada.sign(message)} == write["event"], each["name"]

# What a node shows as the event that created a resource counts only as its creator has signed it, for this home.
[write] = [each["write"] for each in signing["writes"] if each["name"] == "confidential"]
[confidential] = [each["prepared"]["confidential"] for each in signing["writes"] if "confidential" in each["prepared"]]
salt = sha256(f"svc:salt:v1:{write['salt']}:payload")
entry = {**write, "confidential": confidential, "salt": salt}


def created(entries, by=ada.did, at=place, id="ctr-1"):
    return created_input(lambda path, **query: {"events": entries}, "contract", id, by, at)


def hashed_anew(payload):
    """As a node can make it, without the creator's key."""
    made = {**entry, "payload": payload, "leaves": {}}
    text = {name: value for name, value in write["event"].items() if name not in ("hash", "sig")}
    text["payloadHash"] = published_hash(payload, {}, confidential, salt, None)
    return {**made, "event": {**text, "hash": event_hash_and_message(text)[0], "sig": write["event"]["sig"]}}


changed_payload = {**write["payload"], "input": {**write["payload"]["input"], "provider": ada.did}}
assert created([entry]) == write["payload"]["input"]
for entries in ([], [{}], [7], {}, [{**entry, "payload": changed_payload}], [hashed_anew(changed_payload)]):
    assert created(entries) == {}, entries
for other in ({"by": signing["home"]}, {"at": place.replace("devnet", "testnet")}, {"id": "ctr-2"}):
    assert created([entry], **other) == {}, other
# The same in another form: an address in another case, a time in a text.
address = "0x52908400098527886E0F7030069857D2E4169EE7"
for given, asked, is_same in (
    (address, address.lower(), True),
    (address, address.lower().replace("7", "8"), False),
    (address.lower(), address[2:], False),
    (1_800_000_000_125, "2027-01-15T08:00:00.125Z", True),
    (1_800_000_000_125, "2027-01-15T09:00:00.125999+01:00", True),
    (1_800_000_000_000, "2027-01-15T08:00Z", True),
    (1_800_000_000_001, "2027-01-15T08:00:00Z", False),
    (1_800_000_000_000, "2027-01-15T08:00:00", False),
    (1_800_000_000_000, "2027-02-30T08:00:00Z", False),
    (5, "5", False),
    (True, "2027-01-15T08:00:00Z", False),
):
    for nested in (lambda value: value, lambda value: [{"a": value}]):
        payload = {"kind": "account", "id": ada.did, "action": "withdraw", "input": {"to": nested(given)}}
        asking = Asked(actions["account.withdraw"], {}, {"to": nested(asked)}, ada.did, None)
        try:
            check_payload(payload, None, asking)
            assert is_same, (given, asked)
        except UnexpectedPayload as error:
            assert not is_same and error.paths == ["payload.input.to"], (given, asked)
# Sealed with the random bytes of the vectors, and opened; a changed byte and another key are noticed.
opened, stranger = 0, Key().agreement


def fails(attempt):
    try:
        attempt()
        raise AssertionError("was opened")
    except SigningError:
        pass


def changed(envelope, name):
    first, rest = envelope[name][:2], envelope[name][2:]
    return {**envelope, name: f"{int(first, 16) ^ 1:02x}{rest}"}


def drawing(drawn):
    left = [bytes.fromhex(each) for each in drawn]

    def draw(count):
        found = left.pop(0)
        assert len(found) == count
        return found

    return draw


assert ada.agreement.public_key_hex == agreement_key_of(ada.did)
for each in signing["contents"]:
    receiver, text = each["receiverPublicKeyHex"], each["content"].encode()
    assert receiver == ada.agreement.public_key_hex
    made = packaged(text, "utf8", receiver, drawing(each["drawn"]))
    assert made.content_key.hex() == each["contentKeyHex"] and made.ciphertext.hex() == each["ciphertextHex"]
    names = ("contentHash", "nonceHex", "tagHex", "ciphertextHash")
    assert {name: made.package[name] for name in names} == {name: each[name] for name in names}
    assert made.package["keptKey"] == each["keyEnvelope"] and made.package["size"] == len(text)
    shown = {"listingId": "lst-1", "hashAlgorithm": "SHA-256-SALTED", "contentHash": each["contentHash"]}

    def reading(record=(), content=()):
        delivery = {**shown, "keyEnvelope": each["keyEnvelope"], **dict(record)}
        sold = {**each, "encoding": "utf8", **dict(content)}
        return lambda path: delivery if path == "/markets/info/orders/ord-1/delivery" else sold

    found = opened_delivery(reading(), ada.agreement, "ord-1")
    for name in ("content", "contentKeyHex", "contentSaltHex", "contentHash"):
        assert found[name] == each[name], name
    fails(lambda: opened_delivery(reading(), stranger, "ord-1"))
    fails(lambda: opened_delivery(reading({"contentHash": "5a" * 32}), ada.agreement, "ord-1"))
    for name in ("senderPublicKeyHex", "nonceHex", "ciphertextHex", "tagHex"):
        envelope = changed(each["keyEnvelope"], name)
        fails(lambda: opened_delivery(reading({"keyEnvelope": envelope}), ada.agreement, "ord-1"))
        if name in each:
            fails(lambda: opened_delivery(reading((), changed(each, name)), ada.agreement, "ord-1"))
    opened += 1
for each in signing["credentials"]:
    envelope = each["credentialsEnvelope"]
    assert wrapped(canonical(each["credentials"]), each["receiverPublicKeyHex"], drawing(each["drawn"])) == envelope
    read = lambda path: {"credentialsEnvelope": envelope}
    assert opened_lease(read, ada.agreement, "lease-1") == {"leaseId": "lease-1", "credentials": each["credentials"]}
    fails(lambda: opened_lease(read, stranger, "lease-1"))
    fails(lambda: opened_lease(lambda path: {}, ada.agreement, "lease-1"))
    opened += 1
for small in ("00" * 32, "01" + "00" * 31):
    fails(lambda: wrapped(b"secret", small))
    fails(lambda: unwrapped({**envelope, "senderPublicKeyHex": small}, ada.agreement, "small order"))
print(f"{opened} contents and credentials, {events} events and {len(signing['writes'])} writes hold")
