import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A load balancer in front of replicas. Sends requests in turns to those whose `/readyz` responds with 200; to all when none does. */
export interface ReplicaProxy extends AsyncDisposable {
  readonly url: string
  add(replicaUrl: string): void
  remove(replicaUrl: string): void
  /** The replicas that were added and not removed: undefined when ready, else what `/readyz` responds. */
  readinessOf(): Promise<ReadonlyMap<string, string | undefined>>
}

export async function openReplicaProxy(): Promise<ReplicaProxy> {
  const replicas = new Map<string, { problem: string | undefined }>()
  let turn = 0

  async function probe(): Promise<void> {
    await Promise.all(
      [...replicas].map(async ([url, replica]) => {
        replica.problem = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5000) }).then(
          async (answer) => {
            const text = await answer.text()
            return answer.status === 200 ? undefined : text
          },
          String,
        )
      }),
    )
  }
  const probing = setInterval(() => void probe(), 500)

  /** A refused connection has processed nothing, so the next replica gets the request. Anything later is the caller's failure. */
  function forward(
    incoming: IncomingMessage,
    body: Buffer,
    outgoing: ServerResponse,
    tried: readonly string[],
  ): void {
    const untried = [...replicas].filter(([url]) => !tried.includes(url))
    const ready = untried.filter(([, { problem }]) => problem === undefined)
    // When every probe fails, the probes are the likely cause, such as an overloaded machine: load balancers then use all replicas.
    const candidates = ready.length > 0 ? ready : untried
    const target = candidates[turn++ % candidates.length]?.[0]
    if (target === undefined) {
      outgoing.writeHead(502).end('no replica accepts connections')
      return
    }
    const call = request(new URL(incoming.url ?? '/', target), {
      method: incoming.method ?? 'GET',
      headers: { ...incoming.headers, connection: 'close' },
      agent: false,
    })
    call.on('response', (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, { ...answer.headers, connection: 'close' })
      answer.pipe(outgoing)
      answer.on('error', () => outgoing.destroy())
    })
    call.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') forward(incoming, body, outgoing, [...tried, target])
      else if (outgoing.headersSent) outgoing.destroy()
      else outgoing.writeHead(502).end(`the replica failed: ${error.message}`)
    })
    outgoing.on('close', () => call.destroy())
    call.end(body)
  }

  async function handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const parts: Buffer[] = []
    try {
      for await (const part of incoming) parts.push(part as Buffer)
      forward(incoming, Buffer.concat(parts), outgoing, [])
    } catch {
      outgoing.destroy()
    }
  }

  const server = createServer((incoming, outgoing) => void handle(incoming, outgoing))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    add: (replicaUrl) => void replicas.set(replicaUrl, { problem: 'not probed yet' }),
    remove: (replicaUrl) => void replicas.delete(replicaUrl),
    async readinessOf() {
      await probe()
      return new Map([...replicas].map(([url, { problem }]) => [url, problem]))
    },
    async [Symbol.asyncDispose]() {
      clearInterval(probing)
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
