#!/usr/bin/env python3
"""Peers that send a node bad news by `POST /news`, each kind with its own key.

    python3 news.py                                   prints the address of each kind
    python3 news.py ADDRESS --homes DID,DID [--seconds N]

The second form sends all kinds at once, and prints how often each got which answer. `cut` counts connections that ended without one.
`--homes` are homes that the node knows, its own first. The last kinds send as fast as they can, for so many seconds.
"""
import argparse
import http.client
import itertools
import json
import ssl
import sys
import threading
import time
from collections import Counter

from reader import connect
from wire import NO_HASH, Signer, jcs, peer_id_of

HUGE = 2**53
OTHER_HASH = "1" * 64
LISTED = 1_000


def now():
    return time.time_ns() // 1_000_000


class News:
    """Bodies to send. A text is sent as it is, all else as JSON."""

    is_flood = False

    def __init__(self, kind, homes):
        self.signer, self.homes = Signer(f"news {kind}"), homes

    def checkpoint(self, home=None, seq=1, hash=OTHER_HASH, time=None, **changed):
        """Signed by this peer, whatever it says."""
        stated = {"home": home or self.signer.did, "network": "devnet", "seq": seq, "chainHash": hash, "time": now() if time is None else time}
        return {**stated, "sig": self.signer.sign("svc:checkpoint:v1", jcs(stated)), **changed}

    def proof(self, home=None):
        return {"first": self.checkpoint(home), "second": self.checkpoint(home, hash="2" * 64)}

    def bodies(self):
        raise NotImplementedError


class Malformed(News):
    """No message at all."""

    def bodies(self):
        yield from ("", "x", "null", "7", "[]", '"news"', "{", '{"checkpoints":[}', '{"checkpoints":[]}x', "\0", b"\xff\xfe{}")
        yield from ({"checkpoints": {}}, {"checkpoints": 7}, {"equivocations": "x"}, {"more": []}, {"constructor": []})
        yield '{"__proto__":{"checkpoints":[]}}'
        yield {"checkpoints": [{}] * (LISTED + 1)}
        yield from ("[" * 200_000, '{"checkpoints":' + "[" * 100_000 + "]" * 100_000 + "}", '{"checkpoints":[' + "1," * 200_000 + "1]}")


class Misshapen(News):
    """Members of a message that are no checkpoints and no proofs."""

    def bodies(self):
        home = self.homes[1]
        numbers = (-1, 1.5, HUGE, 1e308, "1", None, True, [], {"$gt": 0})
        texts = (None, 7, "", "\0", "x" * 10_000, "__proto__", ["did"], {"$ne": ""})
        bad = [None, 7, "x", [], {}, {"__proto__": {}}, self.checkpoint(home, more=1), self.checkpoint(home, root={"seq": -1, "hash": ""})]
        for name, values in (("seq", numbers), ("time", numbers), ("home", texts), ("network", texts), ("chainHash", texts), ("sig", texts)):
            bad += [{**self.checkpoint(home), name: value} for value in values]
        good = self.proof(home)
        proofs = [None, 7, [], {}, {"first": good["first"]}, {**good, "more": 1}]
        proofs += [{**good, "links": links} for links in (None, 7, {}, {"chainHash": NO_HASH}, {"chainHash": NO_HASH, "entryHashes": "x"})]
        proofs += [{**good, "links": {"chainHash": NO_HASH, "entryHashes": [OTHER_HASH] * 7_000}}]
        yield '{"checkpoints":[' + "9" * 100_000 + "]}"
        for each in bad:
            yield {"checkpoints": [each], "equivocations": [each]}
        for each in proofs:
            yield {"equivocations": [each]}


class Forged(News):
    """Of other homes, with its own signature."""

    def bodies(self):
        for home in (*self.homes, Signer("someone").did):
            for seq in (0, 1, 2, HUGE - 1):
                yield {"checkpoints": [self.checkpoint(home, seq, NO_HASH if seq == 0 else OTHER_HASH)]}
            yield {"equivocations": [self.proof(home)]}


class Future(News):
    """Of itself: times and numbers to come."""

    def bodies(self):
        for seq, ahead in itertools.product((1, HUGE - 1), (0, 3_600_000, HUGE - 1 - now())):
            yield {"checkpoints": [self.checkpoint(seq=seq, time=now() + ahead, hash=OTHER_HASH)]}


class Forked(News):
    """Proves that it has signed two journals itself."""

    def bodies(self):
        yield {"equivocations": [self.proof()]}


class Crowd(News):
    """As many as a message may have, all different and signed, again and again."""

    is_flood = True

    def bodies(self):
        for first in itertools.count(1, LISTED):
            yield {"checkpoints": [self.checkpoint(seq=first + each) for each in range(LISTED)]}


class ForgedCrowd(News):
    """Of a home that the node follows, with a signature that is of none of them."""

    is_flood = True

    def bodies(self):
        one = self.checkpoint(self.homes[1])
        for seq in itertools.count(2, LISTED):
            yield {"checkpoints": [{**one, "seq": seq + each} for each in range(LISTED)]}


class Empty(News):
    is_flood = True

    def bodies(self):
        yield from itertools.repeat({})


class Large(News):
    """As large as a body may be."""

    is_flood = True

    def bodies(self):
        yield from itertools.repeat('{"checkpoints":[' + "{}," * 170_000 + "{}]}")


class TooLarge(News):
    is_flood = True

    def bodies(self):
        yield from itertools.repeat('{"checkpoints":["' + "x" * 2_000_000 + '"]}')


KINDS = {
    "malformed": Malformed, "misshapen": Misshapen, "forged": Forged, "future": Future, "forked": Forked, "crowd": Crowd,
    "forged-crowd": ForgedCrowd, "empty": Empty, "large": Large, "too-large": TooLarge,
}


def send(news, address, seconds):
    """Each body once, or as many as there is time for; a new connection where the last one was cut."""
    answers, connection, end = Counter(), None, time.monotonic() + seconds
    for body in news.bodies():
        data = body if isinstance(body, bytes) else (body if isinstance(body, str) else json.dumps(body)).encode()
        try:
            if connection is None:
                connection, _ = connect(news.signer, address)
            connection.request("POST", "/news", data)
            reply = connection.getresponse()
            reply.read()
            answers[str(reply.status)] += 1
        except (OSError, http.client.HTTPException, ssl.SSLError):
            answers["cut"] += 1
            connection = None
        if news.is_flood and time.monotonic() > end:
            break
    return answers


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("address", nargs="?")
    parser.add_argument("--homes", default="")
    parser.add_argument("--seconds", type=float, default=5)
    options = parser.parse_args()
    peers = {kind: KINDS[kind](kind, options.homes.split(",")) for kind in KINDS}
    if options.address is None:
        print(json.dumps({kind: f"/ip4/127.0.0.1/tcp/9/p2p/{peer_id_of(news.signer.did)}" for kind, news in peers.items()}))
        return 0
    answers = {}

    def run(kind):
        answers[kind] = send(peers[kind], options.address, options.seconds)

    threads = [threading.Thread(target=run, args=(kind,)) for kind in peers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(json.dumps({kind: {"did": peers[kind].signer.did, "answers": answers[kind]} for kind in peers}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
