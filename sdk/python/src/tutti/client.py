from __future__ import annotations

import http.client
import json
import random
import ssl
import time
import uuid
from contextlib import closing
from typing import Any, Callable, Iterator, Mapping
from urllib.parse import quote, urlencode, urlsplit

from ._operations import LIST_KEYS, OPERATIONS, PATHS_WITH_IDEMPOTENCY_KEY, DeletePath, GetPath, PatchPath, PostPath, PutPath
from .errors import TuttiError, error_of
from .streams import StreamEvent, json_lines, server_sent_events

_SAFE = {"GET", "HEAD", "PUT", "DELETE"}
_RETRIED = {429, 502, 503, 504}
_FIRST_PAUSE = 0.5
_MAX_PAUSE = 30.0
_PAGE_SIZE = 100

Values = Mapping[str, Any]


class Tutti:
    """
    A connection to a platform. Sends nothing before the first call.

    All calls raise a TuttiError unless the response is 2xx. ``api_key`` is an API key or an access token, or a function that returns one
    for each request. A client may be used by several threads: every request has a connection of its own.
    """

    def __init__(
        self,
        url: str,
        *,
        api_key: str | Callable[[], str] | None = None,
        max_retries: int = 2,
        timeout: float = 600,
        context: ssl.SSLContext | None = None,
    ) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"{url!r} is no address of a platform, such as https://tutti.example.com")
        self._origin = parts
        self._prefix = parts.path.rstrip("/")
        self._api_key = api_key
        self._max_retries = max_retries
        self._timeout = timeout
        self._context = context

    def get(self, path: GetPath, *, params: Values | None = None, query: Values | None = None) -> Any:
        """Reads something. ``params`` are the parts of the path in braces."""
        return self._call("GET", path, params, query)

    def post(
        self,
        path: PostPath,
        body: Any = None,
        *,
        params: Values | None = None,
        query: Values | None = None,
        idempotency_key: str | None = None,
    ) -> Any:
        """Creates or starts something. The same ``idempotency_key`` does it once."""
        return self._call("POST", path, params, query, body, idempotency_key)

    def put(self, path: PutPath, body: Any = None, *, params: Values | None = None, query: Values | None = None) -> Any:
        """Sets something."""
        return self._call("PUT", path, params, query, body)

    def patch(self, path: PatchPath, body: Any = None, *, params: Values | None = None, query: Values | None = None) -> Any:
        """Changes a part of something."""
        return self._call("PATCH", path, params, query, body)

    def delete(self, path: DeletePath, *, params: Values | None = None, query: Values | None = None) -> Any:
        """Deletes something."""
        return self._call("DELETE", path, params, query)

    def list(self, path: GetPath, *, params: Values | None = None, query: Values | None = None) -> Iterator[Any]:
        """The entries of a list, page by page as they are needed."""
        if path not in LIST_KEYS:
            raise ValueError(f"{path} is no list with pages")
        given = dict(query or {})
        limit = int(given.setdefault("limit", _PAGE_SIZE))
        page = int(given.pop("page", 1))
        while True:
            body = self.get(path, params=params, query={**given, "page": page})
            entries = body.get(LIST_KEYS[path]) or []
            yield from entries
            if len(entries) < limit:
                return
            # Later pages show the list as it was, without entries that are repeated because new ones came in between.
            if "as_of" in body:
                given["as_of"] = body["as_of"]
            page += 1

    def stream(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        params: Values | None = None,
        query: Values | None = None,
    ) -> Iterator[StreamEvent]:
        """
        The events of a stream. A stream that is read with GET goes on after a lost connection, without losing or repeating an event, until
        the platform says that it has ended.
        """
        is_resumable = method.upper() == "GET"
        last_id, failures = "", 0
        while True:
            headers = {"last-event-id": last_id} if last_id else {}
            try:
                response = self._send(method.upper(), path, params, query, body, headers=headers)
                with closing(response):
                    if response.status == 204:
                        return
                    read = json_lines if "ndjson" in response.headers.get("content-type", "") else server_sent_events
                    for event in read(response):
                        last_id, failures = event.id or last_id, 0
                        yield event
            except (http.client.HTTPException, OSError):
                if not is_resumable:
                    raise
            except TuttiError as error:
                if not is_resumable or 0 < error.status < 500:
                    raise
            if not is_resumable:
                return
            time.sleep(min(10, _FIRST_PAUSE * 2**failures))
            failures += 1

    def run_flow(
        self,
        flow_id: str,
        context: Values | None = None,
        *,
        on_event: Callable[[StreamEvent], None] | None = None,
        idempotency_key: str | None = None,
        **further: Any,
    ) -> Any:
        """
        Runs a flow and waits for its end, over restarts of the platform. ``further`` are other fields of the request, such as ``options``.
        Also returns executions that failed.
        """
        body = {"flow_id": flow_id, "context": dict(context or {}), **further}
        started = self.post("/ai-workflows/api/execute-flow-async", body, idempotency_key=idempotency_key)
        params = {"execution_id": started["execution_id"]}
        for event in self.stream("GET", "/ai-workflows/api/execution-stream/{execution_id}", params=params):
            if on_event is not None:
                on_event(event)
        return self.get("/ai-workflows/api/executions/{execution_id}", params=params)

    def _call(
        self,
        method: str,
        path: str,
        params: Values | None,
        query: Values | None,
        body: Any = None,
        idempotency_key: str | None = None,
    ) -> Any:
        headers = {} if idempotency_key is None else {"idempotency-key": idempotency_key}
        with closing(self._send(method, path, params, query, body, headers=headers)) as response:
            text = response.read()
            is_json = "json" in response.headers.get("content-type", "")
        if not text:
            return None
        return json.loads(text) if is_json else text.decode("utf-8")

    def _send(
        self,
        method: str,
        path: str,
        params: Values | None,
        query: Values | None,
        body: Any,
        *,
        headers: Mapping[str, str],
    ) -> http.client.HTTPResponse:
        """Sends a request, and sends it again when it failed for a moment and may be repeated. Raises a TuttiError unless it is 2xx."""
        if f"{method} {path}" not in OPERATIONS:
            raise ValueError(f"The platform has no {method} {path}")
        # The response owns its connection, which is closed with it.
        sent = {"accept": "application/json, text/event-stream, */*", "connection": "close", **headers}
        if body is not None:
            sent["content-type"] = "application/json"
        # With a key the request may be repeated when its response was lost.
        if method == "POST" and path in PATHS_WITH_IDEMPOTENCY_KEY:
            sent.setdefault("idempotency-key", str(uuid.uuid4()))
        target = self._prefix + _filled(path, params or {}) + _query_of(query)
        content = None if body is None else json.dumps(body).encode()
        is_repeatable = method in _SAFE or "idempotency-key" in sent
        for retries in range(self._max_retries + 1):
            outcome = self._attempt(method, target, content, sent)
            if isinstance(outcome, http.client.HTTPResponse):
                return outcome
            error, retry_after = outcome
            may_help = error.status == 429 or (is_repeatable and (error.status == 0 or error.status in _RETRIED))
            pause = _FIRST_PAUSE * 2**retries * random.uniform(0.5, 1) if retry_after is None else retry_after
            if retries == self._max_retries or not may_help or pause > _MAX_PAUSE:
                raise error
            time.sleep(pause)
        raise AssertionError("the last attempt returns or raises")

    def _attempt(
        self, method: str, target: str, content: bytes | None, headers: Mapping[str, str]
    ) -> http.client.HTTPResponse | tuple[TuttiError, float | None]:
        key = self._api_key() if callable(self._api_key) else self._api_key
        authorization = {} if key is None else {"authorization": f"Bearer {key}"}
        connection = self._connect()
        try:
            connection.request(method, target, content, {**headers, **authorization})
            response = connection.getresponse()
            if 200 <= response.status < 300:
                return response
            error = error_of(response.status, {k.lower(): v for k, v in response.getheaders()}, response.read())
            retry_after = response.headers.get("retry-after", "")
            connection.close()
            return error, float(retry_after) if retry_after.isdigit() else None
        except (http.client.HTTPException, OSError) as cause:
            connection.close()
            error = TuttiError(
                f"The platform at {self._origin.scheme}://{self._origin.netloc} did not respond: {cause}",
                status=0,
                code="unreachable",
            )
            error.__cause__ = cause
            return error, None

    def _connect(self) -> http.client.HTTPConnection:
        host, port = self._origin.hostname or "", self._origin.port
        if self._origin.scheme == "http":
            return http.client.HTTPConnection(host, port, timeout=self._timeout)
        context = self._context or ssl.create_default_context()
        return http.client.HTTPSConnection(host, port, timeout=self._timeout, context=context)


def _filled(path: str, params: Values) -> str:
    for name, value in params.items():
        if "{" + name + "}" not in path:
            raise ValueError(f"{path} has no part {name!r}")
        path = path.replace("{" + name + "}", quote(str(value), safe=""))
    if "{" in path:
        raise ValueError(f"params lacks a part of {path}")
    return path


def _query_of(query: Values | None) -> str:
    given = {name: _text_of(value) for name, value in (query or {}).items() if value is not None}
    return "?" + urlencode(given, doseq=True) if given else ""


def _text_of(value: Any) -> Any:
    return str(value).lower() if isinstance(value, bool) else value
