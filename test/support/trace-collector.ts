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

type Attributes = { key: string; value: Record<string, unknown> }[]

interface ReceivedPoint {
  attributes: Attributes
  asDouble?: number
  count?: string
  sum?: number
}

interface ReceivedMetric {
  name: string
  unit: string
  sum?: { dataPoints: ReceivedPoint[] }
  gauge?: { dataPoints: ReceivedPoint[] }
  histogram?: { dataPoints: ReceivedPoint[] }
}

interface Received {
  path: string | undefined
  headers: IncomingHttpHeaders
  resource: Record<string, unknown>
}

interface ReceivedSpans extends Received {
  spans: ReceivedSpan[]
}

interface ReceivedMetrics extends Received {
  metrics: ReceivedMetric[]
}

export function readAttributes(attributes: readonly { key: string; value: Record<string, unknown> }[] = []) {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
}

/** A collector that records the received spans and metrics. */
export async function startCollector(status = 200) {
  const received: ReceivedSpans[] = []
  const metricExports: ReceivedMetrics[] = []
  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { resourceSpans = [], resourceMetrics = [] } = JSON.parse(Buffer.concat(chunks).toString())
    const { url: path, headers } = request
    for (const { resource, scopeSpans } of resourceSpans) {
      const spans = scopeSpans.flatMap((scope: { spans: ReceivedSpan[] }) => scope.spans)
      received.push({ path, headers, resource: readAttributes(resource.attributes), spans })
    }
    for (const { resource, scopeMetrics } of resourceMetrics) {
      const metrics = scopeMetrics.flatMap((scope: { metrics: ReceivedMetric[] }) => scope.metrics)
      metricExports.push({ path, headers, resource: readAttributes(resource.attributes), metrics })
    }
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
  }
  const server = createServer((request, response) => void receive(request, response))
  // On a busy machine the default of 5 s closes a connection that the client is about to use again.
  server.keepAliveTimeout = 60_000
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    received,
    metricExports,
    spans: () => received.flatMap((batch) => batch.spans),
    /** The metric as it was last received. */
    metric: (name: string) =>
      metricExports.flatMap(({ metrics }) => metrics).findLast((it) => it.name === name),
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
