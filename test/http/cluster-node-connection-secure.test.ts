import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { generate } from 'selfsigned'
import { afterAll, describe, expect, test } from 'vitest'
import { startServiceFor } from '../support/cluster-service.ts'
import { answerOf, startWireNode } from './cluster-node-connection-node.ts'

const model = 'gemma3:4b'
const calm = { HEALTH_CHECK_INTERVAL: '1h' }
const usual = getCACertificates('default')
const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], {
  extensions: [
    { name: 'basicConstraints', cA: true },
    {
      name: 'subjectAltName',
      altNames: [
        { type: 2, value: 'localhost' },
        { type: 7, ip: '127.0.0.1' },
      ],
    },
  ],
})
const certificate = { key, cert }
const last = '{"done":true}\n'

afterAll(() => setDefaultCACertificates(usual))

describe('a node behind TLS', () => {
  test.each(['127.0.0.1', 'localhost'])('is called as %s, over one connection', async (host) => {
    setDefaultCACertificates([...usual, cert])
    await using node = await startWireNode(
      ({ socket, nth }) => {
        if (nth % 2 === 1) socket.write(answerOf(JSON.stringify({ answer: nth })))
        else {
          socket.write(
            'HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n',
          )
          for (let token = 0; token < 1000; token++) socket.write('400\r\n' + 'x'.repeat(1024) + '\r\n')
          socket.write(`${last.length.toString(16)}\r\n${last}\r\n0\r\n\r\n`)
        }
      },
      { certificate },
    )
    const url = node.url.replace('127.0.0.1', host)
    await using service = await startServiceFor([{ url }], calm)
    for (let round = 1; round <= 3; round++) {
      expect(await (await service.post('/api/chat', { model })).json()).toEqual({ answer: round * 2 - 1 })
      expect(await (await service.post('/api/chat', { model })).text()).toBe('x'.repeat(1024 * 1000) + last)
    }
    expect(node.sockets).toHaveLength(1)
    expect(node.requests[0]?.head).toContain(`host: ${new URL(url).host}`)
  })

  test('is not called when its certificate is not trusted', async () => {
    setDefaultCACertificates([...usual, cert])
    await using node = await startWireNode(({ socket }) => socket.write(answerOf('{}')), { certificate })
    await using service = await startServiceFor([node], calm)
    setDefaultCACertificates(usual)
    const response = await service.post('/api/chat', { model })
    expect(response.status).toBe(502)
    expect(await response.json()).toEqual({
      error: expect.stringContaining('the certificate or TLS connection is not accepted'),
    })
    expect(node.requests).toHaveLength(0)
  })
})

describe('a node with an IPv6 address', () => {
  test('is called by it', async () => {
    await using node = await startWireNode(({ socket }) => socket.write(answerOf('{}')), { host: '::1' })
    await using service = await startServiceFor([node], calm)
    expect((await service.post('/api/chat', { model })).status).toBe(200)
    expect(node.requests[0]?.head).toContain(`host: [::1]:${new URL(node.url).port}`)
  })
})
