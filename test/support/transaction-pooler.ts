import { once } from 'node:events'
import { createServer, type Socket, connect as tcpConnect } from 'node:net'

/**
 * A connection pooler in transaction mode, reduced to what a client notices: it refuses unknown startup parameters, invents the process
 * number of a session, and gives a client one of its few sessions from the first message to the end of the transaction.
 */
export interface TransactionPooler extends AsyncDisposable {
  readonly url: string
}

const sslRequest = 80_877_103
const knownParameters: ReadonlySet<string> = new Set([
  'user',
  'database',
  'application_name',
  'client_encoding',
])

interface ServerSession {
  readonly socket: Socket
  client: Socket | undefined
}

export async function startTransactionPooler(serverPort: number, size = 2): Promise<TransactionPooler> {
  const sockets = new Set<Socket>()
  const sessions: ServerSession[] = []
  const waiting: { readonly client: Socket; readonly chunks: Buffer[] }[] = []
  for (let index = 0; index < size; index++) sessions.push(await openSession(serverPort, release))
  for (const { socket } of sessions) sockets.add(socket)

  function release(session: ServerSession): void {
    session.client = undefined
    const next = waiting.shift()
    if (next === undefined) return
    session.client = next.client
    for (const chunk of next.chunks) session.socket.write(chunk)
  }

  function forward(client: Socket, chunk: Buffer): void {
    const assigned = sessions.find((it) => it.client === client)
    if (assigned !== undefined) {
      assigned.socket.write(chunk)
      return
    }
    const queued = waiting.find((it) => it.client === client)
    if (queued !== undefined) {
      queued.chunks.push(chunk)
      return
    }
    waiting.push({ client, chunks: [chunk] })
    // The session that was used last comes first, as in PgBouncer.
    const free = sessions.find((it) => it.client === undefined)
    if (free !== undefined) release(free)
  }

  const server = createServer((client) => {
    sockets.add(client)
    client.on('error', () => {})
    client.on('close', () => sockets.delete(client))
    let isStarted = false
    client.on('data', (chunk) => {
      if (isStarted) {
        const isTerminate = chunk[0] === 'X'.charCodeAt(0)
        if (!isTerminate) forward(client, chunk)
        return
      }
      if (chunk.readInt32BE(4) === sslRequest) {
        client.write('N')
        return
      }
      const unknown = parametersOf(chunk).find((name) => !knownParameters.has(name))
      if (unknown !== undefined) {
        client.end(refusal(`unsupported startup parameter: ${unknown}`))
        return
      }
      isStarted = true
      client.write(welcome())
    })
  })
  server.listen({ host: '127.0.0.1', port: 0 })
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the system gave no port')
  return {
    url: `postgres://tutti:any@127.0.0.1:${address.port}/tutti`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Opens a session of the server, whose access rule is `trust`, and passes its messages to the client it is given to. */
async function openSession(port: number, onFree: (session: ServerSession) => void): Promise<ServerSession> {
  const socket = tcpConnect({ host: '127.0.0.1', port })
  const session: ServerSession = { socket, client: undefined }
  const ready = Promise.withResolvers<void>()
  let rest: Buffer = Buffer.alloc(0)
  socket.on('error', ready.reject)
  socket.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk])
    while (rest.length >= 5 && rest.length >= rest.readInt32BE(1) + 1) {
      const received = rest.subarray(0, rest.readInt32BE(1) + 1)
      rest = rest.subarray(received.length)
      session.client?.write(received)
      const isIdle = String.fromCharCode(received[0] ?? 0, received[5] ?? 0) === 'ZI'
      if (!isIdle) continue
      ready.resolve()
      onFree(session)
    }
  })
  socket.write(startup({ user: 'tutti', database: 'tutti' }))
  await ready.promise
  return session
}

function startup(parameters: Readonly<Record<string, string>>): Buffer {
  const text = Object.entries(parameters)
    .map(([name, value]) => `${name}\0${value}\0`)
    .join('')
  const body = Buffer.concat([Buffer.from([0, 3, 0, 0]), Buffer.from(`${text}\0`)])
  const length = Buffer.alloc(4)
  length.writeInt32BE(body.length + 4)
  return Buffer.concat([length, body])
}

function parametersOf(packet: Buffer): string[] {
  const words = packet.subarray(8).toString().split('\0')
  return words.filter((word, index) => index % 2 === 0 && word !== '')
}

function message(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5)
  head.write(type)
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

function refusal(text: string): Buffer {
  return message('E', Buffer.from(`SFATAL\0VFATAL\0C08P01\0M${text}\0\0`))
}

let sessionsNamed = 0

function welcome(): Buffer {
  const key = Buffer.alloc(8)
  sessionsNamed += 1
  // No process has such a number.
  key.writeInt32BE(2_000_000_000 + sessionsNamed)
  return Buffer.concat([message('R', Buffer.alloc(4)), message('K', key), message('Z', Buffer.from('I'))])
}
