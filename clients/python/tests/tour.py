"""The client's own test, against the node at the URL that is its last argument. Ends with what it found, as JSON."""

import json
import sys
import threading
from datetime import datetime, timedelta, timezone

import httpx
from svc_node_client import Node, Refused, Unreachable
from svc_node_client.api.contracts import create_contract, get_contract, sign_contract
from svc_node_client.api.escrows import create_escrow, get_escrow, list_escrows, release_escrow
from svc_node_client.api.events import get_event, list_events
from svc_node_client.api.identity import create_identity, get_identity
from svc_node_client.api.machines import get_machine_history, get_permitted_actions, list_machines
from svc_node_client.api.market_information import (
    create_info_listing,
    get_info_listing,
    pause_info_listing,
    resume_info_listing,
    update_info_listing,
)
from svc_node_client.api.market_tasks import accept_bid, create_bid, create_task_listing, list_task_bids
from svc_node_client.api.markets_search import search_markets
from svc_node_client.api.node import get_node
from svc_node_client.api.wallets import claim_faucet, get_nonce, get_supply, get_wallet, list_transactions, transfer
from svc_node_client.keys import Key, did_of, release_text
from svc_node_client.models import ClaimFaucetRequest, CreateIdentityRequest

url = sys.argv[-1]
node, passphrase = Node(url), "correct horse battery staple"
status = node.call(get_node)
ada, ben = (node.call(create_identity, body=CreateIdentityRequest(passphrase)).did for _ in range(2))
node.call(claim_faucet, body=ClaimFaucetRequest(did=ada))
as_ada, as_ben = node.signer(ada, passphrase), node.signer(ben, passphrase)

as_ada.write(transfer, to=ben, amount=5)
assert node.call(get_nonce, ada).data.next_nonce == 2
sent = node.call(list_transactions, ada, type_="sent", limit=5)
assert [each.amount for each in sent.transactions] == [5], sent

escrow = as_ada.write(
    create_escrow,
    beneficiary=ben,
    amount=10,
    releaseRules=[{"type": "manual"}],
    autoFund=True,
    expiresAt="2099-01-01T00:00:00Z",
)
# A reply is an object with Python's names, and reads like its JSON.
assert escrow["escrowId"] == escrow.escrow_id and "escrowId" in escrow and "nothing" not in escrow
as_ada.write(release_escrow, escrow.escrow_id, amount=4)
left = node.call(get_escrow, escrow.escrow_id)
assert node.call(list_escrows, did=ada).total == 1
node.call(get_machine_history, "escrow", escrow.escrow_id)
node.call(get_permitted_actions, "escrow", escrow.escrow_id)
node.call(list_machines)
# As a node prints its address.
assert Node(f"{url}/api/v1/").call(get_node).home == status.home

offer = {"description": "Hourly.", "category": "weather", "tags": ["rain", "hourly"]}
listing = as_ada.write(
    create_info_listing,
    **offer,
    title="Rainfall",
    pricing={"price": 2},
    infoType="dataset",
    content={"format": "text/csv"},
    accessMethod={"type": "download"},
    license={"type": "CC-BY-4.0"},
)
as_ada.write(pause_info_listing, listing.listing_id)
as_ada.write(resume_info_listing, listing.listing_id)
node.call(get_info_listing, listing.listing_id)
search = node.call(search_markets, tags=["rain", "hourly"], seller=ada, include_facets=True)
as_ada.write(update_info_listing, listing.listing_id, category="Arts, Crafts")
assert node.call(search_markets, category=["Arts, Crafts"]).total == 1

task = as_ada.write(
    create_task_listing,
    **offer,
    title="Count",
    pricing={"budget": 9},
    taskType="counting",
    task={"beans": 40},
    timeline={},
)
bid = as_ben.write(create_bid, task.listing_id, price=3)
bids = node.call(list_task_bids, task.listing_id)
as_ada.write(accept_bid, task.listing_id, bid.bid_id)

contract = as_ada.write(create_contract, provider=ben, terms={"scope": "a logo"})
agreed = as_ada.write(sign_contract, contract.contract_id)
node.call(get_contract, contract.contract_id)
found = node.call(list_events, issuer=ada, limit=2)
node.call(get_event, escrow.resource_prev)
node.call(get_identity, ada)
node.call(get_supply)
balance = node.call(get_wallet, ben).balance

try:
    as_ada.write(transfer, to=ben, amount=1_000_000)
    raise AssertionError("a million Tokens were sent")
except Refused as error:
    assert error.status == 402, error
    refusal = error.code

# The node names what is missing, or wrong, in a body.
for members, wrong in (({"to": ben}, "amount"), ({"to": ben, "amount": 1, "not_known": 1}, "notKnown")):
    try:
        as_ada.write(transfer, **members)
        raise AssertionError(f"{members} were accepted")
    except Refused as error:
        assert error.status == 400 and wrong in error.detail, error
# Names as in Python, a body as a mapping, and a time as a datetime.
soon = datetime.now(timezone.utc) + timedelta(hours=1)
rules = [{"type": "manual"}]
later = as_ada.write(create_escrow, beneficiary=ben, amount=1, release_rules=rules, auto_fund=True, expires_at=soon)
assert abs(later.expires_at - soon.timestamp() * 1000) < 1, later
assert node.call(create_identity, body={"passphrase": passphrase})["did"].startswith("did:svc:")
entry = next(iter(node.follow(after=found.events[0].seq - 1, issuer=ada)))
assert entry["seq"] == found.events[0].seq, entry

# Another program with the same DID takes nonces away; threads share those of one node.
elsewhere = Node(url).signer(ada, passphrase)
elsewhere.write(transfer, to=ben, amount=1)
threads = [threading.Thread(target=as_ada.write, args=(transfer,), kwargs={"to": ben, "amount": 1}) for _ in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert node.call(get_wallet, ben).balance == balance + 5

# The same key twice: one transfer.
for _ in range(2):
    try:
        as_ada.write(transfer, to=ben, amount=1, idempotency_key="once")
    except Refused as error:
        assert error.status == 422, error
assert node.call(get_wallet, ben).balance == balance + 6

# Many in one request: what one is refused, the others are not.
payments = [(transfer, {"to": ben, "amount": amount}) for amount in (1, 90_000, 1)]
sent, refused, last = as_ada.batch(payments)
assert sent.amount == last.amount == 1 and last.nonce == sent.nonce + 1, (sent, last)
assert isinstance(refused, Refused) and refused.code == "INSUFFICIENT_BALANCE", refused
assert node.call(get_wallet, ben).balance == balance + 8
payments = [(transfer, {"to": ben, "amount": 90_000 if place < 10 else 1}) for place in range(12)]
assert [isinstance(each, Refused) for each in as_ada.batch(payments)] == [True] * 10 + [False] * 2
sizes, request = [], node.request


def losing(asked):
    """Loses the answer to the second write of the first batch."""
    reply = request(asked)
    if not asked["url"].endswith("/batch"):
        return reply
    told = reply.json()
    if not sizes:
        told["items"][1] = {"status": 503, "headers": {"Retry-After": "0"}, "body": {}}
    sizes.append(len(told["items"]))
    return httpx.Response(200, json=told)


node.request = losing
before = node.call(get_wallet, ben).balance
replies = as_ada.batch([(transfer, {"to": ben, "amount": 1})] * 3)
node.request = request
assert sizes == [3, 1] and [reply.amount for reply in replies] == [1, 1, 1], (sizes, replies)
assert node.call(get_wallet, ben).balance == before + 3
gone = Node("http://127.0.0.1:9").signer(ada, passphrase)
gone._counter.used(node.call(get_wallet, ada).next_nonce - 1)
(lost,) = gone.batch([(transfer, {"to": ben, "amount": 1})], ["kept"])
assert isinstance(lost, Unreachable) and lost.idempotency_key == "kept" and lost.nonce is not None, lost

# An oracle's signature releases.
oracle = Key()
assert oracle.did == did_of(oracle._key.public_key().public_bytes_raw())
rule = {"type": "signature", "signers": [oracle.did]}
judged = as_ada.write(create_escrow, beneficiary=ben, amount=3, releaseRules=[rule], autoFund=True)
text = release_text(status.network, status.home, judged.escrow_id, judged.resource_prev, 3)
paid = as_ben.write(
    release_escrow,
    judged.escrow_id,
    amount=3,
    resourcePrev=judged.resource_prev,
    evidence={"signatures": [oracle.evidence(text)]},
)
assert paid.escrow.status == "released", paid

print(
    json.dumps(
        {
            "remaining": left.remaining,
            "balance": balance,
            "refusal": refusal,
            "found": search.total,
            "bids": len(bids.bids),
            "signatures": len(agreed.signatures),
            "events": len(found.events),
            "isWide": left.created_at > 2**32,
        }
    )
)
