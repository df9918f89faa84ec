import { expect, test } from 'vitest'
import type { ApiFailure } from './api-failure.ts'
import { followStream } from './follow-stream.ts'

const address = new URL('http://localhost/api/cluster/events')

test('a stream that ends is taken up again, and says so', async () => {
  const stop = new AbortController()
  const seen: string[] = []
  let asked = 0
  await followStream({
    send: async () => {
      asked += 1
      return new Response(`event: nodes\ndata: ${asked}\n\n`)
    },
    address,
    signal: stop.signal,
    onState: (state) => seen.push(state),
    onMessage: ({ data }) => {
      seen.push(data)
      if (data === '2') stop.abort()
    },
    onRefused: () => expect.unreachable(),
  })
  expect(seen).toEqual(['connecting', 'live', '1', 'waiting', 'connecting', 'live', '2'])
})

test('why the stream is refused is told, and it is asked for again', async () => {
  const stop = new AbortController()
  const refusals: ApiFailure[] = []
  const states: string[] = []
  await followStream({
    send: async () => Response.json({ error: { code: 'away', message: 'Gone for lunch.' } }, { status: 503 }),
    address,
    signal: stop.signal,
    onState: (state) => states.push(state),
    onMessage: () => expect.unreachable(),
    onRefused: (failure) => {
      refusals.push(failure)
      if (refusals.length === 2) stop.abort()
    },
  })
  expect(refusals).toMatchObject([
    { status: 503, code: 'away', message: 'Gone for lunch.' },
    { status: 503, code: 'away' },
  ])
  expect(states).toEqual(['connecting', 'waiting', 'connecting'])
})

test('a platform that cannot be reached is waited for', async () => {
  const stop = new AbortController()
  const states: string[] = []
  await followStream({
    send: () => Promise.reject(new TypeError('fetch failed')),
    address,
    signal: stop.signal,
    onState: (state) => {
      states.push(state)
      if (states.length === 3) stop.abort()
    },
    onMessage: () => expect.unreachable(),
    onRefused: () => expect.unreachable(),
  })
  expect(states).toEqual(['connecting', 'waiting', 'connecting'])
})
