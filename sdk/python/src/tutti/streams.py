from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Iterable, Iterator


@dataclass(frozen=True)
class StreamEvent:
    """One event of a stream."""

    #: Empty when the stream has no ids.
    id: str
    #: The type of the event; ``message`` when the stream has none.
    event: str
    #: The data of the event: parsed JSON, or the text as it is.
    data: Any


def server_sent_events(lines: Iterable[bytes]) -> Iterator[StreamEvent]:
    """Reads server-sent events. An event that is cut off by the end of the stream is left out."""
    event_id, event, data = "", "message", []
    for raw in lines:
        line = raw.decode("utf-8").rstrip("\r\n")
        if line == "":
            if data:
                text = "\n".join(data)
                # The end of a stream in the format of OpenAI.
                if text == "[DONE]":
                    return
                yield StreamEvent(event_id, event, parsed(text))
            event, data = "message", []
            continue
        if not raw.endswith((b"\n", b"\r")):
            return
        name, _, value = line.partition(":")
        value = value[1:] if value.startswith(" ") else value
        if name == "data":
            data.append(value)
        elif name == "event":
            event = value
        elif name == "id" and "\0" not in value:
            event_id = value


def json_lines(lines: Iterable[bytes]) -> Iterator[StreamEvent]:
    """Reads a stream of JSON lines."""
    for raw in lines:
        text = raw.decode("utf-8").strip()
        if text:
            yield StreamEvent("", "message", parsed(text))


def parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text
