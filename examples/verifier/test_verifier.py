#!/usr/bin/env python3
"""Tests verifier.py with docs/generated/journal-vectors.json, and with changed copies of a journal.

    python3 test_verifier.py [entries.jsonl [http://127.0.0.1:9528]]

Without a file, the journal of the vectors is changed. Prints what the verifier has not noticed; exit code 0: nothing.
"""
import base64
import copy
import json
import struct
import sys
from pathlib import Path

import verifier
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from verifier import Journal, Later, Node, UNREADABLE, jcs, number, sha256

VECTORS = json.loads((Path(__file__).parents[2] / "docs/generated/journal-vectors.json").read_text(encoding="utf-8"))
# No hash covers these: the chain itself says them.
LOOSE = ("receipt.txHash", "receipt.blockNumber", "receipt.confirmations", "receipt.detail", "receipt")


def vectors():
    for each in VECTORS["numbers"]["vectors"]:
        value = struct.unpack(">d", bytes.fromhex(each["bits"]))[0]
        yield number(value) == each["text"], each
    for each in VECTORS["values"]:
        yield jcs(json.loads(each["json"])) == each["canonical"], each
    for each in VECTORS["keys"]:
        yield verifier.key_of(each["did"]).hex() == each["publicKey"], each
    key = next(bytes.fromhex(each["publicKey"]) for each in VECTORS["keys"] if each["name"] == "ada")
    for each in VECTORS["signed"]:
        yield verifier.is_signed(key, each["purpose"], each["text"], each["sig"]), each
    for each in VECTORS["refusedSignatures"]:
        yield not verifier.is_signed(key, *each["message"].rsplit(":", 1), each["signature"]), each
    for each in VECTORS["leaves"]:
        leaf = {name: each[name] for name in ("leaf", "size", "salt")}
        yield verifier.referring(each["value"], {"": leaf}) == {"leaf": each["leaf"], "size": each["size"]}, each
    for each in VECTORS["sealed"]:
        yield verifier.sealed_hash(each["partSalt"], each["members"]) == each["sealed"], each
    for each in VECTORS["states"]:
        hidden = each["confidential"]
        shown = {} if hidden is None else {"confidential": list(hidden), "salt": each["partSalt"]}
        context, sealed = verifier.divided({**each["open"], **(hidden or {})}, shown)
        yield sha256(jcs({"context": context, "sealed": sealed, "state": each["state"]})) == each["stateHash"], each
    for members in ("shown", "shownToReaders"):
        journal = Journal()
        for each in VECTORS["journal"]:
            journal.take(each.get(members, each["shown"]))
        journal.end()
        yield journal.counts["erased"] == 1, members
    yield "what leaf.redacted makes" in (finds(erasing_another()) or ""), "an erasure that makes another resource"


def erasing_another():
    *before, last = [each["shown"] for each in VECTORS["journal"]]
    key = next(bytes.fromhex(each["seed"]) for each in VECTORS["keys"] if each["name"] == "system")
    payload = {**last["payload"], "id": "0" * 64}
    payload_hash = sha256(jcs({"public": payload, "sealed": None}))
    last = signed(last, Ed25519PrivateKey.from_private_bytes(key), payloadHash=payload_hash)
    return [*before, {**last, "payload": payload}]


# --- one value at a time


def places(value, at=()):
    """Of all values without members."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    if not inside and not isinstance(value, (dict, list)):
        yield at
    for name, member in inside:
        yield from places(member, (*at, name))


def other(value):
    """Differs in one bit, or by 1."""
    if isinstance(value, bool) or value is None:
        return not value
    if isinstance(value, str):
        return value[:-1] + chr(ord(value[-1]) ^ 1) if value else "x"
    return value + 1


def changed(entry, place):
    copied = copy.deepcopy(entry)
    *inner, last = place
    within = copied
    for name in inner:
        within = within[name]
    within[last] = other(within[last])
    return copied


def is_noticed(journal, entry):
    try:
        journal.check(entry)
        return False
    except (Later, *UNREADABLE):
        return True


def every_value(entries, node):
    """Each member of each type of event, once."""
    journal, seen = Journal(node), set()
    for entry in entries:
        for place in places(entry):
            name = ".".join("*" if isinstance(part, int) else part for part in place)
            kind = (entry["event"]["type"], "sealed" in entry, name)
            if kind in seen or name in LOOSE:
                continue
            seen.add(kind)
            yield is_noticed(journal, changed(entry, place)), f"entry {entry['seq']}: {name}"
        journal.take(entry)


# --- what a home could do: change an entry, and make all hashes anew


def hashed(entry, seq, chain):
    core = {"v": 2, **{name: entry[name] for name in verifier.ENTRY}}
    entry = {**entry, "seq": seq, "prevEntry": chain, "entryHash": sha256(jcs(core)), "receipt": None}
    return {**entry, "chainHash": verifier.chain_hash(entry)}


def finds(entries, node=None):
    """What the verifier finds in a journal whose hashes are made anew."""
    journal = Journal(node)
    try:
        for entry in entries:
            journal.take(hashed(entry, journal.seq + 1, journal.chain))
        journal.end()
        return None
    except (Later, *UNREADABLE) as found:
        return f"{type(found).__name__}: {found}"


def signed(entry, key, **members):
    """With another event, signed by this key."""
    event = {name: value for name, value in {**entry["event"], **members}.items() if name not in ("hash", "sig")}
    text = jcs(event)
    sig = base64.urlsafe_b64encode(key.sign(f"svc:event:v3:{text}".encode())).decode().rstrip("=")
    return {**entry, "event": {**event, "hash": sha256(text), "sig": sig}}


def did_of(public):
    value, text = int.from_bytes(b"\xed\x01" + public, "big"), ""
    while value:
        value, rest = divmod(value, 58)
        text = verifier.LETTERS[rest] + text
    return "did:svc:z" + text


def rewritten(entries, node):
    key = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(sha256("a stranger")))
    public = key.public_key().public_bytes_raw()
    did = did_of(public)
    own = {"issuer": did, "pub": public.hex(), "nonce": 1, "prev": None}
    last = entries[-1]
    stranger = {**last, **{name: [] for name in ("versions", "reads", "accounts", "moves", "postings")}}

    def at(test):
        return next(index for index, entry in enumerate(entries) if test(entry))

    def with_change(index, **members):
        return [*entries[:index], {**entries[index], **members}, *entries[index + 1:]]

    def of_versions(index, **members):
        versions = entries[index]["versions"]
        return with_change(index, versions=[{**versions[0], **members}, *versions[1:]])

    def by_stranger(**members):
        return [*entries, signed(stranger, key, **{**own, "type": "transfer.sent", **members})]

    written, paid, read, redacted, corrected, changed_twice = (
        at(lambda e: e["versions"] and e["seq"] > 1),
        at(lambda e: e["moves"]),
        at(lambda e: e["reads"]),
        at(lambda e: e["event"]["type"] == "leaf.redacted"),
        at(lambda e: e["event"]["type"] == "clock.corrected"),
        at(lambda e: e["versions"] and e["versions"][0]["version"] > 1),
    )
    move, one_read = entries[paid]["moves"][0], entries[read]["reads"][0]
    if node:
        lapse = at(lambda e: e["event"]["type"] == "escrow.lapsed")
        by_another = signed(entries[lapse], key, **{**own, "type": "escrow.lapsed"})
        found = finds([*entries[:lapse], by_another], node)
        yield "only the clock" in (found or ""), f"a lapse by anybody: {found}"
        found = finds(of_versions(lapse, path=["released"]), node)
        yield "no transition" in (found or ""), f"a state that no transition leads to: {found}"
    yield finds(entries, node) is None, "an honest journal passes with hashes made anew"
    yield finds(by_stranger(payloadHash=last["event"]["payloadHash"]), node) is None, "and so does a further event"
    journal = Journal(node)
    for entry in entries[:2]:
        journal.take(entry)
    yield is_noticed(journal, hashed(entries[2], 4, journal.chain)), "a number left out"
    yield is_noticed(journal, hashed(entries[2], 3, "1" * 64)), "a chain from elsewhere"
    event = entries[written]["event"]
    sig = event["sig"]
    reads = [*entries[read]["reads"], {"kind": "a", "id": "b", "version": 0}]
    for what, journal, says in (
        ("a move of another amount", with_change(paid, moves=[{**move, "amount": 10**9}]), "postings are not"),
        ("an amount of 400 digits", with_change(paid, moves=[{**move, "amount": 10**399}]), "no double"),
        ("Tokens from nowhere", with_change(paid, postings=[*entries[paid]["postings"], ["fees", 1]]), "sum to zero"),
        ("an earlier time", with_change(written, time=entries[0]["time"] - 1), "time goes back"),
        ("a version left out", of_versions(changed_twice, version=3), "version of"),
        ("a version after another event", of_versions(changed_twice, prev=verifier.NO_HASH), "prev of"),
        ("a read of another version", with_change(read, reads=[{**one_read, "version": 77}]), "reads:"),
        ("an account's version", with_change(paid, accounts=[{"did": "supply", "version": 7}]), "version of account"),
        ("reads in another order", with_change(read, reads=reads), "order of reads"),
        ("a hash of another event", with_change(written, event={**event, "hash": sha256("x")}), "event.hash"),
        ("a signer who did not sign", by_stranger(issuer=event["issuer"]), "not the key in issuer"),
        ("a system key of another node", with_change(corrected, home=did), "not signed by a system key"),
        ("an entry left out", entries[:redacted] + entries[redacted + 1:], ""),
        ("two entries in the other order", [*entries[:-2], entries[-1], entries[-2]], ""),
        ("a journal without its beginning", entries[1:], "entry 1 is not"),
        ("padding", with_change(written, event={**event, "sig": sig + "=="}), "event.sig"),
        ("hex", with_change(written, event={**event, "sig": verifier.signature_of(sig).hex()}), "event.sig"),
        ("an event for another home", by_stranger(home=did), "event.home"),
        ("an event of another network", by_stranger(network="mainnet"), "event.network"),
        ("a nonce left out", by_stranger(nonce=2), "event.nonce"),
        ("another event before it", by_stranger(prev=verifier.NO_HASH), "event.prev"),
        ("a member that events do not have", by_stranger(note="x"), "members of event"),
        ("an erasure by anybody", by_stranger(type="leaf.redacted"), "not signed by a system key"),
        ("a member of later versions", by_stranger(under="grant-1"), "Later"),
        ("a time after the one that was agreed to", by_stranger(until=5), "later than its signer allowed"),
        ("a bound in another form", by_stranger(most="5"), "members of event"),
        ("a later version", by_stranger(v=4), "Later"),
    ):
        found = finds(journal, node)
        yield found is not None and says in found, f"{what}: {found}"


def main():
    file, url = [*sys.argv[1:], None, None][:2]
    node = Node(url, None) if url else None
    entries = [json.loads(line) for line in open(file, encoding="utf-8")] if file else [
        each.get("shownToReaders", each["shown"]) for each in VECTORS["journal"]
    ]
    counts = {}
    for name, results in (
        ("vectors", vectors()),
        ("values", every_value(entries, node)),
        ("rewritten", rewritten(entries, node)),
    ):
        results = list(results)
        counts[name] = len(results)
        for holds, what in results:
            if not holds:
                print(f"{name}: {what}")
                counts["failed"] = counts.get("failed", 0) + 1
    print(json.dumps(counts))
    return 1 if "failed" in counts else 0


if __name__ == "__main__":
    sys.exit(main())
