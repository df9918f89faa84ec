import { describe, expect, test } from 'vitest'
import { makeOutbound, serve } from './outbound-support.ts'

describe('the allow-list permits its entries', () => {
  test.each([
    ['the address', () => ['127.0.0.1']],
    ['the address and port', (port: number) => [`127.0.0.1:${port}`]],
    ['the network', () => ['127.0.0.0/8']],
    ['the network and port', (port: number) => [`127.0.0.0/8:${port}`]],
  ])('by %s, for the address and for names that resolve to it', async (_kind, allow) => {
    await using server = await serve((request, response) => response.end(request.headers.host))
    const { outbound } = makeOutbound({ allow: allow(server.port), resolve: async () => ['127.0.0.1'] })
    for (const host of ['127.0.0.1', 'hooks.example', 'localhost']) {
      const answer = await outbound.request(`http://${host}:${server.port}/`)
      expect(answer.body.toString()).toBe(`${host}:${server.port}`)
    }
  })

  test.each([
    ['the host', () => ['hooks.example']],
    ['the host and port', (port: number) => [`hooks.example:${port}`]],
  ])('by %s, and no other name of the same address', async (_kind, allow) => {
    await using server = await serve((_request, response) => response.end('reached'))
    const { outbound } = makeOutbound({ allow: allow(server.port), resolve: async () => ['127.0.0.1'] })
    for (const host of ['hooks.example', 'HOOKS.example.']) {
      expect((await outbound.request(`http://${host}:${server.port}/`)).status).toBe(200)
    }
    for (const host of [
      'other.example',
      'x.hooks.example',
      'hooks.example.com',
      'example',
      '127.0.0.1',
      'localhost',
    ]) {
      await expect(outbound.request(`http://${host}:${server.port}/`), host).rejects.toMatchObject({
        code: 'outbound_refused',
      })
    }
    expect(server.sockets).toHaveLength(2)
  })

  test.each([
    ['another port of the address', '127.0.0.1:1234'],
    ['another port of the host', 'localhost:1234'],
    ['a neighbouring address', '127.0.0.2'],
    ['a neighbouring network', '127.0.1.0/24'],
    ['the other loopback', '::1'],
  ])('and no more: not by %s', async (_kind, entry) => {
    await using server = await serve((_request, response) => response.end('reached'))
    const { outbound } = makeOutbound({ allow: [entry], resolve: async () => ['127.0.0.1'] })
    for (const host of ['127.0.0.1', 'localhost', 'hooks.example']) {
      await expect(outbound.request(`http://${host}:${server.port}/`), host).rejects.toMatchObject({
        code: 'outbound_refused',
      })
    }
    expect(server.sockets).toHaveLength(0)
  })

  test('one allowed address does not permit a name with a second, refused one', async () => {
    await using server = await serve((_request, response) => response.end('reached'))
    const { outbound } = makeOutbound({
      allow: ['127.0.0.1'],
      resolve: async () => ['127.0.0.1', '10.0.0.1'],
    })
    await expect(outbound.request(`http://hooks.example:${server.port}/`)).rejects.toMatchObject({
      code: 'outbound_refused',
    })
    expect(server.sockets).toHaveLength(0)
  })

  test('a non-web port is permitted only by its number', async () => {
    const byHost = makeOutbound({ allow: ['127.0.0.1'] })
    await expect(byHost.outbound.request('http://127.0.0.1:22/')).rejects.toMatchObject({
      code: 'outbound_refused',
      details: { reason: 'port' },
    })
    const byPort = makeOutbound({ allow: ['127.0.0.1:22'] })
    expect(await byPort.outbound.checkUrl('http://127.0.0.1:22/')).toBe('http://127.0.0.1:22/')
  })

  test('of several allowed addresses the first that responds is used', async () => {
    await using server = await serve((_request, response) => response.end('reached'))
    const { outbound } = makeOutbound({
      allow: ['::1', '127.0.0.1'],
      resolve: async () => ['::1', '127.0.0.1'],
    })
    expect((await outbound.request(`http://hooks.example:${server.port}/`)).body.toString()).toBe('reached')
  })

  test('an invalid entry is reported by name', () => {
    expect(() => makeOutbound({ allow: ['http://x'] })).toThrow('"http://x"')
  })

  test('names are resolved by the system by default', async () => {
    await using server = await serve((_request, response) => response.end('reached'))
    const { outbound } = makeOutbound({ allow: ['localhost'] })
    expect((await outbound.request(`http://localhost:${server.port}/`)).body.toString()).toBe('reached')
  })
})
