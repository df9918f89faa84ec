import { createServer, type ServerResponse } from 'node:http'
import { handleRequests } from './handle-requests.ts'

/** The simplest implementation: every event to every response, without storage and authentication. */
const responses = new Set<ServerResponse>()
const server = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write(': hello\n\n')
  responses.add(response)
  response.on('close', () => responses.delete(response))
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  let id = 0
  handleRequests(typeof address === 'object' ? (address?.port ?? 0) : 0, async (data) => {
    for (const it of data) {
      id += 1
      const text = `id: ${id}\nevent: agent_performance\ndata: ${JSON.stringify(it)}\n\n`
      for (const response of responses) response.write(text)
    }
  })
})
