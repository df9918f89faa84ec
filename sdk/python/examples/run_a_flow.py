"""Saves a flow, runs it and prints its result."""

import os

from tutti import Tutti, TuttiError

tutti = Tutti(os.environ.get("TUTTI_URL", "http://127.0.0.1:3000"), api_key=os.environ["TUTTI_API_KEY"])

greet = {
    "id": "greet",
    "label": "Greet",
    "steps": [
        {
            "id": "greet",
            "type": "data_transform",
            "transformations": [{"operation": "generate_summary", "template": "Hello {{context.name}}"}],
        }
    ],
}
try:
    tutti.post("/ai-workflows/api/flows", {"flow_definition": greet})
except TuttiError as error:
    if error.status != 409:
        raise
    print("The flow exists already.")

execution = tutti.run_flow("greet", {"name": "Ada"}, on_event=lambda event: print(event.event))
print(execution["status"], execution["result"])
