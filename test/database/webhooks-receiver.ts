import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { listen } from '../http/outbound-support.ts'
import { eventually } from '../support/eventually.ts'

export interface Received {
  readonly headers: IncomingHttpHeaders
  /** The raw body, after decompression. */
  readonly raw: string
  /** The envelope; each test checks its own fields. */
  readonly body: ReturnType<typeof JSON.parse>
  readonly at: number
}

/** The response of a receiver to a request. */
type Reaction = (response: ServerResponse, received: Received) => unknown

export interface Receiver extends AsyncDisposable {
  readonly url: string
  /** Events, without verifications. */
  readonly events: readonly Received[]
  readonly verifications: readonly Received[]
  /** For events from now on. */
  react(reaction: Reaction): void
  reactToVerification(reaction: Reaction): void
  untilEvents(count: number): Promise<void>
}

export const accept: Reaction = (response) => response.writeHead(204).end()
export const answer =
  (status: number, headers: Readonly<Record<string, string>> = {}): Reaction =>
  (response) =>
    response.writeHead(status, headers).end('so it is')
const echo: Reaction = (response, { body }) => response.end(JSON.stringify({ challenge: body.challenge }))

/** A local receiver of webhooks. By default it passes verification and accepts everything. */
export async function startReceiver(): Promise<Receiver> {
  const events: Received[] = []
  const verifications: Received[] = []
  let react: Reaction = accept
  let reactToVerification: Reaction = echo
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('error', () => {})
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const bytes = Buffer.concat(chunks)
      const raw = (request.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString()
      const isForm = request.headers['content-type'] === 'application/x-www-form-urlencoded'
      const json = isForm ? (new URLSearchParams(raw).get('payload') ?? '') : raw
      const received: Received = {
        headers: request.headers,
        raw,
        body: JSON.parse(json),
        at: performance.now(),
      }
      const isVerification = received.body.event === 'webhook.verification'
      ;(isVerification ? verifications : events).push(received)
      ;(isVerification ? reactToVerification : react)(response, received)
    })
  })
  const { port, [Symbol.asyncDispose]: close } = await listen(server)
  return {
    url: `http://127.0.0.1:${port}/hook`,
    events,
    verifications,
    react(reaction) {
      react = reaction
    },
    reactToVerification(reaction) {
      reactToVerification = reaction
    },
    async untilEvents(count) {
      await eventually(() => events.length >= count)
    },
    [Symbol.asyncDispose]: close,
  }
}
