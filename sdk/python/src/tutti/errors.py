from __future__ import annotations

import json
from typing import Any, Mapping


class TuttiError(Exception):
    """A request that failed: the platform refused it, or did not respond."""

    def __init__(
        self,
        message: str,
        *,
        status: int,
        code: str,
        problems: list[dict[str, str]] | None = None,
        request_id: str | None = None,
        body: Any = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        #: The HTTP status; 0 when no response arrived.
        self.status = status
        #: A stable name of the error; ``unreachable`` when no response arrived.
        self.code = code
        #: What is wrong with the request: ``path`` names the field, ``message`` the problem.
        self.problems = problems or []
        #: Names the request in the logs of the platform.
        self.request_id = request_id
        #: The body of the response, parsed if it was JSON.
        self.body = body


def error_of(status: int, headers: Mapping[str, str], text: bytes) -> TuttiError:
    """The error of a response that is not 2xx. The APIs of the platform have different error bodies."""
    try:
        body: Any = json.loads(text)
    except ValueError:
        body = text.decode("utf-8", "replace")
    outer = body if isinstance(body, dict) else {}
    error = outer.get("error")
    # Some APIs have an object in `error`; others its code or its message, as a text.
    inner = error if isinstance(error, dict) else outer
    as_text = error if isinstance(error, str) else None
    details = inner.get("details")
    problems = inner.get("problems") or (details.get("problems") if isinstance(details, dict) else None)
    return TuttiError(
        inner.get("message") or as_text or f"The platform responded with status {status}.",
        status=status,
        code=str(inner.get("code") or inner.get("type") or as_text or f"http_{status}"),
        problems=problems if isinstance(problems, list) else [],
        request_id=headers.get("x-request-id"),
        body=body,
    )
