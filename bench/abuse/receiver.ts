import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Receives the requests that the platform sends for normal accounts, in the process that measures. */
export interface Receiver extends AsyncDisposable {
  readonly url: string
  /** Resolves with the next request whose path and body contain all of these texts. */
  readonly waitFor: (texts: readonly string[], signal: AbortSignal) => Promise<void>
}

interface Waiting {
  readonly texts: readonly string[]
  resolve(): void
}

export async function startReceiver(): Promise<Receiver> {
  const waiting = new Set<Waiting>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      response.writeHead(204).end()
      const text = `${request.url} ${Buffer.concat(chunks).toString()}`
      for (const one of waiting) if (one.texts.every((part) => text.includes(part))) one.resolve()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async waitFor(texts, signal) {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const one: Waiting = { texts, resolve }
      const abort = () => reject(signal.reason)
      waiting.add(one)
      signal.addEventListener('abort', abort)
      try {
        await promise
      } finally {
        waiting.delete(one)
        signal.removeEventListener('abort', abort)
      }
    },
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
