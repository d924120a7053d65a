"""`Node.follow` against a server that cuts the stream at every byte, breaks it, and falls silent."""

import json
import re
import socket
import sys
import threading

from svc_node_client import node as module

module.MOST_SILENCE = 0.3
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\nConnection: close\r\n\r\n"
# What other rules than those of server-sent events take for the end of a line, each between letters; then all of Unicode.
separators = "".join(f"a{chr(point)}" for point in range(0x3000) if len(f"a{chr(point)}b".splitlines()) > 1)
characters = "".join(chr(point) for point in range(sys.maxunicode + 1) if not 0xD800 <= point <= 0xDFFF)
memos = [separators, characters, "after a break", "after silence", "after a refusal"]
entries = [{"seq": seq, "memo": memo} for seq, memo in enumerate(memos, 1)]


def frame(seq: int) -> bytes:
    text = json.dumps(entries[seq - 1], ensure_ascii=False)
    return f"id: {seq}\r\nevent: transfer.sent\r\ndata: {text}\r\n\r\n".encode()


def answer(connection: socket.socket, after: int, attempt: int) -> None:
    send = connection.sendall
    if attempt == 0:
        send(HEAD + b"retry: 2000\n: open\n\n")
        for byte in frame(1):
            send(bytes([byte]))
        send(frame(2) + frame(3)[:9])
    elif attempt == 1:
        send(HEAD + frame(3))
        assert connection.recv(1) == b"", "a silent stream is kept"
    elif attempt == 2:
        send(b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n")
    elif attempt == 3:
        send(HEAD + frame(after + 1) + frame(after + 2))
    else:
        send(b'HTTP/1.1 400 Bad Request\r\nContent-Length: 26\r\n\r\n{"code":"INVALID_REQUEST"}')
    connection.close()


def serve() -> None:
    for attempt in range(5):
        connection, _ = listener.accept()
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        request = connection.recv(65_536).decode()
        positions.append(int(re.search(r"[?&]after=(\d+)", request)[1]))
        answer(connection, positions[-1], attempt)


listener = socket.create_server(("127.0.0.1", 0))
positions: list[int] = []
threading.Thread(target=serve, daemon=True).start()
came = []
try:
    for entry in module.Node(f"http://127.0.0.1:{listener.getsockname()[1]}").follow():
        came.append(entry)
    raise AssertionError("the stream ended")
except module.Refused as error:
    assert error.code == "INVALID_REQUEST", error
assert came == entries, [entry["seq"] for entry in came]
assert positions == [0, 2, 3, 3, 5], positions
