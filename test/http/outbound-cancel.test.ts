import { getEventListeners } from 'node:events'
import { createServer as createTcpServer } from 'node:net'
import { describe, expect, test } from 'vitest'
import { awaitClosed, listen, makeOutbound, serve } from './outbound-support.ts'

const allow = ['127.0.0.1']

describe('cancelling', () => {
  test('closes the connection at once and passes the reason on', async () => {
    await using server = await serve((_request, response) => void response.write('begun'))
    const { outbound } = makeOutbound({ allow })
    const giveUp = new AbortController()
    const reason = new Error('flow cancelled')
    const answer = outbound.request(`http://127.0.0.1:${server.port}/`, { signal: giveUp.signal })
    const refused = expect(answer).rejects.toBe(reason)
    while (server.sockets.length === 0) await new Promise((resolve) => setImmediate(resolve))
    giveUp.abort(reason)
    await refused
    await awaitClosed(server)
  })

  test('works before the start and during the DNS lookup', async () => {
    await expect(
      makeOutbound().outbound.request('http://8.8.8.8/', { signal: AbortSignal.abort('early') }),
    ).rejects.toBe('early')
    const giveUp = new AbortController()
    const { outbound } = makeOutbound({ resolve: () => new Promise(() => {}) })
    const answer = outbound.request('http://slow.example/', { signal: giveUp.signal })
    giveUp.abort('late')
    await expect(answer).rejects.toBe('late')
  })

  test('works while connecting', async () => {
    await using server = await listen(createTcpServer())
    const giveUp = new AbortController()
    const { outbound } = makeOutbound({ allow })
    const answer = outbound.request(`https://127.0.0.1:${server.port}/`, { signal: giveUp.signal })
    const refused = expect(answer).rejects.toBe(null)
    while (server.sockets.length === 0) await new Promise((resolve) => setImmediate(resolve))
    giveUp.abort(null)
    await refused
    await awaitClosed(server)
  })

  test('leaves no listener on a long-lived signal', async () => {
    await using server = await serve((_request, response) => response.end('x'))
    const { outbound } = makeOutbound({ allow })
    const { signal } = new AbortController()
    await outbound.request(`http://127.0.0.1:${server.port}/`, { signal })
    await outbound.request('http://10.0.0.1/', { signal }).catch(() => {})
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })
})

describe('a stream', () => {
  test('returns the body in pieces and closes after its end', async () => {
    await using server = await serve((_request, response) => {
      response.write('one')
      response.on('close', () => {})
      setImmediate(() => response.end('two'))
    })
    const { outbound } = makeOutbound({ allow })
    await using answer = await outbound.stream(`http://127.0.0.1:${server.port}/`)
    expect(answer.status).toBe(200)
    let text = ''
    for await (const chunk of answer.body) text += chunk.toString()
    expect(text).toBe('onetwo')
    await awaitClosed(server)
  })

  test.each(['reading stops', 'it is disposed unread'])('closes when %s', async (how) => {
    await using server = await serve((_request, response) => {
      const timer = setInterval(() => response.write('x'.repeat(1000)), 1)
      response.on('close', () => clearInterval(timer))
    })
    const { outbound } = makeOutbound({ allow })
    {
      await using answer = await outbound.stream(`http://127.0.0.1:${server.port}/`)
      if (how === 'reading stops') for await (const chunk of answer.body) if (chunk.length > 0) break
    }
    await awaitClosed(server)
  })

  test('keeps the limits of time and size', async () => {
    await using server = await serve((_request, response) => {
      const timer = setInterval(() => response.write('x'), 5)
      response.on('close', () => clearInterval(timer))
    })
    const { outbound } = makeOutbound({ allow })
    const read = async (options: object): Promise<void> => {
      await using answer = await outbound.stream(`http://127.0.0.1:${server.port}/`, options)
      for await (const chunk of answer.body) expect(chunk.length).toBeGreaterThan(0)
    }
    await expect(read({ timeoutMs: 100 })).rejects.toMatchObject({ code: 'outbound_timeout' })
    await expect(read({ maxResponseBytes: 5 })).rejects.toMatchObject({ code: 'outbound_too_large' })
  })
})
