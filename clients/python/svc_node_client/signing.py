"""Writes that are signed with the caller's own key (docs/signing.md): the node says what to sign, and gets a signature only for
what the caller asked for. Needs the extra `keys`.
"""

from __future__ import annotations

import contextlib
import re
import threading
import time
import urllib.parse
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any, Protocol

import httpx

from .completed import Completed, Completing, completed
from .keys import Agreement, HeldKey, agreement_in, base64url, public_key_of
from .models import OpenedDelivery, OpenedLease
from .node import MOST_CONFLICTS, AcceptedHomes, Body, Node, Refused, Unreachable, members_of, plain_body, wherever
from .opening import opened_delivery, opened_lease
from .prepared import (
    Asked,
    SigningError,
    UnexpectedPayload,
    built,
    canonical,
    check_payload,
    event_hash_and_message,
    matches,
    milliseconds,
    milliseconds_in,
    number_of,
    payload_hash,
)
from .shown_entry import is_signed
from .signed_actions import ACTIONS

# A signed write as it is sent: the same again gives the same reply, and is never a second write.
SignedWrite = dict[str, Any]

# Between two looks for an event that is not on disk yet, seconds.
_NOT_SHOWN_S = 0.02
_BOUNDS = ("nonce", "prev", "ts", "most", "until")
_EVENT = {"v", "type", "issuer", "pub", "home", "network", "nonce", "prev", "ts", "most", "until"}
# How far the node's clock may differ from this one, and how long an event lives at most.
_TEN_MINUTES_MS = 600_000
# How long an event lives that the client builds.
_BUILT_MS = 60_000
# How long a proof of who reads is sent: half of what a node accepts, because clocks differ.
_PROOF_MS = 150_000
_TYPE = re.compile("[a-z.-]{1,200}")
_HASH = re.compile("[0-9a-f]{64}")


class Outbox(Protocol):
    """Keeps signed writes whose reply has not come, so that a program that ends does not lose them."""

    def put(self, write: SignedWrite) -> None:
        """Returns once the write is safe: it is sent after that."""

    def drop(self, write: SignedWrite) -> None:
        """The write has its reply, or can never take effect. What this raises does not hide that reply."""


class KnownEvents:
    """What is known of a DID at a node."""

    def __init__(self, home: str | None = None, network: str | None = None) -> None:
        self.lock = threading.Lock()
        self.home = home
        self.network = network
        # Nonce and hash of the newest event that this program has signed and knows to be accepted.
        self.last: tuple[int, str] | None = None
        # How far the node's clock is ahead, ms, as the newest prepared event showed it.
        self.ahead_ms = 0
        # Whether an event has got no answer since, so that only the node knows which is the newest.
        self.is_lost = False
        # Nonces of events that were signed after it and refused, by hash.
        self.refused: dict[str, int] = {}

    def accepted(self, event: Mapping[str, Any]) -> None:
        if self.last is None or event["nonce"] > self.last[0]:
            self.last = (event["nonce"], event["hash"])
        self.refused = {hash: nonce for hash, nonce in self.refused.items() if nonce > event["nonce"]}


class KeySigner:
    """Makes the writes of one DID, one after another, because each event names the one before; may be used by several threads."""

    def __init__(
        self,
        node: Node,
        key: HeldKey,
        known: KnownEvents,
        outbox: Outbox | None = None,
        home: str | None = None,
        network_arbiter: str | None = None,
        homes: AcceptedHomes = (),
    ) -> None:
        with known.lock:
            if home is not None and home != (known.home or home):
                raise SigningError(f"the node has had the home {known.home}")
            known.home = home or known.home
        self._anonymous = node
        # Reads as the DID of the key.
        self.node = node.with_headers(self._reader)
        self._proof = (0, "")
        self.did = key.did
        self._key = key
        self._known = known
        self._outbox = outbox
        self._network_arbiter = network_arbiter
        self._homes = homes
        # Signers at other homes, which it has gone to by itself.
        self._there: dict[str, KeySigner] = {}

    def at(self, home: Any, *, url: str | None = None, key: str | None = None) -> KeySigner:
        """The same signer at another home, with nonces of its own there; as `Node.at`. Tokens do not come along.

        >>> there = ada.at(listing)
        >>> there.write(create_info_order, listing.listing_id)
        """
        node = self._anonymous.at(home, url=url, key=key)
        if node is self._anonymous:
            return self
        return node.signer(key=self._key, outbox=self._outbox, network_arbiter=self._network_arbiter)

    def write(self, operation: ModuleType, *path: Any, **members: Any) -> Any:
        """Calls a generated write with these members of its body. `most`: the Tokens that it may cost; `until`: when it ends.

        A write on a resource of another home goes there, if `homes` has that home, but not what names none: a transfer, a new escrow.

        >>> ada.write(transfer, to=ben, amount=5, most=5)
        """

        action, parameters = _action_at(_url_of(operation._get_kwargs(*path, body=Body({}))))
        may_move = action.get("id") != "signer" and (action["action"] != "create" or bool(parameters))

        def here(*path: Any, **members: Any) -> Any:
            # What may have to move is prepared: its refusal comes before an event is signed.
            return self._written(operation, path, members, may_build=not (may_move and self._homes))

        def there(home: str, *path: Any, **members: Any) -> Any:
            signer = self._there[home] = self._there.get(home) or self.at(home)
            try:
                return signer._written(operation, path, members)
            except Unreachable:
                # It may have moved.
                self._there.pop(home, None)
                raise

        return wherever(self._homes, there, here, path, members, may_move)

    def _written(self, operation: ModuleType, path: tuple[Any, ...], members: Mapping[str, Any], may_build: bool = True) -> Any:
        writes: list[SignedWrite] = []
        try:
            return self._made(operation, path, members, may_build, writes)
        except Refused as error:
            error.is_signed = bool(writes)
            raise

    def _made(
        self, operation: ModuleType, path: tuple[Any, ...], members: Mapping[str, Any], may_build: bool, writes: list[SignedWrite]
    ) -> Any:
        """Adds each write that it signs to these."""
        with self._known.lock:
            request, asked, made = self._asked(operation, path, members)
            bounds = _bounds(members)
            # What the client has built and the node refuses is prepared: that gives the refusal of the action.
            built = self._built(asked, bounds) if may_build else None

            def parsed(reply: httpx.Response) -> Any:
                if made.kept:
                    reply = httpx.Response(reply.status_code, json={**members_of(reply), **made.kept})
                found = operation._build_response(client=self.node.client, response=reply).parsed
                if found is None:
                    raise ValueError(f"status {reply.status_code}")
                return found

            for conflicts in range(0 if built is None else -1, MOST_CONFLICTS + 1):
                prepared = built if built is not None and conflicts < 0 else self._checked(request, asked, made, bounds)
                write = self._signed(prepared, made)
                writes.append(write)
                try:
                    return self._sent(write, parsed)
                except Refused as error:
                    if write["event"]["hash"] not in self._known.refused:
                        raise
                    if conflicts >= 0 and ("nonce" in bounds or error.problem.get("nextNonce") is None or conflicts == MOST_CONFLICTS):
                        raise
        raise AssertionError("unreachable")

    def call(self, operation: ModuleType, *path: Any, **arguments: Any) -> Any:
        """Calls a generated operation that reads, as the DID of the key.

        >>> ada.call(get_info_delivery, order_id)
        """
        return self.node.call(operation, *path, **arguments)

    def open_order(self, order_id: str) -> OpenedDelivery:
        """What was delivered for an order, decrypted with the key. Raises SigningError if the key does not open it."""
        return OpenedDelivery.from_dict(opened_delivery(self._read, self._agreement(), order_id))

    def open_lease(self, lease_id: str) -> OpenedLease:
        """The credentials of a lease, for its lessor. Raises SigningError if the key does not open them."""
        return OpenedLease.from_dict(opened_lease(self._read, self._agreement(), lease_id))

    def _agreement(self) -> Agreement:
        agreement = agreement_in(self._key)
        if agreement is None:
            raise SigningError("this key has no agreement: it opens nothing")
        return agreement

    def _reader(self) -> dict[str, str]:
        """`Svc-Reader` (docs/reference/access.md#readers). Signed again when half of its life is over."""
        now = round(time.time() * 1000)
        expires, proof = self._proof
        if not now + _PROOF_MS // 2 < expires <= now + _PROOF_MS:
            self._place()
            expires = now + _PROOF_MS
            home, network = self._known.home, self._known.network
            text = canonical({"did": self.did, "exp": expires, "home": home, "network": network}).decode()
            proof = f"v1.{base64url(text.encode())}.{self._key.sign(f'svc:reader:v1:{text}')}"
            self._proof = (expires, proof)
        return {"Svc-Reader": proof}

    def outcome(self, operation: ModuleType, *path: Any, **members: Any) -> Any:
        """What a write would do, as the node says. Nothing is written, and nothing is signed for it."""
        with self._known.lock:
            request, asked, _ = self._asked(operation, path, members)
            return self._prepared(request, asked, _bounds(members)).get("outcome")

    def again(self, write: SignedWrite) -> Any:
        """Sends a write of the outbox again; the JSON of its reply. One for another home is sent by the signer that is `at` it."""
        with self._known.lock:
            self._place()
            home = write["event"]["home"]
            if home != self._known.home:
                raise SigningError(f"it is for the home {home}, and this signer is at {self._known.home}")
            return self._sent(write, httpx.Response.json, is_again=True)

    def _asked(self, operation: ModuleType, path: tuple[Any, ...], members: Mapping[str, Any]) -> tuple[Any, Asked, Completed]:
        """The request, what may be signed for it, and what only the holder of the key can make."""
        body = plain_body({name: value for name, value in members.items() if name not in _BOUNDS}, milliseconds)
        canonical(body)
        request = operation._get_kwargs(*path, body=Body(body))
        action, parameters = _action_at(_url_of(request))
        made = completed(Completing(action, parameters, body, self._key, self._place, self._read))
        return request, Asked(action, parameters, made.members, self.did, self._network_arbiter), made

    def _prepared(self, request: dict[str, Any], asked: Asked, bounds: Mapping[str, Any]) -> dict[str, Any]:
        body = {"did": self.did, "prepare": True, **asked.body, **bounds}
        reply = self._json({**request, "json": body})
        if not isinstance(reply.get("prepared"), dict):
            raise UnexpectedPayload(["prepared"])
        return reply

    def _built(self, asked: Asked, bounds: Mapping[str, Any]) -> dict[str, Any] | None:
        """What the client can build after its newest event; None: the node must prepare it."""
        known, whole = self._known, built(asked)
        if whole is None or known.last is None or known.is_lost:
            return None
        nonce, prev = known.last[0] + 1, known.last[1]
        if bounds.get("nonce", nonce) != nonce or bounds.get("prev", prev) != prev:
            return None
        place = {"home": known.home, "network": known.network}
        signer = {"v": 3, "issuer": self.did, "pub": public_key_of(self.did).hex(), **place}
        ts = bounds.get("ts", round(time.time() * 1000) + known.ahead_ms)
        until = bounds.get("until", ts + _BUILT_MS if _is_integer(ts) else None)
        most = {"most": bounds["most"]} if "most" in bounds else {}
        return {**whole, "event": {**whole["event"], **signer, "nonce": nonce, "prev": prev, "ts": ts, "until": until, **most}}

    def _checked(self, request: dict[str, Any], asked: Asked, made: Completed, bounds: Mapping[str, Any]) -> dict[str, Any]:
        """What the node has prepared. Raises UnexpectedPayload unless it is what was asked for."""
        prepared: dict[str, Any] = self._prepared(request, asked, bounds)["prepared"]
        check_payload(prepared.get("payload"), prepared.get("leaves"), asked)
        self._check_event(prepared.get("event"), bounds)
        over = made.signature_over
        if prepared.get("signs", []) != ([] if over is None else [{"at": "/signature", "message": over.encode().hex()}]):
            raise UnexpectedPayload(["signs"])
        return prepared

    def _signed(self, prepared: Mapping[str, Any], made: Completed) -> SignedWrite:
        payload, over = prepared["payload"], made.signature_over
        if over is not None:
            payload = {**payload, "input": {**payload["input"], "signature": self._key.sign(over)}}
        leaves, confidential, salt = (prepared.get(name) for name in ("leaves", "confidential", "salt"))
        text = {**prepared["event"], "payloadHash": payload_hash(payload, leaves or {}, confidential, salt)}
        hash, message = event_hash_and_message(text)
        # Confidential members that are none have a salt as well.
        more = {"leaves": leaves, "salt": None if confidential is None else salt, "contents": made.contents}
        write = {"event": {**text, "hash": hash, "sig": self._key.sign(message)}, "payload": payload}
        return {**write, **{name: value for name, value in more.items() if value}}

    def _check_event(self, event: Any, bounds: Mapping[str, Any]) -> None:
        """Raises UnexpectedPayload unless it is one that this caller would make."""
        if not isinstance(event, dict):
            raise UnexpectedPayload(["event"])
        known, now = self._known, round(time.time() * 1000)
        found: list[Any] = [event.get(name) for name in ("home", "network", "nonce", "prev", "ts", "until")]
        home, network, nonce, prev, ts, until = found
        is_nonce = _is_integer(nonce) and nonce > (known.last[0] if known.last else 0)
        is_time = _is_integer(ts) and (ts == bounds["ts"] if "ts" in bounds else abs(ts - now) <= _TEN_MINUTES_MS)
        right = {
            "v": event.get("v") == 3,
            "type": matches(_TYPE, event.get("type")),
            "issuer": event.get("issuer") == self.did,
            "pub": event.get("pub") == public_key_of(self.did).hex(),
            "home": isinstance(home, str) and home == (known.home or home),
            "network": isinstance(network, str) and network == (known.network or network),
            "nonce": is_nonce and nonce == bounds.get("nonce", nonce),
            "prev": prev == bounds.get("prev", prev) and (prev is None if nonce == 1 else matches(_HASH, prev)),
            "ts": is_time,
            "most": event.get("most") == bounds.get("most") and _is_integer(event.get("most", 0)),
            "until": _is_integer(until)
            and is_time
            and (until == bounds["until"] if "until" in bounds else ts < until <= ts + _TEN_MINUTES_MS),
            **{name: False for name in event.keys() - _EVENT},
        }
        wrong = [f"event.{name}" for name, is_right in right.items() if not is_right]
        if wrong:
            raise UnexpectedPayload(wrong)
        if prev is not None and not self._is_previous(prev, nonce, (home, network)):
            raise UnexpectedPayload(["event.prev"])
        known.home, known.network, known.is_lost = home, network, False
        if "ts" not in bounds:
            known.ahead_ms = ts - now

    def _is_previous(self, prev: str, nonce: int, place: tuple[str, str]) -> bool:
        """Whether the event before is this key's own at this home: else a node could have a write signed again that it has accepted."""
        last, refused = self._known.last, self._known.refused
        if last is not None and nonce == last[0] + 1:
            return prev == last[1]
        # Down to the nonce of an event that the node says it has refused.
        return self._followed(prev, nonce - 1, min([nonce - 1, *refused.values()]), place) is not None

    def _followed(self, hash: Any, nonce: int, lowest: int, place: tuple[str | None, str | None]) -> str | None:
        """From this key's own event down to the one with the lowest nonce: its hash, or None if the node does not show them all."""
        found = None
        for at in range(nonce, lowest - 1, -1):
            event = None if hash in self._known.refused else self._shown(hash)
            if not isinstance(event, dict):
                return None
            shown = [event.get(name) for name in ("hash", "issuer", "nonce", "home", "network")]
            if shown != [hash, self.did, at, *place] or not is_signed(event):
                return None
            found, hash = hash, event.get("prev")
        return found

    def _is_replaced(self, event: Mapping[str, Any]) -> bool:
        """Whether the node shows another event of this key in the place of this one, below the newest."""
        known = self._known
        assert known.last is not None
        try:
            found = self._followed(known.last[1], known.last[0], event["nonce"], (known.home, known.network))
        except (Refused, Unreachable):
            return False
        return found not in (None, event["hash"])

    def _shown(self, hash: str) -> Any:
        """An event counts as the newest a moment before it is on disk and shown: one that another program has just signed."""
        for tries in range(1, MOST_CONFLICTS + 2):
            try:
                return self._json({"method": "get", "url": f"/api/v1/events/{hash}"}).get("event")
            except Refused as error:
                if error.status != 404 or tries > MOST_CONFLICTS:
                    raise
                time.sleep(tries * _NOT_SHOWN_S)
        raise AssertionError("unreachable")

    def _place(self) -> str:
        """Version, network and home, which signed texts name."""
        known = self._known
        if known.home is None or known.network is None:
            node = self._json({"method": "get", "url": "/api/v1/node"}, self._anonymous)
            known.home, known.network = known.home or str(node.get("home")), known.network or str(node.get("network"))
        return f"v2:{known.network}:{known.home}"

    def _read(self, path: str, **query: Any) -> dict[str, Any]:
        return self._json({"method": "get", "url": f"/api/v1{path}", "params": query})

    def _json(self, request: dict[str, Any], node: Node | None = None) -> dict[str, Any]:
        """The members of the reply; none if it is something else."""
        try:
            found = (node or self.node).request(request).json(parse_int=number_of)
        except (ValueError, RecursionError):
            return {}
        return found if isinstance(found, dict) else {}

    def _sent(self, write: SignedWrite, parsed: Callable[[httpx.Response], Any], is_again: bool = False) -> Any:
        """The event identifies itself, so that it can be sent again after a broken connection. It may then be in the journal."""
        event, known = write["event"], self._known
        is_old = is_again and known.last is not None and event["nonce"] <= known.last[0]
        request = {"method": "post", "url": "/api/v1/events", "json": write, "headers": {"Idempotency-Key": event["hash"]}}
        if self._outbox is not None:
            self._outbox.put(write)
        # What is prepared can be the same event as the one that was refused.
        known.refused.pop(event["hash"], None)
        try:
            reply = self.node.request(request)
            if members_of(reply).get("eventHash") != event["hash"]:
                raise Unreachable(ValueError("the node answers about another event: whether it has this one is unknown"))
            try:
                found = parsed(reply)
            except Exception as error:
                raise Unreachable(ValueError("what the node answers is no reply of this operation")) from error
        except Refused as error:
            if error.problem.get("committed") is True:
                known.accepted(event)
            elif _is_sure(error, is_again) and (not is_old or self._is_replaced(event)):
                if not is_old:
                    known.refused[event["hash"]] = event["nonce"]
            else:
                known.is_lost, error.write = True, write
                raise
            self._drop(write)
            raise
        except Unreachable as error:
            known.is_lost, error.write = True, write
            raise
        known.accepted(event)
        self._drop(write)
        return found

    def _drop(self, write: SignedWrite) -> None:
        if self._outbox is not None:
            # A write that stays there gets the same reply again.
            with contextlib.suppress(Exception):
                self._outbox.drop(write)


def _is_sure(error: Refused, is_again: bool) -> bool:
    """Whether it says that an event was refused: not a proxy, and not before the node has looked for the event in its journal."""
    is_early = (is_again or error.is_repeated) and error.code in ("UNAUTHORIZED", "FORBIDDEN")
    return error.status < 500 and error.status != 429 and error.code != "" and not is_early


def _url_of(request: Mapping[str, Any]) -> str:
    return str(request["url"]).removeprefix("/api/v1")


def _bounds(members: Mapping[str, Any]) -> dict[str, Any]:
    given = plain_body({name: members[name] for name in _BOUNDS if members.get(name) is not None}, milliseconds)
    times = {name: milliseconds_in(given[name]) for name in ("ts", "until") if isinstance(given.get(name), str)}
    return {**given, **{name: moment for name, moment in times.items() if moment is not None}}


def _is_integer(value: Any) -> bool:
    return type(value) is int and abs(value) < 2**53


def _action_at(path: str) -> tuple[Mapping[str, Any], dict[str, str]]:
    """The action behind a path below /api/v1, and the parameters of the path."""
    parts = path.split("/")
    for template, found in ACTIONS.items():
        names = template.split("/")
        if len(names) != len(parts) or any(name != part and name[:1] != ":" for name, part in zip(names, parts)):
            continue
        parameters = {name[1:]: urllib.parse.unquote(part) for name, part in zip(names, parts) if name[:1] == ":"}
        for action in found:
            # Kinds that share a path differ in how their ids begin.
            if len(found) == 1 or parameters.get(action["id"], "").startswith(action["prefix"]):
                return action, parameters
    raise SigningError(f"{path} takes no write that a key of the caller can sign")
