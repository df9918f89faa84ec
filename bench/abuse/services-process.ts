import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * The services that the flows and the gateway call, in a process of their own, so that their processor time is not that of the server
 * or of the measurement. Accepts every other request, as a receiver of callbacks. Ends with its parent process.
 */
const slowMs = 1000
/** Executions that wait for `/tick` end at about the same time, so often. */
const tickMs = 4000

const rows = Array.from({ length: 1000 }, (_, id) => ({ id, name: `row ${id}`, note: 'x'.repeat(60) }))
const bytesOfRow = JSON.stringify(rows).length / rows.length
const models = { object: 'list', data: [{ id: 'bench', object: 'model', created: 1, owned_by: 'bench' }] }
const completion = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1_777_916_264,
  model: 'bench',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Blue.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 11, completion_tokens: 1, total_tokens: 12 },
}

const server = createServer((request, response) => {
  request.resume()
  request.on('end', () => answer(new URL(request.url ?? '/', 'http://localhost'), response))
})
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
process.on('disconnect', () => process.exit())

function answer({ pathname, searchParams }: URL, response: ServerResponse): void {
  const accept = () => response.writeHead(204).end()
  switch (pathname) {
    case '/slow':
      setTimeout(accept, slowMs)
      return
    case '/tick':
      setTimeout(accept, tickMs - (Date.now() % tickMs))
      return
    case '/rows':
      sendJson(response, rowsOf(Number(searchParams.get('bytes'))))
      return
    case '/v1/models':
      sendJson(response, JSON.stringify(models))
      return
    case '/v1/chat/completions':
      sendJson(response, JSON.stringify(completion))
      return
    default:
      accept()
  }
}

/** A list of about this size. */
function rowsOf(bytes: number): string {
  const length = Math.floor(bytes / bytesOfRow)
  return JSON.stringify(Array.from({ length }, (_, index) => rows[index % rows.length]))
}

function sendJson(response: ServerResponse, body: string): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(body)
}
