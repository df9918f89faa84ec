import { connect } from 'node:net'
import { type FromClients, now, type ToClients } from './messages.ts'

/** Opens thousands of streams and records when each receives an event, with little work, so that the server is measured. */
const reply = (message: FromClients) => process.send?.(message)

interface Listening {
  readonly last: string
  readonly heardAt: number[]
  missing: number
}

let listening: Listening | undefined
let streams = 0

function open(port: number, path: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const socket = connect(port, '127.0.0.1')
  let tail = ''
  socket.setEncoding('latin1')
  socket.on('error', reject)
  socket.on('connect', () =>
    socket.write(`GET ${path} HTTP/1.1\r\nHost: bench\r\nAccept: text/event-stream\r\n\r\n`),
  )
  socket.on('data', (piece: string) => {
    resolve()
    if (listening === undefined) return
    // The searched text may be split between two chunks.
    tail = (tail + piece).slice(-Math.max(piece.length, 200))
    if (!tail.includes(listening.last)) return
    tail = ''
    listening.heardAt.push(now())
    listening.missing -= 1
    if (listening.missing > 0) return
    reply({ heardAt: listening.heardAt })
    listening = undefined
  })
  return promise
}

process.on('message', (message: ToClients) => {
  if (message.ask === 'hear') {
    listening = { last: `"n":"${message.run}-${message.count}"`, heardAt: [], missing: streams }
    return
  }
  void openAll(message.port, message.path, message.count)
})

async function openAll(port: number, path: string, count: number): Promise<void> {
  while (streams < count) {
    const some = Math.min(100, count - streams)
    await Promise.all(Array.from({ length: some }, () => open(port, path)))
    streams += some
  }
  reply({ opened: streams })
}
