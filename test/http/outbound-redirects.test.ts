import type { IncomingMessage } from 'node:http'
import { describe, expect, test } from 'vitest'
import { type Answer, echo, makeOutbound, serve } from './outbound-support.ts'

const allow = ['127.0.0.1', 'localhost']

function redirect(status: number, location: string | ((request: IncomingMessage) => string)): Answer {
  return (request, response) => {
    response
      .writeHead(status, { location: typeof location === 'string' ? location : location(request) })
      .end('moved')
  }
}

describe('redirects', () => {
  test('are responses unless following is requested', async () => {
    await using server = await serve(redirect(302, '/next'))
    const answer = await makeOutbound({ allow }).outbound.request(`http://127.0.0.1:${server.port}/`)
    expect(answer).toMatchObject({ status: 302, headers: { location: '/next' }, redirects: 0 })
    expect(server.sockets).toHaveLength(1)
  })

  test('are followed up to the limit', async () => {
    await using server = await serve((request, response) => {
      const step = Number(request.url?.slice(1))
      if (step === 3) response.end('there')
      else response.writeHead(302, { location: `/${step + 1}` }).end()
    })
    const { outbound } = makeOutbound({ allow })
    const url = `http://127.0.0.1:${server.port}`
    const answer = await outbound.request(`${url}/0`, { maxRedirects: 3 })
    expect(answer).toMatchObject({ status: 200, redirects: 3, url: `${url}/3` })
    await expect(outbound.request(`${url}/0`, { maxRedirects: 2 })).rejects.toMatchObject({
      code: 'outbound_too_many_redirects',
      retryable: false,
    })
  })

  test.each([
    'http://169.254.169.254/latest/meta-data/',
    'http://10.0.0.1/',
    'http://[::1]/',
    'http://2130706434/',
    '//0x7f.2/',
    'file:///etc/passwd',
    'http://user:password@127.0.0.1/',
    'http://localhost:22/',
  ])('to %s are refused', async (location) => {
    await using server = await serve(redirect(302, location))
    const { outbound } = makeOutbound({ allow })
    await expect(
      outbound.request(`http://127.0.0.1:${server.port}/`, { maxRedirects: 5 }),
    ).rejects.toMatchObject({ code: 'outbound_refused', retryable: false })
    expect(server.sockets).toHaveLength(1)
  })

  test('are resolved and checked again at every hop', async () => {
    await using server = await serve(redirect(302, (request) => `http://${request.headers.host}/again`))
    let lookUps = 0
    const { outbound } = makeOutbound({
      allow: ['127.0.0.1'],
      resolve: async () => (lookUps++ === 0 ? ['127.0.0.1'] : ['127.0.0.1', '10.0.0.1']),
    })
    await expect(
      outbound.request(`http://hooks.example:${server.port}/`, { maxRedirects: 5 }),
    ).rejects.toMatchObject({ code: 'outbound_refused', details: { reason: 'private' } })
    expect(lookUps).toBe(2)
    expect(server.sockets).toHaveLength(1)
  })

  test('without a location are a bad response', async () => {
    await using server = await serve(redirect(302, 'http://'))
    await expect(
      makeOutbound({ allow }).outbound.request(`http://127.0.0.1:${server.port}/`, { maxRedirects: 5 }),
    ).rejects.toMatchObject({ code: 'outbound_bad_response' })
  })

  test.each([
    [301, 'POST', 'GET', ''],
    [302, 'POST', 'GET', ''],
    [303, 'POST', 'GET', ''],
    [303, 'PUT', 'GET', ''],
    [301, 'PUT', 'PUT', 'content'],
    [302, 'DELETE', 'DELETE', 'content'],
    [307, 'POST', 'POST', 'content'],
    [308, 'POST', 'POST', 'content'],
  ] as const)('of status %i turn %s into %s', async (status, method, expected, body) => {
    await using target = await serve(echo)
    await using server = await serve(redirect(status, `http://127.0.0.1:${target.port}/`))
    const answer = await makeOutbound({ allow }).outbound.request(`http://127.0.0.1:${server.port}/`, {
      method,
      body: 'content',
      headers: { 'content-type': 'text/plain' },
      maxRedirects: 1,
    })
    const received = JSON.parse(answer.body.toString())
    expect(received).toMatchObject({ method: expected, body })
    expect(received.headers['content-type']).toBe(body === '' ? undefined : 'text/plain')
  })

  test('to another origin drop credentials, to the same keep them', async () => {
    await using target = await serve(echo)
    const routes: Record<string, Answer> = {
      '/same': redirect(307, '/echo'),
      '/other': redirect(307, `http://127.0.0.1:${target.port}/`),
      '/echo': echo,
    }
    await using server = await serve((request, response) => routes[request.url ?? '']?.(request, response))
    const { outbound } = makeOutbound({ allow })
    const headers = { authorization: 'Bearer x', cookie: 'a=b', 'x-api-key': 'k', 'x-trace': 't' }
    const other = await outbound.request(`http://127.0.0.1:${server.port}/other`, {
      headers,
      maxRedirects: 1,
    })
    expect(JSON.parse(other.body.toString()).headers).toEqual({
      host: `127.0.0.1:${target.port}`,
      connection: 'close',
      'user-agent': 'tutti',
      accept: '*/*',
      'accept-encoding': 'identity',
      'x-trace': 't',
    })
    const same = await outbound.request(`http://127.0.0.1:${server.port}/same`, { headers, maxRedirects: 1 })
    expect(JSON.parse(same.body.toString()).headers).toMatchObject(headers)
  })

  test('share one timeout for all hops', async () => {
    await using server = await serve((_request, response) => {
      setTimeout(() => response.writeHead(302, { location: '/' }).end(), 40)
    })
    await expect(
      makeOutbound({ allow }).outbound.request(`http://127.0.0.1:${server.port}/`, {
        maxRedirects: 99,
        timeoutMs: 200,
      }),
    ).rejects.toMatchObject({ code: 'outbound_timeout' })
  })
})
