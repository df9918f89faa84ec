import { once } from 'node:events'
import { createServer, type Socket, connect as tcpConnect } from 'node:net'

/** A TCP proxy of this machine, whose network can fail. */
export interface TcpProxy extends AsyncDisposable {
  readonly port: number
  /** Passes nothing on any more, in both directions, and closes nothing: as a network that drops all packets. */
  freeze(): void
  /** Passes everything on again, also what came meanwhile. */
  thaw(): void
  /** Ends all connections, and refuses new ones until `thaw`: as a network that is cut. */
  cut(): void
  /** Connections that are open now. */
  connections(): number
}

export async function startTcpProxy(targetPort: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>()
  let frozen = false
  let isCut = false
  const server = createServer((from) => {
    if (isCut) {
      from.destroy()
      return
    }
    const to = tcpConnect({ host: '127.0.0.1', port: targetPort })
    for (const [one, other] of [
      [from, to],
      [to, from],
    ] as const) {
      sockets.add(one)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        sockets.delete(one)
        if (!frozen) other.destroy()
      })
      one.on('data', (chunk) => other.write(chunk))
      if (frozen) one.pause()
    }
  })
  server.listen({ host: '127.0.0.1', port: 0 })
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the system gave no port')
  return {
    port: address.port,
    freeze() {
      frozen = true
      for (const socket of sockets) socket.pause()
    },
    cut() {
      isCut = true
      for (const socket of sockets) socket.destroy()
    },
    thaw() {
      frozen = false
      isCut = false
      for (const socket of sockets) socket.resume()
    },
    connections: () => sockets.size / 2,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
