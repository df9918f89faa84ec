import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { startServiceFor } from '../support/cluster-service.ts'
import { startWireNode, type WireRequest } from './cluster-node-connection-node.ts'

/*
 * Reads from all nodes share one buffer. Streams that arrive in turns, in parts of any size, for callers who read late, must stay apart.
 */

const callers = 12
const lines = 60
const calm = { HEALTH_CHECK_INTERVAL: '1h' }

/** Lines of a caller, some longer than a read and some longer than what is buffered of a line. Each byte tells whose it is. */
function linesOf(caller: number): string {
  const letter = String.fromCharCode(97 + caller)
  const text = Array.from({ length: lines }, (_, line) => {
    const length = [20, 700, 9000, 17_000, 70_000][(line * 7 + caller) % 5] ?? 0
    return `${letter}${line} ${letter.repeat(length)}\n`
  }).join('')
  return `${text}{"done":true}\n`
}

/** Sends the lines in chunks that end anywhere, each after a turn of the other streams. */
async function sendLines({ socket, body }: WireRequest, type: string): Promise<void> {
  const caller = Number(/"prompt":"(\d+)"/.exec(body)?.[1])
  const text = linesOf(caller)
  socket.write(`HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\nTransfer-Encoding: chunked\r\n\r\n`)
  const size = 1500 + caller * 911
  for (let at = 0; at < text.length; at += size) {
    const part = text.slice(at, at + size)
    if (!socket.write(`${part.length.toString(16)}\r\n${part}\r\n`)) await once(socket, 'drain')
    await nextTurn()
  }
  socket.write('0\r\n\r\n')
}

/** Reads the body of a chunked response; every third caller begins late. */
async function readLines(socket: Socket, caller: number): Promise<string> {
  const body = JSON.stringify({ model: 'gemma3:4b', prompt: String(caller) })
  // Node's server reads a request with two equal fields, our own parser the others.
  const fields = caller % 4 === 3 ? 'X-Twice: 1\r\nX-Twice: 2\r\n' : ''
  const head = `POST /api/generate HTTP/1.1\r\nHost: localhost\r\n${fields}Content-Length: ${body.length}\r\n\r\n`
  socket.write(head + body)
  if (caller % 3 === 0) for (let turn = 0; turn < 200; turn++) await nextTurn()
  let text = ''
  for await (const bytes of socket) {
    text += (bytes as Buffer).toString('latin1')
    if (text.endsWith('\r\n0\r\n\r\n')) break
  }
  const start = text.indexOf('\r\n\r\n') + 4
  let read = ''
  for (let at = start; ; ) {
    const endOfSize = text.indexOf('\r\n', at)
    const size = Number.parseInt(text.slice(at, endOfSize), 16)
    if (size === 0) return read
    read += text.slice(endOfSize + 2, endOfSize + 2 + size)
    at = endOfSize + 2 + size + 2
  }
}

describe('concurrent streams', () => {
  test.each(['application/x-ndjson', 'audio/wav'])('of %s stay apart', async (type) => {
    await using node = await startWireNode((request) => void sendLines(request, type))
    await using service = await startServiceFor([node], calm)
    const { port } = new URL(service.url)
    const read = await Promise.all(
      Array.from({ length: callers }, async (_, caller) => {
        const socket = connect(Number(port), '127.0.0.1')
        await once(socket, 'connect')
        return await readLines(socket, caller)
      }),
    )
    for (const [caller, text] of read.entries())
      expect(text === linesOf(caller), `caller ${caller}`).toBe(true)
  })
})
