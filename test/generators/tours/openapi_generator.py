"""The tour by the client that openapi-generator (python) makes."""

import json
import sys

import openapi_client as api

client = api.ApiClient(api.Configuration(host=sys.argv[1]))
passphrase = "correct horse battery staple"
nonces: dict[str, int] = {}


def signed(request, did: str, **members):
    """A request of this class, with the members that name and prove the signer."""
    nonces[did] = nonces.get(did, 0) + 1
    return request.from_dict({"did": did, "passphrase": passphrase, "nonce": nonces[did], **members})


wallets, escrows, events = api.WalletsApi(client), api.EscrowsApi(client), api.EventsApi(client)
identities, machines, contracts = api.IdentityApi(client), api.MachinesApi(client), api.ContractsApi(client)
info, tasks = api.MarketInformationApi(client), api.MarketTasksApi(client)

ada = identities.create_identity(api.CreateIdentityRequest(passphrase=passphrase)).did
ben = identities.create_identity(api.CreateIdentityRequest(passphrase=passphrase)).did
api.NodeApi(client).get_node()
wallets.claim_faucet(claim_faucet_request=api.ClaimFaucetRequest(did=ada))
wallets.get_nonce(ada)
transfer = signed(api.TransferRequest, ada, to=ben, amount=5)
wallets.transfer(transfer, idempotency_key="tour-transfer")
wallets.list_transactions(ada, type="sent", limit=5)

escrow = escrows.create_escrow(
    signed(
        api.CreateEscrowRequest,
        ada,
        beneficiary=ben,
        amount=10,
        releaseRules=[{"type": "manual"}],
        autoFund=True,
        expiresAt="2099-01-01T00:00:00Z",
    )
)
escrows.release_escrow(escrow.escrow_id, signed(api.ReleaseEscrowRequest, ada, amount=4))
left = escrows.get_escrow(escrow.escrow_id)
escrows.list_escrows(did=ada)
machines.get_machine_history("escrow", escrow.escrow_id)
machines.get_permitted_actions("escrow", escrow.escrow_id)
machines.list_machines()

offer = {"description": "Hourly.", "category": "weather", "tags": ["rain", "hourly"]}
listing = info.create_info_listing(
    signed(
        api.CreateInfoListingRequest,
        ada,
        **offer,
        title="Rainfall",
        pricing={"price": 2},
        infoType="dataset",
        content={"format": "text/csv"},
        accessMethod={"type": "download"},
        license={"type": "CC-BY-4.0"},
    )
)
info.pause_info_listing(listing.listing_id, signed(api.PauseInfoListingRequest, ada))
info.resume_info_listing(listing.listing_id, signed(api.ResumeInfoListingRequest, ada))
info.get_info_listing(listing.listing_id)
search = api.MarketsSearchApi(client).search_markets(tags=["rain", "hourly"], seller=ada, include_facets=True)

task = tasks.create_task_listing(
    signed(
        api.CreateTaskListingRequest,
        ada,
        **offer,
        title="Count",
        pricing={"budget": 9},
        taskType="counting",
        task={"beans": 40},
        timeline={},
    )
)
bid = tasks.create_bid(task.listing_id, signed(api.CreateBidRequest, ben, price=3))
bids = tasks.list_task_bids(task.listing_id)
tasks.accept_bid(task.listing_id, bid.bid_id, signed(api.AcceptBidRequest, ada))

contract = contracts.create_contract(signed(api.CreateContractRequest, ada, provider=ben, terms={"scope": "a logo"}))
agreed = contracts.sign_contract(contract.contract_id, sign_contract_request=signed(api.SignContractRequest, ada))
contracts.get_contract(contract.contract_id)

found = events.list_events(issuer=ada, limit=2)
events.get_event(escrow.resource_prev)
identities.get_identity(ada)
wallets.get_supply()
balance = wallets.get_wallet(ben).balance
try:
    wallets.transfer(signed(api.TransferRequest, ada, to=ben, amount=1_000_000))
    refusal = None
except api.ApiException as error:
    refusal = json.loads(error.body)["code"]

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
