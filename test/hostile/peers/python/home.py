#!/usr/bin/env python3
"""Homes that serve a feed of listings of their own, honestly or not.

    python3 home.py KIND [KIND …] [--victim DID] [--ids ID] [--cards N]

Prints the address of each as one JSON line. A line on standard input is a command, `{"home": KIND, "publish"?: TITLE}`. Its answer
is a line as well, with the id of the listing, and how often the feed of this home was asked for. At the end of the input all homes end.
"""
import argparse
import hashlib
import itertools
import json
import os
import re
import socket
import sys
import threading
import time

from wire import NO_HASH, Signer, did_at, key_of, peer_id_of, sha256, tls

DOCS = os.path.join(os.path.dirname(__file__), *[".."] * 4, "docs", "generated", "machines")
# Letters of a listing's id (Crockford's base 32).
BASE32 = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
BATCH = 500


def canonical(value):
    """RFC 8785 for what is signed here: names in ASCII, numbers that are integers."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def now():
    return time.time_ns() // 1_000_000


def definition_version(kind):
    with open(os.path.join(DOCS, f"{kind}.md"), encoding="utf-8") as file:
        return re.search(rf"Definition version `({kind}-\S+)`", file.read())[1]


LAW = {kind: definition_version(kind) for kind in ("node", "info-listing")}


class Journal:
    """Entries as lines of the feed, with the chain up to each."""

    def __init__(self, signer, network="devnet"):
        self.signer, self.network = signer, network
        self.lines, self.chain, self.nonces = [], [NO_HASH], {}
        self.changed = threading.Condition()
        self.append("node.appointed", signer, "node", signer.did, "appoint", {"system": Signer("system").did}, "current", is_shown=False)

    @property
    def head(self):
        return len(self.lines)

    def leaf(self, value, texts):
        text = canonical(value).encode()
        salt = hashlib.sha256(f"{self.head} {len(texts)} {self.signer.did}".encode()).digest()[:16]
        leaf = sha256(salt + text)
        texts[leaf] = {"salt": salt.hex(), "value": value}
        return {"leaf": leaf, "size": len(text)}

    def event(self, type, owner, payload, **changed):
        nonce, prev = self.nonces.get(owner.did, (0, None))
        event = {
            "v": 3, "type": type, "issuer": owner.did, "home": self.signer.did, "nonce": nonce + 1, "ts": now(), "prev": prev,
            "network": self.network, "payloadHash": sha256(canonical({"public": payload, "sealed": None})),
            "pub": owner.public.hex(), **changed,
        }
        text = canonical(event)
        signed = {**event, "hash": sha256(text), "sig": owner.sign("svc:event:v3", text)}
        self.nonces[owner.did] = (nonce + 1, signed["hash"])
        return signed

    def append(self, type, owner, kind, id, action, input, state, texts=None, version=1, prev=None, is_shown=True, named=None, **changed):
        """@param changed: members of the event that are not as they should be"""
        payload = {"kind": kind, "id": id, "action": action, "input": input}
        event = self.event(type, owner, payload, **changed)
        made = {
            "kind": kind, "id": named or id, "version": version, "prev": prev, "machine": LAW[kind], "path": [state],
            "stateHash": sha256(canonical({"context": input, "sealed": None, "state": state})),
        }
        core = {
            "v": 2, "event": event, "home": self.signer.did, "time": event["ts"], "law": LAW[kind], "versions": [made], "reads": [],
            "accounts": [], "moves": [], "postings": [], "idem": None,
        }
        if not is_shown:
            return self.add({"entryHash": sha256(canonical(core))})
        status = self.status(kind, id, version, state, event)
        return self.add({"core": core, "payload": payload, "texts": texts or {}, "status": [status]})

    def add(self, line):
        entry_hash = line["entryHash"] if "entryHash" in line else sha256(canonical(line["core"]))
        line = {**line, "seq": self.head + 1}
        with self.changed:
            self.chain.append(sha256(f"svc:journal:v1:{line['seq']}:{self.chain[-1]}:{entry_hash}"))
            self.lines.append(line)
            self.changed.notify_all()
        return line

    def status(self, kind, id, version, state, event):
        return {
            "kind": kind, "id": id, "version": version, "state": state, "stock": None, "lastHash": event["hash"],
            "createdAt": event["ts"], "updatedAt": event["ts"], "orders": 0, "completedOrders": 0, "ratingSum": 0,
            "ratingCount": 0, "bidCount": 0,
        }

    def new_id(self):
        value = int.from_bytes(hashlib.sha256(f"{self.head} {self.signer.did}".encode()).digest()[:10], "big")
        stamp = now() << 80 | value
        return "lst-" + "".join(BASE32[stamp >> 5 * place & 31] for place in reversed(range(26)))

    def publish(self, title, owner=None, id=None, **changed):
        texts = {}
        input = {
            "title": self.leaf(title, texts), "description": self.leaf("Made in Python.", texts), "category": "weather",
            "tags": ["python"], "pricing": {"price": 7}, "infoType": "dataset", "content": {"format": "text/csv"},
            "accessMethod": {"type": "download"}, "license": {"type": "CC-BY-4.0"},
        }
        return self.append(
            "listing.published", owner or Signer("a seller"), "info-listing", id or self.new_id(), "create", input, "active.open",
            texts, **changed,
        )

    def after(self, line, type, action, state, title=None, **changed):
        """The next version of the listing of a line."""
        status, texts = line["status"][0], {}
        input = {"title": self.leaf(title, texts)} if title else {}
        return self.append(
            type, Signer("a seller"), "info-listing", status["id"], action, input, state, texts, version=status["version"] + 1,
            prev=status["lastHash"], **changed,
        )


class Home:
    """A signer with its journal. `feed` yields texts, each of whole lines unless it lies about that as well."""

    def __init__(self, kind, options):
        self.kind, self.options = kind, options
        self.signer = Signer(f"python {kind}")
        self.journal = Journal(self.signer)
        self.followers, self.asked = [], 0
        self.prepare()
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.context = tls(self.signer, True)
        threading.Thread(target=self.accept, daemon=True).start()

    def prepare(self):
        self.journal.publish(f"Python {self.kind}")

    @property
    def address(self):
        return f"/ip4/127.0.0.1/tcp/{self.socket.getsockname()[1]}/p2p/{peer_id_of(self.signer.did)}"

    def checkpoint(self, journal, seq):
        signed = self.signer.checkpoint(journal.network, seq, journal.chain[seq], now())
        return canonical({"checkpoint": signed, "head": journal.head}) + "\n"

    def feed(self, after, follower):
        return self.honest(self.journal, after)

    def honest(self, journal, after):
        """None: the journal ends before."""
        return self.lines_after(journal, after) if after <= journal.head else None

    def lines_after(self, journal, after):
        yield self.checkpoint(journal, after)
        while True:
            if batch := journal.lines[after:after + BATCH]:
                after += len(batch)
                yield "".join(canonical(line) + "\n" for line in batch) + self.checkpoint(journal, after)
                continue
            with journal.changed:
                is_news = journal.changed.wait_for(lambda: journal.head > after, timeout=1)
            if not is_news:
                yield self.checkpoint(journal, after)

    # --- HTTP

    def accept(self):
        while True:
            connection, _ = self.socket.accept()
            threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def serve(self, connection):
        try:
            with self.context.wrap_socket(connection, server_side=True) as secured:
                follower = did_at(secured)
                if follower not in self.followers:
                    self.followers.append(follower)
                with secured.makefile("rb") as incoming:
                    while self.answer(secured, incoming, follower):
                        pass
        except OSError:
            connection.close()

    def answer(self, secured, incoming, follower):
        request = incoming.readline().split()
        if len(request) != 3:
            return False
        headers = {}
        while (header := incoming.readline().strip()):
            name, _, value = header.decode("latin-1").partition(":")
            headers[name.lower()] = value.strip()
        incoming.read(int(headers.get("content-length", 0)))
        path = request[1].decode("latin-1")
        if found := re.fullmatch(r"/feed\?after=(\d+)", path):
            self.asked += 1
            lines = self.feed(int(found[1]), follower)
            if lines is None:
                secured.sendall(b"HTTP/1.1 409 Conflict\r\nContent-Length: 0\r\n\r\n")
                return True
            secured.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n")
            for text in lines:
                data = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
                secured.sendall(b"%x\r\n%s\r\n" % (len(data), data))
            return False
        if path == "/head":
            body = canonical(self.head_of(follower)).encode()
            secured.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))
        else:
            secured.sendall(b"HTTP/1.1 204 No Content\r\n\r\n")
        return True

    def head_of(self, _follower):
        return {}


class TwoJournals(Home):
    """Shows every second follower another journal."""

    def prepare(self):
        self.other = Journal(self.signer)
        self.journal.publish("Python one")
        self.other.publish("Python other")

    def feed(self, after, follower):
        return self.honest((self.journal, self.other)[self.followers.index(follower) % 2], after)


class Rewritten(TwoJournals):
    """Shows one journal, cuts the connection, and goes on with the other one."""

    def feed(self, after, _follower):
        if self.asked > 1:
            return self.honest(self.other, after)
        return itertools.islice(self.honest(self.journal, after), 2)


class Shortened(Rewritten):
    """Goes on with a journal that ends before the entries that it has shown."""

    def prepare(self):
        super().prepare()
        self.other = Journal(self.signer)


class WrongSignature(Home):
    """Its checkpoints are signed by another key."""

    def checkpoint(self, journal, seq):
        signed = self.signer.checkpoint(journal.network, seq, journal.chain[seq], now())
        text = canonical({name: value for name, value in signed.items() if name != "sig"})
        signed["sig"] = Signer("someone").sign("svc:checkpoint:v1", text)
        return canonical({"checkpoint": signed, "head": journal.head}) + "\n"


class OthersCard(Home):
    """Publishes in the name of a DID whose key it does not have."""

    def prepare(self):
        self.journal.publish("Python forged", issuer=self.options.victim, pub=key_of(self.options.victim).hex())


class OthersKey(Home):
    """The same, with its own key in the place of the victim's."""

    def prepare(self):
        self.journal.publish("Python forged", issuer=self.options.victim)


class OthersListing(Home):
    """Its seller changes what another has published."""

    def prepare(self):
        made = self.journal.publish("Python theirs", Signer("a victim"))
        self.journal.after(made, "listing.updated", "update", "active.open", "Python stolen")


class OtherHome(Home):
    """An event that its seller has signed for another home."""

    def prepare(self):
        self.journal.publish("Python elsewhere", home=Signer("another home").did)


class OtherNetwork(Home):
    def prepare(self):
        self.journal.publish("Python mainnet", network="mainnet")


class WrongText(Home):
    """A title that is not that of its leaf."""

    def prepare(self):
        line = self.journal.publish("Python true title")
        line["texts"] = {leaf: {**text, "value": f"{text['value']}!"} for leaf, text in line["texts"].items()}


class WrongPayload(Home):
    """A price that was not signed."""

    def prepare(self):
        line = self.journal.publish("Python cheaper")
        line["payload"] = {**line["payload"], "input": {**line["payload"]["input"], "pricing": {"price": 1}}}


class WrongCore(Home):
    """A core that is not that of the chain."""

    def prepare(self):
        line = self.journal.publish("Python core")
        line["core"] = {**line["core"], "time": line["core"]["time"] + 1}


class SameId(Home):
    """Publishes under the id of another home's listing, which is no lie: ids belong to a home."""

    def prepare(self):
        self.journal.publish("Python same id", id=self.options.ids)


class LongLine(Home):
    def feed(self, after, _follower):
        yield self.checkpoint(self.journal, after)
        yield canonical({"seq": 1, "entryHash": "0" * 64, "more": "x" * 1_000_000}) + "\n"
        yield from self.honest(self.journal, after)


class DeepLine(Home):
    def feed(self, after, _follower):
        yield self.checkpoint(self.journal, after)
        yield '{"seq":1,"entryHash":' + "[" * 30_000 + "]" * 30_000 + "}\n"
        yield from self.honest(self.journal, after)


class Heartbeats(Home):
    """Signed checkpoints, without end and as fast as they are read."""

    def feed(self, after, _follower):
        while True:
            yield self.checkpoint(self.journal, after)


class Reappears(Home):
    """A listing is removed, and is there again in a later entry."""

    def prepare(self):
        made = self.journal.publish("Python mortal")
        gone = self.journal.after(made, "listing.removed", "remove", "removed")
        is_after = {"status": gone["status"]}
        self.withdraw(gone)
        self.journal.after(is_after, "listing.updated", "update", "active.open", "Python undead")

    def withdraw(self, line):
        """The line of an entry that removed a listing, as honest homes write it."""
        entry_hash = sha256(canonical(line.pop("core")))
        del line["payload"], line["texts"]
        (status,) = line.pop("status")
        line.update({"entryHash": entry_hash, "withdrawn": [{"kind": status["kind"], "id": status["id"]}]})


class ReappearsStatus(Reappears):
    """The later entry says only where the listing stands."""

    def prepare(self):
        super().prepare()
        line = self.journal.lines[-1]
        line["entryHash"] = sha256(canonical(line.pop("core")))
        del line["payload"], line["texts"]


class ReappearsPublished(Reappears):
    """The later entry publishes the same id again."""

    def prepare(self):
        made = self.journal.publish("Python mortal")
        id = made["payload"]["id"]
        self.withdraw(self.journal.after(made, "listing.removed", "remove", "removed"))
        self.journal.publish("Python undead", id=id)


class Replayed(Home):
    """Repeats what the owner has said before the owner's last word: an old event in a new entry."""

    def prepare(self):
        made = self.journal.publish("Python first")
        second = self.journal.after(made, "listing.updated", "update", "active.open", "Python second")
        third = self.journal.after(second, "listing.updated", "update", "active.open", "Python third")
        self.repeat(second, third)

    def repeat(self, line, newest):
        status = {**newest["status"][0], "version": newest["status"][0]["version"] + 1, "lastHash": line["core"]["event"]["hash"]}
        made = {**line["core"]["versions"][0], "version": status["version"], "prev": newest["status"][0]["lastHash"]}
        self.journal.add({**line, "core": {**line["core"], "versions": [made]}, "status": [status]})


class RepublishedOld(Replayed):
    """The same with the event that has published it."""

    def prepare(self):
        made = self.journal.publish("Python first")
        self.repeat(made, self.journal.after(made, "listing.updated", "update", "active.open", "Python second"))


class RestatedByAnother(Home):
    """Another DID says all of a listing again, as only its owner may."""

    def prepare(self):
        made = self.journal.publish("Python own")
        restated = {**made["payload"]["input"], "category": "stolen"}
        status = made["status"][0]
        self.journal.append(
            "listing.updated", Signer("a thief"), "info-listing", status["id"], "update", {"restated": restated}, "active.open",
            version=2, prev=status["lastHash"],
        )


class OtherVersions(Home):
    """The entry of a statement names another listing than the event."""

    def prepare(self):
        self.journal.publish("Python versions", named="lst-01J0000000000000000000000")


class Times(Home):
    """Times that no clock shows."""

    def prepare(self):
        line = self.journal.publish("Python times")
        line["status"][0].update({"createdAt": 2**53 - 1, "updatedAt": 2**53 - 1, "stock": 2**53 - 1, "orders": 2**53 - 1})

    def checkpoint(self, journal, seq):
        signed = self.signer.checkpoint(journal.network, seq, journal.chain[seq], 2**53 - 1)
        return canonical({"checkpoint": signed, "head": 2**53 - 1}) + "\n"


class Figures(Home):
    """Figures that no listing has."""

    def prepare(self):
        most = 2**53 - 1
        names = ("createdAt", "updatedAt", "stock", "orders", "completedOrders", "ratingSum", "bidCount", "version")
        self.journal.publish("Python figures")["status"][0].update({name: most for name in names})


class ForgedHead(Home):
    """Says that the asking home has a longer journal than it has."""

    def head_of(self, follower):
        stated = {"home": follower, "network": "devnet", "seq": 1_000, "chainHash": "1" * 64, "time": now()}
        forged = {**stated, "sig": self.signer.sign("svc:checkpoint:v1", canonical(stated))}
        return {"checkpoint": forged, "held": forged}


class ForgedHeld(Home):
    def head_of(self, follower):
        return {"checkpoint": None, "held": 1_000}


class SharedLeaf(Home):
    """Refers to the text of another home's listing, and lets go of it in a later batch."""

    def prepare(self):
        texts = {}
        title = Journal(Signer("python honest")).leaf("Python honest", texts)
        made = self.journal.publish("Python leaf")
        update = self.journal.append(
            "listing.updated", Signer("a seller"), "info-listing", made["payload"]["id"], "update", {"title": title}, "active.open",
            texts, version=2, prev=made["status"][0]["lastHash"],
        )
        self.journal.after(update, "listing.updated", "update", "active.open", "Python let go")

    def feed(self, after, _follower):
        yield self.checkpoint(self.journal, after)
        for line in self.journal.lines[after:]:
            yield canonical(line) + "\n" + self.checkpoint(self.journal, line["seq"])
            time.sleep(0.3)
        yield from self.honest(self.journal, self.journal.head)


class SharedErasure(Home):
    """The same, and says that the text was erased."""

    def prepare(self):
        texts = {}
        title = Journal(Signer("python honest")).leaf("Python honest", texts)
        made = self.journal.publish("Python leaf")
        self.journal.append(
            "listing.updated", Signer("a seller"), "info-listing", made["payload"]["id"], "update", {"title": title}, "active.open",
            texts, version=2, prev=made["status"][0]["lastHash"],
        )
        erased = {"kind": "info-listing", "id": made["payload"]["id"], "leaf": title["leaf"]}
        self.journal.add({"entryHash": "1" * 64, "erased": [erased]})


class Erasing(Home):
    """Erases the title of its listing."""

    def prepare(self):
        made = self.journal.publish("Python erased")
        title = made["payload"]["input"]["title"]["leaf"]
        del made["texts"][title]
        erased = {"kind": "info-listing", "id": made["payload"]["id"], "leaf": title}
        self.journal.add({"entryHash": "1" * 64, "erased": [erased]})


class Restoring(Home):
    """Shows a text again that another home has erased, in a listing of its own."""

    def prepare(self):
        texts = {}
        title = Journal(Signer("python erasing")).leaf("Python erased", texts)
        made = self.journal.publish("Python leaf")
        self.journal.append(
            "listing.updated", Signer("a seller"), "info-listing", made["payload"]["id"], "update", {"title": title}, "active.open",
            texts, version=2, prev=made["status"][0]["lastHash"],
        )


class Controls(Home):
    """Titles with characters that steer terminals and the order of letters."""

    def prepare(self):
        for title in ("\x1b[31mPython\x07\x08 red", "Python \u202egnp.exe\u2066\u200f", "Python \u2028\x7f\x85\x01 lines", "\u200b\u200d\ufeff"):
            self.journal.publish(title)


class HalfLine(Home):
    """Falls silent in the middle of a line."""

    def feed(self, after, _follower):
        yield self.checkpoint(self.journal, after)
        yield '{"seq":1,"entry'
        threading.Event().wait()


class Flood(Home):
    """Many cards, made before they are asked for and sent as fast as they are read."""

    def prepare(self):
        for n in range(self.options.cards):
            self.journal.publish(f"Python flood {n}")
        self.batches = {
            after: "".join(canonical(line) + "\n" for line in self.journal.lines[after:after + BATCH])
            for after in range(0, self.journal.head, BATCH)
        }

    def feed(self, after, _follower):
        for begin, batch in self.batches.items():
            if begin >= after:
                after = min(begin + BATCH, self.journal.head)
                yield batch + self.checkpoint(self.journal, after)
        yield from self.honest(self.journal, after)


KINDS = {
    "honest": Home, "two-journals": TwoJournals, "wrong-signature": WrongSignature, "others-card": OthersCard,
    "others-key": OthersKey, "others-listing": OthersListing, "other-home": OtherHome, "other-network": OtherNetwork,
    "wrong-text": WrongText, "wrong-payload": WrongPayload, "wrong-core": WrongCore, "same-id": SameId, "long-line": LongLine,
    "deep": DeepLine, "heartbeats": Heartbeats, "reappears": Reappears,
    "shared-leaf": SharedLeaf, "shared-erasure": SharedErasure, "erasing": Erasing, "restoring": Restoring,
    "reappears-status": ReappearsStatus, "reappears-published": ReappearsPublished, "replayed": Replayed,
    "republished-old": RepublishedOld, "restated-by-another": RestatedByAnother, "other-versions": OtherVersions, "times": Times, "figures": Figures, "rewritten": Rewritten, "shortened": Shortened, "forged-head": ForgedHead,
    "forged-held": ForgedHeld, "controls": Controls, "half": HalfLine, "flood": Flood,
}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("kinds", nargs="+", choices=sorted(KINDS))
    parser.add_argument("--victim", help="the DID in whose name others-card and the like speak")
    parser.add_argument("--ids", help="the id of another home's listing")
    parser.add_argument("--cards", type=int, default=1_000, help="of the flood")
    options = parser.parse_args()
    homes = {kind: KINDS[kind](kind, options) for kind in options.kinds}
    print(json.dumps({kind: {"address": home.address, "did": home.signer.did} for kind, home in homes.items()}), flush=True)
    for line in sys.stdin:
        command = json.loads(line)
        home = homes[command["home"]]
        made = home.journal.publish(command["publish"]) if "publish" in command else None
        print(json.dumps({"id": made and made["payload"]["id"], "asked": home.asked}), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
