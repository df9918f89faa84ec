import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { listen } from '../http/outbound-support.ts'

interface SlackMessage {
  readonly path: string | undefined
  /** The parsed JSON; each test checks its own fields. */
  readonly body: ReturnType<typeof JSON.parse>
}

type Reaction = (response: ServerResponse) => unknown

const accept: Reaction = (response) => response.end('ok')

/** A fake Slack server. By default it accepts everything. */
export async function startSlack() {
  const messages: SlackMessage[] = []
  let react = accept
  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    messages.push({ path: request.url, body: JSON.parse(Buffer.concat(chunks).toString()) })
    react(response)
  }
  const server = createServer((request, response) => void take(request, response))
  const { port, [Symbol.asyncDispose]: close } = await listen(server)
  return {
    url: `http://127.0.0.1:${port}/services/T0/B0/secret`,
    messages,
    react(reaction: Reaction) {
      react = reaction
    },
    [Symbol.asyncDispose]: close,
  }
}
