/**
 * A minimal server of OpenAI's wire format without an HTTP stack, so that it uses little of the machine. Each token is a separate packet,
 * as from a real model.
 */
import { type AddressInfo, createServer, type Socket } from 'node:net'

const models = ['unpriced', 'priced']
const tokens = 32

const head = 'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n'
const frame = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`
const event = (fields: object) =>
  frame(
    `data: ${JSON.stringify({
      id: 'chatcmpl-1',
      object: 'chat.completion.chunk',
      created: 1_777_916_264,
      model: 'priced',
      ...fields,
    })}\n\n`,
  )
const choice = (delta: object, finish_reason: string | null) => [{ index: 0, delta, finish_reason }]
const token = event({ choices: choice({ content: ' word' }, null) })
const last = [
  event({ choices: choice({}, 'stop') }),
  event({ choices: [], usage: { prompt_tokens: 11, completion_tokens: tokens, total_tokens: 11 + tokens } }),
  frame('data: [DONE]\n\n'),
  '0\r\n\r\n',
].join('')

const list = JSON.stringify({
  object: 'list',
  data: models.map((id) => ({ id, object: 'model', created: 1, owned_by: 'bench' })),
})
const listAnswer = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${list.length}\r\n\r\n${list}`

const whole = JSON.stringify({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1_777_916_264,
  model: 'priced',
  choices: [
    { index: 0, message: { role: 'assistant', content: ' word'.repeat(tokens) }, finish_reason: 'stop' },
  ],
  usage: { prompt_tokens: 11, completion_tokens: tokens, total_tokens: 11 + tokens },
})
const wholeAnswer = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${whole.length}\r\n\r\n${whole}`

function sendTokens(socket: Socket, left: number): void {
  if (left === tokens) socket.write(head + token)
  else socket.write(left > 0 ? token : last)
  if (left > 0 && !socket.destroyed) setImmediate(sendTokens, socket, left - 1)
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
      const end =
        headEnd + 4 + Number(/\r\ncontent-length: *(\d+)/i.exec(pending.slice(0, headEnd))?.[1] ?? 0)
      if (pending.length < end) return
      if (pending.startsWith('GET')) socket.write(listAnswer)
      else if (/"stream": ?true/.test(pending.slice(headEnd, end))) sendTokens(socket, tokens)
      else socket.write(wholeAnswer)
      pending = pending.slice(end)
    }
  })
})

server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
process.on('disconnect', () => process.exit(0))
