"""Writes signed with the caller's own key, against the node at the URL that is the last argument: through a proxy that can lie."""

import datetime
import itertools
import json
import secrets
import sys
from concurrent.futures import ThreadPoolExecutor

from svc_node_client import Node, Refused, Unreachable
from svc_node_client.api.contracts import activate_contract, create_contract, get_contract, sign_contract, submit_contract
from svc_node_client.api.escrows import create_escrow, release_escrow
from svc_node_client.api.events import get_event
from svc_node_client.api.identity import register_capability
from svc_node_client.api.market_capabilities import create_capability_listing, create_lease
from svc_node_client.api.market_information import (
    create_info_listing,
    create_info_order,
    deliver_info_order,
    get_info_listing,
    list_info_listings,
)
from svc_node_client.api.market_tasks import accept_bid, create_bid, create_task_listing, deliver_task_order
from svc_node_client.api.node import get_node
from svc_node_client.api.wallets import claim_faucet, get_wallet, transfer
from svc_node_client.keys import Key, public_key_of
from svc_node_client.prepared import SigningError, UnexpectedPayload, canonical, sha256

from support import Kept, Proxy, Watched, serving

url = sys.argv[-1]


class Lying(Proxy):
    target = url


proxied = serving(Lying)
honest, node, outbox = Node(url), Node(proxied), Kept()
key, ben_key = Watched(), Watched()
ada, ben = node.signer(key=key, outbox=outbox), node.signer(key=ben_key)
for did in (ada.did, ben.did):
    honest.call(claim_faucet, body={"did": did})


def available(did):
    return honest.call(get_wallet, did).available


# A transfer with a memo, an escrow released, a contract that two key holders sign.
before = available(ben.did)
sent = ada.write(transfer, to=ben.did, amount=5, memo="Danke, 1 € 😀", most=5)
assert sent.amount == 5 and available(ben.did) == before + 5, sent
soon = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=1)
members = {"beneficiary": ben.did, "amount": 10, "release_rules": [{"type": "manual"}], "auto_fund": True}
assert ada.outcome(create_escrow, **members)["taken"] == 10
members_of_escrow = {**members, "amount": 1}
escrow = ada.write(create_escrow, **members, expires_at=soon)
assert abs(escrow.expires_at - soon.timestamp() * 1000) < 1, escrow
assert ada.write(release_escrow, escrow.escrow_id, amount=4, reason="half").escrow.remaining == 6
contract = ada.write(create_contract, provider=ben.did, terms={"scope": "a logo", "share": 1e-7, "views": 1e20})
for signer in (ada, ben):
    signer.write(sign_contract, contract.contract_id, terms_hash=contract.terms_hash)
assert len(honest.call(get_contract, contract.contract_id).signatures) == 2
assert not outbox.writes and len(Lying.submitted) == 6
for write in Lying.submitted:
    event = write["event"]
    assert honest.call(get_event, event["hash"])["event"]["sig"] == event["sig"]

# Reading: a private listing is its owner's.
shown = {"title": "Rain", "description": "By day.", "category": "weather", "tags": ["rain"], "pricing": {"price": 1}}
content = {"format": "text/plain", "hash": "5a" * 32, "size": 1}
kept = {"visibility": "private", "info_type": "dataset", "access_method": {"type": "download"}, "license": {"type": "CC0-1.0"}}
listing = ada.write(create_info_listing, **shown, content=content, **kept)
assert ada.call(get_info_listing, listing.listing_id).title == "Rain"
assert [each.listing_id for each in ada.call(list_info_listings, visibility=["private"]).listings] == [listing.listing_id]
followed = itertools.islice(honest.signer(key=key).node.follow(issuer=ada.did), 6)
assert listing.listing_id in [entry["payload"]["id"] for entry in followed if "payload" in entry]
for reader in (honest, ben):
    try:
        reader.call(get_info_listing, listing.listing_id)
        raise AssertionError("a private listing is shown")
    except Refused as refused:
        assert refused.code == "LISTING_NOT_FOUND", refused

# Signatures inside the payload: an envelope, and a credential of a capability.
task = ada.write(
    create_task_listing,
    **{"title": "Count", "description": "Beans.", "category": "weather", "tags": ["rain"], "pricing": {"budget": 9}},
    **{"taskType": "counting", "task": {"beans": 40}, "timeline": {}},
)
bid = ben.write(create_bid, task.listing_id, price=3)
order = ada.write(accept_bid, task.listing_id, bid.bid_id)
envelope = {"type": "text", "format": "text/plain", "name": "beans", "transport": {"method": "inline", "data": "40"}}
delivered = ben.write(
    deliver_task_order, task.listing_id, order_id=order["orderId"], deliverables=[], delivery={"envelope": envelope}
)
assert delivered["status"] == "delivered", delivered
credential = {
    "@context": ["https://www.w3.org/ns/credentials/v2"],
    "type": ["VerifiableCredential", "CapabilityCredential"],
    "issuer": ada.did,
    "credentialSubject": {"id": ada.did, "name": "counting"},
}
ada.write(register_capability, ada.did, credential=credential)
contract = ada.write(
    create_contract,
    provider=ben.did,
    terms={"scope": "a logo"},
    payment={"totalAmount": 1},
    milestones=[{"id": "m1", "title": "A sketch", "amount": 1}],
)
for signer in (ada, ben):
    signer.write(sign_contract, contract.contract_id, terms_hash=contract.terms_hash)
ada.write(activate_contract, contract.contract_id, amount=1)
ben.write(submit_contract, contract.contract_id, "m1", deliverables=[], delivery={"envelope": envelope})

# What only its reader may see: encrypted here, opened with the reader's key. The node never has a key or a secret.
cyds = secrets.token_bytes(32)
cyd = node.signer(key=Key(cyds))
honest.call(claim_faucet, body={"did": cyd.did})
rain, secret = "Rain fell every day. €1 😀", "open sesame"
offer = {**shown, "info_type": "dataset", "access_method": {"type": "download"}, "license": {"type": "CC0-1.0"}}
published = ada.write(create_info_listing, **offer, content={"format": "text/plain", "data": rain})
content_key = published.content_key_hex
orders = []


def bought(members):
    order = cyd.write(create_info_order, published.listing_id, most=1)
    orders.append(order.order_id)
    return ada.write(deliver_info_order, published.listing_id, order_id=order.order_id, **members)


for members in ({}, {"content_key_hex": content_key}, {"access_token": secret, "access_url": "https://rain.example/1"}):
    assert bought(members).status == "delivered"
    opened = cyd.open_order(orders[-1])
    assert (opened.content, opened.content_key_hex, opened.listing_id) == (rain, content_key, published.listing_id), opened
    assert opened.access_token == (secret if "access_token" in members else None), opened
    try:
        ada.open_order(orders[-1])
        raise AssertionError("was opened")
    except SigningError:
        pass
# Bought for another key than that of the DID: its buyer signs for it, and the seller's client looks for that signature.
apart = Key(cyds)
apart.agreement = Key().agreement
other = Node(proxied).signer(key=apart)
order = other.write(create_info_order, published.listing_id)
ada.write(deliver_info_order, published.listing_id, order_id=order.order_id)
assert other.open_order(order.order_id).content == rain
another_key = {"buyerPublicKeyHex": Key().agreement.public_key_hex}


def in_order(change):
    return lambda where, reply: reply.update(change) if "/orders/" in where else None


def in_purchase(where, reply):
    """The same key in both places: only the buyer's signature tells."""
    in_order(another_key)(where, reply)
    if "/events?resource=info-order" in where:
        reply["events"][0]["payload"]["input"].update(another_key)


lies_about_keys = [
    in_order(another_key),
    in_order({"buyer": ada.did}),
    in_purchase,
    lambda where, reply: reply.update(events=[]) if "/events?resource=info-order" in where else None,
]
order = other.write(create_info_order, published.listing_id)
for lie_about_key in lies_about_keys:
    told, count = [], len(Lying.submitted)

    def lying(where, status, reply):
        lie_about_key(where, reply)
        told.append(where)
        return status, reply

    Lying.lies = lying
    try:
        ada.write(deliver_info_order, published.listing_id, order_id=order.order_id, content_key_hex=content_key)
        raise AssertionError("was delivered for another key")
    except SigningError as error:
        assert "does not show that the buyer" in str(error), error
    assert told and len(Lying.submitted) == count
Lying.lies = None
# A lease with credentials that its lessor alone opens.
capability = cyd.write(
    create_capability_listing,
    **{"title": "Translate", "description": "Words.", "category": "language", "tags": [], "capability_type": "translation"},
    **{"pricing": {"usagePrice": {"unit": "call", "pricePerUnit": 1}}, "capability": {"languages": 2}},
    **{"quota": {}, "access": {"type": "endpoint"}},
)
lease = ada.write(create_lease, capability.listing_id, plan={"budget": 10}, credentials={"user": "ada", "pass": secret})
assert cyd.open_lease(lease.lease_id).credentials.to_dict() == {"user": "ada", "pass": secret}
sent = json.dumps([Lying.bodies, Lying.submitted])
assert not any(text in sent for text in (secret, "Rain fell", content_key))

# Times, as the API takes them.
later = (datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(minutes=5)).replace(microsecond=125_999)
for moment in (later, later.isoformat(), later.isoformat().replace("+00:00", "Z"), round(later.timestamp() * 1000 - 0.5)):
    ada.write(create_escrow, **{**members_of_escrow, "expires_at": soon.isoformat()}, until=moment)
    assert Lying.submitted[-1]["event"]["until"] == 1000 * int(later.timestamp()) + 125
    assert Lying.submitted[-1]["payload"]["input"]["expiresAt"] == round(soon.timestamp() * 1000 - 0.5), moment

bens = ben.write(create_escrow, **{**members_of_escrow, "beneficiary": Key().did, "auto_fund": False}).escrow_id
written = len(Lying.submitted)
# What costs more than `most`, and what the node must not see.
for caught, attempt in (
    (Refused, lambda: ada.write(transfer, to=ben.did, amount=5, most=4)),
    (Refused, lambda: ada.write(transfer, to=ben.did, amount=5, not_known=1)),
    (Refused, lambda: ada.write(release_escrow, bens, amount=1)),
    (SigningError, lambda: ada.write(deliver_info_order, "lst-1", content_key_hex="00" * 32)),
    (SigningError, lambda: ada.write(deliver_task_order, task.listing_id, delivery={"envelope": envelope})),
    (SigningError, lambda: ada.write(sign_contract, contract.contract_id)),
    (SigningError, lambda: ada.write(claim_faucet)),
    (SigningError, lambda: ada.write(transfer, to=ben.did, amount=5, memo="\ud800")),
):
    try:
        attempt()
        raise AssertionError("was accepted")
    except caught:
        pass
# What the client has built, and the node has refused, was prepared as well.
assert len(Lying.submitted) == written + 2 and not outbox.writes


def dry_runs():
    return sum('"prepare":true' in body.replace(" ", "") for body in Lying.bodies)


prepared = dry_runs()
ada.write(transfer, to=ben.did, amount=1, memo="built")
listing = ada.write(create_info_listing, **shown, content=content, **{**kept, "visibility": "public"})
ben.write(create_info_order, listing.listing_id, expected_price=1)
assert dry_runs() == prepared

# The writes of threads are in flight together, one after the other in the journal; another program with the same key is noticed.
def paying(amount):
    try:
        return ada.write(transfer, to=ben.did, amount=amount)
    except Refused as error:
        return error.code


honest.call(claim_faucet, body={"did": ada.did})
first = len(Lying.submitted)
with ThreadPoolExecutor(20) as threads:
    paid = [*threads.map(paying, (1, 1, 1_000, *(13 * [1]), 1_000, 1))]
assert [each for each in paid if isinstance(each, str)] == 2 * ["INSUFFICIENT_BALANCE"], paid
nonces = sorted(honest.call(get_event, each.event_hash)["event"]["nonce"] for each in paid if not isinstance(each, str))
assert nonces == [*range(nonces[0], nonces[0] + 16)] and not outbox.writes
assert len({write["event"]["hash"] for write in Lying.submitted[first:]}) >= len(paid)
Node(url).signer(key=key).write(transfer, to=ben.did, amount=1)
ada.write(transfer, to=ben.did, amount=1)
assert available(ben.did) == before + 5 + 16 + 7 - 2

# Lies about what to sign: each is caught by its path, and nothing is signed but what the client has built, which is refused. A lie
# changes the reply to `prepare`.
home, stranger = honest.call(get_node).home, Key().did


def member(*path, value):
    """Sets a member of `prepared`, or takes it away."""

    def change(reply):
        *before, name = path
        found = reply["prepared"]
        for each in before:
            found = found[each]
        if value is None:
            del found[name]
        else:
            found[name] = value

    return change


def another_memo(reply):
    """With a leaf that is right."""
    text, salt = canonical("more"), "00" * 16
    leaf = {"leaf": sha256(bytes.fromhex(salt) + text), "size": len(text), "salt": salt}
    reply["prepared"]["payload"]["input"]["memo"] = "more"
    reply["prepared"]["leaves"] = {"/memo": leaf}


def amount_as_leaf(reply):
    """With a leaf that is right, in a place without texts."""
    text, salt = canonical(reply["prepared"]["payload"]["input"]["amount"]), "00" * 16
    leaf = {"leaf": sha256(bytes.fromhex(salt) + text), "size": len(text), "salt": salt}
    reply["prepared"]["leaves"]["/amount"] = leaf


def shifted(name, by):
    def change(reply):
        reply["prepared"]["event"][name] += by

    return change


def everything(value):
    return lambda reply: reply.update(prepared=value)


def transferring():
    ada.write(transfer, to=ben.did, amount=5, memo="thanks", most=5)


def contracting():
    ada.write(create_contract, provider=ben.did, terms={"scope": "a logo"})


def dealing():
    ada.write(create_escrow, beneficiary=ben.did, amount=10, release_rules=[{"type": "manual"}])


def expiring():
    ada.write(create_escrow, **members_of_escrow, expires_at=soon.isoformat())


def signing():
    ada.write(sign_contract, offered.contract_id, terms_hash=offered.terms_hash)


def activating():
    ada.write(activate_contract, contract.contract_id, amount=1)


ten_minutes, in_input = 600_000, ("payload", "input")
lies = [
    ("payload.input.amount", transferring, member(*in_input, "amount", value=6)),
    ("payload.input.amount", transferring, member(*in_input, "amount", value=True)),
    ("payload.input.amount", transferring, member(*in_input, "amount", value=None)),
    ("payload.input.to", transferring, member(*in_input, "to", value=stranger)),
    ("payload.input.fee", transferring, member(*in_input, "fee", value=1)),
    ("payload.input.memo", transferring, another_memo),
    ("leaves/memo", transferring, member("leaves", "/memo", "leaf", value="00" * 32)),
    ("leaves/memo", transferring, member("leaves", "/memo", "salt", value=None)),
    ("leaves/memo", transferring, member("leaves", "/memo", "size", value=9)),
    ("leaves/other", transferring, member("leaves", "/other", value={"leaf": "00" * 32, "size": 9, "salt": "00" * 16})),
    ("leaves/amount", transferring, amount_as_leaf),
    ("leaves", transferring, member("leaves", value=[1])),
    ("confidential", transferring, lambda reply: reply["prepared"].update(confidential=["other"], salt="00" * 16)),
    ("confidential", transferring, member("confidential", value=["amount"])),
    ("confidential", transferring, member("confidential", value=[["amount"]])),
    ("payload.action", transferring, member("payload", "action", value="withdraw")),
    ("payload.kind", transferring, member("payload", "kind", value="escrow")),
    ("payload.id", transferring, member("payload", "id", value=ben.did)),
    ("payload.ids", transferring, member("payload", "ids", value={"escrow": "esc-1"})),
    ("payload.under", transferring, member("payload", "under", value="grant-1")),
    ("payload", transferring, member("payload", value=[])),
    ("prepared", transferring, everything(None)),
    ("payload", transferring, everything({})),
    ("event", transferring, member("event", value=7)),
    ("event.v", transferring, shifted("v", 1)),
    ("event.type", transferring, member("event", "type", value="transfer sent")),
    ("event.issuer", transferring, member("event", "issuer", value=ben.did)),
    ("event.pub", transferring, member("event", "pub", value=public_key_of(ben.did).hex())),
    ("event.home", transferring, member("event", "home", value=stranger)),
    ("event.network", transferring, member("event", "network", value="mainnet")),
    ("event.nonce", transferring, shifted("nonce", -1)),
    ("event.nonce", transferring, shifted("nonce", 0.5)),
    ("event.prev", transferring, shifted("nonce", 1)),
    ("event.prev", transferring, member("event", "prev", value="00" * 32)),
    ("event.prev", transferring, member("event", "prev", value=None)),
    ("event.prev", transferring, member("event", "prev", value="../node")),
    ("event.ts", transferring, shifted("ts", 2 * ten_minutes)),
    ("event.ts", transferring, shifted("ts", -2 * ten_minutes)),
    ("event.until", transferring, shifted("until", ten_minutes)),
    ("event.until", transferring, member("event", "until", value=None)),
    ("event.most", transferring, member("event", "most", value=None)),
    ("event.most", transferring, shifted("most", 1)),
    ("event.most", dealing, member("event", "most", value=1)),
    ("event.for", transferring, member("event", "for", value=stranger)),
    ("signs", transferring, member("signs", value=[{"at": "/signature", "message": "00"}])),
    ("payload.input.expiresAt", expiring, member(*in_input, "expiresAt", value=1)),
    ("payload.input.expiresAt", expiring, member(*in_input, "expiresAt", value=round(soon.timestamp() * 1000 + 0.5))),
    ("payload.input.beneficiary", dealing, member(*in_input, "beneficiary", value=ada.did)),
    ("payload.input.releaseRules", dealing, member(*in_input, "releaseRules", value=[])),
    ("payload.id", dealing, member("payload", "id", value="esc 1")),
    ("payload.input.salt", contracting, member(*in_input, "salt", value="0")),
    ("payload.input.networkArbiter", contracting, member(*in_input, "networkArbiter", value=stranger)),
    ("payload.id", contracting, member("payload", "id", value="esc-1")),
    ("payload.ids.escrow", activating, member("payload", "ids", "escrow", value="ctr-1")),
    ("signs", signing, member("signs", value=[])),
    ("signs", signing, member("signs", value=[{"at": "/signature", "message": b"svc:event:v3:{}".hex()}])),
    ("payload.input.termsHash", signing, member(*in_input, "termsHash", value="00" * 32)),
    ("payload.input.signature", signing, member(*in_input, "signature", value="A" * 86)),
]
offered, contract = (
    ada.write(create_contract, provider=ben.did, terms={"scope": "a logo"}, payment={"totalAmount": 1}) for _ in range(2)
)
for signer in (ada, ben):
    signer.write(sign_contract, contract.contract_id, terms_hash=contract.terms_hash)
for path, attempt, lie in lies:
    told, signed, sent, Lying.withheld = [], len(key.signed), len(Lying.submitted), []

    def change(where, status, reply):
        if status == 200 and isinstance(reply, dict) and "prepared" in reply:
            lie(reply)
            told.append(where)
        return status, reply

    Lying.lies = change
    try:
        attempt()
        raise AssertionError(f"{path}: was signed")
    except UnexpectedPayload as error:
        assert path in error.paths and told, (path, error)
    built = len(Lying.withheld)
    assert (len(key.signed), len(Lying.submitted)) == (signed + built, sent + built), path
Lying.lies, Lying.withheld = None, None
signed, sent = len(key.signed), len(Lying.submitted)

# What was refused as the client built it, and is written in the place of what was prepared: by the reply, or by the next write.
for is_hidden in (False, True):
    before, signer = available(ben.did), Node(proxied).signer(key=key)
    signer.write(transfer, to=ben.did, amount=1)
    Lying.withheld, sent = [], len(Lying.submitted)
    Lying.lies = lambda where, status, reply: (
        (status, {**reply, "eventHash": Lying.submitted[-1]["event"]["hash"]})
        if where == "/api/v1/events" and is_hidden and status == 200
        else (status, reply)
    )
    try:
        signer.write(transfer, to=ben.did, amount=5)
        assert is_hidden
    except Unreachable as error:
        assert not is_hidden and "another event" in str(error), error
    one, other = (write["event"] for write in Lying.submitted[sent:])
    assert one["nonce"] == other["nonce"] and one["hash"] != other["hash"]
    Lying.lies, Lying.withheld = None, None
    try:
        signer.write(transfer, to=ben.did, amount=5)
        raise AssertionError("was signed")
    except UnexpectedPayload as error:
        assert error.paths == ["event.prev"], error
    assert available(ben.did) == before + 6
# The same behind an event of another program with this key.
before, signer = available(ben.did), Node(proxied).signer(key=key)
signer.write(transfer, to=ben.did, amount=1)
meets = [True]


def refusing(where, status, reply):
    if where == "/api/v1/events":
        return 409, {"code": "CONFLICT", "nextNonce": 1}
    if where == "/api/v1/transfers" and meets and meets.pop():
        honest.signer(key=key).write(transfer, to=ben.did, amount=1)
        return 503, {"code": "SERVICE_UNAVAILABLE"}
    return status, reply


Lying.lies = refusing
try:
    signer.write(transfer, to=ben.did, amount=5)
    raise AssertionError("was signed")
except UnexpectedPayload as error:
    assert error.paths == ["event.prev"] and available(ben.did) == before + 7, error
Lying.lies = None
signed, sent = len(key.signed), len(Lying.submitted)

# A program that starts anew asks for its last event: another's, or one with another signature, is not taken for it.
bens = Lying.submitted[-1]["event"]
for change in (
    lambda reply: {"event": {**reply["event"], "sig": Key(b"0" * 32).sign("svc:event:v3:")}},
    lambda reply: {"event": {**reply["event"], "type": "transfer.lost"}},
    lambda reply: {"event": bens},
    lambda reply: {"event": None},
    lambda reply: [],
    lambda reply: 10**400,
):
    Lying.lies = lambda where, status, reply: (status, change(reply) if where.startswith("/api/v1/events/") else reply)
    try:
        Node(proxied).signer(key=key).write(transfer, to=ben.did, amount=5)
        raise AssertionError("was signed")
    except UnexpectedPayload as error:
        assert error.paths == ["event.prev"], error
# So is a home that its caller does not expect.
Lying.lies = None
try:
    Node(proxied).signer(key=key, home=stranger).write(transfer, to=ben.did, amount=5)
    raise AssertionError("was signed")
except Refused as error:
    assert error.code == "UNAUTHORIZED", error
assert (len(key.signed), len(Lying.submitted)) == (signed, sent)

# Lies about what became of a write: it takes effect once. A refusal that is none, to have the write signed again after it:
for answer in (
    lambda reply: (409, {"code": "CONFLICT", "nextNonce": reply["event"]["nonce"] + 1 if "event" in reply else 1}),
    lambda reply: (422, {"code": "UNPROCESSABLE"}),
):
    before, signer = available(ben.did), Node(proxied).signer(key=key)
    Lying.lies = lambda where, status, reply: answer(reply) if where == "/api/v1/events" else (status, reply)
    caught = []
    for _ in range(2):
        try:
            signer.write(transfer, to=ben.did, amount=5)
            raise AssertionError("was signed")
        except (UnexpectedPayload, Refused) as error:
            caught.append(error)
    assert isinstance(caught[-1], UnexpectedPayload) and caught[-1].paths == ["event.prev"], caught
    assert available(ben.did) == before + 5

# A connection that breaks after the write: the same event is sent again.
breaks = [True]
before, sent, signer = available(ben.did), len(Lying.submitted), Node(proxied).signer(key=key, outbox=outbox)
Lying.lies = lambda where, status, reply: (None if where == "/api/v1/events" and breaks and breaks.pop() else status, reply)
signer.write(transfer, to=ben.did, amount=5)
assert [each["event"]["hash"] for each in Lying.submitted[sent:]] == 2 * [Lying.submitted[-1]["event"]["hash"]]
assert available(ben.did) == before + 5 and not outbox.writes
# One that stays broken: the outbox has the write, and another program finds out.
Lying.lies = lambda where, status, reply: (None if where == "/api/v1/events" else status, reply)
try:
    signer.write(transfer, to=ben.did, amount=5)
    raise AssertionError("a reply came")
except Unreachable as error:
    assert error.write is not None and [*outbox.writes.values()] == [error.write], error
[kept] = outbox.writes.values()
assert honest.signer(key=key).again(json.loads(json.dumps(kept)))["amount"] == 5
Lying.lies = None
assert signer.again(kept)["amount"] == 5 and not outbox.writes
signer.write(transfer, to=ben.did, amount=1)
assert available(ben.did) == before + 11


# A refusal of an event below the newest one: it counts once the own events between them show another in its place.
def lost(attempt):
    try:
        attempt()
    except (Refused, Unreachable) as error:
        return error
    raise AssertionError("a reply came")


before = available(ben.did)
Lying.lies = lambda where, status, reply: (None if where == "/api/v1/events" else status, reply)
taken = lost(lambda: signer.write(transfer, to=ben.did, amount=7)).write
Lying.lies = None
signer.write(transfer, to=ben.did, amount=1)
conflict = {"code": "CONFLICT", "nextNonce": taken["event"]["nonce"] + 2}
for shown in (lambda reply: reply, lambda reply: {"event": None}, lambda reply: {"event": bens}):
    Lying.lies = lambda where, status, reply: (
        (409, conflict) if where == "/api/v1/events" else (status, shown(reply) if where.startswith("/api/v1/events/") else reply)
    )
    assert lost(lambda: signer.again(taken)).write == taken and [*outbox.writes.values()] == [taken]
Lying.lies = None
assert signer.again(taken)["amount"] == 7 and not outbox.writes
signer.write(transfer, to=ben.did, amount=1)
Lying.target = "http://127.0.0.1:9"
dead = lost(lambda: signer.write(transfer, to=ben.did, amount=7)).write
Lying.target = url
for _ in range(2):
    signer.write(transfer, to=ben.did, amount=1)
Lying.lies = lambda where, status, reply: (status, {"event": None} if where.startswith("/api/v1/events/") else reply)
assert lost(lambda: signer.again(dead)).write == dead and [*outbox.writes.values()] == [dead]
Lying.lies = None
refused = lost(lambda: signer.again(dead))
assert refused.code == "CONFLICT" and refused.write is None and not outbox.writes, refused
assert available(ben.did) == before + 7 + 4

# A reply that names the event and lacks the rest is none.
for answer in (lambda status, reply: (status, {"eventHash": reply["eventHash"]}), lambda status, reply: (202, reply)):
    Lying.lies = lambda where, status, reply: answer(status, reply) if where == "/api/v1/events" else (status, reply)
    error = lost(lambda: signer.write(transfer, to=ben.did, amount=3))
    assert isinstance(error, Unreachable) and [*outbox.writes.values()] == [error.write], error
    Lying.lies = None
    assert signer.again(error.write)["amount"] == 3 and not outbox.writes
assert available(ben.did) == before + 17


class Full(Kept):
    def drop(self, write):
        raise OSError("the disk is full")


# What the node has accepted is the reply, whatever the outbox says then.
filled = Full()
assert Node(proxied).signer(key=key, outbox=filled).write(transfer, to=ben.did, amount=1).amount == 1
assert len(filled.writes) == 1 and available(ben.did) == before + 18
print(f"{len(lies)} lies")
