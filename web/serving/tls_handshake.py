"""The start of a connection: the TLS handshake, a redirect of plain http to https, or a refusal."""

from __future__ import annotations

import socket
import ssl
import time

from web.serving.deadline_sockets import PlainSocket, TlsSocket
from web.serving.request_limits import HEAD_SECONDS

_HANDSHAKE_RECORD = 0x16
"""First byte of a TLS handshake (RFC 8446, section 5.1)."""
_MAX_HEAD_BYTES = 4096
"""Bytes of a plain request that are read before it is redirected."""


def tls_context(context: ssl.SSLContext) -> ssl.SSLContext:
    """Return this TLS context, changed so that the sockets it creates are `TlsSocket`s, with deadlines."""
    context.sslsocket_class = TlsSocket
    return context


def shake_hands(accepted: PlainSocket, context: ssl.SSLContext | None, port: int) -> PlainSocket | TlsSocket | None:
    """Return the socket to read requests from, after a TLS handshake; None if there will be no request.

    There is none after the peer has left or was redirected from http to https. Raises OSError if the handshake
    fails. context: None serves plain http. port: of this server, for the redirect.
    """
    accepted.receive_until = until = time.monotonic() + HEAD_SECONDS
    if context is None:
        return accepted
    first = accepted.recv(1, socket.MSG_PEEK)
    if not first:
        return None
    if first[0] != _HANDSHAKE_RECORD:
        accepted.sendall(_redirect(accepted.recv(_MAX_HEAD_BYTES), port))
        return None
    secured = context.wrap_socket(accepted, server_side=True, do_handshake_on_connect=False)
    assert isinstance(secured, TlsSocket)  # noqa: S101 - set by `tls_context`
    secured.prepare()
    secured.receive_until = until
    try:
        secured.shake_hands()
    except BaseException:
        secured.close()
        raise
    return secured


def _redirect(head: bytes, port: int) -> bytes:
    """Return the response that redirects a plain http request to https; status 400 if no host can be read from it.

    head: first bytes of the request. port: of this server.
    """
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
    """Close a connection that was not admitted. secure: whether it expects TLS; else status 503 is sent first."""
    if not secure:
        line = "Too many connections are open here. Close some pages and try again."
        accepted.send_at_once(plain_reply("503 Service Unavailable", line))
    accepted.abort()
    accepted.close()


def plain_reply(status: str, line: str) -> bytes:
    """Return a complete http response, head and body, with one line of text."""
    body = f"{line}\n".encode()
    return (
        f"HTTP/1.1 {status}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: {len(body)}\r\n"
        "X-Content-Type-Options: nosniff\r\nX-Frame-Options: DENY\r\nConnection: close\r\n\r\n"
    ).encode() + body
