"""Writes at another home, by a key of the caller: the last arguments are the nodes of two homes that follow each other, and a third's."""

import sys
import time

import svc_node_client.node
from svc_node_client import Node, Refused, Unchecked, Unreachable, WrongHome
from svc_node_client.api.escrows import create_escrow, get_escrow, release_escrow
from svc_node_client.api.events import list_events
from svc_node_client.api.identity import create_identity
from svc_node_client.api.market_information import create_info_listing, create_info_order, deliver_info_order, list_info_listings
from svc_node_client.api.node import get_home, get_node
from svc_node_client.api.wallets import claim_faucet, get_wallet, transfer
from svc_node_client.keys import Key
from svc_node_client.prepared import SigningError, UnexpectedPayload

from support import Kept, Proxy, Watched, serving, trade

own_url, other_url, third_url = sys.argv[-3:]


class Blind(Proxy):
    """The node behind it is not told who reads."""

    passed_headers = ("Content-Type", "Idempotency-Key")


class Own(Blind):
    target = own_url


class Other(Blind):
    target = other_url


def fails(kind, attempt):
    try:
        attempt()
    except kind as error:
        return error
    raise AssertionError("was accepted")


own_proxy, other_proxy = serving(Own), serving(Other)
honest = {url: Node(url) for url in (own_url, other_url, third_url)}
home, other, third = (honest[url].call(get_node).home for url in (own_url, other_url, third_url))
node, outbox, key, ben = Node(own_proxy, key="svck_of_own"), Kept(), Watched(), Key()
ada = node.signer(key=key, outbox=outbox, home=home)


def wallet(url, did):
    found = honest[url].call(get_wallet, did)
    return found.available, found.next_nonce


# Where it is, as it says itself; what a read has found names its home, or is of this one.
assert node.call(get_home, other).url == other_url
assert ada.at({}) is ada and ada.at(home) is ada and node.at(node.call(get_home, other)).call(get_node).home == other
there = ada.at(other, url=other_proxy)

# Tokens are needed there.
honest[own_url].call(claim_faucet, body={"did": ada.did})
poor = fails(Refused, lambda: there.write(transfer, to=ben.did, amount=1))
assert (poor.code, poor.at) == ("INSUFFICIENT_BALANCE", other) and "Tokens of other homes do not count" in str(poor), poor
assert not key.signed
there.node.call(claim_faucet, body={"did": ada.did})

# Nonces and events of both do not mix, and those of one home are known to each of its signers.
for signer in (there, ada, ada.at(other, url=other_proxy), ada, there.at(other, url=other_proxy)):
    signer.write(transfer, to=ben.did, amount=1)
assert wallet(other_url, ada.did) == (97, 4) and wallet(own_url, ada.did) == (98, 3)
assert not [path for path, _ in Own.seen + Other.seen if "/events/" in path]
# Nothing that is for one home is shown to the other.
assert set(Own.readers) == {home} and set(Other.readers) == {other}
assert {sent for _, sent in Own.seen} == {"svck_of_own"} and {sent for _, sent in Other.seen} == {None}
Node(own_url).at(other, url=other_proxy, key="svck_of_other").call(get_node)
assert Other.seen[-1][1] == "svck_of_other"

# Lies about where it is, and about who it is.
signed, seen = len(key.signed), len(Other.seen)
told: object = None
right = node.call(get_home, other).to_dict()
thirds = honest[third_url].call(get_home, third).to_dict()
# Its own home passes on what the home has signed; and one that signs what may not be followed.
told: dict = {}
Own.lies = lambda path, status, reply: (200, {**right, **told}) if "/homes/" in path else (status, reply)
for told in (
    *({"url": third_url}, {"sig": None}, {"sig": 7}, {"sig": thirds["sig"]}, thirds, {"time": right["time"] + 1}),
    *({"time": None}, {"time": 1}, {"time": right["time"] + 10**6}, {"url": None}),
):
    fails(WrongHome, lambda: ada.at(other))
has_stated, svc_node_client.node._has_stated = svc_node_client.node._has_stated, lambda *_: True
odd = [f"{other_url}?x=1", f"{other_url}#x", other_url.replace("//", "//ada@"), other_url.replace("127.0.0.1", "a.example")]
for each in [*odd, third_url, own_url, "javascript:alert(1)", "file:///etc/passwd", "http://127.evil.example", "nowhere", 7, None]:
    told = {"url": each}
    fails(WrongHome, lambda: ada.at(other))
svc_node_client.node._has_stated = has_stated
told = {}
ada.at(other)
# A statement of yesterday.
clock, svc_node_client.node.time.time = svc_node_client.node.time.time, lambda: clock() + 86_400
fails(WrongHome, lambda: ada.at(other))
svc_node_client.node.time.time = clock
Own.lies = None
fails(Refused, lambda: ada.at(Key().did))
for url in (third_url, own_url):
    fails(WrongHome, lambda: ada.at(other, url=url))
for change in ({"home": third}, {"network": "testnet"}, {"home": None}):
    Other.lies = lambda path, status, reply: (status, {**reply, **change})
    fails(WrongHome, lambda: ada.at(other, url=other_proxy))
for answer in (307, []), (200, [1]), (200, 10**400):
    Other.lies = lambda path, status, reply: answer
    fails((WrongHome, Unreachable), lambda: ada.at(other, url=other_proxy))
Other.lies = None


# Its own home, by the name of the other.
Own.lies = lambda path, status, reply: (status, {**reply, "home": other})
fails(WrongHome, lambda: ada.at(other))
Own.lies = None


# Events for another home or network, one of them as that home has prepared it.
def preparing(member, value):
    def change(path, status, reply):
        if isinstance(reply, dict) and "prepared" in reply:
            reply["prepared"]["event"][member] = value
        return status, reply

    return change


stranger = Watched()
honest[other_url].call(claim_faucet, body={"did": stranger.did})
for member, value in (("home", home), ("home", third), ("network", "mainnet")):
    for signer in (there, node.signer(key=stranger).at(other, url=other_proxy)):
        Other.lies, Other.withheld = preparing(member, value), []
        error = fails(UnexpectedPayload, lambda: signer.write(transfer, to=ben.did, amount=1))
        assert error.paths == [f"event.{member}"], error
        # What the client has built is for this home.
        signed += len(Other.withheld)
        Other.lies, Other.withheld = None, None
# The event before must be one of this key at this home, for a program that starts anew.
events = [each["event"] for each in honest[own_url].call(list_events, issuer=ada.did, limit=100)["events"]]
elsewhere = next(event for event in events if event["nonce"] == 2)


def before(path, status, reply):
    if path.endswith(elsewhere["hash"]):
        return 200, {"event": elsewhere}
    if "prepared" in reply:
        reply["prepared"]["event"].update(nonce=3, prev=elsewhere["hash"])
    return status, reply


Other.lies = before
error = fails(UnexpectedPayload, lambda: Node(own_url).signer(key=key).at(other, url=other_proxy).write(transfer, to=ben.did, amount=1))
assert error.paths == ["event.prev"], error
# One that passes on what the other home prepares: the whole write is right but for its home.
Other.lies = None
Other.target = own_url
error = fails(UnexpectedPayload, lambda: there.write(transfer, to=ben.did, amount=1))
assert "event.home" in error.paths, error
Other.target = other_url
assert len(key.signed) == signed + 1 and not stranger.signed

# A lost reply: the outbox has the write, which is for that home alone, and takes effect once. So is one about another event, or a redirect.
had = wallet(other_url, ben.did)[0]
for count, lie in enumerate(
    (
        lambda status, reply: (None, reply),
        lambda status, reply: (status, {**reply, "eventHash": "00" * 32}),
        lambda status, reply: (307, reply),
    )
):
    Other.lies = lambda path, status, reply: lie(status, reply) if path == "/api/v1/events" else (status, reply)
    lost = fails(Unreachable, lambda: there.write(transfer, to=ben.did, amount=2))
    assert [*outbox.writes.values()] == [lost.write] and lost.write["event"]["home"] == other, lost
    Other.lies = None
    fails(SigningError, lambda: ada.again(lost.write))
    fails(SigningError, lambda: Node(own_url).signer(key=key, outbox=outbox).again(lost.write))
    assert outbox.writes
    there.at(lost.write["event"]["home"], url=other_proxy).again(lost.write)
    assert not outbox.writes and wallet(other_url, ben.did)[0] == had + 2 * (count + 1)
assert wallet(own_url, ada.did) == (98, 3)

# Whether an act is in the journal of its home, its own node says; what the home shows instead, and what it never shows, is told apart.
act = there.write(transfer, to=ben.did, amount=1).event_hash
assert node.until_checked(act, other)["event"]["hash"] == act
for checked, kind in (
    ({"violation": "it is of another event", "followed": 0}, Unchecked),
    (None, Unchecked),
    ({"violation": None, "followed": 0}, TimeoutError),
):
    Own.lies = lambda path, status, reply: (status, {**reply, "checked": checked})
    fails(kind, lambda: node.until_checked(act, other, seconds=0.3))
Own.lies = lambda path, status, reply: (404, {"code": "NOT_FOUND"})
fails(TimeoutError, lambda: node.until_checked(act, other, seconds=0.3))
Own.lies = lambda path, status, reply: (400, {"code": "INVALID_REQUEST"})
fails(Refused, lambda: node.until_checked(act, other))
Own.lies = None

# By itself, to a home that it has accepted: by an id that names it, or as its own node says of a listing.
there.write(create_escrow, **{"beneficiary": ben.did, "amount": 5, "release_rules": [{"type": "manual"}], "auto_fund": True, "escrow_id": "mine"})
seller, buyer = (Key() for _ in range(2))
for did in (seller.did, buyer.did):
    honest[other_url].call(claim_faucet, body={"did": did})
listing = honest[other_url].signer(key=seller).write(
    create_info_listing,
    **{"title": "Rain", "description": "By day.", "category": "weather", "tags": [], "pricing": {"price": 1}, "info_type": "dataset"},
    **{"content": {"format": "text/plain", "data": "rain"}, "access_method": {"type": "download"}, "license": {"type": "CC0-1.0"}},
)
for _ in range(200):
    if honest[own_url].call(list_info_listings).listings:
        break
    time.sleep(0.1)
own = honest[own_url]
strict, accepting = (own.signer(key=key, homes=homes) for homes in ([third], [other]))
refused = fails(Refused, lambda: strict.write(release_escrow, f"mine~{other}", amount=1))
assert other in str(refused) and "`homes`" in str(refused), refused
assert accepting.write(release_escrow, f"mine~{other}", amount=1).amount == 1
refused = fails(Refused, lambda: own.signer(key=buyer).write(create_info_order, listing.listing_id))
assert other in str(refused) and "`homes`" in str(refused), refused
order = own.signer(key=buyer, homes="any").write(create_info_order, listing.listing_id, most=1)
assert order.buyer == buyer.did
honest[other_url].signer(key=seller).write(deliver_info_order, listing.listing_id, order_id=order.order_id)
assert own.signer(key=buyer, homes=[other]).open_order(f"{order.order_id}~{other}").content == "rain"
fails(Refused, lambda: own.signer(key=buyer, homes=[third]).open_order(f"{order.order_id}~{other}"))
passphrase = "correct horse battery staple"
did = own.call(create_identity, body={"passphrase": passphrase}).did
honest[other_url].call(claim_faucet, body={"did": did})
fails(Refused, lambda: own.signer(did, passphrase).write(create_info_order, listing.listing_id))
assert own.signer(did, passphrase, homes=[other]).write(create_info_order, listing.listing_id).buyer == did

# All that can be traded, by two who keep their keys: on one node, and at the home of another.
agents = [Node(own_url).signer(key=Key()) for _ in range(2)]
for place in (agents, [agent.at(other) for agent in agents]):
    for agent in place:
        agent.node.call(claim_faucet, body={"did": agent.did})
    trade(*place)
for where in (own_url, other_url):
    found = [wallet(where, agent.did)[0] for agent in agents]
    assert found == [100 - 15, 100 + 15], found

# One call pays once. Its own home keeps what is signed, and says that it belongs to a home that the caller has accepted.
payer = Watched()
for each in (own_url, other_url):
    honest[each].call(claim_faucet, body={"did": payer.did})
mover = Node(own_proxy).signer(key=payer, homes=[other])
terms = {"beneficiary": ben.did, "amount": 10, "release_rules": [{"type": "manual"}], "auto_fund": True, "escrow_id": "both"}
for signer in (mover, mover.at(other)):
    signer.write(create_escrow, **terms)


def belonging(path, status, reply):
    is_refused = path == "/api/v1/events" or hides and path.startswith(("/api/v1/escrows", "/api/v1/transfers"))
    return (422, {"code": "UNPROCESSABLE", "home": other}) if is_refused else (status, reply)


def remaining(at):
    return honest[at].signer(key=payer).call(get_escrow, "both").remaining


def releasing():
    mover.write(release_escrow, "both", amount=3)


for hides, attempt, is_moved in (
    (True, lambda: mover.write(transfer, to=ben.did, amount=7, most=7), False),
    (True, lambda: mover.write(create_escrow, **{**terms, "escrow_id": "third"}), False),
    # What may have to move is prepared first: nothing is signed for the home that refuses it.
    (True, releasing, True),
    (False, releasing, False),
):
    before, signed = [wallet(at, payer.did) for at in (own_url, other_url)], len(payer.signed)
    kept = remaining(own_url) + remaining(other_url)
    Own.lies = belonging
    try:
        attempt()
        assert is_moved
    except Refused as error:
        assert not is_moved and error.problem["home"] == other, error
    Own.lies = None
    changed = [wallet(at, payer.did) != was for at, was in zip((own_url, other_url), before)]
    assert changed == [not is_moved, is_moved] and len(payer.signed) == signed + 1, (hides, changed)
    assert kept - remaining(own_url) - remaining(other_url) == (3 if attempt is releasing else 0)
    # The next is built again.
    mover = Node(own_proxy).signer(key=payer, homes=[other])
    mover.write(transfer, to=ben.did, amount=1)
# What names no id of another home stays, also when it is refused before anything is signed.
hides, before, signed = True, [wallet(at, payer.did) for at in (own_url, other_url)], len(payer.signed)
Own.lies = belonging
for attempt in (lambda fresh: fresh.write(transfer, to=ben.did, amount=7), lambda fresh: fresh.write(create_escrow, **terms)):
    refused = fails(Refused, lambda: attempt(Node(own_proxy).signer(key=payer, homes="any")))
    assert refused.problem["home"] == other and refused.at is None, refused
Own.lies = None
assert [wallet(at, payer.did) for at in (own_url, other_url)] == before and len(payer.signed) == signed
sent = len(Own.submitted)
assert mover.write(create_info_order, listing.listing_id, most=1).buyer == payer.did and len(Own.submitted) == sent
print("two homes")
