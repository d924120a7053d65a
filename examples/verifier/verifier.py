#!/usr/bin/env python3
"""Checks the journal of an svc-node from outside, by the rules of docs/auditing.md and nothing else.

    python3 verifier.py http://127.0.0.1:9528 [--key KEY]

Needs Python 3.9 and the package `cryptography`. Exit code 0: all checks passed; 1: a rule is violated; 2: it could not run.
"""
import argparse
import hashlib
import json
import sys
import urllib.parse
import urllib.request
from collections import defaultdict

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

LETTERS = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
ENTRY = ["event", "time", "home", "law", "versions", "reads", "accounts", "moves", "postings", "idem"]
TEN_MINUTES = 600_000


class Violation(Exception):
    """A rule of the page that the journal does not keep."""


# --- bytes: JCS, SHA-256, base58, Ed25519


def jcs(value):
    """RFC 8785: members by UTF-16 code units; numbers as ECMAScript writes them, which for integers is plain."""
    if isinstance(value, dict):
        names = sorted(value, key=lambda name: name.encode("utf-16-be"))
        return "{" + ",".join(f"{jcs(name)}:{jcs(value[name])}" for name in names) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(jcs, value)) + "]"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return json.dumps(value, ensure_ascii=False)


def sha256(text):
    data = text if isinstance(text, bytes) else text.encode()
    return hashlib.sha256(data).hexdigest()


def base58(text):
    number = 0
    for letter in text:
        number = number * 58 + LETTERS.index(letter)
    zeros = len(text) - len(text.lstrip("1"))
    return bytes(zeros) + number.to_bytes((number.bit_length() + 7) // 8, "big")


def key_of(did):
    data = base58(did[len("did:svc:z"):])
    if not did.startswith("did:svc:z") or data[:2] != b"\xed\x01" or len(data) != 34:
        raise Violation(f"{did} is no DID")
    return data[2:]


def is_signed(key, text, signature):
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(base58(signature), text.encode())
        return True
    except (InvalidSignature, ValueError):
        return False


# --- what the API gives


class Node:
    def __init__(self, url, key):
        self.api, self.key, self.charts = url.rstrip("/") + "/api/v1", key, {}

    def get(self, path, **query):
        url = self.api + path + ("?" + urllib.parse.urlencode(query) if query else "")
        request = urllib.request.Request(url, headers={"X-Api-Key": self.key} if self.key else {})
        with urllib.request.urlopen(request, timeout=30) as reply:
            return json.load(reply)

    def entries(self):
        after = 0
        while True:
            page = self.get("/events", after=after, limit=100)
            yield from page["events"]
            if not page["hasMore"]:
                return
            after = page["events"][-1]["seq"]

    def chart(self, kind, version):
        if (kind, version) not in self.charts:
            self.charts[kind, version] = self.get(f"/machines/{kind}", version=version)
        return self.charts[kind, version]


# --- the rules


class Journal:
    def __init__(self, node):
        self.node = node
        self.about = node.get("/node")
        self.seq, self.chain = 0, "0" * 64
        self.home = None
        self.last_time = {}
        self.signers = {}
        self.versions = {}
        self.accounts = defaultdict(int)
        self.balances = defaultdict(int)
        self.escrows = defaultdict(lambda: defaultdict(int))
        self.rules = {}
        self.system = set()
        self.counts = defaultdict(int)

    def must(self, holds, what):
        self.counts["checks"] += 1
        if not holds:
            raise Violation(what)

    def take(self, entry):
        self.hashes(entry)
        self.order(entry)
        self.resources(entry)
        self.money(entry)
        if "payload" in entry:
            self.payload(entry)
        self.counts["entries"] += 1

    def hashes(self, entry):
        event = entry["event"]
        unsigned = jcs({name: value for name, value in event.items() if name not in ("hash", "sig")})
        self.must(event["hash"] == sha256(unsigned), "event.hash")
        self.must(event["pub"] == key_of(event["issuer"]).hex(), "event.pub is not the key in issuer")
        self.must(is_signed(bytes.fromhex(event["pub"]), "svc:event:v1:" + unsigned, event["sig"]), "event.sig")
        body = {"v": 1, **{name: entry[name] for name in ENTRY}}
        self.must(entry["entryHash"] == sha256(jcs(body)), "entryHash")
        self.must(entry["prevEntry"] == self.chain, "prevEntry")
        chain = sha256(f"svc:journal:v1:{entry['seq']}:{entry['prevEntry']}:{entry['entryHash']}")
        self.must(entry["chainHash"] == chain, "chainHash")
        self.chain = chain

    def order(self, entry):
        event, seq = entry["event"], entry["seq"]
        self.must(seq == self.seq + 1, "seq has a gap")
        self.seq = seq
        self.must(event["network"] == self.about["network"], "event.network")
        if seq == 1:
            self.home = event.get("home", entry["home"])
            self.must(event["type"] == "node.appointed", "entry 1 appoints no system key")
            self.must(event["issuer"] == entry["home"], "entry 1 is not signed by its home")
        self.must(event["v"] == 1 or event["home"] == self.home, "event.home")
        nonce, before = self.signers.get(event["issuer"], (0, None))
        self.must(event["nonce"] == nonce + 1, "event.nonce")
        self.must(event["prev"] == before, "event.prev")
        self.signers[event["issuer"]] = (event["nonce"], event["hash"])
        self.must(entry["time"] >= self.last_time.get(entry["home"], 0), "time goes back")
        self.last_time[entry["home"]] = entry["time"]
        self.must(abs(event["ts"] - entry["time"]) <= TEN_MINUTES, "event.ts")

    def resources(self, entry):
        for each in entry["reads"]:
            version = self.versions.get((each["kind"], each["id"]), {"version": 0})["version"]
            self.must(each["version"] == version, f"reads: {each['kind']}/{each['id']}")
        for each in entry["versions"]:
            name = (each["kind"], each["id"])
            before = self.versions.get(name)
            self.must(each["version"] == (before["version"] if before else 0) + 1, f"version of {name}")
            self.must(each["prev"] == (before["hash"] if before else None), f"prev of {name}")
            self.path(before["state"] if before else None, each)
            self.versions[name] = {
                "version": each["version"], "hash": entry["event"]["hash"], "state": each["path"][-1],
                "stateHash": each["stateHash"],
            }
        for each in entry["accounts"]:
            self.accounts[each["did"]] += 1
            self.must(each["version"] == self.accounts[each["did"]], f"version of account {each['did']}")

    def path(self, state, version):
        """Each state of the path is reached by a transition of the chart; `via` names its event where it is there."""
        chart = self.node.chart(version["kind"], version["machine"])
        self.must(chart["version"] == version["machine"], "the node has another chart of this version")
        if not chart["isMachine"]:
            self.must(version["path"] == ["current"], f"{version['kind']} has no life cycle")
            return
        via = version.get("via") or [None] * len(version["path"])
        for target, event in zip(version["path"], via):
            fits = [
                each for each in chart["transitions"]
                if each["to"] == target and (event is None or each["event"] == event)
                and (each["from"] == state or (state or "").startswith(f"{each['from']}."))
            ]
            # An action within a state, such as one of a milestone, stays where it is.
            self.must(bool(fits) or state == target, f"no transition from {state} to {target} in {version['machine']}")
            state = target

    def money(self, entry):
        self.must(sum(amount for _, amount in entry["postings"]) == 0, "postings don't sum to zero")
        due = defaultdict(int)
        for move in entry["moves"]:
            for account, amount in postings_of(move):
                due[account] += amount
            self.escrow(entry, move)
        given = defaultdict(int)
        for account, amount in entry["postings"]:
            given[account] += amount
        self.must({a: n for a, n in due.items() if n} == dict(given), "postings are not those of the moves")
        for account, amount in given.items():
            self.balances[account] += amount
            self.must(account == "supply" or self.balances[account] >= 0, f"{account} is below zero")

    def escrow(self, entry, move):
        if "escrow" not in move:
            return
        sums = self.escrows[move["escrow"]]
        sums[move["op"]] += move.get("amount", 0)
        paid = sums["release"] + sums["refund"] + sums["expire"]
        self.must(sums["lock"] <= sums["reserve"], "more was locked than reserved")
        self.must(paid <= sums["lock"], "more was paid than locked")
        versions = [(each["kind"], each["id"]) for each in entry["versions"]]
        self.must(("escrow", move["escrow"]) in versions, "a move without a version of its escrow")

    def payload(self, entry):
        event, payload = entry["event"], entry["payload"]
        self.counts["payloads"] += 1
        self.must(event["payloadHash"] == sha256(jcs({"payload": payload, "salt": entry["salt"]})), "event.payloadHash")
        if event["type"] == "node.appointed":
            self.must(event["issuer"] == entry["home"] == payload["id"], "only a home appoints system keys")
            self.system.add(payload["input"]["system"])
        if payload["kind"] == "escrow" and payload["action"] == "create":
            rules = payload["input"]["releaseRules"]
            named = [{"id": f"rule-{n}", **rule} for n, rule in enumerate(rules, 1)]
            parties = {"depositor": event["issuer"], **{p: payload["input"].get(p) for p in ("beneficiary", "arbiter")}}
            self.rules[payload["id"]] = (named, parties)
        if payload["kind"] == "escrow" and payload["action"] == "release" and payload["id"] in self.rules:
            self.release_rule_met(entry, *self.rules[payload["id"]])

    def release_rule_met(self, entry, rules, parties):
        given = entry["payload"]["input"]
        name = given.get("ruleId", given.get("rule"))
        asked = [r for r in rules if r["id"] == name] or [r for r in rules if r["type"] == name] if name else rules
        self.must(any(self.satisfied(rule, entry, parties, name) for rule in asked), "releaseRuleMet")
        self.counts["release rules"] += 1

    def satisfied(self, rule, entry, parties, name):
        given, event = entry["payload"]["input"], entry["event"]
        evidence = given.get("evidence") or {}
        if rule.get("requiresReason") and not (given.get("reason") or "").strip():
            return False
        if rule.get("requiresEvidence") and not evidence:
            return False
        if rule["type"] == "manual":
            by = rule.get("by", ["depositor", "arbiter"])
            return event["issuer"] in [parties.get(each, each) for each in by]
        if rule["type"] == "time":
            return entry["time"] >= rule["after"]
        if rule["type"] == "hash":
            return sha256(bytes.fromhex(evidence["preimage"])) == rule["hash"]
        if rule["type"] == "signature":
            return self.enough_signatures(rule, entry, evidence)
        return name in (rule["id"], rule["type"]) and event["issuer"] in (parties["depositor"], parties["arbiter"])

    def enough_signatures(self, rule, entry, evidence):
        escrow, event = entry["payload"]["id"], entry["event"]
        prev = next(v["prev"] for v in entry["versions"] if (v["kind"], v["id"]) == ("escrow", escrow))
        scope = "v1:" if event["v"] == 1 else "v2:"
        where = f"{event['network']}:" + (f"{event['home']}:" if event["v"] != 1 else "")
        text = f"svc:escrow-release:{scope}{where}{escrow}:{prev}:{entry['payload']['input']['amount']}"
        valid = {
            each["did"] for each in evidence["signatures"]
            if each["did"] in rule["signers"] and is_signed(key_of(each["did"]), text, each["signature"])
        }
        return len(valid) >= rule.get("threshold", len(rule["signers"]))

    def views(self):
        """What the API shows now, against what followed from the journal; only if no entry came meanwhile."""
        supply = self.node.get("/supply")
        wallets = {}
        for account in self.balances:
            part, _, did = account.partition("/")
            if did and did not in wallets:
                wallets[did] = self.node.get(f"/wallets/{urllib.parse.quote(did)}")
        if self.node.get("/node")["height"] != self.seq:
            return
        self.must(supply["supply"] == -self.balances["supply"], "GET /supply")
        for did, wallet in wallets.items():
            for part, member in (("available", "availableBalance"), ("reserved", "reserved"), ("escrowed", "escrowed")):
                self.must(wallet[member] == self.balances[f"{part}/{did}"], f"{member} of {did}")
            self.must(wallet["nonce"] == self.signers.get(did, (0, None))[0], f"nonce of {did}")
        for (kind, id), version in self.versions.items():
            if kind != "escrow":
                continue
            view = self.node.get(f"/escrows/{urllib.parse.quote(id)}")
            sums = self.escrows[id]
            self.must(view["resourcePrev"] == version["hash"], f"resourcePrev of {id}")
            self.must(view["status"] == version["state"].split(".")[0], f"status of {id}")
            shown = (view["funded"], view["released"], view["refunded"])
            self.must(shown == (sums["lock"], sums["release"], sums["refund"] + sums["expire"]), f"sums of {id}")


def postings_of(move):
    if move["op"] in ("freeze", "unfreeze"):
        return []
    op, amount, fee = move["op"], move["amount"], move.get("fee", 0)
    source, target = move.get("from"), move.get("to")
    if op in ("mint", "deposit"):
        return [("supply", -amount), (f"available/{target}", amount)]
    if op == "transfer":
        return [(f"available/{source}", -amount - fee), (f"available/{target}", amount), ("fees", fee)]
    if op == "withdraw":
        return [(f"available/{source}", -amount - fee), ("supply", amount), ("fees", fee)]
    if op == "collect":
        return [("fees", -amount), (f"available/{target}", amount)]
    if op in ("freeze", "unfreeze"):
        return []
    takes, gives, whose = {
        "reserve": ("available", "reserved", source),
        "unreserve": ("reserved", "available", source),
        "lock": ("reserved", "escrowed", source),
        "release": ("escrowed", "available", target),
        "refund": ("escrowed", "available", source),
        "expire": ("escrowed", "available", source),
    }[op]
    return [(f"{takes}/{source}", -amount), (f"{gives}/{whose}", amount)]


def main():
    parser = argparse.ArgumentParser(description="Checks the journal of an svc-node from outside.")
    parser.add_argument("url")
    parser.add_argument("--key", help="an API key: payloads that its DID may read are checked, too")
    parser.add_argument("--file", help="a file of entries, one JSON object a line, instead of those that the node gives")
    options = parser.parse_args()
    node = Node(options.url, options.key)
    journal = Journal(node)
    entries = map(json.loads, open(options.file, encoding="utf-8")) if options.file else node.entries()
    for entry in entries:
        try:
            journal.take(entry)
        except (Violation, KeyError, TypeError, ValueError) as violation:
            print(f"entry {entry.get('seq')}: {type(violation).__name__}: {violation}")
            return 1
    try:
        journal.views()
    except Violation as violation:
        print(f"what the API shows: {violation}")
        return 1
    print(json.dumps(journal.counts))
    return 0


if __name__ == "__main__":
    sys.exit(main())
