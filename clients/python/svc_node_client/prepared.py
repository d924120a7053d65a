"""What a node answers to `prepare`, compared with what its caller asked for: nothing else is signed.

docs/signing.md says what is checked and what is hashed. Needs the extra `keys`.
"""

from __future__ import annotations

import datetime
import hashlib
import re
import secrets
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import rfc8785

SALT = re.compile("[0-9a-f]{32}")
_NEW_ID = re.compile("[A-Za-z0-9._~-]{1,200}")
_ADDRESS = re.compile("0x[0-9A-Fa-f]{40}")
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)", re.ASCII)
_EPOCH = datetime.datetime.fromtimestamp(0, datetime.timezone.utc)
_PAYLOAD = {"kind", "id", "action", "input", "ids"}


class SigningError(Exception):
    """Nothing was signed, except `write`: a write of which it is not known whether it takes effect. `again` finds out."""

    write: dict[str, Any] | None = None


class UnexpectedPayload(SigningError):
    """The node wants something else signed than what was asked for. `paths` names what differs.

    `write`: an earlier one that the node has refused, and asks to sign over nevertheless. `again` gives its reply, and what follows it
    is signed again.
    """

    def __init__(self, paths: Iterable[str], write: dict[str, Any] | None = None) -> None:
        self.paths, self.write = list(paths), write
        late = "" if write is None else f": the event {write['event']['hash']}, which it had refused, comes before it"
        super().__init__(f"the node asks to sign something else than what was asked for: {', '.join(self.paths)}{late}")


@dataclass(frozen=True)
class Asked:
    """What the caller asked for."""

    # A row of signed_actions.py.
    action: Mapping[str, Any]
    # Of the path.
    parameters: Mapping[str, str]
    body: Mapping[str, Any]
    issuer: str
    network_arbiter: str | None


def canonical(value: Any) -> bytes:
    """The RFC 8785 form."""
    try:
        return rfc8785.dumps(value)
    except (ValueError, RecursionError) as error:
        raise SigningError(f"has no RFC 8785 form: {error}") from error


def number_of(digits: str) -> int | float:
    """An integer in JSON, as the double that it stands for."""
    number = float(digits)
    return int(digits) if abs(number) < 2**53 else number


def sha256(data: bytes | str) -> str:
    return hashlib.sha256(data if isinstance(data, bytes) else data.encode()).hexdigest()


def event_hash_and_message(body: Mapping[str, Any]) -> tuple[str, str]:
    """Of an event without `hash` and `sig`: its hash, and what its issuer signs."""
    text = canonical(body)
    hash = sha256(text)
    return hash, f"svc:event:v3:{hash if len(text) > 1_024 else text.decode()}"


def check_payload(payload: Any, leaves: Any, asked: Asked) -> None:
    """Raises UnexpectedPayload unless it is what was asked for, and no more."""
    if not isinstance(payload, dict) or not isinstance(payload.get("input"), dict):
        raise UnexpectedPayload(["payload"])
    action, members, given = asked.action, {**asked.parameters, **asked.body}, payload["input"]
    ids, makes, chosen_in = payload.get("ids", {}), action.get("makes", {}), action.get("idFields", {})
    right = {
        "kind": payload.get("kind") == action["kind"],
        "action": payload.get("action") == action["action"],
        "id": _is_id(payload.get("id"), asked, members),
        "ids": isinstance(ids, dict) and ids.keys() == makes.keys(),
    }
    for part in makes if right["ids"] else ():
        name = str(chosen_in.get(part))
        right[f"ids.{part}"] = ids[part] == members[name] if name in members else _is_new_id(ids[part], makes[part])
    right.update({name: False for name in payload.keys() - _PAYLOAD})
    known = set(action["input"])
    for name in given.keys() | (members.keys() & known):
        right[f"input.{name}"] = name in known and (
            _is_asked(given[name], members[name])
            if name in given and name in members
            else name in given and name in action.get("made", ()) and _is_made(name, given[name], asked)
        )
    for name in asked.body.keys() - known - {action.get("id"), *chosen_in.values(), *asked.parameters}:
        right[f"input.{name}"] = False
    wrong = [f"payload.{name}" for name, is_right in right.items() if not is_right]
    places = action.get("leaves", ())
    pointers = leaves if isinstance(leaves, dict) else ()
    wrong += [f"leaves{pointer}" for pointer in pointers if not _is_at_any(pointer, places)]
    if wrong:
        raise UnexpectedPayload(sorted(wrong))


def built(asked: Asked) -> dict[str, Any] | None:
    """What a node would answer to `prepare`, with the event's `type` alone; None if the node must prepare it: it chooses a part, or
    checks what the payload does not say.
    """
    action, members = asked.action, {**asked.parameters, **asked.body}
    given = {name: members[name] for name in action["input"] if name in members}
    named, is_signers = action.get("id"), action.get("id") == "signer"
    chosen_in = action.get("idFields", {})
    more = members.keys() - given.keys() - {named, *chosen_in.values()}
    if "type" not in action or any(not is_signers or members[name] != asked.issuer for name in more):
        return None
    id = asked.issuer if is_signers else members.get(named)
    if id is None and action["action"] == "create":
        id = action["prefix"] + secrets.token_hex(16)
    if not isinstance(id, str):
        return None
    payload = {"kind": action["kind"], "id": id, "action": action["action"], "input": given}
    makes = action.get("makes", {})
    if makes:
        payload["ids"] = {part: members.get(chosen_in.get(part, ""), makes[part] + secrets.token_hex(16)) for part in makes}
    leaves = {pointer: _leaf(canonical(text), secrets.token_hex(16)) for pointer, text in _texts_of(given, "", action)}
    hidden = action.get("confidential", ())
    closed = [name for name in given if hidden == "all" or name in hidden]
    whole = {"event": {"type": action["type"]}, "payload": payload, **({"leaves": leaves} if leaves else {})}
    return {**whole, "confidential": closed, "salt": secrets.token_hex(16)} if closed or hidden == "all" else whole


def _texts_of(value: Any, pointer: str, action: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The texts that can be erased, by JSON pointer: of two places, one inside the other, the inner one."""
    places, deep = action.get("leaves", ()), pointer.count("/") + 1
    starts = ["/".join(place.split("/")[:deep]) for place in places if place.count("/") >= deep]
    if isinstance(value, (dict, list)) and _is_at_any(pointer, starts):
        for name, member in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _texts_of(member, f"{pointer}/{_escaped(str(name))}", action)
    elif value is not None and _is_at_any(pointer, places) and not _is_at_any(pointer, action.get("plain", ())):
        yield pointer, value


def milliseconds_in(text: str) -> int | None:
    """Epoch milliseconds of a time as the API takes it: ISO 8601 with an offset."""
    if _TIME.fullmatch(text) is None:
        return None
    try:
        return milliseconds(datetime.datetime.fromisoformat(text))
    except (ValueError, OverflowError):
        return None


def milliseconds(moment: datetime.datetime) -> int:
    return (moment - _EPOCH) // datetime.timedelta(milliseconds=1)


def _is_asked(given: Any, asked: Any) -> bool:
    """Whether this is what was asked for: a time in a text is epoch ms in what is signed, an EVM address has its checksum."""
    if isinstance(given, dict) and isinstance(asked, dict):
        return given.keys() == asked.keys() and all(_is_asked(given[name], asked[name]) for name in asked)
    if isinstance(given, list) and isinstance(asked, list):
        return len(given) == len(asked) and all(map(_is_asked, given, asked))
    if type(given) is int and isinstance(asked, str):
        return milliseconds_in(asked) == given
    if isinstance(given, str) and matches(_ADDRESS, asked):
        return given.lower() == str(asked).lower()
    return canonical(given) == canonical(asked)


def _is_at(pointer: str, place: str) -> bool:
    parts, names = pointer.split("/"), place.split("/")
    return len(parts) == len(names) and all(name in ("*", part) for part, name in zip(parts, names, strict=True))


def _is_at_any(pointer: str, places: Iterable[str]) -> bool:
    return any(_is_at(pointer, place) for place in places)


def _is_made(name: str, value: Any, asked: Asked) -> bool:
    """Whether the node may have added this."""
    if name == "salt":
        return matches(SALT, value)
    return bool(value == (asked.network_arbiter if name == "networkArbiter" else ""))


def matches(pattern: re.Pattern[str], value: Any) -> bool:
    return isinstance(value, str) and pattern.fullmatch(value) is not None


def _is_new_id(id: Any, prefix: str) -> bool:
    return matches(_NEW_ID, id) and id.startswith(prefix)


def _is_id(id: Any, asked: Asked, members: Mapping[str, Any]) -> bool:
    named = asked.action.get("id")
    if named == "signer":
        return bool(id == asked.issuer)
    return bool(id == members[named]) if named in members else _is_new_id(id, asked.action.get("prefix", ""))


def payload_hash(payload: Mapping[str, Any], leaves: Any, confidential: Any, salt: Any) -> str:
    """`payloadHash` of the event. Raises UnexpectedPayload if a reference is not that of its text."""
    if confidential is not None and not matches(SALT, salt):
        raise UnexpectedPayload(["confidential"])
    return published_hash(payload, leaves, confidential, sha256(f"svc:salt:v1:{salt}:payload"), None)


def published_hash(payload: Mapping[str, Any], leaves: Any, confidential: Any, salt: Any, sealed: Any) -> str:
    """The same of an entry, whose `salt` is that of its payload alone; `sealed` stands for members that it does not show."""
    if not isinstance(leaves, dict):
        raise UnexpectedPayload(["leaves"])
    left = dict(leaves)
    given = _with_references(payload["input"], left, "")
    if left:
        raise UnexpectedPayload(f"leaves{pointer}" for pointer in left)
    if confidential is not None:
        is_list = isinstance(confidential, list) and all(isinstance(name, str) for name in confidential)
        if not is_list or not given.keys() >= set(confidential):
            raise UnexpectedPayload(["confidential"])
        closed = {name: given.pop(name) for name in set(confidential)}
        sealed = sha256(f"svc:sealed:v1:{salt}:".encode() + canonical(closed))
    return sha256(canonical({"public": {**payload, "input": given}, "sealed": sealed}))


def _with_references(value: Any, leaves: dict[str, Any], pointer: str) -> Any:
    """With references in the place of the texts in `leaves`, from which they are taken."""
    if pointer in leaves:
        leaf, text = leaves.pop(pointer), canonical(value)
        salt: Any = leaf.get("salt") if isinstance(leaf, dict) else None
        if not matches(SALT, salt) or leaf != _leaf(text, salt):
            raise UnexpectedPayload([f"leaves{pointer}"])
        return {"leaf": leaf["leaf"], "size": leaf["size"]}
    if isinstance(value, list):
        return [_with_references(each, leaves, f"{pointer}/{index}") for index, each in enumerate(value)]
    if isinstance(value, dict):
        return {
            name: _with_references(each, leaves, f"{pointer}/{_escaped(name)}")
            for name, each in value.items()
        }
    return value


def _escaped(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")


def _leaf(text: bytes, salt: str) -> dict[str, Any]:
    return {"leaf": sha256(bytes.fromhex(salt) + text), "size": len(text), "salt": salt}
