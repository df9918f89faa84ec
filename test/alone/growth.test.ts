import { Agent, request } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { growthOf, maxGrowth } from '#testing/kernel'
import { unlimited } from '../http/request-limits.ts'
import { openPlatform, type PlatformInProcess } from '../support/platform.ts'

// What a caller without an account sends must cost time in proportion to its length. Client and platform share a thread.

interface Sent {
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | undefined
}

/** Node refuses a head of 16 KiB. */
const headBytes = 15_000
/** So that JSON of small values is still parsed. */
const bodyBytes = 96_000

const hook = '/ai-workflows/api/hooks/no-such-token'
const json = 'application/json'
const form = 'application/x-www-form-urlencoded'

let platform: PlatformInProcess
const agent = new Agent({ keepAlive: true, maxSockets: 1 })

beforeAll(async () => {
  platform = await openPlatform({ TRUSTED_PROXIES: '127.0.0.1' }, unlimited)
})
afterAll(async () => {
  agent.destroy()
  await platform[Symbol.asyncDispose]()
})

/** Sends a GET, or a POST with a body. Returns the status. */
async function send({ path, headers = {}, body }: Sent): Promise<number> {
  const { hostname, port } = new URL(platform.url)
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const method = body === undefined ? 'GET' : 'POST'
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
  const sent = request({
    hostname,
    port,
    agent,
    method,
    path,
    headers: { accept: json, ...headers, ...length },
  })
  sent.on('error', reject)
  sent.on('response', (response) => {
    void readText(response).then(() => resolve(response.statusCode ?? 0), reject)
  })
  sent.end(body)
  return await promise
}

const repeated = (piece: string) => (bytes: number) => piece.repeat(Math.floor(bytes / piece.length))

/** Different names, so that each is an entry of its own. */
const distinct = (separator: string) => (bytes: number) =>
  Array.from({ length: Math.floor(bytes / (5 + separator.length)) }, (_, nth) =>
    String(nth).padStart(5, '0'),
  ).join(separator)

const nested = (bytes: number) => `${'['.repeat(bytes / 2)}${']'.repeat(bytes / 2)}`
const fields = (bytes: number) =>
  `{${Array.from({ length: Math.floor(bytes / 10) }, (_, nth) => `"k${String(nth).padStart(5, '0')}":1`).join()}}`

describe.each([
  ['form fields of one name', form, repeated('a=&')],
  ['form fields of many names', form, distinct('&')],
  ['escapes', form, repeated('a=%41%zz')],
  ['nested lists', json, nested],
  ['fields', json, fields],
  ['long texts', json, (bytes: number) => `{"username":"${'\\u0041'.repeat(bytes / 6)}","password":"x"}`],
  ['parts', 'multipart/form-data; boundary=a', repeated('--a\r\n')],
  ['elements', 'application/xml', repeated('<a>')],
])('a body of %s', (_kind, type, make) => {
  test.each(['/user/login', '/api/v1/auth/login', '/oauth/token', hook, '/no/such/path'])(
    'costs linear time at %s',
    async (path) => {
      const run = (body: string) => send({ path, headers: { 'content-type': type }, body })
      expect(await growthOf(make, run, bodyBytes)).toBeLessThan(maxGrowth)
    },
  )
})

describe.each([
  ['parameters of one name', repeated('a=&')],
  ['parameters of many names', distinct('&')],
  ['escapes', repeated('%41%zz')],
  ['scopes', (bytes: number) => `client_id=x&response_type=code&scope=${distinct('+')(bytes)}`],
  ['segments', (bytes: number) => `destination=${'/..'.repeat(bytes / 3)}`],
])('a query of %s', (_kind, make) => {
  test.each([
    { path: '/oauth/authorize' },
    { path: '/user/login' },
    { path: '/healthz' },
    { path: hook, body: '' },
  ])('costs linear time at $path', async ({ path, body }) => {
    const run = (query: string) => send({ path: `${path}?${query}`, body })
    expect(await growthOf(make, run, headBytes)).toBeLessThan(maxGrowth)
  })
})

test.each([
  ['cookie', distinct('=;')],
  ['cookie', repeated('a=%41;')],
  ['cookie', (bytes: number) => `SESS=${'%'.repeat(bytes)}`],
  ['authorization', (bytes: number) => `Bearer${' '.repeat(bytes)}x`],
  ['authorization', (bytes: number) => `Bearer ${'e30.'.repeat(bytes / 4)}`],
  ['authorization', (bytes: number) => `Basic ${'QUE6'.repeat(bytes / 4)}`],
  ['x-api-key', repeated('a')],
  ['accept', repeated('a/b;q=0.1,')],
  ['accept-language', repeated('de-CH;q=0.1,')],
  ['accept-encoding', distinct(',')],
  ['content-type', (bytes: number) => `application/json${' ;a=b'.repeat(bytes / 5)}`],
  ['x-forwarded-for', repeated('127.0.0.1,')],
  ['x-forwarded-host', repeated('a.')],
  ['origin', (bytes: number) => `https://${'a.'.repeat(bytes / 2)}`],
  ['range', (bytes: number) => `bytes=${'0-0,'.repeat(bytes / 4)}`],
  ['if-none-match', repeated('"a",')],
  ['traceparent', repeated('0')],
  ['tracestate', distinct('=1,')],
  ['last-event-id', repeated('1')],
])('a header "%s" costs linear time', async (name, make) => {
  const run = (value: string) => send({ path: '/user/login', headers: { [name]: value } })
  expect(await growthOf(make, run, headBytes)).toBeLessThan(maxGrowth)
})
