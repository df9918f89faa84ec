import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServiceFor, type TestClusterService } from '../support/cluster-service.ts'
import { eventually } from '../support/eventually.ts'
import { type ModelNode, startModelNode } from '../support/model-node.ts'

const key = 'correct horse battery staple'
const credential = `Authorization: Bearer ${key}`
const body = JSON.stringify({ model: 'gemma3:4b', stream: false })

let node: ModelNode
let service: TestClusterService

beforeAll(async () => {
  node = await startModelNode()
  service = await startServiceFor([node], { CLUSTER_API_KEY: key })
})
afterAll(async () => {
  await service.close()
  await node[Symbol.asyncDispose]()
})

/** Sends these very bytes on one connection and returns the statuses of all responses. */
async function send(bytes: string): Promise<number[]> {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
  let text = ''
  socket.setEncoding('latin1').on('data', (piece: string) => {
    text += piece
  })
  socket.on('error', () => {})
  const closed = once(socket, 'close')
  socket.write(bytes, 'latin1')
  await closed
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
}

async function requestsOfNode(path: string): Promise<number> {
  return (await node.stats()).requests[path] ?? 0
}

function request(path: string, fields: readonly string[], content: string): string {
  return [`POST ${path} HTTP/1.1`, 'Host: localhost', ...fields, '', content].join('\r\n')
}

/** A request that only the node would get, if the body of another was taken for it. */
const hidden = request('/api/embed', [credential, `Content-Length: ${body.length}`], body)

test('A request to the cluster hides another one in its body', async () => {
  const long = hidden.length + body.length
  for (const fields of [
    [`Content-Length: ${body.length}`, `Content-Length: ${long}`],
    [`Content-Length: ${body.length}, ${long}`],
    [`Content-Length: +${body.length}`],
    [`Content-Length: ${body.length}`, 'Transfer-Encoding: chunked'],
    [`Content-Length: ${body.length}`, 'Transfer-Encoding : chunked'],
    [`Content-Length: ${body.length}`, 'Transfer-Encoding:\r\n chunked'],
    [`Content-Length: ${body.length}`, 'X-A: b\nTransfer-Encoding: chunked'],
    [`Content-Length: ${body.length}`, 'X-A: b\rTransfer-Encoding: chunked'],
    [`Content-Length: ${body.length}`, 'X A: b'],
  ]) {
    const [first = 0, ...others] = await send(request('/api/chat', [credential, ...fields], body) + hidden)
    expect([first, others], JSON.stringify(fields)).toEqual([400, []])
  }
  expect(await requestsOfNode('/api/embed')).toBe(0)
  expect(await requestsOfNode('/api/chat')).toBe(0)
  // A body of the right length that looks like a request is a body.
  const wrapped = JSON.stringify({ model: 'gemma3:4b', stream: false, prompt: hidden })
  const last = request('/api/chat', [credential, 'Content-Length: 2', 'Connection: close'], '{}')
  const fields = [credential, `Content-Length: ${wrapped.length}`]
  expect(await send(request('/api/generate', fields, wrapped) + last)).toEqual([200, 400])
  expect(await requestsOfNode('/api/embed')).toBe(0)
  expect((await node.stats()).lastBodies['/api/generate']).toBe(wrapped)
})

test('A connection to the cluster is reused without a credential', async () => {
  const before = await requestsOfNode('/api/generate')
  const fields = [`Content-Length: ${body.length}`]
  const bytes =
    request('/api/generate', [credential, ...fields], body) +
    request('/api/generate', fields, body) +
    request('/api/generate', ['Authorization: Bearer wrong', ...fields, 'Connection: close'], body)
  expect(await send(bytes)).toEqual([200, 401, 401])
  expect(await requestsOfNode('/api/generate')).toBe(before + 1)
})

function ask(number: number, more: readonly string[] = []): string {
  const content = JSON.stringify({ model: 'gemma3:4b', stream: false, prompt: `number ${number}` })
  return request('/api/generate', [credential, `Content-Length: ${content.length}`, ...more], content)
}

test('A caller of the cluster sends its next request before it has the response', async () => {
  expect(await send(ask(1) + ask(2) + ask(3, ['Connection: close']))).toEqual([200, 200, 200])
  await eventually(async () => (await node.stats()).working === 0)
  expect((await node.stats()).lastBodies['/api/generate']).toContain('number 3')
})
