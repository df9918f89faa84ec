import { createServer, type Server } from 'node:https'
import type { TLSSocket } from 'node:tls'
import { generate } from 'selfsigned'
import { describe, expect, test } from 'vitest'
import { type Answer, listen, makeOutbound, serve } from './outbound-support.ts'

/** A self-signed certificate of this run. */
const { private: key, cert } = await generate([{ name: 'commonName', value: 'hooks.example' }], {
  keyType: 'ec',
  extensions: [
    { name: 'basicConstraints', cA: true },
    {
      name: 'subjectAltName',
      altNames: [
        { type: 2, value: 'hooks.example' },
        { type: 7, ip: '127.0.0.1' },
      ],
    },
  ],
})

function serveSecurely(answer: Answer) {
  const server: Server = createServer(
    { key, cert, ALPNProtocols: ['h2', 'http/1.1'] },
    (request, response) => {
      void answer(request, response)
    },
  )
  server.on('tlsClientError', () => {})
  return listen(server)
}

const trusting = { allow: ['127.0.0.1'], resolve: async () => ['127.0.0.1'], certificates: [cert] }

const tellConnection: Answer = (request, response) => {
  const { servername, alpnProtocol } = request.socket as TLSSocket & { servername?: string | false }
  response.end(JSON.stringify({ host: request.headers.host, servername, alpnProtocol }))
}

describe('a secure request', () => {
  test('goes to the pinned address with the requested name', async () => {
    await using server = await serveSecurely(tellConnection)
    const { outbound } = makeOutbound(trusting)
    const answer = await outbound.request(`https://Hooks.Example.:${server.port}/`)
    expect(JSON.parse(answer.body.toString())).toEqual({
      host: `hooks.example:${server.port}`,
      servername: 'hooks.example',
      alpnProtocol: 'http/1.1',
    })
  })

  test('to an address requires a certificate for that address', async () => {
    await using server = await serveSecurely(tellConnection)
    const { outbound } = makeOutbound(trusting)
    const answer = await outbound.request(`https://127.0.0.1:${server.port}/`)
    expect(JSON.parse(answer.body.toString())).toMatchObject({
      host: `127.0.0.1:${server.port}`,
      servername: false,
    })
  })

  test.each([
    ['for another name', 'other.example', trusting],
    ['of an unknown authority', 'hooks.example', { allow: trusting.allow, resolve: trusting.resolve }],
  ])('is not sent when the host shows a certificate %s', async (_what, host, options) => {
    let requests = 0
    await using server = await serveSecurely((_request, response) => {
      requests += 1
      response.end()
    })
    const { outbound } = makeOutbound(options)
    await expect(outbound.request(`https://${host}:${server.port}/`)).rejects.toMatchObject({
      code: 'outbound_insecure',
      retryable: true,
    })
    expect(requests).toBe(0)
  })

  test('is not sent to a host without TLS', async () => {
    await using server = await serve((_request, response) => response.end())
    const { outbound } = makeOutbound(trusting)
    await expect(outbound.request(`https://hooks.example:${server.port}/`)).rejects.toMatchObject({
      code: 'outbound_insecure',
    })
  })

  test('never follows a redirect to plain HTTP', async () => {
    await using plain = await serve((_request, response) => response.end('plain'))
    await using server = await serveSecurely((_request, response) =>
      response.writeHead(302, { location: `http://127.0.0.1:${plain.port}/` }).end(),
    )
    const { outbound } = makeOutbound(trusting)
    await expect(
      outbound.request(`https://hooks.example:${server.port}/`, { maxRedirects: 3 }),
    ).rejects.toMatchObject({ code: 'outbound_refused', details: { reason: 'downgrade' } })
    expect(plain.sockets).toHaveLength(0)
  })

  test('may follow a redirect from plain HTTP', async () => {
    await using server = await serveSecurely((_request, response) => response.end('secure'))
    await using plain = await serve((_request, response) =>
      response.writeHead(308, { location: `https://127.0.0.1:${server.port}/` }).end(),
    )
    const { outbound } = makeOutbound(trusting)
    const answer = await outbound.request(`http://hooks.example:${plain.port}/`, { maxRedirects: 1 })
    expect(answer.body.toString()).toBe('secure')
  })
})
