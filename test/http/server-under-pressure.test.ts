import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { closeHttpServer, type HttpServer, sendEventStream } from '#kernel/http'
import { createBareServer } from '../support/bare-server.ts'
import { untilClosed } from '../support/until-closed.ts'

describe('under load', () => {
  let exhaustedResource: string | undefined
  let busy: HttpServer
  let busyUrl: string

  beforeAll(async () => {
    busy = await createBareServer({ exhaustedResource: () => exhaustedResource })
    busy.get('/things', { config: { access: { open: 'a test' } } }, async () => ({ ok: true }))
    busyUrl = await busy.listen({ port: 0, host: '127.0.0.1' })
  })
  afterAll(() => closeHttpServer(busy, 1000))

  test('requests above the capacity are refused early, while health still responds', async () => {
    exhaustedResource = 'database connections'
    const refused = await fetch(`${busyUrl}/things`)
    expect(refused.status).toBe(503)
    expect(refused.headers.get('retry-after')).toBe('2')
    expect(await refused.json()).toMatchObject({ error: { code: 'overloaded' } })
    expect((await fetch(`${busyUrl}/healthz`)).status).toBe(200)
    exhaustedResource = undefined
    expect((await fetch(`${busyUrl}/things`)).status).toBe(200)
  })
})

describe('closing', () => {
  test('a running request ends, a new one is refused in its format, a stream ends at once', async () => {
    const server = await createBareServer()
    const started = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    const config = { access: { open: 'a test' } } as const
    server.get('/slow', { config }, async () => {
      started.resolve()
      await released.promise
      return { done: true }
    })
    server.get('/stream', { config }, (request, reply) =>
      sendEventStream(request, reply, {
        messages: async function* (signal) {
          yield { id: 1, data: 'first' }
          await once(signal, 'abort')
        },
      }),
    )
    const address = await server.listen({ port: 0, host: '127.0.0.1' })
    const stream = await fetch(`${address}/stream`)
    const slow = fetch(`${address}/slow`)
    // A connection opened before closing may still carry a request afterwards.
    const late = connect(Number(new URL(address).port), '127.0.0.1')
    await once(late, 'connect')
    await started.promise
    // Longer than the timeout of a test: clients that would keep their connection alive must not hold it up.
    const closed = closeHttpServer(server, 300_000)
    expect(await stream.text()).toContain('id: 1')
    late.write('GET /things HTTP/1.1\r\nHost: x\r\n\r\n')
    let text = ''
    late.on('data', (chunk: Buffer) => (text += chunk.toString()))
    await untilClosed(late)
    expect(text).toMatch(/^HTTP\/1\.1 503 /)
    expect(text).toContain('"code":"shutting_down"')
    released.resolve()
    expect(await (await slow).json()).toEqual({ done: true })
    await closed
  })

  test('a peer that sent nonsense and stays connected delays nothing', async () => {
    const server = await createBareServer()
    const address = await server.listen({ port: 0, host: '127.0.0.1' })
    const peer = connect({ port: Number(new URL(address).port), host: '127.0.0.1', allowHalfOpen: true })
    peer.write('NONSENSE\r\n\r\n')
    await once(peer, 'data')
    await closeHttpServer(server, 300_000)
    peer.destroy()
  })

  test('requests are cut at the deadline', async () => {
    const server = await createBareServer()
    server.get('/never', { config: { access: { open: 'a test' } } }, () => new Promise(() => {}))
    const address = await server.listen({ port: 0, host: '127.0.0.1' })
    const never = fetch(`${address}/never`).catch(() => 'cut')
    await once(server.server, 'request')
    await closeHttpServer(server, 50)
    expect(await never).toBe('cut')
  })
})
