"""Checks what svc_node_client hashes and signs against docs/generated/journal-vectors.json. Needs the extra `keys`."""

import json
import struct
from pathlib import Path

from svc_node_client.keys import Key, signed_by
from svc_node_client.prepared import UnexpectedPayload, canonical, event_hash_and_message, number_of, payload_hash, sha256

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
print(f"{events} events hold")
