/** The command that sends a first event: it runs as it is in a shell that knows a key. */
export function writeFirstEvent(origin: string): string {
  return `curl -X POST ${origin}/llm-ui/analytics \\
  -H "Authorization: Bearer $TUTTI_API_KEY" \\
  -H "Content-Type: application/json" \\
  --data-binary @- <<JSON
{
  "event": "opened",
  "component": "chat-panel",
  "timestamp": "$(date -u +%Y-%m-%dT%H:%M:%SZ)",
  "metadata": { "theme": "my-theme", "version": "1.0.0" }
}
JSON`
}
