"""The first bytes of a connection: the TLS handshake, a plain request sent on to https, or a refusal."""

from __future__ import annotations

import socket
import ssl
import time

from web.serving.requests import HEAD_SECONDS
from web.serving.sockets import PlainSocket, TlsSocket

_HANDSHAKE_RECORD = 0x16
_LONGEST_HEAD = 4096


def tls_context(context: ssl.SSLContext) -> ssl.SSLContext:
    """Prepare a certificate's context for serving."""
    context.sslsocket_class = TlsSocket
    return context


def greet(accepted: PlainSocket, context: ssl.SSLContext | None, port: int) -> PlainSocket | TlsSocket | None:
    """Return the socket to talk on, None where the peer left or was sent on to https. Raises OSError."""
    accepted.receive_until = until = time.monotonic() + HEAD_SECONDS
    if context is None:
        return accepted
    first = accepted.recv(1, socket.MSG_PEEK)
    if not first:
        return None
    if first[0] != _HANDSHAKE_RECORD:
        accepted.sendall(_sent_on(accepted.recv(_LONGEST_HEAD), port))
        return None
    secured = context.wrap_socket(accepted, server_side=True, do_handshake_on_connect=False)
    assert isinstance(secured, TlsSocket)  # noqa: S101 - `tls_context` says so
    secured.prepare()
    secured.receive_until = until
    try:
        secured.shake_hands()
    except BaseException:
        secured.close()
        raise
    return secured


def _sent_on(head: bytes, port: int) -> bytes:
    """Answer a plain request: the same page is at https://. What does not look like a request gets a short no."""
    lines = head.decode("latin-1").split("\r\n")
    parts = lines[0].split(" ")
    host = next((line[5:].strip() for line in lines[1:] if line.lower().startswith("host:")), "")
    name = host.rsplit(":", 1)[0] if not host.endswith("]") else host
    plain = name.strip("[]").replace("-", "").replace(".", "").replace(":", "")
    target = parts[1] if len(parts) == 3 and parts[1].startswith("/") and parts[1].isprintable() else "/"
    if not (plain.isascii() and plain.isalnum()):
        return b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
    location = f"https://{name}:{port}{target}"
    return (
        f"HTTP/1.1 307 Temporary Redirect\r\nLocation: {location}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
    ).encode("latin-1")


def refuse(accepted: PlainSocket, secure: bool) -> None:
    """Refuse a connection in words where that can be read, and close it without waiting."""
    if not secure:
        line = "Too many connections are open here. Close some pages and try again."
        accepted.send_at_once(plain_reply("503 Service Unavailable", line))
    accepted.abort()
    accepted.close()


def plain_reply(status: str, line: str) -> bytes:
    """Return a whole reply of one line."""
    body = f"{line}\n".encode()
    return (
        f"HTTP/1.1 {status}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: {len(body)}\r\n"
        "X-Content-Type-Options: nosniff\r\nX-Frame-Options: DENY\r\nConnection: close\r\n\r\n"
    ).encode() + body
