import { once } from 'node:events'
import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { Type } from 'typebox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { kernelFailure } from '#kernel/errors'
import { type ApiDefinition, closeHttpServer, type HttpServer, registerApi } from '#kernel/http'
import { platformApi } from '../../src/app/platform-api.ts'
import { createBareServer } from '../support/bare-server.ts'
import { untilClosed } from '../support/until-closed.ts'

/** Two APIs with error formats as different as the real ones, on one server. */
const flat: ApiDefinition = {
  ...platformApi,
  name: 'flat',
  prefixes: ['/flat'],
  errorCodes: { ...platformApi.errorCodes, not_found: 'NOT_FOUND', invalid_input: 'BAD_REQUEST' },
  errorBody: ({ code, message, at }) => ({ error: code, message, timestamp: at.toISOString() }),
}
const listed: ApiDefinition = {
  ...platformApi,
  name: 'listed',
  prefixes: ['/listed', '/flat/but-listed'],
  errorBody: ({ message, problems }) => ({
    success: false,
    message,
    errors: problems.map(({ path, message: what, code }) => ({ field: path, message: what, code })),
  }),
}

const strict: ApiDefinition = {
  ...flat,
  name: 'strict',
  prefixes: ['/strict'],
  errorCodes: { ...flat.errorCodes, invalid_input: { code: 'UNPROCESSABLE', status: 422 } },
}

function addRoutes(prefix: string) {
  return (routes: HttpServer) => {
    const config = { access: { open: 'a test' } } as const
    const body = Type.Object(
      {
        label: Type.String(),
        steps: Type.Array(Type.Object({ weight: Type.Integer() })),
        heat: Type.Optional(Type.Number()),
        extra: Type.Optional(Type.Object({}, { additionalProperties: true })),
      },
      { additionalProperties: false },
    )
    routes.post(`${prefix}/things`, { config, schema: { body } }, async (request) => request.body)
    routes.get(
      `${prefix}/things/:id`,
      {
        config,
        schema: {
          querystring: Type.Object({
            limit: Type.Optional(Type.Integer({ maximum: 200 })),
            note: Type.Optional(Type.String()),
            ids: Type.Optional(Type.Array(Type.String({ minLength: 1 }), { maxItems: 3 })),
          }),
        },
      },
      async (request) => ({ query: request.query }),
    )
    routes.delete(
      `${prefix}/things/:id`,
      { config, schema: { params: Type.Object({ id: Type.String({ format: 'uuid' }) }) } },
      async (_request, reply) => reply.code(204).send(null),
    )
    routes.post(
      `${prefix}/anything`,
      { config, schema: { body: Type.Object({}, { additionalProperties: true }) } },
      async () => ({ ok: true }),
    )
    routes.get(`${prefix}/files/*`, { config }, (_request, reply) => {
      reply.callNotFound()
    })
    routes.get(`${prefix}/crash`, { config }, async () => {
      throw new Error('secret detail of the inside')
    })
    routes.get(`${prefix}/busy`, { config }, async () => {
      throw kernelFailure('too_many_requests', { retryAfterSeconds: 7 })
    })
    routes.get(`${prefix}/busy-for-now`, { config }, async () => {
      throw kernelFailure('too_many_requests')
    })
    routes.get(`${prefix}/private`, { config: { access: { signedIn: true } } }, async () => 'private')
  }
}

let app: HttpServer
let url: string

beforeAll(async () => {
  app = await createBareServer()
  await registerApi(app, flat, addRoutes('/flat'))
  await registerApi(app, listed, addRoutes('/listed'))
  await registerApi(app, strict, addRoutes('/strict'))
  url = await app.listen({ port: 0, host: '127.0.0.1' })
})

afterAll(() => closeHttpServer(app, 1000))

const json = { 'content-type': 'application/json' }
const big = JSON.stringify({ label: 'x'.repeat(2 * 1024 * 1024), steps: [] })

const cases: readonly [name: string, path: string, init: RequestInit, status: number][] = [
  ['malformed JSON', '/things', { method: 'POST', headers: json, body: '{"label":' }, 400],
  ['an empty JSON body', '/things', { method: 'POST', headers: json, body: '' }, 400],
  [
    'a poisoned prototype',
    '/things',
    { method: 'POST', headers: json, body: '{"__proto__":{"x":1},"label":"a"}' },
    400,
  ],
  ['no body at all', '/things', { method: 'POST' }, 400],
  [
    'a compressed body',
    '/things',
    {
      method: 'POST',
      headers: { ...json, 'content-encoding': 'gzip' },
      body: new Uint8Array(gzipSync('{}')),
    },
    415,
  ],
  [
    'bytes that are not UTF-8',
    '/things',
    { method: 'POST', headers: json, body: new Uint8Array([0x22, 0xff, 0x22]) },
    400,
  ],
  ['an id that cannot be', '/things/nope', { method: 'DELETE' }, 404],
  [
    'wrong types',
    '/things',
    { method: 'POST', headers: json, body: '{"label":1,"steps":[{"weight":"2"}]}' },
    400,
  ],
  ['a JSON array for an object', '/things', { method: 'POST', headers: json, body: '[]' }, 400],
  [
    'an unknown field',
    '/things',
    { method: 'POST', headers: json, body: '{"label":"a","steps":[],"lable":1}' },
    400,
  ],
  [
    'an unsupported content type',
    '/things',
    { method: 'POST', headers: { 'content-type': 'text/xml' }, body: '<a/>' },
    415,
  ],
  ['a body of 2 MiB', '/things', { method: 'POST', headers: json, body: big }, 413],
  ['a wrong method', '/things', { method: 'DELETE' }, 405],
  ['an unknown path', '/nowhere', {}, 404],
  ['a file that is not there', '/files/nowhere.js', {}, 404],
  ['an unknown path asked for by a browser', '/nowhere', { headers: { accept: 'text/html' } }, 404],
  ['a bad percent escape', '/things/%ff', {}, 400],
  ['a query value out of range', '/things/1?limit=201', {}, 400],
  ['a query value of the wrong type', '/things/1?limit=many', {}, 400],
  ['a number too large to be exact', '/things/1?limit=-1e30', {}, 400],
  ['a number without end in the query', '/things/1?limit=-1e400', {}, 400],
  [
    'a number without end in a body',
    '/things',
    { method: 'POST', headers: json, body: '{"label":"a","steps":[],"heat":1e400}' },
    400,
  ],
  ['a NUL in the query', '/things/1?note=%00', {}, 400],
  [
    'a NUL in a body',
    '/things',
    { method: 'POST', headers: json, body: '{"label":"a\\u0000","steps":[]}' },
    400,
  ],
  [
    'half a character in a body',
    '/things',
    { method: 'POST', headers: json, body: '{"label":"\\ud800","steps":[]}' },
    400,
  ],
  ['a parameter of absurd length', `/things/${'x'.repeat(600)}`, {}, 404],
  ['a crash inside', '/crash', {}, 500],
  ['a limit', '/busy', {}, 429],
  ['no credential', '/private', {}, 401],
]

describe.each([
  [
    'flat',
    (body: unknown) =>
      expect(body).toEqual({
        error: expect.any(String),
        message: expect.any(String),
        timestamp: expect.any(String),
      }),
  ],
  [
    'listed',
    (body: unknown) =>
      expect(body).toEqual({ success: false, message: expect.any(String), errors: expect.any(Array) }),
  ],
] as const)('the %s API responds in its own format', (name, expectShape) => {
  test.each(cases)('%s', async (_name, path, init, status) => {
    const answer = await fetch(`${url}/${name}${path}`, init)
    const body: unknown = await answer.json()
    expect(answer.status).toBe(status)
    expectShape(body)
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(answer.headers.get('x-request-id')).toMatch(/^[\w.:-]+$/)
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(JSON.stringify(body)).not.toContain('secret detail')
  })
})

async function requestIdFor(id: string): Promise<string | null> {
  const answer = await fetch(`${url}/flat/busy`, { headers: { 'x-request-id': id } })
  return answer.headers.get('x-request-id')
}

describe('error responses', () => {
  test('every wrong field is named', async () => {
    const answer = await fetch(`${url}/listed/things`, {
      method: 'POST',
      headers: json,
      body: '{"steps":[{"weight":1},{"weight":"2"}],"lable":"x"}',
    })
    expect(await answer.json()).toMatchObject({
      errors: [
        { field: 'label', message: 'is required', code: 'required' },
        { field: 'lable', message: 'is not a known field', code: 'unknown_field' },
        { field: 'steps[1].weight', message: 'must be an integer', code: 'type' },
      ],
    })
  })

  test.each([
    ['{"label":"a","extra":{"list":[{"__proto__":{"x":1}}]}}', 'extra.list[0].__proto__'],
    ['{"\\u005f_proto__":1}', '__proto__'],
    ['{"extra":{"constructor":{"prototype":{"x":1}}}}', 'extra.constructor.prototype'],
  ])('a field that could pollute prototypes is named: %s', async (body, field) => {
    const answer = await fetch(`${url}/listed/things`, { method: 'POST', headers: json, body })
    expect([answer.status, await answer.json()]).toMatchObject([
      400,
      { errors: [{ field, message: expect.stringContaining('not allowed'), code: 'forbidden_field' }] },
    ])
  })

  test('a field named constructor is an ordinary field', async () => {
    const body = '{"label":"__proto__","steps":[],"extra":{"constructor":"Bach"}}'
    const answer = await fetch(`${url}/listed/things`, { method: 'POST', headers: json, body })
    expect(await answer.text()).toBe(body)
  })

  test.each([
    [{ headers: { ...json, 'content-encoding': 'br' }, body: 'x' }, /Content-Encoding: br .*uncompressed/],
    [{ headers: json, body: new Uint8Array([0x22, 0xff, 0x22]) }, /not valid UTF-8/],
    [{ headers: json, body: '{"label" 1}' }, /not valid JSON: .* position 9/],
    [{ headers: json, body: '' }, /The body is empty, but this request needs one/],
    [{}, /The body is required; send an object/],
  ])('an invalid body is reported by field: %j', async (init, message) => {
    const answer = await fetch(`${url}/flat/things`, { method: 'POST', ...init })
    expect(await answer.json()).toMatchObject({ message: expect.stringMatching(message) })
  })

  test('an unsupported encoding gets the supported one, and an empty body needs none', async () => {
    const headers = { ...json, 'content-encoding': 'gzip' }
    const refused = await fetch(`${url}/flat/things`, { method: 'POST', headers, body: 'x' })
    expect([refused.status, refused.headers.get('accept-encoding')]).toEqual([415, 'identity'])
    const id = '3f2b8c1e-5d4a-4f6b-9c7d-8e9f0a1b2c3d'
    expect((await fetch(`${url}/flat/things/${id}`, { method: 'DELETE', headers })).status).toBe(204)
    const plain = { ...json, 'content-encoding': 'identity' }
    const taken = await fetch(`${url}/flat/anything`, { method: 'POST', headers: plain, body: '{}' })
    expect(taken.status).toBe(200)
  })

  test('null for an optional field is absent, and content without a schema keeps its nulls', async () => {
    const body = JSON.stringify({ label: 'a', steps: [], heat: null, extra: { a: null } })
    const answer = await fetch(`${url}/flat/things`, { method: 'POST', headers: json, body })
    expect(await answer.json()).toEqual({ label: 'a', steps: [], extra: { a: null } })
  })

  test.each([
    ['ids=a&ids=b', ['a', 'b']],
    ['ids=a,b', ['a', 'b']],
    ['ids=a, b&ids=c', ['a', 'b', 'c']],
    ['ids[]=a', ['a']],
    ['ids%5B%5D=a&ids[]=b&ids=c', ['c', 'a', 'b']],
  ])('a list in a query is parsed from %s', async (query, ids) => {
    expect(await (await fetch(`${url}/flat/things/1?${query}`)).json()).toEqual({ query: { ids } })
  })

  test.each(['ids=', 'ids=a,,b', 'ids=a,b,c,d', 'ids[]='])(
    'a list in a query is validated: %s',
    async (query) => {
      expect((await fetch(`${url}/flat/things/1?${query}`)).status).toBe(400)
    },
  )

  test('an API may map a failure to its own status', async () => {
    const answer = await fetch(`${url}/strict/things`, { method: 'POST', headers: json, body: '{}' })
    expect(answer.status).toBe(422)
    expect(await answer.json()).toMatchObject({ error: 'UNPROCESSABLE' })
  })

  test('a wrong method lists the allowed ones', async () => {
    const answer = await fetch(`${url}/flat/things`, { method: 'PUT' })
    expect(answer.headers.get('allow')).toBe('POST')
  })

  test('the longest matching prefix decides the format', async () => {
    const answer = await fetch(`${url}/flat/but-listed/nowhere`)
    expect(await answer.json()).toMatchObject({ success: false })
    const neighbour = await fetch(`${url}/flattened`)
    expect(await neighbour.json()).toMatchObject({ error: { code: 'not_found' } })
  })

  test('a rate limit and a missing credential have their headers', async () => {
    expect((await fetch(`${url}/flat/busy`)).headers.get('retry-after')).toBe('7')
    expect((await fetch(`${url}/flat/busy-for-now`)).headers.get('retry-after')).toBe('1')
    expect((await fetch(`${url}/flat/private`)).headers.get('www-authenticate')).toContain('Bearer')
  })

  test('a valid request id is kept, any other replaced', async () => {
    expect(await requestIdFor('abc-123')).toBe('abc-123')
    expect(await requestIdFor('x'.repeat(200))).not.toContain('xx')
    expect(await requestIdFor('a b')).not.toBe('a b')
  })

  test.each([
    [150, 200],
    [250, 400],
    [50_000, 400],
  ])('a body nested %i levels deep gets %i', async (levels, status) => {
    const body = `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`
    const answer = await fetch(`${url}/flat/anything`, { method: 'POST', headers: json, body })
    expect(answer.status).toBe(status)
    if (status === 400) expect(await answer.text()).toContain('must not be nested more than 200 levels deep')
  })

  test('a text that cannot be stored is reported by its path', async () => {
    const answer = await fetch(`${url}/listed/anything`, {
      method: 'POST',
      headers: json,
      body: '{"steps":[{"a/b":"fine"},{"a/b":"\\u0000"}]}',
    })
    expect(await answer.json()).toMatchObject({
      errors: [{ field: 'steps[1].a/b', message: 'has a character that cannot be stored', code: 'text' }],
    })
  })

  test.each([
    ['without a Host', 'GET /flat/things/1 HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    [
      'with an unknown expectation',
      'GET /flat/nowhere HTTP/1.1\r\nHost: x\r\nExpect: wonders\r\nConnection: close\r\n\r\n',
      404,
    ],
  ])('a request %s gets the format of its API', async (_name, bytes, status) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    let text = ''
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()))
    socket.write(bytes)
    await untilClosed(socket)
    expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(text).toMatch(/^x-request-id: /m)
    expect(text).toContain('"timestamp":')
  })

  test('a request that does not arrive in time gets a timeout error', async () => {
    const accepted = once(app.server, 'connection')
    const peer = connect(Number(new URL(url).port), '127.0.0.1')
    const [socket] = await accepted
    // What Node reports after a minute.
    app.server.emit('clientError', Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket)
    const [answer] = (await once(peer, 'data')) as [Buffer]
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 408 [^]*"code":"request_timeout"/)
    peer.destroy()
  })

  test.each([
    ['what is not HTTP', 'NONSENSE\r\n\r\n', 400],
    ['headers without end', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(70_000)}\r\n\r\n`, 431],
    [
      'a smuggled length',
      'POST /flat/things HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
  ])('%s gets a plain error and a closed connection', async (_name, bytes, status) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    let text = ''
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()))
    socket.write(bytes)
    await untilClosed(socket)
    expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(text).toMatch(/"error":\{"code":"(invalid_request|headers_too_large)","message":.*"request_id":/)
  })
})

test('a route without an access rule cannot be registered', () => {
  expect(() => app.get('/forgotten', async () => 'x')).toThrow()
})
