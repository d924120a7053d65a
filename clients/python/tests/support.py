"""A proxy that can lie, and callers whose signatures and outbox are watched."""

import base64
import io
import json
import threading
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from svc_node_client.api.contracts import activate_contract, approve_contract, create_contract, sign_contract, submit_contract
from svc_node_client.api.escrows import create_escrow, release_escrow
from svc_node_client.api.market_capabilities import create_capability_listing, create_lease, invoke_lease, terminate_lease
from svc_node_client.api.market_information import confirm_info_order, create_info_listing, create_info_order, deliver_info_order
from svc_node_client.api.market_tasks import accept_bid, confirm_task_order, create_bid, create_task_listing, deliver_task_order
from svc_node_client.keys import Key


class Proxy(BaseHTTPRequestHandler):
    """Passes requests on to the node at `target`. `lies` gets the path, the status and the JSON of each reply, and returns both."""

    # `withheld`, if it is a list: the first submission is refused and kept there; each later one is replaced by it.
    target, lies, withheld = "", None, None
    passed_headers = ("Content-Type", "Idempotency-Key", "Svc-Reader")

    def __init_subclass__(cls):
        # Submitted writes; all bodies; path and API key of each request; the homes that proofs of who reads are for.
        cls.submitted, cls.bodies, cls.seen, cls.readers = [], [], [], []

    def do_GET(self):
        self.pass_on(None)

    def do_POST(self):
        self.pass_on(self.rfile.read(int(self.headers["Content-Length"])))

    def pass_on(self, body):
        kind = type(self)
        if body:
            kind.bodies.append(body.decode())
        kind.seen.append((self.path, self.headers.get("X-Api-Key")))
        if self.path == "/api/v1/events":
            kind.submitted.append(json.loads(body))
        if proof := self.headers.get("Svc-Reader"):
            text = proof.split(".")[1]
            kind.readers.append(json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))["home"])
        is_withheld = kind.withheld == [] and self.path == "/api/v1/events"
        if kind.withheld is not None and self.path == "/api/v1/events":
            kind.withheld = kind.withheld or [body]
            body = kind.withheld[0]
        headers = {name: self.headers[name] for name in self.passed_headers if self.headers[name]}
        request = urllib.request.Request(f"{self.target}{self.path}", body, headers, method=self.command)
        try:
            if is_withheld:
                raise urllib.error.HTTPError(self.path, 409, "", None, io.BytesIO(b'{"code":"CONFLICT"}'))
            with urllib.request.urlopen(request) as reply:
                status, text = reply.status, reply.read()
        except urllib.error.HTTPError as error:
            status, text = error.code, error.read()
        told = json.loads(text)
        if kind.lies is not None:
            status, told = kind.lies(self.path, status, told)
        if status is None:
            self.close_connection = True
            return
        text = json.dumps(told).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        if status == 307:
            self.send_header("Location", f"{self.target}{self.path}")
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_):
        pass


def serving(handler):
    """Starts it on a free port. Returns its URL."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}"


class Watched(Key):
    """Notes what it signs, except who reads."""

    def __init__(self, seed=None):
        super().__init__(seed)
        self.signed = []

    def sign(self, text):
        if not (text if isinstance(text, bytes) else text.encode()).startswith(b"svc:reader:v1:"):
            self.signed.append(text)
        return super().sign(text)


def trade(ada, ben):
    """Ada buys from Ben in each market, and pays by an escrow and a contract; 1 + 3 + 2 + 4 + 5 Tokens."""
    shown = {"title": "Rain", "description": "By day.", "category": "weather", "tags": []}
    sold = ben.write(
        create_info_listing,
        **{**shown, "pricing": {"price": 1}, "info_type": "dataset", "content": {"format": "text/plain", "data": "rain"}},
        **{"access_method": {"type": "download"}, "license": {"type": "CC0-1.0"}},
    )
    order = ada.write(create_info_order, sold.listing_id, most=1)
    ben.write(deliver_info_order, sold.listing_id, order_id=order.order_id)
    assert ada.open_order(order.order_id).content == "rain"
    ada.write(confirm_info_order, sold.listing_id, order_id=order.order_id)

    task = ada.write(create_task_listing, **shown, pricing={"budget": 9}, task_type="counting", task={"beans": 40}, timeline={})
    bid = ben.write(create_bid, task.listing_id, price=3)
    order = ada.write(accept_bid, task.listing_id, bid.bid_id, most=3)
    envelope = {"type": "text", "format": "text/plain", "name": "beans", "transport": {"method": "inline", "data": "40"}}
    delivery = {"deliverables": [], "delivery": {"envelope": envelope}}
    ben.write(deliver_task_order, task.listing_id, order_id=order["orderId"], **delivery)
    ada.write(confirm_task_order, task.listing_id, order_id=order["orderId"])

    capability = ben.write(
        create_capability_listing,
        **{**shown, "capability_type": "translation", "capability": {"languages": 2}, "quota": {}, "access": {"type": "endpoint"}},
        pricing={"usagePrice": {"unit": "call", "pricePerUnit": 1}},
    )
    lease = ada.write(create_lease, capability.listing_id, plan={"budget": 10}, credentials={"user": "ada"}, most=10)
    assert ben.open_lease(lease.lease_id).credentials.to_dict() == {"user": "ada"}
    ada.write(invoke_lease, lease.lease_id, units=2)
    ada.write(terminate_lease, lease.lease_id)

    escrow = ada.write(create_escrow, beneficiary=ben.did, amount=4, release_rules=[{"type": "manual"}], auto_fund=True, most=4)
    ada.write(release_escrow, escrow.escrow_id, amount=4)

    milestones = [{"id": "m1", "title": "A sketch", "amount": 5}]
    contract = ada.write(
        create_contract, provider=ben.did, terms={"scope": "a logo"}, payment={"totalAmount": 5}, milestones=milestones
    )
    for signer in (ada, ben):
        signer.write(sign_contract, contract.contract_id, terms_hash=contract.terms_hash)
    ada.write(activate_contract, contract.contract_id, amount=5, most=5)
    ben.write(submit_contract, contract.contract_id, "m1", **delivery)
    ada.write(approve_contract, contract.contract_id, "m1")


class Kept:
    """An outbox in memory."""

    def __init__(self):
        self.writes = {}

    def put(self, write):
        self.writes[write["event"]["hash"]] = write

    def drop(self, write):
        del self.writes[write["event"]["hash"]]
