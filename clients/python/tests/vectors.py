"""Checks DIDs and signatures of svc_node_client.keys against docs/generated/journal-vectors.json. Needs `cryptography`.

    python vectors.py
"""

import importlib.util
import json
from pathlib import Path

client = Path(__file__).parents[1]
spec = importlib.util.spec_from_file_location("keys", client / "svc_node_client" / "keys.py")
keys = importlib.util.module_from_spec(spec)
spec.loader.exec_module(keys)

vectors = json.loads((client.parents[1] / "docs" / "generated" / "journal-vectors.json").read_text(encoding="utf-8"))
known = {each["name"]: keys.Key(bytes.fromhex(each["seed"])) for each in vectors["keys"]}
for each in vectors["keys"]:
    assert known[each["name"]].did == keys.did_of(bytes.fromhex(each["publicKey"])) == each["did"], each["name"]
for each in vectors["signed"]:
    assert known["ada"].sign(each["message"]) == each["sig"], each["message"]
assert known["ada"].agreement.public_key_hex == vectors["signing"]["contents"][0]["receiverPublicKeyHex"]
print(f"{len(vectors['keys'])} keys and {len(vectors['signed'])} signatures hold")

file = json.loads((Path(__file__).parent / "ada.key.json").read_text(encoding="utf-8"))
assert keys.Key.from_file(file, "ｃorrect horse ① staple").did == known["ada"].did
for wrong in ({"network": "mainnet"}, {"tag": "00" * 16}, {"v": 2}, {"kdf": {**file["kdf"], "memoryKiB": 2**30}}, {"kdf": {}}):
    try:
        keys.Key.from_file({**file, **wrong}, "correct horse 1 staple")
        raise AssertionError(wrong)
    except ValueError:
        pass
