"""Checks what svc_node_client hashes and signs against docs/generated/journal-vectors.json. Needs the extra `keys`."""

import datetime
import json
import struct
from pathlib import Path
from types import SimpleNamespace

from svc_node_client import completed
from svc_node_client.keys import Key, signed_by
from svc_node_client.prepared import (
    Asked,
    UnexpectedPayload,
    canonical,
    check_payload,
    event_hash_and_message,
    number_of,
    payload_hash,
    sha256,
)
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
    if name == "task-order.deliver":
        body = completed.with_envelope(body, "delivery", body["orderId"], ada.did, ada.sign, lambda: place)
    if name == "identity.register":
        body = {"credential": completed.proven(body["credential"], ada.did, ada.sign)}
    parameters = {"contractId": "ctr-1"} if name == "contract.sign" else {}
    check_payload(payload, prepared.get("leaves"), Asked(actions[name], parameters, body, ada.did, None))
    if name == "contract.sign":
        assert each["inner"] == f"svc:contract:{place}:ctr-1:{body['termsHash']}"
        payload = {**payload, "input": {**payload["input"], "signature": ada.sign(each["inner"])}}
    assert payload == write["payload"], each["name"]
    hashed = payload_hash(payload, prepared.get("leaves", {}), prepared.get("confidential"), prepared.get("salt"))
    text = {**prepared["event"], "payloadHash": hashed}
    hash, message = event_hash_and_message(text)
    assert message == each["message"], each["name"]
    assert {**text, "hash": hash, "sig": ada.sign(message)} == write["event"], each["name"]
print(f"{events} events and {len(signing['writes'])} writes hold")
