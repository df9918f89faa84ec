"""Client of the Tutti platform."""

from .client import Tutti
from .errors import TuttiError
from .streams import StreamEvent
from .webhooks import WebhookRefused, read_webhook

__all__ = ["StreamEvent", "Tutti", "TuttiError", "WebhookRefused", "read_webhook"]
