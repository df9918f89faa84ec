"""Tests of the client against a running platform: TUTTI_URL and TUTTI_API_KEY name it."""

from __future__ import annotations

import base64
import hashlib
import hmac
import http.client
import json
import os
import subprocess
import sys
import threading
import time
import unittest
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Callable
from urllib.parse import urlsplit

from tutti import Tutti, TuttiError, WebhookRefused, read_webhook

URL = os.environ["TUTTI_URL"]
KEY = os.environ["TUTTI_API_KEY"]
EXAMPLES = Path(__file__).parent.parent / "examples"
STREAM = "/ai-workflows/api/execution-stream/{execution_id}"

tutti = Tutti(URL, api_key=KEY)


def greet(step_id: str, *dependencies: str) -> dict[str, Any]:
    transformation = {"operation": "generate_summary", "template": "Hello {{context.name}}"}
    return {"id": step_id, "type": "data_transform", "transformations": [transformation], "dependencies": list(dependencies)}


def save_flow(*steps: dict[str, Any]) -> str:
    flow_id = f"sdk_{uuid.uuid4().hex[:8]}"
    tutti.post("/ai-workflows/api/flows", {"flow_definition": {"id": flow_id, "label": "Python", "steps": list(steps)}})
    return flow_id


class Proxy:
    """A server in front of the platform that fails as a test says: it gets the number of the request and may answer itself."""

    def __init__(self, fail: Callable[[int, BaseHTTPRequestHandler], str | None]) -> None:
        self.requests: list[dict[str, str]] = []
        proxy = self

        class Handler(BaseHTTPRequestHandler):
            def handle_any(self) -> None:
                proxy.requests.append({k.lower(): v for k, v in self.headers.items()})
                outcome = fail(len(proxy.requests), self)
                if outcome == "answered":
                    return
                body = self.rfile.read(int(self.headers.get("content-length", 0)))
                parts = urlsplit(URL)
                onward = http.client.HTTPConnection(parts.hostname or "", parts.port)
                onward.request(self.command, self.path, body, dict(self.headers))
                answer = onward.getresponse()
                content = answer.read()
                onward.close()
                if outcome == "lost":
                    self.close_connection = True
                    return
                cut = content[: int(outcome[4:])] if outcome is not None and outcome.startswith("cut ") else content
                self.send_response(answer.status)
                self.send_header("content-type", answer.headers.get("content-type", ""))
                self.send_header("content-length", str(len(content)))
                self.end_headers()
                self.wfile.write(cut)

            do_GET = do_POST = handle_any

            def log_message(self, *_: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.client = Tutti(f"http://127.0.0.1:{self.server.server_address[1]}", api_key=KEY)

    def __enter__(self) -> "Proxy":
        return self

    def __exit__(self, *_: Any) -> None:
        self.server.shutdown()
        self.server.server_close()


def run_example(name: str) -> str:
    return subprocess.run([sys.executable, str(EXAMPLES / name)], check=True, capture_output=True, text=True).stdout


class Examples(unittest.TestCase):
    def test_run_a_flow(self) -> None:
        output = run_example("run_a_flow.py")
        self.assertIn("execution_started\n", output)
        self.assertTrue(output.endswith("execution_completed\ncompleted Hello Ada\n"), output)

    def test_list_failed_executions(self) -> None:
        flow_id = save_flow({"id": "call", "type": "external_api", "api": {"url": "http://127.0.0.1:9/"}})
        for _ in range(3):
            self.assertEqual(tutti.run_flow(flow_id)["status"], "failed")
        output = run_example("list_failed_executions.py")
        self.assertEqual(len([line for line in output.splitlines() if line.endswith(flow_id)]), 3)

    def test_stream_a_model(self) -> None:
        self.assertGreater(len(run_example("stream_a_model.py").strip()), 10)


class Errors(unittest.TestCase):
    def test_have_the_fields_of_the_platform(self) -> None:
        with self.assertRaises(TuttiError) as caught:
            tutti.get("/ai-workflows/api/flows/{id}", params={"id": "not-there"})
        self.assertEqual(caught.exception.status, 404)
        self.assertIsNotNone(caught.exception.request_id)
        with self.assertRaises(TuttiError) as caught:
            tutti.post("/ai-workflows/api/execute-flow", {"flow_id": 7})
        self.assertEqual(caught.exception.status, 400)
        self.assertIn("flow_id", caught.exception.message)

    def test_say_when_no_platform_responds(self) -> None:
        with self.assertRaises(TuttiError) as caught:
            Tutti("http://127.0.0.1:9", max_retries=0).get("/healthz")
        self.assertEqual((caught.exception.status, caught.exception.code), (0, "unreachable"))

    def test_name_an_unknown_operation(self) -> None:
        with self.assertRaisesRegex(ValueError, "The platform has no GET /nope"):
            tutti.get("/nope")  # type: ignore[arg-type]
        with self.assertRaisesRegex(ValueError, "params lacks a part"):
            tutti.get("/ai-workflows/api/flows/{id}")


class Retries(unittest.TestCase):
    def test_a_refused_read_is_sent_again(self) -> None:
        def fail(count: int, handler: BaseHTTPRequestHandler) -> str | None:
            if count > 2:
                return None
            handler.send_response(503)
            handler.send_header("retry-after", "0")
            handler.send_header("content-length", "0")
            handler.end_headers()
            return "answered"

        with Proxy(fail) as proxy:
            self.assertEqual(proxy.client.get("/healthz")["status"], "alive")
            self.assertEqual(len(proxy.requests), 3)

    def test_a_start_whose_response_was_lost_starts_a_single_execution(self) -> None:
        flow_id = save_flow(greet("one"))
        with Proxy(lambda count, _: "lost" if count == 1 else None) as proxy:
            started = proxy.client.post("/ai-workflows/api/execute-flow-async", {"flow_id": flow_id})
            keys = [request["idempotency-key"] for request in proxy.requests]
        self.assertEqual(keys, [keys[0], keys[0]])
        listed = list(tutti.list("/ai-workflows/api/executions", query={"flow_id": flow_id}))
        self.assertEqual([one["execution_id"] for one in listed], [started["execution_id"]])

    def test_a_write_without_a_key_is_not_repeated(self) -> None:
        definition = {"id": f"sdk_{uuid.uuid4().hex[:8]}", "label": "Once", "steps": [greet("one")]}
        with Proxy(lambda *_: "lost") as proxy:
            with self.assertRaises(TuttiError):
                proxy.client.post("/ai-workflows/api/flows", {"flow_definition": definition})
            self.assertEqual(len(proxy.requests), 1)


class Streams(unittest.TestCase):
    def test_go_on_after_lost_connections(self) -> None:
        steps = [greet("step_0"), *(greet(f"step_{n}", f"step_{n - 1}") for n in range(1, 12))]
        started = tutti.post("/ai-workflows/api/execute-flow-async", {"flow_id": save_flow(*steps)})
        params = {"execution_id": started["execution_id"]}
        whole = list(tutti.stream("GET", STREAM, params=params))
        self.assertEqual(whole[-1].event, "execution_completed")
        with Proxy(lambda count, _: f"cut {400 * count}" if count < 7 else None) as proxy:
            heard = list(proxy.client.stream("GET", STREAM, params=params))
            self.assertGreater(len(proxy.requests), 3)
        self.assertEqual(heard, whole)

    def test_that_are_refused_raise(self) -> None:
        with self.assertRaises(TuttiError) as caught:
            next(tutti.stream("GET", STREAM, params={"execution_id": str(uuid.uuid4())}))
        self.assertEqual(caught.exception.status, 404)


class Webhooks(unittest.TestCase):
    body = json.dumps({"event": "flow.execution.completed"})

    def headers(self, secret: bytes, sent_at: float) -> dict[str, str]:
        signed = f"msg_1.{int(sent_at)}.{self.body}".encode()
        signature = base64.b64encode(hmac.new(secret, signed, hashlib.sha256).digest()).decode()
        return {"Webhook-Id": "msg_1", "Webhook-Timestamp": str(int(sent_at)), "Webhook-Signature": f"v1,{signature}"}

    def test_with_a_valid_signature_are_read(self) -> None:
        headers = self.headers(b"a-secret-of-our-own", time.time())
        message = read_webhook(self.body, headers, ["another", "a-secret-of-our-own"])
        self.assertEqual((message["id"], message["event"]), ("msg_1", "flow.execution.completed"))
        encoded = "whsec_" + base64.b64encode(b"a-secret-of-our-own").decode()
        self.assertEqual(read_webhook(self.body.encode(), headers, encoded)["id"], "msg_1")

    def test_that_are_forged_or_old_are_refused(self) -> None:
        for headers in (
            {},
            self.headers(b"another", time.time()),
            self.headers(b"a-secret-of-our-own", time.time() - 600),
        ):
            with self.assertRaises(WebhookRefused):
                read_webhook(self.body, headers, "a-secret-of-our-own")


if __name__ == "__main__":
    unittest.main()
