import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestClusterService } from '../support/cluster-service.ts'
import { eventually } from '../support/eventually.ts'
import {
  type CallersSetting,
  makeKey,
  nadia,
  openCallersSetting,
  placesOfAccounts,
  quick,
  type Served,
} from './cluster-callers-setting.ts'

let setting: CallersSetting

beforeAll(async () => {
  setting = await openCallersSetting()
})
afterAll(() => setting[Symbol.asyncDispose]())

const body = JSON.stringify(quick)
const path = '/api/generate'

function headOf(key: string, ...more: readonly string[]): string {
  const fields = [
    'Host: localhost',
    `Authorization: Bearer ${key}`,
    `Content-Length: ${body.length}`,
    ...more,
  ]
  return `POST ${path} HTTP/1.1\r\n${fields.join('\r\n')}\r\n\r\n`
}

async function open(service: TestClusterService): Promise<Socket> {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1').setNoDelay(true)
  await once(socket, 'connect')
  return socket
}

/** The text of as many responses as expected, which have a length each. */
async function readResponses(socket: Socket, count: number): Promise<readonly string[]> {
  const found: string[] = []
  let text = ''
  for await (const bytes of socket.iterator({ destroyOnReturn: false })) {
    text += String(bytes)
    for (;;) {
      const end = text.indexOf('\r\n\r\n') + 4
      const length = Number(/content-length: (\d+)/i.exec(text.slice(0, end))?.[1])
      if (end === 3 || text.length < end + length) break
      found.push(text.slice(0, end + length))
      text = text.slice(end + length)
    }
    if (found.length === count) break
  }
  return found
}

describe.each(placesOfAccounts)('a caller who is not cached, of a platform %s,', (_where, serve) => {
  let served: Served
  let service: TestClusterService

  beforeAll(async () => {
    served = await serve(setting)
    service = served.service
  })
  afterAll(() => served[Symbol.asyncDispose]())

  /** Requests that the framework has read. */
  async function readByFramework(): Promise<number> {
    const text = await service.metrics.render()
    return [...text.matchAll(/http_request_seconds_count\{[^}]*route="\/api\/generate"[^}]*\} (\d+)/g)]
      .map(([, count]) => Number(count))
      .reduce((sum, count) => sum + count, 0)
  }

  test('is authenticated without the framework, with all requests that follow', async () => {
    const before = await readByFramework()
    const socket = await open(service)
    const key = await makeKey(setting.identity, nadia)
    socket.write(headOf(key) + body + headOf(key))
    const [first] = await readResponses(socket, 1)
    expect(first).toMatch(/^HTTP\/1.1 200 /)
    socket.write(body + headOf(await makeKey(setting.identity, nadia)) + body)
    for (const response of await readResponses(socket, 2)) expect(response).toMatch(/^HTTP\/1.1 200 /)
    socket.destroy()
    expect(await readByFramework()).toBe(before)
  })

  test('may send the body in parts meanwhile', async () => {
    const before = await readByFramework()
    const socket = await open(service)
    socket.write(headOf(await makeKey(setting.identity, nadia)))
    for (const letter of body) socket.write(letter)
    expect((await readResponses(socket, 1))[0]).toMatch(/^HTTP\/1.1 200 /)
    socket.destroy()
    expect(await readByFramework()).toBe(before)
  })

  test('is refused as by the framework', async () => {
    const restricted = await makeKey(setting.identity, nadia, ['models.read'])
    const before = await readByFramework()
    const keys = [restricted, `tk_${'x'.repeat(40)}`, 'a.b.c', 'sesame']
    for (const key of keys) {
      const refusals: string[] = []
      // Node's server reads a request with two equal fields.
      for (const more of [[], ['X-Twice: 1', 'X-Twice: 2']]) {
        const socket = await open(service)
        socket.write(headOf(key, ...more) + body)
        const [refusal = ''] = await readResponses(socket, 1)
        refusals.push(refusal.replace(/^(?:date|x-request-id): .*\r\n/gim, ''))
        socket.destroy()
      }
      expect(refusals[0]).toMatch(/^HTTP\/1.1 40[13] /)
      expect(refusals[0]).toBe(refusals[1])
    }
    await eventually(async () => (await readByFramework()) === before + 2 * keys.length)
  })

  test('may leave meanwhile', async () => {
    const key = await makeKey(setting.identity, nadia)
    const before = (await setting.node.stats()).requests[path] ?? 0
    const sockets = await Promise.all(Array.from({ length: 5 }, () => open(service)))
    for (const socket of sockets) {
      socket.write(headOf(key))
      socket.destroy()
    }
    const last = await open(service)
    last.write(headOf(key) + body)
    expect((await readResponses(last, 1))[0]).toMatch(/^HTTP\/1.1 200 /)
    last.destroy()
    expect((await setting.node.stats()).requests[path]).toBe(before + 1)
  })
})
