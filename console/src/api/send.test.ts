import { describe, expect, test } from 'vitest'
import { ApiFailure } from './api-failure.ts'
import type { PlainRequest } from './plain-request.ts'
import { createSend } from './send.ts'

const origin = 'http://tutti.test'

/** A minimal platform that accepts one CSRF token at a time. */
function setUp(answer: (request: Request) => Response | Promise<Response> = () => new Response('{}')) {
  const seen: Request[] = []
  const told: string[] = []
  const written: PlainRequest[] = []
  const reached: boolean[] = []
  const session = { token: 'first' }
  const send = createSend({
    async fetch(request) {
      seen.push(request)
      if (new URL(request.url).pathname === '/session/token') return new Response(session.token)
      const writes = request.method !== 'GET'
      if (writes && request.headers.get('x-csrf-token') !== session.token)
        return new Response(null, { status: 403 })
      return await answer(request)
    },
    onSignedOut: () => told.push('signed out'),
    onReach: (isAnswered) => reached.push(isAnswered),
    onRequestId: (id) => told.push(id),
    onWrite: (request) => written.push(request),
  })
  const paths = () => seen.map(({ method, url }) => `${method} ${new URL(url).pathname}`)
  const post = () => send(new Request(`${origin}/api/things`, { method: 'POST', body: '{"a":1}' }))
  return { send, seen, told, written, reached, session, paths, post }
}

describe('createSend', () => {
  test('reports requests that change something, and none that only read', async () => {
    const { send, post, written } = setUp()
    await send(new Request(`${origin}/api/things`))
    await send(new Request(`${origin}/api/flows/validate`, { method: 'POST', body: '{}' }))
    expect(written).toEqual([])
    await post()
    expect(written).toEqual([{ method: 'POST', url: `${origin}/api/things`, body: '{"a":1}' }])
  })

  test('marks requests as sent by a script, and reports the request id of the response', async () => {
    const { send, seen, told } = setUp(() => new Response('{}', { headers: { 'x-request-id': 'req-1' } }))
    await send(new Request(`${origin}/api/things`))
    expect(seen[0]?.headers.get('x-requested-with')).toBe('XMLHttpRequest')
    expect(seen[0]?.headers.has('x-csrf-token')).toBe(false)
    expect(told).toEqual(['req-1'])
  })

  test('requests the CSRF token once and sends it with every write', async () => {
    const { post, paths, reached } = setUp()
    expect([(await post()).status, (await post()).status]).toEqual([200, 200])
    expect(paths()).toEqual(['GET /session/token', 'POST /api/things', 'POST /api/things'])
    expect(reached).toEqual([true, true, true])
  })

  test('sends a write once more, with its body, when the token has changed', async () => {
    const bodies: string[] = []
    const { post, session } = setUp(async (request) => {
      bodies.push(await request.text())
      return new Response('{}')
    })
    await post()
    session.token = 'second'
    expect((await post()).status).toBe(200)
    expect(bodies).toEqual(['{"a":1}', '{"a":1}'])
  })

  test('does not repeat a write that was refused with the current token', async () => {
    const { post, paths } = setUp(() => new Response(null, { status: 403 }))
    expect((await post()).status).toBe(403)
    expect(paths().filter((path) => path.startsWith('POST'))).toHaveLength(1)
  })

  test('reports a missing session and leaves the caller pending while the page navigates', async () => {
    const { send, told } = setUp(() => new Response(null, { status: 401 }))
    const settled = await Promise.race([
      send(new Request(`${origin}/api/things`)).then(() => 'settled'),
      new Promise((resolve) => setTimeout(resolve, 20, 'waiting')),
    ])
    expect(settled).toBe('waiting')
    expect(told).toEqual(['signed out'])
  })

  test('turns a missing response into a retryable failure', async () => {
    const { send, reached } = setUp(() => Promise.reject(new TypeError('fetch failed')))
    const failure = await send(new Request(`${origin}/api/things`)).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(ApiFailure)
    expect(failure).toMatchObject({ status: 0, code: 'unreachable', retryable: true })
    expect(reached).toEqual([false])
  })
})
