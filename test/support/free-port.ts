import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Finds a port on which no server listens: for a server whose address must be known before it starts, for one that starts again at its
 * address, and for one that is absent. Linux gives ports from 32,768 on to servers and clients that name none, so that other tests do
 * not get this one meanwhile.
 */
export async function findFreePort(): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const port = randomInt(20_000, 32_768)
    const server = createServer().listen(port, '127.0.0.1')
    try {
      await once(server, 'listening')
    } catch {
      continue
    }
    server.close()
    await once(server, 'close')
    return port
  }
  throw new Error('no port below 32,768 is free')
}
