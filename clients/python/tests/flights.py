"""Several writes of one key in flight, from threads: whatever is lost, refused or overtaken, none takes effect twice.

    python flights.py [seed] [rounds]
"""

import json
import random
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import httpx
import svc_node_client.node
import svc_node_client.signing
from svc_node_client import Node, Refused, Unreachable
from svc_node_client.api.wallets import transfer
from svc_node_client.keys import Key, public_key_of
from svc_node_client.prepared import SigningError, UnexpectedPayload

from support import Kept

seed = int(sys.argv[1]) if len(sys.argv) > 1 else random.randrange(2**32)
rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 100
url = "http://node.example"
home = Key().did
pause, waited = time.sleep, []
impatient = SimpleNamespace(time=time.time, monotonic=time.monotonic, sleep=waited.append)
svc_node_client.node.time = svc_node_client.signing.time = impatient
# Any reply will do.
paying = SimpleNamespace(
    _get_kwargs=transfer._get_kwargs, _build_response=lambda client, response: SimpleNamespace(parsed=response.json())
)

# How a request ends: it is done, refused, or lost on its way there or back; once, or as often as it is sent.
mishaps = ("refused", "lost there", "lost back", "always lost there", "always lost back")
# It is done, and said to be refused; or it is said to be done, and is not.
lies = ("denied", "feigned")


class ModelNode(httpx.BaseTransport):
    """A node that has one account: it takes the event that follows its newest one, and nothing else."""

    def __init__(self, chances, jitter):
        self.chances, self.jitter = chances, jitter
        self.journal, self.fates, self.lock = [], {}, threading.Lock()
        # Requests to prepare; submissions; those that wait; the most that have waited.
        self.prepared, self.sent, self.waiting, self.most = 0, [], 0, 0

    def handle_request(self, request):
        path = request.url.path.removeprefix("/api/v1")
        body = json.loads(request.content) if request.content else None
        if path == "/node":
            return self.reply({"home": home, "network": "devnet"})
        if path == "/events":
            return self.answered(body)
        with self.lock:
            if body:
                self.prepared += 1
                return self.reply(self.dry_run(body))
            found = [write for write in self.journal if path.endswith(write["event"]["hash"])]
        return self.reply(found[0]) if found else self.refusal("NOT_FOUND", status=404)

    def answered(self, write):
        hash = write["event"]["hash"]
        with self.lock:
            self.sent.append(hash)
            self.waiting += 1
            self.most = max(self.most, self.waiting)
            delays = [self.jitter() for _ in range(2)]
        # Submissions overtake each other, and so do the answers.
        pause(delays[0])
        with self.lock:
            what = self.fates.get(hash) or self.chances(write)
            if what.startswith("always"):
                self.fates[hash] = what
            is_lost = what.endswith("lost there")
            answer = None if is_lost or what == "feigned" else self.submitted(write, what == "refused")
        pause(delays[1])
        with self.lock:
            self.waiting -= 1
        if "lost" in what:
            raise httpx.ConnectError("lost")
        if what == "denied":
            return self.refusal("UNPROCESSABLE")
        return answer or self.reply({"eventHash": hash})

    def next(self):
        last = self.journal[-1]["event"] if self.journal else {"nonce": 0, "hash": None}
        return {"nonce": last["nonce"] + 1, "prev": last["hash"]}

    def dry_run(self, body):
        did, ts = body["did"], round(time.time() * 1000)
        given = {name: value for name, value in body.items() if name in ("to", "amount")}
        event = {"v": 3, "type": "transfer.sent", "issuer": did, "pub": public_key_of(did).hex(), "home": home, "network": "devnet"}
        payload = {"kind": "account", "id": did, "action": "transfer", "input": given}
        return {"prepared": {"event": {**event, "ts": ts, "until": ts + 60_000, **self.next()}, "payload": payload}}

    def submitted(self, write, is_refused):
        event = write["event"]
        if not any(each["event"]["hash"] == event["hash"] for each in self.journal):
            expected = self.next()
            if is_refused:
                return self.refusal("UNPROCESSABLE")
            if {"nonce": event["nonce"], "prev": event["prev"]} != expected:
                return self.refusal("CONFLICT", nextNonce=expected["nonce"])
            self.journal.append(write)
        return self.reply({"eventHash": event["hash"], "amount": write["payload"]["input"]["amount"]})

    def reply(self, body, status=200):
        return httpx.Response(status, json=body)

    def refusal(self, code, status=409, **more):
        return self.reply({"code": code, "detail": code, **more}, status)

    def times(self, amount):
        return sum(write["payload"]["input"]["amount"] == amount for write in self.journal)


def signer_of(model, outbox=None, key=None):
    node = Node(url)
    node.client.set_httpx_client(httpx.Client(base_url=url, transport=model))
    return node.signer(key=key or Key(), outbox=outbox)


def pay(signer, amount):
    """The reply or the error."""
    try:
        return signer.write(paying, to=home, amount=amount)
    except (Refused, Unreachable, SigningError) as error:
        return error


def played(chances, bursts, dice, is_honest=True):
    """Pays 1, 2, … in bursts; the model, and the outcome of each."""
    model, outbox = ModelNode(chances, lambda: dice.choice((0, 0, 0.0005, 0.001, 0.002))), Kept()
    signer, outcomes = signer_of(model, outbox), {}
    with ThreadPoolExecutor(9) as threads:
        for burst in bursts:
            first = len(outcomes) + 1
            amounts = range(first, first + burst)
            outcomes.update(zip(amounts, threads.map(lambda amount: pay(signer, amount), amounts)))
    for amount, came in outcomes.items():
        times = model.times(amount)
        assert times <= 1, (amount, came)
        if not is_honest:
            continue
        if isinstance(came, dict):
            assert times == 1 and came["eventHash"] in {write["event"]["hash"] for write in model.journal}, (amount, came)
        elif came.write is not None:
            assert outbox.writes.pop(came.write["event"]["hash"]) == came.write, (amount, came)
        else:
            assert isinstance(came, Refused) and times == 0, (amount, came)
    assert not (is_honest and outbox.writes), outbox.writes
    return model, outcomes


def bursts_of(dice):
    return [dice.randint(1, 9) for _ in range(dice.randint(1, 8))]


print(f"seed {seed}")
dice, most = random.Random(seed), 0
for _ in range(rounds):
    model, _ = played(lambda _: dice.choice(mishaps) if dice.random() < 0.2 else "done", bursts_of(dice), dice)
    most = max(most, model.most)
    played(lambda _: dice.choice((*mishaps, *lies, *lies)) if dice.random() < 0.3 else "done", bursts_of(dice), dice, is_honest=False)
    # If they only overtake each other, all are done, and one alone is prepared.
    model, outcomes = played(lambda _: "done", bursts_of(dice), dice)
    assert model.prepared == 1 and all(isinstance(came, dict) for came in outcomes.values()), outcomes
assert most > 1

# As many as the bound says: the others wait. Each waits for the answer to the one before it.
model = ModelNode(lambda _: "done", lambda: 0.002)
signer = signer_of(model)
pay(signer, 1)
with ThreadPoolExecutor(40) as threads:
    assert all(isinstance(came, dict) for came in threads.map(lambda amount: pay(signer, amount), range(2, 82)))
assert 1 < model.most <= 16, model.most
assert [write["event"]["nonce"] for write in model.journal] == [*range(1, 82)]

# What follows is built on the newest that is accepted, though an answer before it is still to come.
model, held = ModelNode(lambda _: "done", lambda: 0), threading.Event()
signer = signer_of(model)
pay(signer, 1)
answered = model.answered


def holding(write):
    reply = answered(write)
    assert write["payload"]["input"]["amount"] != 5 or held.wait(60)
    return reply


model.answered = holding
with ThreadPoolExecutor(1) as threads:
    first = threads.submit(pay, signer, 5)
    while len(model.journal) < 2:
        pause(0.001)
    assert [pay(signer, amount)["amount"] for amount in (6, 7, 8)] == [6, 7, 8]
    held.set()
    assert first.result()["amount"] == 5 and model.prepared == 1 and len(set(model.sent)) == 5

# Each refused one takes along those behind it: fewer are in flight then.
odd = set()


def each_second(write):
    """Of the writes, not of the events: so the second event of each is refused, too."""
    return "refused" if write["payload"]["input"]["amount"] % 2 else "done"


model = ModelNode(each_second, lambda: 0.005)
signer = signer_of(model)
pay(signer, 2)
with ThreadPoolExecutor(40) as threads:
    outcomes = [*threads.map(lambda amount: pay(signer, amount), range(101, 149))]
assert [isinstance(came, dict) for came in outcomes] == 24 * [False, True]
# Each once, and those that are refused twice. A refusal takes along two for each place that it takes away; an acceptance gives one.
assert len(set(model.sent)) <= 1 + 48 + 24 + 2 * (16 + 25), len(set(model.sent))

# After one without an answer the node says which is the newest: the next is prepared, and nothing is sent in vain.
model = ModelNode(lambda write: "always lost back" if write["payload"]["input"]["amount"] == 7 else "done", lambda: 0)
signer = signer_of(model)
pay(signer, 1)
assert isinstance(pay(signer, 7), Unreachable) and model.prepared == 1
assert pay(signer, 2)["amount"] == 2 and model.prepared == 2 and len(set(model.sent)) == 3

def denying():
    return ModelNode(lambda write: "denied" if write["payload"]["input"]["amount"] == 5 else "done", lambda: 0)


def paid_both(model, signer):
    """Pays 5 and then 6, which are in flight together."""
    with ThreadPoolExecutor(2) as threads:
        first = threads.submit(pay, signer, 5)
        while len(model.sent) < 2:
            pause(0.001)
        outcomes = [pay(signer, 6), first.result()]
    assert model.times(5) == 1 and model.times(6) <= 1, outcomes


# One of two is refused, and in the journal; the other is accepted. Either may count first.
for is_refused_first in (True, False):
    model = denying()
    signer = signer_of(model)
    pay(signer, 1)
    answered, settled = model.answered, signer._settled
    begun, heard, counted = threading.Event(), [threading.Event() for _ in range(2)], [threading.Event() for _ in range(2)]

    def together(write):
        is_first = write["event"]["nonce"] == 2
        if not is_first:
            begun.set()
        while not is_first and len(model.journal) < 2:
            pause(0.001)
        reply = answered(write)
        assert begun.wait(60)
        return reply

    def in_order(sent, *answer):
        which = 0 if sent.event["nonce"] == 2 else 1
        heard[which].set()
        assert heard[1 - which].wait(60)
        if which == is_refused_first:
            assert counted[1 - which].wait(60)
        found = settled(sent, *answer)
        counted[which].set()
        assert counted[1 - which].wait(60)
        return found

    model.answered, signer._settled = together, in_order
    paid_both(model, signer)


# It is refused while the other is put into the outbox.
class Waiting(Kept):
    def put(self, write):
        super().put(write)
        while write["payload"]["input"]["amount"] == 6 and not signer._known.refused:
            pause(0.001)


model = denying()
signer = signer_of(model, Waiting())
pay(signer, 1)
model.jitter = lambda: 0.01
paid_both(model, signer)

# Refused ones are not kept without bound: then none is built.
model = ModelNode(lambda write: "refused" if write["payload"]["input"]["amount"] > 1 else "done", lambda: 0)
signer = signer_of(model)
pay(signer, 1)
model.dry_run = lambda body: {"prepared": None}
for _ in range(100):
    assert isinstance(pay(signer, 2), UnexpectedPayload)
assert len(signer._known.refused) == 64 and len(set(model.sent)) == 1 + 64

# What is prepared may have any form: nothing else is signed.
def places_in(value, at=()):
    yield at
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, member in members:
        yield from places_in(member, (*at, name))


def with_at(whole, place, value):
    if not place:
        return value
    copy = dict(whole) if isinstance(whole, dict) else list(whole)
    copy[place[0]] = with_at(copy[place[0]], place[1:], value)
    return copy


model = ModelNode(lambda write: "done", lambda: 0)
right = ModelNode.dry_run(model, {"did": (key := Key()).did, "to": home, "amount": 5})
for place in places_in(right):
    for value in (None, 5, "X!", True, [], [None], {}, 1e300):
        changed = with_at(right, place, value)
        if changed == right:
            continue
        model.dry_run = lambda body: changed
        error = pay(signer_of(model, key=key), 5)
        assert isinstance(error, UnexpectedPayload) and not model.sent, (place, value, error)

# Nor are events read without bound, down to one that was refused.
key, model = Key(), ModelNode(lambda write: "refused" if write["payload"]["input"]["amount"] == 7 else "done", lambda: 0)
signer, other = (signer_of(model, key=key) for _ in range(2))
pay(signer, 1)
assert isinstance(pay(signer, 7), Refused)
for count in range(11):
    assert pay(other, 10 + count)["amount"] == 10 + count
bound, svc_node_client.signing._MOST_WALKED = svc_node_client.signing._MOST_WALKED, 10
assert "more than 10 events" in str(pay(signer, 2))
svc_node_client.signing._MOST_WALKED = bound
assert pay(signer, 2)["amount"] == 2

# A first attempt that comes late, after the second was refused: the next write says which it was, and what follows is signed over it.
late = []


def lagging(write):
    amount = write["payload"]["input"]["amount"]
    if amount == 7 and write["event"]["nonce"] == 2:
        late.append(write)
        return "lost there" if len(late) == 1 else "refused"
    return "refused" if amount == 7 else "done"


model = ModelNode(lagging, lambda: 0)
outbox = Kept()
signer = signer_of(model, outbox)
pay(signer, 1)
assert isinstance(pay(signer, 7), Refused) and not outbox.writes
model.submitted(late[0], False)
for _ in range(2):
    error = pay(signer, 2)
    assert isinstance(error, UnexpectedPayload) and error.paths == ["event.prev"] and late[0]["event"]["hash"] in str(error), error
    assert error.write["event"] == late[0]["event"] and not outbox.writes
model.chances = lambda write: "done"
assert signer.again(error.write)["amount"] == 7 and not outbox.writes
assert pay(signer, 2)["amount"] == 2 and pay(signer, 3)["amount"] == 3
assert [write["payload"]["input"]["amount"] for write in model.journal] == [1, 7, 2, 3]


# A thread that is interrupted leaves the others their turn.
class Interrupted(BaseException):
    pass


model, asked = ModelNode(lambda _: "done", lambda: 0.002), [0]


def interrupting(write):
    asked[0] += 1
    if asked[0] == 3:
        raise Interrupted
    return "done"


model.chances = interrupting
outbox = Kept()
signer = signer_of(model, outbox)
pay(signer, 1)


def paid_or_interrupted(amount):
    try:
        return pay(signer, amount)
    except Interrupted as error:
        return error


with ThreadPoolExecutor(5) as threads:
    outcomes = [*threads.map(paid_or_interrupted, range(2, 12))]
assert sum(isinstance(came, Interrupted) for came in outcomes) == 1 and len(outbox.writes) >= 1
assert isinstance(pay(signer, 99), dict) and all(model.times(amount) <= 1 for amount in range(1, 12))
print(f"{rounds} rounds")
