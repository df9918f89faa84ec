from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
from typing import Any, Mapping, Sequence


class WebhookRefused(Exception):
    """The webhook has no valid signature, is malformed or is too old."""


def read_webhook(
    body: bytes | str,
    headers: Mapping[str, str],
    secret: str | Sequence[str],
    *,
    tolerance_seconds: float = 300,
) -> dict[str, Any]:
    """
    Verifies and reads a webhook from its raw body and headers, as specified by Standard Webhooks. ``secret`` may be several during a
    rotation. Raises WebhookRefused.
    """
    raw = body.encode() if isinstance(body, str) else body
    given = {name.lower(): value for name, value in headers.items()}
    message_id, sent_at = given.get("webhook-id", ""), given.get("webhook-timestamp", "")
    if not sent_at.isdigit() or abs(time.time() - int(sent_at)) > tolerance_seconds:
        raise WebhookRefused("The webhook has no timestamp, or it is too old.")
    signed = f"{message_id}.{sent_at}.".encode() + raw
    secrets = [secret] if isinstance(secret, str) else secret
    expected = [hmac.new(key_of(one), signed, hashlib.sha256).digest() for one in secrets]
    signatures = [decoded(part[3:]) for part in given.get("webhook-signature", "").split() if part.startswith("v1,")]
    if not any(hmac.compare_digest(one, other) for one in signatures for other in expected):
        raise WebhookRefused("The webhook has no valid signature.")
    try:
        message = json.loads(raw)
    except ValueError as error:
        raise WebhookRefused("The webhook is not JSON.") from error
    if not isinstance(message, dict):
        raise WebhookRefused("The webhook is not a JSON object.")
    return {"id": message_id, **message}


def key_of(secret: str) -> bytes:
    return decoded(secret[6:]) if secret.startswith("whsec_") else secret.encode()


def decoded(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except ValueError:
        return b""
