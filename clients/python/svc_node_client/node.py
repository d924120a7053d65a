"""A node, and who signs: the generated operations with nonces, idempotency keys and exceptions."""

from __future__ import annotations

import threading
import time
import typing
import uuid
from types import ModuleType
from typing import Any

import httpx

from .api.wallets import get_wallet
from .client import AuthenticatedClient, Client
from .models import Problem

MOST_CONFLICTS = 5
MOST_ATTEMPTS = 4
REPEATED = (429, 502, 503, 504)


class Refused(Exception):
    """The node answered with a problem document. `code` is stable: match on it."""

    def __init__(self, status: int, problem: Any) -> None:
        self.status = status
        self.problem = problem
        self.code: str = getattr(problem, "code", "") or ""
        self.detail: str = getattr(problem, "detail", "") or ""
        super().__init__(f"{status} {self.code}: {self.detail}")


class Unreachable(Exception):
    """No answer. A write may have taken effect: send it again with the same nonce and idempotency_key to find out."""

    def __init__(self, cause: Exception, nonce: int | None = None, idempotency_key: str | None = None) -> None:
        self.nonce = nonce
        self.idempotency_key = idempotency_key
        super().__init__(str(cause))


class Node:
    """A node at a URL, with or without `/api/v1`.

    >>> node = Node("http://127.0.0.1:9528")
    >>> node.call(get_wallet, did).balance
    """

    def __init__(self, url: str, key: str | None = None, timeout: float = 30.0) -> None:
        limit = httpx.Timeout(timeout)
        url = url.rstrip("/").removesuffix("/api/v1").rstrip("/")
        self.client: Client | AuthenticatedClient = (
            Client(base_url=url, timeout=limit)
            if key is None
            else AuthenticatedClient(base_url=url, token=key, prefix="", auth_header_name="X-Api-Key", timeout=limit)
        )
        self._counters: dict[str, _Counter] = {}
        self._lock = threading.Lock()

    def call(self, operation: ModuleType, *path: Any, **arguments: Any) -> Any:
        """Calls a generated operation; repeats it after 429, 502, 503 and 504. Raises Refused and Unreachable."""
        for attempt in range(MOST_ATTEMPTS):
            is_last = attempt == MOST_ATTEMPTS - 1
            try:
                reply = operation.sync_detailed(*path, client=self.client, **arguments)
            except httpx.HTTPError as error:
                if is_last:
                    raise Unreachable(error) from error
                time.sleep(0.2 * 2**attempt)
                continue
            status = int(reply.status_code)
            if status < 400:
                return reply.parsed
            if status not in REPEATED or is_last:
                raise Refused(status, reply.parsed)
            time.sleep(_pause(reply.headers.get("Retry-After"), attempt))
        raise AssertionError("unreachable")

    def signer(self, did: str, passphrase: str) -> Signer:
        """Signs writes as this DID. All signers of one DID share the count of its nonces."""
        with self._lock:
            counter = self._counters.setdefault(did, _Counter())
        return Signer(self, did, passphrase, counter)

    def close(self) -> None:
        self.client.get_httpx_client().close()


class Signer:
    """Makes the writes of one DID, one after another; may be used by several threads."""

    def __init__(self, node: Node, did: str, passphrase: str, counter: _Counter) -> None:
        self.node = node
        self.did = did
        self._passphrase = passphrase
        self._counter = counter

    def write(self, operation: ModuleType, *path: Any, idempotency_key: str | None = None, **members: Any) -> Any:
        """Calls a generated write with these members of its body, named as in the API.

        >>> ada.write(create_escrow, beneficiary=ben, amount=10, releaseRules=[{"type": "manual"}], autoFund=True)
        >>> ada.write(release_escrow, escrow_id, amount=4)
        """
        body = _body_of(operation)
        key = idempotency_key or str(uuid.uuid4())
        with self._counter.lock:
            for _ in range(MOST_CONFLICTS):
                nonce = self._counter.next(self._read_nonce)
                signed = {"did": self.did, "passphrase": self._passphrase, "nonce": nonce, **members}
                try:
                    reply = self.node.call(operation, *path, body=body.from_dict(signed), idempotency_key=key)
                except Refused as error:
                    if error.status >= 500:
                        self._counter.forget()
                    # Another program signs for the same DID, too: the node knows better.
                    if error.status == 409 and isinstance(_next_nonce(error.problem), int):
                        self._counter.forget()
                        continue
                    raise
                except Unreachable as error:
                    self._counter.forget()
                    raise Unreachable(error, nonce, key) from error
                self._counter.used(nonce)
                return reply
        raise Refused(409, None)

    def _read_nonce(self) -> int:
        return int(self.node.call(get_wallet, self.did).next_nonce)


class _Counter:
    """The next nonce of a DID: asked of the node once, then counted."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self._next: int | None = None

    def next(self, read: typing.Callable[[], int]) -> int:
        if self._next is None:
            self._next = read()
        return self._next

    def used(self, nonce: int) -> None:
        self._next = nonce + 1

    def forget(self) -> None:
        self._next = None


def _body_of(operation: ModuleType) -> Any:
    """The class of an operation's body."""
    hint = typing.get_type_hints(operation.sync_detailed)["body"]
    return next(each for each in typing.get_args(hint) or (hint,) if hasattr(each, "from_dict"))


def _next_nonce(problem: Any) -> Any:
    if not isinstance(problem, Problem):
        return None
    found = problem.to_dict()
    return found.get("nextNonce")


def _pause(retry_after: str | None, attempt: int) -> float:
    asked = float(retry_after) if retry_after is not None and retry_after.isdigit() else 0.0
    return min(max(asked, 0.2 * 2**attempt), 60.0)
