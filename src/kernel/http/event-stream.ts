import { once } from 'node:events'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** One message of a server-sent event stream. */
export type StreamMessage = {
  readonly id?: string | number
  readonly event?: string
} & (
  | { readonly data: unknown; readonly json?: never }
  /** The data as JSON text, for messages that go to many streams. */
  | { readonly json: string; readonly data?: never }
)

export interface EventStreamOptions {
  readonly messages: (signal: AbortSignal) => AsyncIterable<StreamMessage>
  readonly heartbeatMs?: number
  /** Reconnect delay of the client. */
  readonly retryMs?: number
}

/**
 * Sends server-sent events until the source ends, the client disconnects or the server closes. A slow client slows down the source
 * instead of filling the memory. Every heartbeat checks the access again, so that the stream ends after a sign-out or a revoked key.
 */
export async function sendEventStream(
  request: FastifyRequest,
  reply: FastifyReply,
  { messages, heartbeatMs = 15_000, retryMs = 2000 }: EventStreamOptions,
): Promise<void> {
  const { server } = request
  const gone = new AbortController()
  const { signal } = gone
  const stop = () => gone.abort()
  reply.hijack()
  const response = reply.raw
  response.on('close', stop)
  response.on('error', stop)
  response.writeHead(200, {
    ...reply.getHeaders(),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  } as Record<string, string>)
  if (request.method === 'HEAD') {
    response.end()
    return
  }
  response.write(`retry: ${retryMs}\n\n`)
  const beat = async () => {
    if (!(await server.isStillAllowed(request))) stop()
    else if (!signal.aborted && !response.writableNeedDrain) response.write(': still here\n\n')
  }
  using beating = new DisposableStack()
  beating.use(server.heartbeats.add(() => void beat(), heartbeatMs))
  // AbortSignal.any would take several times the memory for each of thousands of streams.
  server.closing.addEventListener('abort', stop)
  beating.defer(() => server.closing.removeEventListener('abort', stop))
  if (server.closing.aborted) stop()
  try {
    for await (const message of messages(signal)) {
      if (signal.aborted) break
      if (!response.write(formatMessage(message))) await once(response, 'drain', { signal })
    }
  } catch (error) {
    if (!signal.aborted) request.log.error({ err: error }, 'event stream failed')
  } finally {
    response.end()
  }
}

function formatMessage(message: StreamMessage): string {
  const { id, event, json } = message
  const head = `${id === undefined ? '' : `id: ${id}\n`}${event === undefined ? '' : `event: ${event}\n`}`
  return `${head}data: ${json ?? JSON.stringify(message.data)}\n\n`
}
