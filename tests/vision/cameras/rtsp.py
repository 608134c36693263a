"""An RTSP camera for tests: answers what a player asks (RFC 2326) and sends JPEG pictures as RTP (RFC 2435)."""

from __future__ import annotations

import contextlib
import itertools
import socketserver
import struct
import threading

import cv2
import numpy as np

WIDTH, HEIGHT = 320, 240
PICTURES_PER_SECOND = 25
_SDP = "v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=table\r\nt=0 0\r\nm=video 0 RTP/AVP 26\r\na=control:track0\r\n"
_ANSWERS = {
    "OPTIONS": "Public: OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN\r\n\r\n",
    "DESCRIBE": f"Content-Type: application/sdp\r\nContent-Length: {len(_SDP)}\r\n\r\n{_SDP}",
    "SETUP": "Transport: RTP/AVP/TCP;unicast;interleaved=0-1\r\nSession: 7\r\n\r\n",
    "PLAY": "Session: 7\r\n\r\n",
}
_LONGEST = 1400


class RtspCamera:
    """Sends pictures of one grey level, 25 a second, to whoever asks, until it is closed."""

    def __init__(self, shade: int) -> None:
        self.shade = shade
        self._closed = threading.Event()
        camera = self

        class Visitor(socketserver.StreamRequestHandler):
            def handle(self) -> None:
                with contextlib.suppress(OSError):
                    camera.talk(self)

        self._server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Visitor)
        self._server.daemon_threads = True
        self.address = f"rtsp://127.0.0.1:{self._server.server_address[1]}/table"
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()

    def close(self) -> None:
        self._closed.set()
        self._server.shutdown()
        self._server.server_close()

    def talk(self, visitor: socketserver.StreamRequestHandler) -> None:
        while line := visitor.rfile.readline().decode():
            sequence = "0"
            while (header := visitor.rfile.readline().decode().strip()) != "":
                if header.lower().startswith("cseq:"):
                    sequence = header[5:].strip()
            method = line.split(" ")[0]
            visitor.wfile.write(
                f"RTSP/1.0 200 OK\r\nCSeq: {sequence}\r\n{_ANSWERS.get(method, chr(13) + chr(10))}".encode()
            )
            if method == "PLAY":
                self._play(visitor)

    def _play(self, visitor: socketserver.StreamRequestHandler) -> None:
        picture = np.full((HEIGHT, WIDTH, 3), self.shade, np.uint8)
        tables, scan = _parts(cv2.imencode(".jpg", picture)[1].tobytes())
        number = itertools.count()
        for frame in itertools.count():
            for at in range(0, len(scan), _LONGEST):
                part = scan[at : at + _LONGEST]
                last = at + _LONGEST >= len(scan)
                rtp = struct.pack(">BBHII", 0x80, 26 | last << 7, next(number) & 0xFFFF, frame * 3600, 1)
                jpeg = struct.pack(">IBBBB", at, 1, 255, WIDTH // 8, HEIGHT // 8)
                if at == 0:
                    jpeg += struct.pack(">BBH", 0, 0, len(tables)) + tables
                packet = rtp + jpeg + part
                visitor.wfile.write(struct.pack(">cBH", b"$", 0, len(packet)) + packet)
            if self._closed.wait(1 / PICTURES_PER_SECOND):
                return


def _parts(jpeg: bytes) -> tuple[bytes, bytes]:
    """Return a JPEG's quantisation tables and its scan; the usual Huffman tables are not sent."""
    tables, at = b"", 2
    while jpeg[at + 1] != 0xDA:
        (length,) = struct.unpack_from(">H", jpeg, at + 2)
        if jpeg[at + 1] == 0xDB:
            content = jpeg[at + 4 : at + 2 + length]
            tables += b"".join(content[start + 1 : start + 65] for start in range(0, len(content), 65))
        at += 2 + length
    (length,) = struct.unpack_from(">H", jpeg, at + 2)
    return tables, jpeg[at + 2 + length : -2]
