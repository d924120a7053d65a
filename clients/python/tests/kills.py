"""A program that is killed again and again while several of its writes are in flight: its outbox tells how they have ended, so that
each payment is made once. Against the node at a URL.

    python kills.py URL [kills]
"""

import json
import os
import random
import secrets
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from svc_node_client import Node, Refused
from svc_node_client.api.events import list_events
from svc_node_client.api.wallets import claim_faucet, transfer
from svc_node_client.keys import Key

PAYMENTS = 60


class Files:
    """Keeps writes until what they were for is noted: a program can be killed between a reply and its note."""

    def __init__(self, folder):
        self.folder = Path(folder)

    def put(self, write):
        part = self.folder / f"{secrets.token_hex(8)}.part"
        with part.open("w") as file:
            json.dump(write, file)
            file.flush()
            os.fsync(file.fileno())
        part.rename(self.folder / write["event"]["hash"])

    def drop(self, write):
        pass

    def kept(self):
        writes = [json.loads(path.read_text()) for path in self.folder.iterdir() if len(path.name) == 64]
        return sorted(writes, key=lambda write: write["event"]["nonce"])

    def note(self, amount):
        (self.folder / f"done-{amount}").touch()

    def is_done(self, amount):
        return (self.folder / f"done-{amount}").exists()


def pays(url, folder, seed, to):
    """Makes each payment that is not noted. What an earlier program has left comes first, in the order of the nonces."""
    files = Files(folder)
    signer = Node(url).signer(key=Key(bytes.fromhex(seed)), outbox=files)
    for write in files.kept():
        try:
            files.note(signer.again(write)["amount"])
        except Refused as error:
            # Another one is in its place.
            assert error.write is None, error
        (files.folder / write["event"]["hash"]).unlink()

    def pay(amount):
        files.note(signer.write(transfer, to=to, amount=amount).amount)
        print(amount, flush=True)

    with ThreadPoolExecutor(8) as threads:
        [*threads.map(pay, [amount for amount in range(1, PAYMENTS + 1) if not files.is_done(amount)])]


def main(url, kills):
    key, to, node = Key(seed := secrets.token_bytes(32)), Key().did, Node(url)
    for _ in range(PAYMENTS * (PAYMENTS + 1) // 200 + 1):
        node.call(claim_faucet, body={"did": key.did})
    with tempfile.TemporaryDirectory() as folder:
        program = [sys.executable, __file__, "pays", url, folder, seed.hex(), to]
        for left in range(kills, -1, -1):
            with subprocess.Popen(program, stdout=subprocess.PIPE, text=True) as child:
                assert child.stdout is not None
                # After some payments, somewhere among the next.
                for _ in range(random.randint(1, 2 * PAYMENTS // (kills + 1)) if left else PAYMENTS):
                    if not child.stdout.readline():
                        break
                if left:
                    child.kill()
            assert left or child.returncode == 0, child.returncode
    events, after = [], 0
    while after is not None:
        page = node.call(list_events, issuer=key.did, limit=100, after=after)
        events += page["events"]
        after = page["next"]
    amounts = [entry["payload"]["input"]["amount"] for entry in events]
    assert sorted(amounts) == [*range(1, PAYMENTS + 1)], sorted(amounts)
    print(f"{PAYMENTS} payments, {kills} kills")


if sys.argv[1] == "pays":
    pays(*sys.argv[2:])
else:
    main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 8)
