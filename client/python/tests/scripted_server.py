"""A server whose answers a case of the table decides."""

from __future__ import annotations

import json
import re
import socket
import threading
from collections.abc import Callable
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

ACCEPTED: dict[str, Any] = {"status": 200, "headers": {"deletion-id": "a-deletion"}, "json": {}}


@dataclass(frozen=True)
class Received:
    method: str
    path: str
    #: With names in lower case.
    headers: dict[str, str]
    body: str

    @property
    def job_ids(self) -> list[str]:
        if self.body.startswith("<"):
            return re.findall("<id>(.*?)</id>", self.body)
        return [job["id"] for job in json.loads(self.body)["jobs"]["job"]] if self.body else []

    @property
    def key(self) -> str:
        return self.headers.get("idempotency-key", "")


class ScriptedServer:
    """Closes the first ``closed_connections`` without reading them. Then gives ``answers`` in their order."""

    def __init__(self, answers: list[Any], closed_connections: int = 0) -> None:
        self.received: list[Received] = []
        arrived = threading.Condition()
        stopped = self._stopped = threading.Event()
        connections: list[socket.socket] = []
        self._connections = connections
        received = self.received

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self) -> None:
                length = int(self.headers.get("content-length", 0))
                body = self.rfile.read(length).decode()
                headers = {name.lower(): value for name, value in self.headers.items()}
                with arrived:
                    received.append(Received(self.command, self.path, headers, body))
                    index = len(received) - 1
                    arrived.notify_all()
                answer = answers[index] if index < len(answers) else ACCEPTED
                if answer == "accepted":
                    answer = ACCEPTED
                with arrived:
                    arrived.wait_for(lambda: len(received) >= answer.get("after_requests", 0))
                self.write(answer)

            do_DELETE = do_GET = answer

            def write(self, answer: dict[str, Any]) -> None:
                fault = answer.get("fault")
                self.close_connection = fault is not None
                if fault == "hang":
                    stopped.wait()
                if fault in ("hang", "close"):
                    return
                if fault == "garbage":
                    self.wfile.write(b"hello\r\n\r\n")
                    return
                content = _content_of(answer).encode()
                self.send_response(answer.get("status", 200))
                if "problem" in answer:
                    self.send_header("request-id", "a-request")
                for name, value in answer.get("headers", {}).items():
                    self.send_header(name, value)
                self.send_header("content-length", str(len(content) if fault is None else 1_000_000))
                self.end_headers()
                self.wfile.write(content)
                while fault == "drip" and not stopped.wait(0.01):
                    self.wfile.write(b" ")

            def log_message(self, format: str, *args: object) -> None:
                pass

        class Server(ThreadingHTTPServer):
            daemon_threads = True
            block_on_close = False

            def verify_request(self, request: Any, client_address: Any) -> bool:
                connections.append(request)
                return len(connections) > closed_connections

            def handle_error(self, request: Any, client_address: Any) -> None:
                # The client has gone.
                pass

        self._server = Server(("127.0.0.1", 0), Handler)
        self.base_url = f"http://127.0.0.1:{self._server.server_port}"
        serve: Callable[[], None] = lambda: self._server.serve_forever(poll_interval=0.01)
        self._thread = threading.Thread(target=serve, daemon=True)
        self._thread.start()

    @property
    def keys(self) -> list[str]:
        """The different keys, in the order of their first request."""
        return list(dict.fromkeys(one.key for one in list(self.received)))

    def stop(self) -> None:
        self._stopped.set()
        self._server.shutdown()
        self._server.server_close()


def _content_of(answer: dict[str, Any]) -> str:
    if "text" in answer:
        return str(answer["text"])
    if "problem" not in answer:
        return json.dumps(answer.get("json", {}))
    code = answer["problem"]
    errors = [{"code": code, "message": code, "pointer": pointer} for pointer in answer.get("pointers", [])]
    truncated = answer.get("errors_truncated", False)
    return json.dumps({"title": code, "code": code, "errors": errors, "errors_truncated": truncated})
