import { expect, onTestFinished, test, vi } from 'vitest'
import type { ApiFailure } from './api-failure.ts'
import { followStream } from './follow-stream.ts'

const address = new URL('http://localhost/api/cluster/events')

test('a stream that ends is reconnected, and its state changes to waiting and live', async () => {
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
    onRefused: () => 'stop',
  })
  expect(seen).toEqual(['connecting', 'live', '1', 'waiting', 'connecting', 'live', '2'])
})

test('a refused stream reports its failure and is requested again', async () => {
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
      return 'ask again'
    },
  })
  expect(refusals).toMatchObject([
    { status: 503, code: 'away', message: 'Gone for lunch.' },
    { status: 503, code: 'away' },
  ])
  expect(states).toEqual(['connecting', 'waiting', 'connecting'])
})

test('reconnecting to an unreachable platform doubles its pause up to 15 s', async () => {
  // Pauses take no time. Beside a response this would also end the time in which a stream may be silent.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] }).setTimerTickMode('nextTimerAsync')
  onTestFinished(() => void vi.useRealTimers())
  const stop = new AbortController()
  const states: string[] = []
  const askedAtMs: number[] = []
  const startedAtMs = Date.now()
  await followStream({
    send: () => Promise.reject(new TypeError('fetch failed')),
    address,
    signal: stop.signal,
    onState: (state) => {
      states.push(state)
      if (state === 'connecting') askedAtMs.push(Date.now() - startedAtMs)
      if (askedAtMs.length === 7) stop.abort()
    },
    onMessage: () => expect.unreachable(),
    onRefused: () => 'stop',
  })
  expect(states.slice(0, 3)).toEqual(['connecting', 'waiting', 'connecting'])
  expect(askedAtMs).toEqual([0, 500, 1500, 3500, 7500, 15_500, 30_500])
})

test('a reconnected stream continues after the last message that had an id', async () => {
  const stop = new AbortController()
  const asked: (string | null)[] = []
  await followStream({
    send: async (request) => {
      asked.push(request.headers.get('last-event-id'))
      if (asked.length === 3) stop.abort()
      return new Response(`id: ${asked.length}\ndata: a\n\n`)
    },
    address,
    after: '0.4',
    signal: stop.signal,
    onState: () => {},
    onMessage: () => {},
    onRefused: () => 'stop',
  })
  expect(asked).toEqual(['0.4', '1', '2'])
})

test('a stopped stream does not reconnect', async () => {
  const states: string[] = []
  await followStream({
    send: async () => Response.json({}, { status: 410 }),
    address,
    signal: new AbortController().signal,
    onState: (state) => states.push(state),
    onMessage: () => expect.unreachable(),
    onRefused: () => 'stop',
  })
  expect(states).toEqual(['connecting'])
})
