"""Asks a model and prints the answer as it is written."""

import os

from tutti import Tutti

tutti = Tutti(os.environ.get("TUTTI_URL", "http://127.0.0.1:3000"), api_key=os.environ["TUTTI_API_KEY"])

question = {
    "model": os.environ.get("MODEL", "builtin:text"),
    "messages": [{"role": "user", "content": "The service was quick and the staff were kind."}],
    "stream": True,
}
for event in tutti.stream("POST", "/v1/chat/completions", question):
    print(event.data["choices"][0]["delta"].get("content") or "", end="", flush=True)
print()
