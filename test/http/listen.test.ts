import dns from 'node:dns'
import { expect, test, vi } from 'vitest'
import { closeHttpServer } from '#kernel/http'
import { listen } from '../../src/app/listen.ts'
import { createBareServer } from '../support/bare-server.ts'

test('localhost is one listener, though the name has two addresses', async () => {
  using lookup = vi.spyOn(dns, 'lookup')
  lookup.mockImplementation(((name: string, _options: object, tell: (...found: unknown[]) => void) => {
    const addresses = name === 'localhost' ? ['127.0.0.1', '127.0.0.2'] : [name]
    tell(
      null,
      addresses.map((address) => ({ address, family: 4 })),
    )
  }) as unknown as typeof dns.lookup)
  const server = await createBareServer()
  const url = await listen(server, {
    purpose: 'Test',
    host: 'localhost',
    port: 0,
    variables: { host: 'HOST', port: 'PORT' },
  })
  expect(url).toMatch(/^http:\/\/localhost:\d+$/)
  expect(server.addresses()).toEqual([expect.objectContaining({ address: '127.0.0.1' })])
  await closeHttpServer(server, 1000)
})
