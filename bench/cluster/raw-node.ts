import { type AddressInfo, createServer, type Socket } from 'node:net'

/*
 * A minimal model node without an HTTP stack and with prepared responses, so that the proxy in front of it is measured. It ends with its
 * parent process.
 */

const model = 'bench:1b'
const tokens = 32
const token = `${JSON.stringify({ model, created_at: '2026-05-04T17:37:44.706015396Z', response: ' word', done: false })}\n`
const lastLine = `${JSON.stringify({ model, response: '', done: true, done_reason: 'stop', prompt_eval_count: 11, eval_count: tokens })}\n`
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`

function json(body: unknown): string {
  const text = JSON.stringify(body)
  return `HTTP/1.1 200 OK\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${text.length}\r\n\r\n${text}`
}

const streamHead =
  'HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n'
const answers: Readonly<Record<string, string>> = {
  'GET /api/tags': json({ models: [{ name: model, model }] }),
  'GET /api/ps': json({ models: [{ name: model, model }] }),
  'GET /api/version': json({ version: '0.13.5' }),
  'POST /api/chat': json({
    model,
    created_at: '2026-05-04T17:37:44.706015396Z',
    message: { role: 'assistant', content: 'The sky is blue because of how light scatters.' },
    done: true,
    done_reason: 'stop',
    total_duration: 174_560_334,
    load_duration: 101_397_084,
    prompt_eval_count: 11,
    eval_count: 10,
  }),
}

function answer(socket: Socket, route: string): void {
  const known = answers[route]
  if (known !== undefined) socket.write(known)
  else if (route === 'POST /api/generate') sendTokens(socket, tokens)
  else if (route === 'POST /api/embed') flood(socket)
  else socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n')
}

/** One event loop turn per token, so that every token is a separate packet, as from a real model. */
function sendTokens(socket: Socket, left: number): void {
  if (left === tokens) socket.write(streamHead + chunk(token))
  else if (left > 0) socket.write(chunk(token))
  else socket.write(`${chunk(lastLine)}0\r\n\r\n`)
  if (left > 0 && !socket.destroyed) setImmediate(sendTokens, socket, left - 1)
}

function flood(socket: Socket): void {
  const text = chunk(`${'x'.repeat(16_384)}\n`)
  const fill = () => {
    while (!socket.destroyed && socket.write(text));
  }
  socket.on('drain', fill)
  socket.write(streamHead)
  fill()
}

const server = createServer((socket) => {
  let pending = ''
  socket.setNoDelay(true)
  socket.on('error', () => socket.destroy())
  socket.on('data', (data) => {
    pending += data.toString('latin1')
    for (;;) {
      const headEnd = pending.indexOf('\r\n\r\n')
      if (headEnd === -1) return
      const head = pending.slice(0, headEnd)
      const end = headEnd + 4 + Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0)
      if (pending.length < end) return
      pending = pending.slice(end)
      answer(socket, head.slice(0, head.indexOf(' HTTP/')))
    }
  })
})

server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
process.on('disconnect', () => process.exit(0))
