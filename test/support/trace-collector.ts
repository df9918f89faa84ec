import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ReceivedSpan {
  name: string
  kind: number
  traceId: string
  spanId: string
  parentSpanId?: string
  traceState?: string
  attributes: { key: string; value: Record<string, unknown> }[]
  events?: { attributes: { key: string; value: Record<string, unknown> }[] }[]
  status: { code?: number; message?: string }
}

interface Received {
  path: string | undefined
  headers: IncomingHttpHeaders
  resource: Record<string, unknown>
  spans: ReceivedSpan[]
}

export function readAttributes(attributes: readonly { key: string; value: Record<string, unknown> }[] = []) {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
}

/** A trace collector that records the received spans. */
export async function startCollector(status = 200) {
  const received: Received[] = []
  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    for (const { resource, scopeSpans } of JSON.parse(Buffer.concat(chunks).toString()).resourceSpans) {
      received.push({
        path: request.url,
        headers: request.headers,
        resource: readAttributes(resource.attributes),
        spans: scopeSpans.flatMap((scope: { spans: ReceivedSpan[] }) => scope.spans),
      })
    }
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
  }
  const server = createServer((request, response) => void receive(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    received,
    spans: () => received.flatMap((batch) => batch.spans),
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
