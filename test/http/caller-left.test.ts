import { once } from 'node:events'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createLogger } from '#kernel/telemetry'
import { createBareServer } from '../support/bare-server.ts'

async function* parts() {
  for (;;) {
    yield 'part'
    await setImmediate()
  }
}

test('a response in parts to a caller who has left is no fault of the server', async () => {
  const lines: string[] = []
  const destination = { write: (line: string) => void lines.push(line) }
  const server = await createBareServer({
    log: createLogger({ level: 'debug', format: 'json', destination }),
  })
  await using closing = new AsyncDisposableStack()
  closing.defer(() => server.close())
  const response = Readable.from(parts())
  server.post('/late', { config: { access: { open: 'a test' } } }, async (_request, reply) => {
    leaving.destroy()
    await once(reply.raw, 'close')
    return reply.send(response)
  })
  await server.listen({ port: 0, host: '127.0.0.1' })
  const { port } = server.server.address() as AddressInfo
  const headers = { 'content-type': 'application/json' }
  const leaving = request({ port, path: '/late', method: 'POST', headers }).on('error', () => {})
  leaving.end('{}')
  await once(response, 'close')
  await setImmediate()
  expect(lines.join('')).toContain('client left')
  expect(lines.filter((line) => line.includes('"level":"error"'))).toEqual([])
})
