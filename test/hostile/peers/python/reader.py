#!/usr/bin/env python3
"""Follows the feed of a node as a peer, checks all that it says, and prints what listings and identities it has found.

    python3 reader.py NAME ADDRESS [--plain] [--raw]

The reader's key follows from NAME; `--peer` prints its address instead, for `svc-node peers add`. It ends when it has followed all
that the home has.
"""
import argparse
import http.client
import json
import sys
import zlib
from collections import defaultdict

from wire import MAX_LINE, NO_HASH, Signer, did_at, is_signed, jcs, key_of, must, parse_address, peer_id_of, sha256, tls

CHECKPOINT = {"home", "network", "seq", "chainHash", "time", "sig"}


def connect(signer, address):
    host, port, did = parse_address(address)
    connection = http.client.HTTPSConnection(host, port, timeout=20, context=tls(signer, False))
    connection.connect()
    must(did_at(connection.sock) == did, "the certificate is of another key")
    return connection, did


def lines_of(reply):
    """Each line of a feed, compressed or not."""
    is_packed = reply.headers.get("content-encoding") == "gzip"
    unpacker, waiting = zlib.decompressobj(31), b""
    while piece := reply.read1(65_536):
        while is_packed and piece:
            waiting += unpacker.decompress(piece)
            piece, is_over = unpacker.unused_data, unpacker.eof
            if is_over:
                unpacker = zlib.decompressobj(31)
        waiting += piece
        *whole, waiting = waiting.split(b"\n")
        must(len(waiting) <= MAX_LINE, "a line is too long")
        yield from whole


def leaves_in(value):
    """Each reference of a payload, with its pointer."""
    if isinstance(value, dict) and set(value) == {"leaf", "size"}:
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from leaves_in(each)
    elif isinstance(value, list):
        for each in value:
            yield from leaves_in(each)


def filled(value, texts):
    if isinstance(value, dict) and set(value) == {"leaf", "size"}:
        return texts.get(value["leaf"])
    if isinstance(value, dict):
        return {name: filled(each, texts) for name, each in value.items()}
    return [filled(each, texts) for each in value] if isinstance(value, list) else value


class Feed:
    def __init__(self, home):
        self.home, self.network = home, None
        self.seq, self.chain = 0, NO_HASH
        self.covered = 0
        self.listings, self.identities = {}, {}
        self.counts = defaultdict(int)

    def take(self, line):
        """@returns whether all is followed that the home has."""
        if "checkpoint" in line:
            return self.checkpoint(line["checkpoint"], line["head"])
        self.entry(line)
        return False

    def checkpoint(self, checkpoint, head):
        must(set(checkpoint) == CHECKPOINT, "members of a checkpoint")
        stated = {name: value for name, value in checkpoint.items() if name != "sig"}
        must(is_signed(key_of(self.home), "svc:checkpoint:v1", jcs(stated), checkpoint["sig"]), "checkpoint.sig")
        must(checkpoint["home"] == self.home, "checkpoint.home")
        must(checkpoint["network"] == (self.network or checkpoint["network"]), "checkpoint.network")
        self.network = checkpoint["network"]
        self.counts["checkpoints"] += 1
        if checkpoint["seq"] == self.seq:
            must(checkpoint["chainHash"] == self.chain, "checkpoint.chainHash")
            self.covered = self.seq
        return self.covered == head

    def entry(self, line):
        must(line["seq"] == self.seq + 1, "seq has a gap")
        must(("core" in line) != ("entryHash" in line), "core in the place of entryHash")
        entry_hash = sha256(jcs(line["core"])) if "core" in line else line["entryHash"]
        self.chain = sha256(f"svc:journal:v1:{line['seq']}:{self.chain}:{entry_hash}")
        self.seq = line["seq"]
        self.counts["entries"] += 1
        if "core" in line:
            self.statement(line)
        for each in line.get("status", []):
            self.counts["statuses"] += 1
            self.listings.setdefault(each["id"], {}).update(each)
        for each in line.get("withdrawn", []):
            self.counts["withdrawn"] += 1
            self.listings.pop(each["id"], None)

    def statement(self, line):
        event, payload = line["core"]["event"], line["payload"]
        unsigned = jcs({name: value for name, value in event.items() if name not in ("hash", "sig")})
        must(event["hash"] == sha256(unsigned), "event.hash")
        must(event["pub"] == key_of(event["issuer"]).hex(), "event.pub is not the key in issuer")
        must(is_signed(bytes.fromhex(event["pub"]), "svc:event:v3", unsigned, event["sig"]), "event.sig")
        must(event["home"] == self.home, "event.home")
        must(event["network"] == (self.network or event["network"]), "event.network")
        must(event["payloadHash"] == sha256(jcs({"public": payload, "sealed": None})), "event.payloadHash")
        texts = line.get("texts", {})
        for leaf, text in texts.items():
            self.counts["texts"] += 1
            must(sha256(bytes.fromhex(text["salt"]) + jcs(text["value"]).encode()) == leaf, "a text is not that of its leaf")
        must(set(texts) <= {each["leaf"] for each in leaves_in(payload)}, "a text of no leaf")
        self.counts["statements"] += 1
        said = filled(payload["input"], {leaf: text["value"] for leaf, text in texts.items()})
        if payload["kind"] == "identity":
            self.identities[payload["id"]] = said.get("document")
        else:
            self.listings.setdefault(payload["id"], {}).update({**said, "seller": event["issuer"]})


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("name")
    parser.add_argument("address", nargs="?")
    parser.add_argument("--plain", action="store_true", help="asks for lines that are not compressed")
    parser.add_argument("--raw", action="store_true", help="prints each line as it comes")
    options = parser.parse_args()
    signer = Signer(options.name)
    if options.address is None:
        print(f"/ip4/127.0.0.1/tcp/9/p2p/{peer_id_of(signer.did)}")
        return 0
    connection, home = connect(signer, options.address)
    connection.request("GET", "/feed?after=0", headers={} if options.plain else {"Accept-Encoding": "gzip"})
    reply = connection.getresponse()
    must(reply.status == 200, f"{reply.status} {reply.reason}")
    feed = Feed(home)
    for line in lines_of(reply):
        if options.raw:
            print(line.decode(), file=sys.stderr)
        if feed.take(json.loads(line)):
            break
    listings = list(feed.listings.values())
    print(json.dumps({
        "home": home, "network": feed.network, "seq": feed.seq, "chainHash": feed.chain,
        "listings": listings, "identities": feed.identities, "counts": feed.counts,
    }))
    return 0


if __name__ == "__main__":
    sys.exit(main())
