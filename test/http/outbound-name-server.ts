import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv6 } from 'node:net'

/** The addresses of each name. A name that is missing does not exist; one that is `silent` is never answered. */
type Zone = Readonly<Record<string, readonly string[] | 'silent'>>

export interface NameServer extends AsyncDisposable {
  /** For `names: { servers: [address] }` of createOutbound. */
  readonly address: string
  /** The queries so far, as `A name` and `AAAA name`. */
  readonly questions: readonly string[]
}

const types: Readonly<Record<number, string>> = { 1: 'A', 28: 'AAAA' }
const noSuchName = 3

/** A DNS server over UDP on loopback: `await using names = await startNameServer({ 'good.example': ['127.0.0.1'] })`. */
export async function startNameServer(zone: Zone): Promise<NameServer> {
  const questions: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (message, from) => {
    const { name, type, end } = readQuestion(message)
    questions.push(`${types[type]} ${name}`)
    const known = zone[name]
    if (known === 'silent') return
    const found = (known ?? []).filter((address) => isIPv6(address) === (type === 28))
    const head = Buffer.from(message.subarray(0, 12))
    head.writeUInt16BE(0x8180 | (known === undefined ? noSuchName : 0), 2)
    head.writeUInt16BE(found.length, 6)
    head.writeUInt32BE(0, 8)
    const records = found.map((address) => recordOf(type, address))
    socket.send(Buffer.concat([head, message.subarray(12, end), ...records]), from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    address: `127.0.0.1:${socket.address().port}`,
    questions,
    async [Symbol.asyncDispose]() {
      socket.close()
      await once(socket, 'close')
    },
  }
}

function readQuestion(message: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = message.readUInt8(at); length > 0; length = message.readUInt8(at)) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), type: message.readUInt16BE(at + 1), end: at + 5 }
}

/** A record of the question's own name, without a time to live. */
function recordOf(type: number, address: string): Buffer {
  const data = isIPv6(address) ? ipv6Bytes(address) : Buffer.from(address.split('.').map(Number))
  const head = Buffer.alloc(12)
  head.writeUInt16BE(0xc00c, 0)
  head.writeUInt16BE(type, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}

function ipv6Bytes(address: string): Buffer {
  const [before = '', after = ''] = address.split('::')
  const [head, tail] = [before, after].map((part) => part.split(':').filter((group) => group !== ''))
  const missing = 8 - (head?.length ?? 0) - (tail?.length ?? 0)
  const groups = [...(head ?? []), ...Array.from({ length: missing }, () => '0'), ...(tail ?? [])]
  return Buffer.from(groups.map((group) => group.padStart(4, '0')).join(''), 'hex')
}
