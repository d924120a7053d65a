#!/usr/bin/env python3
"""Checks the journal of an svc-node from outside, by docs/reference/journal-format.md and docs/auditing.md alone.

    python3 verifier.py http://127.0.0.1:9528 [--key KEY]
    python3 verifier.py --file entries.jsonl

Needs Python 3.9 and the package `cryptography`. Exit code 0: all checks passed; 1: a rule is violated; 2: it could not
run; 3: the journal is of a later version than this program.
"""
import argparse
import base64
import binascii
import hashlib
import json
import re
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from collections import defaultdict
from decimal import Decimal

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

LETTERS = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
NO_HASH = "0" * 64
EVENT = {"v", "type", "issuer", "home", "nonce", "ts", "prev", "network", "payloadHash", "pub", "hash", "sig"}
BOUNDS = {"most", "until"}
RESERVED = {"for", "under"}
ENTRY = ["event", "home", "time", "law", "versions", "reads", "accounts", "moves", "postings", "idem"]
VERSION = {"kind", "id", "version", "prev", "machine", "path", "stateHash"}
BY_SYSTEM_KEYS = {
    "faucet.claimed", "tokens.deposited", "fees.collected", "account.frozen", "account.unfrozen", "leaf.redacted",
    "clock.corrected",
}


class Violation(Exception):
    """A rule that the journal does not keep."""


class Later(Exception):
    """The journal uses what this version of the format does not know."""


def must(holds, what):
    if not holds:
        raise Violation(what)


# --- bytes: JCS, SHA-256, base58, Ed25519


def jcs(value):
    """RFC 8785."""
    if isinstance(value, dict):
        names = sorted(value, key=lambda name: name.encode("utf-16-be"))
        return "{" + ",".join(f"{jcs(name)}:{jcs(value[name])}" for name in names) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(jcs, value)) + "]"
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        must(abs(value) < 2**1024, "a number that no double holds")
        return number(float(value))
    return json.dumps(value, ensure_ascii=False)


def number(value):
    """As ECMAScript writes it: the shortest digits of the double, which `repr` finds as well, in another notation."""
    if value == 0:
        return "0"
    sign, digits, exponent = Decimal(repr(value)).normalize().as_tuple()
    text, point = "".join(map(str, digits)), len(digits) + exponent
    if len(text) <= point <= 21:
        text += "0" * (point - len(text))
    elif 0 < point <= 21:
        text = text[:point] + "." + text[point:]
    elif -6 < point <= 0:
        text = "0." + "0" * -point + text
    else:
        text = text[0] + ("." + text[1:] if len(text) > 1 else "") + f"e{point - 1:+d}"
    return "-" * sign + text


def sha256(data):
    return hashlib.sha256(data if isinstance(data, bytes) else data.encode()).hexdigest()


def key_of(did):
    """The 32 bytes of the key in a DID."""
    head, text = did[:9], did[9:]
    value = 0
    for letter in text:
        value = value * 58 + LETTERS.index(letter)
    data = value.to_bytes((value.bit_length() + 7) // 8, "big")
    must(head == "did:svc:z" and data[:2] == b"\xed\x01" and len(data) == 34, f"{did} is no DID")
    return data[2:]


def signature_of(text):
    """The 64 bytes; none for a text that is not the base64url of them."""
    try:
        data = base64.urlsafe_b64decode(text + "==") if re.fullmatch(r"[A-Za-z0-9_-]{86}", text) else b""
    except binascii.Error:
        return b""
    return data if base64.urlsafe_b64encode(data).decode() == text + "==" else b""


def is_signed(key, purpose, text, signature):
    message = f"{purpose}:{sha256(text) if len(text.encode()) > 1024 else text}"
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature_of(signature), message.encode())
        return True
    except (InvalidSignature, ValueError):
        return False


# --- payloads and contexts, as the API shows them


def sealed_hash(salt, members):
    return sha256(f"svc:sealed:v1:{salt}:{jcs(members)}")


def referring(value, leaves, pointer=""):
    """The value with the references of its leaves, each checked against the text that is shown."""
    if pointer in leaves:
        leaf = leaves[pointer]
        if leaf.get("erased"):
            must(value is None, f"there is a text at {pointer}, which was erased")
        else:
            text = bytes.fromhex(leaf["salt"]) + jcs(value).encode()
            must(len(leaf["salt"]) == 32 and sha256(text) == leaf["leaf"], f"the text at {pointer}")
        return {"leaf": leaf["leaf"], "size": leaf["size"]}
    if isinstance(value, list):
        return [referring(each, leaves, f"{pointer}/{at}") for at, each in enumerate(value)]
    if isinstance(value, dict):
        return {
            name: referring(each, leaves, pointer + "/" + name.replace("~", "~0").replace("/", "~1"))
            for name, each in value.items()
        }
    return value


def divided(value, shown):
    """The public members with references, and the sealed hash of the others."""
    members = referring(value, shown.get("leaves", {}))
    if "confidential" not in shown:
        return members, shown.get("sealed")
    names = shown["confidential"]
    hidden = {name: member for name, member in members.items() if name in names}
    public = {name: member for name, member in members.items() if name not in names}
    return public, sealed_hash(shown["salt"], hidden)


def erased_in(shown):
    return {leaf["leaf"] for leaf in shown.get("leaves", {}).values() if leaf.get("erased")}


# --- what the API gives


class Node:
    def __init__(self, url, key):
        self.api, self.key, self.charts = url.rstrip("/") + "/api/v1", key, {}

    def get(self, path, **query):
        url = self.api + path + ("?" + urllib.parse.urlencode(query) if query else "")
        request = urllib.request.Request(url, headers={"X-Api-Key": self.key} if self.key else {})
        while True:
            try:
                with urllib.request.urlopen(request, timeout=30) as reply:
                    return json.load(reply)
            except urllib.error.HTTPError as error:
                if error.code != 429:
                    raise
                time.sleep(int(error.headers["Retry-After"]))

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
            chart = self.get_if_there(f"/machines/{urllib.parse.quote(kind, safe='')}", version=version)
            must(chart and chart["version"] == version, f"the node has no chart of {version}")
            self.charts[kind, version] = chart
        return self.charts[kind, version]

    def state(self, kind, id):
        """None if this reader may not see it."""
        return self.get_if_there(f"/machines/{kind}/{urllib.parse.quote(id, safe='')}/state")

    def get_if_there(self, path, **query):
        try:
            return self.get(path, **query)
        except urllib.error.HTTPError as error:
            if error.code not in (403, 404):
                raise
            return None


# --- the rules


class Journal:
    """Checks entries one after another. `check` changes nothing, so that an entry which is refused leaves no trace."""

    def __init__(self, node=None):
        self.node = node
        self.network = None
        self.seq, self.chain = 0, NO_HASH
        self.home = None
        self.last_time = {}
        self.signers = {}
        self.versions = {}
        self.accounts = defaultdict(int)
        self.balances = defaultdict(int)
        self.escrows = {}
        self.rules = {}
        self.system = defaultdict(set)
        self.redacted, self.erased = set(), set()
        self.counts = defaultdict(int)

    def take(self, entry):
        self.check(entry)
        self.fold(entry)

    def check(self, entry):
        self.form(entry)
        self.hashes(entry)
        self.order(entry)
        self.resources(entry)
        self.money(entry)
        if "payload" in entry:
            self.payload(entry)
        if receipt := entry["receipt"]:
            must((receipt["entryHash"], receipt["seq"]) == (entry["entryHash"], entry["seq"]), "receipt")
            must(receipt["status"] in ("confirmed", "pending", "reverted"), "receipt.status")

    def form(self, entry):
        event = entry["event"]
        if event["v"] > 3 or RESERVED & set(event):
            raise Later(f"event {event['v']} with {', '.join(sorted(set(event) - EVENT - BOUNDS)) or 'no other members'}")
        must(event["v"] == 3 and set(event) - BOUNDS == EVENT, "members of event")
        must(all(type(event[each]) is int and event[each] >= 0 for each in BOUNDS & set(event)), "members of event")
        for each in entry["versions"]:
            must(set(each) - {"via"} == VERSION and each["path"], "members of versions")
        for each in entry["reads"]:
            must(set(each) == {"kind", "id", "version"}, "members of reads")
        for each in entry["accounts"]:
            must(set(each) == {"did", "version"}, "members of accounts")
        order = [f"{each['kind']}/{each['id']}".encode("utf-16-be") for each in entry["reads"]]
        must(order == sorted(order), "order of reads")
        must(len(entry["versions"]) <= 256, "number of versions")

    def hashes(self, entry):
        event = entry["event"]
        unsigned = jcs({name: value for name, value in event.items() if name not in ("hash", "sig")})
        must(event["hash"] == sha256(unsigned), "event.hash")
        must(event["pub"] == key_of(event["issuer"]).hex(), "event.pub is not the key in issuer")
        must(is_signed(bytes.fromhex(event["pub"]), "svc:event:v3", unsigned, event["sig"]), "event.sig")
        core = {"v": 2, **{name: entry[name] for name in ENTRY}}
        must(entry["entryHash"] == sha256(jcs(core)), "entryHash")
        must(entry["prevEntry"] == self.chain, "prevEntry")
        must(entry["chainHash"] == chain_hash(entry), "chainHash")

    def order(self, entry):
        event, seq, home = entry["event"], entry["seq"], entry["home"]
        must(seq == self.seq + 1, "seq has a gap")
        must(event["network"] == (self.network or event["network"]), "event.network")
        if seq == 1:
            is_own = event["issuer"] == event["home"] == home
            must(event["type"] == "node.appointed" and is_own, "entry 1 is not the node.appointed of its home")
        must(event["home"] == (self.home or event["home"]), "event.home")
        nonce, before = self.signers.get(event["issuer"], (0, None))
        must(event["nonce"] == nonce + 1, "event.nonce")
        must(event["prev"] == before, "event.prev")
        may_go_back = event["type"] == "clock.corrected"
        must(may_go_back or entry["time"] >= self.last_time.get(home, 0), "time goes back")
        must(event["type"] not in BY_SYSTEM_KEYS or self.by_system(entry), "not signed by a system key")
        must(entry["time"] <= event.get("until", entry["time"]), "later than its signer allowed")

    def by_system(self, entry):
        return entry["event"]["issuer"] in self.system[entry["home"]]

    def resources(self, entry):
        for each in entry["reads"]:
            version = self.versions.get((each["kind"], each["id"]), {"version": 0})["version"]
            must(each["version"] == version, f"reads: {each['kind']}/{each['id']}")
        for each in entry["versions"]:
            name = (each["kind"], each["id"])
            before = self.versions.get(name)
            must(each["version"] == (before["version"] if before else 0) + 1, f"version of {name}")
            must(each["prev"] == (before["hash"] if before else None), f"prev of {name}")
            if self.node:
                self.path(before["state"] if before else None, each, entry)
        for each in entry["accounts"]:
            must(each["version"] == self.accounts[each["did"]] + 1, f"version of account {each['did']}")

    def path(self, state, version, entry):
        """Each state of the path is reached by a transition of the chart; `via` names its event where it is there."""
        chart = self.node.chart(version["kind"], version["machine"])
        if not chart["isMachine"]:
            must(version["path"] == ["current"], f"{version['kind']} has no life cycle")
            return
        via = version.get("via")
        for target, event in zip(version["path"], via or [None] * len(version["path"])):
            fits = [
                each for each in chart["transitions"]
                if each["to"] == target and (event is None or each["event"] == event)
                and (each["from"] == state or (state or "").startswith(f"{each['from']}."))
            ]
            # An action within a state, such as one of a milestone, stays where it is.
            must(bool(fits) or state == target, f"no transition from {state} to {target} in {version['machine']}")
            is_clocks = via is None and fits and all(each["roles"] == ["clock"] for each in fits)
            must(not is_clocks or self.by_system(entry), f"only the clock goes from {state} to {target}")
            state = target

    def money(self, entry):
        must(sum(amount for _, amount in entry["postings"]) == 0, "postings don't sum to zero")
        due = defaultdict(int)
        for move in entry["moves"]:
            for account, amount in postings_of(move):
                due[account] += amount
        given = defaultdict(int)
        for account, amount in entry["postings"]:
            given[account] += amount
        must({a: n for a, n in due.items() if n} == dict(given), "postings are not those of the moves")
        most = entry["event"].get("most")
        must(most is None or cost_of(entry["event"]["issuer"], entry["moves"]) <= most, "it costs more than its signer allowed")
        for account, amount in given.items():
            must(account == "supply" or self.balances[account] + amount >= 0, f"{account} is below zero")
        written = [(each["kind"], each["id"]) for each in entry["versions"]]
        for escrow, sums in self.sums_after(entry).items():
            paid = sums["release"] + sums["refund"] + sums["expire"]
            must(sums["lock"] <= sums["reserve"], "more was locked than reserved")
            must(paid <= sums["lock"], "more was paid than locked")
            must(("escrow", escrow) in written, "a move without a version of its escrow")

    def sums_after(self, entry):
        """By escrow that an entry moves Tokens of: what was reserved, locked and paid."""
        found = {}
        for move in entry["moves"]:
            if "escrow" in move:
                known = self.escrows.get(move["escrow"], {})
                sums = found.setdefault(move["escrow"], defaultdict(int, known))
                sums[move["op"]] += move.get("amount", 0)
        return found

    def payload(self, entry):
        event, payload = entry["event"], entry["payload"]
        public, sealed = divided(payload["input"], entry)
        hashed = {"public": {**payload, "input": public}, "sealed": sealed}
        must(event["payloadHash"] == sha256(jcs(hashed)), "event.payloadHash")
        if event["type"] == "node.appointed":
            must(event["issuer"] == entry["home"] == payload["id"], "a node appoints its own system keys")
        if event["type"] == "leaf.redacted":
            made = [(each["kind"], each["id"], each["version"]) for each in entry["versions"]]
            must(payload["kind"] == "leaf" and made == [("leaf", payload["id"], 1)], "what leaf.redacted makes")
        if payload["kind"] == "escrow" and payload["action"] == "release" and payload["id"] in self.rules:
            if "sealed" not in entry:
                self.release_rule_met(entry, *self.rules[payload["id"]])

    def fold(self, entry):
        event = entry["event"]
        self.seq, self.chain = entry["seq"], entry["chainHash"]
        self.network, self.home = event["network"], event["home"]
        self.last_time[entry["home"]] = entry["time"]
        self.signers[event["issuer"]] = (event["nonce"], event["hash"])
        for each in entry["versions"]:
            self.versions[each["kind"], each["id"]] = {
                "version": each["version"], "hash": event["hash"], "state": each["path"][-1],
                "stateHash": each["stateHash"],
            }
        for each in entry["accounts"]:
            self.accounts[each["did"]] = each["version"]
        for account, amount in entry["postings"]:
            self.balances[account] += amount
        self.escrows.update(self.sums_after(entry))
        self.counts["entries"] += 1
        self.counts["receipts"] += entry["receipt"] is not None
        if "payload" in entry:
            self.fold_payload(entry)

    def fold_payload(self, entry):
        event, payload = entry["event"], entry["payload"]
        self.counts["payloads"] += 1
        self.counts["sealed"] += "sealed" in entry
        self.counts["leaves"] += len(entry.get("leaves", {}))
        self.erased |= erased_in(entry)
        if event["type"] == "node.appointed":
            self.system[entry["home"]].add(payload["input"]["system"])
        if event["type"] == "leaf.redacted":
            self.redacted.add(payload["id"])
        if payload["kind"] == "escrow" and payload["action"] == "create":
            rules = payload["input"]["releaseRules"]
            named = [{"id": f"rule-{n}", **rule} for n, rule in enumerate(rules, 1)]
            parties = {"depositor": event["issuer"], **{p: payload["input"].get(p) for p in ("beneficiary", "arbiter")}}
            self.rules[payload["id"]] = (named, parties)

    def end(self):
        """After the last entry: what is missing was erased by an entry."""
        for leaf in self.erased - self.redacted:
            raise Violation(f"the text {leaf} is gone, and no entry has erased it")
        self.counts["erased"] = len(self.erased)

    # --- release rules

    def release_rule_met(self, entry, rules, parties):
        given = entry["payload"]["input"]
        name = given.get("ruleId", given.get("rule"))
        asked = [r for r in rules if r["id"] == name] or [r for r in rules if r["type"] == name] if name else rules
        must(any(self.satisfied(rule, entry, parties, name) for rule in asked), "releaseRuleMet")
        self.counts["release rules"] += 1

    def satisfied(self, rule, entry, parties, name):
        given, event = entry["payload"]["input"], entry["event"]
        evidence = given.get("evidence") or {}
        # An erased reason was given, and is null.
        if rule.get("requiresReason") and "reason" not in given:
            return False
        if rule.get("requiresEvidence") and "evidence" not in given:
            return False
        if rule["type"] == "manual":
            by = rule.get("by", ["depositor", "arbiter"])
            return event["issuer"] in [parties.get(each, each) for each in by]
        if rule["type"] == "time":
            return entry["time"] >= rule["after"]
        if rule["type"] == "hash":
            return sha256(bytes.fromhex(evidence.get("preimage", ""))) == rule["hash"]
        if rule["type"] == "signature":
            return self.enough_signatures(rule, entry, evidence)
        return name in (rule["id"], rule["type"]) and event["issuer"] in (parties["depositor"], parties["arbiter"])

    def enough_signatures(self, rule, entry, evidence):
        escrow, event = entry["payload"]["id"], entry["event"]
        prev = next(v["prev"] for v in entry["versions"] if (v["kind"], v["id"]) == ("escrow", escrow))
        text = f"{event['network']}:{event['home']}:{escrow}:{prev}:{entry['payload']['input']['amount']}"
        valid = {
            each["did"] for each in evidence.get("signatures", [])
            if each["did"] in rule["signers"]
            and is_signed(key_of(each["did"]), "svc:escrow-release:v2", text, each["signature"])
        }
        return len(valid) >= rule.get("threshold", len(rule["signers"]))

    # --- the API

    def views(self):
        """What the API shows now, against what followed from the journal; only if no entry came meanwhile."""
        supply = self.node.get("/supply")
        dids = {did for _, _, did in (account.partition("/") for account in self.balances) if did}
        wallets = {did: self.node.get(f"/wallets/{urllib.parse.quote(did)}") for did in dids}
        states = {name: self.node.state(*name) for name in self.versions}
        if self.node.get("/node")["height"] != self.seq:
            return
        must(supply["supply"] == -self.balances["supply"], "GET /supply")
        for did, wallet in wallets.items():
            for part, member in (("available", "availableBalance"), ("reserved", "reserved"), ("escrowed", "escrowed")):
                must(wallet[member] == self.balances[f"{part}/{did}"], f"{member} of {did}")
            must(wallet["nonce"] == self.signers.get(did, (0, None))[0], f"nonce of {did}")
        for name, state in states.items():
            if state:
                self.state(name, state)
            if name[0] == "escrow":
                self.escrow_view(name[1])

    def state(self, name, state):
        known = self.versions[name]
        must((state["version"], state["eventHash"]) == (known["version"], known["hash"]), f"newest version of {name}")
        context, sealed = divided(state["context"], state)
        hashed = {"context": context, "sealed": sealed, "state": state["state"]}
        must(sha256(jcs(hashed)) == known["stateHash"], f"stateHash of {name}")
        must(erased_in(state) <= self.redacted, f"a text of {name} is gone, and no entry has erased it")
        self.counts["states"] += 1

    def escrow_view(self, id):
        view = self.node.get(f"/escrows/{urllib.parse.quote(id)}")
        known, sums = self.versions["escrow", id], self.escrows[id]
        must(view["resourcePrev"] == known["hash"], f"resourcePrev of {id}")
        must(view["status"] == known["state"].split(".")[0], f"status of {id}")
        shown = (view["funded"], view["released"], view["refunded"])
        must(shown == (sums["lock"], sums["release"], sums["refund"] + sums["expire"]), f"sums of {id}")


def chain_hash(entry):
    return sha256(f"svc:journal:v1:{entry['seq']}:{entry['prevEntry']}:{entry['entryHash']}")


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
    takes, gives, whose = {
        "reserve": ("available", "reserved", source),
        "unreserve": ("reserved", "available", source),
        "lock": ("reserved", "escrowed", source),
        "release": ("escrowed", "available", target),
        "refund": ("escrowed", "available", source),
        "expire": ("escrowed", "available", source),
    }[op]
    return [(f"{takes}/{source}", -amount), (f"{gives}/{whose}", amount)]


def cost_of(did, moves):
    """The larger of what leaves the DID's available Tokens, and what its escrows pay to others."""
    postings = [posting for move in moves for posting in postings_of(move)]
    taken = -sum(amount for account, amount in postings if account == f"available/{did}" and amount < 0)
    paid = sum(each["amount"] for each in moves if each["op"] == "release" and each["from"] == did != each["to"])
    return max(taken, paid)


UNREADABLE = (Violation, KeyError, TypeError, ValueError, AttributeError)


def main():
    parser = argparse.ArgumentParser(description="Checks the journal of an svc-node from outside.")
    parser.add_argument("url", nargs="?", help="the node; without it charts and views are not compared")
    parser.add_argument("--key", help="an API key: what its DID may read is checked, too")
    parser.add_argument("--file", help="entries as the API shows them, one a line, in place of the node's")
    options = parser.parse_args()
    if options.url is None and options.file is None:
        parser.error("give a URL, a file, or both")
    node = Node(options.url, options.key) if options.url else None
    journal = Journal(node)
    entries = map(json.loads, open(options.file, encoding="utf-8")) if options.file else node.entries()
    for entry in entries:
        try:
            journal.take(entry)
        except Later as later:
            print(f"entry {entry['seq']} is of a later version: {later}")
            return 3
        except UNREADABLE as violation:
            print(f"entry {entry.get('seq')}: {type(violation).__name__}: {violation}")
            return 1
    try:
        journal.end()
        if node:
            journal.views()
    except UNREADABLE as violation:
        print(f"after the last entry: {type(violation).__name__}: {violation}")
        return 1
    print(json.dumps(journal.counts))
    return 0


if __name__ == "__main__":
    sys.exit(main())
