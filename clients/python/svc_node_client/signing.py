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
from dataclasses import dataclass
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

# Events of a DID without an answer.
_MOST_IN_FLIGHT = 16
# Events that are read to learn whether an older one is in the journal.
_MOST_WALKED = 1_000
# Refused events after which the client builds none until one is accepted: each may still take effect.
_MOST_REFUSED = 64
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
_ANOTHER_EVENT = "the node answers about another event: whether it has this one is unknown"
_NO_REPLY = "what the node answers is no reply of this operation"
_CONTRADICTION = "the node refuses an event, and has accepted one that follows it"


class Outbox(Protocol):
    """Keeps signed writes whose reply has not come, so that a program that ends does not lose them."""

    def put(self, write: SignedWrite) -> None:
        """Returns once the write is safe: it is sent after that."""

    def drop(self, write: SignedWrite) -> None:
        """The write has its reply, or can never take effect. What this raises does not hide that reply."""


@dataclass(eq=False)
class _Sent:
    """A write that is sent."""

    write: SignedWrite
    # The one before it, if this one was built before that had its answer.
    before: _Sent | None = None
    is_built: bool = False
    # The event may be in the journal already.
    is_again: bool = False
    # Whether it is in the journal, as far as the node has said: "accepted", "refused" or "unknown"; empty before its answer.
    fate: str = ""

    @property
    def event(self) -> Mapping[str, Any]:
        event: Mapping[str, Any] = self.write["event"]
        return event


@dataclass(frozen=True)
class _Answer:
    fate: str
    reply: Any = None
    error: BaseException | None = None
    # The event before it was refused.
    is_dead: bool = False


class KnownEvents:
    """What is known of a DID at a node."""

    def __init__(self, home: str | None = None, network: str | None = None) -> None:
        # Held while an event is made, because each names the one before it; over requests, if these say what it is.
        self.turn = threading.Lock()
        # Held while something below changes, and never over a request. Tells of each answer.
        self.changed = threading.Condition()
        self.home = home
        self.network = network
        # Nonce and hash of the newest event that this program has signed and knows to be accepted.
        self.last: tuple[int, str] | None = None
        # How far the node's clock is ahead, ms, as the newest prepared event showed it.
        self.ahead_ms = 0
        # What was sent after it and has no answer yet. Each follows the one before it.
        self.in_flight: list[_Sent] = []
        # How many may be: half as many after a refusal, which takes along what follows it, and one more after an acceptance.
        self.window = _MOST_IN_FLIGHT
        # Whether an event has got no answer since, so that only the node knows which is the newest.
        self.is_lost = False
        # Writes that were signed after it and refused, by hash of the event.
        self.refused: dict[str, SignedWrite] = {}

    def is_over(self, event: Mapping[str, Any]) -> bool:
        return self.last is not None and event["nonce"] <= self.last[0]

    def accepted(self, event: Mapping[str, Any]) -> None:
        if self.is_over(event):
            return
        self.last = (event["nonce"], event["hash"])
        self.window = min(self.window + 1, _MOST_IN_FLIGHT)
        self.refused = {hash: write for hash, write in self.refused.items() if not self.is_over(write["event"])}

    def refuse(self, sent: _Sent) -> None:
        """What follows a refused event can't take effect either."""
        at = self.in_flight.index(sent) if sent in self.in_flight else len(self.in_flight)
        for each in (sent, *self.in_flight[at:]):
            self.refused[each.event["hash"]] = {name: value for name, value in each.write.items() if name != "contents"}


class KeySigner:
    """Makes the writes of one DID; may be used by several threads, whose writes are then in flight together, up to 16.

    Each event names the one before it, so they are signed in turn.
    """

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
        with known.changed:
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
            return self._elsewhere(home, lambda signer: signer._written(operation, path, members))

        return wherever(self._homes, there, here, path, members, may_move)

    def _elsewhere(self, home: str, work: Callable[[KeySigner], Any]) -> Any:
        signer = self._there[home] = self._there.get(home) or self.at(home)
        try:
            return work(signer)
        except Unreachable:
            # It may have moved.
            self._there.pop(home, None)
            raise

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
        known, bounds, conflicts = self._known, _bounds(members), 0
        asking: tuple[Any, Asked, Completed] | None = None

        def parsed(reply: httpx.Response) -> Any:
            if asking is not None and asking[2].kept:
                reply = httpx.Response(reply.status_code, json={**members_of(reply), **asking[2].kept})
            found = operation._build_response(client=self.node.client, response=reply).parsed
            if found is None:
                raise ValueError(f"status {reply.status_code}")
            return found

        while True:
            with known.turn:
                asking = asking or self._asked(operation, path, members)
                with known.changed:
                    known.changed.wait_for(lambda: len(known.in_flight) < known.window)
                # What the client has built and the node refuses is prepared: that gives the refusal of the action.
                sent = self._built(asking, bounds) if may_build else None
                sent = sent or _Sent(self._signed(self._checked(asking, bounds), asking[2]))
                writes.append(sent.write)
                self._begin(sent)
                answer = None if sent.is_built else self._answer(sent, parsed)
            answer = answer or self._answer(sent, parsed)
            error = answer.error
            if answer.fate == "accepted" and error is None:
                return answer.reply
            if answer.is_dead:
                continue
            assert error is not None
            if answer.fate != "refused":
                raise error
            may_build = False
            if sent.is_built:
                continue
            conflicts += 1
            is_conflict = isinstance(error, Refused) and error.problem.get("nextNonce") is not None
            if "nonce" in bounds or not is_conflict or conflicts > MOST_CONFLICTS:
                raise error

    def call(self, operation: ModuleType, *path: Any, **arguments: Any) -> Any:
        """Calls a generated operation that reads, as the DID of the key.

        >>> ada.call(get_info_delivery, order_id)
        """
        return self.node.call(operation, *path, **arguments)

    def open_order(self, order_id: str) -> OpenedDelivery:
        """What was delivered for an order, decrypted with the key. Raises SigningError if the key does not open it."""
        return OpenedDelivery.from_dict(self._opened(opened_delivery, order_id))

    def open_lease(self, lease_id: str) -> OpenedLease:
        """The credentials of a lease, for its lessor. Raises SigningError if the key does not open them."""
        return OpenedLease.from_dict(self._opened(opened_lease, lease_id))

    def _opened(self, opened: Callable[..., dict[str, Any]], id: str) -> Any:
        """Where the id says, if `homes` has that home; else here."""

        def there(home: str, id: str) -> Any:
            return self._elsewhere(home, lambda signer: signer._opened(opened, id))

        def here(id: str) -> Any:
            return opened(self._read, self._agreement(), id)

        return wherever(self._homes, there, here, (id,), {}, may_move=False)

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
        with self._known.turn:
            asking = self._asked(operation, path, members)
            return self._prepared(asking, _bounds(members)).get("outcome")

    def again(self, write: SignedWrite) -> Any:
        """Sends a write of the outbox again; the JSON of its reply. One for another home is sent by the signer that is `at` it."""
        known = self._known
        with known.turn:
            self._place()
            home = write["event"]["home"]
            if home != known.home:
                raise SigningError(f"it is for the home {home}, and this signer is at {known.home}")
            self._drain()
            sent = _Sent(write, is_again=True)
            self._begin(sent)
            answer = self._answer(sent, httpx.Response.json)
            if answer.error is not None:
                raise answer.error
            return answer.reply

    def _drain(self) -> None:
        """Waits until each event in flight has its answer."""
        known = self._known
        with known.changed:
            known.changed.wait_for(lambda: not known.in_flight)

    def _asked(self, operation: ModuleType, path: tuple[Any, ...], members: Mapping[str, Any]) -> tuple[Any, Asked, Completed]:
        """The request, what may be signed for it, and what only the holder of the key can make."""
        body = plain_body({name: value for name, value in members.items() if name not in _BOUNDS}, milliseconds)
        canonical(body)
        request = operation._get_kwargs(*path, body=Body(body))
        action, parameters = _action_at(_url_of(request))
        made = completed(Completing(action, parameters, body, self._key, self._place, self._read))
        return request, Asked(action, parameters, made.members, self.did, self._network_arbiter), made

    def _prepared(self, asking: tuple[Any, Asked, Completed], bounds: Mapping[str, Any]) -> dict[str, Any]:
        request, asked, _ = asking
        body = {"did": self.did, "prepare": True, **asked.body, **bounds}
        reply = self._json({**request, "json": body})
        if not isinstance(reply.get("prepared"), dict):
            raise UnexpectedPayload(["prepared"])
        return reply

    def _built(self, asking: tuple[Any, Asked, Completed], bounds: Mapping[str, Any]) -> _Sent | None:
        """What the client can build after its newest event; None: the node must prepare it."""
        known, whole = self._known, built(asking[1])
        with known.changed:
            newest = known.in_flight[-1] if known.in_flight else None
            # Its answer can come after that to the one that follows it.
            before = None if newest is None or known.is_over(newest.event) else newest
            last = known.last if before is None else (before.event["nonce"], before.event["hash"])
            is_unsure = known.is_lost or len(known.refused) >= _MOST_REFUSED
        if whole is None or last is None or is_unsure:
            return None
        nonce, prev = last[0] + 1, last[1]
        if bounds.get("nonce", nonce) != nonce or bounds.get("prev", prev) != prev:
            return None
        place = {"home": known.home, "network": known.network}
        signer = {"v": 3, "issuer": self.did, "pub": public_key_of(self.did).hex(), **place}
        ts = bounds.get("ts", round(time.time() * 1000) + known.ahead_ms)
        until = bounds.get("until", ts + _BUILT_MS if _is_integer(ts) else None)
        most = {"most": bounds["most"]} if "most" in bounds else {}
        event = {**whole["event"], **signer, "nonce": nonce, "prev": prev, "ts": ts, "until": until, **most}
        return _Sent(self._signed({**whole, "event": event}, asking[2]), before, is_built=True)

    def _checked(self, asking: tuple[Any, Asked, Completed], bounds: Mapping[str, Any]) -> dict[str, Any]:
        """What the node has prepared. Raises UnexpectedPayload unless it is what was asked for."""
        _, asked, made = asking
        self._drain()
        prepared: dict[str, Any] = self._prepared(asking, bounds)["prepared"]
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
        """Whether the event before is this key's own at this home: else a node could have a write signed again that it has accepted.

        So must those before it be, down to the nonce of an event that the node says it has refused. Raises UnexpectedPayload with the
        first of those that it has accepted nevertheless.
        """
        known = self._known
        with known.changed:
            last, refused = known.last, dict(known.refused)
        if last is not None and nonce == last[0] + 1:
            return prev == last[1]
        lowest = min([nonce - 1, *(write["event"]["nonce"] for write in refused.values())])
        own = self._followed(prev, nonce - 1, lowest, place)
        committed = [refused[hash] for hash in own or () if hash in refused]
        if committed:
            raise UnexpectedPayload(["event.prev"], committed[-1])
        return own is not None

    def _followed(self, hash: Any, nonce: int, lowest: int, place: tuple[str | None, str | None]) -> list[str] | None:
        """The hashes from this key's own event down to the one with the lowest nonce; None if the node does not show them all."""
        if nonce - lowest >= _MOST_WALKED:
            raise SigningError(f"more than {_MOST_WALKED} events follow one that was refused")
        found = []
        for at in range(nonce, lowest - 1, -1):
            kept = self._known.refused.get(hash)
            event = self._shown(hash) if kept is None else kept["event"]
            if not isinstance(event, dict):
                return None
            shown = [event.get(name) for name in ("hash", "issuer", "nonce", "home", "network")]
            if shown != [hash, self.did, at, *place] or not is_signed(event):
                return None
            found.append(hash)
            hash = event.get("prev")
        return found

    def _is_replaced(self, event: Mapping[str, Any]) -> bool:
        """Whether the node shows another event of this key in the place of this one, under the newest."""
        known = self._known
        assert known.last is not None
        try:
            found = self._followed(known.last[1], known.last[0], event["nonce"], (known.home, known.network))
        except (Refused, Unreachable, SigningError):
            return False
        return found is not None and found[-1] != event["hash"]

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
            with known.changed:
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

    def _begin(self, sent: _Sent) -> None:
        """Puts a write into the outbox, and among those in flight."""
        if self._outbox is not None:
            self._outbox.put(sent.write)
        known = self._known
        with known.changed:
            # What is prepared can be the same event as the one that was refused.
            known.refused.pop(sent.event["hash"], None)
            known.in_flight.append(sent)

    def _answer(self, sent: _Sent, parsed: Callable[[httpx.Response], Any]) -> _Answer:
        """Sends a write that has begun. The answer to it, once that to the one before it is known."""
        answer, is_replaced = _Answer("unknown"), False
        try:
            heard = self._heard(sent, parsed)
            is_doubtful = sent.is_again and heard.fate == "refused" and self._known.is_over(sent.event)
            is_replaced = is_doubtful and self._is_replaced(sent.event)
            answer = heard
        finally:
            # Also if this thread is interrupted: others wait for it.
            answer = self._settled(sent, answer, is_replaced)
        error = answer.error
        if answer.fate == "unknown":
            if isinstance(error, (Refused, Unreachable, SigningError)):
                error.write = sent.write
        elif self._outbox is not None:
            # A write that stays there gets the same reply again.
            with contextlib.suppress(Exception):
                self._outbox.drop(sent.write)
        return answer

    def _settled(self, sent: _Sent, answer: _Answer, is_replaced: bool) -> _Answer:
        known = self._known
        with known.changed:
            is_over = known.is_over(sent.event)
            # The one before it was refused.
            if answer.fate == "accepted" and sent.event["hash"] in known.refused:
                answer = _Answer("refused", error=answer.error, is_dead=True)
            if answer.fate == "refused" and is_over and not (answer.is_dead or is_replaced):
                answer = _Answer("unknown", error=answer.error if sent.is_again else SigningError(_CONTRADICTION))
            if answer.fate == "accepted":
                known.accepted(sent.event)
            elif answer.fate == "unknown":
                known.is_lost = True
            elif not is_over:
                known.refuse(sent)
                if not answer.is_dead:
                    known.window = max(known.window // 2, 1)
            known.in_flight = [each for each in known.in_flight if each is not sent and each.event["hash"] not in known.refused]
            sent.fate = answer.fate
            known.changed.notify_all()
        return answer

    def _heard(self, sent: _Sent, parsed: Callable[[httpx.Response], Any]) -> _Answer:
        known, before = self._known, sent.before
        with known.changed:
            # While it was signed.
            if sent.event["prev"] in known.refused:
                return _Answer("refused", is_dead=True)
        answer = self._sent(sent, parsed)
        if before is None or answer.fate == "accepted":
            return answer
        with known.changed:
            known.changed.wait_for(lambda: before.fate)
        if before.fate == "refused":
            return _Answer("refused", error=answer.error, is_dead=True)
        # It may have been refused because the one before it had not come yet.
        return self._sent(sent, parsed) if before.fate == "accepted" and answer.fate == "refused" else answer

    def _sent(self, sent: _Sent, parsed: Callable[[httpx.Response], Any]) -> _Answer:
        """The event identifies itself, so that it can be sent again after a broken connection. It may then be in the journal."""
        hash = sent.event["hash"]
        try:
            reply = self.node.request(
                {"method": "post", "url": "/api/v1/events", "json": sent.write, "headers": {"Idempotency-Key": hash}}
            )
        except Refused as error:
            if error.problem.get("committed") is True:
                return _Answer("accepted", error=error)
            return _Answer("refused" if _is_sure(error, sent.is_again) else "unknown", error=error)
        except Exception as error:
            return _Answer("unknown", error=error)
        if members_of(reply).get("eventHash") != hash:
            return _Answer("unknown", error=Unreachable(ValueError(_ANOTHER_EVENT)))
        try:
            return _Answer("accepted", parsed(reply))
        except Exception as error:
            no_reply = Unreachable(ValueError(_NO_REPLY))
            no_reply.__cause__ = error
            return _Answer("unknown", error=no_reply)


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
