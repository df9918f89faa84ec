import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'

interface TakenPort extends AsyncDisposable {
  readonly port: number
}

/** Something on a port that is not Tutti: it ends every connection at the first request, or says nothing. */
export async function takePort({ silent = false } = {}): Promise<TakenPort> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    if (!silent) socket.on('data', () => socket.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
