"""A camera of the network: a real HTTP server that sends JPEG after JPEG, as phone apps and IP cameras do."""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import cv2
import numpy as np


class StreamingCamera:
    """Sends pictures whose grey level grows by 10 each, until it is torn off; it may be put up again."""

    def __init__(self) -> None:
        self.torn = threading.Event()
        self.port = 0
        self.connections = 0
        self._server: ThreadingHTTPServer | None = None

    @property
    def address(self) -> str:
        return f"http://watcher:secret@127.0.0.1:{self.port}/video?key=secret"

    def put_up(self) -> None:
        self.torn.clear()
        camera = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                camera.connections += 1
                self.send_response(200)
                self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
                self.end_headers()
                number = 0
                try:
                    while not camera.torn.wait(0.02):
                        picture = np.full((120, 160, 3), 10 * (number % 20) + 20, np.uint8)
                        data = cv2.imencode(".jpg", picture)[1].tobytes()
                        head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(data)}\r\n\r\n"
                        self.wfile.write(head.encode() + data + b"\r\n")
                        number += 1
                except OSError:
                    pass
                self.close_connection = True

            def log_message(self, format: str, *args: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", self.port), Handler)
        self._server.daemon_threads = True
        self.port = self._server.server_port
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()

    def tear_off(self) -> None:
        self.torn.set()
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()
            self._server = None
