"""A node, and who signs: the generated operations with nonces, idempotency keys and exceptions."""

from __future__ import annotations

import copy
import datetime
import inspect
import json
import re
import threading
import time
import typing
import urllib.parse
import uuid
from collections.abc import Iterator, Mapping, Sequence
from types import ModuleType
from typing import Any

import httpx
from httpx_sse import connect_sse

from .api.wallets import get_wallet
from .client import AuthenticatedClient, Client

if typing.TYPE_CHECKING:
    from .keys import HeldKey
    from .signing import KeySigner, KnownEvents, Outbox

MOST_CONFLICTS = 5
MOST_ATTEMPTS = 4
REPEATED = (429, 502, 503, 504)
# Seconds after which a silent stream counts as broken.
MOST_SILENCE = 45.0

# Homes by DID, or any.
AcceptedHomes = Sequence[str] | typing.Literal["any"]
# An id that names its home.
_AT_HOME = re.compile("([^~]+)~(did:svc:z[1-9A-HJ-NP-Za-km-z]+)")

TimeOf = typing.Callable[[datetime.datetime], str | int]


class Refused(Exception):
    """The node answered with an error. `code` is stable: match on it. `problem` is the whole problem document."""

    def __init__(self, status: int, problem: Mapping[str, Any], at: str | None = None) -> None:
        # The DID of the home that has answered, if it is another than one's own.
        self.at = at
        self.status = status
        self.problem = problem
        # The write that was signed with the caller's own key, if it is not known whether it takes effect: `again` finds out.
        self.write: dict[str, Any] | None = None
        # Whether the request was sent before, so that an earlier attempt may have been accepted.
        self.is_repeated = False
        # Whether an event was signed with the caller's own key for this call: it may still take effect here.
        self.is_signed = False
        self.code = str(problem.get("code", ""))
        self.detail = str(problem.get("detail", ""))
        where = f"{at}, where Tokens of other homes do not count" if self.code == "INSUFFICIENT_BALANCE" else at
        super().__init__(f"{status} {self.code}: {self.detail}" + (f" (at {where})" if at else ""))


class Unreachable(Exception):
    """No answer. A write may have taken effect: send it again with the same nonce and idempotency_key to find out."""

    def __init__(self, cause: Exception, nonce: int | None = None, idempotency_key: str | None = None) -> None:
        self.nonce = nonce
        self.idempotency_key = idempotency_key
        # The write that was signed with the caller's own key: `again` finds out.
        self.write: dict[str, Any] | None = None
        super().__init__(str(cause))


class WrongHome(Exception):
    """What answers at a URL is not the home that its caller has named."""


class Unchecked(Exception):
    """What is shown of an event of another home is not in the journal that the node follows, or was not compared with it."""


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
        self._known: dict[str, KnownEvents] = {}
        self._lock = threading.Lock()
        self._headers: typing.Callable[[], dict[str, str]] = dict
        self._timeout = timeout
        # Of a node that `at` has made: the one that it was asked of, and what its caller has accepted.
        self._own = self
        self._place: dict[str, Any] = {}
        # What is known of each DID at other homes, by home.
        self._elsewhere: dict[str, dict[str, KnownEvents]] = {}

    def with_headers(self, headers: typing.Callable[[], dict[str, str]]) -> Node:
        """The same node, with further headers for each request."""
        other = copy.copy(self)
        other._headers = headers
        return other

    def at(self, home: Any, *, url: str | None = None, key: str | None = None) -> Node:
        """The node of another home: its DID, or what a read has found, whose home is this one if it names none.

        `url`: where it is; without it, this node asks that home. `key`: an API key of that home; nothing of this one is sent there.
        Raises WrongHome if another home answers, or one on another network.

        >>> node.at(listing).call(get_wallet, did).balance
        """
        named = home if isinstance(home, str) else _home_in(home)
        if not named:
            return self
        own, place = self._own, self._own._said_place()
        # What is proven to a home must not be proven to a node that calls itself by its name.
        with own._lock:
            if any(known.home not in (None, place["home"]) for known in own._known.values()):
                raise WrongHome(f"the node says {place['home']}, and has had another home")
        if named == place["home"]:
            return own
        if url is None:
            stated = members_of(own.request({"method": "get", "url": f"/api/v1/homes/{urllib.parse.quote(named, safe='')}"}))
            if not _has_stated(named, place["network"], stated):
                raise WrongHome(f"the node does not show where {named} has said that it is. State the url")
            url = _followable(named, stated.get("url"), own.client)
        there = Node(url, key, own._timeout)
        place = {**place, "home": named}
        if (said := there._said_place()) != place:
            raise WrongHome(f"{url} is {said['home']} on {said['network']}, not {named} on {place['network']}")
        with own._lock:
            there._known = own._elsewhere.setdefault(named, {})
        there._own, there._lock, there._place = own, own._lock, place
        return there

    def _said_place(self) -> dict[str, Any]:
        said = members_of(self.request({"method": "get", "url": "/api/v1/node"}))
        return {name: said.get(name) for name in ("home", "network")}

    def call(self, operation: ModuleType, *path: Any, body: Any = None, **arguments: Any) -> Any:
        """Calls a generated operation; `request` says what it repeats and raises.

        `body` is a model, or a mapping with the members of one.

        >>> node.call(list_escrows, did=ada, limit=5).escrows
        """
        if body is not None:
            arguments["body"] = Body(plain_body(body))
        if "idempotency_key" in inspect.signature(operation.sync_detailed).parameters:
            arguments.setdefault("idempotency_key", str(uuid.uuid4()))
        request = operation._get_kwargs(*path, **arguments)
        if "params" in request:
            # Of the plain name, a single value would be split at its commas.
            query = request["params"].items()
            request["params"] = {f"{name}[]" if isinstance(value, list) else name: value for name, value in query}
        reply = self.request(request)
        return operation._build_response(client=self.client, response=reply).parsed

    def request(self, request: dict[str, Any]) -> httpx.Response:
        """Sends a request, as the arguments of httpx; repeats it after 429, 502, 503 and 504. Raises Refused and Unreachable."""
        for attempt in range(MOST_ATTEMPTS):
            is_last = attempt == MOST_ATTEMPTS - 1
            headers = {**self._headers(), **request.get("headers", {})}
            try:
                reply = self.client.get_httpx_client().request(**{**request, "headers": headers})
            except httpx.HTTPError as error:
                if is_last:
                    raise Unreachable(error) from error
                time.sleep(0.2 * 2**attempt)
                continue
            if reply.is_success:
                return reply
            if reply.is_redirect:
                raise Unreachable(httpx.HTTPError("a redirect, which a node never sends"))
            if reply.status_code not in REPEATED or is_last:
                refused = _refused(reply, self._place.get("home"))
                refused.is_repeated = attempt > 0
                raise refused
            time.sleep(_pause(reply.headers.get("Retry-After"), attempt))
        raise AssertionError("unreachable")

    def until_checked(self, event_hash: str, home: str, seconds: float = 60.0) -> dict[str, Any]:
        """Waits until an event of another home is in the journal that this node follows of that home; the entry, with `checked`.

        Raises Unchecked if what the home shows is not in it, and TimeoutError if that is not known in time, as while the home is away
        or does not show the event; no request begins after these seconds.

        >>> node.until_checked(reply.event_hash, listing.home)
        """
        path = urllib.parse.quote(f"{event_hash}~{home}", safe="")
        end, pause = time.monotonic() + seconds, 0.1
        while True:
            try:
                entry = members_of(self.request({"method": "get", "url": f"/api/v1/events/{path}"}))
                checked = entry.get("checked") or {"violation": "the node asked is of that home"}
                if checked.get("violation") is not None:
                    raise Unchecked(f"the event {event_hash} of {home}: {checked['violation']}")
                if checked.get("followed") == 1:
                    return entry
                last = "not followed"
            except (Refused, Unreachable) as error:
                if isinstance(error, Refused) and error.status < 500 and error.status not in (404, 429):
                    raise
                last = f"not shown ({error})"
            if time.monotonic() + pause > end:
                raise TimeoutError(f"the event {event_hash} of {home} was still {last} after {seconds} s")
            time.sleep(pause)
            pause = min(2 * pause, 2.0)

    def follow(self, after: int | str = 0, **filters: Any) -> Iterator[dict[str, Any]]:
        """The entries of the journal after this one, then new ones as they come, without end. Raises Refused.

        Reconnects after a failure, and when nothing has come for 45 s (the node sends a heartbeat every 15 s); no entry is missed or
        repeated.

        To resume, give `after` as f"{entry['seq']}.{entry['chainHash'][:8]}": Refused with status 409 then says that the journal does
        not have that entry, as after an older backup was restored; `problem["head"]` is the number of its newest.

        >>> for entry in node.follow(after=0, issuer=ada): ...
        """
        client = self.client.get_httpx_client()
        failures = 0
        while True:
            retry_after = None
            query, headers = {**filters, "after": after}, self._headers()
            try:
                with connect_sse(
                    client, "GET", "/api/v1/events/stream", params=query, headers=headers, timeout=MOST_SILENCE
                ) as source:
                    reply = source.response
                    if reply.status_code >= 500 or reply.status_code == 429:
                        retry_after = reply.headers.get("Retry-After")
                    elif reply.status_code >= 400:
                        reply.read()
                        raise _refused(reply, self._place.get("home"))
                    else:
                        for event in source.iter_sse():
                            if not event.data:
                                continue
                            entry = json.loads(event.data)
                            after, failures = event.id, 0
                            yield entry
            except httpx.HTTPError:
                pass
            time.sleep(_pause(retry_after, failures))
            failures += 1

    @typing.overload
    def signer(self, did: str, passphrase: str, *, homes: AcceptedHomes = ()) -> Signer: ...
    @typing.overload
    def signer(
        self,
        *,
        key: HeldKey,
        outbox: Outbox | None = None,
        home: str | None = None,
        network_arbiter: str | None = None,
        homes: AcceptedHomes = (),
    ) -> KeySigner: ...
    def signer(self, did: str = "", passphrase: str = "", *, key: HeldKey | None = None, **options: Any) -> Signer | KeySigner:
        """Signs writes as this DID, or with this key, which the node does not see. All signers of one DID share what they know of it.

        `homes`: other homes on whose resources it writes without being told to, or "any".

        `outbox` keeps signed writes until their reply. `home`: the DID of the node's home; without it, that of the first answer counts
        from then on. `network_arbiter`: the arbiter of the network that may decide disputes of the caller; without it, none may.
        """
        if key is not None:
            from .signing import KeySigner, KnownEvents

            with self._lock:
                known = self._known.setdefault(key.did, KnownEvents(**self._place))
            return KeySigner(self, key, known, **options)
        return Signer(self, did, passphrase, **options)

    def _counter_of(self, wallet: str) -> _Counter:
        with self._lock:
            return self._counters.setdefault(wallet, _Counter())

    def close(self) -> None:
        self.client.get_httpx_client().close()


class Signer:
    """Makes the writes of one DID, one after another; may be used by several threads."""

    def __init__(self, node: Node, did: str, passphrase: str, homes: AcceptedHomes = ()) -> None:
        self.node = node
        self.did = did
        self._passphrase = passphrase
        self._homes = homes
        self._counter = node._counter_of(did)

    def write(self, operation: ModuleType, *path: Any, idempotency_key: str | None = None, **members: Any) -> Any:
        """Calls a generated write with these members of its body, named as in the API or in Python's way.

        >>> ada.write(create_escrow, beneficiary=ben, amount=10, release_rules=[{"type": "manual"}], auto_fund=True)
        >>> ada.write(release_escrow, escrow_id, amount=4)
        """
        key = idempotency_key or str(uuid.uuid4())

        def here(*path: Any, **members: Any) -> Any:
            return self._written(operation, path, plain_body(members), key)

        def there(home: str, *path: Any, **members: Any) -> Any:
            return here(*path, **{**members, "home": home})

        return here(*path, **members) if "home" in members else wherever(self._homes, there, here, path, members)

    def _written(self, operation: ModuleType, path: tuple[Any, ...], given: dict[str, Any], key: str) -> Any:
        wallet = f"{self.did}~{given['home']}" if "home" in given else self.did
        counter = self.node._counter_of(wallet)
        conflict: Refused | None = None
        with counter.lock:
            for _ in range(MOST_CONFLICTS):
                nonce = counter.next(lambda: int(self.node.call(get_wallet, wallet).next_nonce))
                signed = {"did": self.did, "passphrase": self._passphrase, "nonce": nonce, **given}
                try:
                    reply = self.node.call(operation, *path, body=signed, idempotency_key=key)
                except Refused as error:
                    if error.status >= 500:
                        counter.forget()
                    # Another program signs for the same DID, too: the node knows better.
                    if error.status == 409 and isinstance(error.problem.get("nextNonce"), int):
                        counter.forget()
                        conflict = error
                        continue
                    raise
                except Unreachable as error:
                    counter.forget()
                    raise Unreachable(error, nonce, key) from error
                counter.used(nonce)
                return reply
        assert conflict is not None
        raise conflict

    def batch(self, writes: Sequence[tuple[Any, ...]], idempotency_keys: Sequence[str] | None = None) -> list[Any]:
        """Sends up to 100 writes in one request, in this order. For each there is its reply, or the Refused that it got.

        Without an answer, the outcome of each write that is not known is an Unreachable with its nonce and idempotency_key: what
        was accepted replies again to the same nonce and key. Keys of the caller's are for finding out after the program has ended.

        >>> ada.batch([(transfer, {"to": ben, "amount": 5}), (release_escrow, escrow_id, {"amount": 4})])
        """
        outcomes: list[Any] = [None] * len(writes)
        keys = idempotency_keys or [str(uuid.uuid4()) for _ in writes]
        places = list(range(len(writes)))
        with self._counter.lock:
            # A round that decides nothing is a conflict with another program.
            rounds = 0
            while places and rounds < MOST_CONFLICTS:
                try:
                    nonce = self._counter.next(self._read_nonce)
                except (Refused, Unreachable):
                    if len(places) == len(writes):
                        raise
                    break
                # A refused write has used no nonce: the node is asked again.
                self._counter.forget()
                items = []
                for place in places:
                    operation, *path, members = writes[place]
                    body = {"did": self.did, "passphrase": self._passphrase, "nonce": nonce + len(items), **plain_body(members)}
                    url = operation._get_kwargs(*path, body=Body(body))["url"]
                    items.append({"path": url, "idempotencyKey": keys[place], "body": body})
                try:
                    answers = self._answers(items)
                except Unreachable as error:
                    for place, item in zip(places, items):
                        outcomes[place] = Unreachable(error, item["body"]["nonce"], keys[place])
                    break
                conflicts = []
                for place, answer in zip(places, answers):
                    response = httpx.Response(answer["status"], json=answer["body"])
                    if response.is_success:
                        outcomes[place] = writes[place][0]._build_response(client=self.node.client, response=response).parsed
                        continue
                    outcomes[place] = _refused(response)
                    if response.status_code == 409 and isinstance(answer["body"].get("nextNonce"), int):
                        conflicts.append(place)
                if len(conflicts) == len(places):
                    rounds += 1
                places = conflicts
        return outcomes

    def _answers(self, items: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """The answers to these writes, in their places. What cannot be answered now is sent again as it is, as a request is."""
        answers: list[Any] = [None] * len(items)
        places = list(range(len(items)))
        for attempt in range(MOST_ATTEMPTS):
            sent = {"items": [items[place] for place in places]}
            try:
                reply = self.node.request({"method": "post", "url": "/api/v1/batch", "json": sent})
            except (Refused, Unreachable):
                if attempt == 0:
                    raise
                break
            for place, answer in zip(places, reply.json()["items"]):
                answers[place] = answer
            places = [place for place in places if answers[place]["status"] in REPEATED]
            if not places:
                break
            if attempt < MOST_ATTEMPTS - 1:
                waits = [answers[place].get("headers", {}).get("Retry-After") for place in places]
                time.sleep(max(_pause(wait, attempt) for wait in waits))
        return answers

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


class Body:
    """A request body as generated operations take it. The node names what is wrong with it, or missing."""

    def __init__(self, members: dict[str, Any]) -> None:
        self._members = members

    def to_dict(self) -> dict[str, Any]:
        return self._members


def wherever(
    homes: AcceptedHomes,
    there: typing.Callable[..., Any],
    here: typing.Callable[..., Any],
    path: tuple[Any, ...],
    members: Mapping[str, Any],
    may_move: bool = True,
) -> Any:
    """Makes a write at the home that an id in it names (`ord-1~did:svc:…`), or the node's refusal, if that home is accepted.

    By a refusal alone it moves only if it `may_move`, and only before an event is signed for it: else a node could have it made twice.
    """
    named: str | None = None

    def bare(value: Any) -> Any:
        nonlocal named
        found = _AT_HOME.fullmatch(value) if isinstance(value, str) else None
        if found is None or found[2] != (named or found[2]):
            return value
        named = found[2]
        return found[1]

    def accepts(home: str) -> bool:
        return homes == "any" or home in homes

    bare_path = [bare(part) for part in path]
    bare_members = {name: bare(value) if re.search("_id$|Id$|^ref$", name) else value for name, value in members.items()}
    if named is not None and accepts(named):
        return there(named, *bare_path, **bare_members)
    try:
        return here(*path, **members)
    except Refused as error:
        home = named or error.problem.get("home")
        if not isinstance(home, str) or not may_move or (error.is_signed and accepts(home)):
            raise
        if accepts(home):
            return there(home, *path, **members)
        error.args = (f"{error}. Use at({home!r}), or name this home in `homes` of the signer",)
        raise


def plain_body(members: Any, time_of: TimeOf = datetime.datetime.isoformat) -> dict[str, Any]:
    """The JSON of a body, with the API's names."""
    return {_named(name): value for name, value in _plain(members, time_of).items()}


def _named(name: str) -> str:
    """The API's name of a member: `release_rules` is `releaseRules`, and `type_` is `type`."""
    return re.sub(r"_([a-z0-9])", lambda found: found[1].upper(), name).rstrip("_")


def _plain(value: Any, time_of: TimeOf) -> Any:
    if hasattr(value, "to_dict"):
        return value.to_dict()
    if isinstance(value, Mapping):
        return {name: _plain(each, time_of) for name, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(each, time_of) for each in value]
    if isinstance(value, datetime.datetime):
        return time_of(value)
    return value


def _home_in(found: Any) -> str | None:
    home = found.get("home") if isinstance(found, Mapping) else getattr(found, "home", None)
    return home if isinstance(home, str) else None


def _has_stated(home: str, network: Any, stated: Mapping[str, Any]) -> bool:
    """Whether the home has signed these ten minutes that its API is there: its own node only passes that on. Needs the extra `keys`."""
    from .keys import signed_by
    from .prepared import canonical

    moment = stated.get("time")
    if type(moment) is not int or abs(moment - time.time() * 1000) > 600_000:
        return False
    text = canonical({"home": home, "network": network, "time": moment, "url": stated.get("url")})
    try:
        return signed_by(home, "svc:home:v1:" + text.decode(), stated.get("sig"))
    except ValueError:
        return False


def _followable(home: str, stated: Any, own: Client | AuthenticatedClient) -> str:
    """The URL that another home states, if it may be asked: encrypted, or on this machine if one's own node is."""
    try:
        url = httpx.URL(stated)
    except (TypeError, httpx.InvalidURL):
        url = httpx.URL()
    is_local = url.scheme == "http" and _is_local(url) and _is_local(own.get_httpx_client().base_url)
    if (url.scheme == "https" or is_local) and url.host and not (url.userinfo or url.query or url.fragment):
        return str(url)
    raise WrongHome(f"{home} says that it is at {stated!r}: only https is followed from here. State the url")


def _is_local(url: httpx.URL) -> bool:
    return re.fullmatch(r"localhost|::1|127(\.\d{1,3}){3}", url.host) is not None


def _refused(reply: httpx.Response, at: str | None = None) -> Refused:
    """With the problem document; something in front of the node may have answered with another text."""
    return Refused(reply.status_code, members_of(reply) or {"detail": reply.text[:200]}, at)


def members_of(reply: httpx.Response) -> dict[str, Any]:
    """Those of its JSON; none if it is something else."""
    try:
        found = reply.json()
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _pause(retry_after: str | None, attempt: int) -> float:
    asked = float(retry_after) if retry_after is not None and retry_after.isdecimal() else 0.0
    return min(max(asked, 0.2 * 2 ** min(attempt, 9)), 60.0)
