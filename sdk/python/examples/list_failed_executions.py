"""Prints all failed executions, page by page as they are read."""

import os

from tutti import Tutti

tutti = Tutti(os.environ.get("TUTTI_URL", "http://127.0.0.1:3000"), api_key=os.environ["TUTTI_API_KEY"])

count = 0
for execution in tutti.list("/ai-workflows/api/executions", query={"status": "failed", "limit": 2}):
    count += 1
    print(execution["execution_id"], execution["flow_id"])
print(f"{count} failed")
