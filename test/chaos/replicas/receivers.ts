import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A server outside of the platform, which records what the executions of the load cause. */
export interface Receivers extends AsyncDisposable {
  /** Steps call it with their key. */
  readonly effectsUrl: string
  /** Executions send their events to it. */
  readonly callbackUrl: string
  /** When each key was called, in milliseconds since the epoch. */
  readonly effects: ReadonlyMap<string, readonly number[]>
  /** How often each `webhook-id` was delivered. */
  readonly deliveries: ReadonlyMap<string, number>
  /** The executions whose end was delivered. */
  readonly ended: ReadonlySet<string>
}

export async function openReceivers(): Promise<Receivers> {
  const effects = new Map<string, number[]>()
  const deliveries = new Map<string, number>()
  const ended = new Set<string>()

  function record(path: string, id: string | undefined, body: string): void {
    const key = /^\/effects\/(.+)$/.exec(path)?.[1]
    if (key !== undefined) effects.set(key, [...(effects.get(key) ?? []), Date.now()])
    else if (id !== undefined) {
      deliveries.set(id, (deliveries.get(id) ?? 0) + 1)
      const { event, data } = JSON.parse(body) as { event: string; data: { execution_id: string } }
      if (event === 'execution.completed') ended.add(data.execution_id)
    }
  }

  const server = createServer((incoming, response) => {
    let body = ''
    incoming.setEncoding('utf8')
    incoming.on('error', () => {})
    incoming.on('data', (chunk: string) => {
      body += chunk
    })
    incoming.on('end', () => {
      const id = incoming.headers['webhook-id']
      record(incoming.url ?? '', typeof id === 'string' ? id : undefined, body)
      response.setHeader('content-type', 'application/json').end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    effectsUrl: `${url}/effects`,
    callbackUrl: `${url}/callback`,
    effects,
    deliveries,
    ended,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
