import { expect, test } from 'vitest'
import { followEvents } from './follow-events.ts'

test('a position that the log no longer has is reported once and not requested again', async () => {
  const asked: string[] = []
  let lost = 0
  await followEvents({
    send: async (request) => {
      asked.push(`${new URL(request.url).search} after ${request.headers.get('last-event-id')}`)
      return new Response('{}', { status: 410 })
    },
    origin: 'http://localhost',
    after: 7,
    type: undefined,
    signal: new AbortController().signal,
    onEvent: () => expect.unreachable(),
    onState: () => {},
    onLost: () => {
      lost += 1
    },
  })
  expect(asked).toEqual([' after 7'])
  expect(lost).toBe(1)
})
